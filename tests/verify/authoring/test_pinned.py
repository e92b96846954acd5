"""Comparisons are held against what they were when somebody last read them."""

import json

import pytest

from verify.authoring import eq, le
from verify.context import MASTER_SEED
from verify.errors import UsageError
from verify.records.pinned import file_of, kept, kept_in, rows_of, write
from verify.rungs.montecarlo import MonteCarloCase

PARTS = (("a", (), ("exact/square",)), ("b", (), ("exact/triple",)))


@pytest.fixture
def pinned(bench):
    @bench.judge.exact(x=[1, 2, 4], y=4)
    def checks(law, x, y):
        yield eq("square", law.square(x) + 1, law.exactly("bound", x=x, y=y))
        yield le("triple", law.double(x), law.exactly("other", x=x))

    @bench.judge.mutant("Cube instead of square.")
    def cube_for_square(law):
        return law.replace(square=lambda value: value**3, double=lambda value: 4 * value)

    bench.found = bench.records()
    bench.rows = rows_of(bench.claim, bench.found)
    return bench


def changed(rows, label, **changes):
    (key,) = rows
    return {key: rows[key] | {label: rows[key][label] | changes}}


def test_what_is_pinned(pinned):
    assert pinned.rows == {
        "exact/checks": {
            "square": {
                "relation": "eq",
                "tolerance": 0.0,
                "rejects": ["cube-for-square", "times 16/17", "times 17/16"],
                "count": 3,
                "means": [8.0, 8.0],
            },
            "triple": {
                "relation": "le",
                "tolerance": 0.0,
                "rejects": ["cube-for-square"],
                "count": 3,
                "means": [4.66666667, 7.0],
            },
        }
    }
    assert pinned.result(*PARTS, found=pinned.found, pins=pinned.rows).verdict == "holds"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"relation": "eq"}, "has relation le, pinned is eq"),
        ({"count": 4}, "has count 3, pinned is 4"),
        ({"tolerance": 1e-12}, "has tolerance 0.0, pinned is 1e-12"),
        ({"rejects": ["cube-for-square", "halved"]}, "rejects no longer: halved"),
        ({"means": [4.66666667, 6.0]}, "compares [4.66666667, 7.0] on average, pinned is [4.66666667, 6.0]"),
    ],
)
def test_each_difference_makes_its_part_untested(pinned, changes, told):
    result = pinned.result(*PARTS, found=pinned.found, pins=changed(pinned.rows, "triple", **changes))
    assert [part.verdict for part in result.parts] == ["holds", "untested"]
    assert f"'exact/triple' at exact/checks {told}" in result.reasons[0]


def test_round_off_is_no_difference(pinned):
    pins = changed(pinned.rows, "triple", means=[4.666667, 7.000001])
    assert pinned.result(*PARTS, found=pinned.found, pins=pins).verdict == "holds"


def test_pins_that_reject_nothing_where_the_check_does_make_its_part_untested(pinned):
    """Else whoever empties them by hand could let the comparison notice less and less."""
    result = pinned.result(*PARTS, found=pinned.found, pins=changed(pinned.rows, "triple", rejects=[]))
    assert [part.verdict for part in result.parts] == ["holds", "untested"]
    assert "is pinned as rejecting nothing, and rejects cube-for-square" in result.reasons[0]


def test_comparisons_come_and_go_only_with_their_pins(pinned):
    (key,) = pinned.rows
    gone = {key: pinned.rows[key] | {"old": pinned.rows[key]["square"]}}
    for pins, told in ((gone, "'exact/old' at exact/checks is gone"), ({}, "is not pinned")):
        result = pinned.result(*PARTS, found=pinned.found, pins=pins)
        assert result.verdict == "untested"
        assert told in " ".join(result.reasons)
    # A check that this run leaves out is no difference; one that there is no more is.
    pins = pinned.rows | {"exact/other": pinned.rows[key]}
    assert "at exact/other is gone" in " ".join(pinned.result(found=pinned.found, pins=pins).reasons)


def test_what_the_full_profile_compares_is_pinned_too(bench):
    @bench.judge.exact(x=3, y=4)
    def checks(law, x, y):
        yield eq("square", law.square(x) + 1, law.exactly("bound", x=x, y=y))

    @bench.judge.exact(x=5, profile="full")
    def larger(law, x):
        yield eq("larger square", law.square(x), 25)

    @bench.judge.mutant("Cube instead of square.")
    def cube_for_square(law):
        return law.replace(square=lambda value: value**3)

    part = ("a", (), ("exact/square",))
    found = bench.records("full")
    pins = rows_of(bench.claim, found)
    assert list(pins) == ["exact/checks", "exact/larger"]
    without = {"exact/checks": pins["exact/checks"]}
    told = " ".join(bench.result(part, found=found, pins=without).reasons)
    assert "'exact/larger square' at exact/larger is not pinned" in told
    assert "pin --comparisons full fake/new" in told
    assert "is not pinned" not in " ".join(bench.result(part, found=found, pins=pins).reasons)


