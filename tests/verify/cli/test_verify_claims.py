import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from verify.records.folder import RecordFolder
from verify.rungs.exact import ExactCase


@pytest.fixture
def one(registry, make_claim, make_check):
    """Register one claim that holds, with two units."""
    registry((make_claim(), [make_check("a"), make_check("b")]))


def test_the_table_tells_verdict_budget_seed_and_folder(boundcheck, one, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    found = boundcheck("verify", "--jobs", "1", "--out", str(tmp_path), "--seed", "7")
    assert found.code == 0
    (row,) = [line for line in found.out.splitlines() if line.startswith("fake/one")]
    assert row.split()[:4] == ["fake/one", "upper", "holds", "instance"]
    assert "0.5 / 0.25 = 2" in row
    assert "1/1" in row
    assert "false-alarm probability of this run: at most" in found.out
    assert "seed 7, profile quick; 2 records in" in found.out
    assert str(tmp_path) in found.out.replace("\n", "")


def test_progress_goes_to_standard_error_one_line_per_unit(boundcheck, one, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    arguments = ("verify", "--jobs", "1", "--out", str(tmp_path))
    first = boundcheck(*arguments)
    assert "seed 20240601, profile quick" in first.err.splitlines()[0]
    assert [line.split()[0] for line in first.err.splitlines()[1:]] == ["1/2", "2/2"]
    again = boundcheck(*arguments, "--resume")
    assert again.err.count("(cached)") == 2
    assert "2 of them kept from an earlier run" in again.out


def test_what_the_profile_leaves_out_is_no_error_beside_a_table_for_programs(boundcheck, tmp_path):
    found = boundcheck(
        "verify", "cat/finding-distance-grows", "--jobs", "1", "--format", "csv", "--out", str(tmp_path)
    )
    assert found.code == 0
    assert "cat/finding-distance-grows: (e) run/square of u: only checked in the full profile" in found.err
    assert "Error" not in found.err


@pytest.mark.parametrize(("why_not", "told"), [(None, ", tier fused"), ("no compiler", "")])
def test_the_first_line_tells_the_tier_that_draws(boundcheck, one, tmp_path, monkeypatch, why_not, told):
    monkeypatch.setattr("impl.tiers.find_spec", lambda name: object())
    monkeypatch.setattr("impl.tiers.why_not", lambda: why_not)
    found = boundcheck("verify", "--jobs", "1", "--out", str(tmp_path), "--tier", "fused")
    assert found.err.splitlines()[0] == f"seed 20240601, profile quick{told}"


@pytest.mark.parametrize(
    ("value", "wrong", "verdict", "code"),
    [
        (Fraction(1, 4), Fraction(1), "holds", 0),
        (Fraction(3, 4), Fraction(1), "violated", 1),
        (Fraction(1, 4), Fraction(1, 4), "untested", 1),
        (Fraction(1, 4), None, "untested", 1),
    ],
)
def test_exit_code_and_document(
    boundcheck, registry, make_claim, make_check, tmp_path, value, wrong, verdict, code
):
    registry((make_claim(), [make_check(value=value, wrong=wrong)]))
    found = boundcheck("verify", "--jobs", "1", "--out", str(tmp_path), "--json")
    assert found.code == code
    document = found.document
    assert document["summary"][verdict] == 1
    assert document["claims"][0]["id"] == "fake/one"
    assert document["claims"][0]["verdict"] == verdict
    assert document["alpha_total"] <= 1e-6 * (1 + 1e-15)
    assert set(document["records"][0]) >= {
        *("claim", "paper", "rung", "grade", "instance", "verdict", "bound", "value", "tightness", "alpha"),
        *("samples", "seed", "mutants", "witness", "reason", "seconds", "source_sha256"),
    }
    plain = boundcheck("verify", "--jobs", "1", "--out", str(tmp_path))
    assert plain.code == code


def test_an_undecided_record_is_exit_code_3(
    boundcheck, registry, make_claim, make_check, tmp_path, monkeypatch
):
    registry((make_claim(), [make_check(), make_check("real-data", needs="phishing")]))
    monkeypatch.setenv("BOUNDCHECK_DATA", str(tmp_path))
    found = boundcheck("verify", "--jobs", "1", "--out", str(tmp_path))
    assert found.code == 3
    assert "real-data not run" in found.out.replace("\n", " ")


def test_a_damaged_record_is_noted(boundcheck, one, tmp_path):
    boundcheck("verify", "--jobs", "1", "--out", str(tmp_path))
    path = RecordFolder(tmp_path).path("fake/one", "exact", "a")
    path.write_bytes(path.read_bytes()[:100])
    found = boundcheck("verify", "--jobs", "1", "--out", str(tmp_path), "--resume", "--json")
    assert found.code == 0
    assert found.document["cached"] == 1
    (note,) = found.document["notes"]
    assert "made again" in note


def test_other_formats_print_a_table_and_nothing_else(boundcheck, one, tmp_path):
    arguments = ("verify", "--jobs", "1", "--out", str(tmp_path), "--format")
    head, row = boundcheck(*arguments, "csv").out.splitlines()
    assert head == "id,kind,verdict,grade,bound,value,tightness,mutants_rejected,mutants_total,seconds"
    assert row.startswith("fake/one,upper,holds,instance,0.5,0.25,2.0,1,1,")
    assert boundcheck(*arguments, "markdown").out.splitlines()[2].startswith("| fake/one | upper | holds |")
    assert boundcheck(*arguments, "latex").out.startswith(r"\begin{tabular}")
    assert json.loads(boundcheck(*arguments, "json").out)["summary"]["holds"] == 1
    planned = boundcheck("verify", "--dry-run", "--format", "csv").out.splitlines()
    assert planned[0] == "claim,rung,instance,mutants,tests,seconds"
    assert len(planned) == 3


def test_a_dry_run_runs_nothing(boundcheck, registry, make_claim, make_check, tmp_path, monkeypatch):
    def refuse():
        raise AssertionError("a unit was run")

    checks = [make_check("a"), make_check("b")]
    for check in checks:
        object.__setattr__(check, "base", ExactCase(refuse))
    registry((make_claim(), checks))
    monkeypatch.chdir(tmp_path)
    plain = boundcheck("verify", "--dry-run")
    assert plain.code == 0
    assert "2 units, about 0 s of CPU" in plain.out
    assert "0 statistical tests at level 1e-09" in plain.out
    assert " s on 1 core);" in boundcheck("verify", "--dry-run", "--jobs", "1").out
    document = boundcheck("verify", "--dry-run", "--json").document
    assert [unit["instance"] for unit in document["units"]] == ["a", "b"]
    assert document["seconds"] == pytest.approx(0.2)
    assert (document["tests"], document["alpha_used"]) == (0, 0)
    assert document["alpha_total"] <= 1e-6 * (1 + 1e-15)
    assert not list(tmp_path.iterdir())


def test_a_dry_run_does_not_guess_the_time_of_the_full_profile(
    boundcheck, registry, make_claim, make_check, tmp_path, monkeypatch
):
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    checks = [make_check("a"), make_check("b", profile="full"), make_check("c", profile="full", needs="a9a")]
    registry((make_claim(), checks))
    out = ("--out", str(tmp_path))
    plain = boundcheck("verify", "--dry-run", "--profile", "full", *out).out
    assert "2 units, about 0 s of CPU" in plain
    assert ", without 1 marked ? that never ran here;" in plain
    assert "need data sets and BOUNDCHECK_DATA is not set: 1 more" in plain
    document = boundcheck("verify", "--dry-run", "--profile", "full", "--json", *out).document
    assert [unit["seconds"] for unit in document["units"]] == [0.1, None]
    assert (document["untimed"], document["without_data"]) == (1, 1)
    boundcheck("verify", "--profile", "full", "--jobs", "1", *out)
    assert "marked ?" not in boundcheck("verify", "--dry-run", "--profile", "full", *out).out


def test_the_plan_of_the_real_claims(boundcheck, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document = boundcheck("verify", "--dry-run", "--json").document
    assert {"squant/var", "squant/dcgd"} <= {unit["claim"] for unit in document["units"]}
    assert document["tests"] == sum(unit["tests"] for unit in document["units"])
    assert 0 < document["alpha_used"] <= document["alpha_total"]
    assert not list(tmp_path.iterdir())


def test_records_lie_in_the_working_folder_by_default(boundcheck, one, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    boundcheck("verify", "--jobs", "1")
    assert [path.name for path in tmp_path.iterdir()] == [".boundcheck"]


def test_the_installed_command_prints_one_document(tmp_path):
    command = Path(sys.executable).with_name("boundcheck")
    done = subprocess.run(
        [command, "verify", "squant/steps", "--jobs", "1", "--json", "--out", tmp_path / "out"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    document = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert document["summary"]["holds"] == 1
    assert len(list(tmp_path.rglob("*.json"))) == len(document["records"])
