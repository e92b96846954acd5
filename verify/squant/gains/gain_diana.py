"""Checks of `squant/gain-diana`: rounds of DIANA and DIANA+ in family V, well and badly conditioned."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF, Comparison
from verify.squant.fixtures.branches import smaller_branch
from verify.squant.fixtures.exponents import compare_exponent

NODES = (4, 16, 64, 256)
FACTOR = 8
"""Dimension over n^2."""


@dataclass(frozen=True)
class Variant:
    """How the rounds are computed; the mutants change it.

    Args:
        one: Weight of the identity in the mixture.
        matrix: Weight of the matrix in the mixture.
        omega: Whether K contains 2(1 + omega).
        budget: Factor of the budget of DIANA+.
        scale: Common factor of all functions.
    """

    one: float = 1.0
    matrix: float = 1.0
    omega: bool = True
    budget: float = 1.0
    scale: float = 1.0


@dataclass(frozen=True)
class Constants:
    """Constants omega and Lcal of one method, the largest over the nodes, its K, and its budget."""

    omega: float
    Lcal: float
    K: float
    budget: float


def smoothness(n: int) -> float:
    """Return the largest eigenvalue of the mean in family V."""
    return (2 * n - 1) / n**2


def _largest(weights: Any, steps: Any) -> float:
    """Return the largest value over the blocks (rows) of the smaller branch of each."""
    return float(smaller_branch(weights, steps).max())


@functools.cache
def measured(n: int, mu: float, variant: Variant = Variant()) -> Mapping[str, Constants]:
    """Return the constants of all methods from the full diagonals of both kinds of nodes."""
    d, length = FACTOR * n * n, FACTOR * n
    beta, mu = d / n, variant.scale * mu
    heavy = variant.scale * np.concatenate([np.ones(length), np.full(d - length, 1 / n)])
    found: dict[str, list[tuple[float, float, float]]] = {"std": [], "block": [], "vary": []}
    uniform = np.full((1, d), d**0.5 / beta)
    omega = _largest(np.ones((1, d)), uniform)
    for diagonal in (heavy, np.full(d, variant.scale / n)):
        found["std"].append((omega, omega * variant.scale, float(np.linalg.norm(1 / uniform))))
        weights = variant.one + variant.matrix * diagonal / (n * mu)
        h = (np.sqrt(weights.sum() / weights) / (variant.budget * beta))[None]
        spent = float(np.linalg.norm(1 / h))
        found["vary"].append((_largest(np.ones((1, d)), h), _largest(diagonal[None], h), spent))
        blocks = diagonal.reshape(n, length)
        norms = np.sqrt((blocks**2).sum(axis=1))
        mixed = variant.one * length**0.5 + variant.matrix * norms / (n * mu)
        steps = length**0.5 * mixed.sum() / (variant.budget * beta * mixed)
        h = np.repeat(steps[:, None], length, axis=1)
        spent = float((length**0.5 / steps).sum())
        found["block"].append((_largest(np.ones((n, length)), h), _largest(blocks, h), spent))
    result = {}
    for method, rows in found.items():
        omega, constant, spent = (max(column) for column in zip(*rows, strict=True))
        gradient = (variant.scale * smoothness(n) + 6 * constant / n) / mu
        rounds = max(gradient, 2 * (1 + omega)) if variant.omega else gradient
        result[method] = Constants(omega, constant / variant.scale, rounds, spent)
    return result


judge = checks_of("squant/gain-diana", variant=Variant())


_SMALL = tuple(f"exact/{kind}-conditioned-{n}" for kind in ("ill", "well") for n in NODES[:-1])
"""Half a million coordinates are left to the honest check."""


judge.sabotage(
    "omitted-omega at exact/well-conditioned-16, exact/well-conditioned-64, exact/no-growth: Leave out 2(1 +"
    " omega): at mu = 1/n varying steps seem to gain a factor that grows with n.",
    lambda law: law.replace(variant=Variant(omega=False)),
)
judge.sabotage(
    "steps-without-one: L_j/(n mu) without the 1 in the mixture.",
    lambda law: law.replace(variant=Variant(one=0.0)),
    at=_SMALL,
)
judge.sabotage(
    "steps-without-matrix: The identity alone as mixture: the noise of the gradients is too large.",
    lambda law: law.replace(variant=Variant(matrix=0.0)),
    at=_SMALL,
)
judge.sabotage(
    "half-the-budget: Half the budget for DIANA+.",
    lambda law: law.replace(variant=Variant(budget=0.5)),
    at=_SMALL,
)
judge.sabotage(
    "larger-budget: Thirty times the budget for DIANA+: the gain seems larger.",
    lambda law: law.replace(variant=Variant(budget=30.0)),
    at=_SMALL,
)
judge.sabotage(
    "scaled-functions: Multiply all functions by 7: K has no unit.",
    lambda law: law.replace(variant=Variant(scale=7.0)),
    at=_SMALL,
    neutral=True,
)
judge.sabotage_data(
    "gain-whatever-condition at exact/growth: Claim the growth of mu = n^-3 at 1/n as well.",
    lambda **_: {"mu": "1/n"},
)
judge.sabotage_data(
    "ill-conditioned at exact/no-growth: Claim at mu = n^-3 what holds at 1/n.", lambda **_: {"mu": "n^-3"}
)
judge.sabotage_data(
    "spent-too-much at exact/any-steps: Spend a little more than the budget.", lambda **_: {"excess": 0.5}
)


@judge.exact(d=12, n=3, blocks=(2, 4, 6), draws=200, excess=0.0)
def any_steps(law: Law, d: int, n: int, blocks: tuple[int, ...], draws: int, excess: float) -> Comparisons:
    """Steps of the budget d/n at random, around the uniform ones and far from them."""
    rng, lengths = np.random.Generator(np.random.Philox(20240601)), np.array(blocks)
    for spread in np.linspace(0, 2, draws):
        h = np.exp(spread * rng.standard_normal(d))
        h *= np.linalg.norm(1 / h) / (d / n * (1 + excess))
        yield le("variance of any steps", float(n), float(np.linalg.norm(h)), ROUND_OFF)
        g = np.exp(spread * rng.standard_normal(len(lengths))) / np.sqrt(lengths)
        g *= (np.sqrt(lengths) / g).sum() / (d / n * (1 + excess))
        yield le("variance of any block steps", float(n), float((g * np.sqrt(lengths)).max()), ROUND_OFF)


def _by_formula(law: Law, n: int, mu: float) -> dict[str, float]:
    """Return K of all methods from the steps of the claim: family V has two values per node."""
    d, length = FACTOR * n * n, FACTOR * n
    # Per node: value on a kind of blocks, and number of such blocks.
    nodes = (((1.0, 1), (1 / n, n - 1)), ((1 / n, n),))
    found: dict[str, list[tuple[float, float]]] = {"block": [], "vary": []}
    for node in nodes:
        trace = sum(length * value * count for value, count in node)
        shared = {"d": d, "n": n, "mu": mu, "beta": d / n, "c": trace}
        steps = [law("vary_step", L_j=value, **shared) for value, _ in node]
        squares = [step * step * length * count for step, (_, count) in zip(steps, node, strict=True)]
        weighted = [value * item for (value, _), item in zip(node, squares, strict=True)]
        twice = [value * item for (value, _), item in zip(node, weighted, strict=True)]
        found["vary"].append(
            (min(sum(squares) ** 0.5, sum(squares) / 4), min(sum(twice) ** 0.5, sum(weighted) / 4))
        )
        norms = [(value, length**0.5 * value) for value, _ in node]
        reach = [
            (value, law("block_step", F_l=norm, d_l=length, **shared) * length**0.5) for value, norm in norms
        ]
        smaller = [(value, min(item, item * item / 4)) for value, item in reach]
        found["block"].append(
            (max(item for _, item in smaller), max(value * item for value, item in smaller))
        )
    shared = {"L": smoothness(n), "mu": mu, "n": n}
    result = {"std": law("condition", Lcal_max=n, omega_max=n, **shared)}
    for method, rows in found.items():
        omega, constant = (max(column) for column in zip(*rows, strict=True))
        result[method] = law("condition", Lcal_max=constant, omega_max=omega, **shared)
    return result


@judge.exact(
    instances={
        f"{kind}-conditioned-{n}": {"family": "V", "n": n, "d": FACTOR * n * n, "mu": mu(n)}
        for kind, mu in (("ill", lambda n: float(n) ** -3), ("well", lambda n: 1 / n))
        for n in NODES
    }
)
def conditioned(law: Law, n: int, d: int, mu: float, **_: Any) -> Comparisons:
    """Condition numbers by vectors and by formulas, the bounds on both constants, and the gain."""
    found = measured(n, mu, law.variant)
    shown: dict[str, Any] = {"witness": {"n": n, "mu": mu}}
    for method, K in _by_formula(law, n, mu).items():
        yield eq(f"K of {method}", found[method].K, K, ROUND_OFF, **shown)
    # Heavy node: trace and block constant agree, since every block has one value only.
    trace = FACTOR * n * (1 + (n - 1) / n)
    chi, rho, nu = smoothness(n) / mu, 1 / (n * smoothness(n)), trace / (d / n)
    yield eq("K of std in chi", found["std"].K, law("std", chi=chi, rho=rho, n=n), ROUND_OFF, **shown)
    ratios = {"chi": chi, "rho": rho, "nu": nu, "n": n}
    bound = law("mixed", **ratios)
    for method in ("vary", "block"):
        parts = found[method]
        yield eq(f"budget of {method}", parts.budget, d / n, ROUND_OFF, **shown)
        yield le(f"omega of {method}", parts.omega, bound, ROUND_OFF, **shown)
        yield le(f"noise of {method}", parts.Lcal / (n * mu), bound, ROUND_OFF, **shown)
        yield le(f"K of {method}, from above", parts.K, law("plus", **ratios), ROUND_OFF, **shown)
        yield le(f"least K of {method}", law("least", n=n), parts.K, ROUND_OFF, **shown)
        ratio = found["std"].K / parts.K
        yield le(f"gain of {method}, from below", law("lower", **ratios), ratio, ROUND_OFF, **shown)
        if n <= chi:
            least = law("order", n=n, rho=rho, nu=nu)
            yield le(f"gain of {method} for bad conditioning", least, ratio, ROUND_OFF, **shown)
        yield _from_above(law, n, mu, method, ratio)


def _from_above(law: Law, n: int, mu: float, method: str, ratio: float) -> Comparison:
    upper = law("upper", chi=smoothness(n) / mu)
    shown = {"n": n, "mu": mu}
    return le(f"gain of {method}, from above", ratio, upper, ROUND_OFF, witness=shown, headline=True)


@judge.exact(
    instances={
        "growth": {"family": "V", "n": NODES, "mu": "n^-3", "grows": True},
        "no-growth": {"family": "V", "n": NODES, "mu": "1/n", "grows": False},
    }
)
def exponents(law: Law, n: tuple[int, ...], mu: str, grows: bool, **_: Any) -> Comparisons:
    """The gains of both kinds of steps over DIANA: of order n, or bounded."""
    for method in ("block", "vary"):
        gains = []
        for nodes in n:
            convexity = float(nodes) ** -3 if mu == "n^-3" else 1 / nodes
            shown: dict[str, Any] = {"witness": {"n": nodes}}
            row = measured(nodes, convexity, law.variant)
            gains.append(row["std"].K / row[method].K)
            yield _from_above(law, nodes, convexity, method, gains[-1])
            if grows:
                least = law("V_lower", n=nodes)
                yield le(f"gain of {method} in V, from below", least, gains[-1], ROUND_OFF, **shown)
            else:
                yield le(f"bounded gain of {method} in V", gains[-1], law("V_bounded"), ROUND_OFF, **shown)
        if grows:
            yield from compare_exponent(f"of {method}", n, gains, at_least=law("growing"))
        else:
            yield from compare_exponent(f"of {method}", n, gains, at_most=law("bounded"))
