"""Claims on training runs."""
