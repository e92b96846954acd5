"""Exact one-step drift of DIANA+: expectations at visited states against the bounds of `squant/diana`."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from verify.comparison import DRIFT, Comparison
from verify.squant.diana_settings import Setting, formula


def one_step_comparisons(chosen: Setting, x: Any, h: Any, label: str) -> Iterable[Comparison]:
    """Hold both exact expectations against their bounds at states x (R, d) with shifts h (R, n, d)."""
    problem, step, n = chosen.problem, chosen.step, chosen.problem.n
    limit = problem.gradients(problem.solution)
    distances = ((x - problem.solution) ** 2).sum(axis=-1)
    sigmas = chosen.shift_error((chosen.compression.apply_pseudo_inverse_root(h - limit) ** 2).sum(axis=-1))
    bregman = problem.bregman(x, problem.solution).mean(axis=-1)
    parts = (step.drift(x), step.node_variances(x, h), step.shift_means(x, h), step.shift_variances(x, h))
    for r, (drift, V, m, w) in enumerate(zip(*parts, strict=True)):
        gamma, alpha = chosen.step_size, chosen.learning_rate
        distance = formula("one_step_exact", drift=float(drift), V=V, gamma=gamma, n=n)
        sigma = formula("shift_exact", Lcal=chosen.variance_constants, m=m, w=w, alpha=alpha, n=n)
        bound = formula(
            "one_step",
            distance=float(distances[r]),
            sigma=float(sigmas[r]),
            gamma=gamma,
            alpha=alpha,
            mu=problem.mu,
            n=n,
        )
        learnt = formula(
            "shift_bound",
            sigma=float(sigmas[r]),
            Lcal_max=max(chosen.variance_constants),
            bregman=float(bregman[r]),
            alpha=alpha,
        )
        witness = {"x": x[r], "shifts": h[r], "gamma": gamma, "alpha": alpha}
        value = float(chosen.lyapunov(distance, sigma))
        yield Comparison(f"Lyapunov function, {label}", "le", value, bound, DRIFT, witness, headline=True)
        yield Comparison(f"error of the shifts, {label}", "le", sigma, learnt, DRIFT, witness)


def visited_states(
    chosen: Setting, rng: Any, *, rounds: int, replicates: int = 4, every: int = 1
) -> tuple[Any, Any]:
    """Return states (R, d) and shifts (R, n, d) that runs visit, from a start at distance about 1."""
    problem = chosen.problem
    start = problem.solution + rng.standard_normal(problem.d) / np.sqrt(problem.d)
    result = chosen.run(start, rng, rounds=rounds, replicates=replicates, trace=True)
    if not (np.isfinite(result.iterates).all() and np.isfinite(result.shifts).all()):
        return start[None], np.zeros((1, problem.n, problem.d))  # a diverging mutant: its start must do
    x, h = result.iterates[:, ::every], result.shifts[:, ::every]
    return x.reshape(-1, problem.d), h.reshape(-1, problem.n, problem.d)
