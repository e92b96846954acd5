"""Whether runs of many replicates are those of their parts and of the literal method, and where they end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from impl.optimizers import AdaptiveRatios, QuantizedEstimator
from verify.authoring import Comparisons, eq
from verify.comparison import ROUNDS

Ran = Callable[[Any], Any]
_CHUNK = 100  # replicates that share their draws, as documented: a function of n and d alone
_SOON = 8  # rounds from one look at the gradients to the next
_RECORDED = 1e300  # stands for what overflowed
OTHER_RUNS: tuple[Any, ...] = (
    "other-traces at exact/runs: All traces and counts are larger by one, and a bit.",
    {"ran": lambda trace: 1.0001 * trace + 1},
)
"""A mutant of a check `runs` whose law has `ran`."""


def ran(trace: Any) -> Any:
    """Return a trace of a run as it is."""
    return trace


def batched_runs(judged: Ran, cases: Mapping[str, tuple[Any, ...]], seed: int) -> Comparisons:
    """Compare runs in several chunks, runs that stop, and runs that overflow, with their parts.

    Args:
        judged: What is made of each trace, `ran` or a mutant.
        cases: Name to a method of (rng, start, replicates, options) with a small problem, its start (d,), the
            method, literally, of (rng, start) with as many rounds, and whether it has `until`.
        seed: Of the streams.
    """
    for name, (method, start, literal, stops) in cases.items():
        at, starts = {"case": name}, start * np.linspace(1.0, 2.0, _CHUNK + 5)[:, None]
        rng = np.random.Generator(np.random.Philox(seed))
        parts = [method(rng, rows, len(rows), {"trace": True}) for rows in np.split(starts, [_CHUNK])]
        whole = method(_stream(seed), starts, len(starts), {"trace": True})
        apart = {field: np.concatenate([t[field] for t in map(_traces, parts)]) for field in _traces(whole)}
        differing = sum(int((judged(trace) != apart[of]).sum()) for of, trace in _traces(whole).items())
        yield eq("numbers other than those of the chunks", differing, 0, witness=at)
        one = _traces(method(_stream(seed), start, 1, {"trace": True}))
        for field, expected in _traces(literal(_stream(seed), start)).items():
            size = float(np.linalg.norm(expected))
            off = size + float(np.linalg.norm(judged(one[field]) - expected))
            yield eq("traces of the literal run", off, size, ROUNDS, witness={**at, "trace": field})
        yield from _overflowing(judged, method, starts[:3], seed, at)
        if stops:
            yield from _stopping(judged, method, starts, seed, at)
            yield from _stopping_beside(judged, method, starts[:3], seed, at)


def _overflowing(judged: Ran, method: Any, starts: Any, seed: int, at: Any) -> Comparisons:
    """Compare a run whose second replicate leaves the range with one that stays in it."""
    sound = _traces(method(_stream(seed), starts, 3, {"trace": True}))
    far = starts.copy()
    far[1] *= 1e150
    found = method(_stream(seed), far, 3, {"trace": True})
    for field, trace in _traces(found).items():
        changed = int((judged(trace)[[0, 2]] != sound[field][[0, 2]]).sum())
        yield eq("numbers of sound replicates that change", changed, 0, witness={**at, "trace": field})
        stated = 0.0 if field in ("bits", "bits_slowest", "cost") else _RECORDED
        stated = np.inf if field in ("x", "iterates", "shifts") else stated
        wrong = int((judged(trace)[1] != stated).sum())
        yield eq("numbers of one beyond the range", wrong, 0, witness={**at, "trace": field})
    yield eq("replicates beyond the range", int(judged(found.overflowed.sum())), 1, witness=at)


def set_aside(judged: Ran, cases: Mapping[str, tuple[Any, Any, Any]], seed: int) -> Comparisons:
    """Compare sound replicates beside one whose gradients fit, while what the method makes of them does not.

    Args:
        judged: `ran` or a mutant.
        cases: Name to a method of (rng, rows, options), rows (3, d) that it starts with, none of which leaves
            the range, and others whose second one does.
        seed: Of the streams.
    """
    for name, (method, rows, far) in cases.items():
        at = {"case": name, "beyond": 1}
        sound = _traces(method(_stream(seed), rows, {"trace": True}))
        found = method(_stream(seed), far, {"trace": True})
        for field, trace in _traces(found).items():
            changed = int((judged(trace)[[0, 2]] != sound[field][[0, 2]]).sum())
            yield eq("numbers of sound replicates that change", changed, 0, witness={**at, "trace": field})
        yield eq("replicates beyond the range", int(judged(found.overflowed.sum())), 1, witness=at)


def default_replicates(judged: Ran, cases: Mapping[str, Callable[..., Any]], seed: int) -> Comparisons:
    """Compare runs that are told no number of replicates with those of one.

    Args:
        judged: `ran` or a mutant.
        cases: Name to what a run of (rng, **options) ends with, (replicates, ...).
        seed: Of the streams.
    """
    for name, run in cases.items():
        one, found = run(_stream(seed), replicates=1), run(_stream(seed))
        fits = len(one) == 1 and found.shape == one.shape
        differing = int((judged(found) != one).sum()) if fits else found.size
        yield eq("numbers other than those of one replicate", differing, 0, witness={"case": name})


def _stopping(judged: Ran, method: Any, starts: Any, seed: int, at: Any) -> Comparisons:
    """Compare a run in two chunks that stops early with the whole one, up to where each chunk stops."""
    starts, whole, until, ends = _apart(method, starts, seed)
    found = method(_stream(seed), starts, len(starts), {"until": until})
    yield eq("round at which it stops", int(judged(found.rounds)), max(ends), witness=at)
    first = slice(0, _CHUNK)  # what the second chunk draws depends on where the first one stops
    for field in ("objective", "gradient_norm_sq", "distance_sq", "bits", "bits_slowest"):
        rows = getattr(whole, field)[first, : max(ends) + 1].copy()
        rows[:, ends[0] + 1 :] = rows[:, ends[0], None]
        differing = int((judged(getattr(found, field))[first, : max(ends) + 1] != rows).sum())
        yield eq("numbers that change where it stops", differing, 0, witness={**at, "trace": field})


def _stopping_beside(judged: Ran, method: Any, starts: Any, seed: int, at: Any) -> Comparisons:
    """Compare where a run stops whose second replicate leaves the range: where the others are there."""
    far = starts.copy()
    far[1] *= 1e150
    distances = method(_stream(seed), far, len(far), {}).distance_sq[[0, 2]]
    shares = distances / distances[:, :1]
    until = float(shares[:, shares.shape[1] // 2].max())
    end = int(np.argmax((shares <= until).all(axis=0)))
    found = method(_stream(seed), far, len(far), {"until": until})
    yield eq("round at which it stops", int(judged(found.rounds)), end, witness={**at, "beyond": 1})


def gradient_stops(judged: Ran, method: Any, rounds: int) -> Comparisons:
    """Compare where runs stop whose gradient is small in one round alone: the first, before or at a look.

    Args:
        judged: `ran` or a mutant.
        method: Gradient descent of (matrices (1, d, d), start (d,), options) with step 1.
        rounds: Of all runs, well above those below.
    """
    # Gradients halve along one axis, and grow along the other. Large runs write their traces at other rounds.
    for pairs, replicates in ((1, 1), (64, 100)):
        matrices = np.diag([0.5, 2.5] * pairs)[None]
        for place in (0, 1, 4, 8, 9):
            start = np.array([3.82e-3 * 9.0 ** (place / 2), 1e-3] + [0.0] * (2 * pairs - 2))
            given = {"rounds": rounds, "replicates": replicates}
            whole = method(matrices, start, given).gradient_norm_sq[0]
            least, at = int(np.argmin(whole)), {"smallest in round": place, "replicates": replicates}
            yield eq("numbers of rounds before the smallest gradient", int(judged(least)), place, witness=at)
            options = {**given, "gradient_until": 1.0001 * float(whole[least])}
            late = int(0 <= method(matrices, start, options).rounds - least < _SOON)
            yield eq("numbers of runs that stop soon after it", int(judged(late)), 1, witness=at)


def _apart(method: Any, starts: Any, seed: int) -> tuple[Any, Any, float, list[int]]:
    """Return starts, their run, an end, and the rounds at which the chunks are there, the first one sooner.

    Where the chunks are alike the second one starts along one axis after the other; some are slow.
    """
    made: tuple[Any, Any, float, list[int]] | None = None
    for axis in (None, *range(starts.shape[1])):
        given = starts.copy()
        if axis is not None:
            given[_CHUNK:, np.arange(starts.shape[1]) != axis] = 0.0
        whole = method(_stream(seed), given, len(given), {})
        shares = whole.distance_sq / whole.distance_sq[:, :1]
        until = float(shares[:, whole.rounds // 2].max())
        parts = np.split(shares <= until, [_CHUNK])
        ends = [int(np.argmax(rows.all(axis=0))) for rows in parts]
        made = (given, whole, until, ends)
        if ends[0] < ends[1]:
            break
    assert made is not None
    return made


def limits(judged: Ran, cases: Mapping[str, tuple[Sequence[Any], float]]) -> Comparisons:
    """Compare which of two replicates of quantized gradients go on: one at the limit, one right above it.

    Args:
        judged: `ran` or a mutant.
        cases: Name to the codecs of the workers and the largest entry of a gradient that all of them take.
    """
    for name, (codecs, limit) in cases.items():
        at, P = {"case": name}, len(codecs)
        gradients = np.full((3, P, 3), limit) * np.array([1.0, -1.0, 0.5])
        gradients[1, P - 1, 1] = -np.nextafter(limit, np.inf)
        gradients[2, 0, 0] = 1e300
        found, bits = QuantizedEstimator(codecs, _stream(1))(np.zeros((3, 3)), gradients)
        whole = [bool(np.isfinite(row).all()) for row in found]
        yield eq("replicates that go on at the limit", int(judged(int(whole[0]))), 1, witness=at)
        for beyond in whole[1:]:
            yield eq("replicates that go on above it", int(judged(int(beyond))), 0, witness=at)
        yield eq("messages at the limit", int(judged(int((bits > 0).sum()))), 3 * P, witness=at)
        said: dict[str, Any] = {"noise_std": 0.0, "momentum": 0.0, "side": "parallel", "observe": None}
        two = [QuantizedEstimator(codecs, _stream(1), **options) for options in (dict[str, Any](), said)]
        twice = [[one(np.zeros((1, 3)), gradients[:1] / 4)[0] for _ in range(2)] for one in two]
        differing = int((np.array(twice[0]) != np.array(twice[1])).sum())
        yield eq("numbers that defaults change", int(judged(differing)), 0, witness=at)


def deviations(judged: Ran, codecs: Sequence[Any], levels: Sequence[int], gradients: Any) -> Comparisons:
    """Compare the deviations by which ratios are chosen with those of the messages before, number by number.

    Args:
        judged: `ran` or a mutant.
        codecs: Of the workers, the last one nested, the others not.
        levels: Of all codecs.
        gradients: (P, d), with scale in each row.
    """
    given, seen, m = list[float](), list[Any](), len(codecs) - 1

    def choose(deviation: float, _: int) -> None:
        given.append(deviation)

    link = AdaptiveRatios(codecs, _stream(2), choose=choose, observe=seen.append)
    for k in range(4):
        link.exchange((1.0 + k) * gradients[None])
    for deviation, exchange in zip(given, seen, strict=False):  # each of the messages before
        steps = np.abs(exchange.gradients[0]).max(axis=-1) / np.array(levels)
        columns = exchange.decoded[0, :m].T.tolist()
        means = [sum(column) / m for column in columns]
        squares = [
            sum((a - b) ** 2 for a in column) / (m - 1) for column, b in zip(columns, means, strict=True)
        ]
        sample, fine = sum(squares) / len(squares), float((steps[:m] ** 2).sum()) / (12 * m)
        stated = (max(0.0, sample - fine) + sample / m) ** 0.5 / float(steps[m])
        yield eq("numbers of deviations", float(judged(deviation)), stated, ROUNDS)
    yield eq("numbers of deviations that are asked for", int(judged(len(given))), 3)


def _stream(seed: int) -> Any:
    return np.random.Generator(np.random.Philox(seed))


def _traces(run: Any) -> dict[str, Any]:
    return {item.name: value for item in fields(run) if (value := getattr(run, item.name)) is not None}
