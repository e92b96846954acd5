"""The mutants of a source file, each one edit of its text.

Left alone, since nobody owes a check of them: docstrings and other strings, annotations, decorators, `raise`
statements and what builds an error, logging and warnings, `assert` messages, `if TYPE_CHECKING`, `__all__`,
`__repr__`, and the keywords in `_TEXT_KEYWORDS`; and what changes nothing for certain (`no_change`).
"""

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from tools.mutation.no_change import edits_without_effect

_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
    ast.FloorDiv: "*",
    ast.Mod: "*",
    ast.Pow: "*",
    ast.LShift: ">>",
    ast.RShift: "<<",
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.BitXor: "&",
}
_COMPARISONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">="),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<="),
    ast.GtE: (">", "<"),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
}
_SYMBOLS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_PAIRS = (
    ("min", "max"),
    ("minimum", "maximum"),
    ("argmin", "argmax"),
    ("amin", "amax"),
    ("floor", "ceil"),
    ("any", "all"),
)
_SWAPPED = dict(_PAIRS) | {second: first for first, second in _PAIRS}
_TEXT_KEYWORDS = frozenset({"reason", "message", "text", "hint", "help", "strict", "stacklevel", "title"})
_TALK = frozenset({"warn", "log", "debug", "info", "warning", "print", "echo"})


