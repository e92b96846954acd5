"""What every compressor offers: keys, draws, messages and the base class."""

import abc
import struct
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from impl import tiers
from impl.coding.bit_stream import BitReader, BitWriter
from impl.compressors import wire
from impl.compressors.checked_input import as_axes, as_vectors, as_weight, require_finite
from impl.compressors.keyed_philox import keyed_philox
from impl.compressors.literal_input import as_nested, nested_shape
from impl.errors import ArgumentError, MessageError, Problems

Array = npt.NDArray[Any]

ScaleEquivariance = Literal["all", "powers of two", "none"]
"""For which c > 0 the law of C(c x) is that of c C(x): a bound then need not be searched at all scales."""

Size = int | tuple[int, ...] | None
"""Leading axes of samples."""

Tier = str | None
"""`numpy` or `fused`; None for that of `impl.tier`."""


@dataclass(frozen=True)
class Key:
    """Public state of a round: both ends derive the same draws from it.

    Args:
        seed: Two words below 2**64, agreed once.
        worker: Sender of the message.
        iteration: Round of the method.
        tensor: Which of the sender's tensors.
    """

    seed: tuple[int, int]
    worker: int
    iteration: int
    tensor: int = 0

    def __post_init__(self) -> None:
        if type(self.seed) is tuple and len(self.seed) == 2:
            words = (*self.seed, self.worker, self.iteration, self.tensor)
            if all(type(word) is int and 0 <= word < 2**64 for word in words):
                return  # as nearly always
        problems = Problems("Key")
        pair = isinstance(self.seed, tuple | list) and len(self.seed) == 2
        problems.require(pair, f"seed={self.seed!r} must be two integers in [0, 2**64), such as (1, 2)")
        seeds = [("seed", word) for word in self.seed] if pair else []
        for name, value in [*seeds, *list(vars(self).items())[1:]]:
            fits = isinstance(value, int | np.integer) and 0 <= value < 2**64
            problems.require(fits, f"{name}={value!r} must be an integer in [0, 2**64)")
        problems.raise_if_any()

    def digest(self) -> bytes:
        """Return 16 bytes that tell this key from every other."""
        return wire.digest(struct.pack("<5Q", *self.seed, self.worker, self.iteration, self.tensor))

    def generator(self) -> np.random.Generator:
        """Return the Philox stream of this key; the lowest counter word is left to the stream."""
        return np.random.Generator(keyed_philox(self.seed, (0, self.tensor, self.iteration, self.worker)))


@dataclass(frozen=True)
class Draws:
    """Explicit randomness of one call: `shared` is known to both ends, `private` to the sender only."""

    shared: Any = None
    private: Any = None


@dataclass(frozen=True)
class Message:
    """What travels, batched.

    Args:
        symbols: Levels or entries, (..., d), or (..., k) where the indices are shared.
        scales: Norms, (..., B), or None.
        bits: Exact payload length, header apart: int64 (...), an int for one vector.
        shape: Shape of the compressed array, (..., d).
    """

    symbols: Array
    scales: Array | None
    bits: Any
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Moments:
    """Moments of the weighted squared error ||C(x) - x||^2_W, each (...) or a number; None where unknown."""

    mean: Any
    variance: Any
    upper: Any


