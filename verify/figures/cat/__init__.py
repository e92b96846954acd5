"""Figures of adaptive tuning by communication cost (arXiv 2003.06377)."""
