"""Checks of `squant/finding-diana-step`: rounds of DIANA on one node, all outcomes in rationals."""

from collections.abc import Iterator
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import BernoulliSparsifier
from impl.optimizers import diana
from verify.authoring import Comparisons, Law, checks_of, eq, le, lt
from verify.rungs.montecarlo import MonteCarloCase

State = tuple[F, F]
PUBLIC: dict[str, Any] = {"L": 1, "omega": 1, "gamma": F(1, 3), "alpha": F(1, 2)}

judge = checks_of("squant/finding-diana-step", sparsifier=BernoulliSparsifier, method=diana)

judge.sabotage(
    "without-noise at exact/moments-*: Leave the noise out. | next_x = next_x(omega = 0), "
    "next_h = next_h(omega = 0), next_cross = next_cross(omega = 0)",
    "plain-weight at exact/edge-*: Weigh the shifts by half of it. | potential = (potential + x_next) / 2",
    "half-excess at exact/moments-*: Half of what exceeds the factor. | exact = (exact + bound) / 2",
    "linear-edge at exact/edge-*: Take $\\alpha$ for its root in the largest step. "
    "| largest_step = alpha / (L * (1 - alpha))",
    "faster-form at exact/public: Let the form shrink by four fifths. | form = 24 * form / 25",
    "slower-floor at exact/public-rounds: Let the squares shrink by seven eighths only. "
    "| floor = floor * (21 / 20)**(k + 12)",
)


class Rarely(BernoulliSparsifier):
    """Keep with a probability that is a tenth too small, and divide by the stated one."""

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Any]]:
        for place, (chance, draws) in enumerate(super().outcomes(x)):
            yield chance + (F(-1, 10) if place == 0 else F(1, 10)) * chance, draws


judge.sabotage(
    "other-chances at exact/moments-*, exact/edge-*, exact/public: Outcomes with other chances.",
    {"sparsifier": Rarely},
    "slow-shifts at montecarlo/*: The shifts learn half as fast.",
    lambda law: law.replace(method=_slower),
)


def _slower(*arguments: Any, learning_rate: float, **options: Any) -> Any:
    return diana(*arguments, learning_rate=learning_rate / 2, **options)


def rounds_from(
    law: Law, state: State, *, L: Any, omega: Any, gamma: Any, alpha: Any
) -> Iterator[tuple[F, State]]:
    """Yield the chances and states (x, h) after one round of the method on f = L/2 x^2."""
    x, h = state
    y = [F(L * x - h)]
    sparsifier = law.sparsifier([1 / (1 + F(omega))])
    for chance, draws in sparsifier.outcomes(y):
        (message,) = sparsifier.reference(y, draws)
        yield chance, (x - gamma * (h + message), h + alpha * message)


def expectations(law: Law, states: list[tuple[F, State]]) -> dict[str, F]:
    """Return the expected squares and product of leaves with their chances."""
    return {
        "x_next": sum((chance * x * x for chance, (x, _) in states), F(0)),
        "h_next": sum((chance * h * h for chance, (_, h) in states), F(0)),
        "cross": sum((chance * x * h for chance, (x, h) in states), F(0)),
    }


def potential(law: Law, found: dict[str, F], **steps: Any) -> Any:
    """Return the expected Lyapunov function of the leaves."""
    return law.exactly("potential", x_next=found["x_next"], h_next=found["h_next"], **steps)


@judge.exact(
    instances={
        "moments-unit": {"L": 1, "omega": 1, "gamma": F(1, 3)},
        "moments-noisy": {"L": F(5, 2), "omega": 9, "gamma": F(1, 40)},
        "moments-long-step": {"L": F(1, 3), "omega": F(1, 3), "gamma": 2},
    },
    x=[F(3), F(-1, 2)],
    h=[F(0), F(7, 3), F(-2)],
)
def moments(law: Law, L: Any, omega: Any, gamma: Any, x: F, h: F) -> Comparisons:
    """All outcomes of one round, at the learning rate of the theorem and at another one."""
    for alpha in (law.exactly("learning_rate", omega=omega), F(2, 5)):
        steps = {"L": L, "omega": omega, "gamma": gamma, "alpha": alpha}
        found = expectations(law, list(rounds_from(law, (x, h), **steps)))
        at = {"x": x, "h": h, "L": L, "omega": omega}
        yield eq("squared point", found["x_next"], law.exactly("next_x", gamma=gamma, **at))
        yield eq("squared shift", found["h_next"], law.exactly("next_h", alpha=alpha, **at))
        yield eq("product", found["cross"], law.exactly("next_cross", gamma=gamma, alpha=alpha, **at))
        if alpha != F(2, 5):
            value = potential(law, found, omega=omega, gamma=gamma, alpha=alpha)
            bound = law.exactly("exact", gamma=gamma, alpha=alpha, **at)
            yield eq("Lyapunov function", value, bound, headline=True)


