"""Arrays of numpy."""

from typing import Any

from verify.foreign.frameworks.framework import Framework, is_complex, other_dtype, other_type


class NumpyArrays(Framework):
    """Arrays of numpy, randomness by `numpy.random.Generator`."""

    name = "numpy"

    def given(self, x: Any) -> Any:
        import numpy as np

        return np.array(x, dtype=self.dtype)

    def read(self, found: Any) -> Any:
        return found

    def faults(self, found: Any, given: Any) -> None:
        import numpy as np

        if not isinstance(found, np.ndarray | np.generic) or isinstance(found, np.ma.MaskedArray):
            raise other_type(found, "numpy.ndarray")
        if np.iscomplexobj(found):
            raise is_complex()
        if found.dtype != self.dtype:
            raise other_dtype(str(found.dtype), self.dtype)
