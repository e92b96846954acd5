"""A check may not be parked, or be judged more mildly, without somebody reading it."""

import json

import pytest

import theory
from verify.authoring import eq
from verify.binding import checks_of
from verify.records import conditions, pinned
from verify.records.conditions import conditions_of, kept, write
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.costs import CostCase, Exponent, Ordering
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.run import TrajectoryCase
from verify.rungs.uniformity_case import UniformityCase

PART = ("a", (), ("exact/square", "adversarial/ratio"))


@pytest.fixture
def checked(bench):
    @bench.judge.exact(x=[1, 2, 4], y=4)
    def squares(law, x, y):
        yield eq("square", law.square(x) + 1, law.exactly("bound", x=x, y=y))

    @bench.judge.adversarial(label="ratio")
    def search(law):
        bound = float(law.exactly("bound", x=1, y=4))
        return AdversarialCase(
            lambda x: law.double(x**2).sum(1), lambda x: bound * (x**2).sum(1), dim=2, budget=200
        )

    @bench.judge.mutant("Four for two.")
    def four_for_two(law):
        return law.replace(double=lambda value: 4 * value, square=lambda value: value**3)

    bench.found = bench.records()
    bench.under = conditions_of(bench.claim, bench.found)
    bench.rows = pinned.rows_of(bench.claim, bench.found)
    return bench


def judged(bench, under, found=None):
    return bench.result(
        PART, found=bench.found if found is None else found, pins=bench.rows, conditions=under
    )


def test_what_is_pinned(checked):
    assert set(checked.under) == {"exact/squares", "adversarial/search"}
    assert set(checked.under["exact/squares"]) == {"parameters"}
    search = checked.under["adversarial/search"]
    assert (search["budget"], search["dim"], search["starts"]) == (200, 2, 0)
    assert search["bound"] == pytest.approx(2 * search["value"] / 2)
    assert judged(checked, checked.under).verdict in ("holds", "consistent")


@pytest.mark.parametrize("changes", [{"profile": "full"}, {"needs": "mnist"}])
def test_a_parked_check_is_told_though_it_did_not_run(checked, changes):
    for unit in checked.judge.units:
        if unit.instance == "squares":
            for name, value in changes.items():
                setattr(unit, name, value)
    found = [item for item in checked.found if item["rung"] != "exact"]
    result = judged(checked, checked.under, found)
    assert result.verdict == "untested"
    (name, value), *_ = changes.items()
    assert f"check exact/squares has {name} {value}" in " ".join(result.reasons)


def test_a_check_that_comes_or_goes_is_told(checked):
    for under, told in (
        ({**checked.under, "exact/old": {}}, "check exact/old is gone"),
        ({"exact/squares": checked.under["exact/squares"]}, "check adversarial/search is not pinned"),
    ):
        result = judged(checked, under)
        assert result.verdict == "untested"
        assert told in " ".join(result.reasons)


@pytest.mark.parametrize(
    ("name", "value"), [("budget", 201), ("bound", 1.00001), ("starts", 1), ("parameters", "other")]
)
def test_another_setting_is_told(checked, name, value):
    own = checked.under["adversarial/search"]
    changed = value * own["bound"] if name == "bound" else value
    under = {**checked.under, "adversarial/search": own | {name: changed}}
    result = judged(checked, under)
    assert result.verdict == "untested"
    assert f"check adversarial/search has {name} " in " ".join(result.reasons)


def test_round_off_is_no_other_setting(checked):
    own = checked.under["adversarial/search"]
    under = {**checked.under, "adversarial/search": own | {"bound": own["bound"] * (1 + 1e-8)}}
    assert judged(checked, under).verdict in ("holds", "consistent")


def test_small_settings_are_compared_relative_to_themselves():
    for now, then in ((1e-9, 1.00001e-9), (2e-9, 1e-9), (0.0, 1e-12), ([1e-9, 1.0], [3e-9, 1.0])):
        assert not conditions._same(now, then)
        assert not conditions._same({"tolerance": now}, {"tolerance": then})
    assert conditions._same(1e-9, 1e-9 * (1 + 1e-8))


def test_every_way_to_judge_a_case_tells_its_settings():
    cases = [
        MonteCarloCase("le", lambda rng, m: rng.random(m), 0.5, upper=1.0),
        UniformityCase(lambda rng, m: [(rng.random(m), None), (rng.random(m), rng.random(m))]),
        TrajectoryCase(lambda: [1.0, 0.5], lambda rng, r: None),
        CostCase(lambda stream: {}, (Ordering("a", "b", 0.5), Exponent("c", (1, 2), "ab", "", 0.5, 0.1))),
    ]
    for case in cases:
        json.dumps(case.settings(), allow_nan=False)
    sampled, uniform, runs, costs = (case.settings() for case in cases)
    assert sampled["resolution"] == 0.01
    assert uniform == {"batches": 12, "arms": [False, True]}
    assert runs == {"replicates": 64, "rounds": 2, "bounds": 1.5, "bounds_weighted": 2.0}
    assert costs["claims"][0] == {"smaller": "a", "larger": "b", "factor": 0.5}


def test_a_file_keeps_the_settings_of_what_did_not_run(checked, tmp_path):
    file = tmp_path / "conditions.json"
    assert write(file, checked.claim, checked.under)
    assert not write(file, checked.claim, conditions_of(checked.claim, []))
    assert json.loads(file.read_text()) == {"fake/new": json.loads(json.dumps(checked.under))}


@pytest.mark.parametrize("claim_id", [entry.id for entry in theory.entries()])
def test_all_checks_of_all_claims_are_pinned(claim_id):
    claim = theory.claim(claim_id)
    checks = [check for check in checks_of(claim) if check.rung != "symbolic"]
    under = kept(claim)
    assert set(under) == {conditions.TEXT, *(f"{check.rung}/{check.instance}" for check in checks)}
    for check in checks:  # a case that is no comparison has settings
        settings = set(under[f"{check.rung}/{check.instance}"]) - set(conditions.DECLARED)
        assert bool(settings) != check.authored.yields, check.instance


def test_a_setting_that_only_the_record_has_is_told(checked):
    own = {name: value for name, value in checked.under["adversarial/search"].items() if name != "budget"}
    assert judged(checked, {**checked.under, "adversarial/search": own}).verdict == "untested"


def test_another_text_of_the_checks_is_told():
    claim = theory.claim("squant/sup")
    under = kept(claim)
    assert len(under[conditions.TEXT]["hash"]) == 32
    other = {**under, conditions.TEXT: {"hash": "0" * 32}}
    (told,) = [line for key, line in conditions.differences(claim, [], other) if key == conditions.TEXT]
    assert told.startswith("the text of the checks is not the pinned one")
