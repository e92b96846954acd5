"""Translate sympy relations to SMT-LIB 2 over the reals (docs/evidence.md, section 8.1).

Roots and inverses become fresh variables, each with the condition under which it is defined; integers range
over the reals; Abs, Min, Max and Piecewise become case distinctions.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

MAX_EXPONENT = 64


@dataclass(frozen=True)
class Text:
    """SMT-LIB text and the numbers of the partial operations it rests on."""

    text: str
    needs: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Partial:
    """A root or an inverse: where it is defined, and what its variable satisfies there."""

    condition: str
    definition: str


class UnsupportedError(Exception):
    """The expression has no polynomial form."""


@dataclass
class Script:
    """Translate sympy expressions to SMT-LIB 2 over the reals, sharing common parts."""

    names: dict[Any, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    signs: list[str] = field(default_factory=list)
    partials: list[Partial] = field(default_factory=list)
    _known: dict[tuple[Any, str], Text] = field(default_factory=dict)

    def text(self, assertions: Iterable[str]) -> str:
        """Return a script: all names, the signs of the symbols, and these assertions."""
        return "\n".join([*self.lines, *(f"(assert {item})" for item in [*self.signs, *assertions])])

    def formula(self, item: Any, guard: str = "true") -> Text:
        """Translate a Boolean expression."""
        import sympy

        if item in (sympy.true, sympy.false):
            return Text("true" if item == sympy.true else "false")
        relations = {
            sympy.Le: "<=",
            sympy.Ge: ">=",
            sympy.Lt: "<",
            sympy.Gt: ">",
            sympy.Eq: "=",
            sympy.Ne: "distinct",
        }
        connectives = {sympy.And: "and", sympy.Or: "or", sympy.Not: "not", sympy.Implies: "=>"}
        if item.func in relations:
            return self._apply(relations[item.func], [self.term(arg, guard) for arg in item.args])
        if item.func in connectives:
            return self._apply(connectives[item.func], [self.formula(arg, guard) for arg in item.args])
        raise UnsupportedError(str(item))

    def term(self, item: Any, guard: str = "true") -> Text:
        """Translate a real expression; `guard` is the condition under which its value matters."""
        key = (item, guard)
        if key not in self._known:
            self._known[key] = self._translate(item, guard)
        return self._known[key]

    def _translate(self, item: Any, guard: str) -> Text:
        import sympy

        if item.is_Rational:
            return Text(_number(item))
        if item.is_Symbol or isinstance(item, sympy.Indexed):
            return self._variable(item)
        if isinstance(item, sympy.Sum | sympy.Product) and all(len(limit) == 3 for limit in item.limits):
            done = item.doit()
            if done.has(sympy.Sum, sympy.Product):
                raise UnsupportedError(str(item))
            return self.term(done, guard)
        if isinstance(item, sympy.Piecewise):
            return self._piecewise(item, guard)
        if isinstance(item, sympy.Pow):
            return self._power(item.base, item.exp, guard)
        parts = [self.term(arg, guard) for arg in item.args]
        if isinstance(item, sympy.Add | sympy.Mul):
            return self._apply("+" if isinstance(item, sympy.Add) else "*", parts)
        if isinstance(item, sympy.Abs):
            inner = self._name(parts[0])
            return Text(f"(ite (>= {inner.text} 0.0) {inner.text} (- {inner.text}))", inner.needs)
        if isinstance(item, sympy.Min | sympy.Max):
            relation = "<=" if isinstance(item, sympy.Min) else ">="
            best = self._name(parts[0])
            for part in map(self._name, parts[1:]):
                chosen = f"(ite ({relation} {best.text} {part.text}) {best.text} {part.text})"
                best = self._name(Text(chosen, best.needs | part.needs))
            return best
        raise UnsupportedError(str(item))

    def _apply(self, operator: str, parts: Sequence[Text]) -> Text:
        needs = frozenset[int]().union(*(part.needs for part in parts))
        return Text(f"({operator} {' '.join(part.text for part in parts)})", needs)

    def _variable(self, item: Any) -> Text:
        if item.is_extended_real is False:
            raise UnsupportedError(str(item))
        if item not in self.names:
            name = self.names[item] = self._declare("x")
            if item.is_positive or item.is_negative:
                self.signs.append(f"({'>' if item.is_positive else '<'} {name} 0.0)")
            elif item.is_nonnegative or item.is_nonpositive:
                self.signs.append(f"({'>=' if item.is_nonnegative else '<='} {name} 0.0)")
            elif item.is_nonzero:
                self.signs.append(f"(distinct {name} 0.0)")
        return Text(self.names[item])

    def _declare(self, prefix: str) -> str:
        name = f"{prefix}{len(self.lines)}"
        self.lines.append(f"(declare-const {name} Real)")
        return name

    def _name(self, part: Text) -> Text:
        """Give a compound term a name, so that repeating it does not repeat its text."""
        if not part.text.startswith("("):
            return part
        name = f"t{len(self.lines)}"
        self.lines.append(f"(define-fun {name} () Real {part.text})")
        return Text(name, part.needs)

    def _power(self, base: Any, exponent: Any, guard: str) -> Text:
        if not exponent.is_Rational or max(abs(exponent.p), exponent.q) > MAX_EXPONENT:
            raise UnsupportedError(f"{base}**{exponent}")
        part = self._name(self.term(base, guard))
        if exponent.q > 1:
            part = self._root(base, part, int(exponent.q), guard)
        if exponent.p < 0:
            part = self._inverse((base, exponent.q), part, guard)
        return Text(_repeat(part.text, abs(int(exponent.p))), part.needs)

    def _root(self, base: Any, part: Text, degree: int, guard: str) -> Text:
        key = (("root", base, degree), guard)
        if key not in self._known:
            name = self._declare("r")
            definition = f"(and (>= {name} 0.0) (= {_repeat(name, degree)} {part.text}))"
            self._known[key] = self._add_partial(name, f"(>= {part.text} 0.0)", definition, part, guard)
        return self._known[key]

    def _inverse(self, of: Any, part: Text, guard: str) -> Text:
        key = (("inverse", of), guard)
        if key not in self._known:
            name = self._declare("v")
            definition = f"(= (* {part.text} {name}) 1.0)"
            self._known[key] = self._add_partial(name, f"(distinct {part.text} 0.0)", definition, part, guard)
        return self._known[key]

    def _add_partial(self, name: str, condition: str, definition: str, part: Text, guard: str) -> Text:
        self.partials.append(Partial(f"(=> {guard} {condition})", f"(=> {guard} {definition})"))
        return Text(name, part.needs | {len(self.partials) - 1})

    def _piecewise(self, item: Any, guard: str) -> Text:
        value, closing, needs = "", "", frozenset[int]()
        remaining = guard
        for expression, condition in item.args:
            test = self.formula(condition, remaining)
            branch = self.term(expression, f"(and {remaining} {test.text})")
            needs |= test.needs | branch.needs
            value += f"(ite {test.text} {branch.text} "
            closing += ")"
            remaining = f"(and {remaining} (not {test.text}))"
        # Where no branch applies there is no value: that must not happen.
        self.partials.append(
            Partial(f"(not {remaining})" if guard == "true" else f"(=> {guard} (not {remaining}))", "true")
        )
        return Text(f"{value}0.0{closing}", needs | {len(self.partials) - 1})


def _number(value: Any) -> str:
    text = f"{abs(value.p)}.0" if value.q == 1 else f"(/ {abs(value.p)}.0 {value.q}.0)"
    return f"(- {text})" if value.p < 0 else text


def _repeat(text: str, times: int) -> str:
    return text if times == 1 else f"(* {' '.join([text] * times)})"
