"""How a compressor is called: one sample, many of them, the bytes of a message, its exact error."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from verify.errors import UsageError
from verify.foreign.frameworks import Framework
from verify.foreign.guard import guarded

TENSOR = "x"
"""Name of the one vector that a compressor with `compress(tensor, name)` is given."""


@dataclass(frozen=True)
class Calls:
    """Calls with arrays of numpy on both sides, whatever the compressor works on.

    Args:
        one: Maps (x, generator) to one C(x).
        many: Maps (x, generator, m) to m of them in one call, None where only one at a time is known.
        pack: Maps (x, generator) to bytes, None where nothing is packed.
        variance: Maps x to the exact E||C(x) - x||^2, None where unknown.
        untouched: Maps (x, generator) to whether a call drew no random number from anywhere that is known.
        draws_alike: Maps (x, generator, the same again) to whether `pack` draws nothing or what a call draws.
    """

    one: Callable[[Any, Any], Any]
    many: Callable[[Any, Any, int], Any] | None
    pack: Callable[[Any, Any], Any] | None
    variance: Callable[..., Any] | None
    untouched: Callable[[Any, Any], bool]
    draws_alike: Callable[[Any, Any, Any], bool] | None = None


def calls_of(compressor: Any, framework: Framework, seeded: bool) -> Calls:
    """Return how to call a compressor.

    Args:
        compressor: What is to be called, see `verify.check_compressor`.
        framework: What its vectors are.
        seeded: Whether a function of x alone may be called with global generators that are seeded each time.

    Raises:
        UsageError: It offers none of the known ways to compress.
    """
    if hasattr(compressor, "draw") and hasattr(compressor, "compress"):
        return _with_draws(compressor, framework)
    call, takes_random = _native(compressor, seeded)
    pack = getattr(compressor, "pack", None) or getattr(compressor, "encode", None)
    variance = getattr(compressor, "variance", None)
    if framework.name == "numpy":
        one = call if takes_random else _seeded(call, framework)
        untouched = _untouched(call, framework, takes_random)
        return Calls(one, None, pack, variance, untouched, _alike(call, pack, framework, takes_random))

    def converted(x: Any, rng: Any) -> Any:
        given = framework.given(x)
        if takes_random:
            found = call(given, framework.random(rng))
        else:
            framework.seed(rng)
            found = call(given)
        return framework.returned(found, given, x)

    return Calls(
        converted,
        framework.batched(call) if takes_random else None,
        None if pack is None else lambda x, rng: pack(framework.given(x), framework.random(rng)),
        None if variance is None else lambda x: float(variance(framework.given(x))),
        _untouched(call, framework, takes_random),
        _alike(call, pack, framework, takes_random),
    )


def named(compressor: Any) -> str:
    """Return the repr of a compressor without addresses: the name must be the same in every run."""
    with guarded("its repr"):
        return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(compressor))


def is_pair(compressor: Any) -> bool:
    """Return whether it has `compress(tensor, name)` and `decompress(tensors, ctx)`."""
    return all(callable(getattr(compressor, name, None)) for name in ("compress", "decompress"))


def _native(compressor: Any, seeded: bool) -> tuple[Callable[..., Any], bool]:
    """Return a call with vectors of the framework, and whether it takes its randomness as second argument."""
    if is_pair(compressor):
        return _paired(compressor), False
    call = getattr(compressor, "sample", compressor)
    if not callable(call):
        raise UsageError(
            f"compressor={named(compressor)} must have sample(x, rng), or draw and compress, or compress and "
            "decompress, or be a function (x, rng) -> C(x)"
        )
    try:
        signature = inspect.signature(call)
    except ValueError:  # a builtin without signature: the call itself will tell
        return call, True
    if _binds(signature, 2):
        return call, True
    if seeded and _binds(signature, 1):
        return call, False
    raise UsageError(
        f"compressor={named(compressor)} must take (x, rng) and use that generator only; for a "
        "deterministic one write lambda x, rng: f(x); one that draws from the global generators is "
        "seeded with framework= (--framework numpy)"
    )


def _paired(compressor: Any) -> Callable[[Any], Any]:
    """Return a call of `compress` and `decompress`; what goes wrong tells how they were called."""

    def one(x: Any) -> Any:
        try:
            return compressor.decompress(*compressor.compress(x, TENSOR))
        except Exception as error:
            error.add_note(
                f"it was called as decompress(*compress(x, {TENSOR!r})), the protocol compress(tensor, name) "
                "-> (tensors, ctx); where yours takes other arguments, give a function instead, such as "
                "lambda x, rng: c.decompress(c.compress(x, rng))"
            )
            raise

    return one


def _binds(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return True


def _seeded(call: Callable[[Any], Any], framework: Framework) -> Callable[[Any, Any], Any]:
    def one(x: Any, rng: Any) -> Any:
        framework.seed(rng)
        return call(x)

    return one


def _untouched(
    call: Callable[..., Any], framework: Framework, takes_random: bool
) -> Callable[[Any, Any], bool]:
    return lambda x, rng: framework.untouched(call, x, rng if takes_random else None)


def _alike(
    call: Callable[..., Any], pack: Callable[..., Any] | None, framework: Framework, takes_random: bool
) -> Callable[[Any, Any, Any], bool] | None:
    """Return whether `pack` draws nothing, or leaves its generator as a call does and uses no other.

    A message that is drawn otherwise is another outcome than the call with equal random numbers. Where it
    cannot be told, as from a key of jax, they are taken to be alike.
    """
    if pack is None:
        return None

    def alike(x: Any, rng: Any, again: Any) -> bool:
        packed = framework.drawn(pack, x, rng)
        called = framework.drawn(call, x, again if takes_random else None)
        if packed is None or called is None or packed[0] == packed[1]:
            return True
        # The states that are compared are (of what is given, of the generators that the process shares).
        kept = all(before[1] == after[1] for before, after in (packed, called))
        return takes_random and kept and packed[1][0] == called[1][0]

    return alike


def _with_draws(compressor: Any, framework: Framework) -> Calls:
    """Return the calls of a compressor of `impl`, or of one written like these."""
    import numpy as np

    def one(x: Any, rng: Any) -> Any:
        return compressor.compress(x, compressor.draw(rng, x.shape))

    def many(x: Any, rng: Any, size: int) -> Any:
        shape = (size, *x.shape)
        return compressor.compress(np.broadcast_to(x, shape), compressor.draw(rng, shape))

    def pack(x: Any, rng: Any) -> Any:
        return compressor.encode(x, compressor.draw(rng, x.shape))

    return Calls(
        one,
        many,
        pack if hasattr(compressor, "encode") else None,
        getattr(compressor, "variance", None),
        _untouched(one, framework, True),
        _alike(one, pack, framework, True),
    )
