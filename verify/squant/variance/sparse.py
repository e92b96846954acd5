"""Checks of `squant/sparse`: enumeration, the constant at its worst input, the optimal probabilities."""

import itertools
from collections.abc import Iterator
from fractions import Fraction as F
from math import prod
from typing import Any

import numpy as np

from impl.compressors import BernoulliSparsifier
from impl.compressors.contract import Draws
from verify.authoring import Comparisons, Law, checks_of, eq, le, lt
from verify.comparison import EXACT, ROOT, ROUND_OFF
from verify.conformance.arguments import REFUSALS, arguments, taken
from verify.conformance.fast_and_literal import LARGER, agreement, received
from verify.expectation.enumeration import diagonal_of, enumerate_moments, quadratic_form
from verify.expectation.weighted_error import weighted_error_sampler
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase


def optimal(law: Law, L: Any, tau: float) -> tuple[float, ...]:
    """Return the probabilities of the claim."""
    c = law("exact", L=L, tau=tau, d=len(L))
    return tuple(law("probability", L=L, c=c, j=j) for j in range(len(L)))


judge = checks_of(
    "squant/sparse", sparsifier=BernoulliSparsifier, probabilities=optimal, taken=taken, received=received
)
judge.sabotage(*REFUSALS, *LARGER)

_ENUMERATED: dict[str, dict[str, Any]] = {
    "two-coordinates": {"x": (3, -2), "p": (F(2, 3), F(1, 3)), "weight": (4, 1)},
    "full-matrix": {
        "x": (1, -2, 3, 5, 0, 7),
        "p": (F(1, 2), F(1, 3), F(4, 5), F(1, 7), F(2, 9), F(1)),
        "weight": tuple(tuple(3 * (j == k) + (j + 1) * (k + 1) for k in range(6)) for j in range(6)),
    },
}

# Weights and budget tau; the optimal constant c is the root of the claim.
_OPTIMA: dict[str, dict[str, Any]] = {
    "two-weights": {"L": (4.0, 1.0), "tau": 1.0},
    "four-weights": {"L": (9.0, 4.0, 1.0, 1.0), "tau": 2.0},
    "identity-d10": {"L": (1.0,) * 10, "tau": 4.0},
    "wide-spectrum": {"L": tuple(10.0**-k for k in range(6)), "tau": 2.5},
    "small-budget": {"L": (2.0, 1.0, 1.0), "tau": 0.05},
}


class Undivided(BernoulliSparsifier):
    """Send b_j x_j without dividing by p_j."""

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        received = super().reference(x, draws, side)
        return [item * p for item, p in zip(received, self.probabilities, strict=True)]

    def sample_chunks(self, x: Any, rng: Any, size: int) -> Iterator[Any]:
        p = np.array([float(item) for item in self.probabilities])
        for chunk in super().sample_chunks(x, rng, size):
            yield chunk * p


class OtherLastEntry(BernoulliSparsifier):
    """A literal method whose last entry is a hundred-thousandth larger; all other forms agree."""

    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        found = np.array(super().reference(x, draws, side))
        found[..., -1] *= 1 + 1e-5
        return found.tolist()


class SharedUniform(BernoulliSparsifier):
    """One uniform number for all coordinates."""

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        ends = sorted({F(0), F(1), *map(F, self.probabilities)})
        for low, high in itertools.pairwise(ends):
            yield high - low, Draws(private=[(low + high) / 2] * len(x))

    def sample_chunks(self, x: Any, rng: Any, size: int) -> Iterator[Any]:
        p = np.array([float(item) for item in self.probabilities])
        yield np.where(rng.random((size, 1)) < p, x / p, 0.0)


class Forgetful(BernoulliSparsifier):
    """Its list of outcomes lacks the first one."""

    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        return itertools.islice(super().outcomes(x), 1, None)


judge.sabotage(
    "no-division at exact/two-coordinates, exact/full-matrix, montecarlo/*: Send b_j x_j without 1/p_j: "
    "bias (1 - p_j) x_j.",
    {"sparsifier": Undivided},
    "shared-uniform at exact/full-matrix, montecarlo/*: One uniform number for all coordinates.",
    {"sparsifier": SharedUniform},
    "forgotten-outcome at exact/two-coordinates, exact/full-matrix: Forget an outcome.",
    {"sparsifier": Forgetful},
    "other-last-entry at exact/literal: A literal method that is off in the last entry alone.",
    {"sparsifier": OtherLastEntry},
    "uniform-probabilities at exact/optimum-*-weights, exact/optimum-wide-spectrum, "
    "exact/optimum-small-budget, adversarial/*: Use p_j = tau/d and claim the optimal c: 4 against 2 at L = "
    "(4, 1), tau = 1.",
    lambda law: law.replace(
        probabilities=lambda law, L, tau: (law("uniform_probability", tau=tau, d=len(L)),) * len(L)
    ),
    "ninety-percent at exact/two-coordinates, exact/full-matrix: Claim nine tenths of the constants. "
    "| coordinate = 9 * coordinate / 10",
)


