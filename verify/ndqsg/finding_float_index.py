"""Checks of `ndqsg/finding-float-index`: all 2^24 dithers at the largest entry, in single precision."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

import theory
from verify.binding import Check
from verify.comparison import Comparison, rational
from verify.evaluation import evaluate_exact
from verify.ndqsg.fixtures.dithers import BITS, grid_chunks
from verify.ndqsg.float_overload import Index, honest, single_precision
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/finding-float-index"


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        _all_dithers("three-levels", (3,), profile="quick"),
        _all_dithers("levels", (1, 3, 7, 127), profile="full"),
        Check("exact", "half-ulp", ExactCase(compare_ulps), {"M": "1..300"}, seconds=0.1),
    )


def stated(name: str, levels: int) -> Any:
    """Return a formula of the claim at a number of levels, exactly."""
    return rational(evaluate_exact(theory.claim(ID).expressions[name], {"a": levels.bit_length() - 1}))


def clipped(x: Any, levels: int, u: Any) -> Any:
    """Single precision with a clip."""
    return np.clip(single_precision(x, levels, u), -levels, levels)


def half_to_even(x: Any, levels: int, u: Any) -> Any:
    """Single precision, the sum rounded to the nearest integer, ties to even; the levels here are odd."""
    f = np.float32
    return np.rint(f(levels) * x.astype(f) + u.astype(f)).astype(np.int64)


def overloads(rule: Index, levels: int) -> int:
    """Return for how many of all dithers the index of x = 1 exceeds the levels."""
    x = np.array([1.0])
    return sum(int(np.count_nonzero(rule(x, levels, u[:, None]) > levels)) for u in grid_chunks())


def compare(rule: Index, all_levels: tuple[int, ...]) -> Iterable[Comparison]:
    """Count the overloads."""
    for levels in all_levels:
        found, witness = overloads(rule, levels), {"M": levels, "x": 1}
        count = stated("exact", levels)
        yield Comparison("overloads", "eq", found, count, witness=witness, headline=True)
        fraction = stated("fraction", levels)
        yield Comparison("fraction", "eq", count * rational(1) / 2**BITS, fraction, witness=witness)


def compare_ulps() -> Iterable[Comparison]:
    """The stated half unit in the last place of M, in the format itself."""
    for levels in range(1, 301):
        half = float(np.spacing(np.float32(levels))) / 2
        yield Comparison("half ulp", "eq", half, float(stated("half_ulp", levels)), witness={"M": levels})


def _all_dithers(name: str, levels: tuple[int, ...], **more: Any) -> Check:
    rules: Mapping[str, Callable[[Any, int, Any], Any]] = {
        "float64": honest,
        "clipped": clipped,
        "half-to-even": half_to_even,
    }
    mutants = {key: ExactCase(partial(compare, rule, levels)) for key, rule in rules.items()}
    base = ExactCase(partial(compare, single_precision, levels))
    return Check("exact", name, base, {"M": levels, "dithers": 2**BITS}, mutants, seconds=1.0, **more)
