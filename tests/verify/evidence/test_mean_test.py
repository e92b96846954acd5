import json
import math
from dataclasses import asdict

import numpy as np
import pytest

from impl.errors import ArgumentError
from verify.evidence import MeanTest
from verify.evidence.betting import betting_sums, log_mean_exp
from verify.evidence.catoni import catoni_sums

NEEDED = math.log(1e9)


def fed(test, *data):
    test.update(*data)
    return test


def mixture(y):
    return log_mean_exp(betting_sums(np.asarray(y, dtype=float)))


class TestEvidence:
    """The e-values are those of the table of E1."""

    z = np.random.default_rng(11).random(500)
    x = np.random.default_rng(12).random(500)
    # Affine maps of the data written in another order: round-off of 500 logarithms.
    close = staticmethod(lambda value: pytest.approx(value, abs=1e-10))

    def test_le(self):
        evidence = fed(MeanTest("le", 0.4, lower=-0.1, upper=1.2), self.z).log_evidence()
        assert evidence["violated"] == self.close(mixture((self.z + 0.1) / 0.5))
        assert evidence["holds"] == self.close(mixture((1.2 - self.z) / (1.2 - 0.404)))

    def test_le_without_upper_bound_has_no_evidence_for_holds(self):
        assert fed(MeanTest("le", 0.6), self.z).log_evidence()["holds"] == 0

    def test_le_with_variance(self):
        catoni = log_mean_exp(catoni_sums(self.z, 0.606, 0.1))
        betting = mixture((1 - self.z) / (1 - 0.606))
        only = fed(MeanTest("le", 0.6, variance=0.1), self.z).log_evidence()["holds"]
        both = fed(MeanTest("le", 0.6, upper=1, variance=0.1), self.z).log_evidence()["holds"]
        assert only == self.close(catoni)
        assert both == self.close(np.logaddexp(catoni, betting) - math.log(2))

    def test_le_with_absolute_tolerance(self):
        evidence = fed(MeanTest("le", 0.5, upper=1, tolerance=0.1), self.z).log_evidence()
        assert evidence["holds"] == self.close(mixture((1 - self.z) / 0.4))

    def test_eq(self):
        evidence = fed(MeanTest("eq", 0.5, lower=-1, upper=1, tolerance=0.2), self.z).log_evidence()
        sides = mixture((self.z + 1) / 1.5), mixture((1 - self.z) / 0.5)
        assert evidence["violated"] == self.close(np.logaddexp(*sides) - math.log(2))
        assert evidence["holds"] == self.close(min(mixture((1 - self.z) / 0.3), mixture((self.z + 1) / 1.3)))

    def test_eq_with_variance(self):
        test = fed(MeanTest("eq", 0.6, lower=-1, variance=0.1, tolerance=0.2), self.z)
        not_above = log_mean_exp(catoni_sums(self.z, 0.8, 0.1))
        not_below = np.logaddexp(log_mean_exp(catoni_sums(-self.z, -0.4, 0.1)), mixture((self.z + 1) / 1.4))
        against = np.logaddexp(log_mean_exp(catoni_sums(self.z, 0.6, 0.1)), mixture((self.z + 1) / 1.6))
        evidence = test.log_evidence()
        assert not_below - math.log(2) < not_above
        assert evidence["holds"] == self.close(not_below - math.log(2))
        assert evidence["violated"] == self.close(against - math.log(2))

    def test_ratio(self):
        evidence = fed(MeanTest("ratio", 1.5, upper=(1, 2)), self.z, self.x).log_evidence()
        assert evidence["violated"] == self.close(mixture(1 + (self.z - 1.5 * self.x) / 1.5))
        assert evidence["holds"] == self.close(mixture(1 + (1.515 * self.x - self.z) / 2))


