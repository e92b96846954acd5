"""Checks of `cat/s-descent`: exact decreases, a search over problems, and every iteration of runs."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import TopK
from impl.compressors.contract import Draws
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import GI
from verify.cat.fixtures.top_runs import CASES, SmallestK, fixed
from verify.comparison import LONG_RUN, Comparison
from verify.rungs.adversarial import AdversarialCase

# The step that is taken is `length` times the stated one; -1 numbers the coordinates the other way round.
judge = checks_of("cat/s-descent", kind=TopK, length=F(1), order=1)

VECTORS = (GI, (3, -3, 1, 3, 0), (2,), (0, 5, 0, -1, 1, 0))
HESSIAN = ((4, 2, -1), (2, 3, 0), (-1, 0, 5))
SMOOTHNESS = 7
"""At least the largest eigenvalue of HESSIAN, whose absolute row sums are at most 7."""
_FLAT_GRADIENT = 1e-6
"""Squared gradients below this are left out of the search: their decrease is lost in round-off."""
_SEEN = ("exact/isotropic", "adversarial/*", "run/isotropic-fixed-3")


judge.sabotage(
    "long-step: Step 3/(2L) and expect the decrease of 1/L: it is 4/3 times too much on L|x|^2/2. "
    "| length = 3/2",
    "smallest-entries: Keep the T smallest entries: 6/173 of |g|^2 instead of 142/173 for `gi` and T = 3.",
    {"kind": SmallestK},
    "doubled-decrease: State the decrease without the 2: alpha(T)/L |g|^2. "
    "| bound = 2 * bound, decrease = 2 * decrease",
    at=_SEEN,
)
judge.sabotage(
    "reversed-coordinates, neutral at exact/*: Number the coordinates the other way round: nothing may "
    "change. | order = -1",
)


def stated_share(law: Law, g: Any, size: int) -> Any:
    """Return the stated share of the T largest entries, exactly."""
    squares = sorted((F(item) ** 2 for item in g), reverse=True)
    return law.exactly("share", a=squares, T=size, d=len(squares))


@judge.exact(g=VECTORS, L=("1", "3/2"))
def isotropic(law: Law, g: Any, L: Any) -> Iterable[Comparison]:
    """On L |x|^2 / 2 the decrease is the stated one, for all x, T and step sizes."""
    lengths = tuple((F(item), part) for item in L for part in (F(1), F(1, 2), F(2)))
    for vector in g:
        values = [F(item) for item in vector[:: law.order]]
        G = sum(item**2 for item in values)
        for size in range(1, len(values) + 1):
            share, sent = stated_share(law, values, size), law.kind(size).reference(values, Draws())
            found = sum(item**2 for item in sent) / G
            yield eq("share", found, share, witness={"g": values, "T": size})
            for constant, part in lengths:
                gamma = part / constant
                taken = gamma * law.length
                # x = g / L.
                after = [item - taken * constant * q for item, q in zip(values, sent, strict=True)]
                decrease = (G - sum(item**2 for item in after)) / (2 * constant)
                given = {"L": constant, "alpha": share, "G": G}
                stated = law.exactly("bound", **given, gamma=gamma)
                witness = {"g": values, "T": size, "L": constant, "gamma": taken}
                yield eq("attained decrease", decrease, stated, witness=witness, headline=part == 1)
                best = law.exactly("decrease", **given)
                yield le("largest guarantee", stated, best, witness=witness)
                if part == 1:
                    length = law.exactly("step_size", L=constant)
                    at_best = law.exactly("bound", **given, gamma=length)
                    yield eq("guarantee of the best step", at_best, best, witness=witness)


@judge.exact(H=HESSIAN, L=SMOOTHNESS)
def dense(law: Law, H: Any, L: int) -> Iterable[Comparison]:
    """On a dense quadratic the decrease is at least the stated one."""
    matrix = [row[:: law.order] for row in H[:: law.order]]
    for x in ((1, 0, 0), (1, -2, 3), (0, 1, 1), (-2, 5, 1)):
        g = [F(sum(h * item for h, item in zip(row, x, strict=True))) for row in matrix]
        G = sum(item**2 for item in g)
        for size in (1, 2, 3):
            q = law.kind(size).reference(g, Draws())
            for part in (F(1, 2), F(1), F(2)):
                gamma = part / L
                along = sum(a * b for a, b in zip(g, q, strict=True))
                bent = sum(
                    F(h) * a * b
                    for row, a in zip(matrix, q, strict=True)
                    for h, b in zip(row, q, strict=True)
                )
                decrease = gamma * along - gamma**2 / 2 * bent
                stated = law.exactly("bound", L=L, gamma=gamma, alpha=stated_share(law, g, size), G=G)
                yield le("decrease", stated, decrease, witness={"x": x, "T": size, "gamma": gamma})


# ---------------------------------------------------------------- search


def quadratics(law: Law, inputs: Any) -> tuple[Any, Any]:
    """Return stated and real decreases (m, 3) for T = 1, 2, 3 of x^T B^T B x / 2 from rows (B, x)."""
    B, x = inputs[:, :9].reshape(-1, 3, 3), inputs[:, 9:]
    H = np.einsum("mki,mkj->mij", B, B)
    L = np.linalg.eigvalsh(H)[:, -1]
    g = np.einsum("mij,mj->mi", H, x)
    stated, real = [], []
    for size in (1, 2, 3):
        q = law.kind(size).compress(g, Draws())
        gamma = float(law.length) / L
        bent = np.einsum("mi,mij,mj->m", q, H, q)
        stated.append(_stated(law, g, size, L))
        real.append(gamma * (g * q).sum(axis=1) - gamma**2 / 2 * bent)
    return np.stack(stated, axis=1), np.stack(real, axis=1)


def logistic(law: Law, inputs: Any) -> tuple[Any, Any]:
    """Return stated and real decreases (m, 2) for T = 1, 2 of the loss of three examples in the plane."""
    X, x = inputs[:, :6].reshape(-1, 3, 2), inputs[:, 6:]
    L = np.linalg.eigvalsh(np.einsum("mki,mkj->mij", X, X))[:, -1] / 12
    margins = np.einsum("mki,mi->mk", X, x)
    weights = 1 / (1 + np.exp(margins))
    g = -np.einsum("mki,mk->mi", X, weights) / 3
    stated, real = [], []
    for size in (1, 2):
        q = law.kind(size).compress(g, Draws())
        change = -np.einsum("mki,mi->mk", X, q) * (float(law.length) / L)[:, None]
        # The difference of log(1 + e^-margin) without cancellation.
        real.append(-np.log1p(np.expm1(-change) * weights).mean(axis=1))
        kept = (g**2).sum(axis=1) > _FLAT_GRADIENT * (X**2).mean(axis=(1, 2))
        stated.append(np.where(kept, _stated(law, g, size, L), 0.0))
    return np.stack(stated, axis=1), np.stack(real, axis=1)


def _stated(law: Law, g: Any, size: int, L: Any) -> Any:
    """Return the stated decrease at the step size 1/L of gradients (m, d)."""
    squares = -np.sort(-(g**2), axis=1)
    # The share of the kept squares among themselves is 1; 0 where nothing is to be sent.
    rows = zip(squares[:, :size].sum(axis=1).tolist(), L.tolist(), strict=True)
    return np.array([law("decrease", alpha=1.0, G=G, L=top) if G else 0.0 for G, top in rows])


PROBLEMS = {
    "quadratics": (quadratics, np.concatenate([np.eye(3).ravel(), [1.0, 2.0, -1.0]])),
    "logistic": (logistic, np.array([1.0, 0.0, -1.0, 0.5, 0.0, 1.0, 0.1, -0.2])),
}


def worst(law: Law, problem: Any, inputs: Any) -> tuple[Any, Any]:
    """Return stated and real decrease (m,) of the size at which the former is the largest part."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        stated, real = problem(law, inputs)
        ratio = np.where(stated > 0, np.where(real > 0, stated / real, np.inf), 0.0)
    place = np.argmax(ratio, axis=1)[:, None]
    return np.take_along_axis(stated, place, 1)[:, 0], np.take_along_axis(real, place, 1)[:, 0]


