"""Checks of `cq_marina/exp-logreg`: promised costs from the constants, noise along runs, medians of runs."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

import theory
from impl.optimizers import marina
from verify.authoring import Law, checks_of, eq, le
from verify.comparison import ORACLE, SINGLE_PRECISION, Comparison, printed
from verify.cq_marina.fixtures.joint.psi import psi
from verify.experiments.cq_marina.logistic import (
    ACCURACY,
    EMBEDDED,
    NUMBERED,
    RIDGE,
    logistic_method,
    samples_of,
)
from verify.experiments.cq_marina.methods import Method
from verify.rungs.costs import CostCase, Ordering, Samples
from verify.rungs.run import TrajectoryCase

# Promised costs in increasing order, and the methods that are gradient descent.
ORDERS: Mapping[tuple[str, int], tuple[str, ...]] = {
    (EMBEDDED, 3): ("perm_k",),
    (EMBEDDED, 10): NUMBERED,
    (EMBEDDED, 20): NUMBERED,
    ("phishing", 10): NUMBERED,
    ("phishing", 50): NUMBERED,
    ("w8a", 10): ("perm_k", "rand_k"),
    ("w8a", 50): ("perm_k", "rand_k"),
}
DESCENT = {
    (EMBEDDED, 3): ("independent", "correlated"),
    ("phishing", 10): ("independent",),
    ("w8a", 10): ("independent", "correlated"),
    ("w8a", 50): ("independent", "correlated"),
}
REPLICATES = {(EMBEDDED, 10): 150, ("phishing", 50): 400, ("w8a", 10): 400, ("w8a", 50): 100}
MEDIANS = "medians of the bits"

judge = checks_of(
    "cq_marina/exp-logreg",
    order=1,
    extra_bits=0,
    best="perm_k",
    quantizer="correlated",
    strict=1.0,
)


judge.sabotage(
    "beats-perm-k at run/embedded-order: Claim fewer bits than PermK. | best = 'correlated'",
    "exchanged at run/embedded-order: Claim that IQ needs fewer bits than CQ. | best = 'independent'",
    "independent-thresholds at run/noise: Independent thresholds with the step size of CQ: their noise "
    "exceeds its constant at visited states. | quantizer = 'independent'",
    "wins-everywhere at exact/unit-breast-cancer-3: Claim at equal theoretical cost that CQ promises fewer "
    "bits than gradient descent. | strict = 0.99",
    "heavy-message at exact/unit-breast-cancer-10, exact/stated-constants: Charge a quantized message two "
    "bits for each coordinate: RandK then promises fewer bits. | extra_bits = 1",
    "hundredth-of-the-bound at run/bound-20: A hundredth of the bound: the averages are nearer. "
    "| bound = bound / 100",
    "hessian-variance-alone at exact/stated-constants: Claim that the constant of CQ is the Hessian "
    "variance alone. | share = 2 * share",
    "permuted-clients, neutral at exact/unit-breast-cancer-10: Number the clients differently: nothing may "
    "change. | order = -1",
)


def _needs(data: str) -> dict[str, Any]:
    return {} if data == EMBEDDED else {"needs": data, "profile": "full"}


# ---------------------------------------------------------------- promised costs


def _cost(law: Law, name: str, d: int, L: float, chi: float, message: float, p: float) -> float:
    """Return the promised cost; extra bits are charged for each coordinate of a quantized message."""
    if law.extra_bits and name in ("independent", "correlated"):
        message += law.extra_bits * d
        p = psi(chi / L**2, message / (32 * d)).probability
    return law("cost", d=d, p=p, message=message, X=chi, L_minus=L)


def promised_cost(law: Law, method: Method) -> float:
    """Return the bits that the bound promises over those of gradient descent."""
    found = method.constants.L_minus, method.chi, method.message_bits, method.probability
    return _cost(law, method.name, method.problem.d, *found)


def noise_of(law: Law, name: str, values: Mapping[str, float]) -> float:
    """Return calligraphic X of a method by the constants of the data."""
    if name == "perm_k":
        return law("X_perm_k", L_pm=values["L_pm"])
    sizes, plus = {"n": values["n"], "d": values["d"]}, values["L_plus"]
    if name == "rand_k":
        return law.of("cq_marina/exp-quadratic")("A_rand_k", **sizes, K=law("kept", **sizes)) * plus**2
    rate = law.of("cq_marina/marina-cq-rate")
    if name == "independent":
        return rate("X_independent", **sizes, L_plus=plus)
    return rate("X", **sizes, L_plus=plus, L_pm=values["L_pm"])


@judge.exact(parameters={"data": ("phishing", "w8a"), "n": (10, 50), "lambda": RIDGE})
def stated_constants(law: Law) -> Iterable[Comparison]:
    """From the ten printed decimals of the constants alone: costs, and where full rounds are the best."""
    for case in theory.claim("cq_marina/exp-logreg").worst_cases:
        values = {name: float(item) for name, item in case.values.items()}
        data, n, d, L = case.description.split()[0], int(values["n"]), int(values["d"]), values["L_minus"]
        sent = {"perm_k": 32 * d / n, "rand_k": 32 * law("kept", n=n, d=d)}
        for name in NUMBERED:
            chi, message = noise_of(law, name, values), sent.get(name, 32 + d)
            p = 1 / n if name == "perm_k" else psi(chi / L**2, message / (32 * d)).probability
            cost, stated = _cost(law, name, d, L, chi, message, p), law(f"{name}_{data}_{n}")
            yield eq(f"promised cost of {name}", cost, stated, printed(3), witness=values, headline=True)
            if name in DESCENT.get((data, n), ()):
                least = law("threshold", d=d, message=message)
                label = "noise from which on full rounds are the best"
                yield le(label, least, chi / L**2, ORACLE, witness=values)
            if (data, n, name) == ("phishing", 10, "correlated"):
                alone = noise_of(law, name, {**values, "L_pm": 0.0})
                yield le("share of the Hessian variance", law("share") * chi, chi - alone, ORACLE)


def _promised(law: Law, data: str, n: int, **_: Any) -> Iterable[Comparison]:
    """The promised costs by the constants of the data, in their order, and 1 where p = 1."""
    found = {name: promised_cost(law, logistic_method(data, n, name, law.order)) for name in NUMBERED}
    chain = ORDERS[data, n]
    for smaller, larger in zip(chain, (*chain[1:], None), strict=True):
        bound = 1.0 if larger is None else found[larger]
        yield le("order of the promised costs", found[smaller], bound, ORACLE, witness=found, headline=True)
    for name in DESCENT.get((data, n), ()):
        yield eq("cost of gradient descent", found[name], law.strict, ORACLE, witness=found)


for _data, _n in ORDERS:
    judge.exact(instance=f"{_data.replace(' ', '-')}-{_n}", data=_data, n=_n, ridge=RIDGE, **_needs(_data))(
        _promised
    )


# ---------------------------------------------------------------- runs


@judge.drift(data=EMBEDDED, n=10)
def noise(law: Law, rng: Any, data: str, n: int) -> Iterable[Comparison]:
    """At states that runs visit the exact noise is within the constant behind the step."""
    method = logistic_method(data, n, "correlated")
    quantizer: Any = logistic_method(data, n, law.quantizer).compressor
    x = marina(
        method.problem,
        quantizer,
        step_size=method.step_size,
        probability=method.probability,
        rounds=40,
        rng=rng,
        replicates=4,
        trace=True,
    ).iterates
    assert x is not None
    points = x.reshape(-1, method.problem.d)
    gradients = method.problem.gradients(points).reshape(*x.shape[:2], method.problem.n, -1)
    found = quantizer.variance(np.diff(gradients, axis=1))
    lengths = (np.diff(x, axis=1) ** 2).sum(axis=-1)
    for k in range(lengths.shape[1]):
        # A replicate that stands still has no ratio, and no noise.
        still = np.where(found[:, k] > 0, np.inf, 0.0)
        r = int(np.argmax(np.divide(found[:, k], lengths[:, k], out=still, where=lengths[:, k] > 0)))
        bound = method.chi * float(lengths[r, k])
        yield le(
            "noise of a round", float(found[r, k]), bound, SINGLE_PRECISION, witness={"k": k}, headline=True
        )


def _orders(law: Law, data: str) -> Mapping[int, tuple[Ordering, ...]]:
    """Return what is asserted of the medians, by number of clients."""
    if data == "w8a":
        return {
            n: tuple(Ordering(f"perm_k at {n}", f"{name} at {n}", law("fewer")) for name in NUMBERED[1::2])
            for n in (10, 50)
        }
    n, small = (10, True) if data == EMBEDDED else (50, False)
    perm_k = Ordering(f"perm_k at {n}", f"correlated at {n}", law("fewer" if small else "of_correlated"))
    if law.best == "correlated":
        perm_k = Ordering(f"correlated at {n}", f"perm_k at {n}", law("fewer"))
    sides, factor = (f"correlated at {n}", f"independent at {n}"), law("fewer" if small else "of_independent")
    if law.best == "independent":
        sides = sides[::-1]
    return {n: (Ordering(*sides, factor), perm_k)}


def _measured(law: Law, data: str, **_: Any) -> CostCase:
    """Orders of medians."""
    claims = _orders(law, data)

    def samples(stream: Callable[[int], Any]) -> dict[str, Samples]:
        found: dict[str, Samples] = {}
        for place, (n, asserted) in enumerate(claims.items()):
            wanted = [item for claim in asserted for item in (claim.smaller, claim.larger)]
            names = list(dict.fromkeys(item.split(" at ")[0] for item in wanted))
            found |= samples_of(data, n, names, REPLICATES[data, n], _shifted(stream, 10 * place))
        return found

    return CostCase(samples, [item for asserted in claims.values() for item in asserted])


def _shifted(stream: Callable[[int], Any], first: int) -> Callable[[int], Any]:
    return lambda number: stream(first + number)


for _data, _name in ((EMBEDDED, "embedded"), ("phishing", "phishing"), ("w8a", "w8a")):
    judge.costs(
        instance=f"{_name}-order",
        label=MEDIANS,
        data=_data,
        accuracy=ACCURACY,
        replicates={n: count for (data, n), count in REPLICATES.items() if data == _data},
        **_needs(_data),
    )(_measured)


def _bound(law: Law, data: str, n: int, rounds: int) -> TrajectoryCase:
    """The bound of the rate for runs of CQ, at every round."""

    def bounds() -> Any:
        method = logistic_method(data, n, "correlated")
        L_minus = method.constants.L_minus
        return law("bound", L_minus=L_minus, X=method.chi, p=method.probability, T=1) / np.arange(
            1, rounds + 2
        )

    def rows(rng: Any, replicates: int) -> Any:
        method = logistic_method(data, n, "correlated")
        squares = method.run(rng, rounds=rounds, replicates=replicates).gradient_norm_sq
        return np.cumsum(squares, axis=1) / np.arange(1, rounds + 2)

    return TrajectoryCase(bounds, rows)


for _data, _n in ((EMBEDDED, 20), ("phishing", 50)):
    judge.trajectory(
        instance=f"bound-{_n}",
        label="averages of the squared gradient",
        data=_data,
        n=_n,
        rounds=50,
        **_needs(_data),
    )(_bound)
