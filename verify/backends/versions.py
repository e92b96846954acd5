"""What a worker judges with: records of workers with other versions would not be those of this machine.

The model of the processor is not among it: sums of floats may differ in their last bit between two of them.
"""

import functools
import hashlib
import platform
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

LIBRARIES = (
    "numpy",
    "scipy",
    "sympy",
    "mpmath",
    "python-flint",
    "z3-solver",
    "cvc5",
    "constriction",
    "numba",
    "scikit-learn",
    "threadpoolctl",
)

SOURCES = "sources of boundcheck"

DATA = "LIBSVM sets"


def versions(packages: Iterable[str] = ()) -> Mapping[str, str]:
    """Return what decides about records: Python, libraries, sources and data at hand, by name.

    Args:
        packages: Papers of other people that are used, whose sources count, too.
    """
    return _versions(tuple(packages))


@functools.cache
def _versions(packages: tuple[str, ...]) -> Mapping[str, str]:
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "missing"
    home = Path(__file__).resolve().parent.parent.parent
    found[SOURCES] = _digest(home / name for name in ("theory", "impl", "verify"))
    found[DATA] = _data_sets()
    for name in packages:
        from theory.reading.roots import package_folder

        folder = package_folder(name)
        found[f"sources of {name}"] = _digest([folder]) if folder else "missing"
    return found


def _data_sets() -> str:
    from impl.problems.data.libsvm import available

    return " ".join(entry.dataset.name for entry in available() if entry.path) or "none"


def _digest(folders: Iterable[Path]) -> str:
    """Return twelve hex digits over all modules and data files below the folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".json") and "__pycache__" not in path.parts:
                name = path.relative_to(folder).as_posix()
                digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def differences(mine: Mapping[str, str], wanted: Mapping[str, str]) -> str:
    """Return what differs, by name: `numpy 2.1.0 (here 2.4.6)`, empty where nothing does."""
    names = dict.fromkeys((*wanted, *mine))
    return ", ".join(
        f"{name} {mine.get(name, 'missing')} (here {wanted.get(name, 'missing')})"
        for name in names
        if mine.get(name) != wanted.get(name)
    )
