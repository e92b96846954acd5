"""The index says what the claims say, without loading them."""

import importlib.util
import textwrap

import pytest

import theory
from theory.errors import ClaimFileError
from theory.reading import header, index, roots
from theory.reading.header import claim_header, is_claim, paper_name

ENTRIES = theory.entries()

HEAD = textwrap.dedent(
    """
    CLAIM = Claim(
        id="mine/some-slug",
        kind="upper",
        provenance="derived",
        title="One, two; "
        "three (four)",
        position=2.5,
        paper=PAPER,
        setting=r"$id=1$",
    )
    """
)


def test_no_file_of_ours_is_broken():
    assert theory.problems() == ()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_every_claim_has_a_module_of_checks(entry):
    assert importlib.util.find_spec(entry.verify_module) is not None
    assert entry.path.is_file()


@pytest.mark.parametrize("pattern", ["squant/v*", "ndqsg/n*", "cat/s-*", "cq_marina/a*"])
def test_entries_say_what_claims_say(pattern):
    for entry in theory.entries(pattern):
        claim = theory.claim(entry.id)
        stated = (claim.id, claim.paper.name, claim.kind, claim.provenance, claim.title)
        assert stated == (entry.id, entry.paper, entry.kind, entry.provenance, entry.title)
        assert getattr(claim, "position", entry.position) == entry.position


def test_places_of_a_paper_are_different():
    for paper in theory.papers():
        places = [entry.position for entry in ENTRIES if entry.paper == paper.name]
        assert len(set(places)) == len(places)
        assert places == sorted(places)


def test_another_name_is_refused_where_it_is_a_statement_and_not_in_a_text():
    text = 'r"""Write\n\nCLAIMS = Claim(\n"""\n' + HEAD
    header.check_no_other_name(text, "here")
    with pytest.raises(ClaimFileError, match=r"here: line 17: OTHER = Claim\( must be CLAIM = Claim\("):
        header.check_no_other_name(f"{text}\nOTHER = Claim(\n)\n", "here")
    with pytest.raises(ClaimFileError, match="OTHER"):  # told first; that the file does not parse comes later
        header.check_no_other_name("OTHER = Claim(\n", "here")


def test_a_head_is_read():
    found = claim_header(HEAD, "mine/theory/some_slug.py", "mine")
    assert is_claim(HEAD)
    assert found["title"] == "One, two; three (four)"
    assert found["position"] == 2.5


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('kind="upper"', 'kind="uper"', "kind='uper' must be one of"),
        ('kind="upper"', "kind=KIND", "kind= of CLAIM must be a literal"),
        ('    kind="upper",\n', "", "kind= must be a literal among the first keywords"),
        ('"mine/some-slug"', '"mine/other"', "must end with the name of the file, 'some-slug'"),
        ('"mine/some-slug"', '"yours/some-slug"', "must start with 'mine/'"),
        ('"mine/some-slug"', "3", "id=3 must be a text"),
        ("position=2.5", "position=True", "position=True must be a number"),
        ("position=2.5", 'position="2"', "position='2' must be a number"),
        ('"derived"', '"guessed"', "provenance='guessed' must be one of"),
        ("three (four)", "three (four", None),
        ('"mine/some-slug",', '"mine/some-slug"', "line 3: the head of CLAIM does not parse"),
    ],
)
def test_a_bad_head_names_file_and_field(old, new, words):
    assert old in HEAD
    where = "mine/theory/some_slug.py"
    if words is None:
        assert claim_header(HEAD.replace(old, new), where, "mine")
        return
    with pytest.raises(theory.ClaimFileError) as caught:
        claim_header(HEAD.replace(old, new), where, "mine")
    assert str(caught.value).startswith(f"{where}: ")
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ['PAPER = Paper(\n    name="mine",\n)', 'PAPER = Paper("mine", "Title")'])
def test_the_name_of_a_paper_is_read(text):
    assert paper_name(f'"""Doc."""\n{text}\n', "paper.py") == "mine"


@pytest.mark.parametrize("text", ["", "PAPER = Paper(name=NAME)", "PAPER = make()"])
def test_a_paper_without_a_name_is_refused(text):
    with pytest.raises(theory.ClaimFileError, match=r"paper\.py: "):
        paper_name(text, "paper.py")


def test_a_claim_that_is_pinned_and_not_there_is_a_problem(tmp_path):
    folder = tmp_path / "claims"
    folder.mkdir()
    (folder / "pins.json").write_text('{\n "mine/gone": {\n  "a": "0"\n }\n}\n')
    assert index._pinned_ids(folder) == ["mine/gone"]
    root = roots.Root("mine", "mine.paper", "mine.claims", "mine.verify", folder, ("mine", tmp_path))
    _, (problem,) = index._paper_entries(root)
    assert problem.id == "mine/gone"
    assert "claims/pins.json, and no file states it" in problem.line


@pytest.mark.parametrize("head", ["CLAIM = Claim(  # the claim", "CLAIM: Claim = make("])
def test_a_file_that_begins_a_claim_in_another_way_is_no_other_file(head):
    text = f"x = 1\n{head}\n"
    assert header.is_claim(text)
    with pytest.raises(ClaimFileError, match="must stand on a line of its own"):
        header.claim_header(text, "theory/mine/one.py", "mine")
