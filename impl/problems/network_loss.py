"""The mean cross-entropy of a network on rows that clients hold: a nonconvex problem with full gradients."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from impl.arguments import is_count
from impl.errors import ArgumentError, Problems
from impl.networks import fully_connected
from impl.networks.contract import cross_entropy
from impl.networks.fully_connected import FullyConnected
from impl.problems.contract import Problem

Array = npt.NDArray[Any]


class NetworkLoss(Problem):
    r"""$f_i$ is the mean cross-entropy over the rows of client i; x holds all tensors, one after the other.

    Clients hold equally many consecutive rows, so that f is the mean over all rows. There is no bound on the
    smoothness, and no certified solution.

    Args:
        network: The network.
        features: Rows, (N, p).
        labels: Their classes, (N,).
        n: Number of clients, a divisor of N.
        precision: "double", or "single" for twice the speed: gradients are then those of float32 arithmetic.

    Raises:
        ArgumentError: No such network, rows or labels that do not fit it, n that does not divide N, another
            precision.
    """

    mu = 0.0

    def __init__(
        self,
        network: FullyConnected,
        features: npt.ArrayLike,
        labels: npt.ArrayLike,
        n: int,
        *,
        precision: Literal["double", "single"] = "double",
    ) -> None:
        problems = Problems("NetworkLoss")
        problems.require(
            isinstance(network, FullyConnected),
            f"network={network!r} must be a FullyConnected, such as FullyConnected((64, 32, 10))",
        )
        problems.require(
            precision in ("double", "single"), f"precision={precision!r} must be 'double' or 'single'"
        )
        problems.raise_if_any()
        rows = network.finite_rows(features)
        classes = network.require_labels(rows, labels)
        if not is_count(n) or len(rows) % n:
            raise ArgumentError(
                f"NetworkLoss: n={n!r} must be a whole number that divides the {len(rows)} rows; leave rows "
                "out or take another number of clients"
            )
        self.network, self.n, self.d = network, int(n), network.size
        self._rows = rows.astype(np.float32 if precision == "single" else np.float64)
        self._classes = classes

    @property
    def solution(self) -> Array:
        raise ArgumentError("NetworkLoss: a network has no certified solution; look at gradient_norm_sq")

    def start(self, rng: np.random.Generator, replicates: int = 1) -> Array:
        """Return initial points (replicates, d): the weights and biases of `Network.initial`."""
        return np.concatenate(
            [tensor.reshape(replicates, -1) for tensor in self.network.initial(rng, replicates)], axis=1
        )

    def objectives(self, x: npt.ArrayLike) -> Array:
        points = self._points(x)
        return self._losses(points.reshape(-1, self.d))[0].reshape(*points.shape[:-1], self.n)

    def gradients(self, x: npt.ArrayLike) -> Array:
        return self.evaluate(x)[1]

    def evaluate(self, x: npt.ArrayLike) -> tuple[Array, Array]:
        points = self._points(x)
        losses, gradients = self._losses(points.reshape(-1, self.d), gradients=True)
        batch = points.shape[:-1]
        return np.asarray(losses.mean(axis=-1).reshape(batch))[()], gradients.reshape(*batch, self.n, self.d)

    def bregman(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
        first, second = self._points(x), self._points(y)
        moved = (self.gradients(second) * (first - second)[..., None, :]).sum(axis=-1)
        return np.asarray(self.objectives(first) - self.objectives(second) - moved)

    def evaluate_node(self, i: int, x: Array) -> tuple[float, Array]:
        own = self._rows.reshape(self.n, -1, self.network.features)[i]
        classes = self._classes.reshape(self.n, -1)[i]
        loss, tensors = self.network.loss_and_gradients(
            self._tensors(np.asarray(x)[None]), own[None, None], classes[None, None]
        )
        return float(loss[0, 0]), np.concatenate([tensor[0, 0].ravel() for tensor in tensors])

    def hessian(self, x: npt.ArrayLike) -> Array:
        raise ArgumentError(
            "NetworkLoss: Hessians of networks are not computed; take differences of gradients"
        )

    def _tensors(self, points: Array) -> list[Array]:
        """Return the tensors, (R, *shape) each, of points (R, d)."""
        found, at = [], 0
        for shape in self.network.shapes:
            size = int(np.prod(shape))
            found.append(points[:, at : at + size].reshape(len(points), *shape))
            at += size
        return found

    def _losses(self, points: Array, *, gradients: bool = False) -> tuple[Array, Array]:
        """Return losses (R, n) and, if asked for, gradients (R, n, d), else an empty array.

        The products with the rows are one for all replicates: that of the rows with all first weights side by
        side, and for each client that of its rows with all derivatives.
        """
        R, n, rows = len(points), self.n, self._rows
        if not R:  # what has no numbers has no shape to be inferred
            return np.zeros((0, n)), np.zeros((0, n, self.d))
        first, bias, *rest = self._tensors(points.astype(rows.dtype))
        width = bias.shape[-1]
        side_by_side = rows @ first.transpose(1, 0, 2).reshape(-1, R * width)
        scores = side_by_side.reshape(-1, R, width).transpose(1, 0, 2) + bias[:, None, :]
        hidden: Any = scores
        inputs: list[Array] = []
        if rest:
            scores, inputs = fully_connected.forward(rest, np.maximum(hidden, 0))
        classes = np.broadcast_to(self._classes.reshape(n, -1), (R, n, len(rows) // n))
        losses, slope = cross_entropy(scores.reshape(R, n, -1, self.network.classes), classes)
        losses = losses.astype(np.float64)
        if not gradients:
            return losses, np.zeros(0)
        tensors: list[Array] = []
        if rest:
            tensors, slope = fully_connected.backward(rest, inputs, slope)
            slope = slope * (hidden > 0).reshape(slope.shape)
        by_client = slope.transpose(1, 2, 0, 3).reshape(n, -1, R * width)
        own = rows.reshape(n, -1, rows.shape[-1]).swapaxes(1, 2) @ by_client
        weights = own.reshape(n, -1, R, width).transpose(2, 0, 1, 3)
        parts = [weights, slope.sum(axis=2), *tensors]
        return losses, np.concatenate([part.reshape(R, n, -1) for part in parts], axis=2).astype(np.float64)
