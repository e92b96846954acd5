"""Claims on the smoothness constants."""
