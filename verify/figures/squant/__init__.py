"""Figures of smoothness-aware quantization (arXiv 2106.03524)."""
