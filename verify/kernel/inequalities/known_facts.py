"""What facts say: slacks, integers and `every`, by the forms of their sides."""

from __future__ import annotations

from collections.abc import Iterable

from verify.kernel.node import KernelError, Node, fresh, minus, name, substitute
from verify.kernel.normal.forms import Form, form_of
from verify.kernel.normal.keys import scaled
from verify.kernel.normal.polynomials import Atom
from verify.kernel.theorem import Theorem

Support = frozenset[Theorem]
NONE: Support = frozenset()
Every = tuple[Theorem, tuple[tuple[str, Node, Node | None], ...], Node]
Learned = tuple[
    tuple[tuple[Form, str, Support], ...],
    dict[object, tuple[str, Support]],
    dict[object, Support],
    tuple[Every, ...],
]


class KnownFacts:
    """What a list of facts says about forms.

    Args:
        facts: Theorems whose conclusions are comparisons, integrality, or `every` of these.
        ranges: Indices that run through a range here: they are integers between its ends.
        known: What was learned of the first of these facts, so that it is not learned again.
    """

    def __init__(
        self,
        facts: Iterable[Theorem],
        ranges: tuple[tuple[str, Node, Node | None], ...] = (),
        known: KnownFacts | None = None,
    ) -> None:
        self.facts = tuple(facts)
        self.ranges = ranges
        self._slacks: list[tuple[Form, str, Support]] = []
        self._by_key: dict[object, tuple[str, Support]] = {}
        self._integers: dict[object, Support] = {}
        self._every: list[Every] = []
        first = 0
        if known is not None and self.facts[: len(known.facts)] == known.facts:
            first = len(known.facts)
            slacks, by_key, integers, families = known._learned
            self._slacks, self._by_key = list(slacks), dict(by_key)
            self._integers, self._every = dict(integers), list(families)
        for fact in self.facts[first:]:
            self._learn(fact.conclusion, frozenset([fact]), fact)
        self._learned: Learned = (
            tuple(self._slacks),
            dict(self._by_key),
            dict(self._integers),
            tuple(self._every),
        )
        for index, low, high in ranges:
            self._integers[form_of(name(index)).key] = NONE
            self._slack(minus(name(index), low), "le", NONE)
            if high is not None:
                self._slack(minus(high, name(index)), "le", NONE)

    def _learn(self, formula: Node, support: Support, fact: Theorem | None = None) -> None:
        op, args = formula.op, formula.args
        if op in ("le", "lt"):
            self._slack(minus(args[1], args[0]), op, support)
        elif op == "eq":
            self._slack(minus(args[1], args[0]), "eq", support)
            self._slack(minus(args[0], args[1]), "eq", support)
        elif op == "ne":
            form = scaled(form_of(minus(args[0], args[1])))[1]
            self._by_key.setdefault(("ne", form), ("ne", support))
        elif op == "int":
            self._integers.setdefault(form_of(args[0]).key, support)
        elif op == "every" and fact is not None:
            spans, body = [], formula
            while body.op == "every":
                index, low, high, inner = body.args
                new = fresh(f"?{len(self._every)}", {key for _, key in body.free})
                inner = substitute(inner, {index: name(new)})
                spans.append((new, low, high))
                body = inner
            if body.op in ("le", "lt", "eq", "ne", "int"):
                self._every.append((fact, tuple(spans), body))

    def _slack(self, slack: Node, op: str, support: Support) -> None:
        try:
            form = form_of(slack)
        except KernelError:
            return
        kind = {"le": ">=", "lt": ">", "eq": ">="}[op]
        scale, key = scaled(form)
        if scale > 0:
            known = self._by_key.get(("slack", key))
            if known is None or (known[0] == ">=" and kind == ">"):
                self._by_key[("slack", key)] = (kind, support)
                self._slacks.append((form, kind, support))
        elif form.number is None and scale < 0:
            known = self._by_key.get(("minus", key))
            if known is None or (known[0] == ">=" and kind == ">"):
                self._by_key[("minus", key)] = (kind, support)
                self._slacks.append((form, kind, support))


def entries(form: Form) -> tuple[Atom, ...]:
    """Return the entries of families at the top of a form, and inside its atoms where no index is bound."""
    found: dict[str, Atom] = {}
    stack = list(form.atoms)
    while stack:
        a = stack.pop()
        kind = a.key[0]
        if kind == "entry":
            found[a.text] = a
        elif kind == "root":
            stack += a.key[1].atoms
        elif kind == "power":
            stack += [*a.key[1].atoms, *a.key[2].atoms]
        elif kind == "inverse":
            stack += a.key[1].atoms
        elif kind == "fn":
            stack += [b for item in a.key[2] for b in item.atoms]
    return tuple(found.values())


def matched(body: Node, target: Atom, indices: list[str]) -> dict[str, Node] | None:
    """Return the places at which an entry in the body becomes the target, None where there are none."""
    stack = [body]
    while stack:
        node = stack.pop()
        if node.op == "entry" and node.args[0] == target.key[1] and len(node.args) == len(target.node.args):
            places: dict[str, Node] = {}
            for pattern, value in zip(node.args[1:], target.node.args[1:], strict=True):
                if pattern.op == "name" and pattern.args[0] in indices:
                    if places.setdefault(pattern.args[0], value) != value:
                        break
                elif form_of(pattern) != form_of(value):
                    break
            else:
                if set(places) == set(indices):
                    return places
        stack += [item for item in node.args if isinstance(item, Node)]
    return None
