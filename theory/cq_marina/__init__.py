"""Claims of "Correlated Quantization for Faster Nonconvex Distributed Optimization" (arXiv 2401.05518).

In the order of the specification.
"""

from theory.cq_marina.paper import PAPER

__all__ = ["CLAIMS", "PAPER"]

# Files of claims in the old form; no file is imported before somebody asks for its claim.
CLAIMS = (
)
