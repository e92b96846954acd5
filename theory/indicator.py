"""How texts write whether two numbers are equal: 1 if they are, else 0."""

from sympy import KroneckerDelta

from theory.claim import Variable

INDICATOR = Variable(KroneckerDelta, r"\mathbb I", "", "1 of equal numbers, else 0")
