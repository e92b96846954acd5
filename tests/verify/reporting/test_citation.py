import json
import re
from copy import copy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import theory
from theory.claim import Part
from verify.comparison import Comparison
from verify.errors import NotCitableError, UsageError
from verify.judging.verdicts import PartResult, judge_claim
from verify.records import sources
from verify.records.folder import RecordFolder, record_id, sealed
from verify.records.recorded import recorded_results
from verify.reporting import citation
from verify.reporting.citation import cite
from verify.reporting.report import claims_rows
from verify.rungs.run import DriftCase
from verify.running.runner import verify
from verify.version import VERSION


def edit(path, **changes):
    """Change a record as a new run would: with its digest."""
    path.write_text(json.dumps(sealed(json.loads(path.read_text()) | changes)))


@pytest.fixture
def cited(registry, make_claim, make_check, tmp_path):
    """Return the folder of a run of the fake claim."""
    registry((make_claim(), [make_check("a"), make_check("b")]))
    verify(out=tmp_path)
    return tmp_path


def test_a_measurement_is_not_cited_as_a_proof(cited, monkeypatch, registry, make_claim, make_check):
    measured = replace(make_claim(), measured=True)
    registry((measured, [make_check("a"), make_check("b")]))
    sentence = cite("fake/one", out=cited).sentence
    assert ": in runs exactly, in rationals, at 2 instances (a, b) (record" in sentence
    assert "proof" not in sentence


def test_the_sentence_tells_verdict_grade_mutants_and_record(cited):
    made = cite("fake/one", out=cited)
    assert re.fullmatch(r"fake/one@[0-9a-f]{12}", made.identifier)
    assert "``Claim one''" in made.sentence
    assert "derived from the setting of \\citet{lovelace2021fake} by boundcheck, holds" in made.sentence
    # Two instances, compared in rationals, are no proof of the claim.
    assert ": exactly, in rationals, at 2 instances (a, b) (record" in made.sentence
    assert f"boundcheck {VERSION}" in made.sentence
    assert made.identifier in made.sentence
    assert "1 of 1 sabotaged versions were rejected" in made.sentence
    assert "bound / largest value found = 2" in made.sentence
    assert not made.stale


def test_checks_that_the_quick_profile_leaves_out_are_counted(registry, make_claim, make_check, tmp_path):
    registry((make_claim(), [make_check("a"), make_check("b", profile="full")]))
    verify(out=tmp_path)
    assert "; 1 check of the full profile has not run)" in cite("fake/one", out=tmp_path).sentence
    verify(profile="full", out=tmp_path)
    assert "full profile" not in cite("fake/one", out=tmp_path).sentence


def test_the_citation_file_and_the_bibtex_entry_have_one_title():
    title = re.search(r'^title: "(.*)"$', (Path(__file__).parents[3] / "CITATION.cff").read_text(), re.M)
    assert f"title = {{{{{title[1]}}}}}" in citation.own_bibtex(VERSION)


def test_a_claim_without_declared_sabotage_says_so(registry, make_claim, make_check, make_record):
    """What the judge changes by itself can watch its comparisons, and is told as what it is."""
    claim = make_claim(mutants=())
    registry((claim, [make_check(wrong=None)]))
    made = make_record(mutants=[], noticed=["exact: 2 -> 3"], claim="fake/one")
    result = replace(judge_claim(claim, [made]), verdict="holds")
    assert result.mutants == "none"
    assert claims_rows([result]).rows[0][5] == "none"
    assert citation._mutants(result) == (
        "no sabotage is declared; 1 generated changes of its formulas were noticed"
    )


