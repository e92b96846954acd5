"""Exact expectations of one step of DCGD+ and of DIANA+ from the moments of the compressor."""

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


@dataclass(frozen=True)
class ShiftedStep:
    """One step of DIANA+ from points x (R, d), shifts h (R, n, d), without sampling error or regulariser.

    Args:
        problem: The problem.
        compressor: The compressor of all nodes.
        compression: `MatrixRoots` that the nodes and the server use.
        step_size: gamma.
        learning_rate: alpha.
    """

    problem: Any
    compressor: Any
    compression: Any
    step_size: float
    learning_rate: float

    def drift(self, x: Any) -> Any:
        """Return ||x - gamma E g - x*||^2, (R,), where E g is the gradient of f."""
        mean = self.problem.gradients(x).mean(axis=-2)
        return ((x - self.step_size * mean - self.problem.solution) ** 2).sum(axis=-1)

    def node_variances(self, x: Any, h: Any) -> Any:
        """Return E||S_i (C(y_i) - y_i)||^2 with the server's root S_i, (R, n)."""
        roots = self.compression
        weight = roots.root**2 if roots.is_diagonal else roots.root @ roots.root
        return self.compressor.variance(self._differences(x, h), node_weight=weight)

    def shift_means(self, x: Any, h: Any) -> Any:
        """Return the squared pseudo-inverse norms of E h_i+ - grad f_i(x*), (R, n)."""
        limit = self.problem.gradients(self.problem.solution)
        alpha = self.learning_rate
        mean = (1 - alpha) * (h - limit) + alpha * (self.problem.gradients(x) - limit)
        return (self.compression.apply_pseudo_inverse_root(mean) ** 2).sum(axis=-1)

    def shift_variances(self, x: Any, h: Any) -> Any:
        """Return E||P_i (C(y_i) - y_i)||^2 with the projector P_i on the range, (R, n)."""
        return self.compressor.variance(self._differences(x, h), node_weight=self.compression.projector)

    def _differences(self, x: Any, h: Any) -> Any:
        return self.compression.apply_pseudo_inverse_root(self.problem.gradients(x) - h)
