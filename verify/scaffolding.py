"""Small working examples to begin with, from the templates in `verify/scaffold/`."""

import importlib.util
import keyword
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from verify.errors import UsageError

_TEMPLATES = Path(__file__).with_name("scaffold")
_TAKEN = ("theory", "impl", "verify", "boundcheck")


@dataclass(frozen=True)
class Scaffold:
    """What was written, and what to do with it."""

    written: tuple[Path, ...]
    next_steps: tuple[str, ...]


def write_scaffold(what: str, name: str, into: str | Path = ".") -> Scaffold:
    """Write a paper, a claim or a compressor that works; nothing is overwritten.

    Args:
        what: `paper`, `claim` or `compressor`.
        name: Name of the paper's package, `PAPER/slug` of the claim, or module of the compressor.
        into: Folder; created where it is missing. A claim goes into the package of its paper.

    Raises:
        UsageError: A bad name, a file that is there already, or a folder that is not writable.
    """
    writers = {"paper": _paper, "claim": _claim, "compressor": _compressor}
    if what not in writers:
        raise UsageError(f"what={what!r} must be one of {', '.join(writers)}")
    return writers[what](name, Path(into))


def _paper(name: str, into: Path) -> Scaffold:
    _require_module_name(name)
    if any(package == name for package in _TAKEN) or name in _known_papers():
        raise UsageError(f"name={name!r} is taken; choose another one")
    _require_new_module(name, into / name)
    words = {"PAPER": name, "SLUG": "quarter", "MODULE": f"{name}.paper", "POSITION": "1"}
    package = into / name
    files = {
        package / "__init__.py": f'"""Claims of {name}, and their checks."""\n',
        package / "paper.py": _filled("paper.py", words),
        package / "theory" / "__init__.py": '"""What is claimed."""\n',
        package / "theory" / "quarter.py": _filled("claim.py", words),
        package / "verify" / "__init__.py": '"""How it is checked."""\n',
        package / "verify" / "quarter.py": _filled("checks.py", words),
        into / "tests" / f"test_{name}.py": _filled("test_claims.py", words),
    }
    steps = [f"boundcheck verify '{name}/*' --claims {name}", "pytest"]
    if (into / "pyproject.toml").exists():
        steps.insert(0, f'add --boundcheck-claims={name} to "addopts" of pytest in {into / "pyproject.toml"}')
    else:
        files[into / "pyproject.toml"] = _filled("pyproject.toml", words)
    written = _write(files)
    return Scaffold((*written, *_pin(name, f"{name}/quarter", into)), tuple(steps))


def _claim(name: str, into: Path) -> Scaffold:
    from theory.reading.index import checks_folder, read_index, refresh
    from theory.reading.roots import use

    paper, slash, slug = name.partition("/")
    if not slash or not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", slug):
        raise UsageError(f"name={name!r} must be PAPER/slug, the slug in small letters, digits and dashes")
    if paper not in read_index().roots and (into / paper / "paper.py").is_file():
        sys.path.append(str(into.resolve()))
        use([paper])
        refresh()
    index = read_index()
    if paper not in index.roots:
        known = ", ".join(index.roots)
        raise UsageError(
            f"name={name!r}: no paper {paper!r} in {str(into)!r}; give --into DIR, the folder that has its "
            f"package, or one of {known}"
        )
    root = index.roots[paper]
    checks = checks_folder(root)
    assert checks is not None
    last = max((item.position for item in index.entries.values() if item.paper == paper), default=0)
    words = {"PAPER": paper, "SLUG": slug, "MODULE": root.paper_module, "POSITION": f"{last + 1:g}"}
    file = f"{slug.replace('-', '_')}.py"
    written = _write(
        {root.folder / file: _filled("claim.py", words), checks / file: _filled("checks.py", words)}
    )
    package = root.claims.removesuffix(".theory")
    pinned = _pin(package if root.package else "", name, root.package[1].parent if root.package else into)
    option = f" --claims {package}" if root.package else ""
    steps = [f"boundcheck verify {name}{option}"]
    if (root.folder / "comparisons.json").is_file():  # its comparisons are held against what was read
        steps.insert(0, f"boundcheck pin --comparisons full {name}{option}")
    return Scaffold((*written, *pinned), tuple(steps))


def _compressor(name: str, into: Path) -> Scaffold:
    _require_module_name(name)
    _require_new_module(name, into / f"{name}.py")
    words = {"NAME": name, "CLASS": "".join(part.capitalize() for part in name.split("_"))}
    test = into / f"test_{name}.py"
    files = {
        into / f"{name}.py": _filled("compressor.py", words),
        test: _filled("test_compressor.py", words),
    }
    steps = (f"pytest {test}", f"boundcheck check {name}:{words['CLASS']} -d 8 --unbiased --omega 0.125")
    return Scaffold(_write(files), steps)


def _require_module_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise UsageError(f"name={name!r} must be a name of a module: small letters, digits, underscores")


def _require_new_module(name: str, place: Path) -> None:
    """Refuse the name of a module that Python finds elsewhere: one of the two would hide the other."""
    if name in sys.stdlib_module_names:
        found = "the standard library"
    else:
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            return
        if spec is None:
            return
        places = [Path(item) for item in spec.submodule_search_locations or [spec.origin or "."]]
        if place.resolve() in [item.resolve() for item in places]:
            return  # what is written there already is told by its files
        found = ", ".join(map(str, places))
    raise UsageError(
        f"name={name!r} is the name of a module that can be imported already, from {found}: one would hide "
        "the other; choose another name"
    )


def _known_papers() -> tuple[str, ...]:
    from theory.reading.index import read_index

    return tuple(read_index().roots)


def _filled(template: str, words: Mapping[str, str]) -> str:
    text = (_TEMPLATES / f"{template}.txt").read_text(encoding="utf-8")
    for name, word in words.items():
        text = text.replace(f"@{name}@", word)
    return text


def _write(files: Mapping[Path, str]) -> tuple[Path, ...]:
    present = [str(path) for path in files if path.exists()]
    if present:
        verb = "is" if len(present) == 1 else "are"
        raise UsageError(f"{', '.join(present)} {verb} there already; choose another name or folder")
    for path, text in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:  # of a full disk, which names no file
            named = error.filename or str(path)
            raise UsageError(f"into: {named!r} cannot be written ({error.strerror})") from error
    return tuple(files)


def _pin(package: str, claim_id: str, folder: Path) -> tuple[Path, ...]:
    """Pin the words of the example, in a process that sees the new files; return the file."""
    command = [sys.executable, "-m", "boundcheck", "pin", claim_id]
    command += ["--claims", package] if package else []
    place = os.pathsep.join(filter(None, (str(folder.resolve()), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": place}, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise UsageError(f"{claim_id} was written but not pinned: {done.stderr.strip()}")
    from theory.reading.roots import package_folder

    theory_folder = folder / Path(*package.split(".")) / "theory" if package else package_folder("theory")
    return (theory_folder / "pins.json",) if package and theory_folder else ()
