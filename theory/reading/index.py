"""Which claims there are, from the names and heads of files: nothing is imported, nothing is computed.

A claim is a file `theory/PAPER/slug.py` or `theory/PAPER/TOPIC/slug.py` with `CLAIM = Claim(` on a
line of its own; its checks are `verify/PAPER/slug.py` or `verify/PAPER/TOPIC/slug.py`.
"""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from theory.errors import ClaimFileError, UnknownClaimError
from theory.reading.header import check_no_other_name, claim_header, is_claim, read_text
from theory.reading.roots import OWN, Root, foreign_roots, own_roots, package_folder, used

PINS = "pins.json"
_PINNED = re.compile(r'^ "([^"]+/[^"]+)": \{', re.MULTILINE)
_SHOWN = 5
"""Ids that a message names at most."""
_LIKE = 0.55
"""Likeness from which on an id is worth naming: a letter or two are wrong, or the paper is missing."""


@dataclass(frozen=True)
class Entry:
    """What is known about a claim without loading it.

    Args:
        id: Claim id.
        paper: Short name of the paper.
        kind: Kind of the claim.
        provenance: Where the claim comes from.
        title: One line.
        position: Place among the claims of its paper.
        module: Module of the claim.
        path: Its file.
        verify_module: Module of its checks.
    """

    id: str
    paper: str
    kind: str
    provenance: str
    title: str
    position: float
    module: str
    path: Path
    verify_module: str

    @property
    def where(self) -> str:
        """Return the file as messages name it: `theory/squant/var.py`."""
        return f"{self.module.replace('.', '/')}.py"


@dataclass(frozen=True)
class Problem:
    """A file that cannot be used: the id that its claim would have (`PAPER/*` for a paper), and one line."""

    id: str
    line: str


@dataclass(frozen=True)
class Index:
    """All claims, all papers, and what is wrong with any of them."""

    entries: dict[str, Entry]
    roots: dict[str, Root]
    problems: tuple[Problem, ...]

    def entry(self, id: str) -> Entry:
        """Return the entry of a claim.

        Raises:
            ClaimFileError: Its file cannot be used.
            UnknownClaimError: There is no such claim; the message lists the near ids.
        """
        if id in self.entries:
            return self.entries[id]
        for problem in self.problems:
            if problem.id == id:
                raise ClaimFileError(problem.line)
        raise UnknownClaimError(self._unknown(id))

    def select(self, pattern: str = "*") -> tuple[Entry, ...]:
        """Return the entries whose id matches a shell pattern, in the order of the papers.

        Raises:
            ClaimFileError: The pattern is the id of a claim whose file cannot be used.
            UnknownClaimError: Nothing matches; the message lists the near ids.
        """
        found = tuple(entry for id, entry in self.entries.items() if fnmatchcase(id, pattern))
        if not found:
            concerned = [problem.line for problem in self.problems if _concerns(problem, pattern)]
            if concerned:
                raise ClaimFileError("; ".join(concerned))
            raise UnknownClaimError(self._unknown(pattern))
        return found

    def problems_of(self, pattern: str = "*") -> tuple[Problem, ...]:
        """Return the files that cannot be used and whose claims would match a pattern."""
        return tuple(problem for problem in self.problems if _concerns(problem, pattern))

    def _unknown(self, pattern: str) -> str:
        said = [
            id
            for id, entry in self.entries.items()
            if pattern.isalpha() and pattern.lower() in entry.title.lower()
        ]
        several = [id for id in self.entries if fnmatchcase(id, pattern)]
        near = self._near(pattern.lower())
        if several:
            hint = (
                f"it matches {len(several)} claims, such as {', '.join(several[:_SHOWN])}; name one of them"
            )
        elif pattern.rstrip("/") in self.roots:
            hint = f"did you mean '{pattern.rstrip('/')}/*', all claims of this paper?"
        elif near:
            hint = f"did you mean {', '.join(near)}?"
        elif _is_paper_here(pattern.partition("/")[0]) and "/" in pattern:
            paper = pattern.partition("/")[0]
            hint = f"a paper in the folder {paper}, which is here, is found by `--claims {paper}`"
        else:
            hint = "`boundcheck list` shows the claims"
        if said:
            hint += f"; `boundcheck list --title {pattern}` shows {len(said)} with this word in their titles"
        lines = "".join(f"; {problem.line}" for problem in self.problems if problem.id == "*")
        return f"unknown claim {pattern!r}; {hint}{lines}"

    def _near(self, word: str) -> list[str]:
        """Return the ids that are like a word in lower case, with their paper or without, nearest first."""
        import difflib

        def likeness(id: str) -> float:
            names = (id.lower(), id.lower().partition("/")[2])
            return max(difflib.SequenceMatcher(None, word, name).ratio() for name in names)

        ranked = sorted((-likeness(id), id) for id in self.entries)
        return [id for ratio, id in ranked[:_SHOWN] if -ratio >= _LIKE]


