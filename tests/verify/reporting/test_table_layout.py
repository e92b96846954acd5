"""Every cell of a table can be read at every width."""

import itertools

import pytest

from verify.reporting.table_layout import cells, laid_out
from verify.reporting.tables import Table, folded, plain_text

HEADS = ("method", "predicted bits", "claims", "note")
ROWS = (
    ("DCGD+, block steps, beta=21.9", "5.554e+06", "squant/dcgd squant/bits-bound", "mean"),
    ("GD", "6.635e+06", "cat/s-rates", ""),
)


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (
            100,
            [
                "method                        predicted bits claims                        note",
                "DCGD+, block steps, beta=21.9 5.554e+06      squant/dcgd squant/bits-bound mean",
                "GD                            6.635e+06      cat/s-rates",
            ],
        ),
        (
            65,
            [
                "method               predicted bits claims                   note",
                "DCGD+, block steps,  5.554e+06      squant/dcgd              mean",
                "beta=21.9                           squant/bits-bound",
                "GD                   6.635e+06      cat/s-rates",
            ],
        ),
        (
            45,
            [
                "method                        predicted bits",
                "DCGD+, block steps, beta=21.9 5.554e+06",
                "    claims: squant/dcgd squant/bits-bound",
                "    note: mean",
                "GD                            6.635e+06",
                "    claims: cat/s-rates",
            ],
        ),
        (
            25,
            [
                "DCGD+, block steps,",
                "    beta=21.9",
                "    predicted bits:",
                "        5.554e+06",
                "    claims: squant/dcgd",
                "        squant/bits-bound",
                "    note: mean",
                "GD",
                "    predicted bits:",
                "        6.635e+06",
                "    claims: cat/s-rates",
            ],
        ),
    ],
)
def test_columns_then_folded_ones_then_what_does_not_fit_below(width, expected):
    assert laid_out(HEADS, ROWS, width) == expected


@pytest.mark.parametrize("width", range(26, 120))
def test_no_line_is_longer_and_no_word_is_cut_or_lost(width):
    lines = laid_out(HEADS, ROWS, width)
    assert max(map(cells, lines)) <= width
    words = list(itertools.chain.from_iterable(line.split() for line in lines))
    for cell in itertools.chain.from_iterable(ROWS):
        assert set(cell.split()) <= set(words)


def test_marks_over_letters_take_no_column():
    lines = laid_out(("a", "b"), (("x\u0304", "1"), ("xx", "2")), 20)
    assert lines == ["a  b", "x\u0304  1", "xx 2"]


def test_a_table_without_rows_is_its_heads():
    assert laid_out(HEADS, (), 80) == ["method predicted bits claims note"]


@pytest.mark.parametrize("width", [40, 60])
def test_columns_that_are_left_out_are_named(width):
    table = Table(("claim", "kind", "title"), (("p/claim", "identity", "words " * 9),), optional=("kind",))
    told = "kind has no room in 40 columns; `--format csv` shows all"
    assert (told in " ".join(plain_text(table, width).split())) == (width == 40)


def test_lines_of_text_are_folded_where_the_output_is_narrow(monkeypatch):
    text = "head\n  a search that found nothing and says so in a line of many words\n"
    assert folded(text) == text
    monkeypatch.setenv("COLUMNS", "40")
    assert folded(text) == (
        "head\n  a search that found nothing and says\n      so in a line of many words\n"
    )
