"""Claims of "A Flexible Framework for Communication-Efficient Machine Learning: from HPC to IoT" (arXiv
2003.06377), by topics.
"""
