"""Problems by name: bundled data, LIBSVM sets, quadratics."""

from __future__ import annotations

from typing import Any

from verify.errors import UsageError

BUNDLED, DIGITS, QUADRATIC = "breast-cancer", "digits", "quadratic"
LOSSES = ("logistic", "least-squares")
SPLITS = ("contiguous", "label")
RIDGES = (1e-50, 1e50)
"""Ridges besides 0: with others products of constants leave double precision."""
MOST_COORDINATES, MOST_ENTRIES = 10**6, 10**7
"""Of a quadratic: coordinates, and nodes times coordinates."""


def problem(text: str, nodes: int, ridge: float | None, loss: str = LOSSES[0], split: str = SPLITS[0]) -> Any:
    """Return a problem: `breast-cancer`, `digits`, `quadratic` or `quadratic:D`, a LIBSVM set or such a file.

    Of data, a regression with the ridge 1/m by default, rows cut over the nodes in their order.

    Args:
        text: The name, or the path of a file: one that exists, or with a slash.
        nodes: Number of nodes.
        ridge: Strong convexity that is added.
        loss: One of `LOSSES`, for data.
        split: One of `SPLITS`, for data: rows in their order, or sorted by label first, parts of equal size.

    Raises:
        UsageError: An unknown name, more nodes than rows, a quadratic beyond `MOST_COORDINATES` or
            `MOST_ENTRIES`, or a ridge that is neither 0 nor within `RIDGES`.
        ArgumentError: A file is not there, or is not what it should be.
    """
    if ridge is not None and ridge != 0 and not RIDGES[0] <= ridge <= RIDGES[1]:
        raise UsageError(f"ridge={ridge!r} must be 0, or from {RIDGES[0]:g} to {RIDGES[1]:g}, such as 1e-3")
    name, colon, size = text.partition(":")
    if name == QUADRATIC:
        return _quadratic(size if colon else "32", nodes, ridge)
    if _is_path(text):
        from impl.problems import read_libsvm

        return _regression(*read_libsvm(text), nodes, ridge, loss, split)
    if colon:
        raise UsageError(f"problem={text!r}: only quadratic takes a number of coordinates")
    if name == BUNDLED:
        from impl.problems import load_breast_cancer

        return _regression(*load_breast_cancer(), nodes, ridge, loss, split)
    if name == DIGITS:
        return _regression(*_even_or_odd(), nodes, ridge, loss, split)
    from impl.problems import load_libsvm
    from impl.problems.data.libsvm import available

    known = [entry.dataset.name for entry in available()]
    if name not in known:
        raise UsageError(
            f"problem={text!r} is unknown; choose {BUNDLED}, {DIGITS}, {QUADRATIC}:D, one of "
            f"{', '.join(known)}, or the path of a LIBSVM file"
        )
    return _regression(*load_libsvm(name), nodes, ridge, loss, split)


def _even_or_odd() -> tuple[Any, Any]:
    """Return the training images of the digits, (1400, 64), with +1 for even ones and -1 for odd ones."""
    import numpy as np

    from impl.problems import load_digits

    data = load_digits()
    return data.features, np.where(data.labels % 2 == 0, 1.0, -1.0)


def _is_path(text: str) -> bool:
    from pathlib import Path

    return "/" in text or Path(text).is_file()


def _regression(features: Any, labels: Any, nodes: int, ridge: float | None, loss: str, split: str) -> Any:
    from impl.problems import LeastSquares, Logistic, contiguous_split, label_sorted_split

    m = features.shape[0]
    if nodes > m:
        raise UsageError(f"nodes={nodes} must be at most {m}, the number of rows")
    chosen = 1 / m if ridge is None else ridge
    made = Logistic if loss == LOSSES[0] else LeastSquares
    if split == "label":
        return made(*label_sorted_split(features, labels, nodes), chosen)
    parts, signs, counts = contiguous_split(features, labels, nodes)
    return made(parts, signs, chosen, counts=counts)


def _quadratic(size: str, nodes: int, ridge: float | None) -> Any:
    import numpy as np

    from impl.problems import Quadratic

    if not size.isdecimal() or not size.strip("0"):
        raise UsageError(f"problem='quadratic:{size}': {size!r} must be a positive number of coordinates")
    d = int(size[:20])  # Python reads no number of thousands of digits
    if d > MOST_COORDINATES:
        raise UsageError(
            f"problem='quadratic:{size}': {size!r} must be at most {MOST_COORDINATES} coordinates; give fewer"
        )
    if nodes * d > MOST_ENTRIES:
        raise UsageError(
            f"nodes={nodes} must be at most {MOST_ENTRIES // d} for {d} coordinates, {MOST_ENTRIES} numbers "
            "in all; give fewer of either"
        )
    j = np.arange(1, d + 1)
    curvature = np.tile(1 / j + (0.01 if ridge is None else ridge), (nodes, 1))
    centers = np.cos(np.outer(np.arange(1, nodes + 1), j))
    return Quadratic.from_centers(curvature, centers)
