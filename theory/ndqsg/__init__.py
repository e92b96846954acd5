"""Claims of "Nested Dithered Quantization for Communication Reduction in Distributed Training" (arXiv
1904.01197), in the order of the specification.
"""

from theory.ndqsg.paper import PAPER

__all__ = ["CLAIMS", "PAPER"]

# Files of claims in the old form; no file is imported before somebody asks for its claim.
CLAIMS = ()
