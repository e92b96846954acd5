"""Mutants that are declared in one text: names, places, words, and what they change."""

import re
from fractions import Fraction as F

import pytest

from verify.errors import CheckError


def test_mutants_are_declared_in_one_text(bench):
    bench.square_check()
    bench.judge.sabotage("cubed at exact/*: Cube instead of square.", square=lambda value: value**3)
    bench.judge.sabotage("halved: Half of the bound: not enough.", lambda law: law.scaled(F(1, 2), "bound"))
    bench.judge.sabotage_data("other-x, neutral at exact/*: Nothing changes.", lambda x, y: {"x": -x})
    assert [(item.name, item.description, item.neutral) for item in bench.judge.mutants()] == [
        ("cubed", "Cube instead of square.", False),
        ("halved", "Half of the bound: not enough.", False),
        ("other-x", "Nothing changes.", True),
    ]
    rejected = {item["name"]: item["rejected"] for item in bench.record()["mutants"]}
    assert rejected["cubed"]
    assert rejected["halved"]


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ((), "needs a text"),
        (({"square": abs}, "q: A change before its text. | square = 1"), "follows no text"),
        (("q: Two changes.", {"square": abs}, {"square": abs}), "follows no text"),
        (("q: One in it. | bound = bound / 2", {"bound": 1}), "follows no text that needs it"),
        (("q: No change.", "r: One. | square = 1"), "needs changes, in it or after it"),
        (("q: No change.",), "needs changes, in it or after it"),
    ],
)
def test_entries_that_are_no_mutant_are_refused(bench, entries, words):
    with pytest.raises(CheckError, match=words):
        bench.judge.sabotage(*entries)


def test_several_mutants_with_their_changes_in_the_text_or_after_it(bench):
    bench.square_check()
    honest = bench.judge._law()
    bench.judge.sabotage(
        "halved at exact/*: Half of the bound. | bound = bound / 2",
        "other-x, neutral: Another x. | bound = bound(x = -x), square = None",
        "fixed, slow: A number, and texts. | bound = 1/2, square = ('a', -1, True)",
        "quarter: An implementation that is a number. | square = 1/4",
        "cubed: Cube instead of square.",
        {"square": abs},
        "scaled: By a function.",
        lambda law: law.scaled(F(1, 2), "bound"),
        at="exact/*",
    )
    made = {item.mutant.name: (item, item.transform(honest)) for item in bench.judge.law_mutants}
    assert [name for name, (item, _) in made.items() if item.mutant.neutral] == ["other-x"]
    assert [name for name, (item, _) in made.items() if item.mutant.slow] == ["fixed"]
    bound = honest.formulas["bound"]
    assert made["halved"][1].formulas["bound"] == bound / 2
    x = next(symbol for symbol in bound.free_symbols if symbol.name == "x")
    assert made["other-x"][1].formulas["bound"] == bound.subs(x, -x)
    assert made["fixed"][1].formulas["bound"] == F(1, 2)
    assert made["fixed"][1].square == ("a", -1, True)
    assert made["quarter"][1].square == F(1, 4)
    assert made["cubed"][1].square is abs
    assert made["scaled"][1].changed == {"bound"}
    assert {item.at for item, _ in made.values()} == {("exact/*", "exact/*"), ("exact/*",)}


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("bound = bound / 2.0", "2.0 in 'bound / 2.0' is a float"),
        ("bound = bond / 2", "'bond' in 'bond / 2' is unknown"),
        ("bound = bound(z = 1)", "has no symbol z"),
        ("other_name = 1", "has no 'other_name' to replace"),
        ("square = abs", "malformed node"),
        ("halve it", "is no formula"),
    ],
)
def test_a_change_that_cannot_be_read(bench, change, error):
    bench.square_check()
    bench.judge.sabotage(f"wrong: Something. | {change}")
    with pytest.raises(CheckError, match=re.escape(error)):
        bench.judge.law_mutants[0].transform(bench.judge._law())


@pytest.mark.parametrize("text", ["halved at exact/*, Half of it.", "two words: Half.", "halved at : x"])
def test_a_text_without_name_and_words_is_no_mutant(bench, text):
    with pytest.raises(CheckError, match="must read"):
        bench.judge.sabotage(text, bound=0)
