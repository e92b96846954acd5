"""Multipliers of a certificate, found by linear algebra.

Nothing here is trusted: `Rules.cert` checks what is found as if an author had written it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from verify.kernel.node import KernelError
from verify.kernel.normal.forms import Form, added, constant, divided, multiplied
from verify.kernel.normal.polynomials import Atom

_STEPS, _ENDS = 80, 6
"""Eliminations that one search may try, and ways to the end."""

Accepted = Callable[[Form, Sequence[Form]], bool]
"""Whether what is left of the goal, and the multipliers, make a certificate."""


def multipliers(goal: Form, slacks: Sequence[Form], accepted: Accepted) -> list[Form] | None:
    """Return multipliers of the slacks whose sum the goal is, up to a rest that is accepted.

    First numbers are tried. Then a slack with an atom of its own, in which it is linear, has what makes this
    atom vanish from the goal; the last one has the quotient.
    """
    steps, ends = iter(range(_STEPS)), iter(range(_ENDS))

    def search(rest: Form, open_: tuple[int, ...], found: dict[int, Form]) -> dict[int, Form] | None:
        if not open_:
            known = next(ends, None) is not None and accepted(rest, [found[i] for i in sorted(found)])
            return found if known else None
        tried: set[tuple[int, Form]] = set()
        for values in _choices(rest, {i: slacks[i] for i in open_}):
            key = next(iter(values.items()))
            if len(values) == 1 and key in tried:
                continue
            tried.add(key)
            if next(steps, None) is None:
                return None
            try:
                terms = (multiplied(constant(-1), m, slacks[i]) for i, m in values.items())
                less = added(constant(0), rest, *terms)
            except KernelError:
                continue
            result = search(less, tuple(i for i in open_ if i not in values), {**found, **values})
            if result is not None:
                return result
        return None

    solution = search(goal, tuple(range(len(slacks))), {})
    return None if solution is None else [solution[i] for i in range(len(slacks))]


def _choices(rest: Form, slacks: dict[int, Form]) -> Iterator[dict[int, Form]]:
    numbers = _numbers(rest, list(slacks.values()))
    if numbers is not None:
        yield {i: constant(number) for i, number in zip(slacks, numbers, strict=True)}
    for i, slack in slacks.items():
        others = {a for k, other in slacks.items() if k != i for a in other.atoms}
        for a in slack.atoms:
            if a in others:
                continue
            own, wanted = _slope(slack, a), _slope(rest, a)
            if own is not None and wanted is not None and not own.is_zero and not wanted.is_zero:
                yield {i: divided(wanted, own)}
    if len(slacks) == 1:
        ((i, slack),) = slacks.items()
        if not slack.is_zero:
            yield {i: divided(rest, slack)}


def _slope(form: Form, a: Atom) -> Form | None:
    """Return the coefficient of an atom in a form that is linear in it, None for others."""
    if any(b is a for monomial, _ in form.den for b, _ in monomial):
        return None
    terms: dict[tuple[tuple[Atom, int], ...], Fraction] = {}
    for monomial, coefficient in form.num:
        exponent = dict(monomial).get(a, 0)
        if exponent not in (0, 1):
            return None
        if exponent == 1:
            terms[tuple((b, e) for b, e in monomial if b is not a)] = coefficient
    return Form(terms, dict(form.den)) if terms else constant(0)


def _numbers(rest: Form, slacks: Sequence[Form]) -> list[Fraction] | None:
    """Return the rational numbers whose combination of slacks is the rest up to a number, if they are
    unique.
    """
    divisors = {form.den: Form(dict(form.den), {(): Fraction(1)}) for form in (rest, *slacks)}
    common = multiplied(constant(1), *divisors.values())
    columns = [dict(multiplied(form, common).num) for form in (*slacks, rest)]
    unit = dict(common.num)
    if any(not multiplied(form, common).is_polynomial for form in (*slacks, rest)):
        return None
    columns.insert(len(slacks), unit)
    monomials = dict.fromkeys(monomial for column in columns for monomial in column)
    rows = [[column.get(monomial, Fraction(0)) for column in columns] for monomial in monomials]
    solution = _solved(rows, len(slacks) + 1)
    return None if solution is None else solution[: len(slacks)]


def _solved(rows: list[list[Fraction]], width: int) -> list[Fraction] | None:
    """Solve linear equations, the right side last; None where there is no solution or more than one."""
    done = 0
    for column in range(width):
        pivot = next((k for k in range(done, len(rows)) if rows[k][column]), None)
        if pivot is None:
            return None
        rows[done], rows[pivot] = rows[pivot], rows[done]
        head = [value / rows[done][column] for value in rows[done]]
        rows[done] = head
        for k, row in enumerate(rows):
            if k != done and row[column]:
                factor = row[column]
                rows[k] = [value - factor * first for value, first in zip(row, head, strict=True)]
        done += 1
    if any(row[width] for row in rows[done:]):
        return None
    return [rows[k][width] for k in range(width)]
