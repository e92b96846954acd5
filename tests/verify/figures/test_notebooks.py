"""The notebooks: each tells its paper in order, shows every figure, and its cells run and answer changes."""

import contextlib
import io
import json
import re
from pathlib import Path

import pytest

import theory
from verify.figures import caption, names

ROOT = Path(__file__).resolve().parents[3]
PAPERS = sorted({name.partition("/")[0] for name in names()})
MARK = "# change these"
_NUMBER = re.compile(r'"[^"]*"|\b\d[\d_]*(?:\.\d+)?\b')


def cells_of(paper):
    """Return kind and source of the cells, and the outputs of each."""
    notebook = json.loads((ROOT / "notebooks" / f"{paper}.ipynb").read_text(encoding="utf-8"))
    return [
        (cell["cell_type"], "".join(cell["source"]), cell.get("outputs", [])) for cell in notebook["cells"]
    ]


def code_of(paper):
    return [source for kind, source, _ in cells_of(paper) if kind == "code"]


def changed(source):
    """Return a cell with another first number."""

    def other(match):
        if match[0].startswith('"') or done:
            return match[0]
        done.append(match[0])
        text = match[0].replace("_", "")
        return str(1.25 * float(text)) if "." in text else str(2 * int(text))

    done = []
    first, *rest = source.splitlines()
    assert MARK in first
    code, mark, remark = first.partition("  #")
    return "\n".join([_NUMBER.sub(other, code) + mark + remark, *rest])


def printed(source, names):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(source, "cell", "exec"), names)
    return out.getvalue()


@pytest.mark.parametrize("paper", PAPERS)
def test_a_notebook_shows_every_figure_of_its_paper_with_its_caption_and_has_no_error(paper):
    cells = cells_of(paper)
    shown = [name for name in names() if name.startswith(f"{paper}/")]
    assert shown
    for name in shown:
        ((_, _, outputs),) = [cell for cell in cells if cell[1] == f'show("{name}")']
        picture, text = outputs
        assert picture["data"]["image/png"]
        assert "".join(text["data"]["text/markdown"]).startswith(f"> **{caption(name).title}.**")
    assert all(output["output_type"] != "error" for _, _, outputs in cells for output in outputs)
    assert all(outputs for kind, source, outputs in cells if kind == "code" and "import" not in source)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_section_says_a_claim_shows_it_lets_it_be_changed_and_gives_verdict_and_finding(paper):
    sections = [[]]
    for kind, source, _ in cells_of(paper):
        if source.startswith("## "):
            sections.append([])
        sections[-1].append((kind, source))
    assert len(sections) > 4
    for (_, words), *cells in sections[1:]:
        calls = [
            source.partition("(")[0] if MARK not in source else MARK
            for kind, source in cells
            if kind == "code"
        ]
        assert len(words) > 100, words
        assert MARK in calls or "show" in calls
        assert "verdict" in calls
        if "show" in calls:
            assert calls.index("show") < calls.index("verdict")
    every = [source for section in sections for _, source in section]
    findings = {entry.id for entry in theory.entries(f"{paper}/*") if entry.kind == "finding"}
    assert sum(any(f'say("{name}"' in source for name in findings) for source in every) >= 3
    assert sum(MARK in source for source in every) >= 4


@pytest.mark.parametrize("paper", PAPERS)
def test_the_cells_run_and_those_to_be_changed_answer_a_change(paper):
    scope = {}
    for source in code_of(paper):
        if source.startswith("show("):
            continue
        if MARK not in source:
            exec(compile(source, "cell", "exec"), scope)
            continue
        assert MARK in source.splitlines()[0]
        before = printed(source, dict(scope))
        assert before.count("█") > 0
        assert "nan" not in before
        assert printed(changed(source), dict(scope)) != before


def test_another_number_is_another_first_number():
    assert (
        changed(f'k, d = "6lowpan", 10_000, 3  {MARK}\nd = 7') == f'k, d = "6lowpan", 20000, 3  {MARK}\nd = 7'
    )
    assert changed(f"L, h = [1.0], 2  {MARK}") == f"L, h = [1.25], 2  {MARK}"
