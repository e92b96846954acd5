"""Problems by name."""

import gzip

import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.problems import LeastSquares, load_digits
from verify.errors import UsageError
from verify.planning.problems import problem


def test_bundled_rows_are_cut_over_the_nodes_without_loss():
    whole, parts = problem("breast-cancer", 1, None), problem("breast-cancer", 4, None)
    assert (whole.n, parts.n, whole.d) == (1, 4, 30)
    assert int(parts.counts.sum()) == 569
    assert whole.mu == pytest.approx(1 / 569)  # the default ridge is all of it
    assert problem("breast-cancer", 1, 0.5).mu == pytest.approx(0.5)


def test_digits_are_even_against_odd():
    found, digits = problem("digits", 6, 0.05), load_digits()
    assert (found.n, found.d, int(found.counts.sum())) == (6, 64, 1400)
    signs = np.where(digits.labels % 2 == 0, 1.0, -1.0)
    slope = -(signs[:, None] * digits.features).mean(axis=0) / 2  # of log(1 + exp(-y a'x)) at zero
    assert found.gradients(np.zeros(64)).mean(axis=0) == pytest.approx(slope, rel=0.01)


def test_quadratics_have_the_coordinates_and_nodes_that_are_asked_for():
    assert (problem("quadratic", 2, None).n, problem("quadratic", 2, None).d) == (2, 32)
    found = problem("quadratic:5", 3, 0.25)
    assert (found.n, found.d) == (3, 5)
    assert found.mu == pytest.approx(1 / 5 + 0.25)
    assert pytest.approx(1.25) == found.L
    assert (found.gradients(found.solution) ** 2).sum() > 0.1  # the nodes differ


@pytest.mark.parametrize(
    ("text", "nodes", "ridge", "message"),
    [
        ("iris", 1, None, "choose breast-cancer, digits, quadratic:D, one of a9a"),
        ("", 1, None, "is unknown"),
        ("breast-cancer:3", 1, None, "only quadratic takes"),
        ("quadratic:x", 1, None, "must be a positive number of coordinates"),
        ("quadratic:", 1, None, "'quadratic:': '' must be a positive number"),
        ("breast-cancer:", 1, None, "only quadratic takes"),
        ("quadratic:0", 1, None, "must be a positive number of coordinates"),
        ("quadratic:²", 1, None, "must be a positive number of coordinates"),
        ("breast-cancer", 570, None, "nodes=570 must be at most 569"),
        ("quadratic:4", 1, -1.0, "ridge=-1.0 must be 0, or from 1e-50 to 1e"),
        ("quadratic:4", 1, float("nan"), "ridge=nan must be"),
        ("breast-cancer", 1, float("inf"), "ridge=inf must be"),
        ("quadratic:4", 1, 1e308, "ridge=1e.308 must be"),
        ("breast-cancer", 1, 1e-308, "ridge=1e-308 must be"),
        ("quadratic:1000001", 1, None, "'1000001' must be at most 1000000 coordinates; give fewer"),
        (f"quadratic:{'9' * 5000}", 1, None, "must be at most 1000000 coordinates"),
        ("quadratic:4", 10**20, None, f"nodes={10**20} must be at most 2500000 for 4 coordinates"),
    ],
)
def test_what_is_no_problem_is_named(text, nodes, ridge, message):
    with pytest.raises(UsageError, match=message):
        problem(text, nodes, ridge)


def test_a_missing_set_names_the_folder_variable(monkeypatch, tmp_path):
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    with pytest.raises(ArgumentError, match="BOUNDCHECK_DATA"):
        problem("a9a", 1, None)
    monkeypatch.setenv("BOUNDCHECK_DATA", str(tmp_path))
    with pytest.raises(ArgumentError, match="no file of 'a9a'"):
        problem("a9a", 1, None)


ROWS = "+1 1:0.5 3:2\n0 2:1\n+1 1:-1 2:0.25\n0 1:3 3:1\n"


def test_the_loss_can_be_that_of_least_squares():
    found = problem("breast-cancer", 4, None, "least-squares")
    assert isinstance(found, LeastSquares)
    assert (found.n, found.d, found.ridge) == (4, 30, pytest.approx(1 / 569))
    assert float(found.objective(np.zeros(30))) == pytest.approx(0.5)  # labels of -1 and 1


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_file_is_read_whatever_its_name(tmp_path, suffix, monkeypatch):
    path = tmp_path / f"mine{suffix}"
    path.write_bytes(gzip.compress(ROWS.encode()) if suffix else ROWS.encode())
    found = problem(str(path), 2, None)
    assert (found.n, found.d) == (2, 3)
    assert found.mu == pytest.approx(1 / 4)
    x = np.array([0.3, -0.2, 0.1])
    rows = np.array([[0.5, 0, 2], [0, 1, 0], [-1, 0.25, 0], [3, 0, 1]])
    signs = np.array([1, -1, 1, -1])  # the larger label is +1
    expected = np.log1p(np.exp(-signs * (rows @ x))).mean() + x @ x / 8
    assert float(found.objective(x)) == pytest.approx(expected, rel=1e-12)
    monkeypatch.chdir(tmp_path)  # a name without a slash, where such a file is
    assert problem(f"mine{suffix}", 1, None).d == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "is no file"),
        ("1 1:2\n1 2:3\n", "has 1 labels; it must have two"),
        ("1 1:2\n2 2:3\n3 1:1\n", "has 3 labels"),
        ("1 1:2\n2 2:inf\n", "values that are not finite"),
        ("yes 1:2\n", "cannot be read"),
        ("1 1:a\n", "cannot be read"),
    ],
)
def test_what_is_no_file_of_two_classes_is_named(tmp_path, content, message):
    path = tmp_path / "mine"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ArgumentError, match=message):
        problem(str(path), 1, None)
