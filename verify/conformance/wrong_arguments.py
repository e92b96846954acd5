"""Whether every way into a compressor refuses what is wrong: one argument after the other, of each kind."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from impl.compressors import Key
from impl.compressors.contract import Draws
from impl.compressors.joint.joint_contract import JointCompressor
from impl.compressors.joint.joint_message import RoundKey
from impl.errors import ArgumentError, MessageError
from verify.authoring import Comparisons, eq

Judged = Callable[[Callable[[], Any]], bool]
_WAYS = (
    *("draw", "draw_keyed", "compress", "sample", "sample_chunks", "message", "encode", "decode", "moments"),
    *("variance", "outcomes", "expected_bits", "reference", "compress_counted", "estimate", "bits"),
    *("client_draws", "coordinate_variances"),
)
"""Methods that a compressor, of one client or of several, has for others."""
_NOT_OF_SEVERAL = ("message", "encode", "decode", "outcomes")
"""Those of several clients ask for a message, which `joint_messages` holds, or take too long."""


def one_of_each(cases: Mapping[str, tuple[Any, ...]]) -> dict[str, tuple[Any, Any]]:
    """Return the first case of each class with one short ordinary input of float64."""
    found: dict[type, tuple[str, Any, Any]] = {}
    for name, (compressor, x, *_) in cases.items():
        axes = 2 if isinstance(compressor, JointCompressor) else 1
        if x.ndim == axes and x.size < 40 and x.dtype == np.float64 and 1e-3 < np.abs(x).max() < 1e3:
            found.setdefault(type(compressor), (name, compressor, x))
    return {name: (compressor, x) for name, compressor, x in found.values()}


def wrong_arguments(judged: Judged, cases: Mapping[str, tuple[Any, Any]]) -> Comparisons:
    """Compare which calls of all methods are taken: with right arguments, and with one that is wrong.

    Wrong are other types, numbers that are not finite, axes that are missing, too short or too long, and
    draws right outside of their interval.

    Args:
        judged: `verify.conformance.arguments.taken` or a mutant.
        cases: Name to a compressor and an input of float64, (d,) or (n, d).
    """
    for name, (compressor, x) in cases.items():
        right = _right(compressor, x)
        for way in _WAYS:
            if not hasattr(compressor, way) or (x.ndim == 2 and way in _NOT_OF_SEVERAL):
                continue
            method = getattr(compressor, way)
            known = {item: right[item] for item in inspect.signature(method).parameters if item in right}
            at = {"case": name, "way": way}
            calls = [known, {**known, "shape": (0, *x.shape)}] if way == "draw" else [known]
            taken = sum(judged(_call(method, call)) for call in calls)
            yield eq("right arguments that are taken", int(taken), len(calls), witness=at)
            for what in known:
                wrong = list(_wrong(what, known[what], compressor, x))
                found = sum(judged(_call(method, known | {what: item})) for item in wrong)
                yield eq("wrong arguments that are taken", int(found), 0, witness={**at, "argument": what})


def _call(method: Callable[..., Any], given: Mapping[str, Any]) -> Callable[[], None]:
    def call() -> None:
        own = {**given, "rng": _rng()} if given.get("rng") == "fresh" else given
        try:
            found = method(**own)
            if isinstance(found, Iterator):
                next(found, None)
        except MessageError as error:
            raise ArgumentError(str(error)) from None

    return call


def _rng() -> np.random.Generator:
    return np.random.Generator(np.random.Philox(1))


def _right(compressor: Any, x: Any) -> dict[str, Any]:
    draws = compressor.draw(_rng(), x.shape)
    found = {"rng": "fresh", "shape": x.shape, "x": x, "draws": draws, "size": 2}
    if x.ndim == 2:
        return found | {"weight": np.ones(x.shape[-1]), "key": RoundKey((1, 2), 3), "client": 1}
    key = Key((1, 2), 3, 4)
    return found | {"weight": np.ones(x.shape[-1]), "key": key, "data": _data(compressor, x, key)}


def _data(compressor: Any, x: Any, key: Key) -> bytes:
    data: bytes = compressor.encode(x, compressor.draw_keyed(key, x.shape), key)
    return data


def _wrong(what: str, right: Any, compressor: Any, x: Any) -> Iterator[Any]:
    """Yield values that no method may take for an argument of this name."""
    lead, d, is_joint = x.shape[:-1], x.shape[-1], isinstance(compressor, JointCompressor)
    drawn = (
        right.shared is not None or right.private is not None if what == "draws" else _draws(compressor, x)
    )
    if what == "x":
        yield from (None, "ab", [], 1.0, x.astype(complex), x.astype(str), [[1.0], [1.0, 2.0]])
        for place, number in ((0, np.inf), (-1, np.nan)):
            wrong = x.copy()
            wrong.flat[place] = number
            yield wrong
    elif what == "rng" and drawn:
        yield from (None, 7, np.random.RandomState(1))
    elif what == "shape" and drawn:
        yield from ("ab", (-1, *x.shape), (*lead, d + 0.5))
        yield from ((d,), (0, d), (*lead, 0)) if is_joint else ()
    elif what == "size":
        yield from (-1, 2.5, "2", (2, -1))
    elif what == "weight":
        yield from (np.ones(d + 1), "ab", np.where(np.arange(d), 1, np.nan), -np.ones(d), 1j * np.ones(d))
        yield from (1.0, np.ones((d, d + 1)), -np.eye(d))
    elif what == "key":
        yield from ("key", (1, 2), Key((1, 2), 3, 4) if is_joint else RoundKey((1, 2), 3))
    elif what == "data":
        yield from (None, "text", b"", right[:-1], right + b"\0", bytes([right[0] ^ 255]) + right[1:])
        yield right[:-1] + bytes([right[-1] ^ 1])
    elif what == "client":
        yield from (-1, x.shape[0], 0.5, True, None)
    elif what == "draws" and drawn:
        yield from _wrong_draws(right)


def _draws(compressor: Any, x: Any) -> bool:
    """Return whether a compressor draws at all."""
    draws = compressor.draw(_rng(), x.shape)
    return draws.shared is not None or draws.private is not None


def _wrong_draws(right: Draws) -> Iterator[Draws]:
    """Yield draws of other shapes, none at all, and those whose last number is right outside."""
    yield Draws()
    for name in ("private", "shared"):
        part = getattr(right, name)
        if not isinstance(part, np.ndarray) or part.dtype.kind != "f":
            continue
        half = 0.5 if name == "shared" else 0.0  # dithers are in [-1/2, 1/2), uniforms in [0, 1)
        for number in (1 - half, -half - 0.125, np.nan):
            wrong = part.copy()
            wrong.flat[-1] = number
            yield Draws(**{**vars(right), name: wrong})
        yield Draws(**{**vars(right), name: part[..., :-1]})
