"""Whether an index is within its array, as far as numbers tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from theory.latex.expressions import Expressions
from theory.latex.nodes import Node, Unreadable
from theory.latex.vocabulary import Vocabulary


class Places:
    """The entries that the arrays of one claim have."""

    def __init__(self, vocabulary: Vocabulary, expressions: Expressions) -> None:
        self._vocabulary, self._expressions = vocabulary, expressions

    def check(self, entry: Node, at: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Refuse an entry at a place where the array has none, as far as numbers tell."""
        _, array, indices = entry
        for index, first, size in zip(indices, *self.counts(array), strict=True):
            if _has_constant(index):
                raise Unreadable(f"an index of {array} is a constant")
            place = self._expressions.of(index, dict(at))
            beyond = place - self._expressions.of(size, {})
            if (place.is_number and not (place.is_integer and place >= 0)) or (
                beyond.is_number and beyond.is_finite and beyond >= 0
            ):
                raise Unreadable(f"{array} has no entry at {place + first}")

    def counts(self, array: str) -> tuple[tuple[int, ...], tuple[Node, ...]]:
        """Return what text counts the indices of an array from, and how many entries there are."""
        words = (word for words in self._vocabulary.words.values() for word in words if word.name == array)
        word = next(words)
        return word.firsts, word.sizes

    def hold(self, told: tuple[Node, Node], counted: Iterable[tuple[Any, Any, int, Node]]) -> bool:
        """Return whether numbers tell that arrays, maybe of different sizes, hold a range of an index.

        Args:
            told: Both ends.
            counted: Entries, the index in each, what text counts it from, and how many entries there are.
        """
        low, high = (self._expressions.of(end, {}) for end in told)
        for _, _, first, size in counted:
            beyond = high - first - self._expressions.of(size, {})
            if not (low.is_number and low >= first and beyond.is_number and beyond.is_finite and beyond < 0):
                return False
        return True


def _has_constant(node: Node) -> bool:
    return node[0] == "constant" or any(
        _has_constant(item) for item in node if isinstance(item, tuple) and item
    )