def test_both_bibtex_entries_are_whole(cited):
    made = cite("fake/one", out=cited)
    assert made.paper_bibtex.startswith("@inproceedings{lovelace2021fake,")
    assert made.boundcheck_bibtex.startswith("@software{boundcheck,")
    for entry in (made.paper_bibtex, made.boundcheck_bibtex):
        depth = 0
        for character in entry:
            depth += {"{": 1, "}": -1}.get(character, 0)
            assert depth >= 0
        assert depth == 0
        assert entry.endswith("}")
        for field in ("title", "author", "year"):
            assert re.search(rf"^  {field} = \{{.+\}},?$", entry, re.MULTILINE), field
    assert f"version = {{{VERSION}}}" in made.boundcheck_bibtex
    assert "Ada Lovelace and Alan Turing" in made.paper_bibtex
    assert "2101.00001" in made.paper_bibtex


def test_every_paper_has_whole_bibtex():
    for paper in theory.papers():
        entry = paper.bibtex()
        assert entry.count("{") == entry.count("}")
        assert paper.arxiv in entry


def test_the_macro_defines_each_value(cited):
    lines = cite("fake/one", out=cited).latex.splitlines()
    assert lines[0] == r"\providecommand{\bcvalue}[2]{\csname bc@#1@#2\endcsname}"
    found = {}
    for line in lines[1:]:
        match = re.fullmatch(r"\\expandafter\\def\\csname bc@fake/one@([a-z]+)\\endcsname\{(.*)\}", line)
        assert match, line
        found[match[1]] = match[2]
    assert found.keys() >= {"verdict", "grade", "bound", "value", "tightness", "mutants", "record"}
    assert (found["verdict"], found["grade"], found["tightness"], found["mutants"]) == (
        "holds",
        "instance",
        "2",
        "1/1",
    )


def test_the_identifier_is_stable_and_independent_of_time(cited):
    first = cite("fake/one", out=cited)
    for path in sorted((cited / "records").rglob("*.json")):
        edit(path, seconds=123.0)
    assert cite("fake/one", out=cited).identifier == first.identifier
    assert first.records == tuple(record_id(record) for record in RecordFolder(cited).records())
    edit(path, value=0.125)
    assert cite("fake/one", out=cited).identifier != first.identifier


def test_a_claim_that_never_ran_is_refused(registry, make_claim, tmp_path):
    registry((make_claim(), []))
    with pytest.raises(
        UsageError, match=r"has no record under .*run `boundcheck verify fake/one --out .*` first"
    ):
        cite("fake/one", out=tmp_path)


def test_the_default_folder_is_not_named(registry, make_claim, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    registry((make_claim(), []))
    with pytest.raises(UsageError, match=r"run `boundcheck verify fake/one` first"):
        cite("fake/one")


def test_an_unknown_claim_is_refused(registry, make_claim, tmp_path):
    registry((make_claim(), []))
    with pytest.raises(theory.UnknownClaimError, match="did you mean fake/one"):
        cite("fake/onee", out=tmp_path)


def test_changed_sources_are_told(cited, monkeypatch):
    monkeypatch.setattr(sources, "source_sha256", lambda claim: "f" * 64)
    assert cite("fake/one", out=cited).stale


@pytest.mark.parametrize("rung", ["exact", "run"])
def test_a_lost_record_is_missed_on_any_rung(registry, make_claim, make_check, tmp_path, rung):
    case = DriftCase(lambda rng: [Comparison("half", "le", Fraction(1, 4), Fraction(1, 2))])
    runs = replace(make_check("b", wrong=None), rung="run", base=case)
    registry((make_claim(), [make_check("a"), runs]))
    verify(out=tmp_path)
    next((tmp_path / "records").rglob(f"{rung}.*.json")).unlink()
    with pytest.raises(NotCitableError, match=rf"1 check has no usable record \({rung}/"):
        cite("fake/one", out=tmp_path)


def test_one_record_of_other_sources_is_enough_to_be_told(cited):
    edit(next((cited / "records").rglob("*.json")), source_sha256="f" * 64)
    assert cite("fake/one", out=cited).stale


def test_a_damaged_record_is_not_passed_over(cited):
    # Otherwise half of the evidence is cited as if it were all.
    next((cited / "records").rglob("*.json")).write_text("{")
    with pytest.raises(UsageError, match=r"is undecided: record .* is cut or malformed .*--anyway"):
        cite("fake/one", out=cited)
    made = cite("fake/one", out=cited, anyway=True)
    assert made.verdict == "inconclusive"
    assert "is cut or malformed" in made.document()["damaged"][0]
    assert "is undecided" in made.sentence


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({"verdict": "violated"}, "is VIOLATED"),
        ({"mutants": []}, "is untested"),
        ({"verdict": "inconclusive", "grade": None}, "is undecided"),
        ({"verdict": "consistent", "grade": "search"}, "is consistent with every check (no proof)"),
    ],
)
def test_nothing_is_cited_as_holding_that_does_not(cited, found, words, make_mutant_entry):
    if "mutants" in found:
        found = {"mutants": [make_mutant_entry("wrong", rejected=False)]}
    for path in (cited / "records").rglob("*.json"):
        (label,) = json.loads(path.read_text())["labels"].values()
        told = {name: value for name, value in found.items() if name != "mutants"}
        edit(path, **found, labels={"half": label | told})
    if words != "is consistent with every check (no proof)":
        with pytest.raises(UsageError, match=r"there is nothing to cite \(--anyway"):
            cite("fake/one", out=cited)
    sentence = cite("fake/one", out=cited, anyway=True).sentence
    assert words in sentence
    assert " holds" not in sentence


