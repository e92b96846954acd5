"""What is said to have changed between two runs."""

import json
import shutil
from fractions import Fraction

import pytest

from verify.errors import UsageError
from verify.records.difference import compare


def document(path, *claims, seed=1):
    """Write a document of `verify --json` with what a comparison reads of it."""
    path.write_text(
        json.dumps({"schema": "boundcheck-run-1", "seed": seed, "profile": "quick", "claims": claims})
    )
    return path


def claim(id="p/a", verdict="holds", grade="proof", tightness=1.0, seconds=1.0, parts=()):
    told = [{"label": label, "verdict": item} for label, item in parts]
    return {
        "id": id,
        "verdict": verdict,
        "grade": grade,
        "tightness": tightness,
        "seconds": seconds,
        "parts": told,
    }


def changes(tmp_path, before, after):
    found = compare(document(tmp_path / "a.json", *before), document(tmp_path / "b.json", *after))
    return found.is_worse, [(c.what, c.before, c.after, c.direction) for c in found.changes]


@pytest.mark.parametrize(
    ("before", "after", "expected", "worse"),
    [
        (claim(), claim(), [], False),
        (claim(tightness=1.0), claim(tightness=1 + 1e-12), [], False),
        (claim(), claim(verdict="violated"), [("verdict", "holds", "violated", "worse")], True),
        (claim(verdict="consistent"), claim(), [("verdict", "consistent", "holds", "better")], False),
        (claim(), claim(grade="instance"), [("grade", "proof", "instance", "worse")], False),
        (claim(grade="search"), claim(grade="proof"), [("grade", "search", "proof", "better")], False),
        (claim(), claim(tightness=1.5), [("tightness", 1.0, 1.5, "changed")], False),
        (claim(), claim(tightness=None), [("tightness", 1.0, None, "changed")], False),
        (claim(seconds=2.0), claim(seconds=5.0), [("seconds", 2.0, 5.0, "worse")], False),
        (claim(seconds=0.1), claim(seconds=0.9), [], False),
        (
            claim(verdict="untested", parts=[("a", "untested"), ("b", "holds")]),
            claim(verdict="untested", parts=[("a", "untested"), ("b", "inconclusive")]),
            [("verdict of (b)", "holds", "inconclusive", "worse")],
            True,
        ),
    ],
)
def test_what_is_told(tmp_path, before, after, expected, worse):
    assert changes(tmp_path, [before], [after]) == (worse, expected)


PART_C = claim("p/b", parts=[("a", "holds"), ("c", "holds")])
PART_B = claim("p/b", parts=[("a", "holds"), ("b", "untested")])


@pytest.mark.parametrize(
    ("before", "after", "expected", "code", "told"),
    [
        (
            claim("p/b"),
            None,
            [("verdict", "holds", None, "only in A")],
            3,
            ", 1 only in A: 0 verdicts changed",
        ),
        (claim("p/b", "violated"), None, [("verdict", "violated", None, "only in A")], 3, ", 1 only in A: 0"),
        (None, claim("p/b"), [("verdict", None, "holds", "only in B")], 0, ", 1 only in B: 0 verdicts"),
        (None, claim("p/b", "violated"), [("verdict", None, "violated", "only in B")], 1, ", 1 only in B: 0"),
        (None, claim("p/b", "untested"), [("verdict", None, "untested", "only in B")], 1, ", 1 only in B: 0"),
        (
            PART_B,
            PART_C,
            [
                ("verdict of (b)", "untested", None, "only in A"),
                ("verdict of (c)", None, "holds", "only in B"),
            ],
            3,
            "2 claims compared: 0 verdicts changed, 0 of them to the worse",
        ),
        (
            PART_C,
            claim("p/b", "violated"),
            [("verdict", "holds", "violated", "worse")],
            1,
            "2 claims compared: 1",
        ),
    ],
)
def test_what_one_run_lacks_is_no_change_to_the_worse(
    tmp_path, boundcheck, before, after, expected, code, told
):
    both = [claim()]
    first = document(tmp_path / "a.json", *both, *([before] if before else []))
    second = document(tmp_path / "b.json", *both, *([after] if after else []))
    assert changes(tmp_path, [*both, before] if before else both, [*both, after] if after else both) == (
        code == 1,
        expected,
    )
    plain = boundcheck("diff", str(first), str(second))
    assert (plain.code, told in plain.out) == (code, True), plain.out
    machine = boundcheck("diff", str(first), str(second), "--json")
    assert (machine.code, machine.document["worse"]) == (code, code == 1)
    assert machine.document["incomplete"] == (code == 3)


def test_other_seeds_are_told_and_patterns_limit(tmp_path):
    before = document(tmp_path / "a.json", claim(), claim("q/b"))
    after = document(tmp_path / "b.json", claim(verdict="violated"), claim("q/b"), seed=2)
    found = compare(before, after, ["q/*"])
    assert (found.compared, found.is_worse) == (1, False)
    assert found.notes == ("the runs have different seeds: 1 and 2",)


