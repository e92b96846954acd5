r"""Sums, products and extrema over an index, up to the end of their term, and extrema of what braces list.

Where a fold ends cannot be seen. So what would be something else inside of it than behind it is refused: the
last factor of a product or extremum that lacks the index, a later term with the letter of the index, and a
name with it that is no entry of an array.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from theory.latex.extents import indices_of_fold
from theory.latex.nodes import Node, Unreadable, names_of
from theory.latex.tokens import Token, group_end, spelled

if TYPE_CHECKING:
    from theory.latex.parser import Parser

_UPRIGHT = re.compile(r"\\(?:rm|mathrm|text\w*|operatorname)\b[^{}]*(?:\{[^{}]*\})?")
"""Letters that are words, as those of `c_{\rm best}`."""


def fold(parser: Parser, kind: str) -> Node:
    """Return what the sum, product or extremum at this place says.

    Raises:
        Unreadable: It has no index, or it cannot be told what it is of.
    """
    parser.at += 1
    lower: list[Token] = []
    upper: Node | None = None
    while parser.here in ("_", "^"):
        mark = parser.here
        parser.at += 1
        if mark == "^":
            upper = parser.argument()
            continue
        is_group = parser.here == "{"
        end = group_end(parser.tokens, parser.at) if is_group else parser.at + 1
        lower = parser.tokens[parser.at + 1 : end - 1] if is_group else parser.tokens[parser.at : end]
        parser.at = end
    if not lower:
        return _of_list(parser, kind)
    extent = indices_of_fold(lower, upper, parser)
    outer, parser.bound = parser.bound, parser.bound | frozenset(extent.names)
    is_braced, begin = parser.here == r"\{" and kind in ("max", "min"), parser.at
    body = _braced(parser) if is_braced else parser.term()
    _check_names(parser, parser.tokens[begin : parser.at], extent.names)
    parser.bound = outer
    if not is_braced:
        parser.folded |= frozenset(extent.names)
        # A sum is the same whether a factor stands inside of it or behind it.
        if kind != "sum" and parser.last and not names_of(parser.last) & {*extent.names}:
            raise Unreadable(
                f"write brackets: is the last factor inside of the \\{kind} over {extent.names[0]}?"
            )
    return ("fold", kind, body, extent.ranges(body, parser.vocabulary), extent.conditions)


def _of_list(parser: Parser, kind: str) -> Node:
    if kind in ("sum", "prod") or parser.here not in (r"\{", "("):
        raise Unreadable(f"\\{kind} needs an index")
    found = _listed(parser)
    if len(found) == 1:
        raise Unreadable(f"\\{kind} of a single term needs an index")
    return (kind, *found)


def _listed(parser: Parser) -> list[Node]:
    closing = {r"\{": r"\}", "(": ")"}[parser.here]
    parser.at += 1
    found = [parser.sum()]
    while parser.here in (",", ";"):
        parser.at += 1
        found.append(parser.sum())
    parser.take(closing)
    return found


def _braced(parser: Parser) -> Node:
    found = _listed(parser)
    if len(found) > 1:
        raise Unreadable("an extremum over an index is of one term: write that of several inside of it")
    return found[0]


def _check_names(parser: Parser, body: list[Token], indices: Iterable[str]) -> None:
    """Refuse a name with an index of the fold around it that is no entry: `u_j` in a sum over j."""
    place = 0
    while place < len(body):
        found = parser.vocabulary.longest(body, place, parser.bound)
        if found and found.word.kind == "name":
            letters = {*_UPRIGHT.sub(" ", " ".join(found.word.pattern[1:])).split()}
            if within := letters & {*indices}:
                written = spelled(body[place : found.end])
                raise Unreadable(
                    f"‘{written}’ does not depend on the index {min(within)}: write it otherwise"
                )
        for inside in found.indices if found else ():
            _check_names(parser, list(inside), indices)
        place = found.end if found else place + 1
