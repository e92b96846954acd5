"""The pytest plugin in processes of its own: as installed, with workers, with a configuration, unused."""

import subprocess
import sys

import pytest


def test_a_foreign_project_needs_nothing_but_the_installed_package(pytester):
    pytester.makeini("[pytest]\nmarkers =\naddopts = --strict-markers\nfilterwarnings = error")
    pytester.makepyfile("""
        import pytest
        from impl.compressors import RandK

        @pytest.mark.boundcheck("squant/gain-optimal")
        def test_claims():
            pass

        def test_mine(check_compressor):
            check_compressor(RandK(1), d=4, omega=3.0, resolution=0.1)
    """)
    result = pytester.runpytest_subprocess("--boundcheck-strict")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["squant/gain-optimal: holds*", "RandK(1): consistent*"])
    assert not list(pytester.path.rglob(".boundcheck"))


def test_workers_of_xdist_share_what_they_judge(pytester):
    pytest.importorskip("xdist")
    pytester.makepyfile("""
        import pytest
        from pathlib import Path

        @pytest.mark.parametrize("number", range(2))
        @pytest.mark.boundcheck("squant/gain-optimal")
        def test_claims(number, boundcheck_claim, tmp_path_factory):
            folder = tmp_path_factory.getbasetemp().parent / "boundcheck/records/squant/gain-optimal"
            times = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
            Path(f"seen{number}").write_text(str(times))
    """)
    pytester.runpytest_subprocess("-n2", "--dist", "load").assert_outcomes(passed=2)
    (seen,) = {path.read_text() for path in pytester.path.glob("seen*")}
    assert ".json" in seen


def test_a_folder_of_records_outside_does_not_cost_the_project_its_configuration(pytester, tmp_path):
    pytester.makeini("[pytest]\ntestpaths = mine")
    (pytester.mkdir("mine") / "test_mine.py").write_text("def test_mine(): pass\n")
    pytester.makepyfile("def test_other(): assert False")
    option = "--boundcheck-records"
    apart = pytester.runpytest_subprocess(option, str(tmp_path))
    assert apart.ret == pytest.ExitCode.USAGE_ERROR
    apart.stderr.fnmatch_lines([f"*write {option}={tmp_path}"])
    pytester.runpytest_subprocess(f"{option}={tmp_path}").assert_outcomes(passed=1)
    pytester.mkdir("inside")
    pytester.runpytest_subprocess(option, "inside").assert_outcomes(passed=1)


def test_the_plugin_costs_a_foreign_project_nothing(tmp_path):
    (tmp_path / "test_nothing.py").write_text("def test_nothing(): pass\n")
    code = """
import sys, pytest
assert pytest.main(["-q", "-p", "no:cacheprovider"]) == 0
assert "verify.pytest_plugin" in sys.modules
heavy = ("numpy", "sympy", "scipy", "theory", "impl", "z3", "click")
print("HEAVY", [name for name in heavy if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.stdout.splitlines()[-1] == "HEAVY []", done.stdout + done.stderr
