"""Whether files of data are read, checked by their content and split over nodes as their text says."""

import bz2
import gzip
import hashlib
import lzma
import os
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np

from impl.problems import contiguous_split, label_sorted_split, read_libsvm, scaled_split
from impl.problems.data import libsvm, mnist
from impl.problems.data.labelled_rows import is_dense
from verify.authoring import Comparisons, eq
from verify.conformance.arguments import taken

Found = Callable[[Any], Any]
OTHER_CONTENT: tuple[Any, ...] = (
    "other-content at exact/files*: All that is read, counted or found wrong is more by one.",
    {"content": lambda found: found + 1},
)
"""A mutant of a check `files` whose law has `content`."""
_PACKED: Mapping[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".bz2": bz2.compress,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
}
_SIZES = {
    "a9a": (32561, 123, -1),
    "german.numer": (1000, 24, -1),
    "mushrooms": (8124, 112, 1),
    "phishing": (11055, 68, 0),
    "splice": (1000 + 2175, 60, -1),
    "svmguide3": (1243, 21, -1),
    "w8a": (49749, 300, -1),
}
"""Rows, features and smaller label on the LIBSVM page; splice is training and test together."""
_BIG = 1_500_000 // 50
"""Rows of 50 entries from which on the zeros decide how they are stored."""


def content(found: Any) -> Any:
    """Return what was read, or a number of things that are wrong, as it is."""
    return found


