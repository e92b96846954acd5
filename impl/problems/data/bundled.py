"""Tables that scikit-learn bundles, read without importing it: that takes longer than most checks."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def bundled_table(name: str, header: int = 0) -> Array:
    """Return the rows of a file with numbers between commas, packed or not, after `header` lines.

    Raises:
        ModuleNotFoundError: scikit-learn is not installed.
        OSError: The file cannot be read.
    """
    spec = find_spec("sklearn")
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not folders:
        raise ModuleNotFoundError("the data that scikit-learn bundles need scikit-learn", name="sklearn")
    folder = Path(folders[0])
    table: Array = np.loadtxt(folder / "datasets" / "data" / name, delimiter=",", skiprows=header)
    return table


def stratified_rows(labels: Array, count: int, seed: int) -> tuple[Array, Array]:
    """Return the indices of `count` rows drawn class by class, and of all others, each in a random order.

    The same as those of `sklearn.model_selection.train_test_split` with this `train_size` and `random_state`.
    """
    classes, sizes = np.unique(labels, return_counts=True)
    rng = np.random.RandomState(seed)
    drawn, rest = [], []
    for label, share in zip(classes, _shares(sizes, count, rng), strict=True):
        (rows,) = np.nonzero(labels == label)
        rows = rows[rng.permutation(len(rows))]
        drawn.append(rows[:share])
        rest.append(rows[share:])
    return rng.permutation(np.concatenate(drawn)), rng.permutation(np.concatenate(rest))


def _shares(sizes: Array, count: int, rng: np.random.RandomState) -> Array:
    """Return how many to take of each class: proportional, rounded up where the remainder is largest."""
    exact = sizes / sizes.sum() * count
    shares = np.floor(exact)
    missing = int(count - shares.sum())
    remainders = exact - shares
    for remainder in np.unique(remainders)[::-1]:
        if missing == 0:
            break
        (alike,) = np.nonzero(remainders == remainder)
        chosen = rng.choice(alike, size=min(len(alike), missing), replace=False)
        shares[chosen] += 1
        missing -= len(chosen)
    found: Array = shares.astype(int)
    return found
