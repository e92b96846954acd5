"""What claims in the old form take from `cq_marina/comm-ratio`, with symbols of theirs."""

from sympy import Symbol, sqrt

from theory.cq_marina.symbols import p
from theory.old_form import Variable

noise = Symbol("A", nonnegative=True)
message = Symbol("c", positive=True)
MESSAGE = Variable(message, r"(0,1]", "bits of a compressed message over those of an uncompressed one")
formulas = {
    "cost": (p + (1 - p) * message) * (1 + sqrt((1 - p) / p) * sqrt(noise)),
    "threshold": (1 - message) ** 2 / (4 * message),
}