class TestVerdicts:
    rng = np.random.default_rng(13)
    uniform = rng.random(40_000)  # mean 1/2

    @pytest.mark.parametrize(
        ("bound", "verdict"), [(0.6, "holds"), (0.55, "holds"), (0.5, "inconclusive"), (0.45, "violated")]
    )
    @pytest.mark.parametrize("extra", [{"upper": 1}, {"variance": 1 / 12}, {"upper": 1, "variance": 1 / 12}])
    def test_le(self, bound, verdict, extra):
        # At the bound itself 40 000 samples suffice for a resolution of 5 %, not of 1 %.
        assert fed(MeanTest("le", bound, **extra), self.uniform).verdict() == verdict
        if bound == 0.5:
            assert fed(MeanTest("le", bound, resolution=0.05, **extra), self.uniform).verdict() == "holds"

    @pytest.mark.parametrize("extra", [{"upper": 1}, {"variance": 1 / 12}, {"upper": 1, "variance": 1 / 12}])
    def test_eq(self, extra):
        verdicts = [
            fed(MeanTest("eq", bound, tolerance=0.03, **extra), self.uniform).verdict()
            for bound in (0.5, 0.45, 0.55, 0.531)
        ]
        assert verdicts[:3] == ["holds", "violated", "violated"]
        assert verdicts[3] != "holds"

    def test_unbiasedness(self):
        noise = 2 * self.uniform - 1
        assert fed(MeanTest("eq", 0, lower=-1, upper=1, tolerance=0.05), noise).verdict() == "holds"
        shifted = np.clip(noise + 0.1, -1, 1)
        assert fed(MeanTest("eq", 0, lower=-1, upper=1, tolerance=0.05), shifted).verdict() == "violated"

    def test_ratio(self):
        x = self.rng.random(40_000)
        z = x * self.rng.random(40_000)  # E Z / E X = 1/2
        verdicts = [fed(MeanTest("ratio", b, upper=(1, 1)), z, x).verdict() for b in (0.6, 0.4)]
        assert verdicts == ["holds", "violated"]

    def test_violated_without_upper_bound(self):
        assert fed(MeanTest("le", 1.0), self.rng.exponential(1.25, 20_000)).verdict() == "violated"

    def test_no_data(self):
        test = MeanTest("le", 1, upper=4)
        test.update([])
        assert test.verdict() == "inconclusive"
        assert test.log_evidence() == {"violated": 0, "holds": 0}

    def test_trivial_claims_hold_at_once(self):
        test = MeanTest("le", 1, upper=1.005)
        assert test.trivial
        assert test.verdict() == "holds"
        assert not MeanTest("le", 1, upper=1.02).trivial

    def test_violated_wins(self):
        # Every value may lie between b and b (1 + resolution): both nulls are rejected.
        test = fed(MeanTest("le", 1, upper=1.5, resolution=0.4), np.full(2000, 1.3))
        assert min(test.log_evidence().values()) >= NEEDED
        assert test.verdict() == "violated"

    def test_a_dithered_vector_is_decided_with_the_published_number_of_samples(self):
        # Standard dithering, d = 100, two levels, x = ones: Z = sum (xi - 0.2)^2 / 4 with P(xi = 1) = 0.2.
        rounded_up = self.rng.binomial(100, 0.2, 30_000)
        z = (rounded_up * 0.64 + (100 - rounded_up) * 0.04) / 4
        test, used = MeanTest("le", 4.0, upper=16.0, alpha=2.5e-9), 0
        while test.verdict() == "inconclusive" and used < len(z):
            test.update(z[used : used + 500])
            used += 500
        assert test.verdict() == "holds"
        assert 8000 <= used <= 16_000  # published median of 8 runs: 11 500


class TestNoRoom:
    """The bound equals the end of the range, so the null leaves no room for chance."""

    def test_le(self):
        test = MeanTest("le", 0, upper=1)
        test.update([0, 0, 1e-14])  # round-off at the scale of the range
        assert test.verdict() == "inconclusive"
        test.update([1e-6])
        assert test.verdict() == "violated"
        assert test.log_evidence()["violated"] == math.inf

    def test_le_elsewhere_than_zero(self):
        test = fed(MeanTest("le", 2, lower=2), [2, 2 + 1e-13])
        assert test.verdict() == "inconclusive"
        assert fed(test, [2.001]).verdict() == "violated"

    def test_eq_at_the_top(self):
        test = fed(MeanTest("eq", 1, upper=1), [1, 1 - 1e-14])
        assert test.verdict() == "inconclusive"
        assert fed(test, [0.999]).verdict() == "violated"

    def test_ratio_of_zero(self):
        test = fed(MeanTest("ratio", 0, upper=(1, 1)), [0, 0], [1, 1])
        assert test.verdict() == "inconclusive"
        assert fed(test, [0.1], [1]).verdict() == "violated"

    def test_merging_keeps_it(self):
        test = MeanTest("le", 0)
        test.merge(fed(MeanTest("le", 0), [1]).state())
        assert test.verdict() == "violated"