@judge.exact(
    instances={
        "edge-1": {"omega": 1, "L": 1},
        "edge-7": {"omega": 7, "L": F(3, 2)},
        "edge-3.5": {"omega": F(7, 2), "L": 4},
    },
    x=[F(1), F(-2)],
    h=[F(2), F(0)],
)
def edge(law: Law, omega: Any, L: Any, x: F, h: F) -> Comparisons:
    """At learning rates with rational roots: the largest step, and steps beyond it."""
    alpha = law.exactly("learning_rate", omega=omega)
    largest = law.exactly("largest_step", L=L, alpha=alpha)
    yield eq("ratio of steps", largest, law.exactly("ratio_step", L=L, alpha=alpha, omega=omega))
    for factor in (F(1), F(1001, 1000), F(3, 2)):
        steps = {"L": L, "omega": omega, "gamma": factor * largest, "alpha": alpha}
        found = expectations(law, list(rounds_from(law, (x, h), **steps)))
        del steps["L"]
        value = potential(law, found, **steps)
        bound = law.exactly("bound", x=x, h=h, **steps)
        if factor == 1:
            yield eq("at the largest step", value, bound)
        else:
            yield lt("beyond the largest step", bound, value)


@judge.exact(x=[F(1), F(0), F(-3)], h=[F(2), F(-1, 2)])
def public(law: Law, x: F, h: F) -> Comparisons:
    """The step and learning rate of public code shrink the form by five sixths."""
    at = PUBLIC | {"alpha": law.exactly("public_rate", omega=PUBLIC["omega"])}
    found = expectations(law, list(rounds_from(law, (x, h), **at)))
    yield eq("public step", law.exactly("next_form", **found), F(5, 6) * law.exactly("form", x=x, h=h))


@judge.exact(x=2, h=[0, 3, -1], rounds=7)
def public_rounds(law: Law, x: int, h: int, rounds: int) -> Comparisons:
    """Seven rounds with all their outcomes: the expected squares stay above the floor."""
    yield eq("floor at the start", law.exactly("floor", x=x, h=h, k=0), F(x * x + h * h, 5))
    for k, leaves in enumerate(_levels(law, (F(x), F(h)), rounds)):
        found = expectations(law, leaves)
        floor = law.exactly("floor", x=x, h=h, k=k)
        yield le(
            "public rounds", floor, found["x_next"] + found["h_next"], witness={"x": x, "h": h, "round": k}
        )


def _levels(law: Law, start: State, rounds: int) -> Iterator[list[tuple[F, State]]]:
    leaves = [(F(1), start)]
    for _ in range(rounds):
        yield leaves
        leaves = [
            (chance * next_chance, state)
            for chance, before in leaves
            for next_chance, state in rounds_from(law, before, **PUBLIC)
        ]
    yield leaves


@judge.montecarlo(rounds=2, x=1, label="sampled rounds")
def sampled_rounds(law: Law, x: int, rounds: int) -> MonteCarloCase:
    """The public method at the public step: squared distances after two rounds from a zero shift."""
    from impl.problems import Quadratic

    *_, leaves = _levels(law, (F(x), F(0)), rounds)
    squares = [float(state[0] ** 2) for _, state in leaves]

    def sample(rng: Any, size: int) -> Any:
        run = law.method(
            Quadratic(np.eye(1)[None]),
            BernoulliSparsifier([0.5]),
            step_size=1 / 3,
            learning_rate=0.5,
            rounds=rounds,
            rng=rng,
            replicates=size,
            start=np.ones(1) * x,
        )
        return run.distance_sq[:, -1]

    exact = float(expectations(law, leaves)["x_next"])
    return MonteCarloCase("eq", sample, exact, lower=0.0, upper=max(squares), resolution=0.02)
