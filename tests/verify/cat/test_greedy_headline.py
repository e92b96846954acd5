"""The runs along which the greedy invariant is held are those that its claim promises."""

import theory
from verify.cat.finding_headline_data import TABLE as DATA
from verify.cat.greedy_headline import HEADLINE, TUNED
from verify.cat.headline_runs import MODELS


def test_both_rules_are_held_along_all_runs_of_the_table_and_on_the_data() -> None:
    assert TUNED == ("cat_s", "cat_sq")
    held = {(item.data, model) for item in HEADLINE if item.kinds == TUNED for model in item.models}
    assert held == {(name, model) for name in ("LF", "LS") for model in MODELS} | set(DATA)
    random = {item.data for item in HEADLINE if item.kinds == ("cat_st",)}
    assert random == {"LF", "LS"}


def test_numbers_in_statements_are_those_of_the_runs() -> None:
    """The golden numbers that tests hold against runs, as the statements print them."""
    greedy = theory.claim("cat/greedy-not-optimal").statement
    assert "CAT 740, gradient descent 675, fixed $T=4$ 1089, $T=1$ 3090" in greedy
    grows = theory.claim("cat/finding-distance-grows").statement
    for number in ("$u^2=12.29$", "to 9.98", "1.53 and 1.24", "1.1459"):
        assert number in grows
