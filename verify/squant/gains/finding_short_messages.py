"""Checks of `squant/finding-short-messages`: nonzeros counted exactly, lengths in growth, measured runs."""

from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

from impl.compressors import StochasticQuantizer
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.experiments.squant.gain_runs import LONG, PAIR, REPLICATES, SHORT, cost_case, ratio_exponent
from verify.rungs.costs import CostCase
from verify.squant.fixtures.exponents import compare_exponent, window
from verify.squant.fixtures.families import family
from verify.squant.fixtures.family_constants import formula_at
from verify.squant.fixtures.literal_length import literal_bound

judge = checks_of(
    "squant/finding-short-messages",
    quantizer=StochasticQuantizer,
    worst_case=literal_bound,
    bits_grow=(0.75, 0.0, "at_most"),
)

# Range of exponents.
LENGTHS = (0.35, 0.65)
_INSTANCES = {
    "flat": ((1,) * 4 + (0,) * 5, 3, 4),
    "two-coordinates": ((3, 4) + (0,) * 7, 3, 2),
    "small-budget": ((1, 2, 2) + (0,) * 6, 2, 3),
}


judge.sabotage_data(
    "spread-input: Spread the input over all coordinates: far more nonzeros.",
    lambda x, **_: {"x": (1,) * len(x)},
    at=tuple(f"exact/{name}" for name in _INSTANCES),
)
judge.sabotage_data(
    "moved-support: Move the nonzero coordinates elsewhere: nothing may change.",
    lambda x, **_: {"x": x[::-1]},
    at=tuple(f"exact/{name}" for name in _INSTANCES),
    neutral=True,
)


class _RoundedUp(StochasticQuantizer):
    """A quantizer that sends a one more often than its level says."""

    def outcomes(self, x: Any) -> Any:
        for chance, draws in super().outcomes(x):
            yield chance * 2, draws


judge.sabotage(
    "twice-the-probability at exact/flat: Twice the probability of each message.", quantizer=_RoundedUp
)
judge.sabotage(
    "level-lengths at exact/lengths, exact/contents: Charge real messages like the worst case: nothing "
    "grows.",
    worst_case=lambda beta, d, blocks: 32 + (literal_bound(beta, d, blocks) - 32) / beta**0.6,
)
judge.sabotage(
    "steep-lengths at exact/lengths, exact/contents: Charge the worst case more in large dimensions.",
    worst_case=lambda beta, d, blocks: 32 + (literal_bound(beta, d, blocks) - 32) * beta**0.5,
)
judge.sabotage(
    "bits-like-rounds at run/H-to-n8: Claim that the bits saved in family H grow like the rounds saved, in "
    "proportion to $n$.",
    lambda law: law.replace(bits_grow=(1.0, 0.05, "at_least")),
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


def _contents(law: Law, n: int) -> tuple[float, float]:
    """Return the worst-case content and the expected one of an unaware message on one of n blocks."""
    d = 8 * n * n
    x = np.zeros(d)
    x[: d // n] = 1.0
    quantizer = StochasticQuantizer(law("step", d=d, beta=d / n), norm_bits=32)
    return law.worst_case(d / n, d, 1) - 32, float(quantizer.expected_bits(x)) - 32


@judge.exact(instance="lengths", parameters={"n": [4, 16, 64], "q": 8}, sizes=(4, 16, 64))
def lengths(law: Law, sizes: Any) -> Comparisons:
    """Expected content of an unaware message on one block against the worst case, as n grows."""
    ratios = [worst / real for worst, real in (_contents(law, n) for n in sizes)]
    # 1/2 but for the gap codes, whose logarithms fall from n = 4 to 64 at different rates.
    low, high = LENGTHS
    yield from compare_exponent("of worst-case over real content", sizes, ratios, at_least=low, at_most=high)


@judge.exact(sizes=(2, 3, 4, 16, 64), parameters={"n": [2, 3, 4, 16, 64], "q": 8})
def contents(law: Law, sizes: Any) -> Comparisons:
    """Both contents and their ratio between their bounds."""
    for n in sizes:
        stated = partial(formula_at, law, family=family("H", n), beta=8 * n)
        worst, real = _contents(law, n)
        for prefix, label, value in (
            ("worst_", "contents", worst),
            ("real_", "contents", real),
            ("", "ratio of contents", worst / real),
        ):
            yield le(label, stated(f"{prefix}least"), value, ROUND_OFF, witness={"n": n})
            yield le(label, value, stated(f"{prefix}most"), ROUND_OFF, witness={"n": n})


def _runs(law: Law, sizes: Any) -> CostCase:
    rounds_least, bits_most = window(law.claim_id, "short")
    if sizes == SHORT:
        grow = (bits_most, *law.bits_grow[1:]) if law.bits_grow[2] == "at_most" else law.bits_grow
        claims = (
            ratio_exponent("rounds", SHORT, PAIR, rounds_least, 0.0, "at_least"),
            ratio_exponent("bits", SHORT, PAIR, *grow),
        )
    else:
        claims = (
            ratio_exponent("rounds", LONG, PAIR, 1.0, 0.15),
            ratio_exponent("bits", LONG, PAIR, 0.5, 0.15),
        )
    return cost_case(partial(family, "H"), sizes, claims, PAIR)


for _sizes, _profile in ((SHORT, "quick"), (LONG, "full")):
    judge.costs(
        instance=f"H-to-n{_sizes[-1]}",
        label="rounds and bits",
        profile=_profile,
        parameters={"family": "H", "n": list(_sizes), "q": 8, "replicates": REPLICATES},
        sizes=_sizes,
    )(_runs)