@pytest.fixture
def folders(boundcheck, registry, make_claim, make_check, tmp_path):
    """Return two folders of records: the claim holds in the first, and is violated in the second."""
    for name, value in (("good", Fraction(1, 4)), ("bad", Fraction(3, 4))):
        registry((make_claim(), [make_check(value=value)]))
        boundcheck("verify", "--jobs", "1", "--out", str(tmp_path / name))
    return tmp_path / "good", tmp_path / "bad"


def test_folders_are_compared_by_the_verdicts_of_their_own_runs(folders):
    good, bad = folders
    found = compare(good, bad)
    verdict = found.changes[0]
    assert (verdict.claim, verdict.what, verdict.before, verdict.after) == (
        "fake/one",
        "verdict",
        "holds",
        "violated",
    )
    assert found.is_worse
    assert not compare(bad, good).is_worse
    assert compare(good, good).changes == ()


def test_a_copied_folder_says_the_same(folders, tmp_path):
    good, _ = folders
    shutil.copytree(good, tmp_path / "copy", copy_function=shutil.copyfile)  # other times
    assert compare(good, tmp_path / "copy").changes == ()
    assert compare(good, tmp_path / "copy").notes == ()


def test_a_folder_and_a_document_are_compared(folders, boundcheck, tmp_path):
    _, bad = folders
    found = boundcheck("verify", "--resume", "--jobs", "1", "--out", str(bad), "--json")
    (tmp_path / "run.json").write_text(found.out)
    assert compare(bad, tmp_path / "run.json").changes == ()


def test_a_damaged_record_is_told_and_is_no_verdict(folders):
    good, bad = folders
    path = next(good.rglob("exact.*.json"))
    path.write_text(path.read_text()[:50])
    found = compare(bad, good)
    assert any("cut or malformed" in note for note in found.notes)
    assert "holds" not in {change.after for change in found.changes}


@pytest.mark.parametrize(
    "text", [None, "", "[]", "{}", '{"schema": "other"}', '{"schema": "boundcheck-run-1"}']
)
def test_what_is_no_run_is_one_error(tmp_path, boundcheck, text):
    good = document(tmp_path / "good.json", claim())
    if text is not None:
        (tmp_path / "bad.json").write_text(text)
    with pytest.raises(UsageError, match="neither a folder of records nor a document"):
        compare(good, tmp_path / "bad.json")
    found = boundcheck("diff", str(good), str(tmp_path / "bad.json"))
    assert found.code == 2
    assert found.err.count("\n") == 1


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("boundcheck-run-1", "boundcheck-run-99", "schema 'boundcheck-run-99', this version reads"),
        ('"verdict": "holds"', '"verdict": "foo"', "unknown verdicts 'foo'"),
    ],
)
def test_another_schema_or_verdict_is_refused(tmp_path, boundcheck, old, new, words):
    good = document(tmp_path / "good.json", claim())
    (tmp_path / "bad.json").write_text(good.read_text().replace(old, new))
    found = boundcheck("diff", str(good), str(tmp_path / "bad.json"))
    assert found.code == 2
    assert words in found.err


def test_a_factor_that_cannot_be_names_its_option(tmp_path, boundcheck):
    good = document(tmp_path / "good.json", claim())
    found = boundcheck("diff", str(good), str(good), "--times", "-3")
    assert found.code == 2
    assert "--times -3 must be above 1" in found.err


def test_an_empty_folder_and_a_factor_below_one_are_errors(tmp_path):
    good = document(tmp_path / "good.json", claim())
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="folder without records"):
        compare(good, tmp_path / "empty")
    with pytest.raises(UsageError, match="factor=1"):
        compare(good, good, factor=1)
    with pytest.raises(UsageError, match="match no claim"):
        compare(good, good, ["x/*"])


def test_the_verb_prints_changes_and_returns_1_where_a_verdict_got_worse(folders, boundcheck):
    good, bad = map(str, folders)
    plain = boundcheck("diff", good, bad)
    assert plain.code == 1
    assert "1 claim compared: 2 verdicts changed, 2 of them to the worse" in plain.out  # of claim and part
    assert boundcheck("diff", bad, good).code == 0
    same = boundcheck("diff", good, good)
    assert (same.code, same.out) == (0, "1 claim compared: 0 verdicts changed, 0 of them to the worse\n")
    machine = boundcheck("diff", good, bad, "--json")
    assert machine.code == 1
    assert machine.document["worse"] is True
    assert machine.document["changes"][0]["after"] == "violated"
    table = boundcheck("diff", good, bad, "--format", "markdown")
    assert table.out.startswith("| claim | what | before | after | change |")
