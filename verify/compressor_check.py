"""Judge somebody else's compressor against the constants claimed for it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from verify.context import MASTER_SEED, Context
from verify.errors import UsageError
from verify.foreign.adapter import ForeignCompressor, adapt
from verify.foreign.allocation import Limits, spend
from verify.foreign.calls import named
from verify.foreign.claims import Claims, is_count, is_number
from verify.foreign.frameworks import framework_of, kept_global_generators
from verify.foreign.guard import guarded
from verify.foreign.properties import check_properties
from verify.foreign.single_calls.as_it_is import as_it_is
from verify.foreign.single_calls.seeds import first_call, require_seeded
from verify.foreign.state.memory import require_memory
from verify.foreign.state.sequences import Stateful
from verify.foreign.state.stateful import WithoutPast, check_stateful, is_stateful
from verify.foreign.summary import summaries
from verify.foreign.worst_inputs import search_exact
from verify.outcome import MAX_TESTS
from verify.reporting.compressor_report import CompressorReport, NamedEvidence
from verify.rungs.dispatch import judge

if TYPE_CHECKING:
    from verify.binding import Check

RESOLUTION, SECONDS, SAMPLES = 0.01, 20.0, 2**20
"""Defaults: fault that would be seen, relative to what the claim allows; seconds; samples at one input."""


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
    omega_sharp: bool = False,
    contraction: float | None = None,
    variance: Callable[[Any], Any] | None = None,
    bits: float | tuple[float | None, float | None] | None = None,
    scale_equivariant: bool | str = False,
    unbiased_given: Callable[[Any], Any] | None = None,
    lossless: bool = False,
    dtype: str | None = None,
    framework: Any = None,
    device: str | None = None,
    resolution: float | None = None,
    time_limit: float | None = None,
    samples: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> CompressorReport:
    """Search for an input at which a compressor breaks its claims, until the resolution is reached.

    Args:
        compressor: An object with `sample(x, rng)`, or with `draw` and `compress` as in `impl.compressors`,
            or a function (x, rng) -> C(x), or with `compress(tensor, name) -> (tensors, ctx)` and
            `decompress(tensors, ctx)`. With `memory` (a mapping or function of names) beside these two it is
            judged as sequences: what leaves plus what is kept equals what came in, and a contraction bounds
            what is kept. An exact `variance(x)` is used, and tested, where it exists.
            Inputs of one norm are enough for one that says `scale_equivariance = "all"`; "powers of two" or
            "none", which is also meant where it says nothing, make the search go over scales, too.
        d: Dimension of the inputs.
        n: Number of nodes of a joint compressor, whose inputs and outputs are (n, d).
        unbiased: Claim E C(x) = x; taken from the attribute `unbiased` where it is not given. Without a
            bound on the error it is judged for every compressor whose outcomes stay within a distance from x
            that the report names. Of a joint compressor it is the mean over the nodes, not each of them.
        omega: Claim E||C(x) - x||^2 <= omega ||x||^2; for a joint compressor the same as ab=(omega, 0).
        ab: Claim (A, B) of a joint compressor:
            E||mean of C_i(x_i) - mean of x_i||^2 <= A mean of ||x_i||^2 - B ||mean of x_i||^2.
        claims: Ids of claims that can be applied to a compressor, such as `squant/var` to one with steps.
        rng: Generator that seeds the checks; a fixed seed by default.
        omega_sharp: Claim that omega is attained within 1 %; `inconclusive` if no input that was tried
            attains it.
        contraction: Claim delta of a biased compressor: E||C(x) - x||^2 <= (1 - delta) ||x||^2.
        variance: Claim E||C(x) - x||^2 = variance(x), tested from both sides.
        bits: Claim on the length of messages in bits: the expectation, or (expectation, maximum). The
            compressor packs them: `pack(x, rng)` or `encode(x, rng)` returns bytes, the message of
            `sample(x, rng)` for equal random numbers, drawn in the same order. Inputs with equal messages and
            random numbers must have one C(x): a receiver whose side information follows x, such as that of a
            nested codec, reads `violated`; where `pack` draws otherwise it is not judged (`inconclusive`).
        scale_equivariant: Claim C(c x) = c C(x) for the same random numbers: True or "all", "powers of two".
        unbiased_given: Claim E C(x) = unbiased_given(x), such as x plus a memory that is kept fixed.
        lossless: Claim C(x) = x exactly.
        dtype: Type of the inputs, "float64" (default; jax has "float32" unless told otherwise) or "float32".
        framework: What vectors are: "numpy", "torch", "jax", or a module that makes arrays which numpy can
            read by `__array__` or DLPack; its attribute `framework`, else what its code names, by default.
            The generator is a `torch.Generator` or a key of jax then. A function of x alone draws from the
            global generators, which are seeded for each call: with numpy only where framework= says so.
        device: Device of torch or jax.
        resolution: Fault relative to what the claim allows that ends the check when it would have been seen,
            0.01 by default.
        time_limit: Seconds after which the check ends, 20 by default.
        samples: Most samples at one input, 2^20 by default. The same seed gives the same report, unless
            the time limit ends the check or calls are so slow that it has to choose.
        progress: Called with a line of text when the check moves on.

    Returns:
        The report; `violated` comes with a counterexample. Sampling cannot prove, so success is `consistent`,
        at the resolution that the report names; where even 10 times the wanted one was not reached before a
        limit ended the check it is `inconclusive`.

    Raises:
        UsageError: Arguments that do not fit; nothing to check; too much memory; a compressor that raises,
            hangs, prints, changes its input, or returns another shape, dtype or numbers that are not finite.
    """
    limits = _limits(resolution, time_limit, samples)
    if progress is not None and not callable(progress):
        raise UsageError(f"check_compressor: progress={progress!r} must be a function of a line of text")
    _require_count(d, n)
    require_memory(int(d), n)
    with guarded("reading its attributes"):
        known = framework_of(compressor, framework, dtype, device)
        stateful = is_stateful(compressor)
        if unbiased is None and not stateful:
            unbiased = getattr(compressor, "unbiased", None)
    claimed = Claims(
        unbiased,
        omega,
        ab,
        omega_sharp,
        contraction,
        variance,
        bits,
        scale_equivariant,
        unbiased_given,
        lossless,
        claims,
    )
    claimed.require_valid(n, rng, empty=stateful)
    seed = MASTER_SEED if rng is None else int(rng.integers(2**62))
    seeded = framework is not None or stateful
    with kept_global_generators():
        found = check_stateful(compressor, d, n, claimed, known, seed, limits) if stateful else []
        if not stateful or (contraction is not None and not _violated(found)):
            called = WithoutPast(Stateful(compressor, known, limits.seconds)) if stateful else compressor
            foreign = adapt(called, d, n, framework=known, seeded=seeded, longest=limits.seconds)
            # Before all other calls, in both ways: which one is judged is known only afterwards.
            batched, single = first_call(foreign, seed), first_call(foreign.alone(), seed)
            foreign = as_it_is(foreign, seed)
            before = single if foreign.sample_many is None else batched
            found += check_properties(foreign, claimed, seed, limits.seconds)
            if not _violated(found):
                found += _sampled(foreign, claimed, seed, limits, progress)
            if not _violated(found):
                require_seeded(foreign, seed, before)
        if not _violated(found):
            for claim_id in claimed.claims:
                found += _apply_claim(claim_id, compressor, d, seed)
    tests = sum(item.evidence.tests for item in found)
    if tests > MAX_TESTS:
        raise UsageError(
            f"claims={tuple(claims)!r} need {tests} tests, above {MAX_TESTS}; name fewer at a time"
        )
    return CompressorReport(named(compressor), _verdict(found), tuple(found))


def find_counterexample(compressor: Any, *, d: int, **arguments: Any) -> Mapping[str, Any] | None:
    """Return the witness of a violation found by `check_compressor`, None where it finds none."""
    return check_compressor(compressor, d=d, **arguments).witness


def _sampled(
    foreign: ForeignCompressor,
    claimed: Claims,
    seed: int,
    limits: Limits,
    progress: Callable[[str], None] | None,
) -> list[NamedEvidence]:
    """Search with the exact variance where there is one, then sample."""
    from threadpoolctl import threadpool_limits

    exact = foreign.states_its_error
    found = []
    if claimed.bounds_error and exact:
        found.append(NamedEvidence("exact variance", search_exact(foreign, claimed, seed)))
    if _violated(found):
        return found
    means = claimed.unbiased or claimed.unbiased_given is not None
    if claimed.bounds_error or exact or means or claimed.variance is not None:
        with threadpool_limits(1):  # more threads cost more than they gain on vectors, and time is CPU time
            spent = spend(foreign, claimed, seed, limits, progress or (lambda text: None))
        found += summaries(spent, claimed, limits, seed)
    return found


def _limits(resolution: float | None, time_limit: float | None, samples: int | None) -> Limits:
    problems = []
    if resolution is not None and not (is_number(resolution) and 0 < resolution < 1):
        problems.append(f"resolution={resolution!r} must be a number between 0 and 1, such as 0.01")
    if time_limit is not None and not (is_number(time_limit) and time_limit > 0):
        problems.append(f"time_limit={time_limit!r} must be a positive number of seconds")
    if samples is not None and not is_count(samples):
        problems.append(f"samples={samples!r} must be a positive integer")
    if problems:
        raise UsageError("check_compressor: " + "; ".join(problems))
    return Limits(
        RESOLUTION if resolution is None else float(resolution),
        SECONDS if time_limit is None else float(time_limit),
        SAMPLES if samples is None else int(samples),
    )


def _require_count(d: Any, n: Any) -> None:
    for name, value in (("d", d), ("n", n)):
        if not (name == "n" and value is None) and not is_count(value):
            raise UsageError(f"check_compressor: {name}={value!r} must be a positive integer")


def _violated(found: Sequence[NamedEvidence]) -> bool:
    return any(item.evidence.verdict == "violated" for item in found)


def _verdict(found: Sequence[NamedEvidence]) -> str:
    verdicts = {item.evidence.verdict for item in found}
    for verdict in ("violated", "inconclusive"):
        if verdict in verdicts:
            return verdict
    return "consistent"


def _apply_claim(claim_id: str, compressor: Any, d: int, seed: int) -> Iterable[NamedEvidence]:
    import importlib

    import theory
    from verify.binding import module_name

    module = importlib.import_module(module_name(theory.claim(claim_id).id))
    factory: Callable[[Any, int], tuple[Check, ...]] | None = getattr(module, "checks_for", None)
    if factory is None:
        raise UsageError(
            f"claims: {claim_id!r} cannot be applied to a compressor; squant/var and squant/bounds can"
        )
    for check in factory(compressor, d):
        context = Context(claim_id, check.rung, f"foreign-{check.instance}", seed=seed)
        yield NamedEvidence(
            f"{claim_id} {check.rung}/{check.instance}", judge(check.rung, check.base, context)
        )
