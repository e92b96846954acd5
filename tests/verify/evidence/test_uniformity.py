import numpy as np
import pytest

from impl.errors import ArgumentError
from verify.evidence import UniformityTest
from verify.evidence.uniformity import log_dirichlet_evidence


@pytest.mark.parametrize(("a", "value"), [(0.5, 4.18415271505487), (8, 5.8089387250637)])
def test_goldens(a, value):
    # Differences of lgamma values near 500 lose two digits.
    assert log_dirichlet_evidence([10, 20, 30, 40], a) == pytest.approx(value, rel=1e-13)


def test_evidence_is_a_martingale():
    counts, a = np.array([3, 0, 5]), 0.5
    now = log_dirichlet_evidence(counts, a)
    nexts = [log_dirichlet_evidence(counts + np.eye(3, dtype=int)[i], a) for i in range(3)]
    assert np.mean(np.exp(nexts)) == pytest.approx(np.exp(now), rel=1e-13)  # lgamma of small numbers


def judge(e, covariate=None):
    test = UniformityTest()
    test.update(e, covariate)
    return test.verdict()


def test_uniform_values_are_consistent():
    rng = np.random.default_rng(5)
    assert judge(rng.random(51_200)) == "consistent"
    assert judge(rng.random(51_200), rng.random(51_200)) == "consistent"


RNG = np.random.default_rng(6)


@pytest.mark.parametrize(
    "e",
    [
        np.full(100, 0.3),
        0.5 + 0.9 * (RNG.random(3200) - 0.5),
        0.5 + 0.95 * (RNG.random(6400) - 0.5),
        np.clip(0.5 + RNG.normal(0, 12**-0.5, 3200), 0, 1 - 2**-53),
        np.floor(256 * RNG.random(1600)) / 256,
    ],
    ids=["no-dither", "width-0.9", "scale-0.95", "gaussian", "8-bit"],
)
def test_wrong_laws_are_violated(e):
    assert judge(e) == "violated"


def test_dependence_on_a_covariate_is_violated():
    x = RNG.random(3200)
    e = (x + 0.2 * RNG.standard_normal(3200)) % 1
    assert judge(e) == "consistent"  # the marginal law is uniform
    assert judge(e, x) == "violated"


def test_cells_of_the_covariate_are_multiplied_before_averaging():
    e, x = np.random.default_rng(8).random((2, 300))
    test = UniformityTest()
    test.update(e, x)
    logs = [
        sum(
            log_dirichlet_evidence(np.bincount((e[cell] * m).astype(int), minlength=m), a)
            for cell in (np.floor(8 * x) == i for i in range(8))
        )
        for m in (2, 8, 32, 512)
        for a in (0.5, 8, 128)
    ]
    expected = np.logaddexp.reduce(logs) - np.log(12)
    assert test.log_evidence() == pytest.approx(expected, abs=1e-9)  # differences of lgamma near 1e5


def test_batches_order_and_merging_do_not_matter():
    e, x = RNG.random(1000), RNG.random(1000)
    whole, first, second = UniformityTest(), UniformityTest(), UniformityTest()
    whole.update(e, x)
    second.update(e[400:][::-1], x[400:][::-1])
    first.update(e[:400], x[:400])
    first.merge(second.state())
    assert first.state() == whole.state()
    assert first.log_evidence() == whole.log_evidence()
    fresh = UniformityTest()
    fresh.merge(whole.state())
    assert fresh.state() == whole.state()


def test_no_data():
    test = UniformityTest()
    test.update([])
    assert test.verdict() == "inconclusive"
    assert test.log_evidence() == pytest.approx(0, abs=1e-12)  # lgamma(m a) - lgamma(m a)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -0.1, 1.0, 2.0])
def test_values_outside_are_refused_and_leave_no_trace(bad):
    test = UniformityTest()
    with pytest.raises(ArgumentError, match=r"e\[1\]"):
        test.update([0.5, bad])
    with pytest.raises(ArgumentError, match=r"covariate\[1\]"):
        test.update([0.5, 0.5], [0.5, bad])
    assert test.verdict() == "inconclusive"


def test_misuse():
    test = UniformityTest()
    test.update([0.5])
    with pytest.raises(ArgumentError, match="every update or in none"):
        test.update([0.5], [0.5])
    other = UniformityTest()
    with pytest.raises(ArgumentError, match="covariate has 1 values"):
        other.update([0.5, 0.6], [0.5])
    other.update([0.5], [0.5])
    with pytest.raises(ArgumentError, match="only one"):
        test.merge(other.state())
    with pytest.raises(ArgumentError, match="alpha"):
        test.merge(UniformityTest(alpha=0.1).state())
    with pytest.raises(ArgumentError, match="alpha=0"):
        UniformityTest(alpha=0)
