import numpy as np
import pytest

import verify.compressor_check
from impl.compressors import (
    BernoulliSparsifier,
    CorrelatedQuantizer,
    NestedDitheredQuantizer,
    PermK,
    RandK,
    RotatedQuantizer,
    StochasticQuantizer,
    TopK,
)
from verify import check_compressor, find_counterexample
from verify.errors import UsageError
from verify.foreign import allocation
from verify.foreign.adapter import adapt
from verify.foreign.claims import Claims
from verify.outcome import ALPHA
from verify.rungs import montecarlo


def dithering(x, rng):
    """Round x / s to the integers around it, s a quarter of the largest entry: omega <= d / 64."""
    s = np.abs(x).max(axis=-1, keepdims=True) / 4
    low = np.floor(x / s)
    return s * (low + (rng.random(x.shape) < x / s - low))


def top_two(x, rng):
    kept = np.zeros_like(x)
    largest = np.argsort(-np.abs(x), kind="stable")[:2]
    kept[largest] = x[largest]
    return kept


@pytest.fixture(autouse=True)
def few_samples(monkeypatch):
    """Take fewer samples than a user does: a function in Python costs microseconds for each."""
    monkeypatch.setattr(verify.compressor_check, "SAMPLES", 2**14)
    monkeypatch.setattr(verify.compressor_check, "RESOLUTION", 0.1)
    monkeypatch.setattr(montecarlo, "MAX_BATCHES", 30)
    # A true claim has nothing to find at the 2000 inputs of a compressor that draws nothing.
    monkeypatch.setattr(allocation, "FURTHER", 100)


class Sampled:
    """Another project's compressor, by its own method only."""

    def sample(self, x, rng):
        return dithering(x, rng)


# ---------------------------------------------------------------- true claims


@pytest.mark.parametrize(
    ("compressor", "claims"),
    [
        (StochasticQuantizer(0.5), {"omega": 16 / 4 / 4, "unbiased": True}),
        (RandK(4), {"omega": 3.0, "unbiased": True}),
        (BernoulliSparsifier(0.5), {"omega": 1.0, "unbiased": True}),
        (TopK(4), {"omega": 0.75}),
        (dithering, {"omega": 0.25, "unbiased": True}),
        (Sampled(), {"omega": 0.25, "unbiased": True}),
        (top_two, {"omega": 1 - 2 / 16}),
        (lambda x, rng: x, {"omega": 0.0, "unbiased": True}),
        (lambda x, rng: 0 * x, {"omega": 1.0}),
    ],
    ids=[
        "quantizer",
        "rand-k",
        "bernoulli",
        "top-k",
        "function",
        "object",
        "own-top-k",
        "identity",
        "nothing",
    ],
)
def test_a_true_claim_is_consistent_and_never_more(compressor, claims):
    report = check_compressor(compressor, d=16, **claims)
    assert report.verdict == "consistent", str(report)
    assert report.witness is None
    assert report.checks
    tests = sum(item.evidence.tests for item in report.checks)
    assert report.alpha == pytest.approx(tests * ALPHA)


def test_what_the_compressor_says_of_itself_is_checked_without_being_asked():
    # `unbiased` comes from the class, the variance from its oracle.
    names = [item.name for item in check_compressor(StochasticQuantizer(0.5), d=8).checks]
    assert any("unbiased" in name for name in names)
    assert any("own exact variance" in name for name in names)
    assert not any("unbiased" in item.name for item in check_compressor(TopK(2), d=8, omega=0.75).checks)


def test_a_nested_codec_is_checked_with_side_information_of_its_own_only():
    nested = NestedDitheredQuantizer(3, 3)
    for claims in ({"omega": 1.0}, {"unbiased": True}, {"omega": 1.0, "unbiased": True}):
        with pytest.raises(
            UsageError, match=r"a nested codec cannot be checked alone.*side=y\), or check the"
        ):
            check_compressor(nested, d=4, **claims)
    beside = adapt(lambda x, rng: nested.sample(x, rng, side=x), 4, None)
    errors = beside.errors(np.ones(4), np.random.default_rng(0), 5)
    assert errors.shape == (5, 4)
    assert np.abs(errors).max() <= 1 / 6  # half a step


