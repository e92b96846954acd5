"""Figures of dithered and nested dithered quantization (arXiv 1904.01197)."""
