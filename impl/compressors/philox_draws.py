"""Draws of the fused tier: a place in a Philox stream, whose numbers are made where they are used."""

import abc
import functools
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def philox_stream(rng: np.random.Generator) -> Array:
    """Return key and upper counter words of a new stream, uint32 (4,), by four raw words of the generator.

    They are the lower halves of these words: streams are keyed as the generator is, and two of them share
    numbers with probability 2^-128. The layout is that of `impl.kernels.philox`.
    """
    return np.asarray(rng.bit_generator.random_raw(4)).astype(np.uint32)


class PhiloxDraws(np.lib.mixins.NDArrayOperatorsMixin, abc.ABC):
    """Draws that a kernel makes where it uses them; to all others an array, made when it is first asked for.

    Args:
        rng: Generator of the key, advanced as by `philox_stream`.
        shape: Shape of the array.
        dtype: Its numbers.
    """

    def __init__(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> None:
        self.stream, self.shape, self.dtype = philox_stream(rng), shape, np.dtype(dtype)
        self._made: Array | None = None

    @abc.abstractmethod
    def fill(self, out: Array) -> None:
        """Fill a C-ordered array of the shape."""

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if self._made is None:
            made = np.empty(self.shape, self.dtype)
            self.fill(made)
            made.flags.writeable = False  # all who ask share it
            self._made = made
        return np.array(self._made, dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        arrays = (np.asarray(item) if isinstance(item, PhiloxDraws) else item for item in inputs)
        return getattr(ufunc, method)(*arrays, **options)

    def __getitem__(self, index: Any) -> Any:
        return np.asarray(self)[index]

    def __len__(self) -> int:
        return self.shape[0]


class PhiloxUniforms(PhiloxDraws):
    """Uniforms in [0, 1), float32 or float64."""

    def fill(self, out: Array) -> None:
        _fill_uniforms()(out.reshape(-1), np.uint64(0), self.stream)


class PhiloxSequence:
    """The numbers of `PhiloxUniforms`, the next so many at a time, however they are split into calls.

    Args:
        rng: Generator of the key, advanced as by `philox_stream`.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._stream, self._next = philox_stream(rng), 0

    def fill(self, out: Array) -> None:
        """Fill a contiguous 1-d array, float32 or float64, the same dtype at every call."""
        _fill_uniforms()(out, np.uint64(self._next), self._stream)
        self._next += len(out)


@functools.cache  # an import costs half of what the kernel does with a thousand numbers
def _fill_uniforms() -> Any:
    from impl.kernels.philox import fill_uniforms  # numba, where its draws are used

    return fill_uniforms
