"""Compressors with a memory, judged as sequences: nothing is lost, and what is kept stays bounded."""

import copy
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from verify.context import Context
from verify.errors import UsageError
from verify.foreign.allocation import Limits
from verify.foreign.calls import named
from verify.foreign.clock import Clock
from verify.foreign.frameworks import Framework
from verify.foreign.guard import CompressorFault, guarded
from verify.foreign.inputs import named_inputs
from verify.foreign.second_moment import BoundTest
from verify.outcome import Evidence, json_ready
from verify.reporting.compressor_report import NamedEvidence

KINDS = 9
"""Kinds of sequences, each with its share of the time limit."""

STEPS = 64
"""Steps of a sequence, two tensors each."""

LOOKED = (1, 2, 4, 8, 16, 32, 64)
"""Steps after which the memory is held against its bound."""

MOST_SEQUENCES, PRECISION = 128, 0.25
"""Sequences of one kind where they are random, and the excess over the bound that is enough to show: the
contraction itself is tested to the resolution, at the first step."""

CONSERVED = {"float64": 1e-12, "float32": 1e-5}
"""Part of what came in that may be lost by rounding in one step."""


@dataclass(frozen=True)
class Stateful:
    """A compressor with `compress(tensor, name)`, `decompress(tensors, ctx)` and `memory`.

    Args:
        compressor: As its author left it: each sequence begins with a copy.
        framework: What its vectors are.
        longest: Seconds that one call may take.
    """

    compressor: Any
    framework: Framework
    longest: float

    @property
    def round_off(self) -> float:
        """Return which part of what came in may be lost by rounding in one step."""
        return CONSERVED[self.framework.dtype]

    def fresh(self) -> Any:
        """Return a copy in the state of the beginning.

        Raises:
            UsageError: It cannot be copied.
        """
        try:
            return copy.deepcopy(self.compressor)
        except Exception as error:  # whatever copying an object of others raises
            raise UsageError(
                f"compressor={named(self.compressor)} cannot be copied ({error}), so that no sequence "
                "could begin afresh; give it a __deepcopy__"
            ) from error

    def memory(self, compressor: Any, name: str, shape: tuple[int, ...]) -> Any:
        """Return what is kept of a tensor, zeros where nothing is."""
        import numpy as np

        kept = compressor.memory
        with guarded(f"memory of {name!r}", self.longest):
            found = kept(name) if callable(kept) else kept.get(name)
            found = np.zeros(shape) if found is None else np.array(self.framework.read(found), dtype=float)
        if found.shape != shape:
            raise CompressorFault(
                "shape", f"memory of {name!r} has shape {found.shape} for a tensor of shape {shape}"
            )
        return found

    def step(self, compressor: Any, x: Any, name: str, rng: Any) -> Any:
        """Return what leaves in one step, as an array of numpy.

        Raises:
            CompressorFault: The message is no pair, or decompressing it twice gives two results.
        """
        import numpy as np

        given = self.framework.given(x)
        self.framework.seed(rng)
        with guarded(f"compress(x, {name!r})", self.longest):
            message = compressor.compress(given, name)
        if not isinstance(message, tuple | list) or len(message) != 2:
            raise CompressorFault("shape", f"compress(x, {name!r}) must return (tensors, ctx)")
        found = []
        for _ in range(2):
            with guarded(f"decompress of {name!r}", self.longest):
                one = compressor.decompress(*message)
                found.append(np.array(self.framework.returned(one, given, x), dtype=float))
        if found[0].shape != x.shape:
            raise CompressorFault("shape", f"decompress gives shape {found[0].shape} for x of {x.shape}")
        if not np.isfinite(found[0]).all():
            raise CompressorFault("not finite", f"decompress of {name!r} gives values that are not finite")
        if not np.array_equal(found[0], found[1]):
            raise CompressorFault(
                "decompress",
                "two calls of decompress with one message give two results: it draws random numbers, keeps a "
                "state, or changes the message; nodes that decompress it would disagree",
            )
        return found[0]


