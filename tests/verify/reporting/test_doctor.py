import importlib
import importlib.util
from importlib import metadata
from types import SimpleNamespace

import pytest

from verify.reporting import doctor


def findings():
    return {item.name: item for item in doctor.examine()}


def test_everything_that_is_needed_is_found_here():
    found = findings()
    assert {item.status for item in found.values()} <= {"ok", "missing"}
    for name in (*doctor.CORE, *doctor.PACKAGES):
        assert found[name].status == "ok", found[name]
    assert found["numpy"].detail == metadata.version("numpy")


def test_a_missing_library_names_its_remedy(monkeypatch):
    real = metadata.version

    def version(name):
        if name in ("scipy", "cvc5"):
            raise metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(metadata, "version", version)
    found = findings()
    assert found["scipy"].status == "problem"
    assert "pip install scipy" in found["scipy"].detail
    # An optional one is no problem; its extra and what is lost without it are named.
    assert found["cvc5"].status == "missing"
    assert "boundcheck[proof]" in found["cvc5"].detail
    assert "lemma" in found["cvc5"].detail


@pytest.mark.parametrize("error", [ImportError, OSError, AttributeError])
def test_an_optional_library_that_cannot_be_imported_is_a_problem(monkeypatch, error):
    real = importlib.import_module

    def import_module(name, *arguments):
        if name == "pytest":
            raise error("undefined symbol")
        return real(name, *arguments)

    monkeypatch.setattr(importlib, "import_module", import_module)
    found = findings()["pytest"]
    assert found.status == "problem"
    assert f"cannot be imported ({error.__name__}: undefined symbol)" in found.detail
    assert "boundcheck[dev]" in found.detail


def test_a_needed_library_that_cannot_be_imported_is_a_problem(monkeypatch):
    real = importlib.import_module

    def import_module(name, *arguments):
        if name in ("z3", "sklearn", "flint"):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return real(name, *arguments)

    monkeypatch.setattr(importlib, "import_module", import_module)
    found = findings()
    for name, module in (("z3-solver", "z3"), ("scikit-learn", "sklearn"), ("python-flint", "flint")):
        assert found[name].status == "problem"
        assert f"cannot be imported (ModuleNotFoundError: No module named '{module}')" in found[name].detail
        assert f"pip install --force-reinstall {name}" in found[name].detail
    assert found["numpy"].status == "ok"


def test_the_tiers_are_told(monkeypatch):
    from impl import tiers

    assert findings()["tiers"].detail == ("numpy, fused" if tiers.is_installed() else "numpy")
    monkeypatch.setattr(tiers, "is_installed", lambda: False)
    assert (findings()["tiers"].status, findings()["tiers"].detail) == ("ok", "numpy")
    monkeypatch.setattr(tiers, "is_installed", lambda: True)
    monkeypatch.setattr(tiers, "why_not", lambda: "numba 0.1 cannot compile them; a remedy")
    found = findings()["tiers"]
    assert (found.status, found.detail) == (
        "problem",
        "numpy; not fused: numba 0.1 cannot compile them; a remedy",
    )


def test_where_no_folder_keeps_kernels_the_variable_is_named(monkeypatch):
    pytest.importorskip("numba")
    from impl import tiers
    from impl.kernels import kernel_cache

    monkeypatch.setattr(kernel_cache, "NO_FOLDER", "no folder keeps compiled kernels; set BOUNDCHECK_KERNELS")
    tiers.why_not.cache_clear()
    found = findings()["tiers"]
    tiers.why_not.cache_clear()
    assert found.status == "problem"
    assert found.detail == "numpy; not fused: no folder keeps compiled kernels; set BOUNDCHECK_KERNELS"


def test_a_package_that_shadows_ours_is_a_problem(monkeypatch, tmp_path):
    real = importlib.util.find_spec

    def find_spec(name):
        return SimpleNamespace(submodule_search_locations=[str(tmp_path)]) if name == "impl" else real(name)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    found = findings()
    assert found["impl"].status == "problem"
    assert str(tmp_path) in found["impl"].detail
    assert found["theory"].status == "ok"


def test_another_distribution_with_our_package_name_is_a_problem(monkeypatch):
    monkeypatch.setattr(metadata, "packages_distributions", lambda: {"verify": ["boundcheck", "stranger"]})
    found = findings()
    assert found["verify"].status == "problem"
    assert "stranger" in found["verify"].detail


@pytest.mark.parametrize("kind", ["unset", "folder", "nothing"])
def test_the_data_folder(monkeypatch, tmp_path, kind):
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    if kind != "unset":
        monkeypatch.setenv("BOUNDCHECK_DATA", str(tmp_path if kind == "folder" else tmp_path / "no"))
    assert (
        findings()["BOUNDCHECK_DATA"].status
        == {"unset": "missing", "folder": "ok", "nothing": "problem"}[kind]
    )


def test_without_a_folder_the_bundled_data_are_named(monkeypatch):
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    assert findings()["BOUNDCHECK_DATA"].detail == (
        "not set; only the bundled data are used, breast cancer and digits"
    )
