"""Numbers and relations outside of mathematics are found."""

from dataclasses import replace

import pytest

from verify.statements import check, hashes
from verify.statements.refusals.wording.words import formulas_in_words, seen_otherwise


def found(text):
    return [characters for _, characters, _ in formulas_in_words(text)]


@pytest.mark.parametrize(
    ("text", "characters"),
    [
        ("For all x we have x² ≤ x, and $a$.", ["²", "≤"]),
        ("It is ≥ that, ≠ this, < or > or = it, ≈ all.", ["≥", "≠", "<", ">", "=", "≈"]),
        ("We have $x\\ge1$.5 always.", ["5"]),
        ("We have $x\\ge1$e5 always.", ["e5"]),
        ("At least -7 times, or x_1, or x^2.", ["7", "1", "2", "^"]),
        (r"We have x \le y.", ["\\"]),
        ("It is so, and `x <= 0.1`.", ["<"]),
        (r"It is so, and `$x\le7$`.", ["$"]),
        ("One ½, one Ⅷ, a ± b, a + b.", ["½", "Ⅷ", "±", "+"]),
        (r"$$0\le x\text{, and $7\le x$ and 8 ≤ x}.$$", ["$"]),
        (r"$$a\tag{even $\ge7$}\label{and 7}$$", ["$", "7"]),
        (r"$$0\le x\text{, and $y$ = it}.$$", ["$"]),
        (r"$a\textrm{ of 3}\mbox{ or more than 4}$", ["3", "4"]),
    ],
)
def test_numbers_and_relations_in_words_are_found(text, characters):
    assert sorted(found(text)) == sorted(characters)


@pytest.mark.parametrize(
    "text",
    [
        "On w8a, DIANA+ needs float64, says `squant/var-1`, `floor(2*u)`: {value:ratio,4}.",
        r"The Polyak-Łojasiewicz inequality, $L$-smooth~and $$a\le7,\qquad\text{attained at }b=\tfrac12.$$",
    ],
)
def test_names_slots_and_mathematics_are_no_numbers_in_words(text):
    assert found(text) == []


def test_a_part_says_what_to_write_instead_and_pins_may_say_it(samples):
    claim = samples["dcgd"]
    first, *others = claim.parts
    text = f"{first.text} It is ≤ 8."

    def problems(part):
        said = replace(claim, parts=(part, *others))
        return [str(problem) for problem in check(said, hashes(said))]

    number, alone, sign = sorted(problems(replace(first, text=text)))
    assert "make these words a pin" in alone
    assert "‘8’: a number in words is a value slot `{value:NAME}` or part of a pin" in number
    assert "‘≤’: a sign of mathematics in words is not read: write the formula between dollars" in sign
    assert not problems(replace(first, text=text, pins={"It is ≤ 8": "exact/eight"}))


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        (r"It holds that $x^2+1\ge1${value:rest}.", "{"),
        (r"It holds that $x^2+1\ge1,{value:rest}$.", "{value:rest}"),
        (r"It holds that $x\ge1$.{value:rest}", "."),
        (r"It holds that {value:rest} $x\ge1$.", "}"),
        (r"It holds that -$x^2+1\ge1$.", "-"),
        (r"It holds that - $x^2+1\ge1$.", "-"),
        (r"It holds that -($x^2+1\ge1$).", "-"),
        ("It holds that \N{EN DASH}$x$.", "\N{EN DASH}"),
        (r"It holds that $x\ge1$/$y$.", "/"),
        (r"It holds that $x\ge1$!", "!"),
        (r"It holds that $x\ge1$'.", "'"),
        (r"It holds that 5$x\ge1$.", "5"),
        (r"It holds that $x\ge1$.5.", "."),
        (r"It is $\frac{x^2+1}2$%, say.", "%"),
        (r"It is $$x^2\le x.$$ % where $0\le x\le1$.", "%"),
        ("It is $x%y$ here.", "%"),
        ("It is so. % not", "%"),
        ("It fa\u200bils that $x$.", "\u200b"),
        ("It is n\u043et so that $x$.", "\u043e"),
        ("It fa\u0131ls that $x$.", "\u0131"),
        ("It \uff4eot holds that $x$.", "\uff4e"),
        ("It is no\u0336t so that $x$.", "\u0336"),
        ("It is so.\rIt $x$.", "\r"),
        ("We have $\\sum_ja_\U0001d457\\le1$.", "\U0001d457"),
        ("We have $\\sum_ja_\u0237\\le1$.", "\u0237"),
        ("We have $x\u2212y$.", "\u2212"),
    ],
)
def test_what_is_seen_with_a_formula_is_read_with_it_or_refused(text, sign):
    assert sign in [characters for _, characters, _ in seen_otherwise(text)]


@pytest.mark.parametrize(
    "text",
    [
        "In a $d$-dimensional space the $k$-th, or $k$th, entry (of $x$); $n$, $m$: all.",
        r"At $T=4$ {value:quad} against ${value:other}$, $d={value:d}$, at most {value:x} ($M=3$).",
        r"With 45 % of $x$, 2% of $y$ and {value:share} % of all, 3\% too: `50 $`",
        "Of sum 1 $$x=1.$$ “$x$” is~$y$.",
    ],
)
def test_words_slots_and_suffixes_beside_formulas_are_allowed(text):
    assert list(seen_otherwise(text)) == []


def test_settings_hypotheses_and_parts_are_looked_at(samples):
    claim = samples["dcgd"]
    first, *others = claim.parts
    words = {**claim.hypotheses, "more": replace(claim.hypotheses["step"], words=r"-$\gamma\le1$")}
    for said in (
        replace(claim, setting=rf"{claim.setting} -$\gamma$"),
        replace(claim, parts=(replace(first, text=rf"{first.text} -$\gamma$"), *others)),
        replace(claim, hypotheses=words),
    ):
        found = [str(problem) for problem in check(said, hashes(said))]
        assert any("‘-’: it is seen with the formula beside it" in problem for problem in found)


@pytest.mark.parametrize("text", ["Top-$k$ keeps the largest.", "for rand-$K$, and (top-$k$)"])
def test_a_compressor_may_have_its_number_behind_a_hyphen(text):
    assert list(seen_otherwise(text)) == []


@pytest.mark.parametrize(
    "text",
    ["x-$k$", r"top-$k\le x$", "stop-$k$", r"top-$\mu$", "$x$top-$k$", "top-$$k$$", "top--$k$", "top -$k$"],
)
def test_other_hyphens_could_be_a_minus(text):
    assert "-" in [characters for _, characters, _ in seen_otherwise(text)]


def test_what_stands_behind_the_number_of_a_compressor_is_looked_at():
    assert [characters for _, characters, _ in seen_otherwise("Top-$k$2 is")] == ["2"]