# ---------------------------------------------------------------- false claims


@pytest.mark.parametrize(
    ("compressor", "omega"),
    [
        (StochasticQuantizer(0.5), 0.9),
        (RandK(4), 2.9),
        (BernoulliSparsifier(0.5), 0.9),
        (TopK(4), 0.7),
        (dithering, 0.05),
        (Sampled(), 0.05),
        (top_two, 0.8),
        (lambda x, rng: x * (1 + 1e-3), 0.0),
    ],
    ids=["quantizer", "rand-k", "bernoulli", "top-k", "function", "object", "own-top-k", "identity"],
)
def test_an_omega_too_small_is_refuted_with_its_counterexample(compressor, omega):
    report = check_compressor(compressor, d=16, omega=omega)
    assert report.verdict == "violated", str(report)
    assert report.value > report.bound
    assert report.tightness is None or report.tightness < 1
    x = np.asarray(report.witness["x"])
    assert x.shape == (16,)
    # The counterexample is one: the mean squared error there, from fresh samples, is above the claim.
    rng = np.random.default_rng(1)
    sample = compressor.sample if hasattr(compressor, "sample") else compressor
    errors = [((sample(x, rng) - x) ** 2).sum() for _ in range(2000)]
    assert np.mean(errors) > omega * (x**2).sum()
    assert "counterexample" in str(report)


@pytest.mark.parametrize(
    "biased",
    [
        lambda x, rng: 0.8 * dithering(x, rng),
        lambda x, rng: dithering(x, rng) + 0.05 * np.abs(x).max(),
        lambda x, rng: np.floor(4 * x / np.abs(x).max() + 0.5) * np.abs(x).max() / 4,
        top_two,
    ],
    ids=["shrunk", "shifted", "nearest", "top-k"],
)
def test_a_biased_compressor_is_refuted(biased):
    report = check_compressor(biased, d=16, unbiased=True, omega=1.0)
    assert report.verdict == "violated", str(report)
    (first, *_) = [item for item in report.checks if item.evidence.verdict == "violated"]
    assert "unbiased" in first.name
    x, direction = np.asarray(report.witness["x"]), np.asarray(report.witness["direction"])
    rng = np.random.default_rng(2)
    errors = [float((biased(x, rng) - x) @ direction) for _ in range(4000)]
    # Four standard errors: a counterexample that is none would pass once in 30 000 times.
    assert abs(np.mean(errors)) > 4 * np.std(errors) / np.sqrt(len(errors))
    assert np.sign(np.mean(errors)) == np.sign(report.witness["bias"])


def test_a_fault_at_few_inputs_is_found_where_nothing_is_drawn(monkeypatch):
    def seldom_wrong(x, rng):
        return 2 * x if int(abs(x[0]) * 2**40) % 64 == 33 else x

    report = check_compressor(seldom_wrong, d=16, unbiased=True)
    assert report.verdict == "violated"
    assert "draws no random number and C(x) is not x" in report.decisive.evidence.reason
    monkeypatch.setattr(allocation, "FURTHER", 0)  # the inputs that have names do not show it
    assert check_compressor(seldom_wrong, d=16, unbiased=True).verdict == "consistent"


def test_unbiasedness_without_any_bound_on_the_variance_says_how_far_outcomes_may_be():
    report = check_compressor(dithering, d=4, unbiased=True)
    assert report.verdict == "consistent"
    assert "twice the largest that was seen of x" in str(report)


# ---------------------------------------------------------------- several nodes


def test_independent_nodes_gain_a_factor_n():
    # The error of the mean is the mean of n errors over n: A = omega / n with omega = 8 / 64.
    assert check_compressor(dithering, d=8, n=4, ab=(8 / 64 / 4, 0.0)).verdict == "consistent"
    report = check_compressor(dithering, d=8, n=4, ab=(0.002, 0.0))
    assert report.verdict == "violated"
    assert np.asarray(report.witness["x"]).shape == (4, 8)


