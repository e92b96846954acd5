"""Arrays of jax on any device."""

from collections.abc import Callable
from typing import Any

from verify.errors import UsageError
from verify.foreign.frameworks.framework import Framework, is_complex, other_device, other_dtype, other_type


class JaxArrays(Framework):
    """Arrays of jax, randomness by keys; calls that can be traced are made many at once."""

    name = "jax"

    def __init__(self, dtype: str, device: str | None) -> None:
        import jax

        super().__init__(dtype, device)
        if dtype == "float64" and not jax.config.read("jax_enable_x64"):
            raise UsageError(
                "check_compressor: dtype='float64' needs jax.config.update('jax_enable_x64', True); "
                "give dtype='float32' (--dtype float32) otherwise"
            )
        self._jax = jax
        try:
            self._device = jax.devices(device)[0]
        except RuntimeError as error:
            raise UsageError(
                f"check_compressor: device={device!r} is not there ({str(error).splitlines()[0]})"
            ) from error

    def given(self, x: Any) -> Any:
        import numpy as np

        return self._jax.device_put(np.array(x, dtype=self.dtype), self._device)

    def read(self, found: Any) -> Any:
        import numpy as np

        return np.asarray(found)

    def faults(self, found: Any, given: Any) -> None:
        if not isinstance(found, self._jax.Array):
            raise other_type(found, "jax.Array")
        if self._jax.numpy.iscomplexobj(found):
            raise is_complex()
        if found.dtype != given.dtype:
            raise other_dtype(str(found.dtype), self.dtype)
        if found.devices() != given.devices():
            raise other_device(found.devices(), given.devices())

    def random(self, rng: Any) -> Any:
        return self._jax.random.PRNGKey(int(rng.integers(2**31)))

    def state(self, random: Any) -> Any:
        """A key does not change: what draws from it cannot be told from what does not."""
        return None

    def batched(self, call: Callable[[Any, Any], Any]) -> Callable[[Any, Any, int], Any] | None:
        """Return m calls by `jax.vmap`, compiled for powers of two."""
        many = self._jax.jit(self._jax.vmap(call, in_axes=(None, 0)))
        given = self.given([1.0, 2.0, 3.0, 4.0])
        try:
            many(given, self._jax.random.split(self._jax.random.PRNGKey(0), 2))
        except Exception:  # whatever tracing an untraceable call raises: calls are made one by one then
            return None

        def batch(x: Any, rng: Any, size: int) -> Any:
            # The first key is that of a single call: whether both give the same is compared.
            first, rows = self.random(rng), 1 << (size - 1).bit_length()
            others = self._jax.random.split(self.random(rng), rows)
            keys = self._jax.numpy.concatenate([first[None], others])[:rows]
            given = self.given(x)
            found = many(given, keys)
            self.faults(found, given)
            return self.read(found)[:size]

        return batch
