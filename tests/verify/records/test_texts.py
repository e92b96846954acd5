"""What is wrong with texts is kept while nothing on which it rests has changed; `verify` reads again."""

import json
from dataclasses import replace

import pytest

import theory
from verify.errors import UsageError
from verify.judging import parts
from verify.records import sources, texts
from verify.records.recorded import recorded_results
from verify.running import runner
from verify.statements import pins
from verify.statements.said import Problem

CLAIM = "squant/var"
SAID = Problem(CLAIM, "a", 3, "x", "a text that somebody changed")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "records").mkdir()
    return tmp_path


@pytest.fixture
def read(monkeypatch):
    """Return the claims whose texts were read; each has one problem."""
    found = []
    monkeypatch.setattr(parts, "tie_problems", lambda claim: found.append(claim.id) or [SAID])
    return found


def test_a_text_is_read_once(folder, read):
    claim = theory.claim(CLAIM)
    assert [texts.text_problems(claim, folder) for _ in range(3)] == [[SAID]] * 3
    assert read == [CLAIM]


@pytest.mark.parametrize(
    "name",
    [
        "theory/squant/variance/var.py",
        "theory/squant/pins.json",
        "theory/latex/clauses.py",
        "verify/statements/ties.py",
        "verify/statements/matching.py",
    ],
)
def test_a_changed_byte_lets_the_text_be_read_again(folder, read, tree, monkeypatch, name):
    monkeypatch.setattr(texts, "pins_file", lambda paper: tree / "theory" / paper / "pins.json")
    claim = theory.claim(CLAIM)
    texts.text_problems(claim, folder)
    path = tree / name
    before = path.read_bytes()
    path.write_bytes(before + b"\n")
    sources.clear_caches()
    texts.text_problems(claim, folder)
    path.write_bytes(before)
    assert read == [CLAIM, CLAIM]


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"basis": 1, "problems": [{"claim": "x"}]}', "\0"])
def test_a_file_that_cannot_be_used_lets_the_text_be_read_again(folder, read, content):
    claim = theory.claim(CLAIM)
    texts.text_problems(claim, folder)
    texts.texts_path(folder, CLAIM).write_text(content)
    assert texts.text_problems(claim, folder) == [SAID]
    assert len(read) == 2


def test_another_claim_than_that_of_the_file_is_read_and_not_kept(folder, read):
    claim = replace(theory.claim(CLAIM), title="another one")
    assert texts.text_problems(claim, folder) == [SAID]
    assert not texts.texts_path(folder, CLAIM).exists()


def test_nothing_is_kept_where_there_are_no_records(tmp_path, read):
    texts.text_problems(theory.claim(CLAIM), tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


def test_verify_reads_every_text_and_resumes_with_what_is_kept(tmp_path):
    runner.verify(CLAIM, out=tmp_path)
    path = texts.texts_path(tmp_path, CLAIM)
    kept = json.loads(path.read_text())
    assert kept["problems"] == []
    path.write_text(json.dumps(texts.sealed(kept["basis"], [vars(SAID)])))
    (said,) = recorded_results(CLAIM, tmp_path)
    (resumed,) = runner.verify(CLAIM, out=tmp_path, resume=True).claims
    assert (said.result.verdict, resumed.verdict) == ("untested", "untested")
    (judged,) = runner.verify(CLAIM, out=tmp_path).claims
    assert judged.verdict == "holds"
    assert json.loads(path.read_text()) == kept


def test_an_edited_file_is_no_excuse(folder, read):
    claim = theory.claim(CLAIM)
    texts.text_problems(claim, folder)
    path = texts.texts_path(folder, CLAIM)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"problems": []}))
    assert texts.text_problems(claim, folder) == [SAID]
    assert read == [CLAIM, CLAIM]


def test_words_that_are_not_the_pinned_ones_are_kept_as_a_problem(folder, monkeypatch, tmp_path):
    own = pins.pins_file("squant")
    file = tmp_path / "pins.json"
    found = json.loads(own.read_text())
    found[CLAIM]["a"] = "0" * 32
    file.write_text(json.dumps(found))
    monkeypatch.setattr(pins, "pins_file", lambda paper: file)
    claim = theory.claim(CLAIM)
    for _ in range(2):
        told = texts.text_problems(claim, folder)
        assert [problem.part for problem in told] == ["a"]
        assert "not the pinned ones" in str(told[0])


def test_what_breaks_the_reader_is_a_problem_of_that_claim(monkeypatch):
    def break_down(claim):
        raise KeyError("=<")

    monkeypatch.setattr("verify.statements.ties.check", break_down)
    (problem,) = parts.tie_problems(theory.claim(CLAIM))
    assert str(problem) == f"{CLAIM}: its texts cannot be read: KeyError: '=<'"


def test_pins_that_cannot_be_read_are_told_to_the_user(monkeypatch):
    def refuse(claim):
        raise UsageError("damaged")

    monkeypatch.setattr("verify.statements.ties.check", refuse)
    with pytest.raises(UsageError, match="damaged"):
        parts.tie_problems(theory.claim(CLAIM))


def test_what_was_edited_since_the_claim_was_loaded_is_not_kept(folder, read):
    claim = theory.claim(CLAIM)
    assert texts.text_problems(claim, folder, before="0" * 64) == [SAID]
    assert not texts.texts_path(folder, CLAIM).exists()
    assert texts.text_problems(claim, folder, before=texts.basis_of(claim)) == [SAID]
    assert texts.texts_path(folder, CLAIM).exists()
