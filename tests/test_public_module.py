"""`import boundcheck` is cheap and has the names that outsiders need."""

import subprocess
import sys

import pytest

import boundcheck


@pytest.mark.parametrize("name", boundcheck.__all__)
def test_every_name_is_there(name):
    assert getattr(boundcheck, name) is not None
    assert name in dir(boundcheck)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nothing"):
        _ = boundcheck.nothing


def test_formulas_are_stated_and_comparisons_are_measured():
    assert type(boundcheck.le(1, 2)).__name__ == "Compare"
    assert type(boundcheck.check_le("label", 1, 2)).__name__ == "Comparison"


def test_the_import_loads_nothing():
    code = (
        "import sys, boundcheck\n"
        "heavy = {'sympy', 'numpy', 'scipy', 'theory', 'verify', 'impl', 'click'}\n"
        "raise SystemExit(bool(heavy & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_it_is_the_command_line_as_a_module(tmp_path):
    (tmp_path / "boundcheck").mkdir()  # a folder of this name does not shadow the module
    done = subprocess.run(
        [sys.executable, "-m", "boundcheck", "list", "squant/var"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "squant/var" in done.stdout
