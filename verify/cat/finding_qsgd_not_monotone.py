"""Checks of `cat/finding-qsgd-not-monotone`: shares in rationals, and the rule with full codes only."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from functools import partial
from typing import Any

import theory
from impl.adaptive import cat_qsgd
from impl.communication import Payload, levels_bits
from impl.compressors import StochasticQuantizer
from verify.binding import Check
from verify.cat.outcome_tree import square
from verify.comparison import Comparison
from verify.evaluation import evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "cat/finding-qsgd-not-monotone"
EQUAL = (1, 1, 1, 1)


def checks() -> tuple[Check, ...]:
    """Return the checks of the finding."""
    claim = theory.claim(ID)

    def case(scale: F = F(1), believed: str = "") -> ExactCase:
        return ExactCase(partial(compare, [scale * item for item in EQUAL], believed))

    mutants = {
        "monotone": case(believed="monotone"),
        "full-codes-suffice": case(believed="full-codes-suffice"),
        "loss-of-one-level": case(believed="loss-of-one-level"),
        "scaled-gradient": case(F(-7, 3)),
    }
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        Check("exact", "four-equal-entries", case(), {"g": EQUAL}, mutants, seconds=0.1),
    )


def measured(g: Sequence[F], s: int) -> F:
    """Return the share of the compressor with s levels, exactly; the norm must be rational."""
    energy = square(g)
    found: F = energy / (energy + StochasticQuantizer(F(1, s)).variance(list(g)))
    return found


def best_full_code(g: Sequence[F], cost: Any, longest: int = 8) -> tuple[int, F]:
    """Return the best number of levels of the form 2^m - 1 and its efficiency."""
    choices = [2**bits - 1 for bits in range(1, longest + 1)]
    size = max(choices, key=lambda s: measured(g, s) / cost(levels_bits(s, len(g))))
    return size, measured(g, size) / cost(levels_bits(size, len(g)))


def compare(g: Sequence[F], believed: str = "") -> Iterable[Comparison]:
    """Hold the shares for 1 to 6 levels against the stated ones, and both rules against each other."""
    formulas = theory.claim(ID).expressions
    shares = [measured(g, s) for s in range(1, 7)]
    for m in (1, 2, 3):
        odd, loss = (evaluate_exact(formulas[name], {"m": m}) for name in ("exact", "loss"))
        yield Comparison(f"{2 * m - 1} levels", "eq", shares[2 * m - 2], odd, headline=True)
        yield Comparison(f"{2 * m} levels", "eq", shares[2 * m - 1], evaluate_exact(formulas["even"], {}))
        yield Comparison("loss", "eq", shares[2 * m - 1] / shares[2 * m - 2], loss)
    yield Comparison("three levels are worse than two", "le", shares[2], shares[1] * F(9, 10))
    if believed == "monotone":
        for s in range(1, 6):
            yield Comparison(f"{s + 1} levels are no worse than {s}", "le", shares[s - 1], shares[s])
    best, (size, efficiency) = cat_qsgd(list(g), Payload()), best_full_code(g, Payload())
    yield Comparison("levels of the rule", "eq", best.size, 2)
    yield Comparison("levels of a full code", "eq", size, 3)
    if believed == "full-codes-suffice":
        yield Comparison("full codes suffice", "le", best.efficiency, efficiency)
    lost = evaluate_exact(formulas["loss"], {"m": 1 if believed == "loss-of-one-level" else 2})
    yield Comparison("loss of full codes", "eq", best.efficiency / efficiency, lost)
