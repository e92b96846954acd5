"""Checks of `squant/gain-diana`: rounds of DIANA and DIANA+ in family V, well and badly conditioned."""

from dataclasses import replace
from typing import Any

import numpy as np

from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.squant.fixtures.families import Family, family
from verify.squant.fixtures.family_constants import constants_at, steps

NODES = (4, 16, 64, 256)


def constants(law: Law, matrices: Family, mu: float, method: str) -> tuple[float, float, float, float]:
    """Return omega, Lcal, the budget that is spent and K of a method, each the largest over the nodes."""
    n, values = matrices.n, matrices.eigenvalues
    mixture = replace(matrices, eigenvalues=law.mixture(values / (n * mu)))
    h = steps(mixture, method, (1 if method == "std" else law.budget) * matrices.d / n)
    weights = np.full_like(values, matrices.L_max) if method == "std" else values
    omega, Lcal = (float(constants_at(matrices, method, D, h).max()) for D in (np.ones_like(values), weights))
    # Every block is one group of coordinates.
    spent = np.sqrt(matrices.multiplicity) / h
    spent = spent.sum(axis=1) if method == "block" else np.linalg.norm(spent, axis=1)
    given = {"L": matrices.L, "Lcal_max": Lcal, "omega_max": law.counted(omega), "mu": mu, "n": n}
    return omega, Lcal, float(spent.max()), law.of("squant/diana")("condition", **given)


judge = checks_of(
    "squant/gain-diana", mixture=lambda ratios: 1 + ratios, counted=lambda omega: omega, budget=1.0, scale=1.0
)


judge.sabotage(
    "omitted-omega at exact/well-*-[!4]*: Leave out 2(1 + omega): at mu = 1/n varying steps seem to gain a "
    "factor that grows with n.",
    {"counted": lambda omega: -1},
    "steps-without-one at exact/well-*: L_j/(n mu) without the 1 in the mixture.",
    {"mixture": lambda ratios: ratios},
    "steps-without-matrix at exact/ill-*: The identity alone as mixture: the noise of the gradients is too "
    "large.",
    {"mixture": np.ones_like},
    "half-the-budget at exact/*-conditioned-*: Half the budget for DIANA+. | budget = 0.5",
    "larger-budget at exact/*-conditioned-*: Thirty times the budget for DIANA+: the gain seems larger. "
    "| budget = 30.0",
    "scaled-functions, neutral at exact/*-conditioned-*: Multiply all functions by 7: K has no unit. "
    "| scale = 7.0",
)
judge.sabotage_data(
    "gain-whatever-condition at exact/ill-*-[!4]*: Claim the growth of mu = n^-3 at 1/n as well.",
    lambda n, **_: {"mu": 1 / n},
    "ill-conditioned at exact/well-*-[!4]*: Claim at mu = n^-3 what holds at 1/n.",
    lambda n, **_: {"mu": float(n) ** -3},
    "spent-too-much at exact/any-steps: Spend a little more than the budget.",
    lambda **_: {"excess": 0.5},
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


@judge.exact(
    instances={
        f"{kind}-conditioned-{n}": {"family": "V", "n": n, "mu": mu(n), "grows": kind == "ill"}
        for kind, mu in (("ill", lambda n: float(n) ** -3), ("well", lambda n: 1 / n))
        for n in NODES
    }
)
def conditioned(law: Law, n: int, mu: float, grows: bool, **_: Any) -> Comparisons:
    """The bounds on both constants and on the condition number, and the gain: of order n, or bounded."""
    matrices, mu = family("V", n), law.scale * mu
    matrices = replace(matrices, eigenvalues=law.scale * matrices.eigenvalues)
    shown: dict[str, Any] = {"witness": {"n": n, "mu": mu}}
    std = constants(law, matrices, mu, "std")[-1]
    # Trace and block constant agree, since every block has one value only.
    chi, beta = matrices.L / mu, matrices.d / n
    ratios = {"chi": chi, "rho": matrices.rho, "nu": matrices.nu_tr / beta, "n": n}
    yield eq("K of std in chi", std, law("std", chi=chi, rho=matrices.rho, n=n), ROUND_OFF, **shown)
    bound = law("mixed", **ratios)
    for method in ("vary", "block"):
        omega, Lcal, spent, K = constants(law, matrices, mu, method)
        ratio = std / K
        yield eq(f"budget of {method}", spent, beta, ROUND_OFF, **shown)
        for label, least, most in (
            (f"omega of {method}", omega, bound),
            (f"noise of {method}", Lcal / (n * mu), bound),
            (f"K of {method}, from above", K, law("plus", **ratios)),
            (f"least K of {method}", law("least", n=n), K),
            (f"gain of {method}, from below", law("lower", **ratios), ratio),
        ):
            yield le(label, least, most, ROUND_OFF, **shown)
        if n <= chi:
            least = law("order", n=n, rho=matrices.rho, nu=ratios["nu"])
            yield le(f"gain of {method} for bad conditioning", least, ratio, ROUND_OFF, **shown)
        most = law("upper", chi=chi)
        yield le(f"gain of {method}, from above", ratio, most, ROUND_OFF, headline=True, **shown)
        if grows:
            yield le(f"gain of {method} in V, from below", law("V_lower", n=n), ratio, ROUND_OFF, **shown)
        else:
            yield le(f"bounded gain of {method} in V", ratio, law("V_bounded"), ROUND_OFF, **shown)
