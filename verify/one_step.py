"""Exact expectation of one step of DCGD+ from the moments of its compressor."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class OneStep:
    """One step from points x (R, d): E||x+ - x*||^2 without sampling error.

    Args:
        problem: The problem.
        compressor: The compressor of all nodes.
        compression: `MatrixRoots` that the nodes and the server use.
        step_size: gamma.
    """

    problem: Any
    compressor: Any
    compression: Any
    step_size: float

    def drift(self, x: Any) -> Any:
        """Return ||x - gamma E g - x*||^2, (R,)."""
        gradients = self.problem.gradients(x)
        roots = self.compression
        mean = roots.apply_root(roots.apply_pseudo_inverse_root(gradients)).mean(axis=-2)
        return ((x - self.step_size * mean - self.problem.solution) ** 2).sum(axis=-1)

    def node_variances(self, x: Any) -> Any:
        """Return E||S_i (C(y_i) - y_i)||^2 with the server's root S_i, (R, n)."""
        roots = self.compression
        y = roots.apply_pseudo_inverse_root(self.problem.gradients(x))
        weight = roots.root**2 if roots.is_diagonal else roots.root @ roots.root
        return self.compressor.variance(y, node_weight=weight)

    def expected_distance(self, x: Any) -> Any:
        """Return E||x+ - x*||^2 for compressors independent over nodes, (R,)."""
        n = self.problem.n
        return self.drift(x) + self.step_size**2 / n**2 * self.node_variances(x).sum(axis=-1)
