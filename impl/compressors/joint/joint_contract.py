"""What every joint compressor offers: messages of all clients of a round, and the estimate of their mean."""

import abc
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Self

import numpy as np

from impl import tiers
from impl.compressors.checked_input import (
    as_axes,
    as_vectors,
    as_weight,
    number,
    require_finite,
    require_generator,
)
from impl.compressors.contract import Array, Draws, ScaleEquivariance, Size, Tier
from impl.compressors.joint.joint_message import RoundKey, require_client, require_round
from impl.compressors.joint.joint_protocol import RoundProtocol
from impl.compressors.joint.sample_by_clients import Tiles, sample_by_clients
from impl.compressors.literal_input import as_nested, is_rational, nested_shape, nested_uniforms
from impl.errors import ArgumentError, Problems


class JointCompressor(RoundProtocol):
    """Messages of n clients about inputs x (..., n, d), each from its own row and the draws of the round.

    The mean over the clients of what `compress` returns is the estimate of the mean of the rows.
    """

    unbiased: bool = True
    scale_equivariance: ScaleEquivariance = "all"

    # ---------------------------------------------------------------- what a joint compressor defines

    @classmethod
    @abc.abstractmethod
    def examples(cls) -> Iterable[Self]:
        """Return instances for the battery of tests; each accepts 4 clients and 8 coordinates."""

    @abc.abstractmethod
    def draw_shared(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        """Return what all ends know of a round with inputs (..., n, d): array, tuple of arrays, or None."""

    @abc.abstractmethod
    def draw_private(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        """Return what clients keep to themselves, an array with the axes of shape, or None."""

    @abc.abstractmethod
    def reference(self, x: Any, draws: Draws) -> Any:
        """Return the decoded clients of one round literally: nested lists (n, d), Fractions in and out."""

    @abc.abstractmethod
    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Yield (probability, draws) over all distinct outcomes of one round, for small (n, d)."""

    @abc.abstractmethod
    def expected_bits(self, x: Any) -> Array:
        """Return the exact expectation of the payload bits of each client, (..., n)."""

    @abc.abstractmethod
    def _coordinate_variances(self, x: Array) -> Array:
        """Return the exact variances of the coordinates of the estimate, (..., d), for floats (..., n, d)."""

    @abc.abstractmethod
    def _exact_coordinate_variances(self, x: list[list[Fraction]]) -> list[Any]:
        """Return the same for one input in Fractions, (d,)."""

    def _require_shape(self, shape: tuple[int, ...]) -> None:
        """Raise an ArgumentError unless inputs (..., n, d) of this shape are possible."""

    def _decoded_tiles(self, x: Array, rng: np.random.Generator) -> Iterator[Tiles] | None:
        """Yield for each client in turn the parts of what the server decodes, with the draws of `draw`.

        None where that would need what makes it no better than `compress`; a subclass of another project has
        to be asked by its own methods. An ArgumentError sends `sample` the general way.

        Args:
            x: One finite input, (n, d), float32 or float64, of a possible shape.
            rng: Generator.
        """
        return None

    def _drawn_batch(self, draws: Draws) -> tuple[int, ...] | None:
        """Return the leading axes of the draws, None where they cannot be told."""
        return None if draws.private is None else np.shape(draws.private)[:-2]

    # ---------------------------------------------------------------- draws

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Draws:
        """Return fresh draws for inputs of this shape, (..., n, d), batched.

        Raises:
            ArgumentError: No generator of numpy, or a shape that is not possible.
        """
        shape = self._drawable(rng, shape)
        return Draws(self.draw_shared(rng, shape), self.draw_private(rng, shape))

    def draw_keyed(self, key: RoundKey, shape: tuple[int, ...]) -> Draws:
        """Return the draws of one round (n, d): what is shared, and the private draws of all clients.

        They are those of numpy on every tier, the same at all ends.

        Raises:
            ArgumentError: key is no RoundKey, or a shape that is not possible.
        """
        n, d = self._one_round(key, shape)
        with tiers.tier("numpy"):
            private = [self.draw_private(key.client(i).generator(), (1, d)) for i in range(n)]
            stacked = None if private[0] is None else np.concatenate(private, axis=0)
            return Draws(self.draw_shared(key.shared().generator(), (n, d)), stacked)

    def client_draws(self, key: RoundKey, client: int, shape: tuple[int, ...]) -> Draws:
        """Return what one client knows of a round (n, d): the shared draws and its own, (d,) or None."""
        n, d = self._one_round(key, shape)
        require_client(client, n)
        with tiers.tier("numpy"):
            private = self.draw_private(key.client(client).generator(), (1, d))
            return Draws(
                self.draw_shared(key.shared().generator(), (n, d)), None if private is None else private[0]
            )

    # ---------------------------------------------------------------- all clients at once

    def compress(self, x: Any, draws: Draws) -> Array:
        """Return what the server decodes from each client; their mean over n is the estimate.

        Args:
            x: Inputs, (..., n, d).
            draws: As from `draw`; leading axes that only the draws have repeat x.

        Returns:
            float64, (..., n, d).

        Raises:
            ArgumentError: x is not finite, draws do not fit, or a decoded value leaves the range of float64.
        """
        return self.compress_counted(x, draws)[0]

    def compress_counted(self, x: Any, draws: Draws) -> tuple[Array, Array]:
        """Return what `compress` and `bits` return, in one pass."""
        x = self._fitted(self._inputs(x), draws)
        with np.errstate(over="ignore", invalid="ignore"):
            symbols, scales, bits = self._encode(x, slice(None), x.shape[-2], draws)
            decoded = self._decode(symbols, scales, slice(None), x.shape, draws.shared)
        self._require_range(decoded)
        return decoded, bits

    def _require_range(self, decoded: Array) -> None:
        if decoded.size and not (np.isfinite(decoded.max()) and np.isfinite(decoded.min())):
            raise ArgumentError(
                f"{type(self).__name__}: a decoded value exceeds the range of float64; scale x down"
            )

    def estimate(self, x: Any, draws: Draws) -> Array:
        """Return the server's estimate of the mean of the clients, (..., d)."""
        return self._mean(self.compress(x, draws))

    def bits(self, x: Any, draws: Draws) -> Array:
        """Return the payload bits of each client, int64 (..., n)."""
        return self.compress_counted(x, draws)[1]

    def sample(self, x: Any, rng: np.random.Generator, size: Size = None, *, tier: Tier = None) -> Array:
        """Return estimates with fresh draws; size samples are stacked in front, size + (..., d).

        The tier is as of `Compressor.sample`.
        """
        with tiers.tier(tier, type(self).__name__):
            if size is None and (sampled := sample_by_clients(self, x, rng)) is not None:
                return sampled
            x = self._inputs(x)
            shape = as_axes(size, "size", type(self).__name__) + x.shape
            return self.estimate(np.broadcast_to(x, shape), self.draw(rng, shape))

    def sample_chunks(self, x: Any, rng: np.random.Generator, size: int) -> Iterator[Array]:
        """Yield `size` estimates of the mean of one input in chunks of about a megabyte."""
        x = self._inputs(x)
        (size,) = as_axes((size,), "size", type(self).__name__)
        rows = max(1, 2**17 // max(1, x.size))
        for start in range(0, size, rows):
            yield self.sample(x, rng, size=min(rows, size - start))

    # ---------------------------------------------------------------- exact law

    def coordinate_variances(self, x: Any) -> Any:
        """Return the variances of the coordinates of the estimate, (..., d), in Fractions for Fractions."""
        if is_rational(x):
            return self._exact_coordinate_variances(self._literal(x))
        return self._coordinate_variances(self._inputs(x))

    def variance(self, x: Any, weight: Any = None) -> Any:
        """Return the exact E||g - mean||_W^2 of the estimate g.

        Args:
            x: Inputs, (..., n, d); one input (n, d) with a Fraction selects exact arithmetic.
            weight: W, diagonal (d,), not negative; the identity by default.

        Raises:
            ArgumentError: x or the weight is not what it should be, or the sum would take too long.
        """
        by_coordinate = self.coordinate_variances(x)
        d = len(by_coordinate) if isinstance(by_coordinate, list) else by_coordinate.shape[-1]
        if np.ndim(weight) == 2:
            raise ArgumentError(f"{type(self).__name__}: weight must be diagonal, ({d},); give its diagonal")
        as_weight((d,), weight, None, type(self).__name__)
        if isinstance(by_coordinate, list):
            ones = [1] * d if weight is None else list(weight)
            return sum((wj * vj for wj, vj in zip(ones, by_coordinate, strict=True)), Fraction(0))
        scale = 1.0 if weight is None else np.asarray(weight, dtype=np.float64)
        return number(np.asarray((scale * by_coordinate).sum(axis=-1)))

    # ---------------------------------------------------------------- checks

    def _inputs(self, x: Any, *, finite: bool = True) -> Array:
        """Return x as float64 (..., n, d), of a possible shape, and finite if that is checked here."""
        array = as_vectors(x, type(self).__name__).astype(np.float64, copy=False)
        if finite:
            require_finite(array, type(self).__name__)
        if array.ndim < 2 or array.shape[-2] == 0:
            raise ArgumentError(
                f"{type(self).__name__}: x has shape {array.shape}; give (..., n, d), one row for each client"
            )
        self._require_shape(array.shape)
        return array

    def _fitted(self, x: Array, draws: Draws) -> Array:
        """Return x repeated along the leading axes that only the draws have."""
        name = type(self).__name__
        if not hasattr(draws, "shared") or not hasattr(draws, "private"):
            raise ArgumentError(f"{name}: draws={draws!r} must be Draws; take them from draw(rng, x.shape)")
        wanted = self._private_shape(*x.shape[-2:])
        if draws.private is not None and np.shape(draws.private)[-2:] != wanted:
            raise ArgumentError(
                f"{name}: draws.private has shape {np.shape(draws.private)}, it must end with {wanted}; take "
                "draws from draw(rng, x.shape)"
            )
        batch = self._drawn_batch(draws)
        if batch is None or batch == x.shape[:-2]:
            return x
        lead = len(batch) - (x.ndim - 2)
        if lead < 0 or batch[lead:] != x.shape[:-2]:
            raise ArgumentError(
                f"{name}: draws for leading axes {batch}, but x has shape {x.shape}; "
                "take draws from draw(rng, x.shape)"
            )
        return np.broadcast_to(x, (*batch, *x.shape[-2:]))

    def _literal(self, x: Any) -> list[list[Any]]:
        """Return one input as nested lists (n, d) of floats or Fractions."""
        nested = as_nested(x, type(self).__name__)
        shape = nested_shape(nested)
        if len(shape) != 2:
            raise ArgumentError(f"{type(self).__name__}: x has shape {shape}; give one input (n, d)")
        self._require_shape(shape)
        return nested

    def _private_shape(self, n: int, d: int) -> tuple[int, int]:
        """Return the last two axes of the private draws of a round."""
        return n, d

    def _literal_private(self, draws: Draws, n: int, d: int) -> list[list[Any]]:
        """Return the private draws of one round as nested lists, each in [0, 1)."""
        drawn = nested_uniforms(draws, type(self).__name__)
        if nested_shape(drawn) != (n, d):
            raise ArgumentError(
                f"{type(self).__name__}: draws.private has shape {nested_shape(drawn)}, x has {(n, d)}; "
                "take draws from draw(rng, x.shape)"
            )
        return drawn

    def _drawable(self, rng: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
        problems = Problems(type(self).__name__)
        with problems.collect():
            require_generator(rng, type(self).__name__)
        with problems.collect():
            shape = self._checked_shape(shape)
        problems.raise_if_any()
        return shape

    def _checked_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        shape = as_axes(shape, "shape", type(self).__name__)
        problems = Problems(type(self).__name__)
        problems.require(
            len(shape) >= 2 and min(shape[-2:], default=0) >= 1,
            f"shape={shape} must end with (n, d), both at least 1",
        )
        problems.raise_if_any()
        self._require_shape(shape)
        return shape

    def _one_round(self, key: Any, shape: tuple[int, ...]) -> tuple[int, int]:
        require_round(key)
        shape = self._checked_shape(shape)
        if len(shape) != 2:
            raise ArgumentError(
                f"{type(self).__name__}: shape={shape} must be (n, d): a key belongs to one round"
            )
        return shape

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JointCompressor):
            return NotImplemented
        return type(self) is type(other) and self._parameters() == other._parameters()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._parameters()))
