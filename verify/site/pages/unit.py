"""Pages of compressors and methods: what they are, their parameters, what is claimed of them."""

from __future__ import annotations

import functools
import importlib.util
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verify.site import sources
from verify.site.standard_inputs import Row, measured
from verify.site.summary import ClaimSummary

GROUPS = (
    ("Exact values and laws", ("identity", "distribution")),
    ("Bounds", ("upper", "tight", "lower")),
    ("Rates", ("rate",)),
    ("Comparisons and scaling", ("ordering", "scaling")),
    ("Findings", ("finding",)),
)


@dataclass(frozen=True)
class Unit:
    """What the page of a compressor or a method shows.

    Args:
        name: Its public name.
        group: `Compressors` or `Methods`.
        summary: One sentence.
        paragraphs: What it is.
        facts: (name, value).
        parameters: (name, what it is).
        table: Variance and bits on standard inputs; () for methods.
        table_words: What the inputs are.
        claims: (title, claims whose checks run it).
        source: Page and line of its source.
        source_name: File and line.
    """

    name: str
    group: str
    summary: str
    paragraphs: Sequence[str]
    facts: Sequence[tuple[str, str]]
    parameters: Sequence[tuple[str, str]]
    table: Sequence[Row]
    table_words: str
    claims: Sequence[tuple[str, Sequence[ClaimSummary]]]
    source: str
    source_name: str


def compressors(claims: Sequence[ClaimSummary]) -> list[Unit]:
    """Return the compressors, in alphabetical order."""
    import impl.compressors as package

    bases = (package.Compressor, package.JointCompressor)
    found = []
    for name in package.__all__:
        item: Any = getattr(package, name)
        if inspect.isclass(item) and issubclass(item, bases) and item not in bases:
            joint = issubclass(item, package.JointCompressor)
            facts = [("Sees", "the vectors of all clients" if joint else "one vector")]
            if not inspect.isabstract(item):
                facts += [("Unbiased", _unbiased(item))]
            words, table = measured(item, joint=joint)
            found.append(_unit(name, "Compressors", item, facts, claims, table, words))
    return found


def methods(claims: Sequence[ClaimSummary]) -> list[Unit]:
    """Return the methods and the rules that choose a compressor for each gradient."""
    import impl.adaptive
    import impl.optimizers

    found = []
    for package in (impl.optimizers, impl.adaptive):
        for name in package.__all__:
            item = getattr(package, name)
            if inspect.isfunction(item) and not name.endswith("_reference"):
                what = "a rule that chooses a message" if package is impl.adaptive else "a method"
                literal = f"{name}_reference"
                facts = [("What", what)]
                if literal in package.__all__:
                    facts.append(("Literal form", f"`{literal}`"))
                found.append(_unit(name, "Methods", item, facts, claims, (), ""))
    return found


def _unit(
    name: str,
    group: str,
    item: Any,
    facts: Sequence[tuple[str, str]],
    claims: Sequence[ClaimSummary],
    table: Sequence[Row],
    table_words: str,
) -> Unit:
    paragraphs, parameters = _documented(item)
    file = inspect.getsourcefile(item)
    source = sources.relative(file) if file else None
    line = inspect.getsourcelines(item)[1]
    mine = [claim for claim in claims if name in _names_in_checks(claim.id)]
    groups = [(title, [claim for claim in mine if claim.kind in kinds]) for title, kinds in GROUPS]
    return Unit(
        name,
        group,
        paragraphs[0] if paragraphs else "",
        paragraphs,
        facts,
        parameters,
        table,
        table_words,
        [(title, members) for title, members in groups if members],
        f"{sources.page_of(source)}#L{line}" if source else "",
        f"{source}, line {line}" if source else "",
    )


def _unbiased(item: Any) -> str:
    values = {bool(example.unbiased) for example in item.examples()}
    if len(values) > 1:
        return "depends on its parameters"
    return "yes" if True in values else "no"


def _documented(item: Any) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the paragraphs and the arguments of a docstring."""
    text = inspect.getdoc(item) or ""
    head, _, rest = text.partition("\nArgs:\n")
    head = re.split(r"\n(?:Returns|Raises|Yields):\n", head)[0]
    paragraphs = [" ".join(part.split()) for part in head.split("\n\n") if part.strip()]
    described = dict(_arguments(re.split(r"\n(?=\S)", rest)[0]))
    names = [name for name in inspect.signature(item).parameters if name not in ("args", "kwargs", "self")]
    return paragraphs, [(name, described.get(name, "")) for name in names]


def _arguments(text: str) -> Iterator[tuple[str, str]]:
    for entry in re.split(r"\n(?=    \S)", "\n" + inspect.cleandoc(text).replace("\n", "\n    ")):
        name, colon, meaning = entry.strip().partition(":")
        if colon:
            for one in name.split(","):
                yield one.strip().strip("`*"), " ".join(meaning.split())


@functools.cache
def _names_in_checks(claim_id: str) -> frozenset[str]:
    """Return the words of the module of a claim's checks."""
    import theory

    try:
        spec = importlib.util.find_spec(theory.entry(claim_id).verify_module)
    except (ImportError, ValueError, theory.ClaimFileError):
        return frozenset()
    if spec is None or not spec.origin:
        return frozenset()
    return frozenset(re.findall(r"\w+", Path(spec.origin).read_text(encoding="utf-8", errors="replace")))


def unit_values(unit: Unit) -> Mapping[str, Any]:
    """Return what the template shows."""
    return {"item": unit}
