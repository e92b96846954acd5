"""Claims on the correlated quantizer."""
