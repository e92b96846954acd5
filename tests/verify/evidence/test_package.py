import subprocess
import sys

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
        "exponent_verdict, stream, prove, certificate, supremum; "
        f"print(*(name for name in {heavy} if name in sys.modules))"
    )
    assert loaded == []


@pytest.mark.parametrize("name", ["prove", "certificate", "supremum"])
def test_functions_stand_before_modules_of_the_same_name(name):
    assert run(
        f"import verify.evidence, verify.evidence.{name}; from verify.evidence import {name}; "
        f"from verify.evidence.{name} import {name} as again; print(callable({name}), {name} is again)"
    ) == ["True", "True"]


def test_every_public_name_exists():
    for name in verify.evidence.__all__:
        assert callable(getattr(verify.evidence, name))
    assert dir(verify.evidence) == sorted(verify.evidence.__all__)


def test_unknown_name_lists_what_exists():
    with pytest.raises(AttributeError, match="MeanTest"):
        verify.evidence.MeanTests  # noqa: B018
