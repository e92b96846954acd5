"""Judge somebody else's compressor against the constants claimed for it."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

from verify.context import MASTER_SEED, Context
from verify.errors import UsageError
from verify.foreign_compressor import ForeignCompressor, adapt, check_inputs, structured_inputs
from verify.outcome import ALPHA, MAX_TESTS, Evidence, json_ready
from verify.reporting.compressor_report import CompressorReport, NamedEvidence
from verify.rungs import judge
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase

PILOT = 64
"""Samples per input to choose where to test; the tests themselves use fresh ones."""

SAMPLES = 16_384
"""Most samples of a test of the bias; one of the mean squared error takes up to 100 looks."""

LOOK = 128
"""Samples between two looks of a test."""

TESTED_INPUTS = 4
"""Inputs with the largest pilot estimates that are tested."""


ROUND_OFF = 1e-24
"""Squared error of that many times ||x||^2 is rounding: some thousand units in the last place."""


def check_compressor(
    compressor: Any,
    *,
    d: int,
    n: int | None = None,
    unbiased: bool | None = None,
    omega: float | None = None,
    ab: tuple[float, float] | None = None,
    claims: Sequence[str] = (),
    rng: Any = None,
) -> CompressorReport:
    """Search for an input at which a compressor breaks what is claimed of it.

    Args:
        compressor: An object with `sample(x, rng)`, or with `draw` and `compress` as in `impl.compressors`,
            or a function (x, rng) -> C(x). An exact `variance(x)` is used where it exists. Inputs of one
            norm are enough for one that says `scale_equivariance = "all"`; "powers of two" or "none", which
            is also meant where it says nothing, make the search go over scales, too.
        d: Dimension of the inputs.
        n: Number of nodes of a joint compressor, whose inputs and outputs are (n, d).
        unbiased: Claim E C(x) = x; taken from the attribute `unbiased` where it is not given.
        omega: Claim E||C(x) - x||^2 <= omega ||x||^2; for a joint compressor the same as ab=(omega, 0).
        ab: Claim (A, B) of a joint compressor:
            E||mean of C_i(x_i) - mean of x_i||^2 <= A mean of ||x_i||^2 - B ||mean of x_i||^2.
        claims: Ids of claims that can be applied to a compressor, such as `squant/var` to one with steps.
        rng: Generator that seeds the checks; a fixed seed by default.

    Returns:
        The report; `violated` comes with a counterexample. Sampling cannot prove, so success is `consistent`.

    Raises:
        UsageError: Arguments that do not fit; nothing to check.
    """
    foreign = adapt(compressor, d, n)
    if unbiased is None:
        unbiased = getattr(compressor, "unbiased", None)
    _validate(n, unbiased, omega, ab, claims, rng)
    seed = MASTER_SEED if rng is None else int(rng.integers(2**62))
    name = repr(compressor)
    found: list[NamedEvidence] = []
    if (omega is not None or ab is not None) and foreign.states_its_error():
        found.append(NamedEvidence("exact variance", _search(foreign, omega, ab, seed)))
    if omega is not None or ab is not None:
        found += _test_error(foreign, omega, ab, seed)
    if foreign.states_its_error():
        found += _test_oracle(foreign, seed)
    if unbiased:
        found += _test_bias(foreign, omega, ab, seed)
    for claim_id in claims:
        found += _apply_claim(claim_id, compressor, d, seed)
    tests = sum(item.evidence.tests for item in found)
    if tests > MAX_TESTS:
        raise UsageError(
            f"claims={tuple(claims)!r} need {tests} tests, above {MAX_TESTS}; name fewer at a time"
        )
    verdicts = {item.evidence.verdict for item in found}
    verdict = (
        "violated"
        if "violated" in verdicts
        else "inconclusive"
        if "inconclusive" in verdicts
        else "consistent"
    )
    return CompressorReport(name, verdict, tuple(found))


def find_counterexample(compressor: Any, *, d: int, **arguments: Any) -> Mapping[str, Any] | None:
    """Return the witness of a violation found by `check_compressor`, None where it finds none."""
    return check_compressor(compressor, d=d, **arguments).witness


def _validate(
    n: int | None,
    unbiased: bool | None,
    omega: float | None,
    ab: tuple[float, float] | None,
    claims: Any,
    rng: Any,
) -> None:
    problems = []
    if rng is not None and not hasattr(rng, "integers"):
        problems.append(f"rng={rng!r} must be a numpy.random.Generator, such as numpy.random.default_rng(1)")
    if omega is not None and not (_is_number(omega) and omega >= 0):
        problems.append(f"omega={omega!r} must be finite and not negative")
    pair = isinstance(ab, tuple | list) and len(ab) == 2 and all(_is_number(item) for item in ab)
    if ab is not None and (n is None or not pair):
        problems.append(f"ab={ab!r} must be two finite constants, together with the number of nodes n")
    if ab is not None and omega is not None:
        problems.append(f"omega={omega!r} and ab={ab!r} claim the same thing; give one of them")
    if unbiased not in (None, True, False):
        problems.append(f"unbiased={unbiased!r} must be True, False or None")
    if isinstance(claims, str) or not isinstance(claims, Iterable):
        problems.append(f"claims={claims!r} must be a sequence of ids, ({claims!r},)")
    if not unbiased and omega is None and ab is None and not claims:
        problems.append("nothing to check; give at least one of unbiased=True, omega=, ab=, claims=")
    if problems:
        raise UsageError("check_compressor: " + "; ".join(problems))


def _is_number(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)


def _search(
    foreign: ForeignCompressor, omega: float | None, ab: tuple[float, float] | None, seed: int
) -> Evidence:
    """Maximise the exact variance over inputs, of the mean over nodes for a joint compressor."""
    import numpy as np

    variance = foreign.variance
    if variance is None:
        raise UsageError("the compressor has no exact variance to search with")
    shape = (foreign.d,) if foreign.n is None else (foreign.n, foreign.d)

    def value(inputs: Any) -> Any:
        return np.array([float(variance(x.reshape(shape))) for x in inputs])

    def bound(inputs: Any) -> Any:
        stated = np.array([_bound_at(x.reshape(shape), omega, ab) for x in inputs])
        return stated + (0.0 if omega or ab else 1e-12)

    inputs = _scaled_inputs(foreign) if foreign.n is None else check_inputs(foreign)
    starts = [x.ravel() for x in inputs]
    budget = 4000 if foreign.n is None else foreign.search_budget(starts[0].reshape(shape))
    everywhere = foreign.scale_equivariance != "all"
    case = AdversarialCase(
        value, bound, math.prod(shape), starts=starts, scale_invariant=not everywhere, budget=budget
    )
    return judge("adversarial", case, Context("check", "adversarial", "omega", seed=seed))


def _scaled_inputs(foreign: ForeignCompressor) -> list[Any]:
    """Return the structured inputs at every scale that matters."""
    return [scale * x for scale in foreign.scales for x in structured_inputs(foreign.d)]


def _bound_at(x: Any, omega: float | None, ab: tuple[float, float] | None) -> float:
    """Return the claimed bound on the mean squared error at an input (d,), or (n, d) for several nodes."""
    if x.ndim == 1:
        return float((omega or 0.0) * (x**2).sum())
    A, B = ab if ab is not None else (omega or 0.0, 0.0)
    mean = x.mean(axis=0)
    return float(A * (x**2).sum() / len(x) - B * (mean @ mean))


def _test_error(
    foreign: ForeignCompressor, omega: float | None, ab: tuple[float, float] | None, seed: int
) -> Iterable[NamedEvidence]:
    """Test the mean squared error at the inputs where a pilot found it largest."""
    import numpy as np

    from verify.evidence.supremum_search import structured_directions

    if foreign.n is None:
        first = structured_inputs(foreign.d)
        inputs = [*first, *structured_directions(foreign.d), *_scaled_inputs(foreign)[len(first) :]]
    else:
        inputs = check_inputs(foreign)
    ratios = []
    for index, x in enumerate(inputs):
        pilot = foreign.squared_errors(
            x, Context("check", "pilot", f"error-{index}", seed=seed).stream(0), PILOT
        )
        bound = _bound_at(x, omega, ab)
        if bound < 0:
            yield NamedEvidence(f"claimed bound at input {index}", _negative_bound(bound, x))
            continue
        ratios.append((float(np.mean(pilot)) / (bound or 1e-300), index, x))
    for _, index, x in sorted(ratios, key=lambda item: -item[0])[:TESTED_INPUTS]:
        # Where the claim is no error at all, round-off must not look like one.
        bound = max(_bound_at(x, omega, ab), ROUND_OFF * float((x**2).sum()))
        case = MonteCarloCase("le", _squared_errors(foreign, x), bound)
        evidence = _judge_mean(case, f"error-{index}", seed, x)
        yield NamedEvidence(f"mean squared error at input {index}", evidence)


def _negative_bound(bound: float, x: Any) -> Evidence:
    """Refute a claimed bound on a mean square that is negative."""
    reason = f"the claimed bound is {bound:.6g} at this input, but a mean square is not negative"
    return Evidence(
        "violated", "numerical", bound=bound, value=0.0, witness=json_ready({"x": x}), reason=reason
    )


def _test_oracle(foreign: ForeignCompressor, seed: int) -> Iterable[NamedEvidence]:
    """Test that the sampler does not exceed the exact variance that the compressor states of itself."""
    for index, x in list(enumerate(check_inputs(foreign)))[:2]:
        exact = float(foreign.variance(x)) if foreign.variance else 0.0
        case = MonteCarloCase("le", _squared_errors(foreign, x), exact * (1 + 1e-9))
        yield NamedEvidence(
            f"own exact variance at input {index}", _judge_mean(case, f"oracle-{index}", seed, x)
        )


def _judge_mean(case: MonteCarloCase, instance: str, seed: int, x: Any) -> Evidence:
    """Judge a mean without a sure upper bound: it can be refuted, but only be consistent otherwise."""
    evidence = judge("montecarlo", case, Context("check", "montecarlo", instance, seed=seed))
    witness = json_ready({"x": x, "seed": seed, "samples": evidence.samples})
    if evidence.verdict == "violated":
        return replace(evidence, witness=witness)
    reason = f"mean {evidence.value:.6g} against the bound {evidence.bound:.6g} in {evidence.samples} samples"
    return replace(evidence, verdict="consistent", grade="search", witness=witness, reason=reason)


def _test_bias(
    foreign: ForeignCompressor, omega: float | None, ab: tuple[float, float] | None, seed: int
) -> Iterable[NamedEvidence]:
    """Test E <C(x) - x, v> = 0 along x itself and along the bias that a pilot found.

    The e-value needs a bound on the variance along v: the exact one, or the claimed omega ||x||^2.
    """
    for index, x in enumerate(check_inputs(foreign)):
        context = Context("check", "montecarlo", f"bias-{index}", seed=seed)
        pilot = foreign.errors(x, context.stream(0), PILOT).mean(axis=0)
        for name, direction in (("x", x if foreign.n is None else x.mean(axis=0)), ("pilot", pilot)):
            length = float((direction**2).sum() ** 0.5)
            if length == 0:
                continue
            variance = foreign.directional_variance(x, direction / length)
            if variance is None and (omega is not None or ab is not None):
                variance = max(_bound_at(x, omega, ab), 0.0)
            if variance is None:
                reason = "unbiasedness can only be tested with a bound on the variance; give omega= or ab="
                yield NamedEvidence("unbiased", Evidence("inconclusive", reason=reason))
                return
            evidence = _test_direction(foreign, x, direction / length, variance, context)
            yield NamedEvidence(f"unbiased at input {index} along {name}", evidence)


def _test_direction(
    foreign: ForeignCompressor, x: Any, v: Any, variance: float, context: Context
) -> Evidence:
    """Test E <C(x) - x, v> = 0 for one unit vector v from fresh samples, both sides at once."""
    import numpy as np

    from verify.evidence.betting import log_mean_exp
    from verify.evidence.catoni import catoni_sums

    # Round-off of a deterministic compressor must not look like bias.
    variance = max(variance, ROUND_OFF * float((x**2).sum()), 1e-300)
    sums, total, samples, biased = np.zeros((2, 14)), 0.0, 0, False
    for batch in range(1, 1 + SAMPLES // LOOK):
        z = foreign.errors(x, context.stream(batch), LOOK) @ v
        sums += [catoni_sums(z, 0.0, variance), catoni_sums(-z, 0.0, variance)]
        total += float(z.sum())
        samples += LOOK
        biased = log_mean_exp(sums) >= math.log(1 / ALPHA)
        if biased:
            break
    return Evidence(
        "violated" if biased else "consistent",
        "guaranteed" if biased else "search",
        samples=samples,
        tests=1,
        witness=json_ready({"x": x, "direction": v, "bias": total / samples, "seed": context.seed}),
        reason=f"mean error along the direction {total / samples:.3g} in {samples} samples; "
        f"a bias above about {(2 * math.log(28 / ALPHA) * variance / SAMPLES) ** 0.5:.2g} would show",
    )


def _apply_claim(claim_id: str, compressor: Any, d: int, seed: int) -> Iterable[NamedEvidence]:
    import importlib

    import theory
    from verify.binding import module_name

    module = importlib.import_module(module_name(theory.claim(claim_id).id))
    factory: Callable[[Any, int], Any] | None = getattr(module, "checks_for", None)
    if factory is None:
        raise UsageError(
            f"claims: {claim_id!r} cannot be applied to a compressor; squant/var and squant/bounds can"
        )
    for check in factory(compressor, d):
        context = Context(claim_id, check.rung, f"foreign-{check.instance}", seed=seed)
        yield NamedEvidence(
            f"{claim_id} {check.rung}/{check.instance}", judge(check.rung, check.base, context)
        )


def _squared_errors(foreign: ForeignCompressor, x: Any) -> Callable[[Any, int], Any]:
    """Return the sampler for the Monte Carlo rung, in batches that a foreign compressor can afford."""

    def sample(rng: Any, size: int) -> Any:
        return foreign.squared_errors(x, rng, min(size, LOOK))

    return sample
