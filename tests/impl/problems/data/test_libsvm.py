import dataclasses
import json

import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.problems import Logistic, label_sorted_split, load_libsvm
from impl.problems.data import libsvm

TEXT = b"2 1:0.5 3:1\n1 2:-4\n2 1:1e-3 2:2\n"


@pytest.fixture
def toy(monkeypatch):
    """A data set of three rows, known to the manifest, and no folder set."""
    from scipy.sparse import csr_matrix

    features = csr_matrix([[0.5, 0, 1], [0, -4, 0], [1e-3, 2, 0]])
    entry = libsvm.LibsvmSet(
        "toy", 3, 3, 5, ((1.0, 1), (2.0, 2)), libsvm.content_sha256(features, [1, -1, 1])
    )
    monkeypatch.setattr(libsvm, "MANIFEST", {"toy": entry})
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    return entry


def test_formatting_does_not_matter(toy, tmp_path):
    (tmp_path / "toy").write_bytes(b"2.0 1:5e-1 3:1.0\n+1 2:-4.00\n2 1:0.001 2:2 # comment\n")
    assert load_libsvm("toy", str(tmp_path))[0].nnz == 5


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (TEXT.replace(b"-4", b"4"), "content SHA-256"),
        (TEXT.replace(b"1 2:-4", b"2 2:-4"), "content SHA-256"),
        (TEXT + b"1 1:1\n", r"\(4, 3, 6\) instead of \(3, 3, 5\)"),
        (b"2 1:half\n", "cannot be read"),
        (b"2 9:1\n", "cannot be read"),
    ],
)
def test_other_content_is_refused(toy, tmp_path, text, word):
    (tmp_path / "toy").write_bytes(text)
    with pytest.raises(ArgumentError, match=word):
        load_libsvm("toy", tmp_path)
    assert libsvm.check(tmp_path)[0].problem != ""


def test_mistakes_are_named(toy, tmp_path):
    with pytest.raises(ArgumentError, match="unknown data set 'covtype'; known are toy"):
        load_libsvm("covtype", tmp_path)
    with pytest.raises(ArgumentError, match="BOUNDCHECK_DATA is not set"):
        load_libsvm("toy")
    with pytest.raises(ArgumentError, match="BOUNDCHECK_DATA is not set"):
        libsvm.check()
    with pytest.raises(ArgumentError, match=r"tried toy, toy.bz2, toy.gz, toy.xz"):
        load_libsvm("toy", tmp_path)
    with pytest.raises(ArgumentError, match="not a folder"):
        load_libsvm("toy", tmp_path / "absent")
    assert [entry.path for entry in libsvm.available()] == [None]
    assert libsvm.check(tmp_path)[0].problem == "no file"


def test_known_sets():
    assert list(libsvm.MANIFEST) == [
        "a9a",
        "mushrooms",
        "phishing",
        "splice",
        "w8a",
        "german.numer",
        "svmguide3",
    ]
    for name, entry in libsvm.MANIFEST.items():
        assert entry.name == name
        assert sum(count for _, count in entry.labels) == entry.rows


def test_manifest_and_files_agree(libsvm_folder):
    manifest = libsvm_folder / "manifest.json"
    recorded = json.loads(manifest.read_text()) if manifest.is_file() else None
    if recorded is not None:
        assert sorted(recorded) == sorted(libsvm.MANIFEST)
        for name, facts in recorded.items():
            entry = dataclasses.asdict(libsvm.MANIFEST[name])
            assert entry.pop("name") == name
            entry["labels"] = {str(label): count for label, count in entry["labels"]}
            assert entry == facts
    found = [entry for entry in libsvm.check(libsvm_folder) if entry.problem != "no file"]
    assert found
    assert [entry.problem for entry in found] == [""] * len(found)


@pytest.mark.parametrize(
    ("name", "n", "ridge", "golden"),
    [
        (
            "phishing",
            6,
            5e-3,
            (0.16755251212, 0.17851076999, 5.8885596131, 0.61843740361, 0.61361667683, 0.58998853675),
        ),
        ("mushrooms", 6, 5e-2, (2.6362142339, 3.7116469899, 5.254936599, 13.835782437, 13.544755848, 10.85)),
        (
            "splice",
            20,
            1e-3,
            (95.752471423, 100.6500732, 19.096165152, 118.40449955, 117.55474427, 116.43974684),
        ),
    ],
)
def test_golden_data_constants(libsvm_folder, name, n, ridge, golden):
    problem = Logistic(*label_sorted_split(*load_libsvm(name, libsvm_folder), n), ridge)
    diagonals = np.diagonal(problem.smoothness, axis1=1, axis2=2)
    plus = np.sqrt(problem.d) * np.linalg.norm(diagonals, axis=1)
    block = [sum(np.sqrt(len(b)) * np.linalg.norm(b) for b in np.array_split(row, n)) for row in diagonals]
    largest = problem.L_nodes
    found = (
        problem.L,
        largest.max(),
        largest.sum() / largest.max(),
        plus.max(),
        max(block),
        diagonals.sum(axis=1).max(),
    )
    # The specification prints eleven digits (fewer where they end in zeros).
    np.testing.assert_allclose(found, golden, rtol=1e-10)
    assert np.linalg.norm(problem.gradient(problem.solution)) <= 1e-13


@pytest.mark.parametrize("path", [None, 3, b"a9a"])
def test_a_path_that_is_none(path):
    with pytest.raises(ArgumentError, match=f"read_libsvm: path={path!r} must be the name of a file"):
        libsvm.read_libsvm(path)
