"""Words beside an assumption do not make it weaker than its hypothesis."""

import pytest
from sympy import IndexedBase, Sum, Symbol

from theory.claim import Claim, Part, Relation, Variable
from theory.hypotheses import domain, parameter
from theory.paper import Paper
from verify.statements import check, hashes

d, j = Symbol("d", real=True), Symbol("j", real=True)
a = IndexedBase("a", real=True)


def problems(words):
    said = Claim(
        id="sample/qualified",
        kind="lower",
        provenance="rederived",
        title="A sum",
        position=1,
        paper=Paper("sample", "Title", ("Ann Author",), 2024, "0000.00000", "Venue"),
        parts=(Part("a", f"{words} $$\\sum_ja_j\\ge0.$$", says=("r",), evidence=("proof",)),),
        variables=(
            Variable(a, "a", r"\mathbb R^d", "numbers", "(d,)"),
            Variable(d, "d", r"\mathbb N", "a size"),
        ),
        hypotheses={"size": domain(r"$d\ge1$ is an integer"), "sign": parameter(r"$a_j\ge0$")},
        relations={"r": Relation((Sum(a[j], (j, 0, d - 1)), 0), (">=",), under=("sign",))},
    )
    return " | ".join(str(problem) for problem in check(said, hashes(said)))


@pytest.mark.parametrize(
    "words",
    [
        r"If $a_j\ge0$, then",
        r"If all $a_j\ge0$, then",
        r"If $a_j\ge0$ for each $j$, then",
        r"If $a_j\ge0$ for every coordinate, then",
        r"For $a_j\ge0$ it holds that",
        r"If also $a_j\ge0$,",
        r"Where $a_j\ge0$, the sum is nonnegative:",
        r"In particular, if $a_j\ge0$, then",
        r"For example, for $a_j\ge0$",
    ],
)
def test_what_is_assumed_as_it_is(words):
    assert problems(words) == ""


@pytest.mark.parametrize(
    "behind",
    [
        *("for all but one $j$", "for infinitely many $j$", "for a random $j$", "for the first $j$"),
        *("for each $j$ but the last", "for $j$ in a subset", "for every $j$ where it matters"),
        *("on average", "in expectation", "approximately", "up to sign", "with probability", "locally"),
        *("in some coordinate", "at least once", "once", "only", "somewhere", "now and then", "(on average)"),
        *("holds for several of them", "is true on average", "has exceptions", "and that on average"),
        *(", on average", ", say, for several of them", "but for the first", "until the first", "for one"),
        *(", one client excepted", ", excluding ties", ", barring one client", ", provided all goes well"),
        *(", ignoring outliers", ", which need not be so for one client", ", whose average is meant"),
        *("for every client and only on average", "for each coordinate then on average"),
        *("$\\text{ on average}$", "$\\text{ for most of them}$"),
    ],
)
@pytest.mark.parametrize("lead", ["If", "Where"])
def test_words_behind_an_assumption_are_refused(lead, behind):
    assert "of what is assumed" in (found := problems(f"{lead} $a_j\\ge0$ {behind}, then")) or (
        "follows what is assumed" in found
    )


@pytest.mark.parametrize(
    "lead",
    [
        *("If on average", "If nearly every", "If some index has", "If one of the", "If the mean of"),
        *(
            "If up to one",
            "If there is an index with",
            "If perhaps",
            "If it may be that",
            "Where one entry has",
        ),
        *("For most", "For one", "For an index with", "With one entry", "Because some", "For the mean of"),
        *("Whether or not", "Even if", "Not only if", "If it happens once that"),
        *(
            "Every one, for example",
            "In particular",
            "Such as for",
            "At least if",
            "Already where",
            "As if",
            "Also where",
        ),
        "Consider a mean of",
    ],
)
def test_words_that_lead_to_an_assumption_are_refused(lead):
    assert "leads to what is assumed" in problems(f"{lead} $a_j\\ge0$, then")


def test_words_in_mathematics_lead_to_an_assumption_as_others_do():
    assert "leads to what is assumed" in problems(r"If $\text{some }a_j\ge0$, then")
    assert problems(r"If $\text{all }a_j\ge0$, then") == ""


@pytest.mark.parametrize("join", [":", ": and", ";", "and", ", and", ";and "])
@pytest.mark.parametrize(
    "words",
    ["for one of them", "only on average", "with one exception", "at most of them", "with exceptions"],
)
def test_words_that_are_joined_to_an_assumption_are_refused(join, words):
    assert "what is assumed: say exactly" in problems(f"If $a_j\\ge0${join} {words}, then")


@pytest.mark.parametrize("words", [": the sum is nonnegative,", "; then", ": then", ": with"])
def test_statements_of_their_own_behind_an_assumption_are_no_part_of_it(words):
    assert problems(f"If $a_j\\ge0${words}") == ""


@pytest.mark.parametrize(
    "words",
    [
        r"For an index $j$ let $a_j\ge0$; then",
        r"Let $j$ be the first index. If $a_j\ge0$, then",
        r"There is $j$ with $a_j\ge0$: then",
        r"If $a_j\ge0$, where $j$ is odd, then",
        r"If $a_j\ge0$ with $j$ odd, then",
        r"If $a_j\ge0$, $j$ odd, then",
    ],
)
def test_an_index_of_which_more_is_said_is_not_that_of_an_assumption(words):
    assert "it is assumed for all j, not of one that is spoken of" in problems(words)


@pytest.mark.parametrize(
    "words",
    [
        r"If, for every $j$, $a_j\ge0$, then",
        r"If $a_j\ge0$ for each index $j$, then",
        r"If $a_j\ge0$ for $j$, then",
        r"Let $i$ be an index. If $a_j\ge0$, then",
    ],
)
def test_an_index_that_is_every_one_is_that_of_an_assumption(words):
    assert "not of one that is spoken of" not in problems(words)
