"""Claims on variance."""
