import numpy as np
import pytest

from verify.comparison import DRIFT, Comparison
from verify.context import Context
from verify.errors import CheckError
from verify.rungs.run import MUTANTS, REPLICATES, DriftCase, TrajectoryCase, judge

HERE = Context("fake/one", "run", "here")
MUTANT = Context("fake/one", "run", "here", "mutant:wrong")
ROUNDS = 20
BOUNDS = 0.9 ** np.arange(1, ROUNDS + 1)


def contraction(factor, spread=0.2):
    """Return rows V_k = product of k independent factors of that mean."""

    def rows(rng, replicates):
        return np.cumprod(factor * (1 + spread * (2 * rng.random((replicates, ROUNDS)) - 1)), axis=1)

    return TrajectoryCase(lambda: BOUNDS, rows)


def test_a_run_within_its_bounds_is_consistent_not_proved():
    found = judge(contraction(0.9), HERE)
    assert (found.verdict, found.grade, found.tests) == ("consistent", "search", 1)
    assert found.samples == REPLICATES
    assert found.bound == pytest.approx(BOUNDS[found.witness["k"]])


def test_a_slower_run_is_violated():
    found = judge(contraction(0.99), HERE)
    assert (found.verdict, found.grade) == ("violated", "guaranteed")
    assert found.value > found.bound
    # 1.1^20 = 6.7 times the bound at the end, which one replicate cannot show at this level, but a few can.
    assert 1 < found.samples < REPLICATES
    assert found.witness["k"] > ROUNDS // 2


@pytest.mark.parametrize("wrong", [np.inf, np.nan])
def test_one_bound_that_is_not_finite_is_an_error(wrong):
    bounds = np.where(np.arange(ROUNDS) == 3, wrong, BOUNDS)
    case = TrajectoryCase(lambda: bounds, contraction(0.9).rows)
    with pytest.raises(CheckError, match="bounds must be finite; that of k=3 is not"):
        judge(case, HERE)


def test_a_mutant_may_take_twice_the_replicates():
    slightly = contraction(0.925)
    assert not judge(slightly, HERE).rejects
    found = judge(slightly, MUTANT)
    assert found.rejects
    assert REPLICATES < found.samples <= MUTANTS * REPLICATES


def test_an_honest_mutant_is_judged_to_the_end():
    found = judge(contraction(0.9), MUTANT)
    assert found.verdict == "consistent"
    assert found.samples == MUTANTS * REPLICATES