def check_sequences(
    stateful: Stateful, d: int, delta: float | None, seed: int, limits: Limits
) -> list[NamedEvidence]:
    """Judge whether nothing is lost and, where a contraction is claimed, whether the memory stays bounded.

    With E||C(y) - y||^2 <= (1 - delta) ||y||^2 the memory m_t = y_t - C(y_t), y_t = m_{t-1} + x_t, obeys
    sqrt(E||m_t||^2) <= sqrt(1 - delta) (sqrt(E||m_{t-1}||^2) + ||x_t||), whose limit is below the bound
    4 (1 - delta) / delta^2 G^2 of Karimireddy et al. (2019), Lemma 3.
    """
    import numpy as np

    clock = Clock(limits.seconds)
    found, largest, sequences = [], (0.0, ""), 0
    tests: list[tuple[BoundTest, str, Any]] = []
    for place, (kind, inputs) in enumerate(_sequences(d)):
        bounds = _bounds(delta, inputs, stateful.round_off)
        at = {step: BoundTest(f"contraction={delta:g}", bound) for step, bound in bounds.items()}
        first: list[float] | None = None
        for number in range(MOST_SEQUENCES):
            stream = Context("check", "montecarlo", f"sequence-{place}-{number}", seed=seed).stream(0)
            squares = _run(stateful, kind, inputs, stream, number == 0)
            if isinstance(squares, NamedEvidence):
                return [squares]
            sequences += 1
            largest = max(largest, (max(squares), kind))
            same = squares == first
            first = first or squares
            for step, test in at.items():
                test.update(np.array(squares[step - 1 : step]))
                if test.refuted or (same and squares[step - 1] > test.bound):
                    return [_grows(test, step, kind, inputs, seed)]
            # Equal sequences draw nothing; without a claim two are enough to look for losses.
            if (
                same
                or clock.over((place + 1) / KINDS)
                or (not at and number)
                or all(map(_settled, at.values()))
            ):
                break
        tests += [(test, f"step {step}, {kind}", inputs) for step, test in at.items()]
    reason = (
        f"what leaves plus what is kept equals what came in, at every one of {STEPS} steps of {sequences} "
        f"sequences of two tensors, to {stateful.round_off:g}; largest memory "
        f"{math.sqrt(largest[0]):.4g} times the largest input, {largest[1]}"
    )
    found.append(NamedEvidence("nothing is lost", Evidence("consistent", "search", reason=reason)))
    if tests and delta is not None:
        found.append(_bounded(tests, delta))
    return found


