"""MNIST from a local folder, in the layout of the file `mnist.npz` of Keras, checked against its content."""

from __future__ import annotations

import functools
import hashlib
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError
from impl.problems.data.digits import Classified
from impl.problems.data.libsvm import VARIABLE, chosen_folder, required_folder

Array = npt.NDArray[Any]

NAME, FILE = "mnist", "mnist.npz"
ROWS, PIXELS, NONZEROS = 19_000, 784, 2_851_618
"""Training images that are taken: the first ones, so that a file that was cut there is the same data."""
CONTENT_SHA256 = "cb02b1a42b11e32f32b356479b0c1d890b95da19193c9c8922dd2b6cb16f618d"
ADDRESS = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz"

_ARRAYS, _BRIGHTEST = ("x_train", "y_train", "x_test", "y_test"), 255.0


def load_mnist(folder: str | Path | None = None) -> Classified:
    """Return 19 000 images of 28 x 28 pixels for training, 10 000 for testing, in [0, 1], read-only.

    Args:
        folder: Where `mnist.npz` lies; by default the folder that BOUNDCHECK_DATA names.

    Raises:
        ArgumentError: No folder, no file there, or other content.
    """
    path = required_folder(folder) / FILE
    return _load(path)


def find(folder: str | Path | None = None) -> Path | None:
    """Return the file in a folder, by default the one that BOUNDCHECK_DATA names, or None."""
    directory = chosen_folder(folder)
    path = None if directory is None else directory / FILE
    return path if path is not None and path.is_file() else None


def check(folder: str | Path | None = None) -> str:
    """Say what is wrong with the file; empty if nothing is."""
    path = find(folder)
    return "no file" if path is None else read(path)[1]


@functools.cache
def _load(path: Path) -> Classified:
    if not path.is_file():
        raise ArgumentError(
            f"load_mnist: no {FILE} in {path.parent}; `boundcheck data fetch {NAME}` gets it, or set "
            f"{VARIABLE} to the folder that has it"
        )
    arrays, problem = read(path)
    if problem:
        raise ArgumentError(f"load_mnist: {path} {problem}; get it again by `boundcheck data fetch {NAME}`")
    x, y, test_x, test_y = arrays
    parts = [image.reshape(len(image), -1) / _BRIGHTEST for image in (x, test_x)]
    found = (parts[0], y.astype(np.int64), parts[1], test_y.astype(np.int64))
    for part in found:
        part.setflags(write=False)  # all callers share them
    return Classified(*found)


def read(path: Path) -> tuple[list[Array], str]:
    """Return the four arrays, cut to the rows that are taken, and what is wrong with them, or empty."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            missing = [name for name in _ARRAYS if name not in file]
            if missing:
                return [], f"has no {', '.join(missing)}"
            arrays = [np.asarray(file[name]) for name in _ARRAYS]
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        return [], f"cannot be read ({error})"
    arrays = [
        array[:ROWS] if name.endswith("train") else array for name, array in zip(_ARRAYS, arrays, strict=True)
    ]
    digest = hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()
    if digest != CONTENT_SHA256:
        return [], f"is not the recorded MNIST: content SHA-256 is {digest} instead of {CONTENT_SHA256}"
    return arrays, ""
