"""Terms and formulas of the kernel: immutable trees in which names carry no assumptions.

A node is an operator with arguments:

terms     num(q)  name(s)  entry(f, i, ...)  add(...)  mul(...)  pow(a, e)  sum(i, lo, hi, body)
          fn(s, ...)  mean(body, f, ((i, lo, hi), ...), m, v)
formulas  le(a, b)  lt(a, b)  eq(a, b)  ne(a, b)  int(a)  every(i, lo, hi or None, A)  family(f, A)
          power(a, e): a > 0, or e is a natural number

`sum` and `every` bind the index in their last argument, `mean` binds the family in its body and the
indices in
mean and variance, `family` binds a family.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

TERMS = ("num", "name", "entry", "add", "mul", "pow", "sum", "fn", "mean")
RELATIONS = ("le", "lt", "eq", "ne")


class KernelError(ValueError):
    """A rule does not apply; the message says why."""


class Node:
    """One node; equal nodes have equal operators and arguments."""

    __slots__ = ("_hash", "_names", "args", "op")
    op: str
    args: tuple[Any, ...]
    _hash: int
    _names: frozenset[tuple[str, str]] | None

    def __init__(self, op: str, *args: Any) -> None:
        object.__setattr__(self, "op", op)
        object.__setattr__(self, "args", args)
        object.__setattr__(self, "_hash", hash((op, args)))
        object.__setattr__(self, "_names", None)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("nodes do not change")

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Node)
            and self._hash == other._hash
            and self.op == other.op
            and self.args == other.args
        )

    def __repr__(self) -> str:
        from verify.kernel.text import text

        return text(self)

    @property
    def free(self) -> frozenset[tuple[str, str]]:
        """Return the free names, ("name", s) or ("family", s)."""
        found = self._names
        if found is None:
            found = frozenset(_free(self))
            object.__setattr__(self, "_names", found)
        return found


def num(value: Any) -> Node:
    """Return a rational number."""
    if isinstance(value, float):
        raise KernelError(f"{value!r} is a float; the kernel takes exact numbers")
    made = Fraction(value)
    if not type(made.numerator) is type(made.denominator) is int:  # it could answer otherwise next time
        raise KernelError(f"{value!r} is a number of a class of its own; take int, Fraction or sympy's")
    return Node("num", made)


ZERO, ONE = num(0), num(1)


def name(text: str) -> Node:
    """Return a name."""
    return Node("name", text)


def add(*terms: Node) -> Node:
    """Return a sum of terms."""
    return terms[0] if len(terms) == 1 else Node("add", *terms)


def mul(*factors: Node) -> Node:
    """Return a product."""
    return factors[0] if len(factors) == 1 else Node("mul", *factors)


def minus(left: Node, right: Node) -> Node:
    """Return left - right."""
    return left if right == ZERO else Node("add", left, Node("mul", num(-1), right))


def compare(op: str, left: Node, right: Node) -> Node:
    """Return a comparison."""
    return Node(op, left, right)


def _free(node: Node) -> Iterator[tuple[str, str]]:
    op, args = node.op, node.args
    if op == "name":
        yield ("name", args[0])
    elif op in ("sum", "every"):
        index, low, high, body = args
        yield from low.free
        if high is not None:
            yield from high.free
        yield from body.free - {("name", index)}
    elif op == "mean":
        body, family, ranges, mean, variance = args
        yield from body.free - {("family", family)}
        indices = {("name", index) for index, _, _ in ranges}
        yield from (mean.free | variance.free) - indices
        for _, low, high in ranges:
            yield from low.free | high.free
    elif op == "family":
        yield from args[1].free - {("family", args[0])}
    else:
        if op == "entry":
            yield ("family", args[0])
        for item in args:
            if isinstance(item, Node):
                yield from item.free


def fresh(stem: str, avoid: Iterable[str]) -> str:
    """Return a name that is not among those to avoid."""
    taken, base = set(avoid), stem.split("~")[0]
    k = 1
    while f"{base}~{k}" in taken:
        k += 1
    return f"{base}~{k}"


Family = tuple[tuple[str, ...], Node]
"""A family as a function of its indices: their names, and the entry."""


def substitute(node: Node, names: Mapping[str, Node], families: Mapping[str, Family] | None = None) -> Node:
    """Put terms for names and functions for families, all at once and without capture."""
    return _substitute(node, dict(names), dict(families or {}))


def _relevant(node: Node, names: dict[str, Node], families: dict[str, Family]) -> bool:
    return any(
        (kind == "name" and key in names) or (kind == "family" and key in families) for kind, key in node.free
    )


def _inserted(names: dict[str, Node], families: dict[str, Family]) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for value in names.values():
        found |= value.free
    for parameters, body in families.values():
        found |= body.free - {("name", p) for p in parameters}
    return found


def _without(mapping: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in mapping.items() if key not in keys}


def _substitute(node: Node, names: dict[str, Node], families: dict[str, Family]) -> Node:
    if not _relevant(node, names, families):
        return node
    op, args = node.op, node.args

    def inner(item: Node) -> Node:
        return _substitute(item, names, families)

    if op == "name":
        return names[args[0]]
    if op == "entry":
        indices = tuple(inner(item) for item in args[1:])
        if args[0] not in families:
            return Node("entry", args[0], *indices)
        parameters, body = families[args[0]]
        if len(parameters) != len(indices):
            raise KernelError(
                f"family {args[0]} has {len(indices)} indices, its function takes {len(parameters)}"
            )
        return substitute(body, dict(zip(parameters, indices, strict=True)))
    if op in ("sum", "every"):
        index, low, high, body = args
        index, (body,) = _bound_index(index, (body,), names, families)
        new = _substitute(body, _without(names, index), families)
        return Node(op, index, inner(low), None if high is None else inner(high), new)
    if op == "mean":
        return _substitute_mean(node, names, families)
    if op == "family":
        family, body = _bound_family(args[0], args[1], names, families)
        return Node("family", family, _substitute(body, names, _without(families, family)))
    return Node(op, *(inner(item) if isinstance(item, Node) else item for item in args))


def _bound_index(
    index: str, bodies: tuple[Node, ...], names: dict[str, Node], families: dict[str, Family]
) -> tuple[str, tuple[Node, ...]]:
    """Rename a bound index where a term that is put in contains its name."""
    inserted = _inserted(_without(names, index), families)
    if ("name", index) not in inserted:
        return index, bodies
    avoid = {key for _, key in inserted} | {key for body in bodies for _, key in body.free} | set(names)
    new = fresh(index, avoid)
    return new, tuple(substitute(body, {index: name(new)}) for body in bodies)


def _bound_family(
    family: str, body: Node, names: dict[str, Node], families: dict[str, Family]
) -> tuple[str, Node]:
    inserted = _inserted(names, _without(families, family))
    if ("family", family) not in inserted:
        return family, body
    avoid = {key for _, key in inserted} | {key for _, key in body.free} | set(families)
    new = fresh(family, avoid)
    return new, rename_family(body, family, new)


def rename_family(node: Node, old: str, new: str) -> Node:
    """Rename a free family, whatever its number of indices."""
    op, args = node.op, node.args
    if ("family", old) not in node.free:
        return node
    if op == "entry":
        return Node(
            "entry", new if args[0] == old else args[0], *(rename_family(a, old, new) for a in args[1:])
        )
    if op == "mean":
        body, family, ranges, mean, variance = args
        if family == new:
            other = fresh(family, {new, old, *(key for _, key in body.free)})
            family, body = other, rename_family(body, family, other)
        body = body if family == old else rename_family(body, old, new)
        spans = tuple((i, rename_family(a, old, new), rename_family(b, old, new)) for i, a, b in ranges)
        return Node(
            "mean", body, family, spans, rename_family(mean, old, new), rename_family(variance, old, new)
        )
    if op == "family" and args[0] == new:
        other = fresh(new, {old, new, *(key for _, key in args[1].free)})
        return Node("family", other, rename_family(rename_family(args[1], new, other), old, new))
    return Node(op, *(rename_family(item, old, new) if isinstance(item, Node) else item for item in args))


def _substitute_mean(node: Node, names: dict[str, Node], families: dict[str, Family]) -> Node:
    body, family, ranges, mean, variance = node.args
    family, body = _bound_family(family, body, names, families)
    spans = []
    for index, low, high in ranges:
        new, (mean, variance) = _bound_index(index, (mean, variance), names, families)
        spans.append((new, _substitute(low, names, families), _substitute(high, names, families)))
    outer = _without(names, *(index for index, _, _ in spans))
    return Node(
        "mean",
        _substitute(body, names, _without(families, family)),
        family,
        tuple(spans),
        _substitute(mean, outer, families),
        _substitute(variance, outer, families),
    )
