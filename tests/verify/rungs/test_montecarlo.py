import math

import numpy as np
import pytest

from impl.errors import ArgumentError
from verify.context import Context
from verify.errors import CheckError
from verify.evidence.spread import SpreadTest
from verify.outcome import ALPHA
from verify.rungs import montecarlo
from verify.rungs.montecarlo import BATCH, MAX_BATCHES, MonteCarloCase, judge

HERE = Context("fake/one", "montecarlo", "here")
MUTANT = Context("fake/one", "montecarlo", "here", "mutant:wrong")


def uniform(rng, size):
    return rng.random(size)


def test_a_true_bound_holds_with_a_guarantee():
    found = judge(MonteCarloCase("le", uniform, 0.5, upper=1.0), HERE)
    assert (found.verdict, found.grade, found.tests) == ("holds", "guaranteed", 1)
    assert found.samples % BATCH == 0
    # Five standard errors of the mean of that many uniform numbers.
    assert found.value == pytest.approx(0.5, abs=5 * math.sqrt(1 / 12 / found.samples))
    assert "within 1%" in found.reason
    assert f"{ALPHA:g}" in found.reason


@pytest.mark.parametrize(
    ("kind", "given", "words"),
    [("eq", {"tolerance": 0.015}, "within 0.015:"), ("le", {"resolution": 0.035}, "within 3.5%:")],
)
def test_the_reason_names_what_decided(kind, given, words):
    found = judge(MonteCarloCase(kind, uniform, 0.5, upper=1.0, **given), HERE)
    assert found.verdict == "holds"
    assert words in found.reason


def test_a_bound_too_small_is_violated():
    found = judge(MonteCarloCase("le", uniform, 0.45, upper=1.0), HERE)
    assert (found.verdict, found.grade) == ("violated", "guaranteed")
    assert found.value > found.bound
    assert found.witness["seed"] == HERE.seed


@pytest.mark.parametrize(("bound", "verdict"), [(0.5, "holds"), (0.45, "violated"), (0.55, "violated")])
def test_an_equation_is_decided_from_both_sides(bound, verdict):
    assert judge(MonteCarloCase("eq", uniform, bound, upper=1.0, resolution=0.02), HERE).verdict == verdict


def test_without_an_upper_bound_nothing_holds():
    found = judge(MonteCarloCase("le", uniform, 0.75), HERE)
    assert found.verdict == "inconclusive"
    assert found.samples == BATCH * MAX_BATCHES
    assert "not decided" in found.reason
    assert not found.rejects


@pytest.mark.parametrize(
    ("scale", "shift", "outside"), [(1.5, 0.0, 1.5), (0.5, -0.25, -0.25)], ids=["above", "below"]
)
def test_a_sample_outside_the_sure_range_is_violated(scale, shift, outside):
    # The mean is within the bound: only the range tells.
    found = judge(
        MonteCarloCase("le", lambda rng, size: scale * uniform(rng, size) + shift, 0.9, upper=1.0), HERE
    )
    assert (found.verdict, found.grade) == ("violated", "numerical")
    assert found.value == pytest.approx(outside, abs=1e-2)
    assert "outside the sure range" in found.reason


def test_round_off_at_the_end_of_the_range_is_no_violation():
    case = MonteCarloCase("le", lambda rng, size: np.full(size, 1.0 + 1e-14), 1.5, upper=1.0 + 5e-15)
    assert judge(case, HERE).verdict == "holds"


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_sampler_that_is_not_finite_never_holds(bad):
    case = MonteCarloCase("le", lambda rng, size: np.full(size, bad), 1.0, upper=2.0)
    try:
        found = judge(case, HERE)
    except (ArgumentError, CheckError) as error:
        assert "finite" in str(error) or "no numbers" in str(error)  # noqa: PT017
    else:
        assert found.verdict == "violated"


def test_the_same_context_draws_the_same_samples_and_another_arm_does_not():
    case = MonteCarloCase("le", uniform, 0.5, upper=1.0)
    assert judge(case, HERE) == judge(case, HERE)
    assert judge(case, HERE).value != judge(case, Context("fake/one", "montecarlo", "there")).value


def test_a_mutant_is_rejected_with_twice_the_evidence_only():
    # 2 % above the bound: enough for ln(1/alpha), reached earlier than twice of it.
    case = MonteCarloCase("le", uniform, 0.49, upper=1.0)
    base, mutant = judge(case, HERE), judge(case, MUTANT)
    assert base.verdict == mutant.verdict == "violated"
    assert mutant.samples > 1.3 * base.samples


def test_an_honest_mutant_is_not_rejected():
    found = judge(MonteCarloCase("le", uniform, 0.5, upper=1.0), MUTANT)
    assert not found.rejects


def test_what_holds_is_sampled_to_the_level_of_an_alarm(monkeypatch):
    """The same stream ends at the same sample; a test at a hundred times the level ends 61440 earlier."""
    case = MonteCarloCase("le", uniform, 0.5, upper=1.0)
    assert judge(case, HERE).samples == 212992
    monkeypatch.setattr(montecarlo, "ALPHA", 100 * ALPHA)
    assert judge(case, HERE).samples == 151552


