"""Checks of `cat/greedy-invariant`: all sizes at every iterate, exactly or to round-off."""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np

import theory
from impl.adaptive import Choice, cat_s, cat_sq, cat_st
from impl.communication import (
    PRESETS,
    Affine,
    CostModel,
    Packet,
    Wire,
    index_bits,
)
from impl.optimizers.cat_gd import cat_gd
from verify.binding import Check
from verify.cat import literal_shares as literal
from verify.cat.all_sizes import NEAR
from verify.cat.fixed_size import fixed_size
from verify.cat.golden_vectors import GI, lf, quad, rational
from verify.cat.greedy_headline import headline_checks
from verify.cat.greedy_rules import RULES, STATED, Rule
from verify.cat.rational_descent import RationalQuadratic, descend, squared_norm, stepped
from verify.cat.written_out import RULES as LITERAL
from verify.cat.written_out import SCANNED, compare_rule
from verify.comparison import Comparison
from verify.evaluation import evaluate_exact
from verify.rungs.exact import ExactCase
from verify.rungs.run import DriftCase
from verify.rungs.symbolic import SymbolicCase

CLAIM = "cat/greedy-invariant"
ENTRY_BITS = 2
COSTS: dict[str, CostModel] = {
    "T": Affine(F(1, 2), 0),
    "T+5": Affine(F(1, 2), 5),
    "packets": Packet(5, 3, 1),
    "wire": Wire(5, 2),
}
# With ties among the entries of the first gradients.
PROBLEMS = (
    (RationalQuadratic((1, 1, 1, 1, 1)), (3, -1, 2, 2, 0)),
    (RationalQuadratic((3, 1, 2, 1, 1), (1, -1, 0, 1, 1)), (1, 2, -2, 1, 1)),
    (RationalQuadratic((1, 1, 4), (2, 1, 1)), (1, -1, F(1, 2))),
)


@dataclass(frozen=True)
class Setting:
    """A problem on which runs are looked at, from a start with equal entries."""

    name: str
    problem: Callable[[], Any]
    start: float
    models: tuple[str, ...]
    rounds: int
    seconds: float
    profile: Any = "quick"


# Cost and payload of an entry; None for an index and a number, or a sign.
LINKS: dict[str, tuple[CostModel, int | None]] = {
    "T+5": (Affine(1, 5), 1),
    "6lowpan": (PRESETS["6lowpan"], None),
    "affine": (PRESETS["affine"], None),
}


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(CLAIM)
    sabotaged = ("squared-cost", "unsorted-sums", "scaled-gradient")

    def exact(held: Callable[[Rule], Iterable[Comparison]], seen: Sequence[str]) -> dict[str, Any]:
        return {name: ExactCase(functools.partial(held, RULES[name])) for name in seen}

    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        Check(
            "exact",
            "gi",
            ExactCase(functools.partial(compare_gi, STATED)),
            {"g": GI, "C": ("T", "T+1", "T+5", "T+40")},
            exact(compare_gi, sabotaged),
            seconds=0.2,
        ),
        Check(
            "exact",
            "rational-runs",
            ExactCase(functools.partial(compare_rational_runs, STATED)),
            {"rules": ("S", "S+Q", "random"), "C": tuple(COSTS), "problems": len(PROBLEMS)},
            exact(compare_rational_runs, ("scaled-gradient",)),
            seconds=0.5,
        ),
        Check(
            "exact",
            "two-coordinates",
            ExactCase(functools.partial(compare_two, STATED)),
            {"g": (10, 9), "C": "T", "L": 3},
            exact(compare_two, ("realised-decrease",)),
            seconds=0.1,
        ),
        _runs(Setting("quad", quad, 1, ("T+5", "6lowpan"), 40, 0.1), sabotaged),
        _runs(Setting("flat-logistic", lf, 0, ("6lowpan",), 12, 0.5), ()),
        *headline_checks(),
        *(_in_floats(name) for name in LITERAL),
    )


def compare_all(label: str, shares: Sequence[Any], costs: Sequence[Any], size: int) -> Iterable[Comparison]:
    """Hold the share per cost of each size against that of the chosen one, without division."""
    own, price = shares[size - 1], costs[size - 1]
    for other, (share, cost) in enumerate(zip(shares, costs, strict=True), 1):
        yield Comparison(f"{label}, chosen {size}, other {other}", "le", share * price, own * cost)


def compare_gi(rule: Rule) -> Iterable[Comparison]:
    """The choices at the golden vector, whose shares are the stated ones."""
    claim, g = theory.claim(CLAIM), rational(GI)
    sizes = sorted((abs(item) for item in g), reverse=True)
    kinds = {"alpha": literal.alphas(g), "beta": literal.betas(g), "omega": literal.omegas(g)}
    for name, shares in kinds.items():
        for T, share in enumerate(shares, 1):
            values = {"s": sizes, "d": len(g), "T": T}
            if name == "omega":
                values["k"] = literal.certain(sizes, T)
            stated = evaluate_exact(claim.formulas[name], values)
            yield Comparison(f"{name}({T})", "eq", share, F(str(stated)))
    rules = {"alpha": cat_s, "beta": cat_sq, "omega": cat_st}
    for name, stated_rule in rules.items():
        for fixed in (0, 1, 5, 40):
            costs = [F(T + fixed) for T in range(1, len(g) + 1)]
            choice = rule.applied(g, Affine(1, fixed), 1, stated_rule)
            yield from compare_all(f"{name}, C=T+{fixed}", kinds[name], costs, choice.size)