@dataclass(frozen=True)
class Mutant:
    """One edit of one file.

    Args:
        file: Path below the root, with `/`.
        function: Qualified name of what encloses it, empty at the level of the module.
        operator: Name of the operator.
        start: First byte that is replaced.
        end: Byte after the last one.
        after: New text.
        before: Old text.
        line: First line of the edit.
        lines: Lines of the statement (of its head, where it has a body): who executes one touches the mutant.
        id: Name that edits elsewhere in the file do not change.
    """

    file: str
    function: str
    operator: str
    start: int
    end: int
    after: str
    before: str
    line: int
    lines: range
    id: str

    def applied(self, source: bytes) -> bytes:
        """Return the source with this edit."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def mutants_of(file: str, source: bytes) -> list[Mutant]:
    """Return all mutants of a source, in the order of the text; every one of them compiles."""
    return list(_Finder(file, source).mutants())


@dataclass(frozen=True)
class _Place:
    """Names around, the innermost function or top-level statement, and the lines of the statement."""

    names: tuple[str, ...]
    home: ast.AST
    lines: range


class _Finder:
    def __init__(self, file: str, source: bytes) -> None:
        self.file, self.source = file, source
        self.starts = [0]
        for row in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(row))
        self.counts: dict[str, int] = {}
        self.tree = ast.parse(source)

    def mutants(self) -> Iterator[Mutant]:
        idle = [
            (self._at(*first), self._at(*last), after)
            for first, last, after in edits_without_effect(self.file, self.tree)
        ]
        for statement in self.tree.body:
            for item in self._statement(statement, _Place((), statement, range(0))):
                # Left out here and not where it is made: names of mutants count those before them.
                if not any(a <= item.start and item.end <= b and t in (None, item.after) for a, b, t in idle):
                    yield item

    # ------------------------------------------------------------ where to look

    def _statement(self, node: ast.stmt, place: _Place) -> Iterator[Mutant]:
        if isinstance(node, ast.Raise | ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal):
            return
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        if isinstance(node, ast.If) and "__main__" in ast.dump(node.test):
            return
        if isinstance(node, ast.Assign) and any(
            isinstance(t, ast.Name) and t.id.startswith("__") for t in node.targets
        ):
            return
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if node.name in ("__repr__", "__str__"):
                return
            names = (*place.names, node.name)
            if not isinstance(node, ast.ClassDef):
                head = _Place(place.names, node, range(node.lineno, node.body[0].lineno))
                for default in (*node.args.defaults, *node.args.kw_defaults):
                    if default is not None:
                        yield from self._expression(default, head)
            for child in node.body:
                home = child if isinstance(node, ast.ClassDef) else node
                yield from self._statement(child, _Place(names, home, range(0)))
            return
        bodies = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
        handlers = [child for child in ast.iter_child_nodes(node) if hasattr(child, "body")]
        first = min((child.lineno for child in bodies), default=(node.end_lineno or node.lineno) + 1)
        last = max(first, node.lineno + 1)
        here = _Place(place.names, place.home, range(node.lineno, last))
        yield from self._of_statement(node, here)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                yield from self._statement(child, here)
            elif isinstance(child, ast.expr) and not self._left_alone(node, child):
                yield from self._expression(child, here)
            elif child in handlers and not isinstance(child, ast.expr):
                for inside in getattr(child, "body", []):
                    yield from self._statement(inside, here)
            elif isinstance(child, ast.withitem):
                yield from self._expression(child.context_expr, here)

    @staticmethod
    def _left_alone(node: ast.stmt, child: ast.expr) -> bool:
        if isinstance(node, ast.AnnAssign):
            return child is node.annotation
        return isinstance(node, ast.Assert) and child is node.msg

    def _expression(self, node: ast.expr, place: _Place) -> Iterator[Mutant]:
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Call) and _talks(node)):
            return
        yield from self._of_expression(node, place)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.keyword):
                if child.arg not in _TEXT_KEYWORDS:
                    yield from self._expression(child.value, place)
            elif isinstance(child, ast.comprehension):
                yield from self._expression(child.iter, place)
                for condition in child.ifs:
                    yield from self._negated(condition, place)
                    yield from self._expression(condition, place)
            elif isinstance(child, ast.arguments):
                for default in (*child.defaults, *child.kw_defaults):
                    if default is not None:
                        yield from self._expression(default, place)
            elif isinstance(child, ast.expr):
                yield from self._expression(child, place)

    # ------------------------------------------------------------ what to do there

    def _of_statement(self, node: ast.stmt, place: _Place) -> Iterator[Mutant]:
        if isinstance(node, ast.If):
            yield from self._negated(node.test, place)
        elif isinstance(node, ast.AugAssign):
            symbol = _ARITHMETIC.get(type(node.op))
            if symbol and not _is_text(node.value):
                text = f"{self._text(node.target)} {symbol}= {self._text(node.value)}"
                yield self._mutant("arithmetic", node, text, place)
            yield self._mutant("delete statement", node, "pass", place)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not _talks(node.value):
            yield self._mutant("delete statement", node, "pass", place)

    def _of_expression(self, node: ast.expr, place: _Place) -> Iterator[Mutant]:
        if isinstance(node, ast.BinOp):
            symbol = _ARITHMETIC.get(type(node.op))
            if symbol and not _is_text(node.left) and not _is_text(node.right):
                text = f"(({self._text(node.left)}) {symbol} ({self._text(node.right)}))"
                yield self._mutant("arithmetic", node, text, place)
        elif isinstance(node, ast.Compare):
            for index, operator in enumerate(node.ops):
                for symbol in _COMPARISONS[type(operator)]:
                    yield self._mutant("comparison", node, self._compared(node, index, symbol), place)
        elif isinstance(node, ast.BoolOp):
            word = " or " if isinstance(node.op, ast.And) else " and "
            text = word.join(f"({self._text(value)})" for value in node.values)
            yield self._mutant("and/or", node, f"({text})", place)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield self._mutant("remove not", node, f"({self._text(node.operand)})", place)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield self._mutant("remove minus", node, f"({self._text(node.operand)})", place)
        elif isinstance(node, ast.IfExp):
            yield from self._negated(node.test, place)
        elif isinstance(node, ast.Constant):
            for text in _other_constants(node.value):
                yield self._mutant("constant", node, text, place)
        elif isinstance(node, ast.Call):
            yield from self._swapped(node, place)
        elif isinstance(node, ast.Slice):
            yield from self._bounds(node, place)

    def _negated(self, test: ast.expr, place: _Place) -> Iterator[Mutant]:
        """Negate a condition, unless another operator does it."""
        single = isinstance(test, ast.Compare) and len(test.ops) == 1
        if not single and not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            yield self._mutant("negate condition", test, f"(not ({self._text(test)}))", place)

    def _swapped(self, node: ast.Call, place: _Place) -> Iterator[Mutant]:
        called = node.func
        name = getattr(called, "attr", None) or getattr(called, "id", "")
        if name in _SWAPPED:
            base = f"{self._text(called.value)}." if isinstance(called, ast.Attribute) else ""
            yield self._mutant("min/max", called, f"{base}{_SWAPPED[name]}", place)

    def _bounds(self, node: ast.Slice, place: _Place) -> Iterator[Mutant]:
        for bound in (node.lower, node.upper):
            if bound is not None:
                yield self._mutant("slice bound", bound, "", place)

    # ------------------------------------------------------------ text

    def _compared(self, node: ast.Compare, index: int, symbol: str) -> str:
        words = [_SYMBOLS[type(operator)] for operator in node.ops]
        words[index] = symbol
        pairs = zip(words, node.comparators, strict=True)
        return f"(({self._text(node.left)})" + "".join(f" {w} ({self._text(n)})" for w, n in pairs) + ")"

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def _at(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column

    def _text(self, node: ast.expr | ast.stmt) -> str:
        start, end = self._span(node)
        return self.source[start:end].decode()

    def _mutant(self, operator: str, node: ast.expr | ast.stmt, after: str, place: _Place) -> Mutant:
        start, end = self._span(node)
        before, function = self._text(node), ".".join(place.names)
        home = self._text(place.home) if isinstance(place.home, ast.stmt) else ""
        key = "\0".join((self.file, function, home, operator, before, after))
        count = self.counts[key] = self.counts.get(key, -1) + 1
        name = hashlib.sha256(f"{key}\0{count}".encode()).hexdigest()[:12]
        return Mutant(
            self.file, function, operator, start, end, after, before, node.lineno, place.lines, name
        )


def _other_constants(value: object) -> tuple[str, ...]:
    if value is True or value is False:
        return (str(not value),)
    if isinstance(value, int):
        return ("2", "0") if value == 1 else (str(value + 1),)
    if isinstance(value, float):
        return ("2.0", "0.0") if value == 1 else (repr(2 * value) if value else "1.0",)
    return ()


def _is_text(node: ast.expr) -> bool:
    """Return whether an operand is text, or None as in the type `int | None`."""
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    text = isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, str | bytes))
    return text or isinstance(node, ast.JoinedStr)


def _talks(node: ast.Call) -> bool:
    """Return whether a call only talks: logging, a warning, an exception."""
    called = node.func
    name = getattr(called, "attr", None) or getattr(called, "id", "")
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "math":
        return False  # math.log
    if isinstance(called, ast.Attribute) and name == "log":
        return isinstance(called.value, ast.Name) and called.value.id in ("logging", "logger")
    if isinstance(called, ast.Name) and name == "log":
        return False
    return name in _TALK or name.endswith(("Error", "Exception", "Warning"))