def test_a_violation_is_not_cited_as_resting_on_what_held(cited, registry, make_claim, make_check):
    registry((make_claim(), [make_check("a"), make_check("b", value=Fraction(3, 4))]))
    verify(out=cited)
    sentence = cite("fake/one", out=cited, anyway=True).sentence
    assert "is VIOLATED according to" in sentence
    assert ": exactly, in rationals, at 1 instance (b) (record" in sentence


@pytest.mark.parametrize(
    ("kind", "provenance", "words"),
    [
        ("upper", "abstract", "stated in \\citet{lovelace2021fake}"),
        ("upper", "rederived", "stated in \\citet{lovelace2021fake}"),
        ("upper", "derived", "derived from the setting of \\citet{lovelace2021fake} by boundcheck"),
        ("finding", "abstract", "a finding of boundcheck on \\citet{lovelace2021fake}"),
    ],
)
def test_nothing_of_ours_is_put_into_the_mouths_of_authors(
    cited, registry, make_claim, make_check, kind, provenance, words
):
    registry((replace(make_claim(kind=kind), provenance=provenance), [make_check("a"), make_check("b")]))
    sentence = cite("fake/one", out=cited).sentence
    assert sentence.startswith(f"``Claim one'', {words}, holds according to boundcheck")


def test_the_check_that_is_violated_is_the_reason(cited, registry, make_claim, make_check):
    claim = replace(make_claim(), parts=(Part("a", "Words.", evidence=("proof", "exact/half")),))
    registry((claim, [make_check("a"), make_check("b", value=Fraction(3, 4))]))
    verify(out=cited)
    with pytest.raises(NotCitableError, match=r"^claim='fake/one' is VIOLATED: exact/b: "):
        cite("fake/one", out=cited)


def test_the_macro_of_a_part_says_on_what_its_words_rest(cited):
    (recorded,) = recorded_results("fake/one", cited)
    a, b = PartResult("a", "holds", "proof"), PartResult("b", "holds", "proof", words="search")
    result = replace(recorded.result, parts=(a, b), grade="search")
    made = citation.citation_of(replace(recorded, result=result)).latex
    assert r"bc@fake/one@grade\endcsname{search}" in made
    assert r"bc@fake/one@grade.a\endcsname{proof}" in made
    assert r"bc@fake/one@grade.b\endcsname{search, formulas by proof}" in made


