"""Counterexamples run as they are printed; abstracts are judged by claims that exist."""

import re
import subprocess
import sys
from html import unescape

import pytest

import theory
from verify.site.claim_state import read_state, summarise
from verify.site.counterexample import counterexample
from verify.site.pages.paper import sentences


def test_the_python_of_a_finding_runs_and_confirms_it(site):
    page = (site / "claims" / "cq_marina" / "finding-message-size.html").read_text(encoding="utf-8")
    code = unescape(re.search(r'<pre id="python"[^>]*><code>(.*?)</code>', page, re.DOTALL)[1])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^(holds|consistent)\b", done.stdout, re.MULTILINE)


def test_a_finding_without_records_has_no_numbers(tmp_path):
    shown = counterexample(read_state("cq_marina/finding-message-size", tmp_path))
    assert shown.numbers == []
    assert shown.check == ""


@pytest.mark.parametrize("paper", [paper.name for paper in theory.papers()])
def test_sentences_of_abstracts_name_claims(paper):
    found, problems = sentences(paper, {})  # each name that is not known here is told
    assert len(found) >= 3
    named = {re.search(r"`([^`]*)`", line)[1] for line in problems}
    assert named
    assert named <= {entry.id for entry in theory.entries()}


def test_an_abstract_is_not_decided_without_records(tmp_path):
    ids = ["squant/sparse", "squant/range", "squant/finding-range-condition"]
    claims = {id: summarise(read_state(id, tmp_path)) for id in ids}
    first = sentences("squant", claims)[0][0]
    assert first.verdict.startswith("Not decided by these records")
    assert first.state == "bad"


def test_an_abstract_is_judged_by_its_records(site):
    page = (site / "papers" / "squant.html").read_text(encoding="utf-8")
    assert "is not run" in page
    assert "Holds as it is read" not in page
