"""Samples of a compressor's weighted squared error, a chunk at a time so that memory stays small."""

from collections.abc import Callable
from typing import Any


def weighted_error_sampler(compressor: Any, x: Any, weight: Any = None) -> Callable[[Any, int], Any]:
    """Return a function (rng, m) -> m independent values of ||C(x) - x||^2_W, shape (m,).

    Args:
        compressor: Has `sample_chunks(x, rng, size)`.
        x: One vector, (d,).
        weight: (d,), (d, d), or None for the identity.
    """
    import numpy as np

    from impl.compressors import Compressor, squared_errors

    point = np.asarray(x, dtype=float)
    matrix = None if weight is None else np.asarray(weight, dtype=float)

    def sample(rng: Any, size: int) -> Any:
        if isinstance(compressor, Compressor):
            return squared_errors(compressor, point, rng, size, matrix)
        values = []
        for chunk in compressor.sample_chunks(point, rng, size):
            error = chunk - point
            if matrix is None:
                values.append(np.einsum("rd,rd->r", error, error))
            elif matrix.ndim == 1:
                values.append(np.einsum("rd,d,rd->r", error, matrix, error))
            else:
                values.append(np.einsum("rd,rd->r", error @ matrix, error))
        return np.concatenate(values)

    return sample
