"""Claims of "Nested Dithered Quantization for Communication Reduction in Distributed Training" (arXiv
1904.01197), by topics.
"""