class TestState:
    cases = (
        ("le", 1.0, {"upper": 4.0, "variance": 1.0}),
        ("eq", 1.0, {"lower": -1.0, "upper": 4.0, "tolerance": 0.1}),
        ("ratio", 1.5, {"upper": (1.0, 4.0)}),
    )

    @pytest.mark.parametrize(("kind", "bound", "options"), cases, ids=lambda item: str(item)[:5])
    def test_batches_and_order_do_not_matter(self, kind, bound, options):
        rng = np.random.default_rng(17)
        z = np.minimum(rng.exponential(1, 50_000), 4)
        data = np.column_stack([z, rng.random(50_000)]) if kind == "ratio" else z[:, None]
        whole = fed(MeanTest(kind, bound, **options), *data.T)
        shuffled, merged = MeanTest(kind, bound, **options), MeanTest(kind, bound, **options)
        for part in np.split(rng.permutation(data), [1, 10, 777, 30_000]):
            shuffled.update(*part.T)
            merged.merge(fed(MeanTest(kind, bound, **options), *part[::-1].T).state())
        for name, value in whole.log_evidence().items():
            # The promised independence; measured differences are near 1e-11.
            assert shuffled.log_evidence()[name] == pytest.approx(value, abs=1e-7)
            assert merged.log_evidence()[name] == pytest.approx(value, abs=1e-7)
        assert merged.samples == whole.samples == 50_000
        assert merged.verdict() == whole.verdict()

    def test_verdict_is_a_function_of_the_state(self):
        test = fed(MeanTest("le", 1, upper=2), np.full(1000, 0.5))
        fresh = MeanTest("le", 1, upper=2)
        fresh.merge(test.state())
        assert fresh.state() == test.state()
        assert fresh.verdict() == test.verdict() == "holds"
        json.dumps(asdict(test.state()), allow_nan=False)

    def test_merging_another_test_is_refused(self):
        with pytest.raises(ArgumentError, match="another test"):
            MeanTest("le", 1, upper=2).merge(MeanTest("le", 1, upper=3).state())


class TestErrorRates:
    def test_deterministic_value_at_its_bound(self):
        for value in (0.1, 1.0, 12345.678):
            for test in (MeanTest("le", value), MeanTest("eq", value, upper=2 * value)):
                for _ in range(10):
                    test.update(np.full(50_000, value * (1 + 1e-16)))
                # Round-off moves the evidence by about 1e-9 in 1e7 samples.
                assert test.log_evidence()["violated"] < 1e-6

    @pytest.mark.parametrize("p", [0.5, 0.02])
    def test_violated_at_the_bound(self, p):
        # Z = 1/p with probability p: mean 1; 20 looks at level 0.1 in each of 400 runs.
        rng, alarms = np.random.default_rng(19), 0
        for _ in range(400):
            test = MeanTest("le", 1.0, alpha=0.1)
            for _ in range(20):
                test.update((rng.random(50) < p) / p)
                if test.verdict() == "violated":
                    alarms += 1
                    break
        # 400 * 0.1 and four standard deviations; a fixed seed makes the outcome reproducible.
        assert alarms <= 40 + 4 * math.sqrt(36)

    @pytest.mark.parametrize("extra", [{"upper": 9801.0}, {"upper": 9801.0, "variance": 98**2 * 101.0}])
    def test_holds_is_not_claimed_before_the_rare_outcome_is_seen(self, extra):
        """Rand-1 at x = e1, d = 100: the error is 1, or 9801 with probability 1/100; the mean is 99."""
        rng = np.random.default_rng(23)
        bound, alpha, fooled = 99 / 1.02, 1e-6, 0
        for _ in range(100):
            z = np.where(rng.random(3200) < 0.01, 9801.0, 1.0)
            test, seen, is_fooled = MeanTest("le", bound, alpha=alpha, **extra), 0, False
            for look in (100, 200, 400, 800, 1600, 3200):
                test.update(z[seen:look])
                seen = look
                assert test.verdict() != "holds"
                upper_end = z[:look].mean() + 4.75 * z[:look].std(ddof=1) / math.sqrt(look)
                is_fooled |= bool(upper_end < bound * 1.01)
            fooled += is_fooled
        assert fooled >= 20  # the normal interval at the same level claims it in about 37 of 100 runs


