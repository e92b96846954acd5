"""Checks of `cat/sq-descent`: one step in rationals and at `gi`, a search over quadratics, runs."""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction as F
from typing import Any, Literal

import numpy as np

import theory
from impl.adaptive import Choice, cat_sq
from impl.communication import Affine
from impl.compressors import Draws, TopKSigns
from impl.optimizers.cat_gd import cat_gd
from impl.problems import Quadratic
from verify.binding import Check
from verify.cat.golden_vectors import GI, isotropic, quad
from verify.cat.literal_shares import alphas, betas, float_alphas, float_betas
from verify.cat.rational_descent import RationalQuadratic, squared_norm
from verify.comparison import ROUND_OFF, Comparison
from verify.evaluation import evaluate, evaluate_exact
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "cat/sq-descent"
# Gradients of rational norm, with ties and a zero.
VECTORS: tuple[tuple[int, ...], ...] = (
    (3, -4),
    (1, -2, 2),
    (-2, 3, 6),
    (4, -8, 1, 0),
    (1, 1, -1, 1),
    (2, 2, -4, 5, 0),
)
SEARCHED = 3
"""Dimension of the search over gradients and Hessians."""


@dataclass(frozen=True)
class Rule:
    """What is sent or claimed: as stated, or with one fault.

    Args:
        step: `stated`, `root` for sqrt(beta)/L or `full` for 1/L.
        mean: Whether the mean magnitude is sent, with the step 1/L.
        entries: Whether the share alpha of the entries themselves is claimed.
        part: What part of the guarantee is claimed.
    """

    step: str = "stated"
    mean: bool = False
    entries: bool = False
    part: F = F(1)

    def factor(self, choice: Choice) -> float:
        """Return the step times L for a choice of CAT-SQ."""
        if self.mean or self.step == "full":
            return 1.0
        return float(choice.share) ** 0.5 if self.step == "root" else float(choice.step_factor)


STATED = Rule()
RULES = {
    "step-without-root": Rule(step="root"),
    "full-step": Rule(step="full"),
    "share-of-entries": Rule(entries=True),
    "half-guarantee": Rule(part=F(1, 2)),
    "double-guarantee": Rule(part=F(2)),
    "most-of-the-guarantee": Rule(part=F(9, 10)),
    "mean-magnitude": Rule(mean=True),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    exactly = ("full-step", "share-of-entries", "most-of-the-guarantee", "mean-magnitude")
    golden = ("step-without-root", "full-step", "share-of-entries", "mean-magnitude")
    along = ("step-without-root", "full-step", "share-of-entries", "half-guarantee", "mean-magnitude")
    stepped = ("step-without-root", "full-step", "mean-magnitude")
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.3),
        Check(
            "exact",
            "rational-norms",
            ExactCase(functools.partial(compare_rational, STATED)),
            {"g": VECTORS, "T": "all"},
            {name: ExactCase(functools.partial(compare_rational, RULES[name])) for name in exactly},
            seconds=0.4,
        ),
        Check(
            "exact",
            "gi",
            ExactCase(functools.partial(compare_gi, STATED)),
            {"g": GI, "F": "||x||^2 / 2", "T": "all"},
            {name: ExactCase(functools.partial(compare_gi, RULES[name])) for name in golden},
            seconds=0.1,
        ),
        Check(
            "adversarial",
            "quadratics",
            _search(STATED),
            {"d": SEARCHED, "T": 2},
            {"share-of-entries": _search(RULES["share-of-entries"])},
            seconds=0.5,
        ),
        Check(
            "run",
            "quad",
            DriftCase(functools.partial(compare_run, STATED)),
            {"problem": "quad", "C": ("T + 5", "T + 60"), "rounds": 60},
            {
                name: DriftCase(functools.partial(compare_run, RULES[name]))
                for name in (*stepped, "double-guarantee")
            },
            seconds=0.1,
        ),
        Check(
            "run",
            "isotropic",
            DriftCase(functools.partial(compare_isotropic_run, STATED)),
            {"problem": "3 ||x||^2 / 2", "d": 20, "C": ("T + 5", "T + 60"), "rounds": 30},
            {name: DriftCase(functools.partial(compare_isotropic_run, RULES[name])) for name in along},
            seconds=0.1,
        ),
    )


def _sum(g: Sequence[Any], T: int) -> Any:
    return sum(sorted((abs(item) for item in g), reverse=True)[:T])


def compare_rational(rule: Rule) -> Iterable[Comparison]:
    """One step in rationals: equality on isotropic quadratics, at least the guarantee on others."""
    claim = theory.claim(CLAIM)
    for g in VECTORS:
        gradient, square = [F(item) for item in g], squared_norm(g)
        N = F(round(float(square) ** 0.5))
        for T in range(1, sum(1 for item in g if item) + 1):
            S, share = _sum(gradient, T), (alphas if rule.entries else betas)(gradient)[T - 1]
            for problem in (
                RationalQuadratic((3,) * len(g)),
                RationalQuadratic(tuple(1 + j % 3 for j in range(len(g)))),
                RationalQuadratic((1,) * len(g), tuple((-1) ** j for j in range(len(g)))),
            ):
                L = problem.L
                if rule.step == "full" or rule.mean:
                    step = 1 / L
                else:
                    step = F(str(evaluate_exact(claim.formulas["step"], {"S": S, "T": T, "L": L, "N": N})))
                sent = TopKSigns(T, scale="mean" if rule.mean else "norm").reference(gradient, Draws())
                moved = [step * item for item in sent]
                # The decrease of a quadratic needs its gradient only.
                inner = sum((one * other for one, other in zip(gradient, moved, strict=True)), F(0))
                decrease = inner - problem.value(moved)
                values = {"beta": share, "G": square, "L": L}
                stated = rule.part * F(str(evaluate_exact(claim.bound, values)))
                label, witness = f"g={g}, T={T}, h={problem.diagonal}", {"g": g, "T": T}
                if problem.diagonal == (3,) * len(g):
                    yield Comparison(f"{label}: decrease", "eq", decrease, stated, witness=witness)
                yield Comparison(f"{label}: at least", "le", stated, decrease, witness=witness, headline=True)


