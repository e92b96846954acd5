"""Squares of the sorted magnitudes, for claims in the old form."""

from theory.cat.symbols import a
from theory.old_form import Variable

SQUARES = Variable(a, r"\mathbb R_{\ge0}^d", r"$a_j=|g|_{(j)}^2$, squares of the sorted magnitudes", "(d,)")
