"""Compressors that go wrong at inputs of one special form only, where generic ones show nothing."""

import numpy as np
import pytest

from verify import check_compressor

SECONDS = 20.0


def halving(x, rng):
    return np.where(rng.random(x.shape) < 0.5, 2 * x, 0.0)


def wrong_where(special):
    return lambda x, rng: (1.5 if special(x) else 1.0) * halving(x, rng)


def is_palindrome(x):
    return np.array_equal(x, x[::-1]) and len(np.unique(x)) > 2


def has_two_magnitudes_in_turn(x):
    sizes = np.abs(x)
    even, odd = np.unique(sizes[::2]), np.unique(sizes[1::2])
    return len(even) == len(odd) == 1 and even[0] != odd[0]


def has_one_far_above(x):
    sizes = np.sort(np.abs(x))
    return sizes[-2] > 0 and sizes[-1] > 50 * sizes[-2]


@pytest.mark.parametrize("special", [is_palindrome, has_two_magnitudes_in_turn, has_one_far_above])
def test_a_vector_of_special_form_is_tried(special):
    report = check_compressor(wrong_where(special), d=24, unbiased=True, omega=1.0, time_limit=SECONDS)
    assert report.verdict == "violated", str(report)
    assert special(np.array(report.witness["x"]))


def has_two_equal_nodes(x):
    return np.array_equal(x[0], x[-1]) and not np.array_equal(x[0], x[1])


def has_orthogonal_nodes(x):
    products = x @ x.T
    return x.all() and np.allclose(products, np.diag(np.diag(products)), atol=1e-9)


def shares_no_entry(x):
    return x.any(axis=1).all() and ((x != 0).sum(axis=0) <= 1).all()


def has_a_node_of_zeros(x):
    return not x.any(axis=1).all() and x.any()


@pytest.mark.parametrize(
    "special", [has_two_equal_nodes, has_orthogonal_nodes, shares_no_entry, has_a_node_of_zeros]
)
def test_nodes_of_special_form_are_tried(special):
    report = check_compressor(wrong_where(special), d=16, n=4, unbiased=True, time_limit=SECONDS)
    assert report.verdict == "violated", str(report)
    assert special(np.array(report.witness["x"]))


def test_a_right_one_is_not_refuted_at_any_of_them():
    assert check_compressor(halving, d=24, unbiased=True, omega=1.0).verdict == "consistent"
    assert check_compressor(halving, d=16, n=4, unbiased=True).verdict == "consistent"


def test_what_divides_by_the_norm_of_a_node_is_told_and_not_refuted():
    def normed(x, rng):
        norms = np.linalg.norm(x, axis=1, keepdims=True)
        return norms * halving(x / norms, rng)

    report = check_compressor(normed, d=16, n=4, unbiased=True, time_limit=SECONDS)
    assert report.verdict == "consistent"
    assert "not finite where the first node is zero; not finite where the last node is zero" in str(report)


@pytest.mark.parametrize(
    ("compressor", "told"),
    [
        (lambda x, rng: np.clip(x, -1e15, 1e15), "C(x) is below 1e-06 times x at entries up to 1e+200"),
        (lambda x, rng: x + 1e-250 * np.sign(x), "C(x) is above 1e+06 times x at entries up to 1e-310"),
        (lambda x, rng: np.where(np.abs(x) < 1e-30, 0.0, x), "all is lost at entries up to 1e-200"),
        (lambda x, rng: x.copy(), "finite and not lost at zero and at 5 scales"),
    ],
)
def test_outcomes_of_another_order_at_extreme_inputs_are_told(compressor, told):
    report = check_compressor(compressor, d=8, unbiased=True, omega=0.0, time_limit=1.0)
    assert told in str(report)


def test_children_of_the_generator_are_random_numbers():
    def spawned(x, rng):
        return halving(x, rng.spawn(1)[0])

    assert check_compressor(spawned, d=8, unbiased=True, omega=1.0, time_limit=2.0).verdict == "consistent"


def test_what_is_said_to_be_equal_is_what_was_compared():
    def mean_of_nodes(x, rng):
        return np.broadcast_to(x.mean(axis=0), x.shape).copy()

    joint = check_compressor(mean_of_nodes, d=8, n=4, unbiased=True, ab=(0.0, 0.0), time_limit=1.0)
    assert "unbiased: consistent: mean of C_i(x_i) = mean of x_i at all" in str(joint)
    given = check_compressor(lambda x, rng: x / 2, d=8, unbiased_given=lambda x: x / 2, time_limit=1.0)
    assert "unbiased: consistent: C(x) = unbiased_given(x) at all" in str(given)
