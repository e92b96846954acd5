"""What is installed, which rungs can run, and which names clash."""

import importlib
import importlib.util
import os
import platform
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

CORE = (
    "numpy",
    "scipy",
    "sympy",
    "joblib",
    "threadpoolctl",
    "click",
    "rich",
    "python-flint",
    "mpmath",
    "z3-solver",
    "scikit-learn",
)

_MODULES = {"python-flint": "flint", "z3-solver": "z3", "scikit-learn": "sklearn"}
"""Modules that are not called as what is installed."""

# Optional library: extra that installs it, and what is missing without it.
OPTIONAL = {
    "cvc5": (
        "proof",
        "second opinion on scalar lemmas; without it a lemma without certificate has grade numerical",
    ),
    "constriction": ("coding", "the range coder; without it a literal one judges"),
    "numba": ("fast", "fused kernels, the tier `fused`"),
    "torch": ("torch", "checks of compressors of torch"),
    "jax": ("jax", "checks of compressors of jax"),
    "triton": ("gpu", "compressors on CUDA tensors, `impl.gpu`"),
    "matplotlib": ("figures", "`boundcheck figures`"),
    "jinja2": ("report", "`boundcheck report`"),
    "nbconvert": ("figures", "`boundcheck figures`"),
    "pooch": ("data", "`boundcheck data fetch`"),
    "pytest": ("dev", "the pytest plugin"),
    "rocrate": ("crate", "`boundcheck export --crate`"),
    "distributed": ("dask", "`verify --backend dask`"),
    "ray": ("ray", "`verify --backend ray`"),
    "mpi4py": ("mpi", "`verify --backend mpi`"),
}

PACKAGES = ("theory", "impl", "verify", "boundcheck")


@dataclass(frozen=True)
class Finding:
    """One line of the report: `ok`, `missing` or `problem`, with a remedy where it is not `ok`."""

    name: str
    status: str
    detail: str


def examine() -> tuple[Finding, ...]:
    """Return what was found, problems included."""
    from verify.redrawing.grammar import without_grammar
    from verify.version import VERSION

    findings = [
        Finding("boundcheck", "ok", VERSION),
        Finding(
            "python", "ok", f"{platform.python_version()} on {platform.machine()}, {os.cpu_count()} cores"
        ),
    ]
    findings += [_library(name) for name in CORE]
    with without_grammar():  # of nbconvert
        findings += [_optional(name, *OPTIONAL[name]) for name in OPTIONAL]
    findings.append(_tiers())
    installed = metadata.packages_distributions()  # reads the files of every distribution
    findings += [_package(name, installed.get(name, [])) for name in PACKAGES]
    findings.append(_data())
    return tuple(findings)


def _library(name: str) -> Finding:
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Finding(name, "problem", f"not installed; every rung needs it: pip install {name}")
    why_not = _why_not(_MODULES.get(name, name))
    if why_not:
        remedy = f"pip install --force-reinstall {name}"
        return Finding(name, "problem", f"{version} {why_not}; every rung needs it: {remedy}")
    return Finding(name, "ok", version)


def _why_not(module: str) -> str:
    """Return why a module cannot be imported, nothing where it can be."""
    try:
        importlib.import_module(module)
    except Exception as error:  # whatever a broken library raises
        return f"cannot be imported ({type(error).__name__}: {error})"
    return ""


def _optional(name: str, extra: str, use: str) -> Finding:
    remedy = f"pip install 'boundcheck[{extra}]'"
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Finding(name, "missing", f"optional: {use}; {remedy}")
    why_not = _why_not(name)
    if why_not:
        return Finding(name, "problem", f"{version} {why_not}; optional: {use}; remove it, or {remedy} again")
    return Finding(name, "ok", f"{version}: {use}")


def _tiers() -> Finding:
    """Tell who can draw samples."""
    from impl import tiers

    if not tiers.is_installed():
        return Finding("tiers", "ok", "numpy")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        why_not = tiers.why_not()
    if why_not is not None:
        return Finding("tiers", "problem", f"numpy; not fused: {why_not}")
    notes = "".join(f" ({item.message})" for item in told)
    return Finding("tiers", "ok", f"numpy, fused{notes}")


def _package(name: str, installed_by: Sequence[str]) -> Finding:
    """Tell whether another distribution or folder shadows one of our generic package names."""
    home = Path(__file__).resolve().parent.parent.parent
    spec = importlib.util.find_spec(name)
    locations = [Path(item).resolve() for item in (spec.submodule_search_locations or [])] if spec else []
    if spec is not None and not locations and spec.origin:
        locations = [Path(spec.origin).resolve().with_suffix("")]
    if home / name not in locations:
        found = ", ".join(map(str, locations)) or "nothing"
        return Finding(
            name, "problem", f"import finds {found} instead of {home / name}; rename or remove the other one"
        )
    others = sorted({item for item in installed_by if item != "boundcheck"})
    if others:
        return Finding(
            name, "problem", f"also installed by {', '.join(others)}; use a virtual environment of its own"
        )
    return Finding(name, "ok", "no clash")


def _data() -> Finding:
    folder = os.environ.get("BOUNDCHECK_DATA")
    if not folder:
        return Finding(
            "BOUNDCHECK_DATA", "missing", "not set; only the bundled data are used, breast cancer and digits"
        )
    if not Path(folder).is_dir():
        return Finding(
            "BOUNDCHECK_DATA", "problem", f"{folder!r} is not a folder; set it to one with LIBSVM files"
        )
    return Finding("BOUNDCHECK_DATA", "ok", "set; `boundcheck data check` examines the files")
