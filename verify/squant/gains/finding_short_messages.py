"""Checks of `squant/finding-short-messages`: nonzeros counted exactly, lengths in growth, measured runs."""

from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import StochasticQuantizer
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.experiments.squant.gain_runs import LONG, PAIR, REPLICATES, SHORT, cost_case, ratio_exponent
from verify.experiments.squant.run_costs import ACCURACY
from verify.rungs.costs import CostCase
from verify.squant.fixtures.families import family
from verify.squant.fixtures.family_constants import formula_at
from verify.squant.fixtures.literal_length import literal_bound

judge = checks_of(
    "squant/finding-short-messages",
    quantizer=StochasticQuantizer,
    worst_case=literal_bound,
    bits_grow=None,
    accuracy=ACCURACY,
)

_INSTANCES = {
    "flat": ((1,) * 4 + (0,) * 5, 3, 4),
    "two-coordinates": ((3, 4) + (0,) * 7, 3, 2),
    "small-budget": ((1, 2, 2) + (0,) * 6, 2, 3),
}


judge.sabotage_data(
    "spread-input: Spread the input over all coordinates: far more nonzeros.",
    lambda x, **_: {"x": (1,) * len(x)},
    "moved-support, neutral: Move the nonzero coordinates elsewhere: nothing may change.",
    lambda x, **_: {"x": x[::-1]},
    at=tuple(f"exact/{name}" for name in _INSTANCES),
)


class _RoundedUp(StochasticQuantizer):
    """A quantizer that sends a one more often than its level says."""

    def outcomes(self, x: Any) -> Any:
        for chance, draws in super().outcomes(x):
            yield chance * 2, draws


judge.sabotage(
    "twice-the-probability at exact/flat: Twice the probability of each message.",
    {"quantizer": _RoundedUp},
    "level-lengths at exact/contents: Charge real messages like the worst case: nothing grows.",
    {"worst_case": lambda beta, d, blocks: 32 + (literal_bound(beta, d, blocks) - 32) / beta**0.6},
    "steep-lengths at exact/contents: Charge the worst case more in large dimensions.",
    {"worst_case": lambda beta, d, blocks: 32 + (literal_bound(beta, d, blocks) - 32) * beta**0.5},
    "bits-like-rounds at run/H-to-n8: Claim that the bits saved in family H grow like the rounds saved, in "
    "proportion to $n$. | bits_grow = (1.0, 0.05, 'at_least'), accuracy = 0.0001",
)


@judge.exact(
    instances={
        name: {"x": x, "step": F(round(len(x) ** 0.5), beta), "support": support}
        for name, (x, beta, support) in _INSTANCES.items()
    }
)
def counted(law: Law, x: Any, step: F, support: int) -> Comparisons:
    """Mean number of nonzeros over all messages against the stated value."""
    quantizer, entries, mean = law.quantizer(step), [F(item) for item in x], F(0)
    for chance, draws in quantizer.outcomes(entries):
        mean += chance * int(np.count_nonzero(quantizer.message(x, draws).symbols))
    beta = round(len(x) ** 0.5) / step
    stated = law("bound", beta=beta, support=support, d=len(x))
    yield le("expected nonzeros", float(mean), stated, ROUND_OFF, headline=True)
    if set(x) == {0, 1}:
        yield eq("attained by a flat input", float(mean), stated, ROUND_OFF)


@judge.exact(sizes=(2, 3, 4, 16, 64), parameters={"n": [2, 3, 4, 16, 64], "q": 8})
def contents(law: Law, sizes: Any) -> Comparisons:
    """Worst-case content, the expected one of an unaware message on one of n blocks, and their ratio."""
    for n in sizes:
        d, beta = 8 * n * n, 8 * n
        stated = partial(formula_at, law, family=family("H", n), beta=beta)
        x = np.repeat([1.0, 0.0], [d // n, d - d // n])
        quantizer = StochasticQuantizer(d**0.5 / beta, norm_bits=32)
        worst, real = law.worst_case(beta, d, 1) - 32, float(quantizer.expected_bits(x)) - 32
        for prefix, label, value in (
            ("worst_", "contents", worst),
            ("real_", "contents", real),
            ("", "ratio of contents", worst / real),
        ):
            yield le(label, stated(f"{prefix}least"), value, ROUND_OFF, witness={"n": n})
            yield le(label, value, stated(f"{prefix}most"), ROUND_OFF, witness={"n": n})


def _runs(law: Law, sizes: Any) -> CostCase:
    values = theory.claim(law.claim_id).values
    rounds_least, bits_most = map(float, values["short"])
    within, root = float(values["within"]), float(values["root"])
    if sizes == SHORT:
        grow = law.bits_grow or (bits_most, 0.0, "at_most")
        claims = (
            ratio_exponent("rounds", SHORT, PAIR, rounds_least, 0.0, "at_least"),
            ratio_exponent("bits", SHORT, PAIR, *grow),
        )
    else:
        claims = (
            ratio_exponent("rounds", LONG, PAIR, 1.0, within),
            ratio_exponent("bits", LONG, PAIR, root, within),
        )
    return cost_case(partial(family, "H"), sizes, claims, PAIR, law.accuracy)


for _sizes, _profile in ((SHORT, "quick"), (LONG, "full")):
    judge.costs(
        instance=f"H-to-n{_sizes[-1]}",
        label="rounds and bits",
        profile=_profile,
        parameters={"family": "H", "n": list(_sizes), "q": 8, "replicates": REPLICATES},
        sizes=_sizes,
    )(_runs)
