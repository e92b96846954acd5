"""Checks of `cat/s-rates`: exact runs on a sphere, and runs against the bounds with their own shares.

Largest entries and their signs are sent; the shares of signs are taken from their definition.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np
from sympy import Rational, sqrt

from impl.adaptive import Choice, cat_sq
from impl.communication import Affine
from impl.compressors import TopK, TopKSigns
from impl.compressors.contract import Array, Draws
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import GI, flat, isotropic, quad
from verify.cat.fixtures.literal_shares import alphas, betas
from verify.cat.fixtures.top_runs import CASES, Rule, RunCase, fixed, whole
from verify.comparison import LONG_RUN, Comparison

# `shares`: those of signs, by their number.
judge = checks_of("cat/s-rates", order=1, shares=betas)

# Start, L and sizes T^k.
SPHERES = (
    (GI, F(1), (1, 1, 2, 3)),
    (GI, F(3, 2), (4, 1, 1, 1)),
    ((1,) * 64, F(1), (1,) * 32),
    ((1,) * 4, F(2), (4,)),
    ((3, 3, -3, 1, 0, 0), F(5), (2, 1)),
)
# The same for signs, without a kept entry that is 0.
SIGNS = (
    (GI, F(1), (1, 1, 2, 3)),
    (GI, F(3, 2), (8, 1, 4)),
    ((1,) * 4, F(2), (4,)),
    ((8, 1, -1, 1, 1, 1, -1, 1), F(1), (8,) * 6),
)


judge.sabotage(
    "without-share at exact/spheres, run/flat-64-fixed-1: The bound of gradient descent, 2 L Delta_0/K, for "
    "T = 1: exceeded 16.5 times by |x|^2/2 from a flat start, d = 64, K = 32. | total = K",
    "squared-contraction at exact/spheres, run/flat-64-fixed-1: (1 - alpha_k mu/L)^2 in the product: "
    "exceeded by the factor 1/(1 - alpha) on a sphere. | product = product**2 / Delta_0",
    "halved-start at exact/spheres: 2 L R^2/(Sigma_K + 8): exceeded twice at K = 0 on a sphere. "
    "| convex = convex(Sigma = Sigma + 4)",
    "share-of-entries at exact/spheres-signs, run/isotropic-signs: Take for signs the share of the entries "
    "themselves: one entry of 8 and seven of 1, of which all signs are sent, do not come to 0 at once.",
    {"shares": alphas},
    "reversed-coordinates, neutral at exact/spheres*: Number the coordinates the other way round: nothing "
    "may change. | order = -1",
)


def _total(items: Iterable[F]) -> F:
    """Return the sum, a Fraction even of nothing."""
    return sum(items, F(0))


@judge.exact(
    instances={
        "spheres": {"spheres": SPHERES},
        "spheres-signs": {"spheres": SIGNS, "kind": "signs"},
    }
)
def spheres(law: Law, spheres: Any, kind: str = "entries") -> Iterable[Comparison]:
    """On L |x|^2 / 2 the product is attained, and the other two bounds hold, exactly."""
    for start, L, sizes in spheres:
        x = [F(item) for item in start[:: law.order]]
        radius_sq = _total(item**2 for item in x)
        initial = L / 2 * radius_sq
        root = sqrt(Rational(radius_sq.numerator, radius_sq.denominator))
        shares: list[F] = []
        squares: list[F] = []
        third = law.exactly("convex", L=L, R=root, Sigma=F(0))
        yield eq("third bound attained", initial, third, witness={"x_0": start})
        for K, size in enumerate(sizes, start=1):
            g = [L * item for item in x]
            # Mean magnitudes at 1/L are the step of `cat/sq-descent`.
            message = TopK(size) if kind == "entries" else TopKSigns(size, scale="mean")
            sent = message.reference(g, Draws())
            squares.append(_total(item**2 for item in g))
            kept = _total(item**2 for item in sent) / squares[-1]
            shares.append(kept if kind == "entries" else law.shares(g)[size - 1])
            x = [item - q / L for item, q in zip(x, sent, strict=True)]
            gap = L / 2 * _total(item**2 for item in x)
            witness = {"x_0": start, "L": L, "T": sizes[:K]}
            total = law.exactly("total", K=K, alpha=shares)
            first = law.exactly("bound", L=L, Delta_0=initial, Sigma=total)
            yield le("least gradient", min(squares), first, witness=witness)
            equal = len({abs(item) for item in g}) == 1
            if K == 1 and size == len(x) and (kind == "entries" or equal):
                yield eq("first bound attained", squares[0], first, witness=witness)
            product = law.exactly("product", L=L, mu=L, Delta_0=initial, K=K, alpha=shares)
            yield le("gap and product", gap, product, witness=witness, headline=True)
            yield eq("product attained", gap, product, witness=witness)
            third = law.exactly("convex", L=L, R=root, Sigma=total)
            yield le("gap and radius", gap, third, witness=witness)


@judge.exact(epsilon=("1/10", "1/100"))
def iterations(law: Law, epsilon: Sequence[str]) -> Iterable[Comparison]:
    """With the stated numbers of iterations the bounds are at most the accuracy."""
    for accuracy in map(F, epsilon):
        for least in (F(1), F(1, 3), F(1, 20)):
            given = {"L": F(3), "epsilon": accuracy, "alpha_bar": least}
            K = law.exactly("iterations_nonconvex", **given, Delta_0=F(2))
            found = law.exactly("bound", L=F(3), Delta_0=F(2), Sigma=K * least)
            yield eq("first accuracy", found, accuracy)
            K = law.exactly("iterations_convex", **given, R=F(5))
            found = law.exactly("convex", L=F(3), R=F(5), Sigma=K * least)
            yield le("third accuracy", found, accuracy, headline=True)
            count = law("iterations_linear", **given, mu=F(1, 4), Delta_0=F(2))
            found = law("exponential", Delta_0=F(2), Sigma=count * float(least), mu=F(1, 4), L=F(3))
            yield eq("second accuracy", found, float(accuracy), LONG_RUN)
            # A share of 3/64 is that of three entries of a flat gradient.
            fixed_size = law.exactly("iterations_nonconvex", **given | {"alpha_bar": F(3, 64)}, Delta_0=F(2))
            whole = law.exactly("iterations_nonconvex", **given | {"alpha_bar": F(1)}, Delta_0=F(2))
            yield eq("fixed size", fixed_size, law.exactly("fixed_factor", d=64, T=3) * whole)


# ---------------------------------------------------------------- runs


def any_size(gradient: Array) -> Choice:
    """Choose a size that depends on digits of the gradient: any choice is allowed."""
    return fixed(1 + int(abs(float(gradient[0])) * 1e6) % gradient.size)(gradient)


RUNS = {
    **CASES,
    "quad-any-size": RunCase(quad, flat, any_size, 60),
    "flat-64-fixed-1": RunCase(partial(isotropic, 64), flat, fixed(1), 32),
}
_SIGNS = partial(cat_sq, cost=Affine(1, 5), entry_bits=1)
SIGN_RUNS = {
    "quad-signs": RunCase(quad, flat, _SIGNS, 60),
    "isotropic-signs": RunCase(partial(isotropic, 8, 3.0), whole, _SIGNS, 6),
}


def _with_share(rule: Rule, shares: Callable[[Any], Any], gradient: Array) -> Choice:
    """Choose as `rule` does, with the share that `shares` has for as many signs."""
    choice = rule(gradient)
    return replace(choice, share=shares(gradient.tolist())[choice.size - 1] if choice.size else 0)


def case_of(law: Law, problem: str) -> RunCase:
    """Return a run by its name, that of signs with the shares of the law."""
    if problem in RUNS:
        return RUNS[problem]
    case = SIGN_RUNS[problem]
    return replace(case, rule=partial(_with_share, case.rule, law.shares))


def run_bounds(law: Law, L: float, mu: float, initial: float, shares: Any) -> dict[str, list[float]]:
    """Return the four stated bounds after K = 1, 2, ... iterations with the given shares, (K,) each.

    The radius is that of strongly convex functions: the level set lies within 2 Delta_0 / mu.
    """
    found: dict[str, list[float]] = {"bound": [], "product": [], "exponential": [], "convex": []}
    radius = float(np.sqrt(2 * initial / mu))
    for K in range(1, len(shares) + 1):
        alpha = [float(item) for item in shares[:K]]
        total = law("total", K=K, alpha=alpha)
        found["bound"].append(law("bound", L=L, Delta_0=initial, Sigma=total))
        found["product"].append(law("product", L=L, Delta_0=initial, mu=mu, K=K, alpha=alpha))
        found["exponential"].append(law("exponential", L=L, Delta_0=initial, mu=mu, Sigma=total))
        found["convex"].append(law("convex", L=L, R=radius, Sigma=total))
    return found


@judge.drift(
    instances={name: {"problem": name, "rounds": case.rounds} for name, case in (RUNS | SIGN_RUNS).items()}
)
def runs(law: Law, rng: Any, problem: str, **_: Any) -> Iterable[Comparison]:
    """All three rates at every K of a run, with the shares of the run itself."""
    case = case_of(law, problem)
    target, found = case.make(), case.run(rng)
    optimum = float(target.objective(target.solution))
    gaps, shares = found.objective[0] - optimum, found.shares[0, :, 0]
    bounds = run_bounds(law, target.L, target.mu, float(gaps[0]), shares)
    least = np.minimum.accumulate(found.gradient_norm_sq[0])
    for k in range(found.rounds):
        given: dict[str, Any] = {"witness": {"K": k + 1, "Sigma": float(shares[: k + 1].sum())}}
        gap, product = float(gaps[k + 1]), bounds["product"][k]
        yield le("least gradient", float(least[k]), bounds["bound"][k], LONG_RUN, **given)
        yield le("gap and product", gap, product, LONG_RUN, **given, headline=True)
        yield le("exponential form", product, bounds["exponential"][k], LONG_RUN, **given)
        yield le("gap and radius", gap, bounds["convex"][k], LONG_RUN, **given)
