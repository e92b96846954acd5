"""Arrays of any module that makes them from numpy, and that numpy reads by DLPack or `__array__`."""

from types import ModuleType
from typing import Any

from verify.errors import UsageError
from verify.foreign.frameworks.framework import Framework, is_complex, other_device, other_dtype, other_type
from verify.foreign.guard import CompressorFault

_MAKERS = ("asarray", "array", "from_dlpack")


class ForeignArrays(Framework):
    """Arrays of a module with `asarray`, `array` or `from_dlpack`; randomness by a generator of numpy."""

    def __init__(self, module: ModuleType | Any, dtype: str, device: str | None) -> None:
        super().__init__(dtype, device)
        self.name = getattr(module, "__name__", type(module).__name__)
        makers = [getattr(module, name) for name in _MAKERS if callable(getattr(module, name, None))]
        if not makers:
            shown = repr(getattr(module, "__name__", module))
            raise UsageError(
                f"check_compressor: framework={shown} has none of {', '.join(_MAKERS)} to make a vector"
            )
        if device is not None:
            raise UsageError(
                f"check_compressor: device={device!r} is known for torch and jax only; give a framework "
                f"object whose asarray puts vectors there"
            )
        self._make = makers[0]
        self.read(self.given([1.0, 2.0]))

    def given(self, x: Any) -> Any:
        import numpy as np

        return self._make(np.array(x, dtype=self.dtype))

    def read(self, found: Any) -> Any:
        import numpy as np

        if hasattr(found, "__array__"):
            return np.array(found.__array__())
        if hasattr(found, "__dlpack__"):
            return np.array(np.from_dlpack(found))
        raise CompressorFault(
            "type", f"{type(found).__module__}.{type(found).__name__} has neither __array__ nor __dlpack__"
        )

    def faults(self, found: Any, given: Any) -> None:
        if not isinstance(found, type(given)):
            raise other_type(found, f"{type(given).__module__}.{type(given).__name__}")
        entries = self.read(found)
        if entries.dtype.kind == "c":
            raise is_complex()
        if entries.dtype != self.read(given).dtype:
            raise other_dtype(str(entries.dtype), self.dtype)
        places = [self._place(item) for item in (found, given)]
        if places[0] != places[1]:
            raise other_device(*places)

    def _place(self, vector: Any) -> Any:
        if hasattr(vector, "__dlpack_device__"):
            return tuple(int(part) for part in vector.__dlpack_device__())
        return getattr(vector, "device", None)
