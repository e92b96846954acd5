"""Checks of `cat/finding-qsgd-not-monotone`: shares in rationals, and the rule with full codes only."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

from impl.adaptive import cat_qsgd
from impl.communication import Payload
from impl.compressors import StochasticQuantizer
from verify.authoring import checks_of, eq, lt
from verify.authoring.law import Law
from verify.cat.greedy.qsgd_adaptive import full_code_rule
from verify.comparison import Comparison
from verify.expectation.outcome_tree import square

FULL = tuple(2**bits - 1 for bits in range(1, 9))

judge = checks_of(
    "cat/finding-qsgd-not-monotone",
    quantizer=lambda s: StochasticQuantizer(F(1, s)),
    rule=cat_qsgd,
    full_codes=FULL,
    lost=2,
)


judge.sabotage(
    "one-level-more: One level more than is said.",
    {"quantizer": lambda s: StochasticQuantizer(F(1, s + 1))},
    "full-codes-suffice: The rule looks at full codes only.",
    {"rule": lambda g, cost: full_code_rule(g, cost, FULL)},
    "all-codes: All numbers of levels count as full codes.",
    lambda law: law.replace(full_codes=range(1, 256)),
    "loss-of-one-level: Take the loss of one level, 2, for that of the three levels to which full codes "
    "lead. | lost = 1",
)
judge.sabotage_data(
    "scaled-gradient, neutral: Multiply the gradient by -7/3: nothing may change.",
    lambda g: {"g": tuple(F(-7, 3) * item for item in g)},
)


@judge.exact(g=(1, 1, 1, 1))
def four_equal_entries(law: Law, g: Sequence[Any]) -> Iterable[Comparison]:
    """The shares for 1 to 6 levels against the stated ones, and both rules against each other."""
    g = [F(item) for item in g]
    energy = square(g)
    shares = [energy / (energy + law.quantizer(s).variance(g)) for s in range(1, 7)]
    for m in (1, 2, 3):
        odd, even = shares[2 * m - 2], shares[2 * m - 1]
        yield eq("odd number of levels", odd, law.exactly("exact", m=m), headline=True)
        yield eq("even number of levels", even, law.exactly("even"))
        yield eq("loss", even / odd, law.exactly("loss", m=m))
    yield lt("three levels are worse than two", shares[2], shares[1])
    best, full = law.rule(g, Payload()), full_code_rule(g, Payload(), law.full_codes)
    yield eq("levels of the rule", best.size, 2)
    yield eq("levels of a full code", full.size, 3)
    yield eq("loss of full codes", best.efficiency / full.efficiency, law.exactly("loss", m=law.lost))
