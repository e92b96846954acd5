import subprocess
import sys
from pathlib import Path

import pytest

import verify.evidence


def run(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()


def test_import_is_cheap():
    heavy = ("sympy", "scipy", "z3", "cvc5")
    loaded = run(
        "import sys, verify.evidence; from verify.evidence import MeanTest, TrajectoryTest, UniformityTest, "
        "exponent_verdict, stream, prove, supremum; "
        f"print(*(name for name in {heavy} if name in sys.modules))"
    )
    assert loaded == []


def test_no_module_has_the_name_of_a_function():
    folder = Path(verify.evidence.__file__).parent
    assert not {path.stem for path in folder.glob("*.py")} & set(verify.evidence.__all__)


def test_every_public_name_exists():
    for name in verify.evidence.__all__:
        assert callable(getattr(verify.evidence, name))
    assert dir(verify.evidence) == sorted(verify.evidence.__all__)


def test_unknown_name_lists_what_exists():
    with pytest.raises(AttributeError, match="MeanTest"):
        verify.evidence.MeanTests  # noqa: B018
