"""Checks of the claims on smoothness-aware quantization (arXiv 2106.03524): one module per claim."""
