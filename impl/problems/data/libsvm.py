"""LIBSVM data sets from a local folder, checked against their recorded content."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError

Array = npt.NDArray[Any]

VARIABLE = "BOUNDCHECK_DATA"


@dataclass(frozen=True)
class LibsvmSet:
    """Facts of one data set; `labels` counts them as stored, the larger one becomes +1.

    `content_sha256` hashes the parsed content, whatever the formatting of the file: CSR row pointer and
    zero-based column indices (little-endian int64), values (little-endian float64), labels mapped to -1/+1
    (int8).
    """

    name: str
    rows: int
    features: int
    nonzeros: int
    labels: tuple[tuple[float, int], tuple[float, int]]
    content_sha256: str


@dataclass(frozen=True)
class LibsvmFile:
    """Where a data set was found (`path`, or None) and, after `check`, what is wrong with it (or empty)."""

    dataset: LibsvmSet
    path: Path | None
    problem: str = ""


MANIFEST: dict[str, LibsvmSet] = {
    entry.name: entry
    for entry in (
        LibsvmSet(
            "a9a",
            32561,
            123,
            451592,
            ((-1.0, 24720), (1.0, 7841)),
            "2cdf02a8e29b7b3ecbcac7dd6d8073cc82c550720d53603f2c50717dfe7a4319",
        ),
        LibsvmSet(
            "mushrooms",
            8124,
            112,
            170604,
            ((1.0, 3916), (2.0, 4208)),
            "144a8068b690a20bc6d587cdabbe48e3cfc1385f272fc8c70b359e139a3a43c3",
        ),
        LibsvmSet(
            "phishing",
            11055,
            68,
            331650,
            ((0.0, 4898), (1.0, 6157)),
            "e6f0b3e6df5873d6bdea1120c4d34db713f34661ec4ea3cb0affbecece57d141",
        ),
        LibsvmSet(
            "splice",
            3175,
            60,
            190500,
            ((-1.0, 1527), (1.0, 1648)),
            "3c494bbf63b8866e68fb01fe09f06be56e208171b910a81dae9db7e7b4595a6e",
        ),
        LibsvmSet(
            "w8a",
            49749,
            300,
            579586,
            ((-1.0, 48270), (1.0, 1479)),
            "f5676277eeb42b12e314f7bb8e9b241d51aead6d5468023bb58bc6ca8cb9061f",
        ),
        LibsvmSet(
            "german.numer",
            1000,
            24,
            17989,
            ((-1.0, 700), (1.0, 300)),
            "765c360cbc5d27c7f4721436f12912c5ec4c16e64009e0282ba3710a14296626",
        ),
        LibsvmSet(
            "svmguide3",
            1243,
            21,
            22014,
            ((-1.0, 947), (1.0, 296)),
            "b68424001594dc5297dda61001e5d6976664e9fd6e22e22a5244be7d8047b49e",
        ),
    )
}

_OPENERS: dict[str, Callable[..., Any]] = {"": open, ".bz2": bz2.open, ".gz": gzip.open, ".xz": lzma.open}


_UNREADABLE = (ValueError, OSError, EOFError, lzma.LZMAError)  # what the packers and the parser raise


def load_libsvm(name: str, folder: str | Path | None = None) -> tuple[Any, Array]:
    """Read one data set and check its content.

    Args:
        name: a key of `MANIFEST`.
        folder: where NAME, NAME.bz2, NAME.gz or NAME.xz lies; by default the folder that the environment
            variable BOUNDCHECK_DATA names.

    Returns:
        Features, a scipy CSR matrix (N, d) of float64, and labels -1/+1 (N,), float64.

    Raises:
        ArgumentError: unknown name, no folder given, no file there, unreadable text or other content.
    """
    dataset = _lookup(name)
    directory = _folder(folder)
    path = find_file(directory, name)
    if path is None:
        tried = ", ".join(name + suffix for suffix in _OPENERS)
        raise ArgumentError(
            f"load_libsvm: no file of {name!r} in {directory} (tried {tried}); "
            f"set {VARIABLE} to the folder that has it"
        )
    try:
        features, labels = _read(path, dataset)
    except _UNREADABLE as error:
        raise ArgumentError(f"load_libsvm: {path} cannot be read ({error}); get it again") from error
    problem = _compare(dataset, features, labels)
    if problem:
        raise ArgumentError(f"load_libsvm: {path} is not the recorded {name!r}: {problem}; get it again")
    return features, labels


def read_libsvm(path: str | Path) -> tuple[Any, Array]:
    """Read a file of LIBSVM format with two labels, packed if its name ends in .bz2, .gz or .xz.

    Returns:
        Features, a scipy CSR matrix (N, d) of float64, and labels (N,), float64: +1 for the larger one, -1.

    Raises:
        ArgumentError: no path, no file there, unreadable text, values that are not finite, or not two labels.
    """
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(f"read_libsvm: path={path!r} must be the name of a file, a text or a Path")
    from sklearn.datasets import load_svmlight_file

    file = Path(path).expanduser()
    if not file.is_file():
        raise ArgumentError(f"read_libsvm: path={str(path)!r} is no file")
    opener = _OPENERS.get(file.suffix, open)
    try:
        with opener(file, "rb") as stream:
            features, raw = load_svmlight_file(stream, dtype=np.float64)
    except _UNREADABLE as error:
        raise ArgumentError(
            f"read_libsvm: {file} cannot be read ({error}); lines must be LABEL INDEX:VALUE ..., with "
            "growing indices"
        ) from error
    found = np.unique(raw)
    if len(found) != 2:
        raise ArgumentError(
            f"read_libsvm: {file} has {len(found)} labels; it must have two, such as -1 and 1"
        )
    if not np.isfinite(features.data).all():
        raise ArgumentError(f"read_libsvm: {file} has values that are not finite; leave these rows out")
    return features, np.where(raw == found[1], 1.0, -1.0)


def available(folder: str | Path | None = None) -> tuple[LibsvmFile, ...]:
    """List the known data sets and their files; no path without a folder and BOUNDCHECK_DATA."""
    directory = chosen_folder(folder)
    return tuple(
        LibsvmFile(dataset, None if directory is None else find_file(directory, name))
        for name, dataset in MANIFEST.items()
    )


def check(folder: str | Path | None = None) -> tuple[LibsvmFile, ...]:
    """Read every known data set in the folder and compare it with the manifest; missing files are a problem
    too.

    Raises:
        ArgumentError: no folder given and BOUNDCHECK_DATA not set.
    """
    found = []
    for entry in available(_folder(folder)):
        problem = "no file" if entry.path is None else inspect_file(entry.path, entry.dataset)
        found.append(LibsvmFile(entry.dataset, entry.path, problem))
    return tuple(found)


def inspect_file(path: Path, dataset: LibsvmSet) -> str:
    """Read a file, named like the set, and say how its content differs from the manifest; empty if it does
    not.
    """
    try:
        return _compare(dataset, *_read(path, dataset))
    except _UNREADABLE as error:
        return f"it cannot be read ({error}); content SHA-256 {dataset.content_sha256} is expected"


def find_file(directory: Path, name: str) -> Path | None:
    """Return the file of a data set in a folder, plain before packed, or None."""
    candidates = (directory / (name + suffix) for suffix in _OPENERS)
    return next((path for path in candidates if path.is_file()), None)


def chosen_folder(folder: str | Path | None) -> Path | None:
    """Return the given folder, else the one that BOUNDCHECK_DATA names, else None."""
    if folder is not None:
        return Path(folder)
    value = os.environ.get(VARIABLE)
    return Path(value).expanduser() if value else None


def required_folder(folder: str | Path | None) -> Path:
    """Return `chosen_folder`, there or not.

    Raises:
        ArgumentError: no folder given and BOUNDCHECK_DATA not set.
    """
    directory = chosen_folder(folder)
    if directory is None:
        raise ArgumentError(
            f"LIBSVM data: the environment variable {VARIABLE} is not set; set it to the folder with the "
            "files, or give folder= in Python"
        )
    return directory


def content_sha256(features: Any, labels: npt.ArrayLike) -> str:
    """Hash parsed content as `LibsvmSet` says; `features` is CSR (N, d) in file order, `labels` are -1/+1."""
    digest = hashlib.sha256()
    digest.update(np.asarray(features.indptr, dtype="<i8").tobytes())
    digest.update(np.asarray(features.indices, dtype="<i8").tobytes())
    digest.update(np.asarray(features.data, dtype="<f8").tobytes())
    digest.update(np.asarray(labels, dtype=np.int8).tobytes())
    return digest.hexdigest()


def _lookup(name: str) -> LibsvmSet:
    if name not in MANIFEST:
        raise ArgumentError(
            f"load_libsvm: unknown data set {name!r}; known are {', '.join(sorted(MANIFEST))}"
        )
    return MANIFEST[name]


def _folder(folder: str | Path | None) -> Path:
    directory = required_folder(folder)
    if not directory.is_dir():
        raise ArgumentError(
            f"LIBSVM data: {directory} is not a folder; create it or set {VARIABLE} to another one"
        )
    return directory


def _read(path: Path, dataset: LibsvmSet) -> tuple[Any, Array]:
    from sklearn.datasets import load_svmlight_file

    suffix = path.name.removeprefix(dataset.name)
    with _OPENERS[suffix](path, "rb") as file:
        features, raw = load_svmlight_file(
            file, n_features=dataset.features, dtype=np.float64, zero_based=False
        )
    return features, np.where(raw == max(label for label, _ in dataset.labels), 1.0, -1.0)


def _compare(dataset: LibsvmSet, features: Any, labels: Array) -> str:
    """Say how parsed content differs from the manifest; empty if it does not."""
    found = (features.shape[0], features.shape[1], features.nnz)
    expected = (dataset.rows, dataset.features, dataset.nonzeros)
    digest = content_sha256(features, labels)
    if digest == dataset.content_sha256:
        return ""
    hashes = f"content SHA-256 is {digest} instead of {dataset.content_sha256}"
    return (
        hashes
        if found == expected
        else f"rows, features, nonzeros are {found} instead of {expected}, {hashes}"
    )
