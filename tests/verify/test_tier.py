"""Who draws: numpy, or kernels where a run asks for them; records name it."""

import shutil

import pytest

from impl import tiers
from verify.errors import UsageError
from verify.judging import judgement
from verify.outcome import SAMPLING
from verify.records.difference import read_run
from verify.records.folder import RecordFolder
from verify.records.replay import replay
from verify.running.runner import unit_of, verify

CLAIM = "squant/sparse"


@pytest.fixture
def _numba():
    if not tiers.is_installed():
        pytest.skip("numba is not installed (extra fast): there is no fused tier")


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """Return the folders of a run of each tier."""
    if not tiers.is_installed():
        pytest.skip("numba is not installed (extra fast): there is no fused tier")
    found = {}
    for tier in tiers.TIERS:
        found[tier] = tmp_path_factory.mktemp(tier)
        verify(CLAIM, out=found[tier], tier=tier)
    return found


def records(folder):
    return {(item["rung"], item["instance"]): item for item in RecordFolder(folder).records()}


def test_what_samples_is_drawn_by_the_tier_and_all_else_by_numpy(runs):
    plain, fused = records(runs["numpy"]), records(runs["fused"])
    assert plain.keys() == fused.keys()
    sampling = {key for key in plain if key[0] in SAMPLING}
    assert 0 < len(sampling) < len(plain)
    for key, record in fused.items():
        assert plain[key]["tier"] == "numpy"
        assert record["tier"] == ("fused" if key in sampling else "numpy")
        assert ("numba" in record["libraries"]) == (key in sampling)
        assert record["verdict"] == plain[key]["verdict"]
        assert [item["rejected"] for item in record["mutants"]] == [
            item["rejected"] for item in plain[key]["mutants"]
        ]
        same = {"bound": record["bound"], "value": record["value"]}
        other = {name: plain[key][name] for name in same}
        assert key in sampling or same == other
    drawn = [key for key in sampling if fused[key]["value"] != plain[key]["value"]]
    assert drawn  # streams of their own


def test_a_run_names_its_tier(runs, tmp_path):
    assert read_run(str(runs["fused"])).tiers == {"fused"}
    assert read_run(str(runs["numpy"])).tiers == {"numpy"}
    report = verify(CLAIM, out=runs["fused"], tier="fused", resume=True)
    assert report.document()["tier"] == "fused"
    assert report.cached == len(records(runs["fused"]))


def test_records_of_the_other_tier_are_not_kept(runs, tmp_path):
    shutil.copytree(runs["fused"], tmp_path, dirs_exist_ok=True)
    again = verify(CLAIM, out=tmp_path, tier="numpy", resume=True)
    sampling = [key for key in records(tmp_path) if key[0] in SAMPLING]
    assert again.cached == len(records(tmp_path)) - len(sampling)
    assert {item["tier"] for item in records(tmp_path).values()} == {"numpy"}


def test_a_record_is_replayed_by_its_tier(runs):
    sampled = next(item for item in records(runs["fused"]).values() if item["rung"] == "montecarlo")
    path = RecordFolder(runs["fused"]).path(sampled["claim"], sampled["rung"], sampled["instance"])
    (found,) = replay(str(path), out=runs["fused"])
    assert found.repeated["tier"] == "fused"
    assert found.same, found.differences


def test_workers_draw_by_the_tier_of_the_run(runs, tmp_path, timeless):
    verify(CLAIM, out=tmp_path, tier="fused", jobs=2)
    assert timeless(tmp_path) == timeless(runs["fused"])


def test_pins_of_numpy_do_not_hold_for_the_streams_of_the_other(runs):
    from verify.records.pinned import differences, kept

    claim = unit_of(CLAIM, *next(iter(records(runs["numpy"])))).claim
    for folder in runs.values():
        assert not list(differences(claim, list(records(folder).values()), kept(claim)))


@pytest.mark.usefixtures("_numba")
def test_a_wrong_fused_sampler_is_refuted(tmp_path, monkeypatch):
    # The kernels draw, so what is wrong with them shows in the verdict, and on that tier alone.
    from impl.compressors.philox_draws import PhiloxUniforms

    honest = PhiloxUniforms.__array__
    monkeypatch.setattr(PhiloxUniforms, "__array__", lambda self, *given, **named: honest(self) * 0.9)
    monkeypatch.setattr("impl.tiers.why_not", lambda: None)
    unit = unit_of(CLAIM, "montecarlo", "full-matrix-d60")
    assert judgement.judge_unit(unit, "quick", 1, tier="fused")["verdict"] == "violated"
    assert judgement.judge_unit(unit, "quick", 1)["verdict"] == "holds"


@pytest.mark.parametrize("tier", ["cuda", 3])
def test_an_unknown_tier_is_refused(tmp_path, tier):
    with pytest.raises(UsageError, match=f"tier={tier!r} is unknown; choose one of numpy, fused"):
        verify(CLAIM, out=tmp_path, tier=tier)
    assert not list(tmp_path.iterdir())


def test_without_numba_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(tiers, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'boundcheck\[fast\]'"):
        verify(CLAIM, out=tmp_path, tier="fused")


def test_where_kernels_cannot_be_compiled_records_name_numpy(tmp_path, monkeypatch):
    monkeypatch.setattr(tiers, "find_spec", lambda name: object())
    monkeypatch.setattr(tiers, "why_not", lambda: "no compiler")
    report = verify(CLAIM, out=tmp_path, tier="fused")
    assert report.tier == "numpy"
    assert {item["tier"] for item in records(tmp_path).values()} == {"numpy"}


@pytest.mark.usefixtures("_numba")
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "impl.compressors:TernGrad", "-d", "6", "--unbiased", "--samples", "2048"),
        ("plan", "--problem", "quadratic:3", "-n", "2", "--accuracy", "0.1", "--run", "--rounds", "40"),
    ],
)
def test_verbs_draw_by_the_tier_that_is_asked_and_name_it(boundcheck, arguments):
    plain, again, fused = (
        boundcheck(*arguments, *more, "--json").document
        for more in ((), ("--tier", "numpy"), ("--tier", "fused"))
    )
    assert (plain["tier"], fused["tier"]) == ("numpy", "fused")
    assert plain == again
    assert {**fused, "tier": "numpy"} != plain  # other draws


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "impl.compressors:TernGrad", "-d", "6", "--unbiased"),
        ("plan", "--problem", "quadratic:3", "--run"),
    ],
)
def test_without_numba_the_fused_tier_is_one_error(boundcheck, arguments, monkeypatch):
    monkeypatch.setattr(tiers, "is_installed", lambda: False)
    found = boundcheck(*arguments, "--tier", "fused")
    assert found.code == 2
    assert f"{arguments[0]}: tier='fused' needs numba" in found.err
