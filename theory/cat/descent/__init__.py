"""Claims on descent along the largest entries."""
