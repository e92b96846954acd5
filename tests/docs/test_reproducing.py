"""The pages that go through the papers name what there is: every figure, claims and findings that exist."""

import re
from pathlib import Path

import pytest

import theory

DOCS = Path(__file__).parents[2] / "docs"
FIGURES = {f"{file.parent.name}/{file.stem}" for file in (DOCS.parent / "paper_figures").glob("*/*.csv")}
CLAIMS = {entry.id for entry in theory.entries()}
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def test_each_figure_has_its_command_and_each_name_is_one_of_a_figure_or_claim():
    page = (DOCS / "reproducing.md").read_text()
    made = {name for line in re.findall(r"`boundcheck figures ([^`]*)`", page) for name in line.split()}
    assert made - {"PAPER/NAME"} == FIGURES
    named = set(re.findall(r"`((?:squant|cq_marina|ndqsg|cat)/[\w-]+)`", page))
    assert named <= FIGURES | CLAIMS
    judged = set(re.findall(r"`boundcheck verify ([\w/-]+)", page)) - {"ID"}
    assert judged <= CLAIMS


@pytest.mark.parametrize("paper", [paper.name for paper in theory.papers()])
def test_the_page_of_papers_counts_claims_and_lists_findings(paper):
    page = (DOCS / "explanation" / "papers.md").read_text()
    entries = [entry for entry in theory.entries() if entry.paper == paper]
    arxiv = theory.claim(entries[0].id).paper.arxiv
    counted = re.search(rf"{arxiv}\),\s(\d+)\sclaims:.*?(\w+)\sfindings", page, re.DOTALL)
    findings = [entry.id for entry in entries if entry.kind == "finding"]
    assert (int(counted[1]), NUMBERS.index(counted[2]) + 1) == (len(entries), len(findings))
    assert all(f"| `{id}` |" in page for id in findings)
