"""The words of a claim: how text writes its variables, and which one stands at a place of a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from theory.latex.nodes import Node, Unreadable, from_sympy
from theory.latex.tokens import Token, group_end, tokenize

if TYPE_CHECKING:
    from theory.claim import Claim, Variable

_LONGEST_INDEX = 8
_ORDER = ("name", "entry", "function", "notation", "array")
"""Of two words of the same length the earlier kind is meant."""


@dataclass(frozen=True)
class Word:
    """One way to write something: `kind` is `name`, `entry`, `array`, `function` or `notation`."""

    pattern: tuple[str, ...]
    kind: str
    name: str
    sizes: tuple[Node, ...] = ()
    first: int = 1


@dataclass(frozen=True)
class Found:
    """A word at a place: where it ends, and the tokens of its indices."""

    word: Word
    end: int
    indices: tuple[tuple[Token, ...], ...]


class Vocabulary:
    """What the text of a claim is made of: its variables and notation, `ranges`, and letters for indices.

    Args:
        claim: The claim; of it variables, notation and ranges are taken.
        indices: Letters that are indices outside of subscripts, too.
    """

    def __init__(self, claim: Claim, indices: Iterable[str] = ()) -> None:
        self.variables = {name_of(item.symbol): item for item in claim.variables}
        if len(self.variables) < len(claim.variables):
            raise Unreadable("two variables have symbols of the same name: rename one of them")
        self.words: dict[str, list[Word]] = {}
        for variable in claim.variables:
            for word in _words(variable, self._size):
                self.words.setdefault(word.pattern[0], []).append(word)
        for tex in claim.notation:
            pattern = _pattern(tex)
            self.words.setdefault(pattern[0], []).append(Word(pattern, "notation", tex))
        self.ranges: Mapping[str, tuple[Node, Node]] = {
            name: (_node(low), _node(high)) for name, (low, high) in claim.ranges.items()
        }
        self.indices = {*indices, *self.ranges}

    def _size(self, text: str) -> Node:
        import sympy

        symbols = {name: item.symbol for name, item in self.variables.items()}
        return from_sympy(sympy.sympify(text, locals=symbols))

    def longest(
        self, tokens: list[Token], position: int, bound: frozenset[str] = frozenset()
    ) -> Found | None:
        """Return the longest word at a position, a name before an entry of the same length."""
        best: Found | None = None
        for word in self.words.get(tokens[position].text, ()) if position < len(tokens) else ():
            if len(word.pattern) == 1 and word.pattern[0] in bound:
                continue
            for end, slots in _matches(word.pattern, 0, tokens, position, {}):
                found = Found(word, end, tuple(slots[key] for key in sorted(slots)))
                if best is None or (end, -_ORDER.index(word.kind)) > (
                    best.end,
                    -_ORDER.index(best.word.kind),
                ):
                    best = found
        return best


def word_problems(variables: Iterable[Variable]) -> Iterator[str]:
    """Yield what is wrong with the ways to write variables: numbers, and one way for two of them."""
    seen: dict[tuple[tuple[str, ...], bool], str] = {}
    for variable in variables:
        name = name_of(variable.symbol)
        for tex in (variable.tex, *variable.aliases):
            pattern = _pattern(tex)
            if not pattern or pattern[0].isdigit() or pattern[0] in ".+-":
                yield f"variable {name!r}: text cannot write it as {tex!r}, which is no name"
            other = seen.setdefault((pattern, bool(variable.shape)), name)
            if other != name:
                yield f"variables {other!r} and {name!r} are both written {tex!r}: write one otherwise"


def name_of(symbol: Any) -> str:
    """Return the name of a symbol, an array or a function."""
    import sympy

    if isinstance(symbol, sympy.IndexedBase):
        return str(symbol.label)
    return str(getattr(symbol, "name", None) or getattr(symbol, "__name__", symbol))


def _pattern(tex: str) -> tuple[str, ...]:
    return tuple(token.text for token in tokenize(tex))


def _words(variable: Variable, size: Any) -> Iterator[Word]:
    import sympy

    name = name_of(variable.symbol)
    if not isinstance(variable.symbol, sympy.Basic) or isinstance(variable.symbol, type):
        for tex in (variable.tex, *variable.aliases):
            yield Word(_pattern(tex), "function", name)
        return
    if not variable.shape:
        for tex in (variable.tex, *variable.aliases):
            yield Word(_pattern(tex), "name", name)
        return
    dimensions = [part.strip() for part in variable.shape.strip("() ").split(",") if part.strip()]
    sizes = tuple(size(part) for part in dimensions)
    for tex in (variable.tex, *variable.aliases):
        if "#" in tex:
            yield Word(_pattern(tex), "entry", name, sizes, variable.first)
            continue
        yield Word(_pattern(tex), "array", name, sizes, variable.first)
        for written in _with_indices(tex, len(sizes)):
            yield Word(_pattern(written), "entry", name, sizes, variable.first)


def _with_indices(tex: str, count: int) -> Iterator[str]:
    r"""Yield the ways in which indices are written at a name: `h_j`, `h_j^\star`, `L_{ij}`, `L_{i,j}`."""
    slots = [f"#{place}" for place in range(1, count + 1)]
    for separator in ("", ",", ";") if count > 1 else ("",):
        index = "_{" + separator.join(slots) + "}"
        yield tex + index
        tokens = tokenize(tex)
        for place, token in enumerate(tokens):
            if (
                token.text == "^"
                and place
                and (tokens[place + 1].text != "{" or group_end(tokens, place + 1))
            ):
                yield tex[: token.start] + index + tex[token.start :]
                break


def _matches(
    pattern: tuple[str, ...],
    place: int,
    tokens: list[Token],
    position: int,
    slots: dict[str, tuple[Token, ...]],
) -> Iterator[tuple[int, dict[str, tuple[Token, ...]]]]:
    if place == len(pattern):
        yield position, slots
        return
    if position >= len(tokens):
        return
    item = pattern[place]
    if not (len(item) == 2 and item[0] == "#"):
        if tokens[position].text == item:
            yield from _matches(pattern, place + 1, tokens, position + 1, slots)
        return
    # Of indices side by side each is one sign, in $L_{i+1j}$ none could tell where the first one ends.
    beside = {*pattern[max(place - 1, 0) : place], *pattern[place + 1 : place + 2]}
    alone = pattern[place - 1] in ("_", "^") if place else False
    alone |= any(text.isalnum() or text.startswith("#") for text in beside)
    for end, content in _indices_at(tokens, position, alone):
        before = slots.get(item)
        if before is None or [token.text for token in before] == [token.text for token in content]:
            yield from _matches(pattern, place + 1, tokens, end, {**slots, item: content})


def _indices_at(tokens: list[Token], position: int, alone: bool) -> Iterator[tuple[int, tuple[Token, ...]]]:
    if alone:
        if tokens[position].text == "{":
            end = group_end(tokens, position)
            yield end, tuple(tokens[position + 1 : end - 1])
        elif tokens[position].text not in "}^_":
            yield position + 1, (tokens[position],)
        return
    depth = 0
    for end in range(position + 1, min(position + _LONGEST_INDEX, len(tokens)) + 1):
        depth += {"{": 1, "}": -1}.get(tokens[end - 1].text, 0)
        if depth < 0:
            return
        if depth == 0:
            yield end, tuple(tokens[position:end])


def _node(value: Any) -> Node:
    import sympy

    return from_sympy(sympy.sympify(value))
