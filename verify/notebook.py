"""What the notebooks call: figures with captions, statements, formulas, and what records say of claims."""

import importlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import theory
from verify.authoring.law import formulas_of
from verify.figures.data_sets import missing_data
from verify.formulas.evaluation import evaluate

__all__ = ["bars", "formula", "say", "show", "verdict"]

FOLDER_VARIABLE = "BOUNDCHECK_FIGURES"
"""Environment variable that tells a notebook where to write figures."""

KEPT_VARIABLE = "BOUNDCHECK_FIGURES_KEPT"
"""Environment variable with the folder of figures that are shown as they are."""

ONLY_VARIABLE = "BOUNDCHECK_FIGURES_ONLY"
"""Environment variable with the names of the figures to be made, separated by commas; all without it."""

TABLE_HEAD = "| claim | what it says | verdict |"

WIDEST = 32
"""Characters of the longest bar."""


def show(name: str, width: int = 660) -> Any:
    """Make one figure, unless it is not asked for or its data are missing; show it in a notebook.

    A figure that is not made is shown as it is kept. What is returned is its caption.
    """
    display: Any = importlib.import_module("IPython.display")  # it is not annotated

    folder, only = Path(os.environ.get(KEPT_VARIABLE, "../paper_figures")), os.environ.get(ONLY_VARIABLE)
    if only is None or name in only.split(","):
        missing = missing_data(name)
        if missing:
            print(f"{name} is kept as it is: set BOUNDCHECK_DATA to a folder with {', '.join(missing)}")  # noqa: T201
        else:
            folder = Path(save(name)).parent.parent
    picture = folder / f"{name}.png"
    if not picture.is_file():
        return display.Markdown(f"`{name}` has not been made yet")
    display.display(display.Image(str(picture), width=width))
    text = picture.with_suffix(".txt")
    return display.Markdown(
        _quoted(text.read_text(encoding="utf-8")) if text.is_file() else "It has no caption."
    )


def save(name: str, folder: str | Path | None = None) -> str:
    """Compute, draw and save one figure as CSV, PDF, PNG and caption; return the path of the PNG.

    Args:
        name: `PAPER/FIGURE`.
        folder: Where to write; by default the folder named by `FOLDER_VARIABLE`, else `paper_figures`
            beside the notebooks.
    """
    from verify.figures.drawing import compute, draw

    target = Path(folder or os.environ.get(FOLDER_VARIABLE, "../paper_figures"))
    compute(name, target)
    draw(name, target)
    return str(target / f"{name}.png")


def say(claim_id: str, parts: str = "") -> Any:
    """Return the statement of a claim as it was checked.

    Args:
        claim_id: The claim.
        parts: Labels of the parts to be said, `"acd"`; all by default.
    """
    from verify.statements.slots import filled

    display: Any = importlib.import_module("IPython.display")
    claim = theory.claim(claim_id)
    chosen = [part for part in claim.parts if not parts or part.label in parts]
    lines = [f"**{claim.title}** (`{claim.id}`).", filled(claim, claim.setting)]
    lines += [f"* ({part.label}) {filled(claim, part.text)}" for part in chosen]
    return display.Markdown("\n\n".join(line for line in lines if line))


def verdict(*claim_ids: str, records: str | Path = "../.boundcheck") -> Any:
    """Return what the records say of claims, or that there are none.

    Args:
        claim_ids: The claims.
        records: Folder of the records.
    """
    display: Any = importlib.import_module("IPython.display")
    return display.Markdown("\n".join(told_verdicts(claim_ids, records)[0]))


def formula(claim_id: str, name: str, /, **values: Any) -> float:
    """Return a formula of a claim at some values, such as its `bound`."""
    return evaluate(formulas_of(claim_id)[name], values)


def bars(values: Mapping[str, float]) -> None:
    """Print numbers with bars in proportion, the largest one full; one that is not finite has none."""
    longest = max(len(name) for name in values)
    finite = [value for value in values.values() if abs(value) < float("inf")]
    largest = max((abs(value) for value in finite), default=0.0) or 1.0
    for name, value in values.items():
        length = round(WIDEST * abs(value) / largest) if value in finite else 0
        print(f"{name:<{longest}}  {'█' * length:<{WIDEST}}  {value:.4g}")  # noqa: T201


def told_verdicts(claim_ids: Sequence[str], records: str | Path) -> tuple[list[str], bool]:
    """Return the lines that tell verdicts of claims, and whether each has records that are not stale."""
    from verify.reporting.summaries import summarised

    found = {claim_id: summarised(claim_id, records) for claim_id in claim_ids}
    fresh = all(summary.made and not summary.stale for summary in found.values())
    if not any(summary.made for summary in found.values()):
        command = f"boundcheck verify {' '.join(claim_ids)}"
        return [f"There are no records of these claims; `{command}` makes them."], fresh
    lines = [TABLE_HEAD, "|---|---|---|"]
    for claim_id, summary in found.items():
        told = f"{summary.verdict}, {summary.grade}" if summary.grade else summary.verdict
        told = f"{told} (stale: the sources have changed)" if summary.stale else told
        told = told if summary.made else "not run yet"
        lines.append(f"| `{claim_id}` | {theory.entry(claim_id).title} | {told} |")
    return lines, fresh


def _quoted(caption: str) -> str:
    """Return a caption, plain text, as Markdown: its title strong, the first words of paragraphs slanted."""
    plain = re.sub(r"([\\*_\[\]])", r"\\\1", caption.strip())
    first, *others = (" ".join(part.split()) for part in plain.split("\n\n"))
    title, _, seen = first.partition(". ")
    lines = [
        f"**{title}.** {seen}",
        *(f"*{head}:* {rest}" for head, _, rest in (o.partition(": ") for o in others)),
    ]
    return "\n>\n".join(f"> {line}" for line in lines)