def _is_paper_here(name: str) -> bool:
    """Return whether the working folder has a paper of other people in a folder of this name."""
    return name.isidentifier() and Path(name, "paper.py").is_file()


def _concerns(problem: Problem, pattern: str) -> bool:
    """Return whether a problem belongs to what a pattern asks for."""
    return fnmatchcase(problem.id, pattern) or fnmatchcase(pattern, problem.id)


def read_index() -> Index:
    """Return the index; packages of other people that were named since are in it."""
    return _index(used())


@functools.lru_cache(maxsize=4)
def _index(_packages: tuple[str, ...]) -> Index:
    foreign, lines = foreign_roots()
    roots = (*own_roots(), *foreign)
    problems = [Problem("*", line) for line in lines]
    entries: dict[str, Entry] = {}
    for root in roots:
        found, wrong = _paper_entries(root)
        entries |= {entry.id: entry for entry in found}
        problems += wrong
    return Index(entries, {root.paper: root for root in roots}, tuple(problems))


def refresh() -> None:
    """Forget what was read, so that files that were written since are found."""
    _index.cache_clear()


def _paper_entries(root: Root) -> tuple[list[Entry], list[Problem]]:
    found: list[Entry] = []
    problems: list[Problem] = []
    for path in _claim_files(root.folder):
        relative = path.relative_to(root.folder)
        base = OWN.parent if root.package is None else root.package[1].parent
        where = path.relative_to(base).as_posix() if path.is_relative_to(base) else path.as_posix()
        id = f"{root.paper}/{path.stem.replace('_', '-')}"
        try:
            text = read_text(path, where)
            if is_claim(text):
                found.append(_entry(root, path, relative, claim_header(text, where, root.paper)))
            else:
                check_no_other_name(text, where)
        except ClaimFileError as error:
            names = dict.fromkeys(filter(None, (id, error.stated)))  # by either it is asked for
            problems += [Problem(name, str(error)) for name in names]
    unique: dict[str, Entry] = {}
    for entry in found:
        if entry.id in unique:
            first = unique[entry.id]
            line = f"{entry.where}: id={entry.id!r} is used twice, also in {first.where}; rename one of them"
            problems.append(Problem(entry.id, line))
        unique[entry.id] = entry
    known = {entry.id for entry in found} | {problem.id for problem in problems}
    for id in _pinned_ids(root.folder):
        if id not in known:
            file = (root.folder / PINS).as_posix()
            line = (
                f"{id} is pinned in {file}, and no file states it: bring the file back, or take the entry out"
            )
            problems.append(Problem(id, line))
    twice = {problem.id for problem in problems}
    kept = [entry for entry in unique.values() if entry.id not in twice]
    return sorted(kept, key=lambda entry: (entry.position, entry.id)), problems


def _pinned_ids(folder: Path) -> list[str]:
    """Return the claims whose words are pinned, so that none is lost without a word."""
    try:
        return _PINNED.findall((folder / PINS).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return []


def _entry(root: Root, path: Path, relative: Path, header: Any) -> Entry:
    dotted = ".".join((*relative.parts[:-1], relative.stem))
    return Entry(
        header["id"],
        root.paper,
        header["kind"],
        header["provenance"],
        header["title"],
        float(header["position"]),
        f"{root.claims}.{dotted}",
        path,
        f"{root.checks}.{_checks_name(root, relative)}",
    )


def _checks_name(root: Root, relative: Path) -> str:
    """Return the checks' module below that of the paper: in the same topic, or beside the topics."""
    topic = relative.parts[:-1]
    folder = checks_folder(root)
    beside = folder is not None and (folder / relative.name).is_file()
    if folder is not None and beside and not folder.joinpath(*relative.parts).is_file():
        topic = ()
    return ".".join((*topic, relative.stem))


def checks_folder(root: Root) -> Path | None:
    """Return the folder of the checks of a paper."""
    if root.package is None:
        folder = OWN.parent.joinpath(*root.checks.split("."))
        return folder if folder.is_dir() else package_folder(root.checks)
    return root.folder.parent / "verify"


def _claim_files(folder: Path) -> Iterator[Path]:
    """Yield the files that may state claims: those of the folder and of the folders in it."""
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.suffix == ".py" and path.name != "__init__.py":
            yield path
        elif path.is_dir() and path.name.isidentifier() and path.name != "__pycache__":
            yield from (item for item in sorted(path.glob("*.py")) if item.name != "__init__.py")


def entry(id: str) -> Entry:
    """Return what is known about a claim without loading it; see `Index.entry`."""
    return read_index().entry(id)
