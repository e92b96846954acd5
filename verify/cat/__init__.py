"""Checks of the paper on adaptive tuning (arXiv 2003.06377)."""
