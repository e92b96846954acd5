"""The words of a claim: how text writes its variables, and which one stands at a place of a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from theory.latex.nodes import Node, Unreadable, from_sympy
from theory.latex.spelling import relation_in, shown, spelling_problem
from theory.latex.tokens import Token, fragments, group_end, spelled, tokenize

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
    firsts: tuple[int, ...] = ()


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


def word_problems(claim: Claim) -> Iterator[str]:
    """Yield what is wrong with the ways to write variables and notation of a claim.

    They are numbers, as $1/5$ is, or have signs that are no names, two of them look alike, one looks like an
    entry of an array, or one is a relation.
    """
    seen: dict[tuple[str, bool], tuple[str, str]] = {}
    for variable in claim.variables:
        name = name_of(variable.symbol)
        for tex in (variable.tex, *variable.aliases):
            pattern = _pattern(tex)
            problem = spelling_problem(tex) or _relation_problem(tex)
            if problem:
                yield f"variable {name!r}: {tex!r} {problem}"
                continue
            if not pattern or pattern[0].isdigit() or pattern[0] in ".+-":
                yield f"variable {name!r}: text cannot write it as {tex!r}, which is no name"
            elif number := _number_problem(claim, variable, tex):
                yield f"variable {name!r}: {tex!r} {number}"
            other, written = seen.setdefault((shown(tex), bool(variable.shape)), (name, tex))
            if other != name:
                both = repr(tex) if written == tex else f"{written!r} and {tex!r}, which look alike"
                yield f"variables {other!r} and {name!r} are both written {both}: write one otherwise"
    for tex in claim.notation:
        problem = spelling_problem(tex) or (_relation_problem(tex) if _is_said(tex, claim) else "")
        if problem:
            yield f"notation {tex!r} {problem}"
        for other, written in (seen.get((shown(tex), shape), ("", tex)) for shape in (False, True)):
            if _pattern(written) != _pattern(tex):
                yield f"notation {tex!r} and variable {other!r}, {written!r}, look alike: write one otherwise"
    yield from _like_entries(claim)


def _number_problem(claim: Claim, variable: Variable, tex: str) -> str:
    r"""Return what is wrong with a name that reads as a number; $e$ and $\pi$ are letters, too."""
    from theory.latex.parser import read

    letters = _pattern(tex) in (("e",), (r"\pi",))
    no_words: Any = SimpleNamespace(variables=(), notation={}, ranges={})
    if variable.shape or (letters and not _is_a_number(claim, variable)):
        return ""
    try:
        read(tex, Vocabulary(no_words))
    except (Unreadable, KeyError, ValueError, IndexError):
        return ""
    return "is a number to a reader: write a letter for the name, and the number in formulas"


def _is_a_number(claim: Claim, variable: Variable) -> bool:
    """Return whether a hypothesis that no text has to say tells which number a name is."""
    from theory.formula import Compare

    untold = (item for item in claim.hypotheses.values() if item.kind not in ("domain", "parameter"))
    said = (formula for item in untold for formula in item.formulas)
    sides = [(item.left, item.right) for item in said if isinstance(item, Compare) and item.operator == "="]
    return any(
        variable.symbol == one and getattr(other, "is_number", True)
        for pair in sides
        for one, other in (pair, pair[::-1])
    )


def _relation_problem(tex: str) -> str:
    sign = relation_in(tex)
    return f"says {sign}, as a relation does: register the relation, or make the words a pin" if sign else ""


def _is_said(tex: str, claim: Claim) -> bool:
    """Return whether notation can assert something: of a variable, or in a text with a proof.

    An event such as $|z|>1$, whose share a check measures, does not.
    """
    words = set(_pattern(tex))
    if "#" in tex or any(words.issuperset(_pattern(item.tex)) for item in claim.variables):
        return True
    texts = [claim.setting, *(item.words for item in claim.hypotheses.values())]
    texts += [part.text for part in claim.parts if "proof" in part.evidence]
    said = f" {spelled(tokenize(tex))} "
    return any(said in f" {spelled(tokenize(item.inside))} " for text in texts for item in fragments(text))


def _like_entries(claim: Claim) -> Iterator[str]:
    """Yield scalars that look like an entry of an array and are not said to be that entry."""
    arrays = [item for item in claim.variables if item.shape]
    scalars = {item.tex for item in claim.variables if not item.shape}
    for variable in claim.variables if arrays else ():
        for tex in () if variable.shape else (variable.tex, *variable.aliases):
            tokens = tokenize(tex)
            for array in arrays:
                for word in _words(array, lambda _: ("number", 1)):
                    for end, slots in _matches(word.pattern, 0, tokens, 0, {}):
                        indices = [spelled(slots[key]) for key in sorted(slots)]
                        letters = {text.strip("{} ") for text in indices} & {*"ijkl", *claim.ranges} - scalars
                        is_entry = (
                            end == len(tokens)
                            and indices
                            and all(
                                text in scalars or text.strip("{} ") in letters or _counted(text) >= first
                                for text, first in zip(indices, array.firsts, strict=True)
                            )
                        )
                        # Of an index no hypothesis can say which entry it is.
                        if is_entry and (letters or not _is_defined(claim, variable, array)):
                            yield (
                                f"variable {name_of(variable.symbol)!r}, {tex!r}, looks like an entry of the "
                                f"array {name_of(array.symbol)!r}: write it otherwise, or "
                                "say in a hypothesis that it is that entry"
                            )
                            return


def _counted(text: str) -> int:
    digits = text.strip("{} ").replace(" ", "")
    return int(digits) if digits.isdecimal() else -1


def _is_defined(claim: Claim, scalar: Variable, array: Variable) -> bool:
    """Return whether a hypothesis says that the scalar is an entry of the array."""
    for hypothesis in claim.hypotheses.values():
        for formula in hypothesis.formulas:
            sides = [getattr(formula, "left", None), getattr(formula, "right", None)]
            if getattr(formula, "operator", "") == "=" and scalar.symbol in sides:
                sides.remove(scalar.symbol)
                if getattr(sides[0], "base", None) == array.symbol:
                    return True
    return False


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
    sizes = tuple(size(part) for part in variable.sizes)
    for tex in (variable.tex, *variable.aliases):
        if "#" in tex:
            yield Word(_pattern(tex), "entry", name, sizes, variable.firsts)
            continue
        yield Word(_pattern(tex), "array", name, sizes, variable.firsts)
        for written in _with_indices(tex, len(sizes)):
            yield Word(_pattern(written), "entry", name, sizes, variable.firsts)


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
