"""Claims on several nodes."""
