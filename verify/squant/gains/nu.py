"""Checks of `squant/nu`: the constants of random matrices and of the families within their ranges."""

from typing import Any

import numpy as np

from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.squant.fixtures.families import diagonals

SIZES = (4, 16)


def _largest(matrix: Any) -> float:
    """Return the largest eigenvalue of a matrix, or of one that is given by its diagonal."""
    return float(matrix.max() if matrix.ndim == 1 else np.linalg.eigvalsh(matrix)[-1])


def _mean(matrices: Any) -> float:
    return _largest(matrices.mean(axis=0))


judge = checks_of("squant/nu", mean=_mean, counted=lambda nu, n: nu, order=1, power=1)


judge.sabotage(
    "rho-nu-over-n at exact/H, exact/hom: Claim nu/n for 1/nu: homogeneous nodes have nu = n.",
    {"counted": lambda nu, n: n / nu},
    "largest-for-mean at exact/V, exact/H, exact/random-diagonal: The largest node for the mean: one heavy "
    "node among many is far above it.",
    {"mean": lambda matrices: max(map(_largest, matrices))},
    "no-block-length at exact/H, exact/hom, exact/random-*: Leave out the root of B/d before the norms. "
    "| nu_B_node = nu_B_node * sqrt(d / B)",
    "squares-for-roots at exact/H, exact/random-diagonal: Add squares of the entries for nu_2: it "
    "is below nu_1. | power = 4",
    "permuted-nodes, neutral: Take the nodes in reverse order: nothing may change. | order = -1",
)


def _compare(law: Law, matrices: Any, B: int, *, H: bool = False) -> Comparisons:
    """Matrices (n, d, d) or diagonals (n, d) in B equal blocks against the ranges of the claim."""
    matrices = matrices[:: law.order]
    diagonal = matrices if matrices.ndim == 2 else np.einsum("ijj->ij", matrices)
    (n, d), eigenvalues = diagonal.shape, [_largest(matrix) for matrix in matrices]
    largest, L = max(eigenvalues), law.mean(matrices)
    nu = law("nu", Lambda=eigenvalues, n=n, L_max=largest)
    rho = law("rho", L_max=largest, n=n, L=L)
    most = law("bound", nu=nu, L_max=largest, n=n)
    blocks = diagonal.reshape(n, B, -1)
    norms, maxima = np.linalg.norm(blocks, axis=2), blocks.max(axis=2)
    # c_block over its value at one full block, by the definition.
    literal = B / d * (np.sqrt(d / B) * norms).sum(axis=1) / largest
    node = int(literal.argmax())
    nu_B = law("nu_B_node", B=B, d=d, F=norms[node].tolist(), L_max=largest)
    heaviest = law("nu_B_maxima", B=B, M=maxima[node].tolist(), L_max=largest)
    nu_tr = float(diagonal.sum(axis=1).max()) / largest
    trace = law("nu_B_trace", B=B, d=d, nu_tr=nu_tr)
    largest_entries = diagonal.max(axis=1)
    nu_1 = [law("nu_1", t=row, t_max=top, d=d) for row, top in zip(diagonal, largest_entries, strict=True)]
    nu_2 = [
        law("nu_2", t=row**law.power, t_max=top**law.power, d=d)
        for row, top in zip(diagonal, largest_entries, strict=True)
    ]
    closest = max(range(n), key=lambda i: nu_1[i] / nu_2[i])
    heaviest_trace = int(diagonal.sum(axis=1).argmax())
    shown: dict[str, Any] = {"witness": {"n": n, "d": d, "B": B, "nu": nu, "rho": rho}}
    yield le("largest L", L, most, ROUND_OFF, headline=True, **shown)
    for label, least, value in (
        ("smallest L", law("L_lower", L_max=largest, n=n), L),
        ("least rho", law("rho_lower", nu=law.counted(nu, n)), rho),
        ("largest rho", rho, 1.0),
        ("largest nu", nu, float(n)),
        ("nu_B and the largest entries", nu_B, heaviest),
        ("nu_B and the blocks", nu_B, float(B)),
        ("nu_B and the trace", nu_B, trace),
        ("least nu_1", 1.0, min(nu_1)),
        ("nu_1 and nu_2 of a node", nu_1[closest], nu_2[closest]),
        ("nu_1 and nu_2", max(nu_1), max(nu_2)),
        ("largest nu_2", max(nu_2), float(d)),
        ("nu_tr and nu_1", nu_tr, nu_1[heaviest_trace]),
    ):
        yield le(label, least, value, ROUND_OFF, **shown)
    yield eq("nu_B by its definition", float(literal[node]), nu_B, ROUND_OFF, **shown)
    if n == 1:
        yield eq("L of one node", L, most, ROUND_OFF, **shown)
    if H:
        yield eq("L in family H", L, law("H_L", n=n), ROUND_OFF, **shown)
        yield eq("nu in family H", nu, float(n), ROUND_OFF, **shown)
        yield le("rho in family H", law("H_rho", n=n), rho, ROUND_OFF, **shown)
    if d == B:
        # Norm, largest entry and trace of a block of one coordinate are the same.
        yield eq("nu_B at single coordinates", nu_B, heaviest, ROUND_OFF, **shown)
        yield eq("trace at single coordinates", nu_tr, trace, ROUND_OFF, **shown)


@judge.exact(
    instances={
        "random-dense": {"sets": 30, "matrices": "dense, of any rank"},
        "random-diagonal": {"sets": 30, "matrices": "diagonal"},
    }
)
def random_nodes(law: Law, sets: int, matrices: str) -> Comparisons:
    """Nodes of many shapes: ranks, scales and spectra of several sizes, some of rank one."""
    rng = np.random.Generator(np.random.Philox(20240601))
    for _ in range(sets):
        n, B, length = int(rng.integers(1, 7)), int(rng.integers(1, 5)), int(rng.integers(1, 5))
        d = B * length
        scale = np.exp(rng.normal(0, 2, size=(n, 1)))
        if matrices == "diagonal":
            drawn = np.exp(rng.normal(0, 2, size=(n, d))) * scale
        else:
            factors = rng.standard_normal((n, d, int(rng.integers(1, d + 1)))) * scale[..., None]
            drawn = factors @ factors.swapaxes(1, 2)
        yield from _compare(law, drawn, B)


@judge.exact(n=3, d=12, matrices="ones")
def rank_one(law: Law, n: int, d: int, **_: Any) -> Comparisons:
    """Equal nodes of rank one: the largest entries are far below the eigenvalues."""
    yield from _compare(law, np.ones((n, d, d)), 4)


@judge.exact(n=3, d=12, matrices="one entry")
def one_entry(law: Law, n: int, d: int, **_: Any) -> Comparisons:
    """Nodes whose matrices have one entry, the least that the constants of the entries can be."""
    yield from _compare(law, np.eye(d)[:n], 4)


@judge.exact(instances={name: {"family": name, "n": SIZES, "q": 1} for name in ("V", "H", "hom", "W")})
def families(law: Law, family: str, n: tuple[int, ...], q: int) -> Comparisons:
    """The families of the gains."""
    for nodes in n:
        dense, lengths = diagonals(family, nodes, q=q)
        yield from _compare(law, dense, len(lengths), H=family == "H")
