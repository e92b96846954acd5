"""Checks of `cq_marina/finding-quarter-constant`: the constants in use against exact errors."""

from collections.abc import Iterable
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.compressors import CorrelatedQuantizer, Independent, IndependentQuantizer, RandK
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison
from verify.cq_marina.grid_inputs import INPUTS, Rows
from verify.cq_marina.joint_enumeration import enumerate_joint, mean_squares
from verify.evaluation import evaluate, evaluate_exact, names
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase

# Rational norms, so that everything is rational; the first is one client in two dimensions.
PYTHAGOREAN: dict[str, Rows] = {
    "one-client": ((F(3), F(4)),),
    "two-clients": ((F(3), F(4)), (F(12), F(-5))),
    "three-dimensions": ((F(1), F(2), F(2)), (F(2), F(-3), F(6))),
}
# Equal inputs of an even number of clients with odd multiples of r/n: the correlated bits do their worst.
EQUAL = {
    "golden": (4, (F(3), *(F(1),) * 7)),
    "two-clients": (2, (F(1),) * 4),
    "six-clients": (6, (F(5), F(3), F(1), F(1))),
}


def stated(name: str, n: int, d: int, **more: Any) -> Any:
    """Return a formula of the claim, exactly where it is rational."""
    formula = theory.claim("cq_marina/finding-quarter-constant").expressions[name]
    values = {"n": n, "d": d, **more}
    return evaluate_exact(formula, {key: values[key] for key in names(formula)})


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("cq_marina/finding-quarter-constant")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        *(_independent(name, rows) for name, rows in PYTHAGOREAN.items()),
        *(_equal(name, clients, x) for name, (clients, x) in EQUAL.items()),
        *(_grid(name, rows) for name, rows in INPUTS.items()),
        Check("exact", "messages", ExactCase(compare_messages), {"d": [1, 8, 33]}, seconds=0.1),
        _searched(),
    )


def _scaled(rows: Rows) -> Rows:
    return tuple(tuple(F(7, 3) * item for item in row) for row in rows)


# ---------------------------------------------------------------- independent bits, all outcomes


def _independent(name: str, rows: Rows) -> Check:
    def case(chosen: Rows, *, believed: bool = False, doubted: bool = False) -> ExactCase:
        return ExactCase(lambda: compare_independent(chosen, believed=believed, doubted=doubted))

    mutants = {
        "quarter-for-one-bit": case(rows, believed=True),
        "ternary-is-wrong-too": case(rows, doubted=True),
        "scaled-inputs": case(_scaled(rows)),
    }
    return Check("exact", f"independent-{name}", case(rows), {"a": rows}, mutants, seconds=0.1)


def compare_independent(rows: Rows, *, believed: bool = False, doubted: bool = False) -> Iterable[Comparison]:
    """One-bit quantizers exceed the constant by the stated factor, ternary ones keep it."""
    n, d, witness = len(rows), len(rows[0]), {"a": rows}
    M, _ = mean_squares(rows)
    claimed = stated("bound", n, d)
    binary = enumerate_joint(IndependentQuantizer("binary"), rows).error / M
    ternary = enumerate_joint(IndependentQuantizer("ternary"), rows).error / M
    yield Comparison("one bit, exact constant", "eq", binary, stated("exact", n, d), witness=witness)
    yield Comparison("factor", "eq", binary, stated("ratio_iq", n, d) * claimed, witness=witness)
    if believed:
        yield Comparison("one bit keeps the constant in use", "le", binary, claimed, witness=witness)
    else:
        yield Comparison("one bit exceeds the constant in use", "le", claimed, binary, witness=witness)
    if doubted:
        yield Comparison("ternary exceeds the constant in use", "le", claimed, ternary, witness=witness)
    else:
        yield Comparison(
            "ternary keeps the constant in use", "le", ternary, claimed, witness=witness, headline=True
        )


# ---------------------------------------------------------------- correlated bits of equal inputs


def _equal(name: str, clients: int, x: tuple[F, ...]) -> Check:
    def case(scale: F = F(1), *, believed: bool = False, doubted: bool = False) -> ExactCase:
        rows = tuple(tuple(scale * item for item in x) for _ in range(clients))
        return ExactCase(lambda: compare_equal(rows, believed=believed, doubted=doubted))

    mutants = {
        "quarter-for-correlated-bits": case(believed=True),
        "ternary-is-wrong-too": case(doubted=True),
        "scaled-inputs": case(F(7, 3)),
    }
    return Check("exact", f"correlated-{name}", case(), {"n": clients, "x": x}, mutants, seconds=0.1)


