"""Trajectories of the Lyapunov function of DIANA+ over replicates, and its checks on data."""

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from verify.binding import Check, Profile
from verify.comparison import Comparison
from verify.rungs.run import REPLICATES, DriftCase, TrajectoryCase
from verify.squant.data_sets import NODES, RIDGES, SPLITS, data_method, data_problem, needs
from verify.squant.diana_drift import one_step_comparisons, visited_states
from verify.squant.diana_settings import (
    Setting,
    data_setting,
    of_method,
    with_factors,
    with_identity_transform,
)

Sabotage = Callable[[Setting], Setting]


def unchanged(chosen: Setting) -> Setting:
    """Return the honest setting."""
    return chosen


def lyapunov_rows(
    chosen: Setting, honest: Setting, start: Any, rng: Any, *, rounds: int, replicates: int
) -> Any:
    """Return Psi_k of the honest setting at rounds 0..K of independent runs, (replicates, K + 1).

    A run with other matrices knows its shifts in another norm; of Psi it gives the squared distance alone,
    which is a lower bound.
    """
    result = chosen.run(start, rng, rounds=rounds, replicates=replicates)
    if chosen.compression is not honest.compression:
        return result.distance_sq
    sigma = (result.shift_distance_sq * np.array(honest.variance_constants)).mean(axis=-1)
    return honest.lyapunov(result.distance_sq, sigma)


def trajectory(
    make: Callable[[], Setting], sabotage: Sabotage, *, rounds: int, replicates: int = REPLICATES
) -> TrajectoryCase:
    """Psi over replicates from distance 1, at every round, against the rate of the honest setting."""
    honest = functools.cache(make)

    def start() -> Any:
        return honest().problem.solution + 1 / np.sqrt(honest().problem.d)

    def bounds() -> Any:
        rng = np.random.Generator(np.random.Philox(0))  # Psi_0 needs no randomness: the shifts begin at zero
        psi = lyapunov_rows(honest(), honest(), start(), rng, rounds=1, replicates=1)[0, 0]
        return honest().rate(float(psi), rounds)

    def rows(rng: Any, replicates: int) -> Any:
        # A mutant changes the run, not the yardstick.
        wrong = sabotage(honest())
        return lyapunov_rows(wrong, honest(), start(), rng, rounds=rounds, replicates=replicates)[:, 1:]

    return TrajectoryCase(bounds, rows, replicates)


def data_checks() -> tuple[Check, ...]:
    """Return the checks on data: the embedded set, phishing with each compression, and the experiments."""
    return (
        *_data_checks("breast-cancer", _breast_cancer, {"data": "breast cancer", "n": 8, "ridge": 0.01}),
        *(
            check
            for compression in ("standard", "block", "varying", "sparsification")
            for check in _data_checks(
                f"phishing-{compression}",
                functools.partial(_phishing, compression),
                {"data": "phishing", "n": 6, "ridge": 5e-3, "compression": compression},
                needs="phishing",
                sabotaged=compression == "varying",
            )
        ),
        *(
            check
            for name in RIDGES
            for split in SPLITS
            if needs(name)
            for check in _data_checks(
                f"{name}-{split}-of-the-experiments",
                functools.partial(_experiment, name, split),
                {"data": name, "split": split, "n": NODES, "ridge": RIDGES[name]},
                needs=needs(name),
                sabotaged=False,
                profile="full",
            )
        ),
    )


def _breast_cancer() -> Setting:
    from impl.problems import breast_cancer_logistic

    return data_setting(breast_cancer_logistic())


def _experiment(name: str, split: str) -> Setting:
    return of_method(data_method(name, split, "diana_plus", "varying", data_problem(name, split).d ** 0.5))


def _phishing(compression: str) -> Setting:
    from impl.problems import Logistic, label_sorted_split, load_libsvm

    return data_setting(Logistic(*label_sorted_split(*load_libsvm("phishing"), 6), 5e-3), compression)


def _data_checks(
    name: str,
    make: Callable[[], Setting],
    parameters: dict[str, Any],
    needs: str = "",
    sabotaged: bool = True,
    profile: Profile = "quick",
) -> Iterable[Check]:
    """Drift at visited states, and Psi at every round over replicates, on logistic regression."""
    # In the quick profile fewer replicates: enough to reject its mutant.
    rounds, replicates = (150, REPLICATES) if needs else (60, 25)
    shared: dict[str, Any] = {"needs": needs, "profile": profile}
    settled = functools.cache(make)

    def drift(sabotage: Sabotage) -> DriftCase:
        def compare(rng: Any) -> Sequence[Comparison]:
            chosen = sabotage(settled())
            x, h = visited_states(chosen, rng, rounds=100, replicates=2, every=20)
            return list(one_step_comparisons(chosen, x, h, "visited"))

        return DriftCase(compare)

    def path(sabotage: Sabotage) -> TrajectoryCase:
        return trajectory(settled, sabotage, rounds=rounds, replicates=replicates)

    loud: dict[str, Sabotage] = {"four-times-learning-rate": lambda chosen: with_factors(chosen, rate=4.0)}
    if needs:  # on the embedded data the bound is too loose to see this one
        loud["four-times-step"] = lambda chosen: with_factors(chosen, step=4.0)
        loud["unaware-transform"] = with_identity_transform
    mutants = {key: path(sabotage) for key, sabotage in loud.items()} if sabotaged else {}
    yield Check("run", f"{name}-drift", drift(unchanged), {**parameters, "rounds": 100}, {}, 1.0, **shared)
    yield Check(
        "run",
        f"{name}-trajectory",
        path(unchanged),
        {**parameters, "rounds": rounds},
        mutants,
        seconds=3.0,
        **shared,
    )
