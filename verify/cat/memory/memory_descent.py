"""Checks of `cat/memory-descent`: rounds of exact runs, and of runs of `memory_gd`."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.optimizers import memory_gd
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.memory.exact_messages import State, kept, mean
from verify.cat.memory.settings import PROBLEMS, ROUNDS, SETTINGS, Setting, contractions
from verify.comparison import ROUND_OFF, Comparison
from verify.expectation.outcome_tree import square


def moved(*arguments: Any, **options: Any) -> Any:
    """Sabotage: record points that are turned by a millionth."""
    found: Any = memory_gd(*arguments, **options)
    return replace(found, iterates=found.iterates + 1e-6 * np.roll(found.iterates, 1, axis=-1))


judge = checks_of("cat/memory-descent", keep=kept, method=memory_gd, step=1, average=mean)

judge.sabotage(
    "doubled at exact/equal, exact/top-3, exact/signs, exact/random-3, exact/nodes*: Keep twice what "
    "is lost.",
    {"keep": lambda whole, sent: tuple(2 * item for item in kept(whole, sent))},
    "longer-step at exact/*: The server takes twice the step.",
    {"step": 2},
    "moved at run/quad, run/nodes: The points of the run are turned by a millionth.",
    {"method": moved},
    "one-gradient-more at exact/isotropic: Claim a quarter more of the squared gradient there. "
    "| descent = descent - gamma * A / 4",
    "four-times at exact/isotropic: Claim four times the decrease. | round = round - gamma * G",
    "twice-as-convex at exact/isotropic: Claim the rate of twice the constant. | bound = bound(mu = 2 * mu)",
    "half-gap at exact/top-3, exact/signs, run/quad, run/nodes: Claim half of the bound at the point. "
    "| point = point / 2",
    "summed at exact/nodes, exact/nodes-one-bit: Take the sum of the memories for their mean.",
    {"average": lambda rows: tuple(len(rows) * item for item in mean(rows))},
    "quarter-nodes at exact/nodes: Claim a quarter of the dissimilarity. | nodes = nodes / 4",
)
judge.sabotage_data(
    "turned, neutral at exact/*: Reverse the order of the coordinates: nothing may change.",
    lambda name, order: {"name": name, "order": -order},
)


@judge.exact(instances={name: {"name": name, "order": 1} for name in SETTINGS})
def rounds(law: Law, name: str, order: int) -> Iterable[Comparison]:
    """Each round of an exact run, from each of its states."""
    setting = SETTINGS[name].turned(order)
    states = [setting.start]
    for k in range(ROUNDS.get(name, 5)):
        following = []
        for state in states:
            yield from _round(law, setting, state, k)
            following += [after for _, after in _after(law, setting, state)]
        states = following[:4]  # some of those that branch


def _after(law: Law, setting: Setting, state: State) -> list[tuple[F, State]]:
    found = setting.nodes.after(state, setting.made.compress, setting.gamma, law.keep)
    if law.step == 1:
        return found
    return [
        (q, after._replace(x=tuple(b + b - a for a, b in zip(state.x, after.x, strict=True))))
        for q, after in found
    ]


def _round(law: Law, setting: Setting, state: State, k: int) -> Iterable[Comparison]:
    nodes, gamma, r = setting.nodes, setting.gamma, setting.made.r
    now, at = nodes.quantities(state, gamma), {"k": k, "x": state.x}
    B = setting.root_B**2
    known: dict[str, Any] = {"gamma": gamma, "L": setting.L}
    weights = [law.exactly(part, **known, r=r) for part in ("half_weight", "weight")]
    Z = max(F(0), now.M - B * now.G)
    outcomes = [(q, after, nodes.quantities(after, gamma)) for q, after in _after(law, setting, state)]
    gradient = mean(nodes.gradients(state.x))
    for _, after, then in outcomes:
        before, stepped = nodes.virtual(state, gamma), nodes.virtual(after, gamma)
        for j in range(nodes.d):
            yield eq("virtual point", stepped[j], before[j] - gamma * gradient[j], witness=at)
        bound = law.exactly("descent", **known, D=now.D, A=now.A, G=now.G, H=now.H)
        yield le("descent", then.D, bound, witness=at)
    D, H = (sum((q * item for q, item in pairs), F(0)) for pairs in (
        [(q, then.D) for q, _, then in outcomes], [(q, then.H) for q, _, then in outcomes]))  # fmt: skip
    yield le("mean memory", square(law.average(state.h)), now.H, witness=at)
    bound = law.exactly("round", **known, D=now.D, G=now.G, H=now.H, r=r, Z=Z)
    yield le("round", D + weights[0] * H, bound, witness=at)
    bound = law.exactly("bound", **known, D=now.D, H=now.H, r=r, Z=Z, mu=setting.mu)
    yield le("polyak round", D + weights[1] * H, bound, witness=at, headline=True)
    yield le("point", now.gap, law.exactly("point", **known, D=now.D, H=now.H), witness=at)
    optimal = sum((square(row) for row in nodes.gradients(nodes.solution)), F(0)) / nodes.n
    L_max = max(map(max, nodes.a))
    bound = law.exactly("nodes", L_max=L_max, mu=setting.mu, G=now.G, optimal=optimal)
    yield le("dissimilar", now.M, bound, witness=at)


@judge.drift(instances={name: {"name": name, "rounds": 30} for name in PROBLEMS})
def run(law: Law, rng: Any, name: str, rounds: int) -> Iterable[Comparison]:
    """The same along runs of the method, at the step that the claim allows."""
    problem = PROBLEMS[name]()
    least = problem.objective(problem.solution)
    for made, delta in contractions(problem.d):
        r, B = float(np.sqrt(1 - delta)), 1.0 if problem.n == 1 else 4.0
        gamma = (1 - r) / (2 * problem.L * np.sqrt(B))
        start = np.ones(problem.d)
        found = law.method(problem, made, step_size=gamma, rounds=rounds, rng=rng, trace=True, start=start)
        x, h = found.iterates[0], found.shifts[0]
        virtual = x - gamma * h.mean(axis=1)
        own = problem.gradients(x)
        g, a = own.mean(axis=1), problem.gradients(virtual).mean(axis=1)
        D, gaps = problem.objective(virtual) - least, problem.objective(x) - least
        A, G, H, M = (
            (a**2).sum(axis=-1),
            (g**2).sum(axis=-1),
            (h**2).sum(axis=(1, 2)),
            (own**2).sum(axis=(1, 2)),
        )
        H, M = H / problem.n, M / problem.n
        known = {"gamma": gamma, "L": problem.L}
        weights = [law(part, **known, r=r) for part in ("half_weight", "weight")]
        for k in range(rounds):
            at, now = {"compressor": repr(made), "k": k}, {"D": D[k], "H": H[k]}
            off = np.abs(virtual[k + 1] - (virtual[k] - gamma * g[k])).max() / np.abs(virtual[k]).max()
            yield eq("virtual point", 1 + float(off), 1.0, ROUND_OFF, witness=at)
            Z = max(0.0, float(M[k] - B * G[k]))
            bound = law("descent", **known, **now, A=A[k], G=G[k])
            yield le("descent", float(D[k + 1]), bound, ROUND_OFF, witness=at)
            bound = law("round", **known, **now, G=G[k], r=r, Z=Z)
            yield le("round", float(D[k + 1] + weights[0] * H[k + 1]), bound, ROUND_OFF, witness=at)
            bound = law("bound", **known, **now, r=r, Z=Z, mu=problem.mu)
            potential = float(D[k + 1] + weights[1] * H[k + 1])
            yield le("polyak round", potential, bound, ROUND_OFF, witness=at)
            yield le("point", float(gaps[k]), law("point", **known, **now), ROUND_OFF, witness=at)
