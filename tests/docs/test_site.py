"""What Sphinx makes of docstrings, and the parts of pages that are made from the code."""

import importlib
import io
import json
import re
import sys
from pathlib import Path

import pytest

from verify.cli import VERBS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def extension(monkeypatch):
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    monkeypatch.setattr(sys, "path", [str(ROOT / "docs" / "_ext"), *sys.path])
    return importlib.import_module


def test_formulas_are_set_when_pages_are_built_and_nothing_is_loaded_from_elsewhere(extension, tmp_path):
    application = extension("sphinx.application").Sphinx
    (tmp_path / "conf.py").write_text(
        'extensions = ["myst_parser", "mathml"]\nmyst_enable_extensions = ["dollarmath"]\n'
        'html_theme, html_math_renderer = "furo", "mathml"\n'
    )
    (tmp_path / "index.md").write_text(
        "# Formulas\n\nThat $x_1<\\frac12$.\n\n$$\\sum_jL_j$$\n\nAnd $\\nonsense$.\n"
    )
    told, places = io.StringIO(), (tmp_path, tmp_path, tmp_path / "html", tmp_path / "trees")
    application(*map(str, places), "html", status=None, warning=told).build()
    page = (tmp_path / "html" / "index.html").read_text("utf-8")
    assert page.count("<math") == 3
    assert '<math display="block">' in page
    assert not re.search(r'<(script|link)[^>]*(src|href)="(https?:)?//', page)
    assert "unknown mathematics: \\nonsense" in told.getvalue()  # a warning is an error of `make docs`


def test_signs_of_rst_in_docstrings_are_quoted_and_code_and_bullets_are_not(extension):
    quoted = extension("plain_docstrings").quoted
    assert quoted("* `k`: ||x||^2 <= a*b, L_ and x_j") == r"* ``k``: \|\|x\|\|^2 <= a\*b, L\_ and x_j"


def test_literal_blocks_and_examples_stay_as_they_are(extension):
    lines = ["See::", "", "    a * b", "", "c * d", ">>> 2 * 3"]
    assert extension("plain_docstrings").quoted_lines(lines) == [*lines[:4], r"c \* d", lines[5]]


def test_the_page_of_commands_has_every_verb_option_and_exit_code(extension):
    page = "\n".join(extension("generated_pages").commands())
    assert all(f"\n## {verb}\n" in page for verb in VERBS)
    assert "`--dry-run`" in page
    assert "### fetch" in page
    assert "Exit codes: 0 every claim holds" in page


def test_the_page_of_records_has_every_field(extension):
    page = "\n".join(extension("generated_pages").records())
    schema = json.loads((ROOT / "verify/records/record.schema.json").read_text("utf-8"))
    assert all(f"| `{name}` |" in page for name in schema["properties"])
    assert "`mutants[].rejected`" in page


def test_the_page_of_constants_has_a_row_for_each(extension):
    page = list(extension("generated_pages").constants())
    assert len(page) > 12
    assert all(line.count(" | ") == 6 or line.startswith("|---") for line in page)
    assert "<!-- generated: constants -->" in (ROOT / "docs/constants.md").read_text("utf-8")


def test_every_page_is_in_a_folder_that_the_index_looks_through():
    index = (ROOT / "docs/index.md").read_text("utf-8")
    folders = {
        page.relative_to(ROOT / "docs").parent.as_posix()
        for page in (ROOT / "docs").rglob("*.md")
        if not page.relative_to(ROOT / "docs").parts[0].startswith("_")
    }
    assert folders == {".", "tutorials", "howto", "explanation", "reference", "reference/api"}
    assert all(f"{folder}/*" in index for folder in folders - {".", "reference/api"})
