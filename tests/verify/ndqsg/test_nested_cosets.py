"""Golden alphabet sizes of the specification."""

import pytest

from theory.ndqsg.finding_nesting_is_alphabet import CLAIM as ANY_RATIO
from theory.ndqsg.nested.nested_cosets import CLAIM
from verify.evaluation import evaluate_exact


@pytest.mark.parametrize("ratio", [3, 4])
def test_coset_rule(ratio):
    assert evaluate_exact(CLAIM.exact, {"k": ratio}) == ratio


def test_direct_quantization_with_ratio_four_takes_five_symbols():
    assert evaluate_exact(CLAIM.formulas["direct_even"], {"k": 4}) == 5


@pytest.mark.parametrize(("ratio", "smallest", "largest"), [(2, -1, 0), (3, -1, 1), (4, -2, 1), (5, -2, 2)])
def test_ends_of_the_alphabet(ratio, smallest, largest):
    assert evaluate_exact(CLAIM.formulas["smallest"], {"k": ratio}) == smallest
    assert evaluate_exact(CLAIM.formulas["largest"], {"k": ratio}) == largest


@pytest.mark.parametrize(("a", "b", "golden"), [(3, 1, 3), (4, 1, 4), (5, 2, 5), (7, 3, 7)])
def test_alphabet_of_any_ratio(a, b, golden):
    assert evaluate_exact(ANY_RATIO.exact, {"a": a}) == golden
    symbols = {
        evaluate_exact(ANY_RATIO.formulas["symbol"], {"i": i, "a": a, "b": b}) for i in range(-3 * a, 3 * a)
    }
    assert len(symbols) == golden


@pytest.mark.parametrize("claim", [CLAIM, ANY_RATIO], ids=lambda claim: claim.id)
def test_worst_cases(claim):
    for case in claim.worst_cases:
        needed = {key: value for key, value in case.values.items() if key in ("k", "a")}
        assert evaluate_exact(claim.exact, needed) == case.value
