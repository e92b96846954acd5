"""Download of data sets: nothing gets its final name before its content is compared."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from impl.errors import ArgumentError, Problems
from impl.problems.data import mnist
from impl.problems.data.libsvm import MANIFEST, VARIABLE, chosen_folder, find_file, inspect_file

LIBSVM_PAGE = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary"

# Sets that are several files of the page, one after the other; all others are one file of their own name.
PARTS = {"splice": ("splice", "splice.t")}

_TIMEOUT = 30  # seconds without an answer
_BY_HAND = f"download it by hand into a folder and set {VARIABLE} to this folder"


@dataclass(frozen=True)
class Fetched:
    """What became of one data set.

    Attributes:
        name: a key of `MANIFEST`, or "mnist".
        status: "kept" if it was there and right, "fetched", or "failed".
        path: the file, or None if failed.
        problem: what went wrong and what to do, or empty.
    """

    name: str
    status: Literal["kept", "fetched", "failed"]
    path: Path | None
    problem: str = ""


def fetch(
    names: Iterable[str] = (),
    folder: str | Path | None = None,
    *,
    base: str = LIBSVM_PAGE,
    progress: Callable[[Fetched], object] = lambda _: None,
) -> tuple[Fetched, ...]:
    """Download data sets that are not there yet, each checked before it gets its name; one failure stops no
    other.

    Args:
        names: keys of `MANIFEST`, or "mnist"; all sets of the LIBSVM page if there are none.
        folder: where the files go; by default the folder that BOUNDCHECK_DATA names. It is created.
        base: address of the folder with the files, the LIBSVM page or a mirror of it; MNIST comes from
            its own address unless there is a mirror.
        progress: called with the result of each set as soon as it is there.

    Raises:
        ArgumentError: unknown names, no folder, one that cannot be made, an address that is none, or the
            library pooch is missing while something is to be downloaded.
    """
    chosen = list(dict.fromkeys(names)) or list(MANIFEST)
    known = sorted((*MANIFEST, mnist.NAME))
    unknown = [name for name in chosen if name not in known]
    problems = Problems("fetch")
    problems.require(not unknown, f"unknown data sets {', '.join(unknown)}; known are {', '.join(known)}")
    problems.require(
        base.startswith(("https://", "http://")), f"address {base!r} must begin with https:// or http://"
    )
    named = chosen_folder(folder)
    problems.require(
        named is not None,
        f"{VARIABLE} is not set; set it to a folder or name one (--folder DIR); it is created",
    )
    problems.raise_if_any()
    directory = Path(named or ".")
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArgumentError(
            f"fetch: {directory} cannot be made a folder ({error.strerror}); name another one"
        ) from error
    results = []
    for name in chosen:
        one = _fetch_mnist if name == mnist.NAME else _fetch_one
        results.append(one(name, directory, base.rstrip("/")))
        progress(results[-1])
    return tuple(results)


def _fetch_one(name: str, directory: Path, base: str) -> Fetched:
    dataset = MANIFEST[name]
    present = find_file(directory, name)
    if present is not None and not inspect_file(present, dataset):
        return Fetched(name, "kept", present)
    download = _downloader()
    addresses = [f"{base}/{part}" for part in PARTS.get(name, (name,))]
    address = addresses[0]
    try:
        # In the same folder, so that the last step is one rename.
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=directory) as scratch:
            joined = Path(scratch) / name
            with joined.open("wb") as whole:
                for address in addresses:
                    part = Path(scratch) / "part"
                    download(address, str(part), None)
                    content = part.read_bytes()
                    whole.write(content if content.endswith(b"\n") else content + b"\n")
            problem = inspect_file(joined, dataset)
            if problem:
                source = " + ".join(addresses)
                return Fetched(name, "failed", None, f"{source} is not the recorded {name!r}: {problem}")
            os.replace(joined, directory / name)
    except OSError as error:  # those of the network are such, too
        join = f" ({' and '.join(PARTS[name])} joined as {name})" if name in PARTS else ""
        problem = f"{address} cannot be downloaded ({_reason(error)}); {_BY_HAND}{join}"
        return Fetched(name, "failed", None, problem)
    return Fetched(name, "fetched", directory / name)


def _fetch_mnist(name: str, directory: Path, base: str) -> Fetched:
    path = directory / mnist.FILE
    if path.is_file() and not mnist.read(path)[1]:
        return Fetched(name, "kept", path)
    download = _downloader()
    address = mnist.ADDRESS if base == LIBSVM_PAGE else f"{base}/{mnist.FILE}"
    try:
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=directory) as scratch:
            part = Path(scratch) / mnist.FILE
            download(address, str(part), None)
            problem = mnist.read(part)[1]
            if problem:
                return Fetched(name, "failed", None, f"{address} {problem}")
            os.replace(part, path)
    except OSError as error:
        problem = f"{address} cannot be downloaded ({_reason(error)}); {_BY_HAND}"
        return Fetched(name, "failed", None, problem)
    return Fetched(name, "fetched", path)


def _downloader() -> Callable[[str, str, None], object]:
    """Return pooch's download of an address to a file, which raises an OSError if it cannot."""
    try:
        import pooch
    except ImportError as error:
        raise ArgumentError(
            "fetch: the library pooch is not installed; pip install 'boundcheck[data]'"
        ) from error
    downloader: Callable[[str, str, None], object] = pooch.HTTPDownloader(timeout=_TIMEOUT)
    return downloader


def _reason(error: BaseException) -> str:
    """Say in a few words why a download failed."""
    response = getattr(error, "response", None)
    if response is not None:
        return f"HTTP {response.status_code} {response.reason}"
    while error.__context__ is not None:  # the errors of requests wrap the plain one several times
        error = error.__context__
    return " ".join(f"{type(error).__name__}: {error}".split())
