"""The stated gain needs cost, shares and efficiencies of a run to be what they are; the table is complete."""

import pytest

from verify.cat.finding_headline_data import CONSTANTS, RULES, TABLE, _gain, _record
from verify.cat.headline_runs import task, tuned_run

RUN = tuned_run(task("LS"), "cat_s", "affine")


def failed(comparisons):
    return {item.label for item in comparisons if item.excess > 0}


def test_the_run_is_what_it_says():
    assert failed(_gain(15, 255120.0, RUN, {})) == set()
    assert failed(_record("affine", task("LS"), RUN)) == set()


@pytest.mark.parametrize("name", ["wrong-cost", "wrong-share", "wrong-efficiency"])
def test_the_stated_gain_sees_each_quantity(name):
    run = RULES[name].record(RUN, "affine")
    assert "gain by shares and efficiencies" in failed(_gain(15, 255120.0, run, {}))
    assert failed(_record("affine", task("LS"), run))


def test_what_the_quotients_cannot_see_the_gradients_do():
    run = RULES["wrong-record"].record(RUN, "affine")
    assert "gain by shares and efficiencies" not in failed(_gain(15, 255120.0, run, {}))
    assert failed(_record("affine", task("LS"), run)) == {"CAT-S: share", "CAT-S: efficiency"}


def test_golden_entries_of_the_data_sets():
    assert CONSTANTS == {"phishing": (0.1626415332, 0.1868285505), "splice": (95.71368594, 0.3383017712)}
    stated = {case: (row.rounds, row.sizes) for case, row in TABLE.items() if case[0] in CONSTANTS}
    assert stated == {
        ("phishing", "payload"): ((58824, 2358), (1, 1, 1)),
        ("phishing", "affine"): ((1508, 2305), (9, 7, 48)),
        ("phishing", "eth"): ((967, 2229), (68, 68, 68)),
        ("splice", "payload"): ((110551, 7487), (1, 1, 1)),
        ("splice", "affine"): ((4944, 7163), (6, 6, 34)),
        ("splice", "eth"): ((4220, 7194), (60, 60, 60)),
    }
