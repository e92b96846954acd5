"""The derivation of a claim as a graph and as a list of steps, from the record of the symbolic rung."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verify.rungs.symbolic import SEPARATOR
from verify.site.drawing.layers import layered
from verify.site.mathematics.kernel_formula import UnreadableFormula, kernel_tex, names_of
from verify.site.templating import slug

WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 148, 30, 56, 12, 12
_NAMED = 18


@dataclass(frozen=True)
class Step:
    """One node.

    Args:
        name: Its name.
        kind: `theorem`, `step`, `assumption` or `cited`.
        status: `proved`, `not proved`, `assumed` or `cited`.
        text: In words.
        formulas: (formula, whether it is LaTeX) of what it says.
        rests: Names of the nodes on which it rests.
        domains: Names of the domains that it uses, which are no nodes.
        rule: Rule of the kernel that made it.
        folded: Number of further theorems on which it rests and which are not shown.
    """

    name: str
    kind: str
    status: str
    text: str = ""
    formulas: tuple[tuple[str, bool], ...] = ()
    rests: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    rule: str = ""
    folded: int = 0

    @property
    def anchor(self) -> str:
        """Return the name of its place in the page."""
        return f"node-{self.kind}-{slug(self.name)}"


def steps_of(claim: Any, record: Any) -> tuple[Step, ...]:
    """Return the nodes of a derivation: theorems, steps, cited facts, assumptions.

    Args:
        claim: The claim.
        record: Its record of the symbolic rung; one of an older version has theorems and assumptions only.
    """
    names = names_of(claim)
    found: list[Step] = []
    cited: dict[str, str] = {}
    used: dict[str, None] = {}
    for step in record["steps"]:
        label = record["labels"].get(step["name"], {})
        hypotheses = _names(step.get("hypotheses")) or tuple(label.get("hypotheses", ()))
        facts = _names(step.get("cited")) or (tuple(label.get("cited", ())) if "rule" not in step else ())
        kinds = {name: claim.hypotheses[name].kind for name in hypotheses if name in claim.hypotheses}
        shown = [name for name in hypotheses if kinds.get(name) != "domain"]
        used.update(dict.fromkeys(shown))
        cited.update({fact: fact for fact in facts})
        found.append(
            Step(
                step["name"],
                "theorem" if step["kind"] == "Theorem" else "step",
                step["status"],
                formulas=_formulas(step["detail"], names),
                rests=(*_names(step.get("steps")), *shown, *facts),
                domains=tuple(name for name in hypotheses if kinds.get(name) == "domain"),
                rule=step.get("rule", ""),
                folded=int(step.get("folded", 0)),
            )
        )
    made = {step.name for step in found}
    for name, label in record["labels"].items():
        if name not in made:
            found.append(Step(name, "theorem", "not proved", text=label.get("reason", "")))
    found += [Step(name, "cited", "cited", text=text) for name, text in cited.items()]
    for name in used:
        item = claim.hypotheses.get(name)
        words = item.words if item is not None else ""
        found.append(Step(name, "assumption", item.kind if item is not None else "assumed", text=words))
    return tuple(found)


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(item for item in (text or "").split(SEPARATOR) if item)


def _formulas(text: str, names: Mapping[str, str]) -> tuple[tuple[str, bool], ...]:
    found = []
    for line in text.splitlines():
        try:
            found.append((f"${kernel_tex(line, names)}$", True))
        except (UnreadableFormula, IndexError):
            found.append((line, False))
    return tuple(found)


@dataclass(frozen=True)
class Box:
    """A node as it is drawn."""

    step: Step
    x: float
    y: float
    label: str


@dataclass(frozen=True)
class Edge:
    """A line from what is used to what uses it."""

    start: Step
    end: Step
    path: str


@dataclass(frozen=True)
class Drawing:
    """The graph: boxes, lines, and the size of the picture."""

    boxes: Sequence[Box]
    edges: Sequence[Edge]
    width: float
    height: float


def drawn(steps: Sequence[Step]) -> Drawing:
    """Return the picture of a derivation."""
    by_name = {step.name: step for step in steps}
    layout = layered(
        {name: [item for item in step.rests if item in by_name] for name, step in by_name.items()}
    )

    def corner(place: tuple[int, float]) -> tuple[float, float]:
        column, row = place
        return MARGIN + column * (WIDTH + GAP_X), round(MARGIN + row * (HEIGHT + GAP_Y), 1)

    boxes = [
        Box(by_name[name], *corner(place), _label(by_name[name])) for name, place in layout.places.items()
    ]
    edges = [
        Edge(by_name[source], by_name[node], _curve([corner(place) for place in route]))
        for (source, node), route in layout.routes.items()
    ]
    width = 2 * MARGIN + layout.columns * (WIDTH + GAP_X) - GAP_X
    height = round(2 * MARGIN + layout.rows * (HEIGHT + GAP_Y) - GAP_Y, 1)
    return Drawing(boxes, edges, width, height)


def _label(step: Step) -> str:
    """Return what a box says: the name, and of a step its number and its rule."""
    if step.kind == "step" and step.rule:
        return _short(f"{step.name.removeprefix('step ')}: {step.rule}")
    return _short(step.name)


def _short(name: str) -> str:
    return name if len(name) <= _NAMED else name[: _NAMED - 1] + "…"


def _curve(corners: Sequence[tuple[float, float]]) -> str:
    """Return the path of an edge: from the right side of a box to the left side of the next."""
    middle = HEIGHT / 2
    x, y = corners[0]
    path = [f"M{x + WIDTH:g} {y + middle:g}"]
    for place, (x, y) in enumerate(corners[1:], start=1):
        start = corners[place - 1][0] + WIDTH
        bend = (start + x) / 2
        path.append(
            f"C{bend:g} {corners[place - 1][1] + middle:g} {bend:g} {y + middle:g} {x:g} {y + middle:g}"
        )
        if place + 1 < len(corners):
            path.append(f"H{x + WIDTH:g}")
    return "".join(path)
