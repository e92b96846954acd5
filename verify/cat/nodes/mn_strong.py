"""Checks of `cat/mn-strong`: exact trees with several nodes, and exact steps along runs."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np
from sympy import IndexedBase, Symbol

from impl.adaptive import cat_st
from impl.communication import Affine
from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import logi, mn4
from verify.cat.fixtures.node_trees import (
    EQUAL,
    MN2,
    MN4,
    Setting,
    common_draws,
    largest_noise,
    noises_of,
    probabilities_of,
)
from verify.cat.fixtures.recorded_run import louder, recorded_run, turned_run, without_noise
from verify.cat.fixtures.rule_arguments import runs_inside, runs_outside
from verify.cat.fixtures.whole_runs import OTHER_RECORDS, recorded, whole_runs
from verify.cat.nodes.written_runs import RUN_FAULTS, RUNS, STATED_RUN, compare_run
from verify.comparison import ROUND_OFF, Comparison
from verify.conformance.arguments import REFUSALS, arguments, taken
from verify.expectation.outcome_tree import expected, independent_mean, mean_vector, square

judge = checks_of(
    "cat/mn-strong",
    joint=independent_mean,
    tree=Setting.tree,
    rule=partial(cat_st, cost=Affine(1, 0), entry_bits=1),
    written=STATED_RUN,
    record=recorded_run,
    taken=taken,
    recorded=recorded,
)

SETTINGS = {
    "mn2": MN2,
    "mn2-from-the-solution": replace(MN2, start=MN2.solution, rounds=2),
    "corners-from-the-middle": MN4,
    "corners": replace(MN4, start=(F(1), F(2)), rounds=2),
    "equal-nodes": EQUAL,
    "whole-gradients": replace(MN2, T=2, rounds=2),
}
# Of the kind of "corners-from-the-middle" and "mn2", which notice all that it notices.
MORE = "corners"
_TREES = tuple(f"exact/{name}" for name in SETTINGS)
_n = Symbol("n", real=True)

# ---------------------------------------------------------------- sabotages


judge.sabotage(*REFUSALS, *OTHER_RECORDS)
judge.sabotage(
    "drop-noise at exact/mn2-from-the-solution, exact/corners-from-the-middle, run/corners: Leave out the "
    "noise: from the solution the bound is 0. | bound = bound(sigma_sq = 0), noise = noise(sigma_sq = 0)",
    "noise-over-n-squared at exact/corners-from-the-middle, run/corners: Divide the noise by n^2: at the "
    "middle of four corners half of what is there. "
    "| bound = bound(sigma_sq = sigma_sq / n), noise = noise(sigma_sq = sigma_sq / n)",
    "common-mask at exact/equal-nodes: Draw the same entries on all nodes: with equal nodes the variance is "
    "n times as large.",
    {"joint": common_draws},
)


@judge.mutant(
    "Leave the noise of one node out of the second moment of the average.", at=("exact/equal-nodes",)
)
def missing_node(law: Law) -> Law:
    last = [IndexedBase(name, real=True)[_n - 1] for name in ("omega", "E")]
    return law.replace(second_moment=lambda formula: formula - (1 / last[0] - 1) * last[1] / _n**2)


judge.sabotage(
    "lost-outcome at exact/mn2, exact/corners, exact/equal-nodes, exact/whole-gradients: Lose an outcome of "
    "the average of the messages.",
    joint=lambda laws: independent_mean(laws)[1:],
)
judge.sabotage(
    "lost-leaf: Lose a leaf of the tree.",
    tree=lambda setting: [level[1:] for level in setting.tree()],
    at=_TREES,
)
judge.sabotage(
    "half-rounds at exact/accuracy: Claim the accuracy after half of the rounds, at the stated step. "
    "| rounds = rounds / 2",
    "double-step at run/*: Claim a step twice as long: the settings do not show it, runs do. "
    "| step = 2 * step",
    "tenth-of-step at exact/mn2: Claim a tenth of the largest step. | step = step / 10",
    "noiseless-step at run/*: Run with the step 1/L, without 2 q_k/n for the noise of the messages.",
    lambda law: law.replace(rule=without_noise(law.rule)),
    "loud-messages at run/*: Messages are too large by a thousandth.",
    lambda law: law.replace(rule=louder(law.rule)),
    "turned-moves at run/*: The run moves away from the mean of its messages.",
    {"record": turned_run},
)


def _written(fault: str, description: str, *runs: str) -> None:
    at = tuple(f"exact/literal-{name}" for name in runs or RUNS)
    judge.mutant(description, at=at, name=fault)(lambda law: law.replace(written=RUN_FAULTS[fault]))


_written("mean-noise", "q_k is the mean over the nodes in place of the largest.", "*nodes*")
_written(
    "charged-at-the-mean",
    "Each message is charged with the expected number of entries.",
    *("st", "st-small-packets", "st-nodes", "st-nodes-packets"),
)
_written("summed-charges", "Bits and costs are sums over the nodes in place of means.", "*nodes*")
_written("a-bit-more", "Each message is charged one bit too much.")
_written("longer-step", "The step is longer by a millionth.")
_written("bits-before", "A bit is charged before the first round.")


judge.sabotage_data(
    "permuted-nodes, neutral: Reverse the order of the nodes: nothing may change.",
    lambda name, order: {"name": name, "order": -order},
    at=_TREES,
)


# ---------------------------------------------------------------- exact trees


def _constants(setting: Setting) -> dict[str, Any]:
    """Return the constants of the bound by the names of the claim."""
    at_solution = [square(g) for g in setting.nodes.gradients(setting.solution)]
    return {
        "mu": setting.mu,
        "gamma": setting.step,
        "q": setting.q,
        "n": setting.n,
        "sigma_sq": sum(at_solution) / setting.n,
        "D_0": setting.distance(setting.start),
    }


@judge.exact(instances={MORE: {"name": MORE, "order": 1}}, profile="full")
@judge.exact(instances={name: {"name": name, "order": 1} for name in SETTINGS if name != MORE})
def trees(law: Law, name: str, order: int) -> Iterable[Comparison]:
    """Second moments and expected distances of the tree against the claim."""
    setting = SETTINGS[name].permuted(order)
    values = _constants(setting)
    yield le("step", setting.step, law.exactly("step", L=setting.L, q=setting.q, n=setting.n))
    yield from _second_moment(law, setting)
    noise = law.exactly("noise", **{key: values[key] for key in ("gamma", "q", "sigma_sq", "n")})
    before = values["D_0"]
    for k, level in enumerate(law.tree(setting)):
        witness = {"k": k, "leaves": len(level)}
        distance = expected(level, lambda leaf: setting.distance(leaf.x))
        yield eq("total probability", expected(level, lambda leaf: 1), 1)
        stated = law.exactly("bound", **values, K=k)
        yield le("squared distance", distance, stated, witness=witness, headline=k > 0)
        if k:
            recursion = (1 - setting.step * setting.mu) * before + noise
            yield le("one round", distance, recursion, witness=witness)
        before = distance


def _second_moment(law: Law, setting: Setting) -> Iterable[Comparison]:
    """The second moment of the average of the messages over all outcomes against the stated one."""
    gradients = setting.nodes.gradients(setting.start)
    outcomes = setting.law(gradients, law.joint)
    mean, energies = mean_vector(gradients), [square(g) for g in gradients]
    shares = [
        energy / sum(item * item / p for item, p in zip(g, setting.probabilities(g), strict=True) if item)
        if energy
        else F(1)
        for g, energy in zip(gradients, energies, strict=True)
    ]
    second = sum(probability * square(vector) for probability, vector in outcomes)
    # The variance: the squared mean would hide most of a wrong noise.
    variance = law.exactly("second_moment", G=0, E=energies, omega=shares, n=setting.n)
    yield eq("variance of the average", second - square(mean), variance)
    for j, item in enumerate(mean):
        yield eq("mean of an entry", sum(p * v[j] for p, v in outcomes), item, witness={"j": j})


@judge.exact(epsilon=(1.0, 0.1, 1e-3))
def accuracy(law: Law, epsilon: Sequence[float]) -> Iterable[Comparison]:
    """With the stated step and number of rounds the bound is at most the accuracy."""
    values = {key: float(item) for key, item in _constants(MN2).items() if key != "gamma"} | {"n": 2}
    noise = {key: values[key] for key in ("q", "n")}
    L = float(MN2.L)
    for least in epsilon:
        target = {**noise, "epsilon": least, "mu": values["mu"], "sigma_sq": values["sigma_sq"]}
        step = min(law("step", L=L, **noise), law("target_step", **target))
        rounds = int(np.ceil(law("rounds", L=L, D_0=values["D_0"], **target)))
        bound = law("bound", **values, gamma=step, K=rounds)
        yield le("bound after the rounds", bound, least, ROUND_OFF, witness={"K": rounds})


# ---------------------------------------------------------------- exact steps at the points of runs


@judge.drift(
    instances={
        "corners": {"problem": "corners", "rounds": 20},
        "logistic": {"problem": "logistic", "rounds": 15},
    }
)
def from_the_solution(law: Law, rng: Any, problem: str, rounds: int) -> Iterable[Comparison]:
    """The run's own steps from x*, and with them the exact mean of the squared distance after each round."""
    chosen: Any = mn4() if problem == "corners" else logi(40, 16, 0.9, 0.31, 1.0, 0.05, n=4)
    L, solution = float(chosen.L_nodes.max()), chosen.solution
    run = law.record(chosen, law.rule, step_size=1 / L, rounds=rounds, rng=rng, start=solution)
    sigma_sq = float((chosen.gradients(solution) ** 2).sum(axis=-1).mean())
    for made in run:
        gradients = chosen.gradients(made.x)
        probabilities = probabilities_of(gradients, made.sizes)
        noises = noises_of(gradients, probabilities)
        values = {"n": chosen.n, "q": largest_noise(gradients, noises)}
        step = law("step", L=L, **values)
        yield from made.hold(step, gradients, probabilities)
        taken = step if made.step is None else made.step
        y = made.x - taken * gradients.mean(axis=0) - solution
        after = float(y @ y) + taken**2 * sum(noises) / chosen.n**2
        noise = law("noise", **values, sigma_sq=sigma_sq, gamma=step)
        bound = (1 - step * chosen.mu) * float(((made.x - solution) ** 2).sum()) + noise
        witness = {"k": made.k, "T": made.sizes.tolist()}
        yield le("squared distance", after, bound, ROUND_OFF, witness=witness, headline=True)


# ---------------------------------------------------------------- the method, written out


@judge.exact(instances={f"literal-{name}": {"name": name} for name in RUNS})
def literal(law: Law, name: str) -> Iterable[Comparison]:
    """Runs on singular matrices with one heavy node: iterates, bits and costs against a loop over nodes."""
    yield from compare_run(name, law.written)


@judge.exact(nodes=(1, 2))
def domain(law: Law, nodes: Sequence[int]) -> Iterable[Comparison]:
    """Steps, counts, starts and rules that runs take: on several nodes unbiased ones."""
    del nodes
    yield from arguments(law.taken, runs_inside(), runs_outside())


@judge.exact(instance="runs", seed=5)
def records(law: Law, seed: int) -> Iterable[Comparison]:
    """All that runs record, also of replicates that end or overflow, against a loop over them."""
    yield from whole_runs(law.recorded, seed)
