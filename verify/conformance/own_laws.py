"""Whether what a compressor says of its own law is what its literal method gives, outcome by outcome."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from impl.compressors import squared_errors
from impl.compressors.contract import Compressor
from impl.compressors.joint.joint_contract import JointCompressor
from verify.authoring import Comparisons, eq, le
from verify.comparison import ROUND_OFF

_SENT = 8
"""Outcomes that are packed, about: packing takes most of the time."""
_DRAWS = 2000
"""Draws whose distance in total variation from k chances is below (k / draws)^(1/2) / 2 on average."""
_LONG = 2053
"""Coordinates that no vector register divides."""

Stated = Callable[[Any], Any]
OTHER: tuple[Any, ...] = (
    "larger-law at exact/own-laws: State all moments and lengths a hundredth larger.",
    {"stated": lambda number: 1.01 * number if isinstance(number, float) else number * Fraction(101, 100)},
    "smaller-law at exact/own-laws: State them a hundredth smaller.",
    {"stated": lambda number: 0.99 * number if isinstance(number, float) else number * Fraction(99, 100)},
)
"""Mutants of a check `own-laws` whose law has `stated`."""


def stated(number: Any) -> Any:
    """Return what a compressor says of its law."""
    return number


def own_laws(judged: Stated, cases: Mapping[str, tuple[Any, ...]]) -> Comparisons:
    """Compare the law that a compressor states for a rational input (d,) with the sum over its outcomes.

    Args:
        judged: What is made of each stated number, `stated` or a mutant.
        cases: Name to compressor, input, rational weight, (d,) or (d, d), and for nested codecs rational side
            information, (d,).
    """
    for name, (compressor, numbers, weight, *known) in cases.items():
        at = {"case": name}
        x, floats = [Fraction(item) for item in numbers], np.array(numbers, dtype=float)
        side = [[Fraction(item) for item in row] for row in known]
        outcomes = list(compressor.outcomes(x))
        chances = [chance for chance, _ in outcomes]
        received = [compressor.reference(x, draws, *side) for _, draws in outcomes]
        errors = [_weighted(found, x, weight) for found in received]
        mean = _mean(chances, errors)
        yield eq("sum of the chances of outcomes", judged(sum(chances, Fraction(0))), 1, witness=at)
        exactly = compressor.variance(x, weight, None, *side)
        yield eq("stated variance, exactly", judged(exactly), mean, witness=at)
        squares = [_weighted(found, x, [1] * len(x)) for found in received]
        plain = _mean(chances, squares)
        exactly = compressor.variance(x, None, None, *side)
        yield eq("stated variance without weight", judged(exactly), plain, witness=at)
        for diagonal, exact in ((np.array(weight, dtype=float), mean), (None, plain)):
            with np.errstate(divide="raise", invalid="raise"):  # where a caller would be warned
                said = judged(float(compressor.variance(floats, diagonal, None, *_floats(side))))
            yield eq("stated variance, in floats", said, float(exact), ROUND_OFF, witness=at)
        moments = compressor.moments(floats, None, *_floats(side))
        spread = _mean(chances, [(square - plain) ** 2 for square in squares])
        for moment, said, exact in (("mean", moments.mean, plain), ("variance", moments.variance, spread)):
            if said is not None:
                at_moment = {**at, "weight": "none"}
                yield eq(
                    f"stated {moment} of the error", judged(said), float(exact), ROUND_OFF, witness=at_moment
                )
        yield from _of_nodes(judged, compressor, (x, weight, mean), side, at)
        moments = compressor.moments(floats, np.array(weight, dtype=float), *_floats(side))
        spread = _mean(chances, [(error - mean) ** 2 for error in errors])
        largest = max(error for chance, error in zip(chances, errors, strict=True) if chance)
        found = {"mean": (moments.mean, mean), "variance": (moments.variance, spread)}
        for moment, (said, exact) in found.items():
            if said is not None:
                yield eq(f"stated {moment} of the error", judged(said), float(exact), ROUND_OFF, witness=at)
        if moments.upper is not None:
            yield le("sure bound of the error", float(largest), judged(moments.upper), ROUND_OFF, witness=at)
        bits = _mean(
            chances, [Fraction(int(compressor.message(floats, draws).bits)) for _, draws in outcomes]
        )
        yield eq("stated length", judged(compressor.expected_bits(x)), bits, witness=at)
        said = judged(float(compressor.expected_bits(floats)))
        yield eq("stated length, in floats", said, float(bits), ROUND_OFF, witness=at)
        yield from _of_two(judged, compressor, floats, (weight, side), at)
        yield from _in_floats(judged, compressor, floats, chances, at)
        yield from _received_in_floats(judged, compressor, floats, received, side, at)
        for _, draws in outcomes[:: max(1, len(outcomes) // _SENT)]:
            data = compressor.encode(floats, draws)
            sent = compressor.decode(data, draws.shared, None, *_floats(side))
            fast = compressor.compress(floats, draws, *_floats(side))
            lost = sum(judged(float(a)) != b for a, b in zip(sent, fast, strict=True))
            yield eq("entries lost in transit", lost, 0, witness=at)


def near_certain(judged: Stated, compressors: Mapping[str, Compressor]) -> Comparisons:
    """Compare the mean over outcomes with entries so near to a point that floats cannot tell them from it.

    Args:
        judged: As for `own_laws`.
        compressors: Unbiased ones that take any three rational numbers, the first one the largest, by name.
    """
    near = Fraction(1, 2**60)
    x = [Fraction(1), 1 - near, near]
    for name, compressor in compressors.items():
        outcomes = list(compressor.outcomes(x))
        received = [compressor.reference(x, draws) for _, draws in outcomes]
        chances = [chance for chance, _ in outcomes]
        yield eq(
            "sum of the chances of outcomes", judged(sum(chances, Fraction(0))), 1, witness={"case": name}
        )
        for j, entry in enumerate(x):
            mean = judged(_mean(chances, [found[j] for found in received]))
            yield eq("mean over outcomes", mean, entry, witness={"case": name, "entry": j})


def neighbours(judged: Stated, compressors: Mapping[str, Any]) -> Comparisons:
    """Compare the points beside entries of arrays with those of rational numbers, one by one.

    Args:
        judged: As for `own_laws`.
        compressors: Roundings to one of two points, by name.
    """
    entries = [0.0, 1.0, -1.0, 0.5, -0.25, 4.0, 3.0, -5.0, 1.25, 2.0**-30, -(2.0**20), 7.0]
    for name, compressor in compressors.items():
        for kind in (np.float64, np.float32):
            for way in (compressor.low, compressor.high):
                found = way(np.array(entries, dtype=kind)).tolist()
                own = [way(Fraction(entry)) for entry in entries]
                off = sum((abs(Fraction(a) - b) for a, b in zip(found, own, strict=True)), Fraction(0))
                at = {"case": name, "way": way.__name__, "kind": np.dtype(kind).name}
                yield eq("points beside an entry", judged(1 + off), 1, witness=at)


def _of_nodes(
    judged: Stated, compressor: Compressor, given: tuple[Any, ...], side: Sequence[Any], at: Any
) -> Comparisons:
    """Compare the variances of two nodes with one input and the weights W and 3 W with the one for W."""
    x, weight, mean = given
    tripled = (3 * np.array(weight, dtype=object)).tolist()
    weights, nodes = [weight, tripled], [x, x]
    both = compressor.variance(nodes, None, weights, *side)
    listed = Fraction(int(isinstance(both, list)))
    yield eq("stated variance of a node", judged(listed), 1, witness={**at, "of": "a list of all"})
    in_floats = compressor.variance(
        np.array(nodes, dtype=float), None, np.array(weights, dtype=float), *_floats(side)
    )
    for node, factor in enumerate((1, 3)):
        yield eq("stated variance of a node", judged(both[node]), factor * mean, witness=at)
        said = judged(float(in_floats[node]))
        yield eq("stated variance of a node, in floats", said, float(factor * mean), ROUND_OFF, witness=at)


def _of_two(
    judged: Stated, compressor: Compressor, floats: Any, given: tuple[Any, Any], at: Any
) -> Comparisons:
    """Compare moments and lengths of two vectors at once with those of each."""
    weight, side = np.array(given[0], dtype=float), _floats(given[1])
    pair = np.stack([floats, floats / 2])
    both, lengths = compressor.moments(pair, weight, *side), compressor.expected_bits(pair)
    for place, vector in enumerate(pair):
        alone = compressor.moments(vector, weight, *side)
        for moment in ("mean", "variance", "upper"):
            said, own = getattr(both, moment), getattr(alone, moment)
            if own is not None:
                found = judged(float(said[place]))
                yield eq("stated moments of one of two", found, float(own), ROUND_OFF, witness=at)
        found, own = judged(float(lengths[place])), float(compressor.expected_bits(vector))
        yield eq("stated length of one of two", found, own, ROUND_OFF, witness=at)


def _in_floats(
    judged: Stated, compressor: Compressor, floats: Any, chances: Sequence[Fraction], at: Any
) -> Comparisons:
    """Compare the outcomes of a vector of floats, and their chances, with those in rationals."""
    found = [judged(float(chance)) for chance, _ in compressor.outcomes(floats.tolist())]
    yield eq("stated outcomes in floats", float(len(found)) + sum(found) - 1, float(len(chances)), ROUND_OFF)
    off = sum(abs(a - float(b)) for a, b in zip(found, chances, strict=False))
    yield eq("stated chances in floats", 1.0 + off, 1.0, ROUND_OFF, witness=at)


def _received_in_floats(
    judged: Stated,
    compressor: Compressor,
    floats: Any,
    received: Sequence[Any],
    side: Sequence[Any],
    at: Any,
) -> Comparisons:
    """Compare what is received at the draws of each outcome in floats with the outcomes in rationals."""
    given, known = floats.tolist(), [row.tolist() for row in _floats(side)]
    found = [compressor.reference(given, draws, *known) for _, draws in compressor.outcomes(given)]
    size, off = max(1.0, float(np.abs(floats).max())), 0.0
    for one, other in zip(found, received, strict=False):
        off += sum(abs(float(a) - float(b)) for a, b in zip(one, other, strict=True)) / size
    yield eq("stated outcomes in floats", judged(1.0 + off), 1.0, ROUND_OFF, witness=at)


def laws_of_many(
    judged: Stated,
    cases: Mapping[str, tuple[JointCompressor, Any, Any]],
    short: Mapping[str, tuple[JointCompressor, Any, Any]],
) -> Comparisons:
    """Compare the law in floats with the exact one where there are too many outcomes to sum over.

    Args:
        judged: As for `own_laws`.
        cases: As for `own_joint_laws`.
        short: The same, of floats that are rounded before they are sent; these are summed over.
    """
    for name, (compressor, rows, weight) in cases.items():
        x, weights = [[Fraction(item) for item in row] for row in rows], np.array(weight, dtype=float)
        twice = [[2 * item for item in row] for row in x]
        exactly = [float(compressor.variance(item, weight)) for item in (x, twice)]
        floats = np.array([x, twice], dtype=float)
        alone = compressor.variance(floats[0], weights)
        for said, own in zip(
            (alone, *compressor.variance(floats, weights)), (exactly[0], *exactly), strict=True
        ):
            found = judged(float(said))
            yield eq("stated variance of many clients", found, own, ROUND_OFF, witness={"case": name})
    for name, (compressor, rows, weight) in short.items():
        given, x = [list(row) for row in rows], [[Fraction(item) for item in row] for row in rows]
        received = [compressor.reference(given, draws) for _, draws in compressor.outcomes(given)]
        averages = [
            _average([[Fraction(float(item)) for item in row] for row in found]) for found in received
        ]
        errors = [_weighted(found, _average(x), weight) for found in averages]
        mean = _mean([chance for chance, _ in compressor.outcomes(x)], errors)
        said = judged(float(compressor.variance(np.array(rows), np.array(weight, dtype=float))))
        yield eq("stated variance of short entries", said, float(mean), ROUND_OFF, witness={"case": name})


def long_variances(judged: Stated, compressors: Mapping[str, Compressor]) -> Comparisons:
    """Compare variances of long vectors, one and two at once, without a weight with those for the weight one.

    Args:
        judged: As for `own_laws`.
        compressors: Some, by name, that take any vectors.
    """
    for name, compressor in compressors.items():
        x = np.sin(np.arange(1.0, 2 * _LONG + 1)).reshape(2, _LONG)
        for scale in (1.0, 1e18, 1e-18):
            for given in (scale * x, (scale * x).astype(np.float32)):
                at, ones = {"case": name, "scale": scale, "type": str(given.dtype)}, np.ones(_LONG)
                both, own = compressor.variance(given), compressor.variance(given, ones)
                alone = compressor.variance(given[0])
                for said, exact in zip((alone, *both), (own[0], *own), strict=True):
                    found = judged(float(said))
                    yield eq("stated variance of long vectors", found, float(exact), ROUND_OFF, witness=at)


def sampled_squares(judged: Stated, cases: Mapping[str, tuple[Any, ...]]) -> Comparisons:
    """Compare sampled squared errors with those of the same samples.

    Args:
        judged: As for `own_laws`.
        cases: Name to compressor and input; those of vectors (d,) are taken.
    """
    for name, (compressor, x, *_) in cases.items():
        if x.ndim > 1 or len(x) > 20 or x.dtype != np.float64 or not 1e-3 < np.abs(x).max() < 1e3:
            continue
        rows = np.cos(np.arange(1.0, 1 + len(x) ** 2)).reshape(len(x), -1)
        for weight in (None, 1 + np.arange(len(x)), rows @ rows.T):
            streams = [np.random.Generator(np.random.Philox(3)) for _ in range(2)]
            found = squared_errors(compressor, x, streams[0], 5, weight=weight)
            off = compressor.sample(x, streams[1], 5) - x
            full = np.eye(len(x)) if weight is None else np.diag(weight) if weight.ndim == 1 else weight
            for value, row in zip(found, off, strict=True):
                own = float(sum(full[i, j] * a * b for i, a in enumerate(row) for j, b in enumerate(row)))
                yield eq(
                    "sampled squares of errors", judged(float(value)), own, ROUND_OFF, witness={"case": name}
                )


def sampled_joint_squares(
    judged: Stated, cases: Mapping[str, tuple[JointCompressor, Any, Any]]
) -> Comparisons:
    """Compare sampled squared errors of estimates with those of the same samples.

    Args:
        judged: As for `own_laws`.
        cases: As for `own_joint_laws`.
    """
    for name, (compressor, rows, weight) in cases.items():
        x = np.array(rows, dtype=float)
        for given in (None, np.array(weight, dtype=float)):
            streams = [np.random.Generator(np.random.Philox(3)) for _ in range(2)]
            found = squared_errors(compressor, x, streams[0], 4, weight=given)
            w = np.ones(x.shape[1]) if given is None else given
            for value, estimate in zip(found, compressor.sample(x, streams[1], 4), strict=True):
                own = sum(b * (a - column.mean()) ** 2 for a, b, column in zip(estimate, w, x.T, strict=True))
                at = {"case": name}
                yield eq("stated squares of samples", judged(float(value)), float(own), ROUND_OFF, witness=at)


def own_joint_laws(judged: Stated, cases: Mapping[str, tuple[JointCompressor, Any, Any]]) -> Comparisons:
    """Compare the law of the estimate that a joint compressor states with the sum over its outcomes.

    Args:
        judged: As for `own_laws`.
        cases: Name to compressor, rational inputs (n, d) and rational weight (d,).
    """
    for name, (compressor, rows, weight) in cases.items():
        at = {"case": name}
        x, floats = [[Fraction(item) for item in row] for row in rows], np.array(rows, dtype=float)
        outcomes = list(compressor.outcomes(x))
        chances = [chance for chance, _ in outcomes]
        center = _average(x)
        estimates = [_average(compressor.reference(x, draws)) for _, draws in outcomes]
        mean = _mean(chances, [_weighted(estimate, center, weight) for estimate in estimates])
        yield eq("sum of the chances of outcomes", judged(sum(chances, Fraction(0))), 1, witness=at)
        yield eq("stated variance, exactly", judged(compressor.variance(x, weight)), mean, witness=at)
        said = judged(float(compressor.variance(floats, np.array(weight, dtype=float))))
        yield eq("stated variance, in floats", said, float(mean), ROUND_OFF, witness=at)
        exactly, found = compressor.coordinate_variances(x), compressor.coordinate_variances(floats)
        for j, middle in enumerate(center):
            spread = _mean(chances, [(estimate[j] - middle) ** 2 for estimate in estimates])
            yield eq("stated variance of a coordinate", judged(exactly[j]), spread, witness=at)
            said = judged(float(found[j]))
            yield eq("stated variance of a coordinate, in floats", said, float(spread), ROUND_OFF, witness=at)
        lengths = [compressor.bits(floats, draws).tolist() for _, draws in outcomes]
        stated_lengths = compressor.expected_bits(floats).tolist()
        for client, length in enumerate(stated_lengths):
            bits = _mean(chances, [Fraction(item[client]) for item in lengths])
            yield eq("stated length of a client", judged(length), float(bits), ROUND_OFF, witness=at)
        rounds = np.stack([floats, floats / 2, 0 * floats])
        for round_, lengths in zip(rounds, compressor.expected_bits(rounds), strict=True):
            own = [float(length) for length in compressor.expected_bits(round_)]
            off = 1.0 + sum(abs(float(a) - b) for a, b in zip(lengths, own, strict=True))
            yield eq("stated length of a client", judged(off), 1.0, ROUND_OFF, witness={**at, "rounds": 3})
        yield from _drawn_together(judged, compressor, x, outcomes, at)


def shifted_lengths(
    judged: Stated, drawn: JointCompressor, fixed: Sequence[JointCompressor], x: Any
) -> Comparisons:
    """Compare the expected lengths under a drawn shift with their mean over fixed ones."""
    stated = drawn.expected_bits(x).tolist()
    means = np.mean([each.expected_bits(x) for each in fixed], axis=0).tolist()
    for client, (length, mean) in enumerate(zip(stated, means, strict=True)):
        at = {"client": client, "shifts": len(fixed)}
        yield eq("stated length of a client", judged(length), mean, ROUND_OFF, witness=at)


def _drawn_together(
    judged: Stated, compressor: JointCompressor, x: Sequence[Any], outcomes: Sequence[Any], at: Any
) -> Comparisons:
    """Compare how often draws of all clients come up with the chances of outcomes, where all are shared."""
    drawn = compressor.draw(np.random.Generator(np.random.Philox(3)), (_DRAWS, len(x), len(x[0])))
    apart = sum((draws.shared is None) != (drawn.shared is None) for _, draws in outcomes)
    yield eq("stated chances of draws", judged(Fraction(1 + apart)), 1, witness={**at, "draws": "shared"})
    if drawn.private is not None or not isinstance(drawn.shared, np.ndarray):
        return
    seen = Counter(map(tuple, drawn.shared.reshape(_DRAWS, -1).tolist()))
    chances = Counter[tuple[int, ...]]()
    for chance, draws in outcomes:
        chances[tuple(np.ravel(draws.shared).tolist())] += chance
    off = sum(abs(seen[draw] - _DRAWS * float(chances[draw])) for draw in {**seen, **chances}) / (2 * _DRAWS)
    near = int(off < 2 * (len(chances) / _DRAWS) ** 0.5)
    yield eq("stated chances of draws", judged(Fraction(near)), 1, witness=at)


def _floats(side: Sequence[Any]) -> list[Any]:
    return [np.array(row, dtype=float) for row in side]


def _average(rows: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    return [sum(column, Fraction(0)) / len(rows) for column in zip(*rows, strict=True)]


def _mean(chances: Sequence[Fraction], values: Sequence[Fraction]) -> Fraction:
    return sum((p * value for p, value in zip(chances, values, strict=True)), Fraction(0))


def _weighted(received: Sequence[Fraction], x: Sequence[Fraction], weight: Any) -> Fraction:
    off = [a - b for a, b in zip(received, x, strict=True)]
    rows = weight if isinstance(weight[0], list | tuple) else np.diag(np.array(weight, dtype=object)).tolist()
    return sum((w * off[i] * off[j] for i, row in enumerate(rows) for j, w in enumerate(row)), Fraction(0))
