"""What must hold for a term or formula to have a meaning: its obligations, as formulas.

Sums ask for integer bounds and at least no term, quotients for a divisor that is not 0, roots for a radicand
that is at least 0, powers with an exponent that is no number for a positive base or a natural exponent,
logarithms for a positive argument, expectations for variances that are at least 0 and for entries within the
range of the law. Inside a sum or an `every` they are asked for each index.

What is asked inside of an empty sum is asked of nothing, and its form may divide outside of it, as n/n for
sum((b[i] + 1)/(n*(b[i] + 1))), which is 0 for n = 0: these divisors are asked for, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from verify.kernel.memory import kept
from verify.kernel.node import ONE, ZERO, KernelError, Node, add, fresh, minus, name, substitute
from verify.kernel.normal.forms import exponent_parts, form_of
from verify.kernel.normal.means import moments, random_body
from verify.kernel.normal.sums import pulled_out, written_out


@kept(maxsize=50_000)
def obligations(node: Node) -> tuple[Node, ...]:
    """Return the formulas under which a term or formula is defined and means what its form says, inner
    ones first.
    """
    return tuple(dict.fromkeys((*_obligations(node), *of_form(node))))


@kept(maxsize=50_000)
def of_form(node: Node) -> tuple[Node, ...]:
    """Return the formulas under which what is defined means what its form says: of divisors and powers that
    empty sums hide.
    """
    return tuple(dict.fromkeys(_of_form(node))) if _adds(node) else ()


@kept(maxsize=50_000)
def _adds(node: Node) -> bool:
    """Return whether a sum or an expectation stands in it."""
    return node.op in ("sum", "mean") or any(_adds(item) for item in node.args if isinstance(item, Node))


def _of_form(node: Node) -> Iterator[Node]:
    op, args = node.op, node.args
    if op == "mean":
        body, family, ranges, *_ = args
        for end in (end for _, *ends in ranges for end in ends):
            yield from of_form(end)
        yield from _for_every_family(family, of_form(body))
        new, form = random_body(node)
        yield from _places(form.node, new, ranges, ())
        for _, moment in moments(node)[1]:
            yield from of_form(moment)
        return
    if op == "family":
        yield from _for_every_family(args[0], of_form(args[1]))
        return
    if op not in ("sum", "every"):
        for item in args:
            if isinstance(item, Node):
                yield from of_form(item)
        return
    index, low, high, body = args
    for end in (low, high):
        yield from () if end is None else of_form(end)
    yield from _for_every(index, low, high, of_form(body))
    if op == "sum":
        for item in written_out(node) or ():
            yield from of_form(item)
        yield from pulled_out(index, body)


def of_folds(form: Node) -> tuple[Node, ...]:
    """Return the formulas under which the sums, maxima and minima of a form are defined.

    They may have stood in an empty sum. A sum of one term, or the maximum of two equal terms, is that term.
    """
    if form.op == "sum" or (form.op == "fn" and form.args[0] in ("max", "min")):
        return obligations(form)
    return tuple(item for part in form.args if isinstance(part, Node) for item in of_folds(part))


def _for_every(index: str, low: Node, high: Node | None, items: Iterable[Node]) -> Iterator[Node]:
    for item in items:
        yield Node("every", index, low, high, item) if ("name", index) in item.free else item


def _for_every_family(family: str, items: Iterable[Node]) -> Iterator[Node]:
    for item in items:
        yield Node("family", family, item) if _mentions(item, family) else item


def factors_not_zero(item: Node) -> Iterator[Node]:
    """Yield an obligation, that a product is not 0 as one of each factor: they are written in any order."""
    if item.op == "ne" and item.args[1] == ZERO and item.args[0].op in ("mul", "pow"):
        base = item.args[0]
        # A power of what is not 0 is not 0; where it has a meaning, its base is asked for already.
        for factor in base.args if base.op == "mul" else base.args[:1]:
            yield from factors_not_zero(Node("ne", factor, ZERO))
    elif item.op == "every":
        for part in factors_not_zero(item.args[3]):
            yield Node("every", *item.args[:3], part) if ("name", item.args[0]) in part.free else part
    else:
        yield item


def _obligations(node: Node) -> Iterator[Node]:
    op, args = node.op, node.args
    if op in ("sum", "every"):
        yield from _of_range(node)
        return
    if op == "mean":
        yield from _of_mean(node)
        return
    if op == "family":
        yield from _for_every_family(args[0], _obligations(args[1]))
        return
    for item in args:
        if isinstance(item, Node):
            yield from _obligations(item)
    if op == "pow":
        yield from _of_power(args[0], args[1])
    elif op == "fn" and args[0] == "log":
        yield Node("lt", ZERO, args[1])


def _mentions(node: Node, family: str) -> bool:
    return ("family", family) in node.free


def _of_power(base: Node, exponent: Node) -> Iterator[Node]:
    form = form_of(exponent)
    value = form.number
    if value is not None:
        if value.denominator != 1:
            yield Node("le" if value > 0 else "lt", ZERO, base)
        elif value < 0:
            yield Node("ne", base, ZERO)
    else:
        yield Node("power", base, exponent_parts(form)[1].node)


def _of_range(node: Node) -> Iterator[Node]:
    index, low, high, body = node.args
    yield from _obligations(low)
    yield Node("int", low)
    if high is not None:
        yield from _obligations(high)
        yield Node("int", high)
        if node.op == "sum":
            yield Node("le", ZERO, add(minus(high, low), ONE))
    yield from _for_every(index, low, high, _obligations(body))


def _of_mean(node: Node) -> Iterator[Node]:
    body, family, ranges, mean, variance = node.args
    for _, low, high in ranges:
        for bound in (low, high):
            yield from _obligations(bound)
            yield Node("int", bound)
        yield Node("le", ZERO, add(minus(high, low), ONE))
    # Moments are added up over the ranges, in any order.
    for order in itertools.permutations(ranges):
        for item in (mean, variance):
            for index, low, high in order:
                item = Node("sum", index, low, high, item)
            yield from _obligations(item)
    item = Node("le", ZERO, variance)
    for index, low, high in ranges:
        if ("name", index) in item.free:
            item = Node("every", index, low, high, item)
    yield item
    yield from _for_every_family(family, _obligations(body))
    yield from _places(body, family, ranges, ())


Binder = tuple[str, Node, Node]


def _places(node: Node, family: str, law: tuple[Binder, ...], binders: tuple[Binder, ...]) -> Iterator[Node]:
    """Yield that each entry of the random family lies in the range of its law."""
    if ("family", family) not in node.free:
        return
    op, args = node.op, node.args
    if op == "entry" and args[0] == family:
        if len(args) - 1 != len(law):
            raise KernelError(f"{node!r} has {len(args) - 1} indices, its law {len(law)}")
        for place, (_, low, high) in zip(args[1:], law, strict=True):
            if any(place == name(index) and (a, b) == (low, high) for index, a, b in binders):
                continue
            for item in (Node("int", place), Node("le", low, place), Node("le", place, high)):
                for index, a, b in reversed(binders):
                    if ("name", index) in item.free:
                        item = Node("every", index, a, b, item)
                yield item
    if op == "sum":
        index, low, high, body = args
        yield from _places(low, family, law, binders)
        yield from _places(high, family, law, binders)
        binder, (body,) = _binder((index, low, high), (body,), law, binders)
        yield from _places(body, family, law, (*binders, binder))
    elif op == "mean":
        body, other, ranges, *moments = args
        inner = binders
        for span in ranges:
            for bound in span[1:]:
                yield from _places(bound, family, law, binders)
            binder, moments = _binder(span, moments, law, inner)
            inner = (*inner, binder)
        for item in moments:
            yield from _places(item, family, law, inner)
        if other != family:
            yield from _places(body, family, law, binders)
    else:
        for item in args:
            if isinstance(item, Node):
                yield from _places(item, family, law, binders)


def _binder(
    span: Binder, bodies: Iterable[Node], law: tuple[Binder, ...], binders: tuple[Binder, ...]
) -> tuple[Binder, list[Node]]:
    """Rename an index that stands in the range of the law or is bound further out."""
    index, low, high = span
    bodies = list(bodies)
    taken = {other for other, _, _ in binders}
    taken |= {key for _, a, b in (*law, *binders) for end in (a, b) for _, key in end.free}
    if index in taken:
        index = fresh(index, taken | {key for body in bodies for _, key in body.free})
        bodies = [substitute(body, {span[0]: name(index)}) for body in bodies]
    return (index, low, high), bodies
