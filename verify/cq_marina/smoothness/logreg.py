"""Checks of `cq_marina/logreg`: problems on the line in rationals, data sets through their Hessians at 0."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.problems import smoothness_constants
from verify.authoring import checks_of, eq, le, with_factor
from verify.authoring.law import Law
from verify.comparison import DIFFERENCES, ROUND_OFF, Comparison
from verify.cq_marina.fixtures.marina.logreg_data import (
    Parts,
    constants_of,
    load_parts,
    problem_of,
    synthetic_parts,
)
from verify.cq_marina.smoothness.problem_differences import FAULTS, HONEST, differences_of
from verify.rungs.adversarial import AdversarialCase

RIDGE = F(1, 10)
# Features of the rows of each client, on the line.
LINES: dict[str, Mapping[str, Any]] = {
    "one-silent-client": {"features": ((F(2),), (F(0),))},
    "unequal-clients": {"features": ((F(1), F(2)), (F(3),), (F(1, 2), F(1, 2), F(1)))},
    "equal-clients": {"features": ((F(1), F(-1)), (F(1), F(1)), (F(-1), F(1)), (F(1), F(1)))},
}
EMBEDDED = {f"breast-cancer-{n}": {"data": "breast-cancer", "n": n} for n in (10, 50)}
_LINES = tuple(f"exact/{name}" for name in LINES)
_EMBEDDED = tuple(f"exact/{name}" for name in EMBEDDED)
_LIBSVM = tuple(f"exact/{data}-{n}" for data in ("phishing", "w8a") for n in (10, 50))

judge = checks_of("cq_marina/logreg", faults=HONEST, share=lambda S: S, own=lambda S: S, order=lambda: 1)


def _halved(law: Law) -> Law:
    return law.replace(
        **{name: lambda formula: with_factor(formula, "lam", F(1, 2)) for name in ("L_minus", "L_client")}
    )


def _eighth(law: Law) -> Law:
    return law.replace(share=lambda S: S / 2)


judge.sabotage(
    "half-penalty at adversarial/smoothness: lambda instead of 2 lambda for the curvature of the "
    "regulariser: L_minus too small by 1.381 (phishing) and 1.131 (w8a).",
    _halved,
    "eighth at adversarial/smoothness: 1/8 instead of 1/4 for the curvature of the loss: L_minus too small "
    "by 1.289 and 1.623.",
    _eighth,
    at=(
        *_LINES,
        *_EMBEDDED,
    ),
)
judge.sabotage(
    "smaller-curvatures, slow: Both on large data sets.",
    lambda law: _halved(_eighth(law)),
    at=_LIBSVM,
)
judge.sabotage(
    "others-alone at exact/one-silent-client, adversarial/variance: Leave out (n-1)/n |S_i| in the bound on "
    "L_pm: it fails where one client has almost all the curvature.",
    {"own": lambda S: 0 * S},
    "permuted-clients, neutral at exact/breast-cancer-10, exact/breast-cancer-50: Number the clients in "
    "reverse order.",
    {"order": lambda: -1},
    "half-regulariser at exact/differences-*: Half of the regulariser in the functions of the clients.",
    {"faults": FAULTS["half-regulariser"]},
    "padding-counts at exact/differences-*: Rows of zeros that fill up a client count in its mean.",
    {"faults": FAULTS["padding-counts"]},
    "swapped-functions at exact/differences-*: The clients in the reverse order, their gradients not.",
    {"faults": FAULTS["swapped-functions"]},
)


# ---------------------------------------------------------------- curvatures


@judge.exact(x=[F(0), F(1, 3), F(1), F(-2), F(7, 2)])
def curvatures(law: Law, x: F) -> Iterable[Comparison]:
    """Second derivatives against differences of functions and gradients that are written out."""
    step = F(1, 10**4)

    def value(z: F) -> F:
        return RIDGE * z**2 / (1 + z**2)

    second = (value(x + step) - 2 * value(x) + value(x - step)) / step**2
    stated = law("penalty", lam=float(RIDGE), x=float(x))
    scale = 1.0
    yield eq("second derivative of the regulariser", scale + float(second), scale + stated, DIFFERENCES)
    z, h = float(x), 1e-3
    slopes = [-1 / (1 + np.exp(z + sign * h)) for sign in (1, -1)]
    found = float(slopes[0] - slopes[1]) / (2 * h)
    yield eq("second derivative of the loss", found, law("loss", e=float(np.exp(-z))), DIFFERENCES)


def _constants(law: Law, S: Sequence[Any], R: Sequence[Any], mean: Any, *, exact: bool) -> dict[str, Any]:
    """Return the stated constants from the largest eigenvalues of the data matrices."""
    value: Callable[..., Any] = law.exactly if exact else law
    lam, n = (RIDGE if exact else float(RIDGE)), len(S)
    S, R = [law.share(item) for item in S], [law.share(item) for item in R]
    L = [value("L_client", S=S, lam=lam, i=i) for i in range(n)]
    return {
        "L_minus": value("L_minus", S_mean=law.share(mean), lam=lam),
        "L": L,
        "plus": value("L_plus_square", L=L, n=n),
        "pm": value("bound", S=[law.own(item) for item in S], R=R, n=n),
    }


@judge.exact(instances=LINES)
def line(law: Law, features: Sequence[Sequence[F]]) -> Iterable[Comparison]:
    """Second derivatives at 0, in rationals, against the stated constants."""
    n = len(features)
    # At margin 0 the loss has e/(1+e)^2 with e = 1, and the regulariser 2(1-0)/(1+0)^3.
    S = [sum((a * a * F(1, (1 + 1) ** 2) for a in rows), F(0)) / len(rows) for rows in features]
    penalty, mean = RIDGE * F(2 * (1 - 0), (1 + 0) ** 3), sum(S, F(0)) / n
    stated = _constants(law, S, [abs(mean - item / n) for item in S], mean, exact=True)
    yield eq("L_minus is attained at 0", mean + penalty, stated["L_minus"], headline=True)
    for item, constant in zip(S, stated["L"], strict=True):
        yield eq("L of a client is attained at 0", item + penalty, constant)
    yield le("variance at 0", sum(item**2 for item in S) / n - mean**2, stated["pm"])
    yield le("mean square at 0", sum((item + penalty) ** 2 for item in S) / n, stated["plus"])


# ---------------------------------------------------------------- data


def _on_data(law: Law, parts: Parts) -> Iterable[Comparison]:
    problem, S = problem_of(parts, float(RIDGE), law.order()), constants_of(parts)
    stated = _constants(law, S.own, S.others, S.mean, exact=False)
    zero = np.zeros(problem.d)
    top = float(np.linalg.eigvalsh(problem.hessian(zero))[-1])
    yield eq("L_minus is attained at 0", top, stated["L_minus"], ROUND_OFF, headline=True)
    yield eq("f(0)", float(problem.objective(zero)), law("start"), ROUND_OFF)
    found = smoothness_constants(problem)
    yield eq("L_minus of impl", found.L_minus, stated["L_minus"], ROUND_OFF)
    yield eq("L_plus of impl", found.L_plus**2, stated["plus"], ROUND_OFF)
    yield eq("L_pm of impl", found.L_pm**2, stated["pm"], ROUND_OFF)
    yield eq("lower bound of impl", found.L_pm_lower**2, float(law.share(S.variance)), ROUND_OFF)
    yield le("variance at 0", S.variance, stated["pm"], ROUND_OFF)
    for own, bound in zip(problem.L_nodes[:: law.order()], stated["L"], strict=True):
        yield eq("L of a client is attained at 0", float(own), bound, ROUND_OFF)


@judge.exact(instances=EMBEDDED)
def embedded(law: Law, data: str, n: int) -> Iterable[Comparison]:
    """Hessians of `impl` at 0, and its constants, against the stated ones from the data matrices."""
    yield from _on_data(law, load_parts(data, n))


@judge.exact(instances={f"phishing-{n}": {"n": n} for n in (10, 50)}, profile="full", needs="phishing")
def phishing(law: Law, n: int) -> Iterable[Comparison]:
    """The same on phishing."""
    yield from _on_data(law, load_parts("phishing", n))


@judge.exact(instances={f"w8a-{n}": {"n": n} for n in (10, 50)}, profile="full", needs="w8a")
def w8a(law: Law, n: int) -> Iterable[Comparison]:
    """The same on w8a."""
    yield from _on_data(law, load_parts("w8a", n))


# ---------------------------------------------------------------- searches


def _search(law: Law, parts: Parts, quotient: Callable[[Any], Any], name: str, way: Any) -> AdversarialCase:
    """Search pairs (x, y), from one on both sides of 0 on a line."""
    problem, S = problem_of(parts, float(RIDGE)), constants_of(parts)
    stated = _constants(law, S.own, S.others, S.mean, exact=False)
    square, d = stated["L_minus"] ** 2 if name == "L_minus" else stated[name], problem.d
    near = 1e-4 * np.asarray(way)
    return AdversarialCase(
        lambda pairs: quotient(problem.gradients(pairs[:, :d]) - problem.gradients(pairs[:, d:])),
        lambda pairs: square * ((pairs[:, :d] - pairs[:, d:]) ** 2).sum(axis=-1),
        2 * d,
        starts=(np.concatenate([near, -near]),),
        scale_invariant=False,
        budget=600,
    )


@judge.adversarial(parameters={"n": 3, "d": 2, "rows": 8})
def smoothness(law: Law) -> AdversarialCase:
    """Gradients of f, on synthetic data in the plane."""
    parts = synthetic_parts()
    top = np.linalg.eigh(problem_of(parts, float(RIDGE)).hessian(np.zeros(2)))[1][:, -1]
    return _search(law, parts, lambda delta: (delta.mean(axis=-2) ** 2).sum(axis=-1), "L_minus", top)


@judge.adversarial(parameters={"n": 2, "d": 1})
def variance(law: Law) -> AdversarialCase:
    """Differences between clients, where one of two has all the curvature."""

    def spread(delta: Any) -> Any:
        return ((delta - delta.mean(axis=-2, keepdims=True)) ** 2).sum(axis=(-1, -2)) / delta.shape[-2]

    parts = Parts(np.array([[2.0], [0.0]]), np.array([1.0, -1.0]), 2)
    return _search(law, parts, spread, "pm", np.ones(1))


@judge.exact(instances={f"differences-{name}": {"problem": name} for name in ("convex", "nonconvex")})
def differences(law: Law, problem: str) -> Iterable[Comparison]:
    """Values and gradients of a problem against differences of the functions, written out row by row."""
    yield from differences_of(problem, law.faults)
