"""Symbols of the exact overload oracle: boundaries of cells and the moments of the number of cells passed."""

from sympy import IndexedBase, Symbol

l = Symbol("l", integer=True, positive=True)
cells = Symbol("cells", integer=True, positive=True)
spread = Symbol("spread", positive=True)
squares = Symbol("squares", nonnegative=True)
cross = Symbol("cross", real=True)
pull = Symbol("pull", real=True)
tails = IndexedBase("tails", real=True)
error_parts = IndexedBase("error_parts", real=True)
innovation_parts = IndexedBase("innovation_parts", real=True)