def test_a_negative_bound_is_refuted():
    # At equal inputs the claim reads E||..||^2 <= -0.9 ||x||^2.
    assert check_compressor(dithering, d=8, n=4, ab=(0.1, 1.0)).verdict == "violated"


def test_a_claimed_gain_from_correlation_is_refuted_for_independent_nodes():
    # B > 0 says that equal inputs have a smaller error; here it is only true with a larger A.
    assert check_compressor(dithering, d=8, n=4, ab=(8 / 64 / 4, 0.03)).verdict == "violated"


def test_an_ordinary_compressor_serves_as_an_independent_joint_one():
    assert check_compressor(StochasticQuantizer(0.5), d=8, n=4, ab=(2.0 / 4, 0.0)).verdict == "consistent"
    assert check_compressor(StochasticQuantizer(0.5), d=8, n=4, ab=(0.05, 0.0)).verdict == "violated"


def test_a_biased_joint_compressor_is_refuted():
    def shrunk(x, rng):
        return 0.8 * dithering(x, rng)

    assert check_compressor(shrunk, d=8, n=4, unbiased=True, ab=(0.5, 0.0)).verdict == "violated"
    assert check_compressor(dithering, d=8, n=4, unbiased=True, ab=(0.5, 0.0)).verdict == "consistent"


# ---------------------------------------------------------------- counterexample, seeds, claims


def test_find_counterexample_returns_a_witness_or_none():
    assert find_counterexample(dithering, d=16, omega=0.25) is None
    witness = find_counterexample(dithering, d=16, omega=0.05)
    assert len(witness["x"]) == 16


def test_a_seed_repeats_the_report_and_another_changes_it():
    def report(seed):
        return check_compressor(BernoulliSparsifier(0.5), d=4, rng=np.random.default_rng(seed)).document()

    first = report(1)
    assert report(1) == first
    assert report(2)["checks"] != first["checks"]


@pytest.mark.parametrize("claim", ["squant/var", "squant/bounds"])
def test_claims_are_applied_to_a_compressor(claim, monkeypatch):
    monkeypatch.undo()  # the equation of squant/var needs the full number of samples
    report = check_compressor(StochasticQuantizer(0.5), d=8, claims=(claim,))
    assert any(item.name.startswith(claim) for item in report.checks)
    assert report.verdict in ("holds", "consistent")


# ---------------------------------------------------------------- users' mistakes


@pytest.mark.parametrize(
    ("compressor", "arguments", "words"),
    [
        (lambda x: x, {"omega": 1.0}, "must take (x, rng)"),
        (object(), {"omega": 1.0}, "must have sample(x, rng)"),
        (StochasticQuantizer, {"omega": 1.0}, "instance"),
        (lambda x, rng: x.sum(), {"omega": 1.0}, "C(x) has shape () for x of shape (4,)"),
        (lambda x, rng: x * np.inf, {"omega": 1.0}, "inf is not finite at x="),
        (dithering, {}, "nothing to check"),
        (dithering, {"unbiased": False}, "nothing to check"),
        (dithering, {"omega": -1.0}, "omega=-1.0 must be finite and not negative"),
        (dithering, {"omega": float("nan")}, "omega=nan must be finite and not negative"),
        (dithering, {"ab": (1.0, 0.0)}, "together with the number of nodes n"),
        (dithering, {"ab": (1.0,), "n": 2}, "ab=(1.0,) must be two finite constants"),
        (dithering, {"claims": "squant/var"}, "must be a sequence of ids"),
        (StochasticQuantizer(0.5), {"claims": ("squant/range",)}, "cannot be applied to a compressor"),
        (dithering, {"omega": 1.0, "n": 0}, "n=0 must be a positive integer"),
        (dithering, {"omega": 1.0, "d": 2.5}, "d=2.5 must be a positive integer"),
        (dithering, {"omega": 1.0, "rng": 3}, "rng=3 must be a numpy"),
        (dithering, {"omega": "a"}, "omega='a'"),
        (dithering, {"omega": True}, "omega=True"),
        (dithering, {"ab": 5, "n": 2}, "ab=5"),
        (dithering, {"ab": (1, "a"), "n": 2}, "ab=(1, 'a')"),
        (dithering, {"omega": 1.0, "ab": (1.0, 0.0), "n": 2}, "give one of them"),
        (dithering, {"omega": 1.0, "claims": 5}, "claims=5"),
        (dithering, {"unbiased": "yes"}, "unbiased='yes'"),
    ],
)
def test_mistakes_get_a_clear_error(compressor, arguments, words):
    with pytest.raises(UsageError) as caught:
        check_compressor(compressor, **({"d": 4} | arguments))
    assert words in str(caught.value)


