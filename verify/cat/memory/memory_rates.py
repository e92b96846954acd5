"""Checks of `cat/memory-rates`: whole exact runs, and runs of `memory_gd`."""

from collections.abc import Callable, Iterable
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.optimizers import memory_gd
from impl.problems import Logistic
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.memory_runs import MEMORY_ASIDE, MEMORY_RUNS, NODES, memory_inside, memory_outside
from verify.cat.memory.exact_messages import State, kept
from verify.cat.memory.settings import PROBLEMS, ROUNDS, SETTINGS, contractions
from verify.comparison import LONG_RUN, Comparison
from verify.conformance.arguments import REFUSALS, arguments, taken
from verify.conformance.batched_runs import OTHER_RUNS, batched_runs, ran, set_aside

judge = checks_of("cat/memory-rates", keep=kept, method=memory_gd, ran=ran, taken=taken)

judge.sabotage(*REFUSALS, *OTHER_RUNS)
judge.sabotage(
    "eighth-average at exact/isotropic, exact/equal: Claim an eighth of the mean squared gradient. "
    "| average = average / 8, alone_average = alone_average / 8",
    "thrice-as-convex at exact/isotropic: Claim the rate of three times the constant. "
    "| bound = bound(mu = 3 * mu), alone = alone(mu = 3 * mu)",
    "eighth-gap at run/quad, run/nodes: Claim an eighth of the gap. | bound = bound / 8, "
    "alone = alone / 8, rate = rate / 8",
    "small-average at run/quad: Claim one part in 64 of the mean squared gradient. "
    "| average = average / 64, alone_average = alone_average / 64",
)
judge.sabotage_data(
    "turned, neutral: Reverse the order of the coordinates: nothing may change.",
    lambda name, order: {"name": name, "order": -order},
    at=tuple(f"exact/{name}" for name in SETTINGS),
)


# ---------------------------------------------------------------- exact


@judge.exact(instances={name: {"name": name, "order": 1} for name in SETTINGS})
def runs(law: Law, name: str, order: int) -> Iterable[Comparison]:
    """Expectations over a run against the rates, after each of its rounds."""
    setting = SETTINGS[name].turned(order)
    nodes, gamma, r, B = setting.nodes, setting.gamma, setting.made.r, setting.root_B**2
    leaves: list[tuple[F, State]] = [(F(1), setting.start)]
    known: dict[str, Any] = {"L": setting.L, "r": r, "Delta_0": nodes.gap(setting.x)}
    weight = law.of("cat/memory-descent").exactly("weight", gamma=gamma, L=setting.L, r=r)
    squares, Z = F(0), F(0)
    for T in range(1, ROUNDS.get(name, 8) + 1):
        for q, state in leaves:
            now = nodes.quantities(state, gamma)
            squares += q * now.G
            Z = max(Z, now.M - B * now.G)
        leaves = [
            (p * q, after)
            for p, state in leaves
            for q, after in nodes.after(state, setting.made.compress, gamma, law.keep)
        ]
        after = [(q, nodes.quantities(state, gamma)) for q, state in leaves]
        gap = sum((q * item.gap for q, item in after), F(0))
        potential = sum((q * (item.D + weight * item.H) for q, item in after), F(0))
        values = {**known, "gamma": gamma, "T": T, "Z": Z}
        convex, at = {**values, "mu": setting.mu}, {"T": T}
        yield le("average", squares / T, law.exactly("average", **values), witness=at)
        yield le("potential", potential, law.exactly("rate", **convex), witness=at, headline=True)
        yield le("gap", gap, law.exactly("bound", **convex), witness=at, headline=True)
        if nodes.n == 1:
            yield eq("step of one node", law.exactly("step", L=setting.L, r=r), gamma)
            bound = law.exactly("alone_average", **known, T=T)
            yield le("average of one node", squares / T, bound, witness=at)
            bound = law.exactly("alone", **known, mu=setting.mu, T=T)
            yield le("gap of one node", gap, bound, witness=at)
    for root in (F(0), r, F(99, 100)):
        step = law.exactly("step", L=setting.L, r=root) * law.exactly("shares", r=root)
        yield eq("step of gradient descent", step, 1 / setting.L, witness={"r": root})
        yield le("shares", law.exactly("shares", r=root), 4 / (1 - root**2), witness={"r": root})


