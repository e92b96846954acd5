"""Checks of `ndqsg/finding-scale-dependence`: the covariance over all dithers, and for Student gradients."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import DitheredQuantizer
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import ROUND_OFF, Comparison, printed
from verify.ndqsg.fixtures.dithers import grid_factor
from verify.rungs.montecarlo import MonteCarloCase

POINTS, M = 4, 2
DIRECTIONS = ((F(1), F(1)), (F(1, 2), F(-1)), (F(-3), F(2)), (F(1, 4), F(1)))
LENGTHS = ((F(1), F(2)), (F(1), F(1, 3)), (F(1), F(5)))

judge = checks_of("ndqsg/finding-scale-dependence", quantizer=DitheredQuantizer, fixed=False)


judge.sabotage(
    "independent at exact/two-lengths, montecarlo/two-lengths: Claim nearly the covariance 0 of independent "
    "variables, a thousandth of it. | two_lengths = two_lengths / 1000",
    "fixed-scale at exact/two-lengths, montecarlo/two-lengths: Use a fixed scale for both lengths: noise "
    "and gradient are then independent. | fixed = True",
)
judge.sabotage_data(
    "negated, neutral at exact/two-lengths: Negate the gradient: nothing may change.",
    lambda directions, lengths: {"directions": tuple(tuple(-item for item in row) for row in directions)},
)


@judge.exact(
    directions=DIRECTIONS,
    lengths=LENGTHS,
    parameters={"points": POINTS, "M": M, "directions": DIRECTIONS, "lengths": LENGTHS},
)
def two_lengths(
    law: Law, directions: Sequence[tuple[F, ...]], lengths: Sequence[tuple[F, ...]]
) -> Iterable[Comparison]:
    """Covariances of the squares over all dithers and both lengths."""
    for row, (one, c) in ((row, pair) for row in directions for pair in lengths):
        v, V, shown = row[0], max(map(abs, row)), {"v": row, "lengths": (one, c)}
        codec = law.quantizer(M, points=POINTS, scale=V * max(one, c) if law.fixed else None)
        found = []
        for length in (one, c):
            g = [length * item for item in row]
            errors = ((p / 2, codec.reference(g, draws)[0] - g[0]) for p, draws in codec.outcomes(g))
            found += [(p, e, g[0]) for p, e in errors]
        stated = law.exactly("two_lengths", v=v, V=V, c=c, M=M)
        # On N points the variance of the noise has the factor 1 - N^-2, its mean is 0 at these inputs.
        squares = _covariance([(p, e * e, x * x) for p, e, x in found])
        claimed = stated * grid_factor(law, POINTS) + _of_biases(found)
        yield eq("covariance of squares", squares, claimed, witness=shown, headline=True)
        general = {
            "mixed": sum(F(1, 2) * (t * V) ** 2 * (t * v) ** 2 for t in (one, c)),
            "scale_sq": sum(F(1, 2) * (t * V) ** 2 for t in (one, c)),
            "gradient_sq": sum(F(1, 2) * (t * v) ** 2 for t in (one, c)),
        }
        yield eq("two forms", law.exactly("exact", **general, M=M), stated)


def _covariance(law: list[tuple[F, F, F]]) -> F:
    """Return the covariance of the last two items under the first as the probability."""
    mean = [sum(p * item[k] for p, *item in law) for k in range(2)]
    return sum((p * (a - mean[0]) * (b - mean[1]) for p, a, b in law), F(0))


def _of_biases(law: list[tuple[F, F, F]]) -> F:
    """Return the covariance that the squared biases of a finite dither add."""
    totals: dict[F, tuple[F, F]] = {}
    for p, noise, x in law:
        chance, mixed = totals.get(x, (F(0), F(0)))
        totals[x] = chance + p, mixed + p * noise
    return _covariance([(p, (mixed / p) ** 2, x * x) for x, (p, mixed) in totals.items()])


def student_moments(freedom: int, d: int) -> dict[str, float]:
    """Return the moments of the correlation for d Student variables; 5 degrees of freedom are meant.

    With |g| = sqrt(5) tan(t) the law of |g| and its second moment below t are trigonometric polynomials.
    """
    nodes, weights = np.polynomial.legendre.leggauss(200)
    t, weights = np.pi / 4 * (nodes + 1), np.pi / 4 * weights
    constant = 16 / (3 * np.pi)
    square = freedom * np.tan(t) ** 2
    density = constant * np.cos(t) ** 4
    below = constant * (3 * t / 8 + np.sin(2 * t) / 4 + np.sin(4 * t) / 32)
    below_square = constant * freedom * (t / 8 - np.sin(4 * t) / 32)
    # One coordinate is the largest itself, or one of the others is.
    others = (d - 1) * below ** (d - 2) * below_square
    return {
        "mixed": float((weights * density * square * (square * below ** (d - 1) + others)).sum()),
        "scale_sq": float((weights * d * density * square * below ** (d - 1)).sum()),
        "scale_fourth": float((weights * d * density * square**2 * below ** (d - 1)).sum()),
        "gradient_sq": freedom / (freedom - 2),
        "gradient_fourth": 3 * freedom**2 / ((freedom - 2) * (freedom - 4)),
    }


@judge.exact(d=4, freedom=5, parameters={"d": 4, "M": 1, "freedom": 5})
def student(law: Law, d: int, freedom: int) -> Iterable[Comparison]:
    """The moments of Student gradients, by quadrature, and the correlation of both squares for them."""
    moments = student_moments(freedom, d)
    for name in ("mixed", "scale_sq", "scale_fourth"):
        at = {"moment": name}
        yield le("moments of Student gradients", law(f"least_{name}"), moments[name], ROUND_OFF, witness=at)
        yield le("moments of Student gradients", moments[name], law(f"most_{name}"), ROUND_OFF, witness=at)
    found = law("correlation", **moments)
    yield eq("correlation for Student gradients", found, law("student"), printed(3), headline=True)


@judge.montecarlo(instance="two-lengths", label="mixed moment", lengths=(0.2, 1), M=1)
def sampled(law: Law, lengths: Sequence[float], M: int) -> MonteCarloCase:
    """E[(e^2 - E e^2) x^2] of gradients of two lengths; 1/12 and the lengths are exact."""
    direction, both = np.array([1.0, 0.6, -0.3, 0.2]), np.array(lengths, dtype=float)
    codec = law.quantizer(M, scale=1.0) if law.fixed else law.quantizer(M)
    v, c = float(direction[0] * both[0]), float(both[1] / both[0])
    value = law("two_lengths", V=v, v=v, c=c, M=1.0)
    mean = (both**2).mean() * law.of("ndqsg/dq-uniform-error")("exact")

    def sample(rng: np.random.Generator, size: int) -> Any:
        g = rng.choice(both, size)[:, None] * direction
        noise = codec.compress(g, codec.draw(rng, g.shape))[:, 0] - g[:, 0]
        return (noise**2 - mean) * g[:, 0] ** 2

    # A tenth of the stated value.
    return MonteCarloCase("eq", sample, value, lower=-mean, upper=0.25 - mean, tolerance=0.00192)
