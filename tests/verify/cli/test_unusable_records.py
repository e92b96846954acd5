"""Records that are lost, cut, edited or of another version, and folders that are none: verbs say so."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from theory.claim import Part
from verify.binding import Check
from verify.comparison import Comparison
from verify.records.folder import RecordFolder, sealed
from verify.rungs.exact import ExactCase

DAMAGES = {
    "was edited": lambda text: text.replace('"value": 0.25', '"value": 0.26'),
    "is cut or malformed": lambda text: text[:100],
    "does not fit the schema at schema": lambda text: text.replace("boundcheck-record-", "other-record-"),
    "is that of another check": lambda text: json.dumps(sealed({**json.loads(text), "instance": "b"})),
}


@pytest.fixture
def ran(boundcheck, registry, make_claim, make_check, tmp_path, monkeypatch):
    """Run a claim of two checks; return the folder, with a space in its name."""
    monkeypatch.setenv("COLUMNS", "1000")
    registry((make_claim(), [make_check("a"), make_check("b")]))
    folder = tmp_path / "my records"
    boundcheck("verify", "fake/one", "--jobs", "1", "--out", str(folder))
    return folder


@pytest.mark.parametrize("words", DAMAGES)
def test_a_damaged_record_is_named_by_each_verb(boundcheck, ran, words):
    path = RecordFolder(ran).path("fake/one", "exact", "a")
    path.write_text(DAMAGES[words](path.read_text()))
    out = ("fake/one", "--out", str(ran))
    remedy = f"run `boundcheck verify fake/one --out '{ran}'`"
    listed = boundcheck("list", *out)
    assert listed.code == 0
    assert "inconclusive (1 damaged)" in listed.out
    shown = boundcheck("show", *out).out
    full = boundcheck("show", "--full", *out).out
    refused = boundcheck("cite", *out)
    assert refused.code == 3
    for told in (listed.err, shown, full, refused.err):
        assert str(path) in told
        assert words in told
        assert remedy in told
    for told in (shown, full):
        assert f"1 check has no usable record (exact/a); {remedy}" in told
    cited = boundcheck("cite", "--anyway", *out)
    assert cited.code == 0
    assert words in cited.err
    assert words in boundcheck("list", "--json", *out).document["claims"][0]["damaged"][0]
    for verb in ("show", "cite"):
        machine = boundcheck(verb, "--json", *out, *(["--anyway"] if verb == "cite" else [])).document
        (told,) = machine["damaged"]
        assert words in told


def test_a_claim_of_damaged_records_alone_is_not_one_that_never_ran(boundcheck, ran):
    for path in ran.rglob("*.json"):
        path.write_text("")
    out = ("fake/one", "--out", str(ran))
    listed = boundcheck("list", *out)
    assert "no usable record (2 damaged)" in listed.out
    assert "1 more record file cannot be used" in listed.err
    assert "no usable record; run `boundcheck verify fake/one --out" in boundcheck("show", *out).out
    assert "none that is usable; run `boundcheck verify" in boundcheck("show", "--full", *out).out
    refused = boundcheck("cite", *out)
    assert refused.code == 2
    assert refused.err.count("\n") == 1
    assert "has no usable record under" in refused.err
    assert "exact.a.json' is cut or malformed" in refused.err


def labelled(label):
    """Return an exact case of one comparison, and its mutant."""

    def case(value):
        return ExactCase(lambda: [Comparison(label, "le", value, Fraction(1, 2))])

    return Check("exact", label, case(Fraction(1, 4)), {}, {"wrong": case(Fraction(1))})


def test_a_run_that_was_interrupted_is_undecided_not_untested(
    boundcheck, registry, make_claim, make_check, tmp_path, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "1000")
    parts = (Part("a", "First.", (), ("exact/first",)), Part("b", "Second.", (), ("exact/second",)))
    left_out = make_check("slow", profile="full")
    registry((replace(make_claim(), parts=parts), [labelled("first"), labelled("second"), left_out]))
    out = ("fake/one", "--out", str(tmp_path))
    boundcheck("verify", *out, "--jobs", "1")
    RecordFolder(tmp_path).path("fake/one", "exact", "second").unlink()
    assert "inconclusive" in boundcheck("list", *out).out
    shown = boundcheck("show", *out).out
    assert "1 check has no usable record (exact/second)" in shown
    assert "(b) exact/second: no usable record has it; other records are missing" in shown
    assert "untested" not in shown
    assert "full profile" not in shown
    assert "[holds" in shown  # (a), whose record is there
    assert boundcheck("cite", *out).code == 3


def test_good_records_name_nothing(boundcheck, ran):
    out = ("fake/one", "--out", str(ran))
    assert boundcheck("list", "--json", *out).document["claims"][0]["damaged"] == []
    assert boundcheck("show", "--json", *out).document["damaged"] == []
    for verb in ("list", "show", "cite"):
        found = boundcheck(verb, *out)
        assert (found.code, found.err) == (0, "")
        assert "damaged" not in found.out


@pytest.mark.parametrize("content", [None, ""])
def test_a_lost_record_of_the_derivation_is_not_a_claim_without_one(
    boundcheck, variance_run, tmp_path, content
):
    from shutil import copytree

    folder = copytree(variance_run, tmp_path / "copy")
    path = RecordFolder(folder).path("squant/var", "symbolic", "derivation")
    path.unlink() if content is None else path.write_text(content)
    shown = boundcheck("show", "squant/var", "--out", str(folder)).out
    assert "there is no usable record of the derivation" in shown
    assert "the claim has no derivation" not in shown
    assert ("symbolic.derivation.json" in shown) == (content is not None)


def test_a_claim_without_a_derivation_is_told_so(boundcheck, registry, make_claim, make_check, tmp_path):
    claim = replace(make_claim(), parts=(Part("a", "Words.", evidence=("proof", "exact/half")),))
    registry((claim, [make_check("a")]))
    boundcheck("verify", "fake/one", "--jobs", "1", "--out", str(tmp_path))
    assert "the claim has no derivation" in boundcheck("show", "fake/one", "--out", str(tmp_path)).out


@pytest.mark.parametrize("verb", [("show",), ("show", "--full"), ("cite",)])
def test_the_remedy_is_of_the_folder_that_was_asked(boundcheck, ran, tmp_path, monkeypatch, verb):
    out = str(tmp_path / "empty")
    found = boundcheck(*verb, "fake/one", "--out", out)
    assert f"run `boundcheck verify fake/one --out {out}`" in found.out + found.err
    monkeypatch.chdir(tmp_path)
    found = boundcheck(*verb, "fake/one")
    assert "run `boundcheck verify fake/one`" in found.out + found.err


VERBS = [
    ("list",),
    ("show", "fake/one"),
    ("cite", "fake/one"),
    ("replay", "fake/one@000000000000"),
    ("verify", "fake/one"),
    ("verify", "--dry-run"),
]
OTHERS = [("export", "--crate", "crate"), ("report",), ("badge",)]


@pytest.mark.parametrize(
    ("verb", "option"), [*((verb, "--out") for verb in VERBS), *((verb, "--records") for verb in OTHERS)]
)
def test_what_is_no_folder_is_refused_by_every_verb(boundcheck, ran, tmp_path, monkeypatch, verb, option):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    before = sorted(tmp_path.rglob("*"))
    name = option[2:]
    for value in ("file", "file/below"):
        found = boundcheck(*verb, option, value)
        assert found.code == 2
        assert (
            f"{name}={value!r} must be a folder, but 'file' is a file; choose another one with {option} DIR"
            in (found.err)
        )
    found = boundcheck(*verb, option, "")
    assert found.code == 2
    assert f"{name}='' must name a folder" in found.err
    assert found.err.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_two_forms_at_once_are_refused(boundcheck, ran):
    for arguments in (("--json", "--tex"), ("--full", "--tex", "--json")):
        found = boundcheck("show", "fake/one", "--out", str(ran), *arguments)
        assert found.code == 2
        assert "--json and --tex are two forms" in found.document["error"]
        assert found.err.count("\n") == 1
