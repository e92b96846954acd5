"""What is handed out, run again and refused, with workers that answer at once."""

import os
import signal
import socket
from concurrent.futures import CancelledError, Future
from dataclasses import replace

import pytest

from verify.backends import Pool, copies, lost_workers
from verify.backends.chunks import chunks
from verify.backends.lost_workers import AHEAD, LostUnit, outcomes
from verify.backends.task import Refusal, Task, judge_task
from verify.backends.versions import DATA, SOURCES, differences, versions
from verify.binding import Unit
from verify.errors import BackendError


class Died(Exception):
    """A worker has died."""


def task(*instances):
    return Task(tuple(("fake/one", "exact", name) for name in instances), "quick", 7, (), {})


def pool_that(answer, workers=2, **more):
    """Return a pool whose workers answer at once, and the tasks that they were given."""
    given = []

    def submit(function, item):
        assert function is judge_task
        given.append(tuple(key[2] for key in item.keys))
        future = Future()
        try:
            future.set_result(answer(item, len(given)))
        except (Died, CancelledError, ImportError) as error:
            future.set_exception(error)
        return future

    return Pool(workers, submit, (Died,), (CancelledError,), **more), given


def instances(item, _):
    return [{"instance": key[2]} for key in item.keys]


def test_tasks_are_taken_when_there_is_somebody_to_do_them():
    taken = []

    def tasks():
        for number in range(50):
            taken.append(number)
            yield task(str(number))

    pool, given = pool_that(instances, workers=3)
    found = outcomes(pool, tasks())
    assert next(found)["instance"] == "0"
    assert len(taken) == AHEAD * 3
    assert sorted(int(item["instance"]) for item in found) == list(range(1, 50))
    assert len(given) == 50


@pytest.mark.parametrize("deaths", [1, 2, 3])
def test_what_died_with_its_worker_runs_again_by_itself_at_most_twice(deaths):
    died = []

    def answer(item, number):
        if "b" in [key[2] for key in item.keys] and len(died) < deaths:
            died.append(number)
            raise Died
        return instances(item, number)

    pool, given = pool_that(answer)
    found = list(outcomes(pool, [task("a", "b"), task("c")]))
    assert given == [("a", "b"), ("c",), ("a",), *[("b",)] * min(deaths, 2)]
    lost = [item for item in found if isinstance(item, LostUnit)]
    kept = sorted(item["instance"] for item in found if not isinstance(item, LostUnit))
    if deaths < 3:
        assert (kept, lost) == (["a", "b", "c"], [])
    else:
        assert kept == ["a", "c"]
        assert [(item.key[2], "died each of 3 times" in item.reason) for item in lost] == [("b", True)]


def kill_at_b(item):
    if any(key[2] == "b" for key in item.keys):
        os.kill(os.getpid(), signal.SIGKILL)
    return instances(item, 0)


def test_one_that_ends_all_workers_costs_the_others_nothing(monkeypatch):
    """Copies of this process share their fate: what is under way beside the one that died is lost, too."""
    monkeypatch.setattr(lost_workers, "judge_task", kill_at_b)
    with copies.pool(3, None) as pool:
        found = list(outcomes(pool, [task("a", "b", "c"), *map(task, "defghijk")]))
    lost = [item for item in found if isinstance(item, LostUnit)]
    assert sorted(item["instance"] for item in found if item not in lost) == list("acdefghijk")
    assert [item.key[2] for item in lost] == ["b"]


def test_deaths_that_a_scheduler_has_counted_already_are_told():
    def answer(item, number):
        raise Died

    pool, _ = pool_that(answer, deaths=lambda error: 4)
    (lost,) = outcomes(pool, [task("a")])
    assert "died each of 12 times" in lost.reason


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Refusal("worker far has numpy 1.26 (here 2.4)"), "numpy 1.26 .here 2.4.; records would differ"),
        (
            CancelledError("closed"),
            "all workers are gone .CancelledError: closed.; finished records are kept",
        ),
        (
            ModuleNotFoundError("No module named 'mine'"),
            "No module named 'mine'.: install the same boundcheck",
        ),
    ],
)
def test_workers_that_cannot_be_used_are_one_error(answer, words):
    def give(item, number):
        if isinstance(answer, Exception):
            raise answer
        return answer

    with pytest.raises(BackendError, match=words):
        list(outcomes(pool_that(give)[0], [task("a")]))


def test_a_cluster_that_has_lost_all_workers_is_one_error(monkeypatch):
    monkeypatch.setattr(lost_workers, "ABSENCE", 0.01)
    pool = Pool(1, lambda *call: Future(), (Died,), present=lambda: False)
    with pytest.raises(BackendError, match=r"no worker for 0\.01 s.; finished records are kept"):
        list(outcomes(pool, [task("a")]))


def test_a_worker_with_other_versions_judges_nothing():
    mine = versions()
    assert differences(mine, mine) == ""
    found = judge_task(
        Task((("squant/var", "exact", "x"),), "quick", 7, (), {**mine, "numpy": "1.0", SOURCES: "0"})
    )
    assert isinstance(found, Refusal)
    assert f"numpy {mine['numpy']} (here 1.0), {SOURCES} {mine[SOURCES]} (here 0)" in found.reason
    assert f"worker {socket.gethostname()}" in found.reason
    assert set(differences({}, mine).split(", ")) == {f"{k} missing (here {v})" for k, v in mine.items()}


def test_data_at_hand_are_a_version(monkeypatch, tmp_path):
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    versions.__globals__["_versions"].cache_clear()
    assert versions()[DATA] == "none"
    monkeypatch.setenv("BOUNDCHECK_DATA", str(tmp_path))
    (tmp_path / "mushrooms").write_text("1 1:1\n")
    versions.__globals__["_versions"].cache_clear()
    assert versions()[DATA] == "mushrooms"
    versions.__globals__["_versions"].cache_clear()


def test_long_chunks_come_first_and_have_one_claim(make_claim, make_check):
    one, two = make_claim("one"), make_claim("two")
    units = [Unit(one, make_check(name)) for name in "abc"] + [Unit(two, make_check(name)) for name in "defg"]
    seconds = dict(zip([unit.key for unit in units], [1.0, 2.5, 0.1, 9.0, 0.2, 0.2], strict=False))
    names = ["".join(key[2] for key in chunk) for chunk in chunks(units, seconds, "quick")]
    assert names == ["d", "bc", "a", "efg"]
    # What never ran may take minutes in the full profile.
    names = ["".join(key[2] for key in chunk) for chunk in chunks(units, seconds, "full")]
    assert names == ["d", "g", "bc", "a", "ef"]


def test_chunks_that_measure_seconds_lie_apart(make_claim, make_check):
    others = [Unit(make_claim(name), make_check(name)) for name in "abcd"]
    timed = [Unit(replace(make_claim(name), timed=True), make_check(name)) for name in "xy"]
    seconds = {unit.key: 9.0 if unit.claim.timed else 2.0 for unit in (*others, *timed)}
    names = [key[2] for chunk in chunks([*timed, *others], seconds, "quick") for key in chunk]
    assert names == ["x", "a", "b", "y", "c", "d"]
    assert chunks(timed, seconds, "quick") == [(unit.key,) for unit in timed]
