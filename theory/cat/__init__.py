"""Claims of "A Flexible Framework for Communication-Efficient Machine Learning: from HPC to IoT" (arXiv
2003.06377), in the order of the specification.
"""

from theory.cat.paper import PAPER

__all__ = ["CLAIMS", "PAPER"]

# Files of claims in the old form; no file is imported before somebody asks for its claim.
CLAIMS = ()
