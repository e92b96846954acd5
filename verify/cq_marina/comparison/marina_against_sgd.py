"""Checks of `cq_marina/marina-against-sgd`: errors with noise, prices in rationals, runs on both sides."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import CorrelatedQuantizer, IndependentQuantizer, PermK
from verify.authoring import Comparisons, Law, checks_of, eq, le, lt
from verify.comparison import ORACLE, printed
from verify.experiments.cq_marina.against_sgd import SETTINGS, Pair
from verify.rungs.costs import CostCase, Ordering, Samples

REPLICATES = 36
"""The least with which an interval of a median exists at level 1e-9 shared by some twenty quantities."""
# Rounds of SGD and MARINA beyond the crossover: SGD is cut off where it has lost.
ROUNDS = {10: (400, 160), 50: (260, 140), 200: (130, 80)}
EARLY = 160
"""Rounds of both where SGD needs fewer bits; runs end as soon as all have arrived, those of a mutant here."""
NAMES = {"shifted": "shifts", "sampled": "shifts and noise", "alike": "noise"}
EQUAL_ACCURACIES = (1e-2, 1e-3)

judge = checks_of("cq_marina/marina-against-sgd", order=1, steps=(F(1, 16), F(1, 2), F(7, 8), F(1)))

judge.sabotage(
    "noise-averaged at exact/stochastic-gradients: As if the quantizers saw the noise of the mean only. "
    "| sigma_sq = A * S_sq + (A + 1 - B) * noise_sq / n",
    "without-mean at exact/stochastic-gradients: Leave out the noise of the mean. "
    "| sigma_sq = A * (S_sq + noise_sq)",
    "shifts-forgotten at exact/stochastic-gradients: Leave out the shifts. | sigma_sq = sigma_sq(S_sq = 0)",
    "half-of-it at exact/correlated-gradients: Claim half of the error. "
    "| sigma_sq = sigma_sq / 2 - A * S_sq / 2",
    "cheaper at exact/prices, exact/crossovers-in-rationals: Claim half the price of a step. "
    "| bound = bound / 2",
    "dearer at exact/prices: Claim twice the lowest prices. | fine = 2 * fine, coarse = 2 * coarse",
    "longest at exact/prices: Take the longest step always. | step = 1 / (1 + a)",
    "too-late at exact/crossovers-in-rationals: Put the crossover twice as far. "
    "| crossover_fine = 2 * crossover_fine, crossover_coarse = 2 * crossover_coarse",
    "more-accurate at exact/crossovers: A third of the error that stays. | sigma_sq = sigma_sq / 3",
    "turned at run/noise-of-10, run/equal-10: Turn the orders. | order = -1",
    "at-the-crossover at run/noise-of-10: Claim the bits of MARINA at the crossover, where SGD needs fewer. "
    "| below = 1",
    "beyond-it at run/noise-of-10: Claim the bits of SGD beyond the crossover. | above = 1 / 6",
)


# ---------------------------------------------------------------- the error of the estimate


@judge.exact(direction=(2, 3, 6), place=F(3, 2), shift=[F(1, 2), F(0)], noise=[F(2), F(0)])
def stochastic_gradients(law: Law, direction: Any, place: F, shift: F, noise: F) -> Comparisons:
    """Two clients, signs of the noise enumerated: independent quantizers and PermK attain the bound."""
    e = np.array([F(item) for item in direction])
    square, n, d = (e**2).sum(), 2, len(e)
    values = {"n": n, "S_sq": shift**2 * square, "noise_sq": noise**2 * square}
    for name, joint, A, B in (
        ("independent", IndependentQuantizer("binary"), F(d - 1, n), F(0)),
        ("PermK", PermK(), F(1), F(1)),
    ):
        found = _error(joint, [(place + shift) * e, (place - shift) * e], noise * e)
        stated = (A - B) * place**2 * square + law.exactly("sigma_sq", A=A, B=B, **values)
        yield eq("error of stochastic gradients", found, stated, witness={"quantizer": name}, headline=True)


@judge.exact(clients=4, noise=[0.0, 0.5, 3.0], shift=[0.0, 1.0])
def correlated_gradients(law: Law, clients: int, noise: float, shift: float) -> Comparisons:
    """The error with correlated quantizers is at most the bound."""
    d, joint = 8, CorrelatedQuantizer("binary")
    u = np.array([3.0, *(d - 1) * [1.0]])
    unit, pair = np.eye(d)[1], law.of("cq_marina/ab-cq")
    A, B = (pair(name, n=clients, d=d) for name in ("A", "B"))
    found = _error(joint, [u + (-1) ** i * shift * unit for i in range(clients)], noise * unit)
    staying = law("sigma_sq", A=A, B=B, n=clients, S_sq=shift**2, noise_sq=noise**2)
    witness = {"noise": noise, "shift": shift}
    yield le(
        "error with correlated quantizers", found, (A - B) * (u**2).sum() + staying, ORACLE, witness=witness
    )


def _error(joint: Any, means: Sequence[Any], noise: Any) -> Any:
    """Return E||g - grad f||^2 for noise of independent signs at the clients."""
    center, found = sum(means) / len(means), []
    for signs in itertools.product((1, -1), repeat=len(means)):
        given = [mean + sign * noise for mean, sign in zip(means, signs, strict=True)]
        moved = sum(given) / len(given) - center
        found.append(joint.variance(given) + (moved**2).sum())
    return sum(found) / len(found)


# ---------------------------------------------------------------- prices


@judge.exact(c=F(1, 16), a=[F(0), F(1, 3), F(2)], rho=[F(1, 8), F(1, 2), F(3, 2), F(5)])
def prices(law: Law, c: F, a: F, rho: F) -> Comparisons:
    """The price of a step by the bound of distributed gradients, the lowest one, and other steps."""
    step, where = law.exactly("step", a=a, rho=rho), {"a": a, "rho": rho}
    late = 2 * rho >= 1 + a
    lowest = law.exactly("fine", c=c, rho=rho) if late else law.exactly("coarse", c=c, a=a, rho=rho)
    yield eq("price of the best step", law.exactly("bound", c=c, y=step, rho=rho), lowest, witness=where)
    # L = 3, an accuracy of 1/4, a gap of 2 at the start and 8 coordinates.
    L, square, gap, d = 3, F(1, 4), 2, 8
    whole = 32 * d * 2 * gap * L / square
    for part in law.steps:
        y = part / (1 + a)
        price = law.exactly("bound", c=c, y=y, rho=rho) if rho * y < 1 else None
        if price is None:
            continue
        yield le("price of every step", lowest, price, witness={**where, "y": y})
        left = law.of("cq_marina/dsgd").exactly(
            "bound", Delta_0=gap, gamma=y / L, L=L, sigma_sq=rho * square, T=price * whole / (32 * d * c)
        )
        yield eq("price of a step", left, square, witness={**where, "y": y})


@judge.exact(c=[F(1, 16), F(1, 32)], root=[F(1, 16), F(1, 4), F(1), F(2)], odds=[F(2), F(5), F(8)])
def crossovers_in_rationals(law: Law, c: F, root: F, odds: F) -> Comparisons:
    """The crossover at A - B = root^2 and p = 1/(1 + odds^2), and both sides of it."""
    a = root**2
    Psi = law.exactly("marina", p=1 / (1 + odds**2), c=c, a=a)
    dear = Psi >= 2 * c * (1 + a)
    if Psi <= c * (1 + a):
        return
    at = (
        law.exactly("crossover_fine", Psi=Psi, c=c)
        if dear
        else law.exactly("crossover_coarse", Psi=Psi, c=c, a=a)
    )
    where = {"a": a, "c": c, "Psi": Psi}

    def best(rho: F) -> Any:
        return law.exactly("bound", c=c, y=law.exactly("step", a=a, rho=rho), rho=rho)

    yield eq("crossover", best(at), Psi, witness=where)
    for part in (F(1, 8), F(1, 2), F(15, 16)):
        yield le("before the crossover", best(part * at), Psi, witness={**where, "part": part})
    for part in (F(17, 16), F(2), F(8)):
        rho = part * at
        for share in law.steps:
            y = share * law.exactly("step", a=a, rho=rho)
            price = law.exactly("bound", c=c, y=y, rho=rho)
            yield lt("beyond the crossover", Psi, price, witness={**where, "part": part, "y": y})


@judge.exact(n=[10, 50, 200], d=32)
def crossovers(law: Law, n: int, d: int) -> Comparisons:
    """The squared gradient norms of the crossovers on the quadratics that run."""
    for name, words in NAMES.items():
        found = Pair(n, SETTINGS[name], law)
        stated = law(f"crossover_{name}", n=n)
        yield eq(f"crossover of {words}", found.crossover, stated, printed(3), witness={"n": n})


# ---------------------------------------------------------------- runs


def samples_of(
    pair: Pair,
    accuracy: float,
    rounds: tuple[int, int],
    replicates: int,
    stream: Callable[[int], Any],
    number: int,
) -> tuple[Samples, Samples]:
    """Return the bits of SGD and of MARINA to an accuracy."""
    return (
        pair.bits_of_sgd(accuracy, stream(2 * number), rounds[0], replicates),
        pair.bits_of_marina(accuracy, stream(2 * number + 1), rounds[1], replicates),
    )


def _pair(law: Law, first: str, second: str, share: float) -> Ordering:
    smaller, larger = (first, second)[:: law.order]
    return Ordering(smaller, larger, share)


@judge.costs(
    instances={"noise-of-10": {"n": 10, "settings": ("alike",)}},
    label="medians of the bits",
    d=32,
    replicates=40,  # of 36 a single slow run would leave it open
)
@judge.costs(
    instances={f"clients-{n}": {"n": n, "settings": tuple(NAMES)} for n in ROUNDS},
    label="medians of the bits",
    profile="full",
    d=32,
    replicates=REPLICATES,
)
def both_sides(law: Law, n: int, settings: Sequence[str], replicates: int, **_: Any) -> CostCase:
    """Both methods above and below the squared gradient norm of the crossover."""
    claims = []
    for name in settings:
        claims.append(_pair(law, f"SGD above, {name}", f"MARINA above, {name}", law("half")))
        claims.append(_pair(law, f"MARINA below, {name}", f"SGD below, {name}", law("most")))
    sides = {"above": (law("above"), (EARLY, EARLY)), "below": (1 / law("below"), ROUNDS[n])}

    def samples(stream: Callable[[int], Any]) -> Mapping[str, Samples]:
        found: dict[str, Samples] = {}
        for number, (name, side) in enumerate(itertools.product(settings, sides)):
            (factor, rounds), pair = sides[side], Pair(n, SETTINGS[name], law)
            both = samples_of(pair, factor * pair.crossover, rounds, replicates, stream, number)
            found |= zip((f"SGD {side}, {name}", f"MARINA {side}, {name}"), both, strict=True)
        return found

    return CostCase(samples, claims)


@judge.costs(
    instances={"equal-10": {"n": 10}}, label="medians without shifts and noise", d=32, replicates=REPLICATES
)
@judge.costs(
    instances={"equal-50": {"n": 50}, "equal-200": {"n": 200}},
    label="medians without shifts and noise",
    profile="full",
    d=32,
    replicates=REPLICATES,
)
def equal_clients(law: Law, n: int, replicates: int, **_: Any) -> CostCase:
    """Full gradients of equal clients: no error stays, and SGD needs fewer bits to both norms."""
    claims = [
        _pair(law, f"SGD to {square:g}", f"MARINA to {square:g}", law("half")) for square in EQUAL_ACCURACIES
    ]

    def samples(stream: Callable[[int], Any]) -> Mapping[str, Samples]:
        found: dict[str, Samples] = {}
        for number, square in enumerate(EQUAL_ACCURACIES):
            pair, rounds = Pair(n, SETTINGS["equal"], law), (EARLY, EARLY)
            both = samples_of(pair, square, rounds, replicates, stream, number)
            found |= zip((f"SGD to {square:g}", f"MARINA to {square:g}"), both, strict=True)
        return found

    return CostCase(samples, claims)
