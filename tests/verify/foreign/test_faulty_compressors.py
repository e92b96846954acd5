"""Faults that a check must refute, and right compressors that it must not, at two dimensions."""

import numpy as np
import pytest

from impl.compressors import OneBit, RandK, TernGrad
from verify import check_compressor

SECONDS = 20.0


def rounded(x, rng, levels=4, up=0.0, keep=None):
    """Round x over its largest entry to a grid of so many levels, at random; `up` shifts the chance."""
    s = np.abs(x).max(axis=-1, keepdims=True) / levels
    low = np.floor(x / s)
    found = s * (low + (rng.random(x.shape) < x / s - low + up))
    return found if keep is None else np.where(np.arange(x.shape[-1]) < keep, found, 0.0)


def by_two_percent(x, rng):
    return 1.02 * rounded(x, rng)


def shifted_chance(x, rng):
    return rounded(x, rng, up=0.05)


def without_the_last(x, rng):
    return rounded(x, rng, keep=x.shape[-1] - 1)


def without_the_last_eighth(x, rng):
    return rounded(x, rng, keep=x.shape[-1] * 7 // 8)


def nearest(x, rng):
    s = np.abs(x).max(axis=-1, keepdims=True) / 4
    return s * np.rint(x / s)


@pytest.mark.parametrize(
    ("compressor", "d"),
    [
        (by_two_percent, 64),
        (shifted_chance, 64),
        (without_the_last, 64),
        (without_the_last_eighth, 4096),
        (nearest, 64),
        (nearest, 4096),
    ],
)
def test_a_bias_is_refuted(compressor, d):
    report = check_compressor(compressor, d=d, unbiased=True, omega=d**0.5 / 2, time_limit=SECONDS)
    assert report.verdict == "violated", str(report)
    assert report.witness is not None


@pytest.mark.parametrize("d", [64, 4096])
def test_top_k_claimed_unbiased_is_refuted_at_once_with_its_input(d):
    from impl.compressors import TopK

    report = check_compressor(TopK(2), d=d, unbiased=True)
    assert report.verdict == "violated"
    assert "draws no random number and C(x) is not x" in report.decisive.evidence.reason
    assert len(report.witness["x"]) == d


@pytest.mark.parametrize(
    ("compressor", "claims"),
    [
        (RandK(8), {"unbiased": True, "omega": 7.0, "omega_sharp": True}),
        (rounded, {"unbiased": True, "omega": 64 / 64}),
        (TernGrad(), {"unbiased": True, "omega": 7.0}),
        (OneBit(), {"contraction": 1 / 64}),
    ],
    ids=["rand-k", "rounding", "terngrad", "one bit"],
)
def test_a_right_one_is_not_refuted(compressor, claims):
    report = check_compressor(compressor, d=64, resolution=0.05, **claims)
    assert report.verdict == "consistent", str(report)
    assert "level 1e-09" in str(report) or not claims.get("unbiased")


def test_a_variance_of_half_the_truth_is_refuted_without_any_omega():
    class Half(RandK):
        def variance(self, x, weight=None, node_weight=None):
            return super().variance(x, weight, node_weight) / 2

    report = check_compressor(Half(4), d=16)
    assert report.verdict == "violated"
    assert "own exact variance" in report.decisive.name


def test_a_stated_variance_is_tested_from_both_sides():
    right = RandK(4)
    truth = lambda x: 3.0 * float((x**2).sum())  # noqa: E731
    assert check_compressor(right, d=16, variance=truth).verdict == "consistent"
    for factor in (0.95, 1.05):
        report = check_compressor(right, d=16, variance=lambda x, by=factor: by * truth(x))
        assert report.verdict == "violated", factor


def test_an_omega_that_is_not_attained_is_told_and_not_refuted():
    report = check_compressor(RandK(4), d=16, omega=4.5, omega_sharp=True)
    assert report.verdict == "inconclusive"
    (told,) = [item for item in report.checks if item.name == "omega attained"]
    assert told.evidence.verdict == "inconclusive"
    assert told.evidence.reason.startswith("no input that was tried attains it; the largest found is 0.7")


def test_an_omega_that_is_attained_at_one_vector_alone_is_not_refuted():
    direction = np.arange(1.0, 17.0) * np.tile([1.0, -1.0], 8)
    direction /= np.linalg.norm(direction)

    def attains(x, rng):
        here = abs(direction @ x) > (1 - 1e-9) * np.linalg.norm(x)
        return x * (1 + (1.0 if here else 0.5**0.5) * rng.choice([-1.0, 1.0]))

    report = check_compressor(attains, d=16, omega=1.0, omega_sharp=True, samples=4096)
    assert report.verdict == "inconclusive"
    assert [item.name for item in report.checks if item.evidence.verdict != "consistent"] == [
        "omega attained"
    ]


def rarely_far(x, rng, rare=1e-3):
    """The mean squared error is 300 ||x||^2, all of it in draws that hardly ever come."""
    far = (300 / rare) ** 0.5 * np.linalg.norm(x) if rng.random() < rare else 0.0
    return x + far * rng.choice([-1.0, 1.0]) * np.eye(len(x))[0]


def test_a_mean_that_is_above_the_bound_and_undecided_is_no_agreement():
    report = check_compressor(rarely_far, d=8, omega=3.0, samples=128)
    assert report.verdict == "inconclusive"
    (told,) = [item for item in report.checks if item.name == "mean squared error, omega=3"]
    assert told.evidence.value > 100 * told.evidence.bound
    assert "that it is above the bound is neither shown nor excluded" in told.evidence.reason


def test_a_mean_that_is_above_the_bound_is_sampled_on():
    report = check_compressor(rarely_far, d=8, omega=3.0)
    assert report.verdict == "violated"


def test_what_would_show_is_said_of_outcomes_that_were_seen():
    report = check_compressor(RandK(4), d=8, omega=1.0, samples=8192)
    (told,) = [item for item in report.checks if item.name == "mean squared error, omega=1"]
    assert "at level 1e-09, for outcomes within the range that was seen (" in told.evidence.reason
