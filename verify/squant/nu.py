"""Checks of `squant/nu`: the constants of random matrices and of the families within their ranges."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import theory
from verify.binding import Check
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate
from verify.rungs.exact import ExactCase
from verify.rungs.symbolic import SymbolicCase
from verify.squant.fixtures.families import diagonals

SIZES = (4, 16)


@dataclass(frozen=True)
class Nodes:
    """Smoothness matrices (n, d, d), or diagonals (n, d), with a number of equal blocks."""

    matrices: Any
    B: int

    @property
    def n(self) -> int:
        """Return the number of nodes."""
        return len(self.matrices)

    @property
    def diagonal(self) -> Any:
        """Return the diagonals (n, d)."""
        return self.matrices if self.matrices.ndim == 2 else np.einsum("ijj->ij", self.matrices)

    @property
    def eigenvalues(self) -> list[float]:
        """Return the largest eigenvalue of each node."""
        return [_largest(matrix) for matrix in self.matrices]

    @property
    def L(self) -> float:
        """Return the largest eigenvalue of the mean."""
        return _largest(self.matrices.mean(axis=0))

    @property
    def blocks(self) -> Any:
        """Return the diagonals by block, (n, B, d / B)."""
        return self.diagonal.reshape(self.n, self.B, -1)

    def reversed(self) -> "Nodes":
        """Return the nodes in reverse order."""
        return Nodes(self.matrices[::-1], self.B)


def _largest(matrix: Any) -> float:
    return float(matrix.max() if matrix.ndim == 1 else np.linalg.eigvalsh(matrix)[-1])


def _random(dense: bool) -> list[Nodes]:
    """Return nodes of many shapes: ranks, scales and spectra of several sizes, some of rank one."""
    rng = np.random.Generator(np.random.Philox(20240601))
    found = []
    for _ in range(30):
        n, B, length = int(rng.integers(1, 7)), int(rng.integers(1, 5)), int(rng.integers(1, 5))
        d = B * length
        scale = np.exp(rng.normal(0, 2, size=(n, 1)))
        if dense:
            factors = rng.standard_normal((n, d, int(rng.integers(1, d + 1)))) * scale[..., None]
            found.append(Nodes(factors @ factors.swapaxes(1, 2), B))
        else:
            found.append(Nodes(np.exp(rng.normal(0, 2, size=(n, d))) * scale, B))
    return found


def _family_sizes(name: str) -> list[Nodes]:
    found = (diagonals(name, n, q=1) for n in SIZES)
    return [Nodes(dense, len(lengths)) for dense, lengths in found]


def _rank_one() -> Nodes:
    """Return nodes v v^T with one common v: L_i = L, and the largest entries are far below it."""
    v = np.ones(12)
    return Nodes(np.array([np.outer(v, v)] * 3), 4)


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim("squant/nu")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.2),
        _exact("random-dense", lambda: _random(dense=True), {"sets": 30, "matrices": "dense, of any rank"}),
        _exact("random-diagonal", lambda: _random(dense=False), {"sets": 30, "matrices": "diagonal"}),
        _exact("rank-one", lambda: [_rank_one()], {"n": 3, "d": 12, "matrices": "ones"}),
        *(
            _exact(name, partial(_family_sizes, name), {"family": name, "n": SIZES, "q": 1})
            for name in ("V", "H", "hom", "W")
        ),
    )


def _exact(name: str, make: Callable[[], list[Nodes]], parameters: dict[str, Any]) -> Check:
    def case(**changes: bool) -> ExactCase:
        return ExactCase(lambda: (item for nodes in make() for item in compare(nodes, **changes)))

    mutants = {"permuted-nodes": case(reverse=True)}
    if name in ("V", "random-diagonal"):
        mutants["largest-for-mean"] = case(largest_for_mean=True)
    if name in ("H", "hom"):
        mutants["rho-nu-over-n"] = case(nu_over_n=True)
    if name in ("H", "hom", "random-diagonal", "random-dense"):
        mutants["no-block-length"] = case(no_block_length=True)
    return Check("exact", name, case(), parameters, mutants)


def compare(
    nodes: Nodes,
    *,
    reverse: bool = False,
    largest_for_mean: bool = False,
    nu_over_n: bool = False,
    no_block_length: bool = False,
) -> Iterable[Comparison]:
    """Eigenvalues, norms and traces of these matrices against the ranges of the claim."""
    shown = nodes.reversed() if reverse else nodes
    n, d, B = shown.n, shown.diagonal.shape[1], shown.B
    value = partial(_formula, theory.claim("squant/nu").formulas)
    eigenvalues = shown.eigenvalues
    largest = max(eigenvalues)
    L = largest if largest_for_mean else shown.L
    nu = value("nu", {"Lambda": eigenvalues, "n": n, "L_max": largest})
    rho = value("rho", {"L_max": largest, "n": n, "L": L})
    witness = {"n": n, "d": d, "B": B, "nu": nu, "rho": rho}
    yield Comparison("L_max / n", "le", value("L_lower", {"L_max": largest, "n": n}), L, ROUND_OFF, witness)
    most = evaluate(theory.claim("squant/nu").bound, {"nu": nu, "L_max": largest, "n": n})
    yield Comparison("L", "le", L, most, ROUND_OFF, witness, headline=True)
    if n == 1:
        yield Comparison("L of one node", "eq", L, most, ROUND_OFF, witness)
    least = nu / n if nu_over_n else value("rho_lower", {"nu": nu})
    yield Comparison("least rho", "le", least, rho, ROUND_OFF, witness)
    yield Comparison("rho", "le", rho, 1.0, ROUND_OFF, witness)
    norms = np.linalg.norm(shown.blocks, axis=2)
    maxima = shown.blocks.max(axis=2)
    nodes_B = [value("nu_B_node", {"B": B, "d": d, "F": row, "L_max": largest}) for row in norms.tolist()]
    nu_B = max(nodes_B) * ((d / B) ** 0.5 if no_block_length else 1.0)
    heaviest = max(value("nu_B_maxima", {"B": B, "M": row, "L_max": largest}) for row in maxima.tolist())
    nu_tr = float(shown.diagonal.sum(axis=1).max()) / largest
    # c_block over its value at one full block, by the definition.
    literal = B / d * float((np.sqrt(d / B) * norms).sum(axis=1).max()) / largest
    yield Comparison("nu_B by its definition", "eq", max(nodes_B), literal, ROUND_OFF, witness)
    yield Comparison("nu_B and the largest entries", "le", nu_B, heaviest, ROUND_OFF, witness)
    yield Comparison("nu_B and the blocks", "le", nu_B, float(B), ROUND_OFF, witness)
    trace = value("nu_B_trace", {"B": B, "d": d, "nu_tr": nu_tr})
    yield Comparison("nu_B and the trace", "le", nu_B, trace, ROUND_OFF, witness)
    if d == B:
        # Norm, largest entry and trace of a block of one coordinate are the same.
        yield Comparison("nu_B at single coordinates", "eq", heaviest, nu_B, ROUND_OFF, witness)
        yield Comparison("trace at single coordinates", "eq", trace, nu_tr, ROUND_OFF, witness)


def _formula(formulas: Any, name: str, values: dict[str, Any]) -> float:
    return evaluate(formulas[name], values)
