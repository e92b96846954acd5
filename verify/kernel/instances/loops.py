"""Terms as Python code: sums are loops, with indices and entries in local variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from verify.kernel.node import Node

Found = Callable[..., Any]


def compiled(
    node: Node,
    indices: Sequence[str],
    helpers: Mapping[str, Any],
    closure: Callable[[Node], Found],
    family: str = "",
) -> Found | None:
    """Return a term as a function of the instance and of integers for indices; None where it is too deep.

    With a family, return the mean of the term as a function of the instance and of chances: each time that
    one is taken from these, the entries of the family at the instance are others.

    Args:
        node: The term.
        indices: The indices, outermost first.
        helpers: What the code calls, by name.
        closure: The function of the instance for an expectation, which is no loop.
        family: The family whose entries are drawn, '' for none.
    """
    code = _Code(dict(helpers), closure, indices)
    variables = "".join(f", {loop.variable}" for loop in code.loops[1:])
    try:
        result = code.mean(node, family) if family else code.value(node)
    except RecursionError:
        return None
    variables += ", chances" if family else ""
    heads = [line for loop in code.loops for line in loop.head]
    text = [f"def found(at{variables}):", *heads, *code.lines, f"    return {result}"]
    try:
        exec("\n".join(text), code.scope)  # the text holds numbered names alone, nothing of a term
    except (SyntaxError, RecursionError, MemoryError):  # more loops inside each other than Python takes
        return None
    made: Found = code.scope["found"]
    return made


@dataclass
class _Loop:
    """A loop that is open; the first one is the function.

    Args:
        index: The index of the sum, '' for none.
        variable: The variable that holds it.
        depth: How far its lines are indented.
        head: Lines at its start.
        known: Variables that are computed once in it, by what they hold.
        family: The family of the expectation, '' for none.
    """

    index: str
    variable: str
    depth: int
    head: list[str] = field(default_factory=list)
    known: dict[Any, str] = field(default_factory=dict)
    family: str = ""

    def changes(self, node: Node) -> bool:
        """Return whether a term may have another value each time, or costs fuel each time."""
        if self.family:
            return ("family", self.family) in node.free or _costs(node)
        return ("name", self.index) in node.free

    def holds(self, key: Any, name: str, line: str) -> str:
        """Return the variable for something; its first line stands at the start of the loop."""
        if key not in self.known:
            self.known[key] = name
            self.head.append("    " * self.depth + line)
        return self.known[key]


class _Code:
    """Code that is being written.

    What does not depend on the innermost index is computed once, when it is first needed: a term that an
    empty sum never looks at may be undefined.
    """

    def __init__(
        self, scope: dict[str, Any], closure: Callable[[Node], Found], indices: Sequence[str]
    ) -> None:
        self.scope, self._closure = scope, closure
        self.lines: list[str] = []
        self.loops = [_Loop("", "", 1), *(_Loop(index, f"k{at}", 1) for at, index in enumerate(indices))]
        self._depth, self._made = 1, 0

    def value(self, node: Node) -> str:
        """Return an expression for the value of a term; statements that it needs are written before."""
        if node.op == "num":
            return self._constant(self.scope["fmpq"](node.args[0].numerator, node.args[0].denominator))
        if node.op == "name" and self._level(node):
            return self._index(node.args[0])
        return self._once("value", node, getattr(self, f"_{node.op}"))

    def mean(self, node: Node, family: str) -> str:
        """Return an expression for the mean of a term; the chances of the outcomes are taken one by one."""
        self._say("total = zero")
        self._say("for chance in chances:")
        self._depth += 1
        start = len(self.lines)
        self.loops.append(_Loop("", "", self._depth, family=family))
        found = self.value(node)
        self._say(f"total = total + times(chance, {found})")
        self._depth -= 1
        self.lines[start:start] = self.loops.pop().head
        return "total"

    def _place(self, node: Node) -> str:
        """Return an expression for the place of a family."""
        found = self._integer(node)
        return found or self._once("place", node, lambda item: f"as_place({self.value(item)})")

    def _end(self, node: Node) -> str:
        """Return an expression for the end of a range."""
        found = self._integer(node)
        return found or self._once("end", node, lambda item: f"whole({self.value(item)})")

    def _integer(self, node: Node) -> str:
        """Return an expression of ints alone, '' where a term needs more."""
        if node.op == "num" and node.args[0].denominator == 1:
            return self._constant(int(node.args[0].numerator))
        if node.op == "name":
            return self.loops[self._level(node)].variable
        if node.op in ("add", "mul"):
            parts = [self._integer(item) for item in node.args]
            return self._held((" + " if node.op == "add" else " * ").join(parts)) if all(parts) else ""
        return ""

    def _index(self, index: str) -> str:
        """Return the variable that holds an index as a rational number."""
        loop = next(loop for loop in reversed(self.loops) if loop.index == index)
        name = f"q{loop.variable}"
        return loop.holds("rational", name, f"{name} = fmpq({loop.variable})")

    # ------------------------------------------------------------------ kinds of terms

    def _name(self, node: Node) -> str:
        return f"at.name({self._constant(node.args[0])})"

    def _entry(self, node: Node) -> str:
        family, places = node.args[0], [self._place(item) for item in node.args[1:]]
        entries, held = self._new("f"), self._constant(family)
        entries = self.loops[0].holds(family, entries, f"{entries} = at.family({held})")
        key, name = f"({', '.join(places)},)", self._new("e")
        self._say(f"{name} = {entries}.get({key})")
        self._say(f"if {name} is None: {name} = at.entry({held}, {key})")
        return name

    def _add(self, node: Node) -> str:
        return self._held(" + ".join(map(self.value, node.args)))

    def _mul(self, node: Node) -> str:
        return self._held(" * ".join(map(self.value, node.args)))

    def _pow(self, node: Node) -> str:
        base, exponent = node.args
        if exponent.op == "num" and exponent.args[0].denominator == 1:
            power = int(exponent.args[0])
            found, held = self.value(base), self._constant(power)
            return self._held(f"{found} ** {held}" if power > 0 else f"to_power({found}, {held})")
        return self._held(f"power({self.value(base)}, {self.value(exponent)})")

    def _fn(self, node: Node) -> str:
        function, arguments = self._constant(node.args[0]), ", ".join(map(self.value, node.args[1:]))
        return self._held(f"function({function}, [{arguments}])")

    def _mean(self, node: Node) -> str:
        bound = [f".within({self._constant(index)}, {self._index(index)})" for index in self._indices()]
        return f"{self._constant(self._closure(node))}(at{''.join(bound)})"

    def _sum(self, node: Node) -> str:
        index, low, high, body = node.args
        ends = f"{self._end(low)}, {self._end(high)}"
        total, variable = self._new("t"), self._new("i")
        self._say(f"{total} = zero")
        self._say(f"for {variable} in span(at, {ends}):")
        start = len(self.lines)
        self._depth += 1
        self.loops.append(_Loop(index, variable, self._depth))
        self._say(f"{total} += {self.value(body)}")
        self._depth -= 1
        self.lines[start:start] = self.loops.pop().head
        return total

    # ------------------------------------------------------------------ variables

    def _once(self, kind: str, node: Node, written: Callable[[Node], str]) -> str:
        """Return code for a term, which is computed once in the loops that it depends on."""
        level = self._level(node)
        if level == len(self.loops) - 1:
            return written(node)
        name = self._new("v")
        name = self.loops[level].holds((kind, node), name, f"{name} = None")
        self._say(f"if {name} is None:")
        held, self.loops = self.loops, self.loops[: level + 1]
        self._depth += 1
        self._say(f"{name} = {written(node)}")
        self._depth -= 1
        self.loops = held
        return name

    def _level(self, node: Node) -> int:
        """Return the innermost loop whose index is free in a term, 0 for none."""
        return max(level for level, loop in enumerate(self.loops) if not level or loop.changes(node))

    def _indices(self) -> list[str]:
        return list(dict.fromkeys(loop.index for loop in self.loops[1:] if loop.index))

    def _held(self, expression: str) -> str:
        """Return a variable for an expression, so that none is nested too deeply for Python."""
        name = self._new("a")
        self._say(f"{name} = {expression}")
        return name

    def _constant(self, held: Any) -> str:
        name = self._new("c")
        self.scope[name] = held
        return name

    def _new(self, letter: str) -> str:
        self._made += 1
        return f"{letter}{self._made}"

    def _say(self, line: str) -> None:
        self.lines.append("    " * self._depth + line)


def _costs(node: Node) -> bool:
    """Return whether a term has a sum or an expectation."""
    return node.op in ("sum", "mean") or any(_costs(item) for item in node.args if isinstance(item, Node))
