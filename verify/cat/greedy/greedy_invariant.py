"""Checks of `cat/greedy-invariant`: all sizes at every iterate, exactly or to round-off."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.adaptive import Choice, cat_s, cat_sq, cat_st, keep_probabilities
from impl.communication import PRESETS, Affine, CostModel, Packet, Wire, index_bits
from impl.optimizers import AdaptiveRun
from impl.optimizers.cat_gd import cat_gd
from verify.authoring import checks_of, eq, le, lt
from verify.authoring.law import Law
from verify.cat.fixtures import literal_shares as literal
from verify.cat.fixtures.all_sizes import NEAR, all_sizes, compare_iterates
from verify.cat.fixtures.fixed_size import fixed_size
from verify.cat.fixtures.golden_vectors import GI, lf, quad, rational
from verify.cat.fixtures.rational_descent import RationalQuadratic, descend, squared_norm, stepped
from verify.cat.fixtures.rule_arguments import rules_inside, rules_outside
from verify.cat.fixtures.written_out import RULES as LITERAL
from verify.cat.fixtures.written_out import SCANNED, compare_rule
from verify.cat.greedy.fast_rules import GRADIENTS, compare_fast, compare_long
from verify.cat.greedy.greedy_rules import RULES, STATED, Rule
from verify.cat.headline.finding_headline_data import TABLE as DATA
from verify.comparison import Comparison
from verify.conformance.arguments import REFUSALS, arguments, taken
from verify.experiments.cat.headline_runs import MODELS, MOST_ROUNDS, run_until, task, tuned_run

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
# Cost and payload of an entry; None for an index and a number, or a sign.
LINKS: dict[str, tuple[CostModel, int | None]] = {
    "T+5": (Affine(1, 5), 1),
    "6lowpan": (PRESETS["6lowpan"], None),
    "affine": (PRESETS["affine"], None),
}
STATED_RULES: dict[str, Callable[..., Choice]] = {"cat_s": cat_s, "cat_sq": cat_sq, "cat_st": cat_st}
TUNED = ("cat_s", "cat_sq")
MUTANT_ROUNDS = 20


@dataclass(frozen=True)
class Whole:
    """Runs of the headline, from 0 to their end or for some iterations, over some links."""

    instance: str
    data: str
    models: tuple[str, ...]
    kinds: tuple[str, ...] = TUNED
    profile: Any = "quick"
    most: int = MOST_ROUNDS


HEADLINE = (
    *(Whole(f"LS-{model}", "LS", (model,)) for model in MODELS),
    *(Whole(f"LF-{model}", "LF", (model,)) for model in MODELS[1:]),
    Whole("LF-payload", "LF", ("payload",), profile="full"),
    Whole("random-LS", "LS", ("affine",), ("cat_st",)),
    Whole("random-LS-payload", "LS", ("payload",), ("cat_st",), "full"),
    Whole("random-LF", "LF", ("payload", "affine"), ("cat_st",), "full"),
    Whole("random-packets", "LF", MODELS[2:], ("cat_st",), "full", 4),
    # Of LIBSVM sets `cat/finding-headline-data` holds all sizes, whose runs take minutes.
    *(
        Whole(f"{name}-{model}", name, (model,), profile="full")
        for name, model in DATA
        if name == "breast-cancer"
    ),
)


def _runs(*models: str) -> tuple[str, ...]:
    """Return the units of both tuned rules under these links."""
    return tuple(
        f"run/headline-{item.instance}"
        for item in HEADLINE
        if item.kinds == TUNED and item.models[0] in models
    )


_RANDOM = tuple(f"run/headline-random-{name}" for name in ("LS", "LF", "packets"))

judge = checks_of(
    "cat/greedy-invariant",
    rule=STATED,
    longer=0,
    choice=lambda choice: choice,
    scale="mean",
    record=lambda run: run,
    chances=keep_probabilities,
    taken=taken,
)


judge.sabotage(*REFUSALS)

judge.sabotage(
    "squared-cost at exact/gi, run/quad: Choose the largest alpha/C^2: 2 instead of 3 for `gi`, C = T+5, "
    "where 1.062 times more is guaranteed.",
    rule=RULES["squared-cost"],
    at=(*_runs("affine"),),
)
judge.sabotage(
    "unsorted-sums at exact/gi, run/quad: Add up the entries as they come instead of the largest ones: 8 "
    "for `gi`, C = T+5, factor 1.334.",
    rule=RULES["unsorted-sums"],
    at=(*_runs("payload", "affine"),),
)
judge.sabotage(
    "other-link: Choose as if bits were paid where packets or a cost of each message are.",
    rule=RULES["other-link"],
    at=(
        *_runs(*MODELS[1:]),
        *_RANDOM,
    ),
)


@judge.mutant("Record shares and efficiencies that are too large by a tenth.", at=("run/*",))
def wrong_record(law: Law) -> Law:
    def larger(run: AdaptiveRun) -> AdaptiveRun:
        return replace(run, shares=1.1 * run.shares, efficiencies=1.1 * run.efficiencies)

    return law.replace(record=larger)


@judge.mutant("Send all entries.", at=("exact/two-coordinates", "exact/rational-runs"))
def all_entries(law: Law) -> Law:
    class All(Rule):
        def applied(self, g: Any, cost: Any, entry_bits: Any, stated: Any) -> Choice:
            return fixed_size(len(g), cost, entry_bits=entry_bits)(g)

    return law.replace(rule=All())


judge.sabotage(
    "longer-messages at exact/floats-*: Messages are a bit longer than the rules are told. | longer = 1"
)


@judge.mutant("Every choice is a little off.", at=("exact/floats-*", "exact/fast"))
def other_choices(law: Law) -> Law:
    def off(choice: Choice) -> Choice:
        more: dict[str, Any] = {"share": 1.001 * choice.share, "step_factor": 1.001 * choice.step_factor}
        if choice.price is not None:
            more["price"] = lambda entries: choice.cost + entries
        return replace(choice, size=choice.size + 1, dense=not choice.dense, **more)

    return law.replace(choice=off)


judge.sabotage(
    "rising-chances at exact/fast: Later entries are kept with larger chances.",
    {"chances": lambda g, T: np.minimum(1, np.linspace(1, 1.001, len(g)) * keep_probabilities(g, T))},
    "norm-of-signs at exact/floats-cat-sq: Send the norm in place of the mean magnitude. | scale = 'norm'",
    "scaled-gradient, neutral at exact/gi, exact/rational-runs, run/quad, run/headline-LS-affine, "
    "run/headline-random-LS: Multiply gradients by 3 before the choice: nothing may change.",
    {"rule": RULES["scaled-gradient"]},
)


def _all(shares: Sequence[Any], costs: Sequence[Any], size: int, at: Any) -> Iterable[Comparison]:
    """Hold the share per cost of each size against that of the chosen one, without division."""
    own, price = shares[size - 1], costs[size - 1]
    for other, (share, cost) in enumerate(zip(shares, costs, strict=True), 1):
        yield le("no other size", share * price, own * cost, witness={**at, "chosen": size, "other": other})


@judge.exact(g=GI, C=("T", "T+1", "T+5", "T+40"))
def gi(law: Law, g: Sequence[int], **_: Any) -> Iterable[Comparison]:
    """The choices at the golden vector, whose shares are the stated ones."""
    vector = rational(g)
    sizes = sorted((abs(item) for item in vector), reverse=True)
    kinds = {"alpha": literal.alphas(vector), "beta": literal.betas(vector), "omega": literal.omegas(vector)}
    for name, shares in kinds.items():
        for T, share in enumerate(shares, 1):
            sure = {"k": literal.certain(sizes, T)} if name == "omega" else {}
            stated = law.exactly(name, s=sizes, d=len(vector), T=T, **sure)
            yield eq("stated share", share, stated, witness={"share": name, "T": T})
    for name, rule in zip(kinds, STATED_RULES.values(), strict=True):
        for fixed in (0, 1, 5, 40):
            costs = [F(T + fixed) for T in range(1, len(vector) + 1)]
            choice = law.rule.applied(vector, Affine(1, fixed), 1, rule)
            yield from _all(kinds[name], costs, choice.size, {"share": name, "c_0": fixed})


def _costs(name: str, g: Any, cost: CostModel, sizes: int) -> list[F]:
    if name != "random":
        return [F(cost(ENTRY_BITS * T)) for T in range(1, sizes + 1)]

    def price(survivors: int) -> Any:
        return cost(ENTRY_BITS * survivors) if survivors else cost.empty

    return [F(literal.expected_cost(g, T, price)) for T in range(1, sizes + 1)]


@judge.exact(rules=("S", "S+Q", "random"), C=tuple(COSTS), problems=len(PROBLEMS))
def rational_runs(law: Law, **_: Any) -> Iterable[Comparison]:
    """All sizes at every iterate of runs in rational numbers."""
    kinds: dict[str, tuple[Any, Any, int]] = {
        "S": (cat_s, literal.alphas, 8),
        "S+Q": (cat_sq, literal.betas, 6),
        "random": (cat_st, literal.omegas, 3),
    }
    rng = np.random.default_rng(3)
    for kind, (rule, all_shares, rounds) in kinds.items():
        for model, cost in COSTS.items():
            for place, (problem, start) in enumerate(PROBLEMS):

                def choose(g: Any, rule: Any = rule, cost: Any = cost) -> Choice:
                    return law.rule.applied(g, cost, ENTRY_BITS, rule)  # type: ignore[no-any-return]

                random_messages = rng if kind == "random" else None
                for k, state in enumerate(descend(problem, choose, start, rounds, rng=random_messages)):
                    shares = all_shares(state.gradient)
                    costs = _costs(kind, state.gradient, cost, len(shares))
                    at = {"rule": kind, "link": model, "problem": place, "k": k}
                    size = min(state.choice.size, len(shares))
                    yield eq("share of the choice", F(state.choice.share), shares[size - 1], witness=at)
                    yield from _all(shares, costs, size, at)


@judge.exact(g=(10, 9), C="T", L=3)
def two_coordinates(law: Law, g: Sequence[int], **_: Any) -> Iterable[Comparison]:
    """Guaranteed and realised decrease per cost of both sizes on a quadratic in the plane."""
    problem, vector = RationalQuadratic((1, 1), (1, -1)), [F(item) for item in g]
    x = [F(29, 3), F(28, 3)]
    yield eq(
        "the gradient there",
        squared_norm(problem.gradient(x)),
        law.exactly("alpha", s=g, d=2, T=2) * squared_norm(vector),
    )
    cost = Affine(1, 0)
    choice = law.rule.applied(vector, cost, 1, cat_s)
    realised = []
    for T in (1, 2):
        other = fixed_size(T, cost)(vector)
        value, bound = other.share / other.cost, choice.share / choice.cost
        yield le("guaranteed per cost", value, bound, witness={"T": T}, headline=True)
        fall = problem.value(x) - problem.value(stepped(problem, x, vector, other))
        realised.append(fall / other.cost)
    yield lt("realised per cost", realised[choice.size - 1], max(realised))


for _name in LITERAL:

    @judge.exact(instance=f"floats-{_name}", parameters={"links": SCANNED}, name=_name)
    def in_floats(law: Law, name: str) -> Iterable[Comparison]:
        """The choices of a rule in floats against the rule in rationals, size by size, on all links."""
        yield from compare_rule(name, law.longer, law.choice, law.scale)


@judge.exact(gradients=sorted(GRADIENTS))
def fast(law: Law, gradients: Sequence[str]) -> Iterable[Comparison]:
    """The rules in floats and rationals, with options, and on several chunks, against literal ones."""
    del gradients
    yield from compare_fast(law.choice)
    yield from compare_long(law.choice, law.chances)


@judge.exact(rules=sorted(STATED_RULES))
def domain(law: Law, rules: Sequence[str]) -> Iterable[Comparison]:
    """Gradients, costs, sizes and bits that the rules take."""
    del rules
    yield from arguments(law.taken, rules_inside(), rules_outside())


# ---------------------------------------------------------------- runs


@judge.drift(
    instances={
        "quad": {"C": ("T+5", "6lowpan"), "rounds": 40, "rules": ("S", "S+Q", "random")},
        "flat-logistic": {"C": ("6lowpan",), "rounds": 12, "rules": ("S", "S+Q", "random")},
    }
)
def runs(law: Law, rng: Any, C: Sequence[str], rounds: int, rules: Sequence[str]) -> Iterable[Comparison]:
    """The best efficiency of all sizes against that of the chosen one, at every iterate."""
    problem = quad() if "T+5" in C else lf()
    start = np.full(problem.d, float("T+5" in C))
    kinds: dict[str, tuple[Any, Any]] = {
        "S": (cat_s, literal.float_alphas),
        "S+Q": (cat_sq, literal.float_betas),
        "random": (cat_st, lambda g: np.array(literal.omegas(np.asarray(g).tolist()))),
    }
    for kind in rules:
        rule, all_shares = kinds[kind]
        for model in C:
            cost, entry_bits = LINKS[model]
            if kind == "random" and (not cost.is_affine or problem.d > 20):
                continue  # the expected cost of other models is held exactly in small dimensions

            def choose(g: Any, rule: Any = rule, cost: Any = cost, bits: Any = entry_bits) -> Any:
                return law.rule.applied(g, cost, bits, rule)

            step = 1 / problem.L
            result = cat_gd(problem, choose, step_size=step, rounds=rounds, rng=rng, start=start, trace=True)
            result = law.record(result)
            payload, iterates = _payload(kind, problem.d, entry_bits), result.iterates
            assert iterates is not None
            for k in range(result.rounds):
                g = problem.gradients(iterates[:, k])[0, 0]
                shares = np.asarray(all_shares(g))
                efficiencies = shares / cost(payload(np.arange(1, len(shares) + 1)))
                size = int(result.sizes[0, k, 0])
                own, best = float(efficiencies[size - 1]), float(efficiencies.max())
                at = {
                    "rule": kind,
                    "link": model,
                    "k": k,
                    "T": size,
                    "best": int(np.argmax(efficiencies)) + 1,
                }
                yield eq("efficiency", float(result.efficiencies[0, k, 0]), own, NEAR, witness=at)
                yield le("best of all sizes", best, own, NEAR, witness=at, headline=True)


def _payload(kind: str, d: int, entry_bits: int | None) -> Callable[[Any], Any]:
    if entry_bits is not None:
        return lambda size: size * entry_bits
    if kind == "S+Q":
        return lambda size: 32 + size * (index_bits(d) + 1)
    return lambda size: size * (index_bits(d) + 32)


def _headline(law: Law, rng: Any, item: Whole) -> Iterable[Comparison]:
    """All sizes at every iterate of runs of the headline; of a mutant's run the first iterates."""
    found = task(item.data)
    for model in item.models:
        for kind in item.kinds:
            cost, rule = PRESETS[model], STATED_RULES[kind]

            def choose(g: Any, cost: Any = cost, rule: Any = rule) -> Choice:
                return law.rule.applied(g, cost, None, rule)  # type: ignore[no-any-return]

            if law.rule == STATED and kind in TUNED:
                run = tuned_run(found, kind, model)
            else:
                most = item.most if law.rule == STATED else MUTANT_ROUNDS
                run = run_until(found, choose, most, trace=True, rng=rng)
            sizes = all_sizes(found.problem, run, kind, cost)
            yield from compare_iterates("", law.record(run), sizes, headline=True)


for _item in HEADLINE:
    judge.drift(
        instance=f"headline-{_item.instance}",
        profile=_item.profile,
        parameters={"data": _item.data, "links": _item.models, "rules": _item.kinds, "accuracy": "1/1000"},
        item=_item,
    )(_headline)
