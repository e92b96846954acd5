"""Claims of "Correlated Quantization for Faster Nonconvex Distributed Optimization" (arXiv 2401.05518), by
topics.
"""
