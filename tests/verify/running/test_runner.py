import json
from fractions import Fraction

import pytest

from theory import UnknownClaimError
from verify.binding import Check, Mutant
from verify.comparison import Comparison
from verify.errors import BudgetError, OutputFolderError, UsageError
from verify.records import sources
from verify.records.folder import RecordFolder, validate
from verify.records.recorded import recorded_results
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.running.runner import unit_of, verify


@pytest.fixture
def counted(registry, make_claim, make_check):
    """Register one claim with three checks; return the list of instances that have been computed."""
    ran = []

    def check(instance):
        made = make_check(instance)
        base = made.base

        def compare():
            ran.append(instance)
            return base.compare()

        return Check("exact", instance, ExactCase(compare), made.parameters, made.mutants)

    registry((make_claim(), [check("a"), check("b"), check("c")]))
    return ran


def test_a_run_writes_one_valid_record_per_unit(counted, tmp_path):
    report = verify("fake/one", out=tmp_path, seed=7)
    assert counted == ["a", "b", "c"]
    names = sorted(path.name for path in tmp_path.rglob("*.json"))
    assert names == ["exact.a.json", "exact.b.json", "exact.c.json"]
    for record in RecordFolder(tmp_path).records():
        validate(record)
        assert (record["seed"], record["profile"], record["verdict"]) == (7, "quick", "holds")
        assert [mutant["name"] for mutant in record["mutants"] if mutant["rejected"]] == ["wrong"]
    assert report.exit_code == 0
    (result,) = report.claims
    assert (result.verdict, result.grade, result.tightness) == ("holds", "instance", 2.0)


def test_the_report_has_the_documented_fields(counted, tmp_path):
    document = verify("fake/*", out=tmp_path).document()
    assert {"schema", "version", "seed", "alpha_total", "summary", "claims", "records"} <= set(document)
    assert set(document["summary"]) == {
        "holds",
        "consistent",
        "violated",
        "untested",
        "inconclusive",
        "not_run",
    }
    assert {"id", "verdict", "grade", "tightness"} <= set(document["claims"][0])
    assert len(document["records"]) == 3
    json.dumps(document, allow_nan=False)


def test_a_check_without_its_data_is_reported_as_not_run(
    registry, make_claim, make_check, tmp_path, monkeypatch
):
    registry((make_claim(), [make_check(), make_check("real-data", needs="phishing")]))
    monkeypatch.setenv("BOUNDCHECK_DATA", str(tmp_path / "empty"))
    report = verify(out=tmp_path)
    (missing,) = report.claims[0].undecided
    assert missing["verdict"] == "not_run"
    assert "'phishing' is not in the folder that BOUNDCHECK_DATA names" in missing["reason"]
    assert report.claims[0].verdict == "holds"
    assert report.exit_code == 3


def test_a_claim_without_checks_is_untested(registry, make_claim, tmp_path):
    registry((make_claim(), []))
    report = verify(out=tmp_path)
    assert report.claims[0].verdict == "untested"
    assert report.exit_code == 1


def sampled_check(instance, **mutants):
    case = MonteCarloCase("le", lambda rng, size: rng.random(size), 0.75, upper=1.0)
    return Check("montecarlo", instance, case, {}, mutants)