def test_another_seed_draws_other_samples(bench):
    @bench.judge.drift(instance="visited")
    def along_runs(law, rng):
        for value in rng.integers(1, 9, size=rng.integers(3, 9)):
            yield le("triple", law.double(value), law.exactly("other", x=int(value)))

    @bench.judge.mutant("Four for two.")
    def four_for_two(law):
        return law.replace(double=lambda value: 4 * value)

    part = ("a", (), ("run/triple",))
    pins = rows_of(bench.claim, bench.records(seed=MASTER_SEED))
    for seed, verdict in ((7, "consistent"), (MASTER_SEED, "consistent")):
        assert bench.result(part, found=bench.records(seed=seed), pins=pins).verdict == verdict
    wrong = changed(pins, "triple", count=1)
    assert bench.result(part, found=bench.records(seed=7), pins=wrong).verdict == "consistent"
    assert bench.result(part, found=bench.records(seed=MASTER_SEED), pins=wrong).verdict == "untested"


def test_a_file_keeps_what_did_not_run(pinned, tmp_path):
    file = tmp_path / "comparisons.json"
    (key,) = pinned.rows
    file.write_text(json.dumps({"fake/other": {}, "fake/new": {key: {}, "exact/no-more": {}}}))
    assert write(file, pinned.claim, pinned.rows)
    assert not write(file, pinned.claim, {key: {}})
    assert json.loads(file.read_text()) == {"fake/new": pinned.rows, "fake/other": {}}


def test_a_paper_without_pins_is_not_held_against_any(pinned):
    assert file_of("fake") is None
    assert kept(pinned.claim) is None


def test_means_a_percent_off_are_told(pinned):
    for label, sides in (("square", 0), ("triple", 1)):
        means = list(pinned.rows["exact/checks"][label]["means"])
        means[sides] *= 1.01
        result = pinned.result(*PARTS, found=pinned.found, pins=changed(pinned.rows, label, means=means))
        assert result.verdict == "untested", label


@pytest.mark.parametrize(
    ("side", "factor", "verdict"), [(1, 1.15, "holds"), (1, 1.3, "untested"), (0, 1.3, "untested")]
)
def test_trainings_may_differ_by_what_round_off_does(bench, side, factor, verdict):
    @bench.judge.exact(x=[1, 2, 4], trained=True)
    def checks(law, x):
        yield le("triple", law.double(x), law.exactly("other", x=x))

    @bench.judge.mutant("Four for two.")
    def four_for_two(law):
        return law.replace(double=lambda value: 4 * value)

    part, found = ("a", (), ("exact/triple",)), bench.records()
    rows = rows_of(bench.claim, found)
    means = list(rows["exact/checks"]["triple"]["means"])
    means[side] *= factor
    assert bench.result(part, found=found, pins=changed(rows, "triple", means=means)).verdict == verdict
    looser = changed(rows, "triple", tolerance=1e-12)
    assert bench.result(part, found=found, pins=looser).verdict == "untested"


def test_a_lost_rejection_of_a_sampled_check_is_told(bench):
    @bench.judge.montecarlo(label="mean")
    def sampled(law):
        bound = float(law.exactly("bound", x=1, y=4))
        return MonteCarloCase("le", lambda rng, m: law.double(rng.random(m)), bound, upper=2.0)

    @bench.judge.mutant("Four for two.")
    def four_for_two(law):
        return law.replace(double=lambda value: value + 1)

    found = bench.records(seed=MASTER_SEED)
    pins = rows_of(bench.claim, found)
    (key,) = pins
    more = {key: {"mean": pins[key]["mean"] | {"rejects": [*pins[key]["mean"]["rejects"], "another"]}}}
    part = ("a", (), ("montecarlo/mean",))
    result = bench.result(part, found=found, pins=more)
    assert "rejects no longer: another" in " ".join(result.reasons)
    means = [side * 1.05 for side in pins[key]["mean"]["means"]]
    other = {key: {"mean": pins[key]["mean"] | {"means": means}}}
    assert "on average" in " ".join(bench.result(part, found=found, pins=other).reasons)


@pytest.mark.parametrize("name", ["comparisons.json", "conditions.json"])
@pytest.mark.parametrize(
    "content", [b"[", b"", b"[]", b'{"fake/new": 3}', b'{"fake/new": {"a": 5}}', b"\xff"]
)
def test_a_damaged_file_is_one_error_that_names_it(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=r"is damaged .*; take it from version control") as told:
        kept_in(tmp_path / name, "fake/new")
    assert str(tmp_path / name) in str(told.value)
    assert "\n" not in str(told.value)


def test_a_label_without_what_is_pinned_is_damage(tmp_path):
    (tmp_path / "comparisons.json").write_text('{"fake/new": {"exact/a": {"label": {"relation": "eq"}}}}')
    with pytest.raises(UsageError, match="lacks its relation, tolerance or what it rejects"):
        kept_in(tmp_path / "comparisons.json", "fake/new")
    with pytest.raises(UsageError, match="is damaged"):
        write(tmp_path / "comparisons.json", None, {})


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("comparisons.json", "verify.records.pinned.file_of"),
        ("pins.json", "verify.statements.pins.pins_file"),
    ],
)
def test_damage_is_told_before_anything_is_judged(boundcheck, tmp_path, monkeypatch, name, where):
    from verify.running import runner

    (tmp_path / name).write_text("[")
    monkeypatch.setattr(where, lambda paper: tmp_path / name)
    monkeypatch.setattr(runner, "_judged", lambda *_: pytest.fail("something was judged"))
    found = boundcheck("verify", "squant/range", "--out", str(tmp_path / "records"))
    assert found.code == 2
    assert f"{name} is damaged" in found.err
