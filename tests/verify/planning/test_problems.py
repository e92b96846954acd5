"""Problems by name."""

import pytest

from impl.errors import ArgumentError
from verify.errors import UsageError
from verify.planning.problems import problem


def test_bundled_rows_are_cut_over_the_nodes_without_loss():
    whole, parts = problem("breast-cancer", 1, None), problem("breast-cancer", 4, None)
    assert (whole.n, parts.n, whole.d) == (1, 4, 30)
    assert int(parts.counts.sum()) == 569
    assert whole.mu == pytest.approx(1 / 569)  # the default ridge is all of it
    assert problem("breast-cancer", 1, 0.5).mu == pytest.approx(0.5)


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
        ("iris", 1, None, "choose breast-cancer, quadratic:D, or one of a9a"),
        ("", 1, None, "is unknown"),
        ("breast-cancer:3", 1, None, "only quadratic takes"),
        ("quadratic:x", 1, None, "must be a positive number of coordinates"),
        ("quadratic:0", 1, None, "must be a positive number of coordinates"),
        ("quadratic:²", 1, None, "must be a positive number of coordinates"),
        ("breast-cancer", 570, None, "nodes=570 must be at most 569"),
        ("quadratic:4", 1, -1.0, "ridge=-1.0 must be a finite number"),
        ("quadratic:4", 1, float("nan"), "ridge=nan must be"),
        ("breast-cancer", 1, float("inf"), "ridge=inf must be"),
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