class Compressor(abc.ABC):
    """A deterministic function of its input and of explicit draws.

    What travels is a message; the receiver needs the message and the shared draws only. A class of another
    project may offer the same members without inheriting from this one.
    """

    unbiased: ClassVar[bool]
    scale_equivariance: ScaleEquivariance = "all"

    # ---------------------------------------------------------------- what a compressor defines

    @classmethod
    @abc.abstractmethod
    def examples(cls) -> Iterable[Self]:
        """Return instances for the battery of tests; each accepts every dimension or tells by `dimension`."""

    @abc.abstractmethod
    def draw(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        """Return fresh draws for an input of this shape, batched."""

    @abc.abstractmethod
    def message(self, x: Any, draws: Draws) -> Message:
        """Return the symbols and scales that travel; x (..., d) is broadcast to the shape of the draws."""

    @abc.abstractmethod
    def reconstruct(self, message: Message, shared: Any = None, side: Any = None) -> Array:
        """Return what the receiver makes of a message, (..., d)."""

    @abc.abstractmethod
    def reference(self, x: Any, draws: Draws, side: Any = None) -> Any:
        """Compress literally: Python numbers, in loops.

        Args:
            x: Nested lists of numbers, (..., d). Any Fraction selects exact arithmetic, with Fractions out;
                numbers beside it are taken exactly. Without one all is float: integers give floats.
            draws: As for `compress`, as arrays or nested lists; leading axes repeat x.
            side: What the receiver already knows (nested codecs).

        Raises:
            ArgumentError: Not finite or ragged x, draws that do not fit, an irrational norm in exact mode.
        """

    @abc.abstractmethod
    def variance(self, x: Any, weight: Any = None, node_weight: Any = None) -> Any:
        """Return the exact E||C(x) - x||^2_W.

        Args:
            x: Input, (..., d); any Fraction in a nested list selects exact arithmetic.
            weight: W, (d,) or (d, d), positive semidefinite; the identity by default.
            node_weight: One W per node, (n, d) or (n, d, d), for x (..., n, d).

        Returns:
            (...), a float for one vector, Fractions in rational mode.
        """

    @abc.abstractmethod
    def outcomes(self, x: Any) -> Iterator[tuple[Any, Draws]]:
        """Yield (probability, draws) over all distinct outcomes for one vector x, (d,)."""

    @abc.abstractmethod
    def expected_bits(self, x: Any) -> Any:
        """Return the exact expectation of `message(x, draws).bits`, header apart: (...) or a number."""

    @abc.abstractmethod
    def _parameters(self) -> tuple[Hashable, ...]:
        """Return what makes two instances equal."""

    @abc.abstractmethod
    def _write(self, writer: BitWriter, message: Message) -> None:
        """Append the payload of one vector's message."""

    @abc.abstractmethod
    def _read(self, reader: BitReader, d: int, dtype: Any) -> Message:
        """Read the payload of one vector back; the bits of the result need not be filled in."""

    # ---------------------------------------------------------------- what follows from it

    @property
    def dimension(self) -> int | None:
        """Return the dimension d that the parameters fix, None where every d is accepted."""
        return None

    def draw_keyed(self, key: Key, shape: tuple[int, ...], dtype: Any = np.float64) -> Draws:
        """Return the draws of one round, the same at both ends: those of numpy on every tier."""
        _require_key(key)
        with tiers.tier("numpy"):
            return self.draw(key.generator(), shape, dtype)

    def compress(self, x: Any, draws: Draws, side: Any = None) -> Array:
        """Return what the receiver will see, (..., d), in the dtype of x."""
        return self.reconstruct(self.message(x, draws), draws.shared, side)

    def sample(self, x: Any, rng: np.random.Generator, size: Size = None, *, tier: Tier = None) -> Array:
        """Compress with fresh draws; size samples are stacked in front, size + x.shape.

        Args:
            x: Input, (..., d).
            rng: Generator, advanced.
            size: Leading axes of the result.
            tier: `numpy`, or `fused` for compiled kernels (extra `fast`) wherever there are some, which have
                streams of their own; that of `impl.tier` by default.
        """
        with tiers.tier(tier, type(self).__name__):
            x = self._vectors(x)
            return self.compress(x, self.draw(rng, as_axes(size, "size", "sample") + x.shape, x.dtype))

    def sample_chunks(self, x: Any, rng: np.random.Generator, size: int) -> Iterator[Array]:
        """Yield `size` samples in chunks of about a megabyte: a mean over many needs little memory."""
        x = self._vectors(x)
        (size,) = as_axes((size,), "size", "sample_chunks")
        rows = max(1, 2**17 // x.size)
        for start in range(0, size, rows):
            yield self.sample(x, rng, size=min(rows, size - start))

    def moments(self, x: Any, weight: Any = None) -> Moments:
        """Return mean, variance and a sure upper bound of ||C(x) - x||^2_W, None where unknown."""
        return Moments(self.variance(x, weight), None, None)

    def encode(self, x: Any, draws: Draws, key: Key | None = None) -> bytes:
        """Return the packed message.

        Beside the payload of one vector, d below 2**21, it has at most 8 bytes without a key, 16 with one.

        Args:
            x: Input, (..., d).
            draws: As for `compress`; with a key, those of `draw_keyed(key, shape)`.
            key: Round; the receiver must name the same one. With it the receiver tells damage from another
                compressor, key or draws; without it all of these are one error.
        """
        if key is not None:
            _require_key(key)
        message = self.message(x, draws)
        dtype = message.symbols.dtype if message.scales is None else message.scales.dtype
        envelope = wire.Envelope(message.shape, np.dtype(dtype), key is not None)
        return wire.pack(envelope, self._agreed(key, draws.shared), self.payload(message))

    def payload(self, message: Message) -> BitWriter:
        """Return the payload of a message, which `message_of` reads again."""
        writer = BitWriter()
        for index in np.ndindex(message.shape[:-1]):
            scales = None if message.scales is None else message.scales[index]
            bits = message.bits if len(message.shape) == 1 else message.bits[index]
            self._write(writer, Message(message.symbols[index], scales, bits, message.shape[-1:]))
        return writer

    def decode(self, data: bytes, shared: Any = None, key: Key | None = None, side: Any = None) -> Array:
        """Return exactly what `compress` returned at the sender.

        Args:
            data: Result of `encode`.
            shared: Shared draws; taken from the key where not given.
            key: Round, None if the message was encoded without.
            side: What the receiver already knows (nested codecs).

        Raises:
            ArgumentError: data are no bytes, or key is no Key.
            MessageError: Truncated or corrupted data, another compressor, parameters, key or shared draws.
        """
        name = type(self).__name__
        problems = Problems("decode")
        with problems.collect():
            if key is not None:
                _require_key(key)
        with problems.collect():
            opened = wire.unpack(data, wire.ALONE)
        problems.raise_if_any()
        shape, dtype, reader = opened.envelope.shape, opened.envelope.dtype, opened.reader
        if opened.envelope.keyed != (key is not None):
            raise MessageError(
                "the message belongs to another key or round; give the key it was encoded with"
            )
        message = None
        try:
            if key is not None and shared is None:
                known = self._agreed(key, None)
                opened.compare({what: known[what] for what in known if what != "shared"}, name)
                if not reader.is_in_proportion(wire.places(shape)):
                    message = self.message_of(reader, shape, dtype)  # before draws are made for such a shape
                try:
                    shared = self.draw_keyed(key, shape, dtype).shared
                except ArgumentError as error:
                    raise MessageError(f"the message is none of {self!r}: {error}") from error
            opened.require(self._agreed(key, shared), name)
            message = message or self.message_of(reader, shape, dtype)
            if 0 in shape:
                return np.zeros(shape, dtype)  # no payload says which scales and symbols there were
            return self.reconstruct(message, shared, side)
        except MemoryError:
            raise wire.too_large(shape, repr(self)) from None

    def message_of(self, reader: BitReader, shape: tuple[int, ...], dtype: Any = np.float64) -> Message:
        """Return the message of a payload, without its bits.

        Args:
            reader: The payload.
            shape: Shape of the compressed array, (..., d).
            dtype: Its type.

        Raises:
            MessageError: The payload is none of such a message.
        """
        *batch, d = shape
        try:
            self._require_dimension(shape)
            parts = [self._read(reader, d, dtype) for _ in range(wire.vectors_of(shape, reader))]
            reader.finish()
            symbols = np.stack([part.symbols for part in parts]) if parts else np.zeros((0, d), dtype=dtype)
            norms = [part.scales for part in parts if part.scales is not None]
            scales = np.stack(norms).reshape((*batch, *norms[0].shape)) if norms else None
            return Message(symbols.reshape((*batch, *symbols.shape[1:])), scales, None, shape)
        except (IndexError, ValueError, OverflowError) as error:
            raise MessageError(f"the payload is no message of {self!r}: {error}") from error
        except MemoryError:
            raise wire.too_large(shape, repr(self)) from None

    def _agreed(self, key: Key | None, shared: Any) -> dict[str, bytes]:
        """Return digests of what both ends of a message know."""
        return {
            "compressor": wire.digest(type(self).__name__.encode()),
            "parameters": wire.digest(repr(self._parameters()).encode()),
            "key": bytes(16) if key is None else key.digest(),
            "shared": bytes(16) if shared is None else self._shared_digest(shared),
        }

    def _shared_digest(self, shared: Any) -> bytes:
        """Return 16 bytes that tell shared draws from others."""
        return wire.digest(np.asarray(shared, dtype="<i8").tobytes())

    def _vectors(self, x: Any) -> Array:
        """Return x as a float array (..., d), finite and of the right dimension."""
        array = as_vectors(x, type(self).__name__)
        require_finite(array, type(self).__name__)
        self._require_dimension(array.shape)
        return array

    def _require_dimension(self, shape: tuple[int, ...]) -> None:
        d = self.dimension
        if d is not None and shape[-1] != d:
            raise ArgumentError(
                f"{type(self).__name__}: x has d={shape[-1]} coordinates, the parameters fix d={d}; "
                "give parameters of that length"
            )

    def _weighted(self, x: Any, weight: Any, node_weight: Any = None) -> tuple[Array, Array | None]:
        """Return x as `_vectors` does and W, (d,), (d, d), (n, d) or (n, d, d), checked against x."""
        problems, shape = Problems(type(self).__name__), None
        with problems.collect():
            x = self._vectors(x)
            shape = x.shape
        with problems.collect():
            w = as_weight(shape, weight, node_weight, type(self).__name__)
        problems.raise_if_any()
        return x, w

    def _literal(self, x: Any) -> list[Any]:
        """Return x as nested lists of floats or Fractions, with the checks of `_vectors`."""
        nested = as_nested(x, type(self).__name__)
        self._require_dimension(nested_shape(nested))
        return nested

    def _literal_vector(self, x: Any) -> list[Any]:
        """Return one vector as `_literal` does; more axes raise an ArgumentError."""
        nested = self._literal(x)
        if isinstance(nested[0], list):
            name = type(self).__name__
            raise ArgumentError(f"{name}: x has shape {nested_shape(nested)}; outcomes takes one vector (d,)")
        return nested

    def _literal_weighted(self, x: Any, weight: Any, node_weight: Any) -> list[Any]:
        """Return x as `_literal` does; the weight is checked against its shape."""
        problems, shape = Problems(type(self).__name__), None
        with problems.collect():
            x = self._literal(x)
            shape = nested_shape(x)
        with problems.collect():
            as_weight(shape, weight, node_weight, type(self).__name__)
        problems.raise_if_any()
        return list(x)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Compressor):
            return NotImplemented
        return type(self) is type(other) and self._parameters() == other._parameters()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._parameters()))


def _require_key(key: Any) -> None:
    if not isinstance(key, Key):
        raise ArgumentError(f"key={key!r} must be a Key, such as Key(seed=(1, 2), worker=0, iteration=0)")
