"""Checks of `squant/finding-similar-nodes`: constants of the data sets, and medians of runs."""

import functools
from collections.abc import Iterable
from typing import Any

from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.experiments.squant.cost_samples import MORE, REPLICATES, samples_of
from verify.experiments.squant.methods import COMPRESSIONS, method_of
from verify.experiments.squant.run_costs import ACCURACY, COARSE
from verify.rungs.costs import CostCase, Ordering
from verify.squant.fixtures.data_sets import NODES, RIDGES, data_problem, dominance, needs, permuted_problem

judge = checks_of(
    "squant/finding-similar-nodes",
    problem=lambda data: data_problem(data, "label"),
    sparse_budget=lambda d: d**0.5,
    fewer_bits=("varying", "block"),
    about="",  # the quantities that a sabotage is about
    accuracy=ACCURACY,
)


judge.sabotage(
    "dominant-node at exact/breast-cancer: Split the data with dominant nodes: then the nodes are not "
    "similar.",
    {"problem": lambda data: data_problem(data, "scaled")},
    "fewer-entries at exact/breast-cancer: Sparsify at a quarter of the budget.",
    {"sparse_budget": lambda d: d**0.5 / 4},
    "no-noise-term at exact/breast-cancer: Claim that all conditions are the same. "
    "| factor = factor(Lcal_max = 0)",
    "steps-matter at run/breast-cancer-rounds-and-bits: Claim that varying steps need at most 0.8 times the "
    "rounds of the standard quantizer. | rounds = rounds * 8/11, about = 'rounds', accuracy = 0.01",
    "blocks-win at run/breast-cancer-rounds-and-bits: Claim that blocks with a norm each need fewer bits "
    "than varying steps.",
    {"fewer_bits": ("block", "varying"), "about": "bits", "accuracy": COARSE},
    "permuted-nodes, neutral at exact/breast-cancer: Number the nodes differently: nothing may change.",
    {"problem": lambda data: permuted_problem(data, "label")},
)


def constants(law: Law, data: str, **_: Any) -> Comparisons:
    """Similarity of the nodes, and the conditions of DCGD+ with each compression against each other."""
    problem = law.problem(data)
    rho, n = dominance(problem), problem.n
    yield le("rho of the nodes", rho * n, law("similar"), ROUND_OFF, witness={"rho": rho})
    found, conditions = {}, {}
    for name in COMPRESSIONS:
        budget = law.sparse_budget(problem.d) if name == "sparsification" else problem.d**0.5
        method = method_of(problem, "dcgd_plus", name, budget)
        constant = max(method.compression.variance_constants)
        conditions[name] = 1 / (method.step_size * problem.mu)
        found[name] = {"L": problem.L, "Lcal_max": constant, "n": n}
    yield le("share of the noise term", law("share", **found["varying"]), law("noise_share"), ROUND_OFF)
    for condition in conditions.values():
        ratio = condition / conditions["varying"]
        label = "condition over that of varying steps"
        yield le(label, ratio, law("conditions"), ROUND_OFF, witness=conditions, headline=True)
    sparse, varying = conditions["sparsification"], law("condition", mu=problem.mu, **found["varying"])
    yield le("sparsification against varying steps", sparse, varying, ROUND_OFF, witness=conditions)
    for first, values in found.items():
        by_rho = law("share_by_rho", rho=rho, Lcal_max=values["Lcal_max"], L_max=float(problem.L_nodes.max()))
        yield eq("share by rho", by_rho, law("share", **values), ROUND_OFF)
        for second, condition in conditions.items():
            if first != second:
                factor = law("factor", **values)
                yield le("ratio of conditions", conditions[first] / condition, factor, ROUND_OFF)


def measured(law: Law, data: str, split: str, replicates: int, **_: Any) -> CostCase:
    """Medians of rounds and bits of DIANA+."""
    fewer, more = law.fewer_bits
    claims: Iterable[Ordering] = (
        Ordering("rounds of varying", "rounds of standard", law("rounds")),
        Ordering("rounds of standard", "rounds of varying", law("rounds")),
        Ordering(f"bits of {fewer}", f"bits of {more}", law("bits")),
    )
    chosen = [item for item in claims if item.smaller.startswith(law.about)]
    options: dict[str, Any] = {"accuracy": law.accuracy, "replicates": replicates}
    return CostCase(functools.partial(samples_of, data, split, chosen, **options), chosen)


for _data, _ridge in RIDGES.items():
    _shared: dict[str, Any] = {"profile": "full" if needs(_data) else "quick", "needs": needs(_data)}
    _shared |= {"data": _data, "split": "label", "n": NODES, "ridge": _ridge, "beta": "sqrt(d)"}
    judge.exact(instance=_data, **_shared)(constants)
    if _data in ("breast-cancer", "phishing", "mushrooms"):
        _shared |= {"label": "medians of the costs", "replicates": REPLICATES if needs(_data) else MORE}
        judge.costs(instance=f"{_data}-rounds-and-bits", **_shared)(measured)
