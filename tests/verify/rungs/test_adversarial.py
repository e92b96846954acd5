import numpy as np
import pytest

from verify.context import Context
from verify.errors import CheckError
from verify.rungs.adversarial import AdversarialCase, judge

WEIGHTS = np.array([4.0, 1.0, 2.0])


def value(x):
    return (WEIGHTS * x**2).sum(axis=-1)


def case(constant, **changes):
    return AdversarialCase(value, lambda x: constant * (x**2).sum(axis=-1), 3, **({"budget": 2000} | changes))


def judged(made, **changes):
    return judge(made, Context("fake/one", "adversarial", "here", **changes))


def test_a_tight_bound_is_consistent_with_tightness_one():
    found = judged(case(4.0))
    assert (found.verdict, found.grade) == ("consistent", "search")
    # The search stops within 1e-9 of a smooth maximum.
    assert found.tightness == pytest.approx(1.0, abs=1e-9)
    x = np.asarray(found.witness["x"])
    assert abs(x[0]) == pytest.approx(np.linalg.norm(x), rel=1e-4)
    assert found.samples <= 2000


def test_a_loose_bound_is_consistent_and_called_loose():
    found = judged(case(6.0))
    assert found.verdict == "consistent"
    assert found.tightness == pytest.approx(1.5, rel=1e-6)
    assert "loose by 1.5" in found.reason


def test_a_bound_that_is_exceeded_is_violated_with_a_witness():
    found = judged(case(3.9))
    assert (found.verdict, found.grade) == ("violated", "numerical")
    x = np.asarray(found.witness["x"])
    assert value(x) > 3.9 * (x @ x)
    assert found.value == pytest.approx(float(value(x)))
    assert found.rejects


def test_an_excess_of_round_off_is_no_violation():
    assert judged(case(4.0 * (1 - 1e-10))).verdict == "consistent"
    assert judged(case(4.0 * (1 - 1e-8))).verdict == "violated"


def test_a_start_that_violates_is_found_even_where_the_search_is_blind():
    # A spike at one direction that no ascent can find.
    spike = np.array([0.6, 0.0, 0.8])

    def spiked(x):
        return np.where(np.abs(x - spike).max(axis=-1) < 1e-12, 2.0, 0.5)

    blind = AdversarialCase(spiked, lambda x: np.ones(len(x)), 3, budget=1000)
    told = AdversarialCase(spiked, lambda x: np.ones(len(x)), 3, starts=(spike,), budget=1000)
    assert judged(blind).verdict == "consistent"
    assert judged(told).verdict == "violated"


def test_a_ratio_that_depends_on_the_scale_is_searched_at_all_scales():
    def bump(x):
        norm = np.sqrt((x**2).sum(axis=-1))
        return 2 * np.exp(-((norm - 3) ** 2))

    flat = AdversarialCase(bump, lambda x: np.ones(len(x)), 3, scale_invariant=False, budget=2000)
    assert judged(flat).verdict == "violated"


def test_a_ratio_is_not_taken_for_one_that_depends_on_the_direction_only():
    def quartic(x):
        return (x**4).sum(axis=-1)

    # On the sphere the bound is kept, and at three times a unit vector it is not.
    silent = AdversarialCase(quartic, lambda x: 2 * (x**2).sum(axis=-1), 3, budget=500)
    found = judged(silent)
    assert found.verdict == "violated"
    assert np.linalg.norm(found.witness["x"]) == pytest.approx(3.0)
    harmless = AdversarialCase(quartic, lambda x: 20 * (x**2).sum(axis=-1), 3, budget=500)
    with pytest.raises(CheckError, match="depends on the norm; say scale_invariant=False"):
        judged(harmless)
    assert judged(harmless, arm="mutant:wrong").verdict == "consistent"


@pytest.mark.parametrize(
    ("value", "bound", "verdict"),
    [
        (-2.0, -1.0, "consistent"),
        (-1.0, -1.0, "consistent"),
        (-1.0, -2.0, "violated"),
        (0.0, -1.0, "violated"),
    ],
)
def test_a_negative_bound_is_a_bound(value, bound, verdict):
    case = AdversarialCase(lambda x: np.full(len(x), value), lambda x: np.full(len(x), bound), 2, budget=200)
    assert judged(case).verdict == verdict


def test_a_gradient_saves_evaluations_and_finds_the_same():
    def gradient(x):
        return 2 * (WEIGHTS * x - value(x) * x) / 4.0

    assert judged(case(4.0, gradient=gradient)).tightness == pytest.approx(1.0, abs=1e-9)


def test_the_full_profile_searches_four_times_as_long():
    assert judged(case(4.0, budget=50)).samples <= 50
    assert 50 < judged(case(4.0, budget=50), profile="full").samples <= 200


def test_the_same_seed_finds_the_same_witness():
    assert judged(case(3.9), seed=3) == judged(case(3.9), seed=3)


def test_a_bound_that_vanishes_somewhere_raises_no_warning():
    kept = AdversarialCase(
        lambda x: x[:, 0] ** 2, lambda x: x[:, 0] ** 2, 3, starts=(np.eye(3)[1],), budget=500
    )
    assert judged(kept).verdict == "consistent"


def test_a_value_above_a_vanishing_bound_is_a_violation():
    broken = AdversarialCase(
        lambda x: (x**2).sum(axis=-1), lambda x: x[:, 0] ** 2, 3, starts=(np.eye(3)[1],), budget=500
    )
    found = judged(broken)
    assert found.verdict == "violated"


def test_a_bound_that_is_infinite_somewhere_hides_what_it_cannot_bound():
    def bound(x):
        return np.where(np.abs(x[:, 0]) < 0.1, 1.0, np.inf)

    with pytest.raises(CheckError, match="the bound is infinite at x="):
        judge(
            AdversarialCase(lambda x: 10 * np.abs(x[:, 0]), bound, 2, scale_invariant=False),
            Context("fake/one", "adversarial", "here"),
        )


@pytest.mark.parametrize("factor", [0.125, 3.0])
def test_a_ratio_is_looked_at_on_either_side_of_the_sphere(factor):
    def far(x):
        norm = np.linalg.norm(x, axis=-1)
        return np.where(np.abs(norm - factor) < 1e-3, 2.0, 0.5)

    assert judged(AdversarialCase(far, lambda x: np.ones(len(x)), 3, budget=200)).verdict == "violated"