def _run(stateful: Stateful, kind: str, inputs: Any, rng: Any, watched: bool) -> list[float] | NamedEvidence:
    """Return the squared length of the memory after each step, or what is wrong with one.

    A second, shorter tensor is compressed between the steps where the sequence is watched.
    """
    import numpy as np

    compressor, shape, squares = stateful.fresh(), inputs[0].shape, []
    other = np.linspace(-1.0, 2.0, max(1, len(inputs[0]) // 2))
    for step, x in enumerate(inputs, 1):
        x = np.asarray(x, dtype=stateful.framework.dtype)
        before = stateful.memory(compressor, "a", shape)
        left = stateful.step(compressor, x, "a", rng)
        after = stateful.memory(compressor, "a", shape)
        lost = before + x - left - after
        scale = math.sqrt(float(before @ before)) + math.sqrt(float(x @ x))
        if math.sqrt(float(lost @ lost)) > stateful.round_off * scale:
            return _lost(lost, scale, step, kind, x)
        if watched:
            stateful.step(compressor, other.astype(x.dtype), "b", rng)
            if not np.array_equal(stateful.memory(compressor, "a", shape), after):
                return _shared(step, kind, x)
        squares.append(float(after @ after))
    return squares


def _sequences(d: int) -> Iterator[tuple[str, Any]]:
    """Yield names and the inputs of a sequence, (steps, d), none longer than 1."""
    import numpy as np

    named = {name: x / math.sqrt(float(x @ x)) for name, x in named_inputs(d)}
    for name in ("ones", "generic", "one-hot last", "decaying squares", "heavy tails"):
        yield f"{name}, again and again", np.tile(named[name], (STEPS, 1))
    rng = np.random.Generator(np.random.Philox(41))
    generic = rng.standard_normal((STEPS, d))
    yield "generic", generic / np.sqrt((generic**2).sum(axis=1, keepdims=True))
    signs = np.where(np.arange(STEPS) % 2, -1.0, 1.0)
    yield "generic, signs in turn", np.outer(signs, named["generic"])
    yield "one entry after another", np.eye(d)[np.arange(STEPS) % d]
    fading = np.outer(2.0 ** -np.arange(STEPS), named["generic 2"])
    yield "generic, fading", fading


def _bounds(delta: float | None, inputs: Any, round_off: float) -> dict[int, float]:
    """Return the bound on E||m_t||^2 after each of the steps that are looked at, with room for rounding."""
    if delta is None:
        return {}
    found, length, came = {}, 0.0, 0.0
    for step, x in enumerate(inputs, 1):
        size = math.sqrt(float(x @ x))
        length, came = math.sqrt(1 - delta) * (length + size), came + size
        if step in LOOKED:
            found[step] = (length + round_off * came) ** 2
    return found


def _settled(test: BoundTest) -> bool:
    return test.moments.samples >= 32 and test.promise() <= 4 and test.settled(PRECISION)


def _bounded(tests: list[tuple[BoundTest, str, Any]], delta: float) -> NamedEvidence:
    test, where, _ = max(tests, key=lambda item: item[0].moments.mean / item[0].bound)
    limit = math.sqrt(1 - delta) / (1 - math.sqrt(1 - delta)) if delta < 1 else 0.0
    reason = (
        f"mean square of the memory {test.moments.mean:.4g}, {test.moments.mean / test.bound:.4g} of the "
        f"bound at {where}; in the long run contraction {delta:g} allows {limit:.4g} times the largest input"
    )
    samples = sum(item.moments.samples for item, _, _ in tests)
    return NamedEvidence(
        "memory stays bounded",
        Evidence(
            "consistent",
            "search",
            bound=test.bound,
            value=test.moments.mean,
            samples=samples,
            tests=len(tests),
            reason=reason,
        ),
    )


def _lost(lost: Any, scale: float, step: int, kind: str, x: Any) -> NamedEvidence:
    length = math.sqrt(float(lost @ lost))
    return NamedEvidence(
        "nothing is lost",
        Evidence(
            "violated",
            "numerical",
            bound=0.0,
            value=length,
            witness=json_ready({"x": x, "step": step, "sequence": kind, "lost": lost}),
            reason=f"at step {step} ({kind}) what leaves plus what is kept differs from what came in by "
            f"{length:.6g}, {length / scale:.2%} of it",
        ),
    )


def _shared(step: int, kind: str, x: Any) -> NamedEvidence:
    return NamedEvidence(
        "memories are apart",
        Evidence(
            "violated",
            "numerical",
            witness=json_ready({"x": x, "step": step, "sequence": kind}),
            reason=f"compressing tensor 'b' changed what is kept of tensor 'a' at step {step} ({kind})",
        ),
    )


def _grows(test: BoundTest, step: int, kind: str, inputs: Any, seed: int) -> NamedEvidence:
    value = test.moments.mean
    return NamedEvidence(
        f"memory stays bounded, step {step}, {kind}",
        Evidence(
            "violated",
            "guaranteed" if test.refuted else "numerical",
            bound=test.bound,
            value=value,
            samples=test.moments.samples,
            tests=1,
            witness=json_ready({"x": inputs[step - 1], "step": step, "sequence": kind, "seed": seed}),
            reason=f"mean square of the memory {value:.6g}, {test.claim} allows {test.bound:.6g}",
        ),
    )
