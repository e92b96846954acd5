"""The tasks of the figures, and where the curves of several runs end."""

import numpy as np
import pytest

from verify.experiments.cat.adaptive_runs import CostedRun
from verify.experiments.cat.libsvm_tasks import METHODS, SETS, TASKS
from verify.experiments.cat.node_costs import METHODS as NODE_METHODS
from verify.figures.cat.parts.link_panels import gap_points
from verify.figures.cat.parts.styles import COLORS, LABELS, LINES, NODE_LABELS


def test_tasks_are_both_losses_on_each_set():
    assert {(task.data, task.squares) for task in TASKS.values()} == {
        (name, squares) for name in SETS for squares in (False, True)
    }
    assert all(task.packet_rounds <= task.rounds for task in TASKS.values())


def test_every_method_has_a_look_and_those_of_a_figure_differ():
    for methods, labels in ((METHODS, LABELS), (NODE_METHODS, NODE_LABELS)):
        assert len({(COLORS[name], LINES.get(name)) for name in methods}) == len(methods)
        assert len({labels[name] for name in methods}) == len(methods)


def test_a_curve_of_one_run_goes_through_its_iterates_to_the_end():
    run = CostedRun(np.array([[1.0, 0.5, 5e-4, 4e-4]]), np.array([[0.0, 1000, 2000, 3000]]), None)
    assert list(gap_points(run, 5)) == [(1.0, 0.5, 0.5, 0.5), (2.0, 5e-4, 5e-4, 5e-4)]


def test_curves_of_several_runs_begin_with_the_first_paid_message_and_end_together():
    costs = np.array([[0.0, 0, 1000, 4000], [0, 500, 1000, 3000]])
    cut = CostedRun(np.array([[1.0, 1, 0.5, 0.2], [1, 0.8, 0.6, 0.3]]), costs, None)
    assert [row[0] for row in gap_points(cut, 2)] == pytest.approx([1.0, 3.0])
    done = CostedRun(np.array([[1.0, 1, 0.5, 1e-4], [1, 0.8, 0.6, 1e-4]]), costs, None)
    assert [row[0] for row in gap_points(done, 2)] == pytest.approx([1.0, 4.0])
