"""Checks of `cat/special-cases`: the schemes themselves in rationals against points of the family."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

from impl.adaptive import keep_probabilities
from impl.communication import sign_entries_bits, sparse_bits
from impl.compressors import StochasticQuantizer, TernGrad
from impl.compressors.rounding.block_norms import rational_norm
from impl.errors import ArgumentError
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import GI
from verify.cat.fixtures.probabilities import stated as waterfill
from verify.cat.fixtures.sampled_entries import sampled_entries
from verify.comparison import Comparison
from verify.expectation.outcome_tree import square
from verify.formulas.evaluation import names

INSTANCES: dict[str, dict[str, Any]] = {
    "gi": {"g": GI, "T": (F(1), F(2), F(31, 9), F(5), F(15, 2))},
    "norm-7": {"g": (2, -3, 6), "T": (F(1, 2), F(11, 6), F(2), F(5, 2))},
    "norm-9-zero": {"g": (1, 0, 4, -8), "T": (F(1), F(13, 8), F(5, 2))},
    "equal": {"g": (1, -1, 1, 1), "T": (F(1), F(5, 2))},
}
_ALL = tuple(f"exact/{name}" for name in INSTANCES)
_UNEQUAL = tuple(key for key in _ALL if key != "exact/equal")

judge = checks_of(
    "cat/special-cases",
    tern=TernGrad,
    one_level=lambda: StochasticQuantizer(F(1)),
    probabilities=lambda g, T: list(keep_probabilities(g, T)),
    linear_to=lambda knee: knee,
    short_bits=sign_entries_bits,
)


judge.sabotage(
    "two-norm at exact/norm*: Take QSGD with one level for TernGrad: the 2-norm for the largest magnitude.",
    {"tern": lambda: StochasticQuantizer(F(1))},
    "largest-magnitude at exact/norm*: Take TernGrad for QSGD with one level.",
    {"one_level": TernGrad},
    "equal-survivors-above-the-knee at exact/gi, exact/norm-7, exact/norm-9-zero: Claim one magnitude for "
    "all survivors above T_c, too.",
    {"linear_to": lambda knee: 10 * knee},
    "never-linear at exact/gi, exact/norm-7, exact/norm-9-zero: Claim several magnitudes at every size.",
    {"linear_to": lambda knee: 0 * knee},
)


@judge.mutant(
    "Keep all nonzeros with one probability: the same variance, but more than T entries.", at=_UNEQUAL
)
def equal_probabilities(law: Law) -> Law:
    def rule(g: Sequence[F], T: F) -> list[F]:
        omega = waterfill("exact", g, T)
        return [omega if item else F(0) for item in g]

    return law.replace(probabilities=rule)


judge.sabotage(
    "one-norm-size at exact/norm*: Put the 1-norm for the 2-norm in the size of one level. "
    "| one_level_size = knee",
    "smaller-norm-size at exact/norm*: Put four fifths of the 2-norm in the size of one level: more than "
    "TernGrad sends. | one_level_size = one_level_size * 5/4",
)
judge.sabotage(
    "long-messages: Charge each survivor as a number.",
    short_bits=lambda count, d: 1 + sparse_bits(count, d),
    at=_ALL,
)
judge.sabotage_data(
    "scaled-gradient, neutral: Multiply the gradient by -7/3: nothing may change.",
    lambda g, T: {"g": tuple(F(-7, 3) * item for item in g)},
    at=_ALL,
)


def _stated(law: Law, name: str, g: Sequence[Any], **more: Any) -> Any:
    """Return a formula of the claim at a gradient, exactly."""
    values = {"s": sorted((abs(item) for item in g), reverse=True), "d": len(g), **more}
    known = names(law.formulas[name])
    return law.exactly(name, **{key: item for key, item in values.items() if key in known})


@judge.exact(instances=INSTANCES)
def schemes(law: Law, g: Sequence[Any], T: Sequence[F]) -> Iterable[Comparison]:
    """TernGrad, QSGD with one level, budgets and survivors against the family."""
    g = [F(item) for item in g]
    energy, witness = square(g), {"g": tuple(g)}
    knee, share = _stated(law, "knee", g), _stated(law, "exact", g)
    measured = energy / (energy + law.tern().variance(g))
    yield eq("TernGrad", measured, share, witness=witness, headline=True)
    yield eq("TernGrad on the curve", measured, waterfill("exact", g, knee), witness=witness)
    try:
        norm = rational_norm(g, "cat/special-cases")
    except ArgumentError:
        norm = None
    if norm is not None:
        share = energy / (energy + law.one_level().variance(g))
        size = _stated(law, "one_level_size", g, N=norm)
        yield eq("one level", share, _stated(law, "one_level_share", g, N=norm), witness=witness)
        yield eq("one level on the curve", share, waterfill("exact", g, size), witness=witness)
        yield le("one level below TernGrad", size, knee, witness=witness)
    for size in T:
        yield from _budget(law, g, size)
        yield from _survivors(law, g, size, knee)


def _budget(law: Law, g: Sequence[F], T: F) -> Iterable[Comparison]:
    """The probabilities of the family use up the variance budget and have the least sum, by weak duality."""
    p, witness = law.probabilities(g, T), {"g": tuple(g), "T": T}
    allowed = (1 + _stated(law, "eta", g, omega=waterfill("exact", g, T))) * square(g)
    used = sum(item * item / kept for item, kept in zip(g, p, strict=True) if item)
    yield eq("budget of variance", used, allowed, witness=witness)
    yield eq("least size", least_size(g, p, allowed), sum(p), witness=witness)


def least_size(g: Sequence[F], p: Sequence[F], allowed: F) -> F:
    r"""Return a lower bound of $\sum q$ over all q in (0,1]^d with $\sum_jg_j^2/q_j\le$ `allowed`.

    With the price $c^2$ of variance, c from the open entries of p, entry j costs at least $2c|g_j|$ or, where
    that exceeds its cost at q = 1, $1+c^2g_j^2$.
    """
    c = next(kept / abs(item) for item, kept in zip(g, p, strict=True) if 0 < kept < 1)
    least = [1 + (c * item) ** 2 if c * abs(item) >= 1 else 2 * c * abs(item) for item in g]
    return sum(least, F(0)) - c * c * allowed


def _survivors(law: Law, g: Sequence[F], T: F, knee: F) -> Iterable[Comparison]:
    """The magnitudes that the receiver of a message can see."""
    outcomes = sampled_entries(g, list(keep_probabilities(g, T)))
    magnitudes = {abs(item) for _, vector in outcomes for item in vector if item}
    witness = {"g": tuple(g), "T": T}
    if law.linear_to(knee) < T:
        yield le("magnitudes above the knee", 2, len(magnitudes), witness=witness)
        return
    yield eq("one magnitude", len(magnitudes), 1, witness=witness)
    yield eq("magnitude", min(magnitudes), _stated(law, "survivor", g, T=T), witness=witness)
    for count in (2, len(g)):
        short, long = law.short_bits(count, len(g)), sparse_bits(count, len(g))
        yield le("bits of the short message", short, long, witness=witness)