class TestRefusals:
    @pytest.mark.parametrize("bad", [math.nan, math.inf, -1e-3, 2.1])
    def test_samples_outside_the_range_leave_no_trace(self, bad):
        test = fed(MeanTest("le", 1, upper=2), [1.0])
        before = test.state()
        with pytest.raises(ArgumentError, match=r"z\[2\]"):
            test.update([1, 1, bad])
        assert test.state() == before

    def test_round_off_at_the_ends_is_accepted(self):
        test = fed(MeanTest("le", 1, upper=2), [-1e-13, 2 + 1e-13])
        assert test.samples == 2

    def test_samples_of_x(self):
        with pytest.raises(ArgumentError, match="x is missing"):
            MeanTest("ratio", 1, upper=(1, 1)).update([1])
        with pytest.raises(ArgumentError, match="equally many"):
            MeanTest("ratio", 1, upper=(1, 1)).update([1, 1], [1])
        with pytest.raises(ArgumentError, match=r"x\[0\]=1.5"):
            MeanTest("ratio", 1, upper=(1, 1)).update([1], [1.5])
        with pytest.raises(ArgumentError, match="for the kind 'ratio' only"):
            MeanTest("le", 1).update([1], [1])

    @pytest.mark.parametrize(
        ("arguments", "options", "message"),
        [
            (("lt", 1), {}, "kind='lt'"),
            (("le", math.nan), {}, "bound=nan"),
            (("le", 1), {"lower": -math.inf}, "lower=-inf"),
            (("le", 1), {"upper": -1}, "upper=-1"),
            (("le", 1), {"upper": math.inf}, "upper=inf"),
            (("le", 1), {"upper": (1, 1)}, "one finite number"),
            (("le", 1), {"variance": -1}, "variance=-1"),
            (("le", 1), {"alpha": 0}, "alpha=0"),
            (("le", 1), {"resolution": -1}, "resolution=-1"),
            (("le", 1), {"tolerance": 0}, "tolerance=0"),
            (("eq", 0), {"lower": -1, "upper": 1}, "absolute"),
            (("eq", 0), {"upper": 1, "tolerance": 0.1}, "lower=0"),
            (("eq", 1), {"lower": 0.99, "upper": 2}, r"lower=0\.99"),
            (("ratio", 1), {"upper": 1}, "pair"),
            (("ratio", 1), {}, "pair"),
            (("ratio", 1), {"upper": (0, 1)}, "B_X=0"),
            (("ratio", -1), {"upper": (1, 1)}, "bound=-1"),
            (("ratio", 1), {"upper": (1, 1), "lower": -1}, "lower=-1"),
            (("ratio", 1), {"upper": (1, 1), "variance": 1}, "variance"),
        ],
    )
    def test_arguments(self, arguments, options, message):
        with pytest.raises(ArgumentError, match=message):
            MeanTest(*arguments, **options)

    def test_all_problems_at_once(self):
        with pytest.raises(ArgumentError, match=r"(?s)bound=inf.*alpha=2"):
            MeanTest("le", math.inf, alpha=2)


def test_zero_variance_is_a_valid_bound():
    assert fed(MeanTest("le", 1, variance=0), [0.9] * 10).verdict() == "holds"
