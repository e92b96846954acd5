"""Reading one claim loads one claim: modules are counted, not seconds."""

import json
import re
import subprocess
import sys

import pytest

import theory

CLAIM_MODULES = {entry.module for entry in theory.entries()}
HEAVY = {"sympy", "scipy", "numpy", "numba", "z3", "sklearn", "joblib", "jsonschema", "rich"}


def loaded(*arguments, code="from boundcheck import *; import sys"):
    """Return the modules that a command line, or a piece of code, has loaded."""
    if arguments:
        code = (
            "import sys\nfrom verify.cli import main\n"
            f"sys.argv = ['boundcheck', *{list(arguments)!r}]\n"
            "try:\n    main()\nexcept SystemExit as leave:\n    assert not leave.code, leave.code\n"
        )
    code += "\nprint('MODULES', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(re.search(r"^MODULES (.*)$", done.stdout, re.MULTILINE)[1].split())


def tops(modules):
    return {name.partition(".")[0] for name in modules}


def test_list_loads_no_claim_and_nothing_heavy(variance_run):
    found = loaded("list", "--out", str(variance_run))
    assert not found & CLAIM_MODULES
    assert not tops(found) & HEAVY
    assert "impl" not in tops(found)


@pytest.mark.parametrize("id", ["squant/var", "cat/s-rates", "ndqsg/coded-size", "cq_marina/ab-cq"])
def test_a_claim_is_loaded_with_what_it_is_built_on_alone(id):
    found = loaded(code=f"import sys, theory; claim = theory.claim({id!r}); assert claim.id == {id!r}")
    others = (found & CLAIM_MODULES) - {theory.entry(id).module}
    assert not others
    assert not tops(found) & (HEAVY - {"sympy"})


@pytest.mark.parametrize("verb", ["show", "cite"])
def test_one_claim_is_shown_and_cited_without_the_others(variance_run, verb):
    found = loaded(verb, "squant/var", "--out", str(variance_run))
    assert found & CLAIM_MODULES == {theory.entry("squant/var").module}
    assert not tops(found) & {"z3", "joblib", "jsonschema", "sklearn", "numba"}


def test_one_claim_is_planned_without_the_others(tmp_path):
    found = loaded("verify", "squant/var", "--dry-run", "--out", str(tmp_path))
    assert found & CLAIM_MODULES == {theory.entry("squant/var").module}
    assert not tops(found) & {"z3", "joblib", "jsonschema", "sklearn", "numba"}


def test_a_marker_is_collected_without_a_claim(tmp_path):
    test = tmp_path / "test_it.py"
    test.write_text("import pytest\n\n@pytest.mark.boundcheck('squant/var')\ndef test_it():\n    pass\n")
    found = loaded(code=f"import sys, pytest; pytest.main(['--collect-only', '-q', {str(test)!r}])")
    assert not found & CLAIM_MODULES
    assert not tops(found) & HEAVY


def test_the_list_is_what_the_records_say(variance_run, boundcheck):
    (row,) = boundcheck("list", "squant/var", "--out", str(variance_run), "--json").document["claims"]
    cache = variance_run / "summaries" / "squant" / "var.cache"
    assert row["verdict"] == json.loads(cache.read_text())["verdict"] == "holds"


def test_a_summary_of_other_records_does_not_count(variance_run, boundcheck, tmp_path):
    import shutil

    folder = tmp_path / "copy"
    shutil.copytree(variance_run, folder)
    cache = folder / "summaries" / "squant" / "var.cache"
    record = next(iter((folder / "records" / "squant" / "var").glob("exact.*.json")))
    record.unlink()
    (row,) = boundcheck("list", "squant/var", "--out", str(folder), "--json").document["claims"]
    assert row["verdict"] == "inconclusive"
    cache.write_text("{")
    (row,) = boundcheck("list", "squant/var", "--out", str(folder), "--json").document["claims"]
    assert row["verdict"] == "inconclusive"
    shutil.rmtree(folder / "records")
    (row,) = boundcheck("list", "squant/var", "--out", str(folder), "--json").document["claims"]
    assert row["verdict"] == "not_run"
