"""Whether compressors and links are equal where their parameters are, and told apart where these are not."""

import pickle
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from typing import Any

from verify.authoring import Comparisons, eq

Seen = Callable[[int], int]
ALL_ALIKE: tuple[Any, ...] = (
    "miscounted at exact/told-apart: Count one more that is equal, or different.",
    {"apart": lambda found: found + 1},
)
"""A mutant of a check `told-apart` whose law has `apart`."""


def apart(found: int) -> int:
    """Return a number of things as it is."""
    return found


def different(things: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what was given before in the same words and of the same kind."""
    first = {(type(one), repr(one)): name for name, one in reversed(list(things.items()))}
    return {name: one for name, one in things.items() if first[type(one), repr(one)] == name}


def told_apart(judged: Seen, things: Mapping[str, Any], equal: Iterable[tuple[Any, Any]] = ()) -> Comparisons:
    """Compare things with their copies, in value, hash and words, and with each other.

    Args:
        judged: `apart` or a mutant.
        things: Some that differ in kind or parameters, by name.
        equal: Pairs that are one thing, given in two ways.
    """
    copies = pickle.loads(pickle.dumps(dict(things)))  # of what this process made
    pairs = [*((one, copies[name]) for name, one in things.items()), *equal]
    found = sum(
        one == other and hash(one) == hash(other) and repr(one) == repr(other) for one, other in pairs
    )
    yield eq("equal ones", judged(found), len(pairs))
    others = list(combinations(things.items(), 2))
    for (name, one), (other, two) in others:
        if one == two or repr(one) == repr(two):
            yield eq("different ones", judged(0), 1, witness={"one": name, "other": other})
    found = sum(one != two and repr(one) != repr(two) for (_, one), (_, two) in others)
    yield eq("different ones", judged(found), len(others))
    strange = sum(one == name or one is None for name, one in things.items())
    yield eq("ones that equal words", judged(strange), 0)
