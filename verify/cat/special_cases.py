"""Checks of `cat/special-cases`: the schemes themselves in rationals against points of the family."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import theory
from impl.adaptive import keep_probabilities
from impl.communication import sign_entries_bits, sparse_bits
from impl.compressors import StochasticQuantizer, TernGrad
from verify.binding import Check
from verify.cat.fixtures.probabilities import stated as waterfill
from verify.cat.fixtures.sampled_entries import sampled_entries
from verify.cat.golden_vectors import GI
from verify.cat.outcome_tree import square
from verify.comparison import Comparison
from verify.evaluation import evaluate_exact, names
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/special-cases"


@dataclass(frozen=True)
class Instance:
    """A gradient; `sizes` are looked at in (a) and (d)."""

    g: tuple[int, ...]
    sizes: tuple[F, ...]

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters for the record."""
        return {"g": self.g, "T": self.sizes}


INSTANCES = {
    "gi": Instance(GI, (F(1), F(2), F(31, 9), F(5), F(15, 2))),
    "norm-7": Instance((2, -3, 6), (F(1, 2), F(11, 6), F(2), F(5, 2))),
    "norm-9-zero": Instance((1, 0, 4, -8), (F(1), F(13, 8), F(5, 2))),
    "equal": Instance((1, -1, 1, 1), (F(1), F(5, 2))),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.5),
        *(_exact(name, instance) for name, instance in INSTANCES.items()),
    )


def _exact(name: str, instance: Instance) -> Check:
    def case(scale: F = F(1), believed: str = "") -> ExactCase:
        g = [scale * item for item in instance.g]
        return ExactCase(partial(compare, g, instance, believed=believed))

    mutants = {"scaled-gradient": case(F(-7, 3)), "one-minus-share": case(believed="one-minus-share")}
    if name.startswith("norm"):  # rational norms above the largest magnitude
        wrong_norms = ("two-norm", "one-norm", "one-norm-size")
        mutants |= {fault: case(believed=fault) for fault in wrong_norms}
    if name != "equal":  # where nothing is sure below the number of entries, and all chances are equal
        wrong_chances = ("equal-survivors-above-the-knee", "equal-chances")
        mutants |= {fault: case(believed=fault) for fault in wrong_chances}
    return Check("exact", name, case(), instance.parameters, mutants, seconds=0.2)


def stated(name: str, g: Sequence[Any], **more: Any) -> Any:
    """Return a formula of the claim, exactly."""
    formula = theory.claim(ID).expressions[name]
    values = {"s": sorted((abs(item) for item in g), reverse=True), "d": len(g), **more}
    found = evaluate_exact(formula, {key: values[key] for key in names(formula)})
    return F(int(found.p), int(found.q))


def rational_norm(g: Sequence[F]) -> F | None:
    """Return the Euclidean norm where it is rational, else None."""
    energy = square(g)
    root = F(math.isqrt(energy.numerator), math.isqrt(energy.denominator))
    return root if root * root == energy else None


def compare(g: Sequence[F], instance: Instance, *, believed: str = "") -> Iterable[Comparison]:
    """Hold TernGrad, QSGD with one level, budgets and survivors against the family, or one mutant of it."""
    energy, witness = square(g), instance.parameters
    knee, norm = stated("knee", g), rational_norm(g)
    tern_grad = energy / (energy + TernGrad().variance(list(g)))
    claimed = stated("exact", g)
    if believed == "two-norm" and norm is not None:
        claimed = energy / (one_norm(g) * norm)
    yield Comparison("TernGrad", "eq", tern_grad, claimed, witness=witness, headline=True)
    yield Comparison("TernGrad on the curve", "eq", tern_grad, waterfill("exact", g, knee), witness=witness)
    if norm is not None:
        yield from _compare_one_level(g, norm, knee, witness, believed)
    for T in instance.sizes:
        yield from _compare_budget(g, T, believed)
        if believed == "equal-survivors-above-the-knee" or knee >= T:
            yield from _compare_survivors(g, T)
        else:
            yield Comparison("magnitudes above the knee", "le", 2, len(_magnitudes(g, T)), witness=witness)


def one_norm(g: Sequence[F]) -> F:
    """Return the sum of the magnitudes."""
    return sum((abs(item) for item in g), F(0))


def _compare_one_level(g: Sequence[F], norm: F, knee: F, witness: Any, believed: str) -> Iterable[Comparison]:
    share = square(g) / (square(g) + StochasticQuantizer(F(1)).variance(list(g)))
    size = stated("one_level_size", g, N=one_norm(g) if believed == "one-norm-size" else norm)
    claimed = stated("one_level_share", g, N=one_norm(g) if believed == "one-norm" else norm)
    yield Comparison("one level", "eq", share, claimed, witness=witness)
    yield Comparison("one level on the curve", "eq", share, waterfill("exact", g, size), witness=witness)
    yield Comparison("one level below TernGrad", "le", size, knee, witness=witness)


def _compare_budget(g: Sequence[F], T: F, believed: str) -> Iterable[Comparison]:
    """The chances of the family use up the variance budget and have the least sum, by weak duality."""
    p, witness = list(keep_probabilities(list(g), T)), {"g": tuple(g), "T": T}
    omega = waterfill("exact", g, T)
    eta = 1 - omega if believed == "one-minus-share" else stated("eta", g, omega=omega)
    if believed == "equal-chances":
        p = [omega if item else F(0) for item in g]
    allowed = (1 + eta) * square(g)
    used = sum(item * item / chance for item, chance in zip(g, p, strict=True) if item)
    yield Comparison("budget of variance", "eq", used, allowed, witness=witness)
    yield Comparison("least size", "eq", least_size(g, p, allowed), sum(p), witness=witness)


def least_size(g: Sequence[F], p: Sequence[F], allowed: F) -> F:
    r"""Return a lower bound of $\sum q$ over all q in (0,1]^d with $\sum_jg_j^2/q_j\le$ `allowed`.

    With the price $c^2$ of variance, c from the open entries of p, entry j costs at least $2c|g_j|$ or, where
    that exceeds its cost at q = 1, $1+c^2g_j^2$.
    """
    c = next(chance / abs(item) for item, chance in zip(g, p, strict=True) if 0 < chance < 1)
    least = [1 + (c * item) ** 2 if c * abs(item) >= 1 else 2 * c * abs(item) for item in g]
    return sum(least, F(0)) - c * c * allowed


def _magnitudes(g: Sequence[F], T: F) -> set[F]:
    """Return the magnitudes that the receiver of a message can see."""
    law = sampled_entries(g, list(keep_probabilities(list(g), T)))
    return {abs(item) for _, vector in law for item in vector if item}


def _compare_survivors(g: Sequence[F], T: F) -> Iterable[Comparison]:
    witness, magnitudes = {"g": tuple(g), "T": T}, _magnitudes(g, T)
    yield Comparison("one magnitude", "eq", len(magnitudes), 1, witness=witness)
    yield Comparison("magnitude", "eq", min(magnitudes), stated("survivor", g, T=T), witness=witness)
    for count in (2, len(g)):
        short, long = sign_entries_bits(count, len(g)), sparse_bits(count, len(g))
        yield Comparison("bits of the short message", "le", short, long, witness=witness)