def compare_gi(rule: Rule) -> Iterable[Comparison]:
    """One step on the isotropic quadratic at the golden vector, for all sizes."""
    claim, x = theory.claim(CLAIM), np.array(GI, dtype=float)
    square = float(x @ x)
    for T in range(1, len(x) + 1):
        beta = float(float_betas(x)[T - 1])
        choice = Choice(T, beta, beta, (beta / T) ** 0.5, 1, None)
        values = {"S": float(_sum(GI, T)), "T": T, "L": 1, "N": square**0.5}
        step = evaluate(claim.formulas["step"], values)
        by_share = evaluate(claim.formulas["step_by_share"], {"beta": beta, "T": T, "L": 1})
        yield Comparison(f"T={T}: both forms of the step", "eq", step, by_share, ROUND_OFF)
        sent = TopKSigns(T, scale="mean" if rule.mean else "norm").compress(x, Draws())
        taken = step if rule.step == "stated" and not rule.mean else rule.factor(choice)
        after = x - taken * sent
        share = float(float_alphas(x)[T - 1]) if rule.entries else beta
        stated = float(rule.part) * evaluate(claim.bound, {"beta": share, "G": square, "L": 1})
        label, decrease = f"T={T}: decrease", (square - float(after @ after)) / 2
        yield Comparison(label, "eq", decrease, stated, ROUND_OFF, {"T": T}, headline=True)


def _search(rule: Rule) -> AdversarialCase:
    """Search gradients and Hessians M M^T for the largest guarantee over the decrease, T = 2."""
    T, formula = 2, theory.claim(CLAIM).bound

    def parts(inputs: Any) -> tuple[Any, Any]:
        points = np.asarray(inputs)
        roots = points[:, SEARCHED:].reshape(-1, SEARCHED, SEARCHED)
        return points[:, :SEARCHED], roots @ np.swapaxes(roots, -1, -2)

    def guarantee(inputs: Any) -> Any:
        g, H = parts(inputs)
        L = np.linalg.eigvalsh(H)[:, -1]
        found = np.zeros(len(g))
        for place, (gradient, own) in enumerate(zip(g, L, strict=True)):
            square = float(gradient @ gradient)
            if own > 0 and square > 0:
                share = float((float_alphas if rule.entries else float_betas)(gradient)[T - 1])
                found[place] = evaluate(formula, {"beta": share, "G": square, "L": float(own)})
        return found

    def decrease(inputs: Any) -> Any:
        g, H = parts(inputs)
        L = np.linalg.eigvalsh(H)[:, -1]
        sent = TopKSigns(T, scale="mean").compress(g, Draws())
        moved = sent / np.where(L > 0, L, 1.0)[:, None]
        bends = np.einsum("ni,nij,nj->n", moved, H, moved)
        return np.einsum("ni,ni->n", g, moved) - bends / 2

    round_bowl = np.concatenate([np.array([3.0, 2.0, 1.0]), np.eye(SEARCHED).ravel()])
    flat = np.concatenate([np.ones(SEARCHED), np.diag([1.0, 0.5, 0.2]).ravel()])
    return AdversarialCase(
        guarantee, decrease, SEARCHED * (SEARCHED + 1), starts=(round_bowl, flat), budget=800
    )


def compare_run(rule: Rule, rng: Any) -> Iterable[Comparison]:
    """Every iteration of runs takes the objective down by at least the guarantee."""
    yield from _along(rule, rng, quad(), np.ones(20), rounds=60, relation="le")


def compare_isotropic_run(rule: Rule, rng: Any) -> Iterable[Comparison]:
    """Every iteration of runs takes an isotropic objective down by just the guarantee."""
    d = 20
    yield from _along(rule, rng, isotropic(d, 3), np.cos(np.arange(1.0, d + 1)), rounds=30, relation="eq")


def _along(
    rule: Rule, rng: Any, problem: Quadratic, start: Any, *, rounds: int, relation: Literal["eq", "le"]
) -> Iterable[Comparison]:
    """Hold objective and guarantee of all iterations of runs at two costs."""
    claim = theory.claim(CLAIM)
    for fixed in (5, 60):
        cost = Affine(1, fixed)

        def choose(g: Any, cost: Any = cost) -> Choice:
            choice = cat_sq(g, cost, entry_bits=1)
            compressor = TopKSigns(choice.size, scale="mean") if rule.mean else choice.compressor
            share = float(float_alphas(g)[choice.size - 1]) if rule.entries else choice.share
            return replace(choice, share=share, step_factor=rule.factor(choice), compressor=compressor)

        result = cat_gd(problem, choose, step_size=1 / problem.L, rounds=rounds, rng=rng, start=start)
        objective = result.objective[0]
        for k in range(result.rounds):
            beta, square = float(result.shares[0, k, 0]), float(result.gradient_norm_sq[0, k])
            values = {"beta": beta, "G": square, "L": problem.L}
            stated = float(rule.part) * evaluate(claim.bound, values)
            label = f"C=T+{fixed}, k={k}: objective after the step and guarantee"
            after, before = float(objective[k + 1]) + stated, float(objective[k])
            yield Comparison(label, relation, after, before, ROUND_OFF, {"k": k}, headline=True)