@pytest.mark.parametrize(("declared", "verdict"), [(1.0, "holds"), (0.01, "violated")])
def test_a_declared_variance_is_taken_as_given_until_samples_refute_it(declared, verdict):
    def normal(rng, size):
        return rng.normal(1.0, 1.0, size)

    # Without a range Catoni's bets decide, whose mean is as good as the variance that they are told.
    found = judge(MonteCarloCase("eq", normal, 1.0, lower=-1e6, variance=declared, resolution=0.03), HERE)
    assert found.verdict == verdict
    assert ("the variance is at most 0.01, as declared" in found.reason) is (verdict == "violated")


@pytest.mark.parametrize("lower", [-1e9, -1e300])
def test_a_far_end_of_the_range_hides_no_variance(lower):
    case = MonteCarloCase(
        "eq", lambda rng, size: rng.normal(1.0, 1.0, size), 1.0, lower=lower, variance=0.01, resolution=0.03
    )
    assert judge(case, HERE).verdict == "violated"


@pytest.mark.parametrize(("mean", "verdict"), [(0.0, "holds"), (0.5, "violated")])
def test_that_a_mean_is_0_is_tested_with_a_tolerance_beside_the_deviation(mean, verdict):
    case = MonteCarloCase(
        "eq", lambda rng, size: rng.normal(mean, 1.0, size), 0.0, lower=-1e3, variance=1.0, tolerance=0.05
    )
    assert judge(case, HERE).verdict == verdict


def test_a_sampler_may_fill_one_array_again_and_return_few_values():
    buffer = np.empty(BATCH)
    filled = MonteCarloCase(
        "eq", lambda rng, size: rng.standard_normal(out=buffer), 0.0, lower=-1e3, variance=1.0, tolerance=0.05
    )
    few = MonteCarloCase("eq", lambda rng, size: rng.integers(0, 2, 20), 0.5, upper=1.0, resolution=0.04)
    for case in (filled, few):
        assert judge(case, HERE).verdict in ("holds", "inconclusive")


def test_a_mean_that_holds_by_its_range_is_sampled_all_the_same():
    found = judge(MonteCarloCase("le", uniform, 1.5, upper=1.0), HERE)
    # No sample counts for it: a record of such a check is withdrawn.
    assert (found.verdict, found.grade, found.samples) == ("holds", "numerical", 0)
    found = judge(MonteCarloCase("le", lambda rng, size: 9 * uniform(rng, size), 1.5, upper=1.0), HERE)
    assert found.verdict == "violated"
    assert "outside the sure range" in found.reason


@pytest.mark.parametrize(
    "given",
    [
        {"kind": "le", "bound": 1.0, "upper": 10.0, "resolution": 2.0},
        {"kind": "eq", "bound": 0.0, "lower": -1.0, "upper": 1.0, "tolerance": 0.5},
        {"kind": "eq", "bound": 1.0, "variance": 1.0, "tolerance": 0.2},
    ],
)
def test_a_tolerance_that_lets_another_mean_pass_is_refused(given):
    with pytest.raises(CheckError, match="off the claimed"):
        judge(MonteCarloCase(sample=uniform, **given), HERE)


@pytest.mark.parametrize("resolution", [0.01, 0.1], ids=["later", "in the first batch"])
def test_samples_that_do_not_come_from_the_generator_are_refused(resolution):
    def fixed(rng, size):
        return np.random.default_rng(3).random(64).repeat(size // 64)

    mean = float(fixed(None, 64).mean())
    with pytest.raises(CheckError, match="two batches from different streams are equal"):
        judge(MonteCarloCase("eq", fixed, mean, upper=1.0, resolution=resolution), HERE)
    constant = MonteCarloCase("eq", lambda rng, size: np.full(size, 0.5), 0.5, upper=1.0)
    assert judge(constant, HERE).verdict == "holds"


@pytest.mark.parametrize("draws", [1, 128])
@pytest.mark.parametrize("copied", [np.repeat, np.tile])
@pytest.mark.parametrize("resolution", [0.01, 0.1], ids=["later", "in the first batch"])
def test_copies_of_fewer_draws_are_refused(draws, copied, resolution):
    def sample(rng, size):
        return copied(rng.random(draws), size // draws)

    with pytest.raises(CheckError, match=f"each value of a batch is there {4096 // draws} times"):
        judge(MonteCarloCase("le", sample, 0.9, upper=1.0, resolution=resolution), HERE)


def test_values_of_few_atoms_are_no_copies():
    case = MonteCarloCase("le", lambda rng, size: 2.0 * (rng.permutation(size) % 2), 1.2, upper=2.0)
    assert judge(case, HERE).verdict == "holds"


@pytest.mark.parametrize(("share", "verdict"), [(1.5, "holds"), (2.5, "violated")])
def test_mean_and_variance_share_one_level(monkeypatch, share, verdict):
    monkeypatch.setattr(SpreadTest, "log_evidence", lambda test: math.log(share / ALPHA))
    case = MonteCarloCase("eq", lambda rng, size: rng.random(size), 0.5, upper=1.0, variance=1 / 12)
    assert judge(case, HERE).verdict == verdict


@pytest.mark.parametrize(
    "declared",
    [
        {"lower": -1e3, "upper": 1e3, "tolerance": 40},
        {"lower": -1e4, "upper": 1e4, "variance": 1e4, "tolerance": 10},
    ],
)
def test_a_range_that_values_do_not_have_lets_no_other_mean_pass(declared):
    with pytest.raises(CheckError, match="too wide to measure by"):
        judge(MonteCarloCase("eq", lambda rng, size: 6 + uniform(rng, size) / 10, 1.0, **declared), HERE)
