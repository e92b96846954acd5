"""Orders of methods and the model of seconds, on runs that are made up."""

from dataclasses import replace

import pytest

from verify.wires.link_orders import LEFT, before, few_rounds, over_model
from verify.wires.link_runs import LinkRun, Measurement

SLOW, FAST = "1Mbit,10ms", "5Mbit,1ms,uplink"


def measured(*rows):
    runs = {
        (link, method): LinkRun(link, method, needed, 0.002, 0, [(100, size)] * len(seconds), [list(seconds)])
        for link, method, needed, size, seconds in rows
    }
    return Measurement(runs, {}, 1.0, True)


def test_the_order_is_that_of_rounds_times_their_median():
    found = measured((SLOW, "gd", 10, 50, [0.1, 0.3, 0.1]), (SLOW, "dqsg", 13, 10, [0.1, 0.1, 9.0]))
    right, seconds = before(found, SLOW, "gd", "dqsg", 1.3)
    assert right
    assert list(seconds.values()) == pytest.approx([1.0, 1.3])
    assert not before(found, SLOW, "gd", "dqsg", 1.31)[0]
    assert not before(found, SLOW, "dqsg", "gd", 1.0)[0]


@pytest.mark.parametrize(
    ("factor", "again", "runs", "right"),
    [
        (1.2, [0.1], 4, True),  # the first run was disturbed
        (1.2, [0.13, 0.12], 6, False),
        (1.0, [], 2, True),  # as the order holds
        (12, [], 2, False),  # far from it
    ],
)
def test_where_an_order_nearly_holds_both_run_again(factor, again, runs, right):
    found = measured((SLOW, "gd", 10, 50, [0.13]), (SLOW, "dqsg", 13, 10, [0.1]))
    left = {"gd": list(again), "dqsg": [0.1, 0.11]}

    def more(link, method):
        found.runs[link, method].seconds.append([left[method].pop(0)])

    assert before(replace(found, again=more), SLOW, "gd", "dqsg", factor)[0] is right
    assert sum(len(run.seconds) for run in found.runs.values()) == runs


def test_a_further_run_that_leaves_its_course_is_no_order():
    found = measured((SLOW, "gd", 10, 50, [0.13]), (SLOW, "dqsg", 13, 10, [0.1]))

    def leaves(link, method):
        found.left[f"{method} over {link}, seed 0"] = "another point"

    assert not before(replace(found, again=leaves), SLOW, "gd", "dqsg", 1.2)[0]
    assert not before(replace(found, left={"gd": "another point"}), SLOW, "gd", "dqsg", 0.9)[0]


def test_of_several_runs_that_with_the_least_median_counts():
    found = measured((FAST, "gd", 10, 50, [0.1, 0.3, 0.1]))
    run = found.runs[FAST, "gd"]
    run.seconds += [[0.2, 0.08, 0.08], [0.5, 0.5, 0.01]]
    run.sizes *= 3
    assert run.total == pytest.approx(10 * 0.08)
    assert over_model(found, [FAST], lambda **values: 0.1) == pytest.approx({f"gd over {FAST}": 1.0})


def test_rounds_are_held_against_the_model_of_their_own_sizes():
    def model(delta, R, b, u, c):
        assert (delta, R, b, c) == (0.01, 1e6, 100, 0.002)
        return u / 1000

    found = measured(
        (SLOW, "gd", 3, 50, [0.05, 0.10, 0.06]), (SLOW, "dqsg", 3, 10, [0.02]), (FAST, "gd", 3, 50, [9.0])
    )
    assert over_model(found, [SLOW], model) == pytest.approx(
        {f"gd over {SLOW}": 1.2, f"dqsg over {SLOW}": 2.0}
    )


def test_processes_with_another_seed_leave_the_course():
    problem, links = ("quadratic:6", 2, 0.1, "contiguous", 1e-2), ("loopback", "loopback")
    own = few_rounds(problem, ["dqsg"], 1, 3, links, levels=8.0)
    other = few_rounds(problem, ["dqsg"], 1, 3, links, other_seed=1, levels=8.0)
    assert [item.value for item in own] == [0, 0]
    assert [item.label for item in other if item.value] == [LEFT]