@pytest.fixture
def proved(cited, monkeypatch):
    """Return a function that gives a sentence on proved parts (a), of two relations, and (b), and (c)."""
    (recorded,) = recorded_results("fake/one", cited)
    parts = (Part("a", "Odd, even.", ("odd", "even"), ("proof",)), Part("b", "Both.", ("both",), ("proof",)))
    parts += (Part("c", "Measured.", (), ("exact/i",)),)
    found = {"a": {"odd": (r"$x\le y$", "$y=z$"), "even": ("$x=0$",)}, "b": {"both": ("$x<z$",)}}
    monkeypatch.setattr("verify.statements.proved_formulas.proved_formulas", lambda claim: found)
    claim = copy(recorded.result.claim)
    object.__setattr__(claim, "parts", parts)  # without formulas behind them
    result = replace(recorded.result, claim=claim)

    def sentence(odd, even, both, stale=False, *, without="", of_a="holds"):
        under = {"odd": odd, "even": even, "both": both}
        labels = {name: {"hypotheses": item, "cited": []} for name, item in under.items() if name != without}
        record = {**result.records[0], "rung": "symbolic", "labels": labels}
        a, b, c = (PartResult(label, "holds", "proof", hypotheses=("all",)) for label in "abc")
        a, c = replace(a, verdict=of_a), replace(c, grade="instance", instances=("exact/i",))
        of = replace(result, parts=(a, b, c), records=(record,))
        return citation.citation_of(replace(recorded, result=of, stale=stale)).sentence

    return sentence


def test_a_proof_is_cited_with_its_formulas_each_under_its_hypotheses(proved):
    told = (
        r": (a) $x\le y$, $y=z$, proved for all sizes under the hypotheses {n is odd}; $x=0$, proved for all "
        r"sizes under the hypotheses {n is even}; (b) $x<z$, proved for all sizes; (c) exactly, in rationals"
    )
    assert told in proved(["n is odd"], ["n is even"], [])


def test_hypotheses_of_all_proofs_are_told_once(proved):
    sentence = proved(["f is smooth", "n is odd"], ["f is smooth"], ["f is smooth"])
    assert (
        r": (a) $x\le y$, $y=z$, proved for all sizes under the hypotheses {n is odd}; $x=0$, proved"
        in sentence
    )
    assert "(i); each proof is under the hypotheses {f is smooth} (record" in sentence


def test_a_part_that_does_not_hold_is_cited_without_formulas(proved):
    sentence = proved(["f is smooth"], ["f is smooth"], ["f is smooth"], of_a="untested")
    assert r"$x\le y$" not in sentence
    assert "(a) is untested" in sentence
    assert "(b) $x<z$, proved for all sizes under the hypotheses {f is smooth}" in sentence


@pytest.mark.parametrize("case", [{"stale": True}, {"without": "even"}])
def test_formulas_are_not_cited_where_they_may_not_be_what_was_proved(proved, case):
    sentence = proved([], [], [], **case)
    assert r"$x\le y$" not in sentence
    assert "proved for all sizes under the hypotheses {all}" in sentence


@pytest.mark.parametrize("id", [3, None, ["squant/dcgd"]])
def test_what_is_no_id_is_named(id):
    with pytest.raises(UsageError, match="must be the id of a claim, such as"):
        cite(id)


def test_letters_of_parts():
    assert citation.letters(["a", "b", "c", "e"]) == "(a)--(c), (e)"
    assert citation.letters(["a", "b"]) == "(a), (b)"


def test_underscores_are_escaped_for_latex():
    assert citation._escape("cq_marina/rate@0123") == r"cq\_marina/rate@0123"


def test_citation_of_a_real_claim(variance_run):
    made = cite("squant/var", out=variance_run)
    assert made.verdict == "holds"
    assert "2106.03524" in made.paper_bibtex
    assert r"; $\{t\}$ is the fractional part $t-\lfloor t\rfloor$)." in made.sentence
    json.dumps(made.document())