def _permuted(**arguments: Any) -> dict[str, Any]:
    changed = {name: item[::-1] if hasattr(item, "__len__") else item for name, item in arguments.items()}
    if hasattr(changed.get("weight", (0,))[0], "__len__"):
        changed["weight"] = tuple(row[::-1] for row in changed["weight"])
    return changed


judge.sabotage_data(
    "permuted-coordinates, neutral at exact/*: Permute all arguments alike: nothing may change.", _permuted
)


@judge.exact(instances=_ENUMERATED)
def enumerated(law: Law, x: Any, p: Any, weight: Any) -> Comparisons:
    """All subsets against the variance of the claim, in rationals."""
    x = [F(item) for item in x]
    sparsifier = law.sparsifier(list(p))
    moments = enumerate_moments(sparsifier, x, weight)
    diagonal = diagonal_of(weight)
    stated = law.exactly("variance", L=diagonal, p=p, x=x, d=len(x))
    yield eq("total probability", moments.probability, 1)
    for mean, item in zip(moments.mean, x, strict=True):
        yield eq("mean", mean, item)
    yield eq("enumerated variance", moments.second_moment, stated)
    yield eq("closed form", sparsifier.variance(x, weight=weight), stated)
    constants = [law.exactly("coordinate", L=diagonal, p=p, j=j) for j in range(len(x))]
    for j, constant in enumerate(constants):
        unit = [F(j == k) for k in range(len(x))]
        found = enumerate_moments(sparsifier, unit, weight).second_moment
        yield eq("variance at a coordinate vector", found, constant, witness={"x": unit})
    bound = max(constants) * sum(item * item for item in x)
    yield le("variance", moments.second_moment, bound, headline=True)


_NODES: dict[str, Any] = {
    "x": ((3, -2, 1), (1, 5, 2)),
    "p": ((F(2, 3), F(1, 3), F(1, 4)), (F(1, 2), F(1, 5), F(3, 4))),
    "weights": ((4, 1, 2), (1, 3, 5)),
}


@judge.exact(instances={"by-node": {**_NODES, "number": "F"}, "by-node-in-floats": {**_NODES, "number": "f"}})
def by_node(law: Law, x: Any, p: Any, weights: Any, number: str) -> Comparisons:
    """Nodes with probabilities of their own: all subsets received, and the closed form, of all at once."""
    in_floats, d = number == "f", len(x[0])
    sparsifier = law.sparsifier([list(row) for row in p])

    def given(rows: Any) -> Any:
        nested = [[F(item) for item in row] for row in rows]
        return np.array(nested, dtype=float) if in_floats else nested

    points, second = given(x), [F(0)] * len(x)
    for kept in itertools.product((False, True), repeat=d):
        ends = [[p_j / 2 if k else (1 + p_j) / 2 for k, p_j in zip(kept, row, strict=True)] for row in p]
        draws = Draws(private=given(ends))
        received = (sparsifier.compress if in_floats else sparsifier.reference)(points, draws)
        for node, row in enumerate(p):
            chance = prod(p_j if k else 1 - p_j for k, p_j in zip(kept, row, strict=True))
            error = [a - b for a, b in zip(received[node], points[node], strict=True)]
            second[node] += chance * quadratic_form(error, weights[node])
    closed = sparsifier.variance(points, node_weight=given(weights))
    tolerance = ROUND_OFF if in_floats else EXACT
    for node, row in enumerate(p):
        stated = law.exactly("variance", L=weights[node], p=row, x=x[node], d=d)
        yield eq("enumerated variance", second[node], stated, tolerance, witness={"node": node})
        yield eq("closed form", closed[node], stated, tolerance, witness={"node": node})


@judge.montecarlo(
    instance="full-matrix-d60", parameters={"d": 60, "x": "ones", "p": "0.3 to 0.9", "weight": "I + 11^T/50"}
)
def sampled_variance(law: Law) -> MonteCarloCase:
    """The sparsifier with unequal probabilities and a full weight, at an input of low variability."""
    d = 60
    x, p, weight = np.ones(d), np.linspace(0.3, 0.9, d), np.eye(d) + 0.02
    # A coordinate is lost, error 1, or sent too large, error 1/p - 1.
    reach = np.maximum(1.0, 1 / p - 1)
    return MonteCarloCase(
        "eq",
        weighted_error_sampler(law.sparsifier(p.tolist()), x, weight),
        law("variance", L=np.diagonal(weight).tolist(), x=x.tolist(), p=p.tolist(), d=d),
        upper=float(reach @ weight @ reach),
    )


