"""Checks of `cat/mn-nonconvex`: exact trees with several nodes, and exact steps along a run."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

from impl.adaptive import cat_st
from impl.communication import Affine
from verify.authoring import checks_of, eq, le, lt
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import mn4
from verify.cat.fixtures.node_trees import (
    EQUAL,
    MN4,
    Rows,
    Setting,
    largest_noise,
    noises_of,
    probabilities_of,
    solved,
)
from verify.cat.fixtures.recorded_run import louder, recorded_run, turned_run, without_noise
from verify.comparison import ROUND_OFF, Comparison
from verify.expectation.outcome_tree import QuadraticNodes, Vector, expected, inner, square


class BoundedNodes(QuadraticNodes):
    r"""$f_i(x)=\sum_j\frac{x_j^2}{1+x_j^2}-b_i^\top x$, curvatures from -1/2 to 2; no matrices."""

    def gradients(self, x: Vector) -> tuple[Vector, ...]:
        slopes = [2 * item / (1 + item**2) ** 2 for item in x]
        return tuple(
            tuple(s - b for s, b in zip(slopes, shifts, strict=True)) for shifts in self.linear or ()
        )

    def objective(self, x: Vector) -> Any:
        values = [sum(item**2 / (1 + item**2) for item in x) - inner(b, x) for b in self.linear or ()]
        return sum(values) / len(values)


class Bounded(Setting):
    """A setting with these nodes."""

    @property
    def nodes(self) -> QuadraticNodes:
        return BoundedNodes(self.matrices, self.linear)


judge = checks_of(
    "cat/mn-nonconvex",
    rule=partial(cat_st, cost=Affine(1, 0), entry_bits=1),
    record=recorded_run,
    setting=Bounded,
)

# The mean of the two is [[1, 1/2], [1/2, 1]], with the eigenvalues 3/2 and 1/2; there the mean of H_i^2 has
# 13/2 and 9/2, so B^2 = 18 suffices. Neither node is convex.
_INDEFINITE = solved(
    Setting(
        (((F(3), F(0)), (F(0), F(-1))), ((F(-1), F(1)), (F(1), F(3)))),
        ((F(0),) * 2,) * 2,
        (),
        (F(1), F(-2)),
        F(3, 2),
        F(1, 2),
        F(1, 20),
        2,
    )
)
# Two of the four corners: the tree of two rounds stays small.
_SEGMENT = replace(
    MN4, matrices=MN4.matrices[:2], linear=(MN4.linear[0], MN4.linear[3]), start=(F(1), F(1, 2)), rounds=2
)
# One node with half the squared norm and whole gradients: after one round the bound is attained.
_ATTAINED = replace(
    MN4, matrices=MN4.matrices[:1], linear=((F(0),) * 2,), start=(F(1), F(2)), step=F(1), rounds=2, T=2
)
# Settings with G^2 and B^2.
SETTINGS: dict[str, tuple[Setting, int, int]] = {
    "attained": (_ATTAINED, 0, 1),
    "corners-from-the-middle": (MN4, 2, 1),
    "corners-far": (replace(MN4, start=(F(2), F(2))), 2, 1),
    "two-corners": (_SEGMENT, 2, 1),
    "indefinite-nodes": (_INDEFINITE, 0, 18),
    "equal-nodes": (replace(EQUAL, rounds=2), 0, 1),
}
_TREES = tuple(f"exact/{name}" for name in SETTINGS)
_SHARP = ("attained", "corners-from-the-middle")

# ---------------------------------------------------------------- sabotages


judge.sabotage(
    "n-squared at exact/corners-from-the-middle, run/corners: Put n^2 for n: four times too small at the "
    "middle of four corners. | one_step = one_step(n = n**2)",
    "zero-b at exact/corners-far: Leave out B: at (2, 2) the objective falls by 1.40, not 1.43. "
    "| one_step = one_step(B_sq = 0)",
    "half-gap at exact/attained: Halve the part of the first gap: for whole gradients and the step 1 it is "
    "all of the squared gradient. | bound = bound(Delta_0 = Delta_0 / 2)",
    "half-step at exact/attained: Claim half of the largest step. | step = step / 2",
    "fifth-of-step at run/corners: Claim a fifth of the largest step: CAT-ST takes a longer one. "
    "| step = step / 5",
    "convex at exact/not-convex: Take $\\|x\\|^2$, which is convex, for $F$: all else holds.",
    {"setting": Setting},
    "half-tuned at exact/tuned-step: Claim half of the bound at the tuned step. | tuned = tuned / 2",
    "noiseless-step at run/corners: Run with the step 1/L, without the noise of the messages.",
    lambda law: law.replace(rule=without_noise(law.rule)),
    "loud-messages at run/corners: Messages are too large by a thousandth.",
    lambda law: law.replace(rule=louder(law.rule)),
    "turned-moves at run/corners: The run moves away from the mean of its messages.",
    {"record": turned_run},
)
judge.sabotage_data(
    "smaller-constants: Claim a third of G^2 and B^2.",
    lambda name, order, part: {"name": name, "order": order, "part": part / 3},
    "permuted-nodes, neutral: Reverse the order of the nodes: nothing may change.",
    lambda name, order, part: {"name": name, "order": -order, "part": part},
    at=_TREES,
)


# ---------------------------------------------------------------- checks


@judge.exact(instances={name: {"name": name, "order": 1, "part": F(1)} for name in SETTINGS})
def trees(law: Law, name: str, order: int, part: F) -> Iterable[Comparison]:
    """The change of each round and the mean squared gradients of the tree against the bounds."""
    given, *constants = SETTINGS[name]
    yield from _tree(law, given.permuted(order), *(part * item for item in constants), sharp=name in _SHARP)


@judge.exact(start=(F(1), F(-3, 2)), linear=((F(1, 2), F(-1, 4)), (F(-1, 2), F(1, 4))))
def not_convex(law: Law, start: Vector, linear: Rows) -> Iterable[Comparison]:
    """Two rounds at the largest step from a point where F, at least 0, is concave in each coordinate."""
    # The curvature is 2 at most, and the matrices are those of the largest; the slopes b_i cancel.
    widest = ((F(2), F(0)), (F(0), F(2)))
    setting = law.setting((widest,) * 2, linear, (F(0),) * 2, start, F(2), F(0), F(1, 3), 2)
    for j, place in enumerate(start):
        ends = [(*start[:j], place + h, *start[j + 1 :]) for h in (F(-1, 8), F(1, 8))]
        chord = sum(setting.nodes.objective(end) for end in ends) / 2
        yield lt("F above its chord", chord, setting.nodes.objective(start), witness={"j": j})
    yield from _tree(law, setting, square(linear[0]), F(1))


def _tree(law: Law, setting: Setting, G_sq: F, B_sq: F, *, sharp: bool = False) -> Iterable[Comparison]:
    nodes, levels = setting.nodes, setting.tree()
    shared = {"L": setting.L, "q": setting.q, "n": setting.n}
    yield le("step", setting.step, law.exactly("step", **shared, B_sq=B_sq))
    floor = nodes.objective(setting.solution)
    gaps = [expected(level, lambda leaf: nodes.objective(leaf.x)) - floor for level in levels]
    squares = [expected(level, lambda leaf: square(nodes.gradient(leaf.x))) for level in levels]
    for leaf in levels[0] + levels[1]:
        energies = [square(g) for g in nodes.gradients(leaf.x)]
        allowed = G_sq + B_sq * square(nodes.gradient(leaf.x))
        yield le("gradients of the nodes", sum(energies) / setting.n, allowed)
    for k in range(1, len(levels)):
        values = {**shared, "gamma": setting.step, "G_sq": G_sq}
        change = law.exactly("one_step", **values, B_sq=B_sq, G=squares[k - 1])
        yield le("gap", gaps[k], gaps[k - 1] + change, witness={"k": k}, headline=True)
        if k == 1 and sharp:
            yield eq("attained", gaps[k] - gaps[k - 1], change)
        bound = law.exactly("bound", **values, Delta_0=gaps[0], K=k)
        yield le("mean squared gradient", sum(squares[:k]) / k, bound, witness={"K": k})


@judge.exact(K=(1, 10, 10_000))
def tuned_step(law: Law, K: Sequence[int]) -> Iterable[Comparison]:
    """With the smaller of the two stated steps the bound is at most the stated sum."""
    setting, G_sq, B_sq = SETTINGS["corners-far"]
    noise = {"L": float(setting.L), "q": float(setting.q), "n": setting.n}
    for rounds in K:
        at = {**noise, "K": rounds, "Delta_0": 4.0, "G_sq": float(G_sq)}
        step = min(law("step", **noise, B_sq=B_sq), law("tuned_step", **at))
        bound = law("bound", **at, gamma=step)
        stated = law("tuned", **at, B_sq=B_sq)
        yield le("bound at the tuned step", bound, stated, ROUND_OFF, witness={"K": rounds})


@judge.drift(rounds=20, parameters={"K": 20})
def corners(law: Law, rng: Any, rounds: int) -> Iterable[Comparison]:
    """The run's own steps from the middle of the corners, and with them the exact mean changes of F."""
    problem = mn4()
    n, strong = problem.n, law.of("cat/mn-strong")
    for made in law.record(problem, law.rule, step_size=1.0, rounds=rounds, rng=rng, start=np.zeros(2)):
        x, gradients = made.x, problem.gradients(made.x)
        probabilities, mean = probabilities_of(gradients, made.sizes), gradients.mean(axis=0)
        noises = noises_of(gradients, probabilities)
        values = {"L": 1.0, "q": largest_noise(gradients, noises), "n": n}
        # The method is that of `cat/mn-strong`; its step is below the largest one of this claim.
        step = strong("step", **values)
        yield from made.hold(step, gradients, probabilities)
        taken = step if made.step is None else made.step
        witness = {"k": made.k}
        yield le("step", taken, law("step", **values, B_sq=1.0), ROUND_OFF, witness=witness)
        y = x - taken * mean
        # F = (|x|^2 + 2) / 2 for these nodes.
        change = (float(y @ y - x @ x) + taken**2 * sum(noises) / n**2) / 2
        # A change near 0 is the difference of two objectives of this size.
        size = float(x @ x + 2) / 2
        bound = size + law("one_step", **values, gamma=taken, G_sq=2.0, B_sq=1.0, G=float(mean @ mean))
        yield le("change", size + change, bound, ROUND_OFF, witness=witness, headline=True)