def test_too_many_tests_are_refused_before_anything_runs(registry, make_claim, make_check, counted, tmp_path):
    claim = make_claim(mutants=(Mutant("wrong", "larger"),))
    registry((claim, [make_check(), *(sampled_check(f"s{k}") for k in range(1001))]))
    with pytest.raises(BudgetError, match="tests=1001 must be at most 1000"):
        verify(out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_tests_and_level_are_reported(registry, make_claim, tmp_path):
    larger = MonteCarloCase("le", lambda rng, size: rng.random(size) + 0.5, 0.75)
    equivalent = MonteCarloCase("le", lambda rng, size: 1 - rng.random(size), 0.75, upper=1.0)
    mutants = (Mutant("wrong", "larger"), Mutant("mirrored", "same law", neutral=True))
    registry(
        (
            make_claim(mutants=mutants, evidence=("montecarlo/mean",)),
            [sampled_check("mean", wrong=larger, mirrored=equivalent)],
        )
    )
    report = verify(out=tmp_path)
    assert report.tests == 1 + 1 + 3
    assert report.alpha_used == pytest.approx(5e-9)
    assert report.alpha_total <= 1e-6 * (1 + 1e-15)
    (record,) = report.claims[0].records
    assert record["alpha"] == pytest.approx(5e-9)
    assert {m["name"]: m["rejected"] for m in record["mutants"]} == {"wrong": True, "mirrored": False}
    assert report.claims[0].verdict == "holds"


def test_a_mutant_that_escapes_at_one_of_three_seeds_survives(registry, make_claim, tmp_path):
    base = MonteCarloCase("le", lambda rng, size: rng.random(size), 0.75, upper=1.0)

    def second_seed_escapes(rng, size):
        seed_words = rng.bit_generator.seed_seq.entropy
        return rng.random(size) + (0.0 if seed_words[0] == 8 else 1.0)

    check = Check("montecarlo", "mean", base, {}, {"wrong": MonteCarloCase("le", second_seed_escapes, 0.75)})
    registry((make_claim(mutants=(Mutant("wrong", "larger"),)), [check]))
    # The quick profile ends at the first rejection, be it of a mutant that the full one does not let pass.
    for seed, profile, rejected in (
        (7, "full", False),
        (9, "full", True),
        (7, "quick", True),
        (8, "quick", False),
    ):
        (mutant,) = verify(out=tmp_path, seed=seed, profile=profile).claims[0].records[0]["mutants"]
        assert mutant["rejected"] is rejected


def test_the_seed_decides_the_samples(registry, make_claim, tmp_path, timeless):
    registry((make_claim(mutants=()), [sampled_check("mean")]))
    for name, seed in (("first", 1), ("again", 1), ("other", 2)):
        verify(out=tmp_path / name, seed=seed)
    first, again, other = (timeless(tmp_path / name) for name in ("first", "again", "other"))
    assert first == again
    (one,), (two,) = first.values(), other.values()
    assert one["value"] != two["value"]


# ---------------------------------------------------------------- resume


def test_resume_repeats_nothing(counted, tmp_path):
    first = verify(out=tmp_path)
    counted.clear()
    calls = []
    second = verify(out=tmp_path, resume=True, progress=lambda *call: calls.append(call))
    assert counted == []
    assert second.cached == 3
    assert [(how, done, total) for how, _, done, total in calls] == [("cached", k, 3) for k in (1, 2, 3)]
    assert second.claims == first.claims


def test_without_resume_everything_runs_again(counted, tmp_path):
    verify(out=tmp_path)
    counted.clear()
    assert verify(out=tmp_path).cached == 0
    assert counted == ["a", "b", "c"]


def test_resume_makes_what_is_missing(counted, tmp_path):
    verify(out=tmp_path)
    RecordFolder(tmp_path).path("fake/one", "exact", "b").unlink()
    counted.clear()
    report = verify(out=tmp_path, resume=True)
    assert counted == ["b"]
    assert report.cached == 2
    assert [record["instance"] for record in report.claims[0].records] == ["a", "b", "c"]


def test_a_record_cut_in_half_is_reported_and_made_again(counted, tmp_path, timeless):
    verify(out=tmp_path)
    whole = timeless(tmp_path)
    path = RecordFolder(tmp_path).path("fake/one", "exact", "b")
    kept = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.json") if p != path}
    path.write_bytes(path.read_bytes()[:200])
    counted.clear()
    report = verify(out=tmp_path, resume=True)
    assert counted == ["b"]
    assert len(report.notes) == 1
    assert "exact.b.json" in report.notes[0]
    assert timeless(tmp_path) == whole
    assert {p: p.stat().st_mtime_ns for p in kept} == kept


def test_a_record_of_another_unit_is_not_taken_for_this_one(counted, tmp_path):
    verify(out=tmp_path)
    folder = RecordFolder(tmp_path)
    text = folder.path("fake/one", "exact", "a").read_text()
    folder.path("fake/one", "exact", "b").write_text(text)
    counted.clear()
    verify(out=tmp_path, resume=True)
    assert counted == ["b"]


@pytest.mark.parametrize("change", [{"seed": 8}, {"profile": "full"}])
def test_records_of_another_seed_or_profile_are_not_reused(counted, tmp_path, change):
    verify(out=tmp_path, seed=7)
    counted.clear()
    assert verify(out=tmp_path, resume=True, **({"seed": 7} | change)).cached == 0
    assert counted == ["a", "b", "c"]


def test_stale_records_are_made_again(counted, tmp_path, monkeypatch):
    verify(out=tmp_path)
    (recorded,) = recorded_results("*", tmp_path)
    assert not recorded.stale
    monkeypatch.setattr(sources, "source_sha256", lambda claim: "f" * 64)
    (recorded,) = recorded_results("*", tmp_path)
    assert recorded.stale
    counted.clear()
    assert verify(out=tmp_path, resume=True).cached == 0
    assert counted == ["a", "b", "c"]


def test_units_that_did_not_run_are_tried_again(registry, make_claim, make_check, tmp_path, monkeypatch):
    registry((make_claim(), [make_check(), make_check("real-data", needs="phishing")]))
    monkeypatch.setenv("BOUNDCHECK_DATA", str(tmp_path))
    verify(out=tmp_path)
    seen = []
    verify(out=tmp_path, resume=True, progress=lambda how, record, *_: seen.append((how, record["instance"])))
    assert seen == [("cached", "half"), ("ran", "real-data")]


def test_records_of_checks_that_are_gone_do_not_count(registry, make_claim, make_check, tmp_path):
    registry((make_claim(), [make_check("old", value=Fraction(3)), make_check("new")]))
    assert verify(out=tmp_path).claims[0].verdict == "violated"
    registry((make_claim(), [make_check("new")]))
    assert verify(out=tmp_path).claims[0].verdict == "holds"
    (recorded,) = recorded_results("*", tmp_path)
    assert [record["instance"] for record in recorded.result.records] == ["new"]
    assert recorded.result.verdict == "holds"
    assert not recorded.stale


@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_half_of_the_evidence_is_not_taken_for_all_of_it(counted, tmp_path, damage):
    verify(out=tmp_path)
    path = RecordFolder(tmp_path).path("fake/one", "exact", "b")
    if damage == "cut":
        path.write_text("{")
    else:
        path.unlink()
    (recorded,) = recorded_results("*", tmp_path)
    assert recorded.result.verdict == "inconclusive"
    assert any("exact/b" in reason for reason in recorded.result.reasons)


def test_a_check_that_fails_decides_nothing_and_loses_nothing(registry, make_claim, make_check, tmp_path):
    def crash():
        raise RuntimeError("no such matrix")

    broken = Check("exact", "broken", ExactCase(crash), {})
    registry((make_claim(), [make_check("first"), broken, make_check("last")]))
    report = verify(out=tmp_path)
    assert [record["verdict"] for record in report.claims[0].records] == ["holds", "inconclusive", "holds"]
    (failed,) = report.claims[0].undecided
    assert "RuntimeError: no such matrix" in failed["reason"]
    assert report.exit_code == 3


def test_a_mutant_whose_check_fails_is_not_rejected(registry, make_claim, make_check, tmp_path):
    def crash():
        raise RuntimeError("the mutant is broken, too")

    check = make_check()
    check.mutants["wrong"] = ExactCase(crash)
    registry((make_claim(), [check]))
    assert verify(out=tmp_path).claims[0].verdict == "untested"


def test_an_interrupted_run_keeps_the_finished_units(registry, make_claim, make_check, tmp_path):
    def interrupt():
        raise KeyboardInterrupt

    checks = [make_check("first"), Check("exact", "second", ExactCase(interrupt), {}), make_check("last")]
    registry((make_claim(), checks))
    with pytest.raises(KeyboardInterrupt):
        verify(out=tmp_path)
    assert [record["instance"] for record in RecordFolder(tmp_path).records()] == ["first"]


def test_a_check_that_lets_a_mutant_through_is_doubted(registry, make_claim, make_check, tmp_path):
    registry((make_claim(), [make_check("blind", wrong=Fraction(1, 4)), make_check("sharp")]))
    report = verify(out=tmp_path)
    blind, sharp = report.claims[0].records
    assert (blind["verdict"], sharp["verdict"]) == ("inconclusive", "holds")
    assert "does not tell mutants apart (wrong)" in blind["reason"]
    assert report.claims[0].verdict == "untested"
    assert report.exit_code == 1


def test_a_neutral_mutant_whose_check_fails_is_not_accepted(registry, make_claim, tmp_path):
    def broken():
        raise ZeroDivisionError("no value")

    claim = make_claim(
        mutants=(Mutant("wrong", "too large a value"), Mutant("same", "the same", neutral=True))
    )
    cases = {"wrong": ExactCase(lambda: [Comparison("one", "le", 2, 1)]), "same": ExactCase(broken)}
    registry((claim, [Check("exact", "e", ExactCase(lambda: [Comparison("one", "le", 1, 1)]), {}, cases)]))
    report = verify(out=tmp_path)
    (record,) = report.claims[0].records
    assert record["verdict"] == "inconclusive"
    assert "does not tell mutants apart (same)" in record["reason"]
    assert "ZeroDivisionError" in record["mutants"][1]["reason"]
    assert report.claims[0].verdict == "untested"


# ---------------------------------------------------------------- arguments


def test_an_unwritable_folder_is_refused_before_computing(counted, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputFolderError):
        verify(out=tmp_path / "file" / "below")
    assert counted == []


def test_all_bad_options_are_named_at_once(counted, tmp_path):
    with pytest.raises(UsageError) as caught:
        verify(out=tmp_path, profile="slow", seed=-1, jobs=0)
    for text in ("profile='slow'", "seed=-1", "jobs=0"):
        assert text in str(caught.value)
    assert counted == []


@pytest.mark.parametrize(
    "options", [{"seed": 1.5}, {"seed": True}, {"seed": 2**63}, {"jobs": -2}, {"jobs": True}]
)
def test_bad_options_are_refused(counted, tmp_path, options):
    with pytest.raises(UsageError, match=next(iter(options))):
        verify(out=tmp_path, **options)


def test_an_unknown_claim_is_refused_before_anything_runs(counted, tmp_path):
    with pytest.raises(UnknownClaimError, match="fake/one"):
        verify("fake/on", out=tmp_path / "out")
    assert counted == []
    assert not (tmp_path / "out").exists()


def test_an_unknown_unit_lists_what_there_is(counted):
    assert unit_of("fake/one", "exact", "a").key == ("fake/one", "exact", "a")
    with pytest.raises(UsageError, match="has no check exact/z; it has exact/a, exact/b, exact/c"):
        unit_of("fake/one", "exact", "z")
