"""What a hypothesis says of names: relations and names of a list, and of which of them "integer" is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from theory.formula import Compare, Every
from theory.latex.nodes import Node, Unreadable

if TYPE_CHECKING:
    from theory.formula import Formula


@dataclass
class Item:
    """What is said of names or entries: one relation or name, and the list that it stands in.

    `subject` is what "is an integer" is said of; `names` are all sides that are names. It is plain if its
    other sides are numbers, and it is no equation; a bound if it is a name alone or says that one is at
    least a number; bounded if it is a name alone or has at least one number.
    """

    words: str
    names: list[Node]
    subject: Node | None
    is_plain: bool
    is_bound: bool
    is_bounded: bool
    of_list: int = 1
    formulas: list[Formula] = field(default_factory=list)


def item_of(words: str, nodes: list[Node], signs: list[str], is_interval: bool) -> Item:
    """Return a relation or name with what it is about: the name between two ends, else the first side."""
    sides = [node for node in nodes if node[0] != "number"]
    names = [node for node in sides if _is_name(node)]
    subject = None
    if is_interval or len(nodes) == 3:
        subject = nodes[1] if is_interval or not _is_name(nodes[0]) else None
    elif len(nodes) < 3 and sides:
        subject = sides[0]
    is_plain = len(names) == len(sides) and set(signs) <= {"<", "<=", ">", ">="}
    is_plain = is_plain and not (is_interval and len(names) > 1)
    is_bounded = not signs or len(sides) < len(nodes)
    is_bound = not signs or (signs == [">="] and _is_name(nodes[0]) and nodes[1][0] == "number")
    if subject is not None and not _is_name(subject):
        subject = None
    return Item(words, names, subject, is_plain, is_bound, is_bounded)


def _is_name(node: Node) -> bool:
    return node[0] in ("name", "entry")


def check_subjects(items: Sequence[Item], words: str, said_of_all: bool, is_list_of: bool) -> None:
    """Refuse integers where it is not clear of which names it is said."""
    if not items:
        raise Unreadable(f"it is no name of which ‘{words}’ is said")
    for item in items:
        if not (item.is_plain if said_of_all else item.subject):
            raise Unreadable(f"it is no name of which ‘{words}’ is said in ‘{item.words}’")
    if not said_of_all:
        if items[0].of_list > 1 or len(items) > 1:
            raise Unreadable(f"‘{words}’ is said of a list")
        return
    is_one_list = items[-1].of_list == len(items)
    if is_one_list and not is_list_of and not items[-1].is_bounded:
        raise Unreadable(f"of which names is ‘{words}’ said in ‘{items[-1].words}’?")
    if not is_one_list and (items[-1].of_list > 1 or not all(item.is_bound for item in items)):
        raise Unreadable(f"of which relations is ‘{words}’ said? Begin a new sentence with ‘;’")


def indices_of(item: Item) -> list[Every]:
    """Return the indices of the formulas of an item, with their ranges."""
    found = []
    for formula in item.formulas:
        while isinstance(formula, Every):
            found.append(formula)
            formula = formula.formula
    return found


def check_restriction(new: Sequence[Item], items: Sequence[Item]) -> None:
    """Refuse a relation after "where" that could say for which indices the one before it holds."""
    before = {one.index.name for item in items for one in indices_of(item)}
    for item in new:
        if not items or before & {one.index.name for one in indices_of(item)}:
            raise Unreadable(f"‘{item.words}’ could say for which indices the words before it hold")


def without_ranges(formula: Formula) -> Formula:
    """Return a formula at one place of its indices."""
    while isinstance(formula, Every):
        formula = formula.formula
    return formula


def check_condition(new: Sequence[Item]) -> None:
    """Refuse an inequality after "where", which could be the condition of what stands before it."""
    for item in new:
        inner = [without_ranges(formula) for formula in item.formulas]
        if any(isinstance(formula, Compare) and formula.operator != "=" for formula in inner):
            raise Unreadable(
                f"‘{item.words}’ could be the condition of the words before it: write ‘and’ or ‘with’"
            )
