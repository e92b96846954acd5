"""Whether files of data that are fetched are joined, checked and kept; nothing is downloaded."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np

from impl.problems.data import libsvm, libsvm_download, mnist
from verify.authoring import Comparisons, eq
from verify.conformance.arguments import taken
from verify.conformance.data_files import tiny_set

_BASE = "https://example.org/sets"


def _page(files: Mapping[str, bytes]) -> Callable[[], Any]:
    """Return what gives the downloader of a page with these files, by their addresses."""

    def download(address: str, path: str, _: None) -> None:
        if address not in files:
            raise OSError("nothing there")
        Path(path).write_bytes(files[address])

    return lambda: download


def fetched_files(judged: Any, rows: Sequence[Sequence[float]], labels: Sequence[float]) -> Comparisons:
    """Compare what becomes of sets of a page that is right, wrong or not there with what its text says.

    Args:
        judged: `verify.conformance.data_files.content` or a mutant.
        rows: As for `data_files`.
        labels: As for `data_files`.
    """
    text, _, known = tiny_set(np.array(rows), np.array(labels))
    first = text.index(b"\n") + 1
    parts = {"tiny": ("tiny", "tiny.t")}
    pages: dict[str, tuple[Mapping[str, bytes], str]] = {
        "nothing": ({}, "failed"),
        "half": ({f"{_BASE}/tiny": text[:first]}, "failed"),
        "another": ({f"{_BASE}/tiny": text[:first], f"{_BASE}/tiny.t": text}, "failed"),
        "right": ({f"{_BASE}/tiny": text[: first - 1], f"{_BASE}/tiny.t": text[first:]}, "fetched"),
        "nothing again": ({}, "kept"),
    }
    with TemporaryDirectory() as name, patch.dict(libsvm.MANIFEST, {"tiny": known}):
        folder = Path(name) / "neither" / "new"
        for what, (page, status) in pages.items():
            told: list[Any] = []
            with (
                patch.object(libsvm_download, "_downloader", _page(page)),
                patch.dict(libsvm_download.PARTS, parts),
            ):
                (found,) = libsvm_download.fetch(
                    ("tiny", "tiny"), folder, base=_BASE + "/", progress=told.append
                )
            path = None if status == "failed" else folder / "tiny"
            wrong = int((found.name, found.status, found.path) != ("tiny", status, path)) + int(
                told != [found]
            )
            wrong += int(bool(found.problem) != (status == "failed"))
            wrong += int([item.name for item in folder.iterdir()] != ([] if path is None else ["tiny"]))
            wrong += int(path is not None and path.read_bytes() != text)
            yield eq("files that are fetched otherwise", judged(wrong), 0, witness={"page": what})
        yield from _images(judged, folder)
        calls: dict[str, Callable[[], Any]] = {
            "no set": lambda: libsvm_download.fetch(("tiniest",), folder, base=_BASE),
            "no address": lambda: libsvm_download.fetch(("tiny",), folder, base="ftp://example.org"),
            "no folder": lambda: libsvm_download.fetch(("tiny",), folder / "tiny", base=_BASE),
        }
        for what, call in calls.items():
            yield eq("sets that are read all the same", judged(int(taken(call))), 0, witness={"change": what})


def _images(judged: Any, folder: Path) -> Comparisons:
    """Compare where images of another content, and none, come from, and that they are not kept."""
    wrong_ones = folder.parent / mnist.FILE
    empty = np.zeros(1)
    np.savez(wrong_ones, x_train=empty, y_train=empty, x_test=empty, y_test=empty)
    for base, address in ((_BASE, f"{_BASE}/{mnist.FILE}"), (libsvm_download.LIBSVM_PAGE, mnist.ADDRESS)):
        for there in (True, False):
            page = {address: wrong_ones.read_bytes()} if there else {}
            with patch.object(libsvm_download, "_downloader", _page(page)):
                (found,) = libsvm_download.fetch((mnist.NAME,), folder, base=base)
            wrong = int((found.status, found.path) != ("failed", None)) + int(address not in found.problem)
            wrong += int(("recorded" in found.problem) != there) + int((folder / mnist.FILE).exists())
            yield eq("files that are fetched otherwise", judged(wrong), 0, witness={"page": base})
    path = folder / mnist.FILE
    with patch.object(mnist, "CONTENT_SHA256", hashlib.sha256(4 * empty.tobytes()).hexdigest()):
        for what, page, status in (
            ("right", {f"{_BASE}/{mnist.FILE}": wrong_ones.read_bytes()}, "fetched"),
            ("nothing again", {}, "kept"),
            ("nothing for a damaged one", {}, "failed"),
        ):
            if status == "failed":
                path.write_bytes(b"no archive")
            with patch.object(libsvm_download, "_downloader", _page(page)):
                (found,) = libsvm_download.fetch((mnist.NAME,), folder, base=_BASE)
            wrong = int((found.status, found.path) != (status, None if status == "failed" else path))
            wrong += int(bool(mnist.check(folder)) != (status == "failed"))
            yield eq("files that are fetched otherwise", judged(wrong), 0, witness={"page": what})
