"""What a statement may not do beside its relations, each told as one problem."""