@judge.exact(instances={f"optimum-{name}": item for name, item in _OPTIMA.items()})
def optimum(law: Law, L: Any, tau: float) -> Comparisons:
    """Every coordinate vector has the variance c, which is below tr L / tau; other probabilities do worse."""
    d = len(L)
    c, p = law("exact", L=L, tau=tau, d=d), law.probabilities(law, L, tau)
    yield eq("budget", sum(p), tau, ROOT)
    for unit in np.eye(d):
        value = float(law.sparsifier(list(p)).variance(unit, weight=L))
        yield eq("constant of a coordinate", value, c, ROOT, witness={"x": unit}, headline=True)
    yield lt("optimal constant below the trace", c, law("trace_bound", L=L, tau=tau, d=d), ROUND_OFF)
    for shift in (0.9, 0.99, 1.01):
        moved = np.array(p)
        moved[0] *= shift
        moved[1:] *= (tau - moved[0]) / moved[1:].sum()
        if moved.max() <= 1:
            worst = law.sparsifier(moved.tolist()).variance(np.eye(d), weight=L).max()
            yield le("other probabilities", c, float(worst), ROUND_OFF, witness={"p": moved})


@judge.adversarial(instances={name: _OPTIMA[name] for name in ("two-weights", "wide-spectrum")})
def searched(law: Law, L: Any, tau: float) -> AdversarialCase:
    """No input has a variance above c times its squared norm."""
    c = law("exact", L=L, tau=tau, d=len(L))
    sparsifier = law.sparsifier(list(law.probabilities(law, L, tau)))
    return AdversarialCase(
        lambda inputs: sparsifier.variance(inputs, weight=L),
        lambda inputs: c * (inputs**2).sum(axis=-1),
        len(L),
        budget=3000,
    )


@judge.exact(d=5)
def literal(law: Law, d: int) -> Comparisons:
    """The fast form in all shapes and precisions, with a zero among the entries."""
    make, x = law.sparsifier, np.array([3.0, 0.0, -2.0, 1.5, 5e-324])
    few, nodes = np.linspace(0.2, 1.0, d), np.stack([x, 1 - 2 * x])
    cases = {
        "one probability": (make(0.3), x, (40, d)),
        "probabilities of coordinates": (make(few), nodes, (20, 2, d)),
        "probabilities of nodes": (make(np.stack([few, few / 2])), nodes, (20, 2, d)),
        "one vector": (make(few), x, (d,)),
        "entries of 32 bits": (make(few, value_bits=32), 1 / (3 + x), (20, d)),
        "single precision": (make(few), x.astype(np.float32), (20, d)),
    }
    yield from agreement(law.received, cases, seed=d)


@judge.exact(d=2)
def domain(law: Law, d: int) -> Comparisons:
    """Probabilities are above 0 and at most 1; an entry over its probability must be a number."""
    x, make, draws = np.array([3.0, -4.0]), law.sparsifier, Draws(private=np.array([0.0, 0.75]))

    def sent(p: Any = 0.5, x: Any = x, draws: Any = draws, bits: int = 64) -> Any:
        return lambda: make(p, value_bits=bits).compress(x, draws)

    inside = {
        "one": sent(1),
        "a probability for each coordinate": sent([F(1, 2), 1]),
        "a row for each node": sent([[0.5, 1], [1, 0.25]], np.stack([x, x]), Draws(private=np.zeros((2, 2)))),
        "the least positive number": sent([5e-324, 1], np.array([0.0, 1.0])),
        "entries of 32 bits": sent(bits=32),
    }
    outside: dict[str, Any] = {f"p={p}": sent(p) for p in (0, -0.5, 1.5, np.nan, [], [0.5, 0], [[[1]]])}
    outside |= {f"x={item}": sent(x=np.array([3.0, item])) for item in (np.nan, np.inf)}
    outside |= {f"draw={u}": sent(draws=Draws(private=np.array([0, u]))) for u in (1, -0.25, np.nan)}
    outside |= {
        "x over p beyond all numbers": sent(1e-300, np.array([1e10, 1.0]), Draws(private=np.zeros(2))),
        "probabilities for other dimensions": sent([1, 1, 1]),
        "entries of other lengths": sent(bits=16),
    }
    yield from arguments(law.taken, inside, outside)
