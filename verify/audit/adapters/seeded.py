"""Compressors that take their randomness in a way of their own; the check seeds numpy's before each call."""

import contextlib
from collections.abc import Iterator
from typing import Any


class Patterned:
    """flpytorch: `generateCompressPattern(rndgen, device, clientId, H)`, then `compressVector(x)`.

    Args:
        target: The class.
        then: Methods that set an instance up, with their arguments.
    """

    def __init__(self, target: Any, then: dict[str, list[Any]]) -> None:
        self._compressor = target()
        for name, arguments in then.items():
            getattr(self._compressor, name)(*arguments)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._compressor, name)

    def __call__(self, x: Any) -> Any:
        import numpy as np

        generator = np.random.RandomState(np.random.randint(2**31))  # noqa: NPY002  # what it takes
        self._compressor.generateCompressPattern(generator, x.device, 0, None)
        return self._compressor.compressVector(x)


class SameSeed:
    """Code of ndqsg: `quantize` and `dequantize` draw one dither, since both ends seed numpy alike.

    Args:
        target: `quantize`, whose results `dequantize` takes.
        dequantize: MODULE:OBJECT.
        options: Keyword arguments of `quantize`.
        scaled: Whether `quantize` and `dequantize` take the largest entry as their scale.
    """

    def __init__(self, target: Any, dequantize: str, options: dict[str, Any], scaled: bool = False) -> None:
        from verify.audit.calling import load

        self._quantize, self._dequantize = target, load(dequantize)
        self._options, self._scaled = options, scaled

    def __call__(self, x: Any) -> Any:
        import numpy as np

        seed = np.random.randint(2**31)  # noqa: NPY002  # the check seeds it before each call
        with _old_numpy():
            np.random.seed(seed)  # noqa: NPY002  # as its nodes do
            if self._scaled:
                scale = float(np.abs(x).max()) or 1.0
                return self._dequantize(self._quantize(x, scale, **self._options), scale)
            message = self._quantize(x, **self._options)
            np.random.seed(seed)  # noqa: NPY002  # as its server does
            return self._dequantize(*message[:2])


@contextlib.contextmanager
def _old_numpy() -> Iterator[None]:
    """Give numpy back what code of 2020 uses: `np.int`, and `newshape` as the name of an argument."""
    import numpy as np

    reshape = np.reshape

    def old_reshape(a: Any, shape: Any = None, newshape: Any = None, **options: Any) -> Any:
        return reshape(a, newshape if shape is None else shape, **options)

    vars(np)["int"], np.reshape = int, old_reshape  # type: ignore[assignment]
    try:
        yield
    finally:
        np.reshape = reshape
        del vars(np)["int"]


class StepFromSeed:
    """GRACE's random-k draws from a seed made of its name and a count of steps: here the step is random.

    Args:
        target: The class.
        compress_ratio: Part that is kept.
    """

    def __init__(self, target: Any, compress_ratio: float) -> None:
        self._compressor = target(compress_ratio)

    def compress(self, tensor: Any, name: str) -> Any:
        import numpy as np

        self._compressor.global_step = int(np.random.randint(2**31))  # noqa: NPY002  # seeded by the check
        return self._compressor.compress(tensor, name)

    def decompress(self, tensors: Any, ctx: Any) -> Any:
        return self._compressor.decompress(tensors, ctx)


class AsMatrix:
    """A compressor of matrices with a memory: vectors are reshaped on the way in and out.

    Args:
        target: The class of the compressor.
        memory: MODULE:OBJECT of the memory, made of `q_memory`.
        options: Keyword arguments of the compressor.
        copied: Whether it is given a copy, for code that changes what it is given.
    """

    def __init__(self, target: Any, memory: str, options: dict[str, Any], copied: bool = False) -> None:
        from verify.audit.adapters.ddp import join_group
        from verify.audit.calling import WithMemory, load

        join_group()
        self._copied = copied
        compressor = target(**options)
        self._pair = WithMemory(compressor, load(memory)(compressor.q_memory))

    def compress(self, tensor: Any, name: str) -> Any:
        from verify.audit.adapters.ddp import rows

        given = tensor.clone() if self._copied else tensor
        return self._pair.compress(given.view(rows(given.numel()), -1), name)

    def decompress(self, tensors: Any, ctx: Any) -> Any:
        return self._pair.decompress(tensors, ctx).reshape(-1)

    def memory(self, name: str) -> Any:
        found = self._pair.memory(name)
        return None if found is None else found.reshape(-1)


class WithOptions:
    """A function with further arguments, of whose result one place is the vector.

    Args:
        target: The function.
        options: Its keyword arguments.
        result: Place of the vector in what it returns.
    """

    def __init__(self, target: Any, options: dict[str, Any], result: int) -> None:
        self._function, self._options, self._result = target, options, result

    def __call__(self, x: Any) -> Any:
        return self._function(x, **self._options)[self._result]
