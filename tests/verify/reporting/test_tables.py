"""A table as text, CSV, Markdown and LaTeX."""

import csv
import io

import pytest

from verify.reporting.tables import Table, output_width, plain_text, printable, written

TABLE = Table(
    ("claim", "kind", "title"),
    (("a/b_c", None, "costs 5% of $x|y$ | [l,r]^n *"), ("a/d", 0.5, 'quoted "words", twice')),
    optional=("kind",),
)


def test_csv_gives_back_what_was_put_in():
    rows = list(csv.reader(io.StringIO(written(TABLE, "csv"))))
    assert rows == [
        list(TABLE.columns),
        *([("" if cell is None else str(cell)) for cell in row] for row in TABLE.rows),
    ]


def test_markdown_escapes_marks_outside_of_formulas():
    head, rule, first, second = written(TABLE, "markdown").splitlines()
    assert head == "| claim | kind | title |"
    assert rule == "| --- | --- | --- |"
    assert first == r"| a/b\_c |  | costs 5% of $x\vert y$ \| \[l,r\]^n \* |"
    assert second == '| a/d | 0.5 | quoted "words", twice |'


def test_latex_escapes_signs_outside_of_formulas():
    text = written(TABLE, "latex")
    assert text.splitlines()[0] == r"\begin{tabular}{lll}"
    assert r"a/b\_c &  & costs 5\% of $x|y$ | [l,r]\textasciicircum{}n * \\" in text


@pytest.mark.parametrize("width", [34, 60, 200])
def test_text_folds_the_last_column_and_leaves_out_what_does_not_fit(width):
    lines = plain_text(TABLE, width).splitlines()
    assert max(map(len, lines)) <= width
    assert ("kind" in lines[0]) == (width > 34)
    assert "".join(plain_text(TABLE, width).split()).count("[l,r]^n") == 1


def test_control_codes_do_not_get_through():
    assert printable("red\033[31m\tthen\nline\x9b") == "red\ufffd[31m\tthen\nline\ufffd"
    assert "\033" not in written(Table(("a",), (("\033[2J",),)), "csv")


@pytest.mark.parametrize(("columns", "width"), [("77", 77), ("", 150), ("wide", 150), ("0", 150)])
def test_width_of_what_is_no_terminal(monkeypatch, columns, width):
    monkeypatch.setenv("COLUMNS", columns)
    assert output_width() == width