def _search(law: Law, name: str, **_: Any) -> AdversarialCase:
    problem, start = PROBLEMS[name]
    return AdversarialCase(
        value=lambda inputs: worst(law, problem, inputs)[0],
        bound=lambda inputs: worst(law, problem, inputs)[1],
        dim=len(start),
        starts=(start,),
        scale_invariant=name == "quadratics",
        budget=1200,
    )


for _name, _sizes in (("quadratics", (1, 2, 3)), ("logistic", (1, 2))):
    judge.adversarial(instance=_name, label=_name, name=_name, T=_sizes, ratio="stated over real decrease")(
        _search
    )


# ---------------------------------------------------------------- runs


@judge.drift(instances={name: {"problem": name, "rounds": case.rounds} for name, case in CASES.items()})
def runs(law: Law, rng: Any, problem: str, **_: Any) -> Iterable[Comparison]:
    """Every iteration lowers the objective by at least the stated decrease, with the share of the run."""
    case = CASES[problem]
    if law.kind is not TopK:
        case = replace(case, rule=fixed(3, law.kind))
    found = case.run(rng, float(law.length))
    L = case.make().L
    for k in range(found.rounds):
        given = {"alpha": float(found.shares[0, k, 0]), "G": float(found.gradient_norm_sq[0, k])}
        before, after = found.objective[0, k : k + 2]
        stated = float(before - law("decrease", L=L, **given))
        witness = {"k": k, "T": int(found.sizes[0, k, 0])}
        yield le("objective", float(after), stated, LONG_RUN, witness=witness)