def data_files(judged: Found, rows: Sequence[Sequence[float]], labels: Sequence[float]) -> Comparisons:
    """Compare what is read of files, plain and packed, with what was written.

    Args:
        judged: `content` or a mutant.
        rows: Numbers with few digits, zeros among them; the last column has another entry.
        labels: Two numbers, one for each row.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        yield from _libsvm(judged, folder, np.array(rows), np.array(labels))
        yield from _mnist(judged, folder)
    yield from _splits(judged, np.array(rows), np.where(np.array(labels) == max(labels), 1.0, -1.0))


def known_sets(judged: Found, rows: Sequence[Sequence[float]], labels: Sequence[float]) -> Comparisons:
    """Compare sets that are asked for by name with their texts, and recorded sizes with published ones.

    Args:
        judged: `content` or a mutant.
        rows: As for `data_files`.
        labels: As for `data_files`.
    """
    for name, (count, features, label) in _SIZES.items():
        entry = libsvm.MANIFEST[name]
        sizes = [entry.rows, sum(number for _, number in entry.labels), entry.features]
        wrong = int(sizes != [count, count, features]) + int(entry.nonzeros > count * features)
        wrong += int([own for own, _ in entry.labels] != [label, label + 1 + (label < 0)]) + int(
            len(entry.content_sha256) != 64
        )
        yield eq("sets that have another size", judged(wrong), 0, witness={"set": name})
    with TemporaryDirectory() as name:
        yield from _by_name(judged, Path(name), np.array(rows), np.array(labels))


def _text(rows: Any, labels: Any) -> bytes:
    lines = [
        " ".join([f"{label:g}", *(f"{j}:{x!r}" for j, x in enumerate(row.tolist(), 1) if x)])
        for row, label in zip(rows, labels.tolist(), strict=True)
    ]
    return ("\n".join(lines) + "\n").encode()


def _hash(rows: Any, signs: Any) -> str:
    """Return the hash of the content, number after number."""
    ends, places, values = [0], [], []
    for row in rows.tolist():
        places += [j for j, x in enumerate(row) if x]
        values += [x for x in row if x]
        ends.append(len(places))
    whole = b"".join(struct.pack("<q", item) for item in (*ends, *places))
    data = whole + b"".join(struct.pack("<d", x) for x in values)
    return hashlib.sha256(data + b"".join(struct.pack("<b", int(s)) for s in signs)).hexdigest()


def tiny_set(rows: Any, labels: Any) -> tuple[bytes, Any, libsvm.LibsvmSet]:
    """Return the text of a set, its labels as signs, and what is known of it."""
    signs = np.where(labels == labels.max(), 1.0, -1.0)
    low, high = ((float(label), int((labels == label).sum())) for label in np.unique(labels))
    size = len(rows), rows.shape[1], int((rows != 0).sum())
    return _text(rows, labels), signs, libsvm.LibsvmSet("tiny", *size, (low, high), _hash(rows, signs))


def _libsvm(judged: Found, folder: Path, rows: Any, labels: Any) -> Comparisons:
    text, signs, known = tiny_set(rows, labels)
    for suffix, pack in _PACKED.items():
        at, path = {"file": f"tiny{suffix}"}, folder / f"tiny{suffix}"
        path.write_bytes(pack(text))
        features, read = read_libsvm(path)
        wrong = int((judged(features.toarray()) != rows).sum()) + int((judged(read) != signs).sum())
        yield eq("numbers that are read differently", wrong, 0, witness=at)
        other = int(libsvm.content_sha256(features, read) != known.content_sha256)
        yield eq("hashes of other content", judged(other), 0, witness=at)
        yield eq("files found wrong", judged(int(libsvm.inspect_file(path, known) != "")), 0, witness=at)
        for what, changed in {
            "another value": text.replace(b":", b":1", 1),
            "another label": text[1:],
            "a row less": text[: text.rindex(b"\n", 0, -1) + 1],
            "no numbers": b"1 1:a\n",
        }.items():
            path.write_bytes(pack(changed))
            found = int(libsvm.inspect_file(path, known) != "")
            yield eq("wrong files found wrong", judged(found), 1, witness={**at, "change": what})
        path.write_bytes(pack(text))
        if suffix:
            path.write_bytes(path.read_bytes()[:-9])
            found = int(libsvm.inspect_file(path, known) != "")
            yield eq("wrong files found wrong", judged(found), 1, witness={**at, "change": "cut"})
    for place, suffix in enumerate(_PACKED):
        wrong = int(libsvm.find_file(folder, "tiny") != folder / f"tiny{suffix}")
        yield eq("files that are passed over", judged(wrong), 0, witness={"file": f"tiny{suffix}"})
        (folder / f"tiny{suffix}").unlink()
        missing = libsvm.find_file(folder, "tiny") is None
        yield eq("files that are missed", judged(int(missing)), int(place + 1 == len(_PACKED)))
    (folder / "mushrooms.gz").write_bytes(gzip.compress(text))
    for entry in libsvm.check(folder):
        wanted = entry.dataset.name == "mushrooms"
        states = (entry.path == folder / "mushrooms.gz", entry.path is None, entry.problem == "no file")
        wrong = int(states != (wanted, not wanted, not wanted)) + int(not entry.problem)
        yield eq("sets that are told wrong", judged(wrong), 0, witness={"set": entry.dataset.name})
    sizes = [len(libsvm.available(folder)), len(libsvm.check(folder))]
    yield eq("sets that are told", judged(min(sizes)), len(libsvm.MANIFEST))


def _by_name(judged: Found, folder: Path, rows: Any, labels: Any) -> Comparisons:
    """Compare a set that is asked for by name, in a folder or that of the environment, with its text."""
    text, signs, known = tiny_set(rows, labels)
    for suffix, pack in _PACKED.items():
        own, at = folder / f"own{suffix}", {"file": f"tiny{suffix}"}
        own.mkdir()
        path = own / f"tiny{suffix}"
        path.write_bytes(pack(text))
        changed = pack(text.replace(b":", b":1", 1))
        with (
            patch.dict(libsvm.MANIFEST, {"tiny": known}),
            patch.dict(os.environ, {libsvm.VARIABLE: str(own)}),
        ):
            for where in (own, str(own), None):
                features, read = libsvm.load_libsvm("tiny", where)
                wrong = int((judged(features.toarray()) != rows).sum()) + int((judged(read) != signs).sum())
                yield eq("numbers that are read differently", wrong, 0, witness=at)
            told = [entry.path for entry in libsvm.available() if entry.dataset is known]
            yield eq("files that are missed", judged(int(told != [path])), 0, witness=at)
            path.write_bytes(changed)
            refused = {
                "another value": ("tiny", own),
                "no set": ("tiniest", own),
                "no folder": ("tiny", path),
            }
            refused["no file"] = ("tiny", folder / "empty")
            (folder / "empty").mkdir(exist_ok=True)
            for what, call in refused.items():
                found = int(taken(partial(libsvm.load_libsvm, *call)))
                yield eq("sets that are read all the same", judged(found), 0, witness={**at, "change": what})
        with patch.dict(os.environ, {libsvm.VARIABLE: ""}):
            found = int(taken(partial(libsvm.load_libsvm, "a9a")))
            found += sum(entry.path is not None for entry in libsvm.available())
            yield eq("sets that are read all the same", judged(found), 0, witness={**at, "change": "nowhere"})


def _mnist(judged: Found, folder: Path) -> Comparisons:
    path = folder / mnist.FILE
    yield eq("files that are missed", judged(int(mnist.find(folder) is None)), 1)
    yield eq("files found wrong", judged(int(mnist.check(folder) != "no file")), 0)
    images, classes = np.zeros((3, 2, 2), dtype=np.uint8), np.zeros(3, dtype=np.uint8)
    whole = {"x_train": images, "y_train": classes, "x_test": images, "y_test": classes}
    archives: dict[str, dict[str, Any]] = {
        "other images": whole,
        "no classes": {"x_train": images, "x_test": images},
    }
    for what, given in archives.items():
        with path.open("wb") as stream:
            np.savez(stream, **given)
        found = (mnist.find(folder) == path, bool(mnist.check(folder)), "has no" in mnist.check(folder))
        wrong = int(found != (True, True, what == "no classes"))
        yield eq("sets that are told wrong", judged(wrong), 0, witness={"file": what})
    images += np.arange(12, dtype=np.uint8).reshape(3, 2, 2)
    classes += np.array([1, 0, 2], dtype=np.uint8)
    with path.open("wb") as stream:
        np.savez(stream, x_train=images, y_train=classes, x_test=images, y_test=classes)
    parts = (images, classes, images, classes)
    digest = hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()
    with patch.object(mnist, "CONTENT_SHA256", digest):
        loaded = mnist.load_mnist(folder)
        literal = [[float(pixel) / 255 for row in image for pixel in row] for image in images.tolist()]
        wrong = sum(int((judged(part) != literal).sum()) for part in (loaded.features, loaded.test_features))
        wrong += sum(int((part != classes).sum()) for part in (loaded.labels, loaded.test_labels))
        wrong += sum(part.flags.writeable for part in (loaded.features, loaded.test_labels))
        yield eq("numbers that are read differently", wrong, 0, witness={"file": mnist.FILE})
        yield eq("files found wrong", judged(int(mnist.check(folder) != "")), 0)
    for where in (folder / "nowhere", folder.parent):
        wrong = int(taken(partial(mnist.load_mnist, where)))
        yield eq("sets that are read all the same", judged(wrong), 0, witness={"folder": where.name})
    path.write_bytes(b"no archive")
    yield eq("wrong files found wrong", judged(int("cannot be read" in mnist.check(folder))), 1)


def _literal_parts(rows: Any, signs: Any, n: int, key: Any, scaled: bool) -> tuple[Any, Any]:
    """Return rows (n, m, d) and labels (n, m), sorted by a key."""
    order = sorted(range(len(rows)), key=key)
    m = len(rows) // n
    parts = [order[i * m : (i + 1) * m] for i in range(n)]
    made = [[rows[j] / 2**i if scaled else rows[j] for j in part] for i, part in enumerate(parts)]
    return np.array(made), np.array([[signs[j] for j in part] for part in parts])


def _splits(judged: Found, rows: Any, signs: Any) -> Comparisons:
    from scipy import sparse

    kinds: Mapping[str, Any] = {
        "label": (label_sorted_split, lambda j: signs[j], False),
        "scaled": (scaled_split, lambda j: float(np.linalg.norm(rows[j])), True),
    }
    for name, (split, key, scaled) in kinds.items():
        for n in (1, 2, len(rows)):
            features, labels = _literal_parts(rows, signs, n, key, scaled)
            for given in (rows, sparse.csr_array(rows)):
                for storage in ("auto", "dense", "sparse"):
                    found, own = split(given, signs, n, storage=storage)
                    flat = found.toarray() if storage == "sparse" else found
                    wrong = int((judged(flat).reshape(features.shape) != features).sum())
                    wrong += int((own != labels).sum()) + int(
                        hasattr(found, "tocsr") != (storage == "sparse")
                    )
                    yield eq("rows of other nodes", wrong, 0, witness={"split": name, "storage": storage})
    tiny = 2.0**-600  # whose squares are beyond the range of floats
    found, own = scaled_split(tiny * rows, signs, len(rows))
    features, labels = scaled_split(rows, signs, len(rows))
    wrong = int((judged(np.asarray(found) / tiny) != features).sum()) + int((own != labels).sum())
    yield eq("rows of other nodes", wrong, 0, witness={"split": "scaled", "rows": "tiny"})
    for n in (1, 2, len(rows)):
        ends = [i * len(rows) // n for i in range(n + 1)]
        m = max(b - a for a, b in pairwise(ends))
        features, labels = np.zeros((n, m, rows.shape[1])), np.ones((n, m))
        for i in range(n):
            own = slice(ends[i], ends[i + 1])
            features[i, : ends[i + 1] - ends[i]], labels[i, : ends[i + 1] - ends[i]] = rows[own], signs[own]
        for given in (rows, sparse.csr_array(rows)):
            for storage in ("auto", "dense", "sparse"):
                found, sent, counts = contiguous_split(given, signs, n, storage=storage)  # type: ignore[arg-type]  # one of three words
                flat = found.toarray() if storage == "sparse" else found
                wrong = int((judged(flat).reshape(features.shape) != features).sum())
                wrong += int((sent != labels).sum()) + int((counts != np.diff(ends)).sum())
                yield eq("rows of other nodes", wrong, 0, witness={"split": "parts", "storage": storage})
    for given, storage, dense in (
        (_sparse(_BIG, 0), "auto", True),
        (_sparse(_BIG + 1, 0), "auto", False),
        (_sparse(_BIG + 1, 3 * _BIG // 10), "auto", False),
        (_sparse(_BIG + 1, 3 * _BIG // 10 + 1), "auto", True),
        (_sparse(_BIG, 0), "sparse", False),
        (_sparse(_BIG + 1, 0), "dense", True),
        (np.broadcast_to(np.array([1.0, 0.0]), (800_000, 2)), "auto", True),
        (np.broadcast_to(np.array([1.0, 0, 0, 0]), (400_000, 4)), "auto", False),
    ):
        wrong = int(is_dense(given, storage) != dense)  # type: ignore[arg-type]  # one of three words
        yield eq("rows stored in another way", judged(wrong), 0, witness={"shape": given.shape})


def _sparse(rows: int, full: int) -> Any:
    """Return so many rows of 50 entries of which the first are without zeros."""
    from scipy import sparse

    ends = np.minimum(np.arange(rows + 1), full) * 50
    return sparse.csr_array((np.ones(full * 50), np.tile(np.arange(50), full), ends), shape=(rows, 50))
