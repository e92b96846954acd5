"""Claims of "Theoretically Better and Numerically Faster Distributed Optimization with Smoothness-Aware
Quantization Techniques" (arXiv 2106.03524), by topics.
"""
