"""Whether functions and classes of all kinds refuse what is wrong: one argument after the other."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from impl import adaptive, communication, networks, optimizers, problems, protocol
from impl.coding import BitReader, BitWriter, DenseCode, EliasCode, SparseCode
from impl.coding.adaptive_coder import LARGEST_TOTAL, AdaptiveCoder
from impl.coding.elias import GAMMA
from impl.coding.range_coder import RangeCoder
from impl.compressors import DitheredQuantizer, RandK
from verify.authoring import Comparisons, eq

Judged = Callable[[Callable[[], Any]], bool]
Call = tuple[Callable[..., Any], Mapping[str, Any]]
_CODEC = DitheredQuantizer(3)
_NUMBERS: tuple[Any, ...] = (np.nan, np.inf, -np.inf, "1", 1j, [1.0], True, None)
"""What no real number is."""
_WHOLE: tuple[Any, ...] = (0.5, np.nan, "1", 1j, [1], True, -1)
"""What no count is, whether or not it may be left out."""
_COUNTS: tuple[Any, ...] = (*_WHOLE, 0, None)
_WRONG: Mapping[str, tuple[Any, ...]] = {
    "step_size": (*_NUMBERS, 0, -1),
    "learning_rate": (*_NUMBERS, 0, -1, 1.001),
    "probability": (*_NUMBERS, 0, -1, 1.5),
    "heterogeneity": (*_NUMBERS, -1, 1),
    "momentum": (*_NUMBERS, -1, 1),
    **dict.fromkeys(("per_bit", "per_packet", "bandwidth"), (*_NUMBERS, 0, -1)),
    **dict.fromkeys(("overhead", "overhead_bytes", "fixed", "ridge", "mu", "noise_std"), (*_NUMBERS, -1)),
    "until": (np.nan, "1", 1j, [1.0], True, -1, 0.0, 1.0, 2.0),
    "gradient_until": (np.nan, "1", 1j, [1.0], True, -1),
    **dict.fromkeys(("rounds", "replicates", "n", "d", "levels", "payload_bits", "float_bits"), _COUNTS),
    **dict.fromkeys(("hidden", "classes", "window", "most_levels"), _COUNTS),
    "entry_bits": (*_WHOLE, 0),
    "workers": (*_COUNTS, 1, 3),
    "alphabet": (*_COUNTS, LARGEST_TOTAL),
    **dict.fromkeys(("width", "number"), (*_WHOLE, None)),
    **dict.fromkeys(("worker", "seed_id", "tensor", "start"), (0.5, np.nan, "1", -1, 2**64)),
    "seed": (3, (1,), (-1, 0)),
    "code": ("zip", 1),
    **dict.fromkeys(("compressor", "cost", "rule"), (5, "RandK", RandK)),
    "compressors": (None, 3, [_CODEC], [_CODEC] * 3, [_CODEC, 3]),
    "side": (*_COUNTS, "left"),
    "observe": (7, "print"),
    "estimator": ("sum", int, 3),
    "offset": _NUMBERS,
    "weight": (np.nan, np.inf, -1, "w", None),
    "problem": (None, 5),
    "spreading_factor": (*_COUNTS, 6, 13),
    "rng": (None, 7, "rng", np.random.RandomState(1)),
    "regulariser": ("concave", 1),
    "storage": ("packed", 1),
    "mode": ("random", 1),
    "name": ("delta", None, 1),
    "elias": ("gamma", None, 1),
    "coded": ([1], np.array([0.5]), np.array(1), np.array([2**63], np.uint64), np.array([-(2**63)])),
    "written": (np.array([[1]]), [1], np.array([0.5]), np.array(1), np.array([-(2**63)])),
    "values": ([4], [-1], [1, 4], [0.5], "ab", [2**64]),
    "widths": (65, -1, 0.5, True, None, [1, 2, 3], [2, 65], [-1, 2], "a"),
    "data": (None, "text", 5, [1]),
}
"""Values that no argument of a name may have, whatever takes it."""
_ARRAYS_OF_MANY_SIZES = ("g", "features", "labels", "coded", "written")
_ARRAYS_AS_NUMPY_TAKES_THEM = ("linear", "features", "labels")
_ARRAYS_OF_POINTS = ("g", "start", "shifts", "initial")


def wrong_calls(judged: Judged, calls: Mapping[str, Call]) -> Comparisons:
    """Compare which calls are taken: with right arguments, and with one that is wrong.

    Args:
        judged: `verify.conformance.arguments.taken` or a mutant.
        calls: Name to a function and its right arguments, all by name.
    """
    for name, (function, right) in calls.items():
        yield eq(
            "right arguments that are taken", int(judged(_call(function, right))), 1, witness={"of": name}
        )
        for what, value in right.items():
            values = [
                *_WRONG.get(what, ()),
                *(_wrong_arrays(what, value) if isinstance(value, np.ndarray) else ()),
            ]
            found = sum(judged(_call(function, {**right, what: item})) for item in values)
            at = {"of": name, "argument": what}
            yield eq("wrong arguments that are taken", int(found), 0, witness=at)


def _wrong_arrays(what: str, right: Any) -> Iterator[Any]:
    """Yield arrays with one number that is not finite, of other lengths, and what is no array."""
    for place, number in ((0, np.inf), (-1, np.nan)):
        wrong = np.array(right, dtype=float)
        wrong.flat[place] = number
        yield wrong
    yield 1.0
    if what not in _ARRAYS_OF_MANY_SIZES:
        yield right[..., :-1]
    if what not in _ARRAYS_AS_NUMPY_TAKES_THEM:
        yield from ("ab", [[1.0], [1.0, 2.0]])
    if what in _ARRAYS_OF_POINTS:
        yield from (right.astype(complex), right[..., :0], np.ones((3, right.shape[-1])))


def _call(function: Callable[..., Any], given: Mapping[str, Any]) -> Callable[[], Any]:
    def call() -> Any:
        own = (
            {**given, "rng": np.random.Generator(np.random.Philox(1))} if given.get("rng") == "new" else given
        )
        return function(**own)

    return call


def public_calls() -> dict[str, Call]:
    """Return calls with right arguments of methods, rules, problems, networks, prices and codes."""
    vector, rows = np.array([1.0, -2.0, 0.5]), np.array([[1.0, -2.0, 0.5], [0.5, 1.0, 2.0]])
    problem = problems.Quadratic(np.array([np.eye(3), 2 * np.eye(3)]), rows)
    run = {"problem": problem, "step_size": 0.1, "rounds": 1, "rng": "new", "start": vector}
    many = {**run, "replicates": 2, "until": 0.5, "cost": communication.Affine()}
    clients = {**many, "compressor": RandK(1)}
    started = {"learning_rate": 0.1, "shifts": rows}
    price = communication.Affine()
    rule = {"g": vector, "cost": price, "float_bits": 32}
    rows_and_signs = rows.repeat(2, 0), np.array([1.0, -1.0, 1.0, -1.0])
    end = {"seed": (1, 2), "seed_id": 0, "start": 0}
    digits = AdaptiveCoder(3).encode([1, 0])
    network = {"hidden": 4, "classes": 3, "side": 8, "window": 3}
    return {
        "gd": (optimizers.gd, {**{key: many[key] for key in many if key != "rng"}, "float_bits": 32}),
        "dcgd": (optimizers.dcgd, {**clients, "gradient_until": 0.5}),
        "dcgd_plus": (optimizers.dcgd_plus, clients),
        "diana": (optimizers.diana, {**clients, **started}),
        "diana_plus": (optimizers.diana_plus, {**clients, **started}),
        "marina": (
            optimizers.marina,
            {
                **{key: clients[key] for key in clients if key != "until"},
                "probability": 0.5,
                **{"initial": vector, "float_bits": 32},
            },
        ),
        "memory_gd": (optimizers.memory_gd, clients),
        "quantized_sgd": (
            optimizers.quantized_sgd,
            {
                **{"compressors": _CODEC, "noise_std": 0.1, "momentum": 0.5, "side": "parallel"},
                **{"observe": [].append, "estimator": optimizers.QuantizedEstimator, **many},
            },
        ),
        "cat_gd": (
            optimizers.cat_gd,
            {
                **{key: many[key] for key in many if key not in ("cost", "until")},
                "rule": lambda g: adaptive.cat_s(g, price),
                "allow_divergence": True,
            },
        ),
        "cat_s": (adaptive.cat_s, {**rule, "entry_bits": 8}),
        "cat_s_reference": (adaptive.cat_s_reference, {**rule, "entry_bits": 8}),
        "cat_sq": (adaptive.cat_sq, {**rule, "entry_bits": 8}),
        "cat_sq_reference": (adaptive.cat_sq_reference, {**rule, "entry_bits": 8}),
        "cat_st": (adaptive.cat_st, {**rule, "entry_bits": 8}),
        "cat_st_reference": (adaptive.cat_st_reference, {**rule, "entry_bits": 8}),
        "cat_qsgd": (adaptive.cat_qsgd, {**rule, "most_levels": 3}),
        "cat_qsgd_reference": (adaptive.cat_qsgd_reference, {**rule, "most_levels": 3}),
        "Affine": (communication.Affine, {"per_bit": 1, "fixed": 0}),
        "Packet": (communication.Packet, {"payload_bits": 8, "per_packet": 1, "fixed": 0}),
        "Wire": (communication.Wire, {"payload_bits": 8, "overhead": 1, "fixed": 0}),
        "LoRaAirtime": (
            communication.LoRaAirtime,
            {
                "spreading_factor": 12,
                "bandwidth": 125000,
                "payload_bits": 408,
                "overhead_bytes": 13,
                "fixed": 0,
            },
        ),
        **{
            kind.__name__: (kind, {"d": 3, "float_bits": 32})
            for kind in (communication.dense_bits, communication.dense_sign_bits)
        },
        **{
            kind.__name__: (partial(kind, 1), {"d": 3, "float_bits": 32})
            for kind in (communication.sparse_bits, communication.sign_entries_bits)
        },
        "levels_bits": (communication.levels_bits, {"levels": 3, "d": 3, "float_bits": 32}),
        "index_bits": (communication.index_bits, {"d": 3}),
        "Quadratic": (problems.Quadratic, {"matrices": np.array([np.eye(3)] * 2), "linear": rows}),
        "tridiagonal": (
            problems.tridiagonal,
            {"n": 2, "d": 3, "heterogeneity": 0.5, "mu": 0.1, "offset": 0.5},
        ),
        "L1": (problems.L1, {"weight": 0.5}),
        "L2": (problems.L2, {"weight": 0.5}),
        "Logistic": (
            problems.Logistic,
            {
                "features": rows[:, None],
                "labels": np.array([[1.0], [-1.0]]),
                "ridge": 0.1,
                "regulariser": "convex",
            },
        ),
        "LeastSquares": (
            problems.LeastSquares,
            {"features": rows[:, None], "labels": np.array([[1.0], [-1.0]]), "ridge": 0.1},
        ),
        "contiguous_split": (
            partial(problems.contiguous_split, *rows_and_signs),
            {"n": 2, "storage": "dense"},
        ),
        "label_sorted_split": (
            partial(problems.label_sorted_split, *rows_and_signs),
            {"n": 2, "storage": "dense"},
        ),
        "scaled_split": (partial(problems.scaled_split, *rows_and_signs), {"n": 2, "storage": "dense"}),
        "Convolutional": (networks.Convolutional, network),
        "EliasCode": (EliasCode, {"name": "gamma"}),
        "DenseCode": (DenseCode, {"elias": GAMMA}),
        "SparseCode": (SparseCode, {"elias": GAMMA}),
        "AdaptiveCoder": (AdaptiveCoder, {"alphabet": 3}),
        "Aggregator": (
            protocol.Aggregator,
            {"workers": 2, "mode": "parallel", "tensor": 0, **end},
        ),
        "Sender": (partial(protocol.Sender, _CODEC), {"worker": 0, "code": "raw", **end}),
        "Receiver": (protocol.Receiver, {"worker": 0, **end}),
        **{
            f"{kind.__name__}, {way}": (call, {what: np.array([1, -2])})
            for kind in (DenseCode, SparseCode)
            for way, what, call in (
                ("bits", "coded", lambda coded, kind=kind: kind(GAMMA).bits(coded)),
                ("write", "written", lambda written, kind=kind: kind(GAMMA).write(BitWriter(), written)),
            )
        },
        "BitWriter": (
            lambda values, widths: BitWriter().append(values, widths),
            {"values": [1, 2], "widths": 2},
        ),
        "BitReader": (lambda width: BitReader(b"abc", 24).read(width), {"width": 3}),
        "BitReader, many": (
            lambda number, width: BitReader(b"abc", 24).read_many(number, width),
            {"number": 2, "width": 3},
        ),
        "RangeCoder": (lambda number: RangeCoder(3).decode(b"", number), {"number": 0}),
        "AdaptiveCoder, decode": (
            lambda data, number: AdaptiveCoder(3).decode(data, number),
            {"data": digits, "number": 2},
        ),
    }
