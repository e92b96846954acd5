"""A suite: compressors by import path with what they claim and where they claim it."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from verify.errors import UsageError
from verify.foreign.claims import Claims

SUITES = Path(__file__).with_name("suites")

VERDICTS = ("consistent", "violated", "inconclusive", "refused", "not_run", "mistake")
"""What is said of an entry: `refused` where a call is a fault, `not_run` where its code is not there, and
`mistake` where the suite says what does not fit."""

EXPECTED = VERDICTS[:-1]
"""What a suite may expect."""


@dataclass(frozen=True)
class Project:
    """Whose code is judged.

    Args:
        name: Name of the project.
        url: Where its code is public.
        commit: The state that was read.
        folder: Folder that is put on the path of imports, below that of the peers; empty for what is
            installed.
        requires: Modules without which nothing of it runs.
    """

    name: str
    url: str = ""
    commit: str = ""
    folder: str = ""
    requires: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entry:
    """A compressor and what is claimed of it.

    Args:
        name: Name in the table.
        object: MODULE:OBJECT; a class is called with `arguments`.
        arguments: Keyword arguments of the class.
        then: Methods that set an instance up, with their arguments.
        call: Method that compresses a vector.
        result: Attribute of what it returns, or the place in it, that is the vector.
        restore: Method or MODULE:OBJECT that makes the vector of what it returns.
        seed: Keyword argument that takes a seed: a fresh instance is made for every call.
        generators: Attributes that are generators of torch: they are seeded for every call.
        rank: Keyword argument that takes the number of a node; with `n` nodes.
        memory: MODULE:OBJECT with `compensate`, `update` and what is kept, judged with it as a sequence.
        memory_arguments: Its keyword arguments.
        kept: Its attribute that maps names to what is kept.
        adapter: MODULE:FUNCTION that makes a compressor of the object and `arguments`.
        claims: Arguments of `check_compressor`; a text is the method of the instance that returns the value.
        source: File and line, or paper, of the claim.
        says: The claim in words.
        expect: Verdict that was found and confirmed.
        expect_reason: Part of the reason that was found with it; with another one it is not as expected.
        note: What a reader should know.
        d: Dimension.
        n: Number of nodes.
        dtype: Type of the entries.
        framework: What vectors are.
        resolution: Of the check.
    """

    name: str
    object: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    then: Mapping[str, list[Any]] = field(default_factory=dict)
    call: str = ""
    result: str | int | None = None
    restore: str = ""
    seed: str = ""
    generators: list[str] = field(default_factory=list)
    rank: str = ""
    memory: str = ""
    memory_arguments: Mapping[str, Any] = field(default_factory=dict)
    kept: str = "residuals"
    adapter: str = ""
    claims: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    says: str = ""
    expect: str = "consistent"
    expect_reason: str = ""
    note: str = ""
    d: int = 64
    n: int | None = None
    dtype: str | None = None
    framework: str | None = None
    resolution: float | None = None


@dataclass(frozen=True)
class Suite:
    """A file of entries.

    Args:
        path: The file.
        project: Whose code it judges.
        entries: The compressors.
    """

    path: Path
    project: Project
    entries: tuple[Entry, ...]


_CLAIMS = {item.name for item in fields(Claims)} - {"claims"}
_KINDS: tuple[tuple[set[str], Any, str], ...] = (
    ({"arguments", "then", "memory_arguments", "claims"}, dict, "a table"),
    ({"generators", "requires"}, list, "a list"),
    ({"d", "n"}, int, "a whole number"),
    ({"resolution"}, int | float, "a number"),
    ({"result"}, str | int, "a text or a whole number"),
)
"""What the values of keys must be; of all others a text."""

_DEFAULTS = {
    "d",
    "n",
    "dtype",
    "framework",
    "resolution",
    "call",
    "result",
    "restore",
    "seed",
    "rank",
    "adapter",
    "generators",
}


def read_suite(name: str | Path) -> Suite:
    """Read a suite: the path of a file, or the name of one of ours.

    Raises:
        UsageError: It is not there, no TOML, or says something that is not known; all problems at once.
    """
    path = Path(name)
    if not path.is_file() and (SUITES / f"{name}.toml").is_file():
        path = SUITES / f"{name}.toml"
    if not path.is_file():
        ours = ", ".join(sorted(item.stem for item in SUITES.glob("*.toml")))
        raise UsageError(f"suite={str(name)!r} is no file, and none of ours: {ours}")
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"suite {path}: {error}") from error
    problems = [*_problems(document)]
    if problems:
        raise UsageError(f"suite {path}: " + "; ".join(problems))
    project = dict(document["project"])
    project["requires"] = tuple(project.get("requires", ()))
    defaults = document.get("defaults", {})
    entries = tuple(Entry(**(defaults | item)) for item in document["compressor"])
    return Suite(path, Project(**project), entries)


def _problems(document: Mapping[str, Any]) -> Iterator[str]:
    yield from _unknown("", document, {"project", "defaults", "compressor"})
    project = document.get("project")
    if not isinstance(project, dict) or not isinstance(project.get("name"), str):
        yield "[project] with name= is missing"
    else:
        yield from _unknown("project.", project, {item.name for item in fields(Project)})
        yield from _of_another_kind("project.", project)
    defaults = document.get("defaults", {})
    if not isinstance(defaults, dict):
        yield "[defaults] must be a table"
        return
    yield from _unknown("defaults.", defaults, _DEFAULTS)
    yield from _of_another_kind("defaults.", defaults)
    entries = document.get("compressor")
    if not isinstance(entries, list) or not entries or not all(isinstance(item, dict) for item in entries):
        yield "no [[compressor]] is there"
        return
    names = [item.get("name") for item in entries]
    for place, item in enumerate(entries, 1):
        where = f"compressor {item.get('name') or place}"
        yield from _unknown(f"{where}: ", item, {one.name for one in fields(Entry)})
        for key in ("name", "object"):
            if not isinstance(item.get(key), str):
                yield f"{where}: {key}= is missing"
        if names.count(item.get("name")) > 1:
            yield f"{where}: the name is there twice"
        others = [*_of_another_kind(f"{where}: ", item)]
        yield from others
        if others:
            continue
        yield from _unknown(f"{where}: claims.", item.get("claims", {}), _CLAIMS)
        for key in ("object", "memory", "adapter"):
            if isinstance(item.get(key), str) and item.get(key) and ":" not in item[key]:
                yield f"{where}: {key}={item[key]!r} must be MODULE:OBJECT"
        if item.get("expect", "consistent") not in EXPECTED:
            yield f"{where}: expect={item['expect']!r} must be one of {', '.join(EXPECTED)}"
        if item.get("claims") and not item.get("source"):
            yield f"{where}: source= of the claim is missing"


def _of_another_kind(where: str, given: Mapping[str, Any]) -> Iterator[str]:
    for key, value in given.items():
        kinds, words = next((item for keys, *item in _KINDS if key in keys), (str, "a text"))
        if not isinstance(value, kinds) or isinstance(value, bool):
            yield f"{where}{key}={value!r} must be {words}"


def _unknown(where: str, given: Mapping[str, Any], known: set[str]) -> Iterator[str]:
    from difflib import get_close_matches

    for key in given:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f", did you mean {near[0]!r}?" if near else f"; known are {', '.join(sorted(known))}"
            yield f"{where}{key} is unknown{hint}"
