"""Figures of correlated quantization with MARINA (arXiv 2401.05518)."""
