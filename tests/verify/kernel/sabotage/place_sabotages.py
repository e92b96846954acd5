"""Changes to where hypotheses are looked at that a derivation uses, and to those on large integers."""

from __future__ import annotations

from source_changes import change, drop

PLACES = {
    "what is put in above a place": change(
        "instances.specialised:_opened",
        "dict(binder.names), dict(binder.families)",
        "{}, {}",
        "a_place_that_a_family_gives",
    ),
    "places that are named elsewhere": change(
        "instances.specialised:_ranged",
        "[item for item in named if last < item and (high is None or item <= high)]",
        "[]",
        "a_far_place_of_an_endless_range",
    ),
    "places below the one that is named": change(
        *("instances.specialised:_false_there", "if alone else named", "if False else named"),
        "a_place_below_the_one_where_an_induction_is_used",
    ),
    "places that signs take": change(
        "instances.specialised:specialised",
        "if _is_endless(item.conclusion)",
        "if False",
        "a_place_that_signs_take",
    ),
    "integers next to the roots of a slack": change(
        "kernel:_fails_far_out",
        "fails_far_out(item, at)",
        '""',
        "a_far_place_below_the_one_where_an_induction_is_used",
        "a_far_place_that_is_a_name",
    ),
    "one index is moved alone": drop(
        "instances.far_integers:fails_far_out",
        "places = min([places, *tried], key=said.height)",
        "a_far_place_of_two_ranges",
    ),
    "roots within functions": change(
        "instances.far_integers:_roots_within",
        'a.key[0] != "name"',
        "False",
        "a_far_place_within_a_function",
    ),
    "what functions are multiplied by": drop(
        "instances.far_integers:_factors", "yield from groups.values()", "a_far_place_beside_a_function"
    ),
    "first integers under a function": change(
        "instances.far_integers:_turns", "range(_SCANNED)", "()", "a_far_place_of_a_floor"
    ),
    "numbers that families have": change(
        *("instances.far_integers:_said", "if item.args[0] in families", "if False"), "a_family_at_a_name"
    ),
    "bounds of one entry": change(
        "instances.far_integers:squeezed", "up * down < 0", "False", "an_entry_that_two_hypotheses_squeeze"
    ),
    "hypotheses by their forms": change(
        "inequalities.grounds:grounded",
        "(needed := of_form(item))",
        "(needed := ())",
        "divisor_that_a_hypothesis_hides_and_gives",
        "divisors_that_two_hypotheses_hide_and_give",
    ),
}
