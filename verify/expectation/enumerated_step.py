"""One step of DCGD+ or DIANA+ over all outcomes of the quantizers: exact, with any regulariser."""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from impl.compressors import StochasticQuantizer


def regularised(problem: Any, name: str, weight: float) -> Any:
    """Return the problem with the regulariser `l1` or `l2` of this weight."""
    from impl.problems import L1, L2, Composite

    return Composite(problem, L1(weight) if name == "l1" else L2(weight))


def with_half_prox(problem: Any) -> Any:
    """Return the regularised problem with the proximal step of half the step size, at the same solution."""
    from impl.problems import Composite

    class HalfProx(Composite):
        solution = problem.solution

        def prox(self, x: Any, step_size: float) -> Any:
            return super().prox(x, step_size / 2)

    return HalfProx(problem.smooth, problem.regulariser)


def enumerated_steps(
    problem: Any, roots: Any, steps: Sequence[Any], x: Any, h: Any, *, step_size: float, learning_rate: float
) -> Iterator[tuple[float, Any, Any]]:
    """Yield (probability, x+, h+) over all joint outcomes of the nodes' independent roundings.

    Args:
        problem: The problem, with its prox.
        roots: `MatrixRoots` of the nodes.
        steps: Quantization steps of each node, n rows.
        x: Point, (d,).
        h: Shifts, (n, d); zero for DCGD+.
        step_size: gamma.
        learning_rate: alpha; 0 for DCGD+.
    """
    y = roots.apply_pseudo_inverse_root(problem.gradients(x) - h)
    outcomes = []
    for row, vector in zip(steps, y, strict=True):
        quantizer = StochasticQuantizer(row)
        outcomes.append([(p, quantizer.compress(vector, draws)) for p, draws in quantizer.outcomes(vector)])
    for joint in itertools.product(*outcomes):
        decoded = roots.apply_root(np.array([message for _, message in joint]))
        g = (h + decoded).mean(axis=0)
        yield (
            math.prod(p for p, _ in joint),
            problem.prox(x - step_size * g, step_size),
            h + learning_rate * decoded,
        )
