"""Captions of figures: each has one, on existing claims, readable as plain text, and kept as written."""

import re
from pathlib import Path

import pytest

import theory
from verify.figures import caption, names
from verify.figures.captions import WIDTH, Caption

ROOT = Path(__file__).resolve().parents[3]
IDS = {item.id for item in theory.entries()}


@pytest.mark.parametrize("name", names())
def test_a_figure_says_what_is_seen_bound_and_measured_and_from_which_claims(name: str) -> None:
    found = caption(name)
    for text in (found.title, found.seen, found.bound, found.measured):
        assert text
        assert text == " ".join(text.split())
        assert not re.search(r"\w- \w", text)  # a word that was cut at its hyphen
        assert not set("$\\`<>&") & set(text)  # the same in a text file, a notebook and a page
    assert not found.title.endswith(".")
    assert found.seen.endswith(".")
    assert found.claims
    assert [item for item in found.claims if item not in IDS] == []


@pytest.mark.parametrize("name", names())
def test_the_kept_caption_is_the_one_of_the_module(name: str) -> None:
    kept = (ROOT / "paper_figures" / f"{name}.txt").read_text(encoding="utf-8")
    assert kept == caption(name).text(), f"run `boundcheck figures {name}`"


def test_no_caption_is_left_of_a_figure_that_is_gone() -> None:
    folder = ROOT / "paper_figures"
    assert sorted(
        path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.txt")
    ) == sorted(names())


def test_the_text_has_a_paragraph_for_each_part_in_short_lines() -> None:
    text = Caption("A title", "Seen " * 60 + "here.", "none.", "exact.", ("squant/var", "squant/sup")).text()
    parts = text.split("\n\n")
    assert [part.partition(" ")[0] for part in parts] == ["A", "Bound:", "Measured:", "Claims:"]
    assert parts[-1] == "Claims: squant/var, squant/sup\n"
    assert max(map(len, text.splitlines())) <= WIDTH
