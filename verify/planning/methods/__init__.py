"""What each family of methods is predicted to cost."""