@pytest.mark.parametrize("end", [np.inf, np.nan])
def test_a_run_that_overflows_is_violated(end):
    def rows(rng, replicates):
        values = np.tile(BOUNDS, (replicates, 1))
        values[:, ROUNDS // 2 :] = end
        return values

    found = judge(TrajectoryCase(lambda: BOUNDS, rows), HERE)
    assert found.verdict == "violated"
    assert np.isfinite(found.value)
    assert found.witness["k"] >= ROUNDS // 2


def test_an_overflow_above_a_tiny_bound_raises_no_warning():
    case = TrajectoryCase(lambda: np.array([1e-20]), lambda rng, replicates: np.full((replicates, 1), np.inf))
    assert judge(case, HERE).verdict == "violated"


def test_a_bound_of_zero_is_violated_by_anything_above_it():
    bounds = np.array([1.0, 0.0])
    for value, verdict in ((0.0, "consistent"), (1e-3, "violated")):
        case = TrajectoryCase(
            lambda: bounds, lambda rng, replicates, v=value: np.tile([0.5, v], (replicates, 1))
        )
        assert judge(case, HERE).verdict == verdict


def test_trajectories_repeat_with_the_seed():
    case = contraction(0.9)
    assert judge(case, HERE) == judge(case, HERE)
    assert judge(case, HERE).value != judge(case, Context("fake/one", "run", "here", seed=1)).value


def states(factor):
    def compare(rng):
        for distance in rng.random(5):
            yield Comparison(
                "one step", "le", factor * distance, 0.9 * distance, DRIFT, {"distance": distance}
            )

    return DriftCase(compare)


def test_drift_within_its_bound_at_visited_states_proves_nothing():
    found = judge(states(0.9), HERE)
    assert (found.verdict, found.grade, found.samples, found.tests) == ("consistent", "search", 5, 0)
    assert found.tightness == pytest.approx(1.0)


def test_drift_above_its_bound_at_one_state_is_a_definite_violation():
    found = judge(states(0.9 + 1e-9), HERE)
    assert (found.verdict, found.grade) == ("violated", "numerical")
    assert "distance" in found.witness


def test_states_come_from_the_keyed_stream():
    assert judge(states(0.9), HERE) == judge(states(0.9), HERE)
    assert judge(states(0.9), HERE).witness != judge(states(0.9), MUTANT).witness


def test_a_run_that_visits_no_state_is_not_a_pass():
    with pytest.raises(CheckError, match="at least one"):
        judge(DriftCase(lambda rng: []), HERE)


def test_replicates_of_a_mutant_are_drawn_anew_each_time():
    drawn = []

    def rows(rng, count):
        drawn.append(float(rng.random()))
        return np.zeros((count, 2))

    judge(TrajectoryCase(lambda: [1.0, 1.0], rows), MUTANT)
    assert len(drawn) == len(set(drawn)) == MUTANTS
    judge(TrajectoryCase(lambda: [1.0, 1.0], rows), HERE)  # nor are those of the base among them
    assert len(set(drawn)) == len(drawn) > MUTANTS


@pytest.mark.parametrize(
    ("value", "verdict"), [(1.0, "consistent"), (1.3, "inconclusive"), (2.0, "violated")]
)
def test_a_mean_above_its_bound_is_no_success_although_too_few_replicates_refute_nothing(value, verdict):
    case = TrajectoryCase(lambda: BOUNDS, lambda rng, count: np.tile(value * BOUNDS, (count, 1)))
    found = judge(case, HERE)
    assert found.verdict == verdict
    assert ("more replicates are needed" in found.reason) is (verdict == "inconclusive")


@pytest.mark.parametrize(("p", "replicates"), [(0.99, 8), (0.99, 64), (0.5, 4)])
def test_a_mean_at_its_bound_is_in_doubt_as_rarely_as_the_level_says(p, replicates):
    """Where low values are rare and did not come, the mean lies above its bound and tells nothing."""
    found = {
        judge(
            TrajectoryCase(lambda: [1.0], lambda rng, n: (rng.random((n, 1)) < p) / p, replicates),
            Context("fake/one", "run", f"here-{seed}", seed=seed),
        ).verdict
        for seed in range(100)
    }
    assert found == {"consistent"}


def test_replicates_that_stay_with_the_bound_say_what_they_would_have_shown():
    few, many = (
        judge(TrajectoryCase(lambda: [1.0], lambda rng, n: np.full((n, 1), 0.5), replicates), HERE).reason
        for replicates in (8, 64)
    )
    # (1 + 0.95 (r - 1))^replicates = 14 / alpha.
    assert "all of them at 19.5 times the bound at one k" in few
    assert "all of them at 1.46 times the bound at one k" in many


def test_without_replicates_nothing_is_judged():
    with pytest.raises(CheckError, match="replicates=0 must be at least 1"):
        judge(TrajectoryCase(lambda: BOUNDS, lambda rng, n: np.zeros((n, ROUNDS)), replicates=0), HERE)


def test_one_run_is_not_many_replicates():
    def rows(rng, replicates):
        return np.tile(rng.random(3), (replicates, 1))

    with pytest.raises(CheckError, match="all 8 replicates are equal, and others on another stream"):
        judge(TrajectoryCase(lambda: np.ones(3), rows, replicates=8), HERE)
    still = TrajectoryCase(lambda: np.ones(3), lambda rng, r: np.full((r, 3), 0.5), replicates=8)
    assert judge(still, HERE).verdict == "consistent"


def test_a_run_without_rows_ends():
    with pytest.raises(CheckError, match="has no rows"):
        judge(TrajectoryCase(lambda: np.ones(3), lambda rng, r: np.ones((0, 3))), HERE)