def compare_equal(rows: Rows, *, believed: bool = False, doubted: bool = False) -> Iterable[Comparison]:
    """Correlated bits take four times the constant in use, the ternary grid keeps it."""
    n, d, witness = len(rows), len(rows[0]), {"a": rows}
    M, _ = mean_squares(rows)
    claimed, x = stated("claimed_cq", n, d), [list(row) for row in rows]
    binary, ternary = (CorrelatedQuantizer(grid).variance(x) / M for grid in ("binary", "ternary"))
    yield Comparison("sharp constant", "eq", binary, stated("equal_cq", n, d), witness=witness)
    yield Comparison("factor", "eq", binary, stated("ratio_cq", n, d) * claimed, witness=witness)
    if believed:
        yield Comparison("correlated bits keep the constant in use", "le", binary, claimed, witness=witness)
    if doubted:
        yield Comparison("ternary exceeds the constant in use", "le", claimed, ternary, witness=witness)
    else:
        yield Comparison(
            "ternary keeps the constant in use", "le", ternary, claimed, witness=witness, headline=True
        )


# ---------------------------------------------------------------- RandK, messages, the worst input


def _grid(name: str, rows: Rows) -> Check:
    def case(chosen: Rows, believed: bool = False) -> ExactCase:
        return ExactCase(lambda: compare_grid(chosen, believed=believed))

    mutants = {"rand-k-is-sharp": case(rows, True), "scaled-inputs": case(_scaled(rows))}
    return Check("exact", f"inputs-{name}", case(rows), {"a": rows}, mutants, seconds=0.1)


def compare_grid(rows: Rows, *, believed: bool = False) -> Iterable[Comparison]:
    """RandK with one and two coordinates, in rationals; one bit at irrational norms."""
    n, d, witness = len(rows), len(rows[0]), {"a": rows}
    M, _ = mean_squares(rows)
    x = [list(row) for row in rows]
    for k in (1, 2):
        error = Independent(RandK(k)).variance(x) / M
        claimed = stated("rand_k_claimed", n, d, K=k)
        used = claimed if believed else stated("rand_k", n, d, K=k)
        yield Comparison(f"constant of RandK({k})", "eq", error, used, witness=witness)
        yield Comparison(f"constant in use for RandK({k})", "le", error, claimed, witness=witness)
    floats = np.array(rows, dtype=float)
    error = IndependentQuantizer("binary").variance(floats) / float(M)
    yield Comparison("one bit, exact constant", "eq", error, stated("exact", n, d), ROUND_OFF, witness)
    error = IndependentQuantizer("ternary").variance(floats) / float(M)
    sharp = evaluate(
        theory.claim("cq_marina/finding-quarter-constant").formulas["ternary_iq"], {"n": n, "d": d}
    )
    yield Comparison("ternary, sharp constant", "le", error, sharp, ROUND_OFF, witness)
    yield Comparison(
        "sharp below the one in use", "le", sharp, float(stated("bound", n, d)), ROUND_OFF, witness
    )


def compare_messages() -> Iterable[Comparison]:
    """The messages of both grids with norms of 32 bits."""
    for d in (1, 8, 33):
        x = np.ones((2, d))
        for grid in ("binary", "ternary"):
            quantizer = CorrelatedQuantizer(grid, norm_bits=32)
            (bits, _) = quantizer.expected_bits(x)
            yield Comparison(f"{grid} bits", "eq", int(bits), stated(f"{grid}_bits", 2, d), witness={"d": d})


def _searched() -> Check:
    """Search for the equal inputs of two clients with the largest error."""
    n, d = 2, 4

    def case(name: str) -> AdversarialCase:
        quantizer, constant = CorrelatedQuantizer("binary"), float(stated(name, n, d))

        def value(inputs: Any) -> Any:
            return quantizer.variance(np.broadcast_to(inputs[..., None, :], (*inputs.shape[:-1], n, d)))

        return AdversarialCase(
            value,
            lambda inputs: constant * (inputs**2).sum(axis=-1),
            d,
            starts=((1.0,) * d, (1.0, *(0.0,) * (d - 1))),
            budget=500,
        )

    mutants = {"quarter-for-correlated-bits": Lazy(lambda: case("claimed_cq"))}
    return Check(
        "adversarial", "two-clients", Lazy(lambda: case("equal_cq")), {"n": n, "d": d}, mutants, seconds=0.2
    )
