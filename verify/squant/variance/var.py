"""Checks of `squant/var`: all roundings enumerated in rationals, and the sampler against the formula."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction as F
from itertools import islice
from typing import Any

import numpy as np

import theory
from impl.compressors import StochasticQuantizer
from impl.compressors.contract import Draws
from verify.authoring import Comparisons, Law, checks_of, eq
from verify.binding import Check
from verify.comparison import ROUND_OFF
from verify.conformance.arguments import REFUSALS, arguments, taken
from verify.conformance.fast_and_literal import LARGER, agreement, exactly_literal, in_pieces, received
from verify.expectation.enumeration import diagonal_of, enumerate_moments
from verify.expectation.rational_norm import block_norms
from verify.expectation.weighted_error import weighted_error_sampler
from verify.foreign.adapter import adapt
from verify.foreign.inputs import structured_inputs
from verify.formulas.evaluation import evaluate
from verify.rungs.montecarlo import MonteCarloCase
from verify.sabotage.stochastic_quantizer import (
    FloorRounding,
    NearestRounding,
    SharedUniform,
    SwappedProbability,
    expand_steps,
    scaled_levels,
)
from verify.squant.fixtures.honest_twin import honest_twin

judge = checks_of("squant/var", quantizer=StochasticQuantizer, taken=taken, received=received)


judge.sabotage(*REFUSALS, *LARGER)


def _instance(x: Any, steps: Any, weight: Any, blocks: Any = None) -> dict[str, Any]:
    return {"x": x, "steps": steps, "weight": weight, "blocks": blocks}


INSTANCES = {
    "norm-7": _instance((2, 3, 6), (F(1, 2), F(1, 3), F(1, 4)), (1, 2, 4)),
    "norm-9": _instance((1, 4, 8), (F(1, 2),) * 3, (1, 1, 1)),
    "two-blocks": _instance((3, 4, 5, 12), (F(1, 2), F(1, 2), F(1, 3), F(1, 3)), (1, 2, 3, 4), (2, 2)),
    "ones-full-matrix": _instance((1,) * 4, (1,) * 4, ((1,) * 4,) * 4),
    "full-matrix": _instance(
        (1, -1, 1, -1, 4, 4),
        (F(1, 2), F(2, 3), F(3, 4), 1, F(5, 3), F(2, 5)),
        tuple(tuple(4 * (j == k) + (j + 1) * (k + 1) for k in range(6)) for j in range(6)),
    ),
    "zero-block": _instance(
        (0, 0, 3, 4, -2, 1, 2), (1, F(1, 2), F(1, 3), 2, F(1, 5), 1, 1), (1,) * 7, (2, 2, 3)
    ),
    "eight-coordinates": _instance(
        (1, 2, 3, 1, 3, 4, 0, 3), (F(1, 3), F(2, 7), 1, 3, F(1, 2), F(4, 5), 1, 2), (8, 7, 6, 5, 4, 3, 2, 1)
    ),
}

# Judged in floats only. The norms are 5, 10 and 15 in turn; all levels are whole but those of two blocks.
_MANY_BLOCKS = {
    "forty-blocks": _instance(
        tuple((1 + block % 3) * item for block in range(40) for item in (3, -4)),
        tuple(F(1, 2) if block in (7, 36) else F(1, 5) for block in range(40)),
        tuple(1 + j % 4 for j in range(80)),
        (2,) * 40,
    )
}


_EXACT = tuple(f"exact/{name}" for name in INSTANCES)
# At fractions 1/2 swapping changes nothing.
_UNEQUAL = tuple(f"exact/{name}" for name in INSTANCES if name != "ones-full-matrix")


class _LostOutcome(StochasticQuantizer):
    def outcomes(self, x: Any) -> Iterator[Any]:
        return islice(super().outcomes(x), 1, None)


judge.sabotage(
    "shared-uniform at montecarlo/nearly-diagonal*, montecarlo/messages-d25, exact/ones-full-matrix, "
    "exact/full-matrix: One uniform number for all coordinates: at ones with L = 11^T the variance is 16 "
    "instead of 4, while every diagonal check passes.",
    {"quantizer": SharedUniform},
)
judge.sabotage(
    "nearest-rounding at montecarlo/norm-7, montecarlo/ten-blocks-d1000: Round to the nearest level.",
    {"quantizer": NearestRounding},
    "floor-rounding at montecarlo/norm-7, montecarlo/ten-blocks-d1000: Always round down.",
    {"quantizer": FloorRounding},
    at=_EXACT,
)
_SWAPPED = "swapped-probability at montecarlo/norm-7: Round up with probability 1 - p instead of p."
judge.sabotage(_SWAPPED, {"quantizer": SwappedProbability}, at=_UNEQUAL)
_LOST = "lost-outcome at exact/irrational-norm: One outcome of the roundings is missing."
judge.sabotage(_LOST, {"quantizer": _LostOutcome}, at=_EXACT)


def _reversed(x: Any, steps: Any, weight: Any, blocks: Any) -> Mapping[str, Any]:
    rows = tuple(row[::-1] if hasattr(row, "__len__") else row for row in weight)
    return _instance(x[::-1], steps[::-1], rows[::-1], blocks and blocks[::-1])


_SAME = "permuted-coordinates, neutral: Permute input, steps, blocks and weights alike: nothing may change."
judge.sabotage_data(_SAME, _reversed, at=_EXACT)


def _values(x: Sequence[Any], steps: Sequence[Any], weight: Any, blocks: Any) -> dict[str, Any]:
    """Return the values of the formula, rational: levels and norms are computed literally."""
    exact, d = [F(item) for item in x], len(x)
    return {
        "u": scaled_levels(StochasticQuantizer(steps, blocks=blocks and list(blocks)), exact),
        "h": expand_steps(steps, blocks or (d,), d),
        "N": block_norms(exact, blocks or (d,)),
        "L": diagonal_of(weight),
        "d": d,
    }


@judge.exact(instances=INSTANCES)
def enumerated(law: Law, x: Any, steps: Any, weight: Any, blocks: Any) -> Comparisons:
    """Enumeration, the closed form in `impl` and the formula of the claim, all rational."""
    entries = [F(item) for item in x]
    quantizer = law.quantizer(steps, blocks=blocks and list(blocks))
    moments = enumerate_moments(quantizer, entries, weight)
    stated = law.exactly("exact", **_values(x, steps, weight, blocks))
    yield eq("total probability", moments.probability, 1)
    for mean, coordinate in zip(moments.mean, entries, strict=True):
        yield eq("mean", mean, coordinate)
    yield eq("enumerated variance", moments.second_moment, stated, headline=True)
    mixed = np.array([entries[0], *x[1:]], dtype=object)  # one Fraction among integers is enough
    yield eq("closed form", quantizer.variance(mixed, weight=weight), stated)
    diagonal = enumerate_moments(quantizer, entries, diagonal_of(weight))
    yield eq("variance for the diagonal", diagonal.second_moment, moments.second_moment)


@judge.exact(x=(1, 2, 3), steps=("1", "1/2", "1/4"))
def irrational_norm(law: Law, x: Any, steps: Any) -> Comparisons:
    """An input of norm sqrt(14), in floats."""
    h, L, point = [float(F(step)) for step in steps], (3.0, 1.0, 2.0), [float(item) for item in x]
    N = float(np.sqrt(14))
    u = [item / (step * N) for item, step in zip(point, h, strict=True)]
    stated = law("exact", u=u, h=h, L=L, N=(N,) * 3, d=3)
    quantizer = law.quantizer(h)
    moments = enumerate_moments(quantizer, point, L)
    yield eq("closed form in floats", quantizer.variance(point, weight=L), stated, ROUND_OFF, headline=True)
    yield eq("enumerated variance", moments.second_moment, stated, ROUND_OFF)
    for mean, coordinate in zip(moments.mean, point, strict=True):
        yield eq("mean", mean, coordinate, ROUND_OFF)


@judge.exact(
    instances={"floats": {"names": tuple(INSTANCES)}, "floats-in-many-blocks": {"names": tuple(_MANY_BLOCKS)}}
)
def floats(law: Law, names: Sequence[str]) -> Comparisons:
    """The closed form at float inputs and weights, for all instances."""
    for name in names:
        x, steps, weight, blocks = (INSTANCES | _MANY_BLOCKS)[name].values()
        quantizer = law.quantizer(steps, blocks=blocks and list(blocks))
        value = quantizer.variance([float(item) for item in x], weight=np.array(weight, dtype=float))
        stated = float(law.exactly("exact", **_values(x, steps, weight, blocks)))
        yield eq("closed form in floats", value, stated, ROUND_OFF, witness={"instance": name})


@judge.exact(
    x=((3, 4), (5, -12), (8, 15)),
    steps=((F(1, 2), F(1, 3)), (F(1, 4), 1), (F(2, 5), F(1, 7))),
    matrices=(((5, 1), (1, 2)), ((3, -2), (-2, 7)), ((1, 3), (3, 11))),
)
def nodes(law: Law, x: Any, steps: Any, matrices: Any) -> Comparisons:
    """Nodes with steps and matrices of their own, all at once: with the matrices, and their diagonals."""
    from impl.matrix_roots import MatrixRoots

    points, dense = np.array(x, dtype=float), np.array(matrices, dtype=float)
    diagonals = np.array([diagonal_of(matrix) for matrix in matrices], dtype=float)
    quantizer = law.quantizer([list(row) for row in steps])
    for weight in (dense, MatrixRoots.of_nodes(dense).diagonal, MatrixRoots.of_nodes(diagonals).diagonal):
        for node, value in enumerate(quantizer.variance(points, node_weight=weight)):
            stated = float(law.exactly("exact", **_values(x[node], steps[node], matrices[node], None)))
            yield eq("closed form in floats", float(value), stated, ROUND_OFF, witness={"node": node})


@judge.exact(d=7)
def literal(law: Law, d: int) -> Comparisons:
    """The fast form in all shapes, precisions and ranges of floats, in one tile and in many."""
    make, x = law.quantizer, np.sin(np.arange(1.0, d + 1))
    nodes, long, few = np.stack([x, -2 * x]), np.sin(np.arange(33001.0)), np.linspace(0.1, 0.7, d)
    wide = np.stack([long[:8200], -2 * long[:8200]])
    cases = {
        "one step": (make(0.3), x, (5, d)),
        "another code": (make(0.3, code="dense-gamma"), x, (d,)),
        "steps of coordinates": (make(few), x, (d,)),
        "steps of nodes": (make(np.stack([few, 2 * few])), nodes, (3, 2, d)),
        "one step for each node": (make([[0.2], [0.5]]), nodes, (2, d)),
        "nodes in many tiles": (make([[0.02], [0.005]]), wide, (2, 8200)),
        "nodes alike": (make(few), nodes, (2, 2, 2, d)),
        "blocks, one of them zero": (make([0.2, 0.5, 1], blocks=[2, 4, 1]), x * (np.arange(d) > 1), (2, d)),
        "many blocks, the last one longer": (make(0.5, blocks=[2] * 39 + [1, 6]), long[:85] + 1, (2, 85)),
        "many blocks, one beyond a tile": (make(1, blocks=[1] * 33 + [32968]), long + 2, (len(long),)),
        "norms of 32 bits": (make(0.3, norm_bits=32), x, (d,)),
        "large entries": (make(2.0, blocks=[3, 4]), 1e306 * x, (3, d)),
        "small entries": (make(0.5), 1e-300 * x, (3, d)),
        "small steps": (make(1e-15), x, (3, d)),
        "small and large steps": (make(np.geomspace(1e-15, 1e3, d)), 1e-290 * x, (3, d)),
        "one entry seven times": (make(0.3), np.broadcast_to(0.4, d), (d,)),
        "single precision": (make(0.3), x.astype(np.float32), (5, d)),
        "single precision in many tiles": (make(1), long.astype(np.float32), (2, len(long))),
        "many tiles": (make(0.01), long, (len(long),)),
        "many vectors": (make(few), np.outer(np.arange(1.0, 2402), x), (2401, d)),
        "many samples": (make(few), x, (2401, d)),
    }
    yield from agreement(law.received, cases, seed=d)
    many_rows = (make(0.5, blocks=[2] * 39 + [1, 6]), np.outer(np.arange(1.0, 301), long[:85] + 1), 0)
    yield from in_pieces(law.received, {"many vectors in many blocks": many_rows}, seed=d)
    # With a step of one norm an entry is zero or the norm, which is rounded once, from double precision.
    single, in_blocks = (long[:3000] + 1).astype(np.float32), make(1, norm_bits=32, blocks=[5] * 598 + [10])
    yield from exactly_literal(law.received, {"many blocks of single precision": (in_blocks, single)}, seed=d)


@judge.exact(d=2)
def domain(law: Law, d: int) -> Comparisons:
    """Steps are positive, blocks are not empty, draws lie in [0, 1); a zero is an input like any other."""
    x, make = np.array([3.0, -4.0]), law.quantizer
    draws = Draws(private=np.array([0.0, 0.75]))

    def quantized(x: Any = x, draws: Any = draws, **options: Any) -> Any:
        return lambda: make(**{"steps": 0.5, **options}).compress(x, draws)

    rational, below_one = Draws(private=[F(0), F(1, 2)]), Draws(private=[F(0), 1 - F(1, 2**60)])
    inside = {
        "one step": quantized(),
        "a step for each coordinate": quantized(steps=[F(1, 2), 3]),
        "a row for each node": quantized(np.stack([x, x]), Draws(private=np.zeros((2, 2))), steps=[[1], [3]]),
        "blocks of one coordinate": quantized(blocks=[1, 1], steps=[0.5, 2.0]),
        "a zero": quantized(0 * x),
        "a rational draw that rounds to 1": quantized(draws=below_one),
        "one coordinate": quantized(x[:1], Draws(private=np.zeros(1))),
        "lists in rational mode": lambda: make(F(1, 2)).reference([F(3), F(4)], rational),
    }
    outside: dict[str, Any] = {f"steps={h}": quantized(steps=h) for h in (0, -1, np.nan, np.inf, [], [1, 0])}
    outside |= {f"blocks={b}": quantized(blocks=b) for b in ([0, 2], [1.5, 0.5], [-1, 3], [1, 2], [], 2)}
    outside |= {f"x={item}": quantized(np.array([3.0, item])) for item in (np.nan, np.inf)}
    outside |= {f"draw={u}": quantized(draws=Draws(private=np.array([0, u]))) for u in (1, -0.25, np.nan)}
    outside |= {
        "no draws": quantized(draws=Draws()),
        "draws of another shape": quantized(draws=Draws(private=np.zeros(3))),
        "steps for other dimensions": quantized(steps=[1, 2, 3]),
        "steps of nodes for one vector": quantized(steps=[[1, 2], [3, 4]]),
        "a norm above 32 bits": quantized(1e39 * x, norm_bits=32),
        "a norm below 32 bits": quantized(1e-50 * x, norm_bits=32),
        "steps of three dimensions": quantized(steps=np.ones((1, 1, d))),
        "an unknown norm": quantized(norm="one"),
        "an unknown code": quantized(code="morse"),
        "norms of other lengths": quantized(norm_bits=16),
    }
    yield from arguments(law.taken, inside, outside)


def _nearly_diagonal(root: int) -> dict[str, Any]:
    """Return the ones vector of dimension root^2, all levels 1/2, with a weight that sees dependence.

    The weight 11^T alone makes the squared error too variable for sampling; a quarter of it is enough.
    """
    d = root * root
    weight = tuple(tuple((j == k) + F(1, 4) for k in range(d)) for j in range(d))
    return _instance((1,) * d, (F(2, root),) * d, weight)


@judge.montecarlo(
    label="sampled variance",
    instances={
        "norm-7": INSTANCES["norm-7"] | {"sent": False},
        "nearly-diagonal": _nearly_diagonal(4) | {"sent": False},
        "nearly-diagonal-d25": _nearly_diagonal(5) | {"sent": False},
        "messages-d25": _nearly_diagonal(5) | {"sent": True},
    },
)
def sampled(law: Law, x: Any, steps: Any, weight: Any, blocks: Any, sent: bool) -> MonteCarloCase:
    """The sampler has the stated variance, and so have messages that are sent, with draws of their own."""
    values = _values(x, steps, weight, blocks)
    matrix, point = np.array(weight, dtype=float), np.array(x, dtype=float)
    quantizer = law.quantizer(steps)

    def errors(rng: Any, size: int) -> Any:
        draws = quantizer.draw(rng, (size, len(x)))
        error = quantizer.reconstruct(quantizer.message(point, draws)) - point
        return np.einsum("rd,rd->r", error @ matrix, error)

    # No coordinate is off by a whole step.
    reach = np.array([float(h * N) for h, N in zip(values["h"], values["N"], strict=True)])
    full = matrix if matrix.ndim == 2 else np.diag(matrix)
    sample = errors if sent else weighted_error_sampler(quantizer, [float(item) for item in x], matrix)
    return MonteCarloCase(
        "eq", sample, float(law.exactly("exact", **values)), upper=float(reach @ np.abs(full) @ reach)
    )


@judge.montecarlo(instance="ten-blocks-d1000", label="sampled variance", d=1000, blocks=10, x="sin(1..d)")
def sampled_in_blocks(law: Law, d: int, blocks: int, **_: Any) -> MonteCarloCase:
    """The batched sampler in blocks with different steps."""
    point, L, steps = np.sin(np.arange(1, d + 1)), np.linspace(1, 3, d), np.linspace(0.05, 0.5, blocks)
    size = d // blocks
    quantizer = law.quantizer(steps, blocks=[size] * blocks)
    values = _float_values(point, np.repeat(steps, size), [size] * blocks)
    upper = float((L * (values["h"] * values["N"]) ** 2).sum())
    return MonteCarloCase(
        "eq", weighted_error_sampler(quantizer, point, L), law("exact", **values, L=L), upper=upper
    )


def _float_values(x: Any, h: Any, lengths: Sequence[int]) -> dict[str, Any]:
    """Return the values of the formula without the weight, in floats."""
    norms = np.repeat([np.linalg.norm(part) for part in np.split(x, np.cumsum(lengths)[:-1])], lengths)
    levels = np.divide(np.abs(x), h * norms, out=np.zeros(len(x)), where=norms > 0)
    return {"u": levels, "h": h, "N": norms, "d": len(x)}


def checks_for(compressor: Any, d: int) -> tuple[Check, ...]:
    """Return checks that a compressor with `steps` (and `blocks`) has the variance of the claim.

    Raises:
        UsageError: It has no steps.
    """
    foreign, twin = adapt(compressor, d, None), honest_twin(compressor)
    lengths = twin.blocks or (d,)
    h = np.array([float(step) for step in expand_steps(twin.steps, lengths, d)])

    def case(x: Any) -> MonteCarloCase:
        values = _float_values(x, h, lengths)
        return MonteCarloCase(
            "eq",
            lambda rng, size: foreign.squared_errors(x, rng, size),
            evaluate(theory.claim("squant/var").exact, {**values, "L": [1.0] * d}),
            upper=float(((h * values["N"]) ** 2).sum()),
        )

    # Without variance there is nothing to sample: x is then a point of the grid.
    inputs = [x for x in structured_inputs(d)[-2:] if float(twin.variance(x)) > 0]
    return tuple(Check("montecarlo", f"input-{index}", case(x), {"d": d}) for index, x in enumerate(inputs))
