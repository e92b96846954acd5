r"""Normal form of expectations over uncorrelated families.

$\mathbb Eb_s=m_s$ and $\mathbb Eb_sb_t=m_sm_t+[s=t]v_s$ decide every polynomial of degree at most 2, and
nothing more:
a third power, a quotient or a function of the family has no form.
"""

from __future__ import annotations

from verify.kernel.node import (
    ONE,
    ZERO,
    KernelError,
    Node,
    add,
    fresh,
    mul,
    name,
    num,
    rename_family,
    substitute,
)
from verify.kernel.normal.forms import Form, added, constant, divided, form_of, multiplied, register
from verify.kernel.normal.polynomials import Monomial
from verify.kernel.normal.sums import _nested, renamed

Opened = tuple[list[tuple[str, Node]], list[Node], list[tuple[Node, ...]]]
"""Binders, factors without the family (a sign among them), and the indices of the entries of the family."""


def _form_of_mean(node: Node) -> Form:
    divisor, terms = moments(node)
    found = [multiplied(factor, form_of(moment)) for factor, moment in terms]
    return divided(added(constant(0), *found), divisor)


def moments(node: Node) -> tuple[Form, list[tuple[Form, Node]]]:
    """Return an expectation as a divisor and terms: factors that are not random, and moments of the law."""
    _, _, ranges, mean, variance = node.args
    new, form = random_body(node)
    key = ("family", new)
    if any(key in a.free for monomial, _ in form.den for a, _ in monomial):
        raise KernelError(f"{node!r} divides by a random variable; moments do not tell its expectation")
    found = []
    for monomial, coefficient in form.num:
        outer = tuple((a, e) for a, e in monomial if key not in a.free)
        random = tuple((a, e) for a, e in monomial if key in a.free)
        factor = Form({outer: coefficient}, {(): ONE.args[0]})
        found.append((factor, _moment(random, new, ranges, mean, variance)))
    return Form(dict(form.den), {(): ONE.args[0]}), found


def random_body(node: Node) -> tuple[str, Form]:
    """Return a name for the family of an expectation that stands nowhere in it, and the form of the body."""
    body, family, *_ = node.args
    new = fresh("random", {key for _, key in node.free | body.free})
    return new, form_of(rename_family(body, family, new))


def _moment(
    random: Monomial, family: str, ranges: tuple[tuple[str, Node, Node], ...], mean: Node, variance: Node
) -> Node:
    if not random:
        return ONE
    taken = {key for term in (mean, variance) for _, key in term.free}
    binders, factors, entries = _open(random, family, taken)
    indices = tuple(index for index, _, _ in ranges)

    def at(term: Node, place: tuple[Node, ...]) -> Node:
        if len(place) != len(indices):
            raise KernelError(f"a random entry has {len(place)} indices, its law {len(indices)}")
        return substitute(term, dict(zip(indices, place, strict=True)))

    if len(entries) == 1:
        value = at(mean, entries[0])
    elif len(entries) == 2:
        first, second = entries
        same = [Node("fn", "delta", s, t) for s, t in zip(first, second, strict=True)]
        value = add(mul(at(mean, first), at(mean, second)), mul(*same, at(variance, first)))
    else:
        raise KernelError(f"a moment of degree {len(entries)} does not follow from mean and variance")
    return _nested(binders, mul(ONE, *factors, value))


def _open(random: Monomial, family: str, avoid: set[str]) -> Opened:
    """Write a product of entries and sums of entries as one multiple sum, its indices not among the
    names to avoid.
    """
    key = ("family", family)
    binders: list[tuple[str, Node]] = []
    factors: list[Node] = []
    entries: list[tuple[Node, ...]] = []
    pending = list(random)
    taken = avoid | {item for a, _ in random for _, item in a.free}
    while pending:
        a, e = pending.pop()
        if key not in a.free:
            factors.append(a.node if e == 1 else Node("pow", a.node, num(e)))
        elif e < 0 or a.key[0] not in ("entry", "sum"):
            raise KernelError(f"{a.node!r} is no polynomial in the random variables")
        elif a.key[0] == "entry":
            if any(key in index.node.free for index in a.key[2]) or a.key[1] != family:
                raise KernelError(f"{a.node!r} has a random index")
            entries += [a.node.args[1:]] * e
        else:
            if any(key in last.free for _, last in a.key[1]):
                raise KernelError(f"{a.node!r} has a random number of terms")
            for _ in range(e):
                inner, sign, monomial = renamed(a, taken | {i for i, _ in binders})
                binders += inner
                factors.append(num(sign))
                pending.extend(monomial)
    return binders, factors, entries


register("mean", _form_of_mean)

__all__ = ["ZERO", "name"]
