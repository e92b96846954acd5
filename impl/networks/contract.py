"""What training asks of a network: tensors, class scores, and gradients of the mean cross-entropy."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.compressors.checked_input import as_float64, require_generator
from impl.errors import ArgumentError, Problems

Array = npt.NDArray[Any]


class Network(ABC):
    """A network of layers, each with weights and biases as tensors of their own.

    Parameters are lists of arrays (R, *shape), R replicates with weights of their own. Float64 throughout.

    Attributes:
        shapes: Shapes of the tensors: weights, biases, weights, biases, and so on.
        features: p, entries of an input.
        classes: Number of classes.
    """

    shapes: tuple[tuple[int, ...], ...]
    features: int
    classes: int

    @property
    def size(self) -> int:
        """Return the number of parameters."""
        return sum(math.prod(shape) for shape in self.shapes)

    def initial(self, rng: np.random.Generator, replicates: int = 1) -> list[Array]:
        """Return normal weights of variance 2 / (entries that meet in one unit) and zero biases.

        Args:
            rng: The random stream, consumed tensor by tensor.
            replicates: R, at least 1.

        Raises:
            ArgumentError: No random generator, or no positive whole number.
        """
        problems = Problems(type(self).__name__)
        with problems.collect():
            require_generator(rng, type(self).__name__)
        problems.require(
            is_size(replicates), f"replicates={replicates!r} must be a whole number of at least 1"
        )
        problems.raise_if_any()
        parameters = []
        for shape in self.shapes:
            if len(shape) == 1:
                parameters.append(np.zeros((replicates, *shape)))
            else:
                deviation = math.sqrt(2 / math.prod(shape[:-1]))
                parameters.append(deviation * rng.standard_normal((replicates, *shape)))
        return parameters

    def logits(self, parameters: Sequence[Array], features: npt.ArrayLike) -> Array:
        """Return the scores of the classes, (R, N, classes), for rows (N, p) or (R, N, p).

        Raises:
            ArgumentError: Rows or parameters of other shapes, or rows that are not finite.
        """
        rows = self._rows(parameters, self._finite(features, "features"))
        return self._forward(parameters, rows)[0]

    def loss_and_gradients(
        self, parameters: Sequence[Array], features: npt.ArrayLike, labels: npt.ArrayLike
    ) -> tuple[Array, list[Array]]:
        """Return the mean cross-entropy of each worker, (R, P), and its gradients, (R, P, *shape) per tensor.

        Args:
            parameters: One array (R, *shape) per tensor.
            features: Rows of the workers, (R, P, B, p).
            labels: Their classes, (R, P, B).

        Raises:
            ArgumentError: Shapes that do not fit, rows that are not finite, or a class out of range.
        """
        x, y = self._finite(features, "features"), np.asarray(labels)
        if x.ndim != 4 or not x.size or y.shape != x.shape[:-1]:
            raise ArgumentError(
                f"{type(self).__name__}: features {x.shape} and labels {y.shape} must have shapes "
                "(R, P, B, p) and (R, P, B), none of them 0"
            )
        self._require_classes(y)
        R, P, B, p = x.shape
        return self.unchecked_loss_and_gradients(
            parameters, self._rows(parameters, x.reshape(R, P * B, p)), y
        )

    def unchecked_loss_and_gradients(
        self, parameters: Sequence[Array], rows: Array, labels: Array
    ) -> tuple[Array, list[Array]]:
        """Return what `loss_and_gradients` does, in the arithmetic of parameters and rows.

        Args:
            parameters: One array (R, *shape) per tensor.
            rows: Those of worker after worker, (R, P * B, p), of the same dtype.
            labels: Their classes, (R, P, B).
        """
        scores, kept = self._forward(parameters, rows)
        loss, slope = cross_entropy(scores.reshape(*labels.shape, -1), labels)
        return loss, self._backward(parameters, kept, slope)

    def unchecked_logits(self, parameters: Sequence[Array], rows: Array) -> Array:
        """Return the scores of rows (R, N, p), (R, N, classes), in the arithmetic of both."""
        return self._forward(parameters, rows)[0]

    def accuracy(self, parameters: Sequence[Array], features: npt.ArrayLike, labels: npt.ArrayLike) -> Array:
        """Return the share of rows (N, p) whose largest score is at their class, (R,).

        Raises:
            ArgumentError: As of `logits`, no row, labels of another shape than (N,) or out of range.
        """
        x = self.finite_rows(features)
        y = self.require_labels(x, labels)
        found = self._forward(parameters, self._rows(parameters, x))[0].argmax(axis=-1)
        return np.asarray((found == y).mean(axis=-1))

    def finite_rows(self, features: npt.ArrayLike, name: str = "features") -> Array:
        """Return rows (N, p) as float64; raise an ArgumentError unless they are finite, N at least 1."""
        x = self._finite(features, name)
        if x.ndim != 2 or not len(x) or x.shape[1] != self.features:
            raise ArgumentError(
                f"{type(self).__name__}: {name} of shape {x.shape} must be (N, {self.features}), N at least 1"
            )
        return x

    def require_labels(self, rows: Array, labels: npt.ArrayLike, name: str = "labels") -> Array:
        """Return the labels of rows (N, p); raise an ArgumentError unless they are N classes."""
        y = np.asarray(labels)
        if y.shape != rows.shape[:1]:
            raise ArgumentError(
                f"{type(self).__name__}: {name} of shape {y.shape} must be {rows.shape[:1]}, one per row"
            )
        self._require_classes(y, name)
        return y

    def _require_classes(self, labels: Array, name: str = "labels") -> None:
        bound = f"whole numbers from 0 to {self.classes - 1}"
        if labels.dtype.kind not in "iu":
            raise ArgumentError(
                f"{type(self).__name__}: {name} of dtype {labels.dtype} must be {bound}; convert them to int"
            )
        if labels.min() < 0 or labels.max() >= self.classes:
            at = tuple(np.argwhere((labels < 0) | (labels >= self.classes))[0].tolist())
            raise ArgumentError(
                f"{type(self).__name__}: {name}{list(at)} = {labels[at]}; {name} must be {bound}; number the "
                "classes from 0, or give a network with more classes"
            )

    def _finite(self, features: npt.ArrayLike, name: str) -> Array:
        """Return features as float64."""
        try:
            x = as_float64(features)
        except (TypeError, ValueError, OverflowError):
            raise ArgumentError(f"{type(self).__name__}: {name} must be real numbers") from None
        finite = np.isfinite(x)
        if not finite.all():
            at = tuple(np.argwhere(~finite)[0].tolist())
            raise ArgumentError(f"{type(self).__name__}: {name}{list(at)} = {x[at]} must be finite")
        return x

    def _rows(self, parameters: Sequence[Array], rows: Array) -> Array:
        """Return rows as (R, N, p), after a look at all shapes."""
        found = [np.shape(tensor) for tensor in parameters]
        R = found[0][0] if found and found[0] else 0
        if not R or found != [(R, *shape) for shape in self.shapes]:
            raise ArgumentError(
                f"{type(self).__name__}: parameters of shapes {found} must be (R, *shape) for the shapes "
                f"{list(self.shapes)}; `initial` gives some"
            )
        if rows.ndim not in (2, 3) or rows.shape[-1] != self.features or rows.shape[:-2] not in ((), (R,)):
            raise ArgumentError(
                f"{type(self).__name__}: features of shape {rows.shape} must be rows of {self.features} "
                f"entries, for all replicates or for each of {R}"
            )
        return np.broadcast_to(rows, (R, *rows.shape[-2:]))

    @abstractmethod
    def _forward(self, parameters: Sequence[Array], rows: Array) -> tuple[Array, Any]:
        """Return scores (R, N, classes) and what `_backward` needs."""

    @abstractmethod
    def _backward(self, parameters: Sequence[Array], kept: Any, slope: Array) -> list[Array]:
        """Return gradients (R, P, *shape), given the derivative by the scores, (R, P, B, classes)."""


def is_size(value: object) -> bool:
    """Tell whether an argument is a whole number of at least one."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and bool(value >= 1)


def cross_entropy(scores: Array, labels: Array) -> tuple[Array, Array]:
    """Return mean losses over the last axis but one and their derivatives by the scores."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    powers = np.exp(shifted)
    total = powers.sum(axis=-1, keepdims=True)
    at = labels[..., None]
    loss = np.log(total[..., 0]) - np.take_along_axis(shifted, at, axis=-1)[..., 0]
    slope = np.divide(powers, total, out=powers)
    np.put_along_axis(slope, at, np.take_along_axis(slope, at, axis=-1) - 1, axis=-1)
    slope /= labels.shape[-1]
    return loss.mean(axis=-1), slope
