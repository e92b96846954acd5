"""The committed notebooks: every figure of their paper is shown, and nothing failed."""

import json
from pathlib import Path

import pytest

from verify.figures import names

ROOT = Path(__file__).resolve().parents[3]
PAPERS = sorted({name.partition("/")[0] for name in names()})


@pytest.mark.parametrize("paper", PAPERS)
def test_a_notebook_shows_every_figure_of_its_paper_and_has_no_error(paper: str) -> None:
    notebook = json.loads((ROOT / "notebooks" / f"{paper}.ipynb").read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    sources = "\n".join("".join(cell["source"]) for cell in code)
    shown = [name for name in names() if name.startswith(f"{paper}/")]
    assert shown
    assert [name for name in shown if f'show("{name}")' not in sources] == []
    assert all(cell["outputs"] for cell in code if 'show("' in "".join(cell["source"]))
    assert all(output["output_type"] != "error" for cell in code for output in cell["outputs"])