def _costs(name: str, g: Any, cost: CostModel, sizes: int) -> list[F]:
    if name != "random":
        return [F(cost(ENTRY_BITS * T)) for T in range(1, sizes + 1)]

    def price(survivors: int) -> Any:
        return cost(ENTRY_BITS * survivors) if survivors else cost.empty

    return [F(literal.expected_cost(g, T, price)) for T in range(1, sizes + 1)]


def compare_rational_runs(rule: Rule) -> Iterable[Comparison]:
    """All sizes at every iterate of runs in rational numbers."""
    kinds: dict[str, tuple[Any, Any, int]] = {
        "S": (cat_s, literal.alphas, 8),
        "S+Q": (cat_sq, literal.betas, 6),
        "random": (cat_st, literal.omegas, 3),
    }
    rng = np.random.default_rng(3)
    for kind, (stated_rule, all_shares, rounds) in kinds.items():
        for model, cost in COSTS.items():
            for place, (problem, start) in enumerate(PROBLEMS):

                def choose(g: Any, stated_rule: Any = stated_rule, cost: Any = cost) -> Choice:
                    return rule.applied(g, cost, ENTRY_BITS, stated_rule)

                random_messages = rng if kind == "random" else None
                for k, state in enumerate(descend(problem, choose, start, rounds, rng=random_messages)):
                    shares = all_shares(state.gradient)
                    costs = _costs(kind, state.gradient, cost, len(shares))
                    label = f"{kind}, {model}, problem {place}, k={k}"
                    yield Comparison(
                        f"{label}: share", "eq", F(state.choice.share), shares[state.choice.size - 1]
                    )
                    yield from compare_all(label, shares, costs, state.choice.size)


def compare_two(rule: Rule) -> Iterable[Comparison]:
    """Guaranteed, or realised, decrease per cost of both sizes on a quadratic in the plane."""
    problem, g = RationalQuadratic((1, 1), (1, -1)), [F(10), F(9)]
    x = [F(29, 3), F(28, 3)]
    yield Comparison("the gradient there", "eq", squared_norm(problem.gradient(x)), squared_norm(g))
    cost = Affine(1, 0)
    choice = rule.applied(g, cost, 1, cat_s)
    for T in (1, 2):
        other = fixed_size(T, cost)(g)
        falls = [
            problem.value(x) - problem.value(stepped(problem, x, g, item)) if rule.realised else item.share
            for item in (other, choice)
        ]
        value, bound = falls[0] / other.cost, falls[1] / choice.cost
        yield Comparison(f"per cost of {T}, chosen {choice.size}", "le", value, bound, headline=True)


# ---------------------------------------------------------------- runs


def _runs(setting: Setting, seen: Sequence[str]) -> Check:
    return Check(
        "run",
        setting.name,
        DriftCase(functools.partial(compare_runs, setting, STATED)),
        {"C": setting.models, "rounds": setting.rounds, "rules": ("S", "S+Q", "random")},
        {key: DriftCase(functools.partial(compare_runs, setting, RULES[key])) for key in seen},
        seconds=setting.seconds,
        profile=setting.profile,
    )


def compare_runs(setting: Setting, rule: Rule, rng: Any) -> Iterable[Comparison]:
    """The best efficiency of all sizes against that of the chosen one, at every iterate."""
    problem = setting.problem()
    start = np.full(problem.d, float(setting.start))
    kinds: dict[str, tuple[Any, Any]] = {
        "S": (cat_s, literal.float_alphas),
        "S+Q": (cat_sq, literal.float_betas),
        "random": (cat_st, lambda g: np.array(literal.omegas(np.asarray(g).tolist()))),
    }
    for kind, (stated_rule, all_shares) in kinds.items():
        for model in setting.models:
            cost, entry_bits = LINKS[model]
            if kind == "random" and (not cost.is_affine or problem.d > 20):
                continue  # the expected cost of other models is held exactly in small dimensions

            def choose(
                g: Any, stated_rule: Any = stated_rule, cost: Any = cost, bits: Any = entry_bits
            ) -> Any:
                return rule.applied(g, cost, bits, stated_rule)

            result = cat_gd(
                problem,
                choose,
                step_size=1 / problem.L,
                rounds=setting.rounds,
                rng=rng,
                start=start,
                trace=True,
            )
            payload = _payload(kind, problem.d, entry_bits)
            for k in range(result.rounds):
                g = problem.gradients(result.iterates[:, k])[0, 0]  # type: ignore[index]  # traced
                shares = np.asarray(all_shares(g))
                efficiencies = shares / cost(payload(np.arange(1, len(shares) + 1)))
                size = int(result.sizes[0, k, 0])
                own, label = float(efficiencies[size - 1]), f"{kind}, {model}, k={k}"
                yield Comparison(f"{label}: reported", "eq", float(result.efficiencies[0, k, 0]), own, NEAR)
                witness = {"T": size, "best": int(np.argmax(efficiencies)) + 1}
                best = float(efficiencies.max())
                yield Comparison(f"{label}: best", "le", best, own, NEAR, witness, headline=True)


def _payload(kind: str, d: int, entry_bits: int | None) -> Callable[[Any], Any]:
    if entry_bits is not None:
        return lambda size: size * entry_bits
    if kind == "S+Q":
        return lambda size: 32 + size * (index_bits(d) + 1)
    return lambda size: size * (index_bits(d) + 32)


def _in_floats(name: str) -> Check:
    """The choices of a rule in floats against the rule in rationals, size by size, on all links."""
    case = functools.partial(compare_rule, name)
    mutants = {"longer-messages": ExactCase(functools.partial(case, 1))}
    return Check("exact", f"floats-{name}", ExactCase(case), {"links": SCANNED}, mutants, seconds=0.2)