def test_all_problems_are_named_at_once():
    with pytest.raises(UsageError) as caught:
        check_compressor(dithering, d=4, omega=-1.0, ab=(1.0, 0.0))
    assert "omega=-1.0" in str(caught.value)
    assert "ab=" in str(caught.value)


def test_numpy_numbers_are_numbers():
    report = check_compressor(lambda x, rng: x, d=np.int64(3), omega=np.float32(0.5))
    assert report.verdict == "consistent"


# ---------------------------------------------------------------- joint compressors with an exact error


def test_joint_claims_are_searched_with_the_exact_error():
    quantizer = CorrelatedQuantizer("binary")
    # A - B = d / n^2 with B = d/n - 1/(n-1) = 3/2 (cq_marina/ab-cq); half of B is refuted by the search.
    good = check_compressor(quantizer, d=5, n=2, ab=(2.75, 1.5))
    assert good.verdict == "consistent", str(good)
    assert good.tightness == pytest.approx(1.0, abs=0.01)
    bad = check_compressor(quantizer, d=5, n=2, ab=(1.75, 0.5))
    assert bad.verdict == "violated"
    assert bad.decisive.evidence.grade == "numerical"
    assert len(bad.witness["x"]) == 10


def test_no_error_at_equal_inputs_is_not_refuted_by_rounding():
    # PermK: V = M - m, which is zero where all nodes agree.
    report = check_compressor(PermK(), d=8, n=4, ab=(1.0, 1.0))
    assert report.verdict == "consistent", str(report)


def test_a_bound_that_cancels_is_zero_and_not_negative_by_rounding():
    one_large = np.tile(np.where(np.arange(64) == 0, 1.0, 1 / 9).astype(np.float32), (4, 1)).astype(float)
    claims = Claims(ab=(1.0, 1.0))
    assert claims.bounds_at(one_large) == {"ab=(1.0, 1.0)": 0.0}
    assert claims.bounds_at(one_large * np.array([[1], [1], [1], [0.999]]))["ab=(1.0, 1.0)"] > 0
    assert Claims(ab=(1.0, 1.01)).bounds_at(one_large)["ab=(1.0, 1.01)"] < 0

    def parts(x, rng):
        owner = rng.permutation(np.arange(x.shape[1]) % len(x))
        return np.where(owner == np.arange(len(x))[:, None], len(x) * x, 0)

    report = check_compressor(parts, d=64, n=4, ab=(1.0, 1.0), unbiased=True, dtype="float32")
    assert report.verdict == "consistent", str(report)


def test_a_joint_compressor_without_exact_error_is_sampled():
    report = check_compressor(RotatedQuantizer(True), d=32, n=2, omega=9.0)
    assert report.verdict == "consistent", str(report)
    assert not any(item.name == "exact variance" for item in report.checks)


def test_a_joint_compressor_that_misstates_its_error_is_found():
    class Modest(CorrelatedQuantizer):
        def _coordinate_variances(self, x):
            return super()._coordinate_variances(x) / 100

    assert check_compressor(Modest("binary"), d=4, n=2, ab=(10.0, 0.0)).verdict == "violated"


def test_a_joint_compressor_needs_the_number_of_nodes():
    with pytest.raises(UsageError, match="give the number of nodes"):
        check_compressor(PermK(), d=4, omega=7.0)