# ---------------------------------------------------------------- runs of the method


def _nonconvex() -> Logistic:
    rng = np.random.default_rng(5)
    labels = np.where(rng.random((3, 8)) < 0.5, -1.0, 1.0)
    return Logistic(rng.standard_normal((3, 8, 12)), labels, 0.05, regulariser="nonconvex")


_PROBLEMS: dict[str, Callable[[], Any]] = {**PROBLEMS, "nonconvex": _nonconvex}


@judge.drift(instances={name: {"name": name, "rounds": 100} for name in _PROBLEMS})
def run(law: Law, rng: Any, name: str, rounds: int) -> Iterable[Comparison]:
    """Runs at the step that the claim allows, with the dissimilarity that they meet."""
    problem = _PROBLEMS[name]()
    for made, delta in contractions(problem.d):
        r, B = float(np.sqrt(1 - delta)), 1.0 if problem.n == 1 else 4.0
        gamma = (1 - r) / (2 * problem.L * np.sqrt(B))
        start = np.ones(problem.d)
        found = law.method(problem, made, step_size=gamma, rounds=rounds, rng=rng, trace=True, start=start)
        x, h = found.iterates[0], found.shifts[0]
        own = problem.gradients(x)
        G, M = (own.mean(axis=1) ** 2).sum(axis=-1), (own**2).sum(axis=(1, 2)) / problem.n
        Z = max(0.0, float((M - B * G)[:-1].max()))
        convex = problem.mu > 0
        least = problem.objective(problem.solution) if convex else 0.0  # these losses are positive
        gaps, D = problem.objective(x) - least, problem.objective(x - gamma * h.mean(axis=1)) - least
        weight = law.of("cat/memory-descent")("weight", gamma=gamma, L=problem.L, r=r)
        potentials = D + weight * (h**2).sum(axis=(1, 2)) / problem.n
        known = {"L": problem.L, "r": r, "Delta_0": float(gaps[0])}
        for T in range(20, rounds + 1, 20):
            at, values = {"compressor": repr(made), "T": T}, {**known, "gamma": gamma, "T": T, "Z": Z}
            average = float(G[:T].mean())
            yield le("average", average, law("average", **values), LONG_RUN, witness=at)
            if problem.n == 1:
                bound = law("alone_average", **known, T=T)
                yield le("average of one node", average, bound, LONG_RUN, witness=at)
            if not convex:
                continue
            values["mu"] = problem.mu
            shown: dict[str, Any] = {"witness": at, "headline": True}
            yield le("potential", float(potentials[T]), law("rate", **values), LONG_RUN, **shown)
            yield le("gap", float(gaps[T]), law("bound", **values), LONG_RUN, **shown)
            if problem.n == 1:
                bound = law("alone", **known, mu=problem.mu, T=T)
                yield le("gap of one node", float(gaps[T]), bound, LONG_RUN, witness=at)


# ---------------------------------------------------------------- the method, written out


@judge.exact(instance="runs", n=NODES)
def whole_runs(law: Law, n: int) -> Iterable[Comparison]:
    """Traces of runs in several chunks, of one replicate, literally, and of replicates beyond the range."""
    yield from batched_runs(law.ran, MEMORY_RUNS, seed=n)
    yield from set_aside(law.ran, MEMORY_ASIDE, seed=n)


@judge.exact(n=NODES)
def domain(law: Law, n: int) -> Iterable[Comparison]:
    """Steps, counts, starts and codecs that runs with memory take."""
    del n
    yield from arguments(law.taken, memory_inside(), memory_outside())
