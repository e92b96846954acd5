"""No formula of a claim can be changed without a failing step: the derivation is built from the formulas."""

import importlib
import itertools

import pytest
from sympy import Max, Min, Number, Rational, floor

import theory
from theory.old_steps import Certificate, Identity
from verify.evidence.multiplier_certificate import certificate

CLAIMS = [theory.claim(entry.id) for entry in theory.entries("*") if entry.form == "old"]

# Some of the numbers only, for time.
STRIDE = {
    # Sums over pairs of clients, written out in all cells: each number is tried in several places.
}


def module_of(claim):
    return importlib.import_module(theory.entry(claim.id).module)


def numbers_in(expression, path=()):
    """Yield the places of the numbers of an expression."""
    if isinstance(expression, Number):
        yield path
    # The nested exponents of `sparse_omega` are those of `omega_length`, which is tied at longer numbers.
    if isinstance(expression, floor | Min) and expression.has(Max) and path:
        return
    for position, part in enumerate(expression.args):
        yield from numbers_in(part, (*path, position))


def increased(expression, path):
    if not path:
        return expression + 1
    parts = list(expression.args)
    parts[path[0]] = increased(parts[path[0]], path[1:])
    return expression.func(*parts)


def mutants_of(expression):
    yield expression * Rational(11, 10)
    for path in numbers_in(expression):
        changed = increased(expression, path)
        if changed != expression:
            yield changed


def fails(step):
    if isinstance(step, Identity):
        difference, terms = step.lhs - step.rhs, ()
    else:
        assert isinstance(step, Certificate)
        difference, terms = step.rhs - step.lhs, step.terms
    remainder = difference - sum(term.multiplier * term.slack for term in terms)
    # What vanishes in normal form vanishes at any point; one point decides most cases at once.
    symbols = sorted(remainder.free_symbols, key=str)
    point = {symbol: Rational(13 + 2 * place, 7 + place) for place, symbol in enumerate(symbols)}
    value = remainder.xreplace(point)
    if not value.is_finite or abs(value.n(30)) > Rational(1, 10**15):
        return True
    return not certificate(difference, [(term.multiplier, term.slack) for term in terms])


def is_noticed(claim, named):
    try:
        steps = module_of(claim).derivation(named)
    except (IndexError, ValueError):  # a formula that cannot even be written out
        return True
    return any(fails(step) for step in steps if step not in claim.derivation)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_derivation_is_built_from_the_stated_expressions(claim):
    assert module_of(claim).derivation(claim.expressions) == claim.derivation


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_no_changed_number_goes_unnoticed(claim):
    for name, expression in claim.expressions.items():
        unnoticed = [
            changed
            for changed in itertools.islice(mutants_of(expression), 0, None, STRIDE.get((claim.id, name), 1))
            if not is_noticed(claim, {**claim.expressions, name: changed})
        ]
        assert not unnoticed, (name, unnoticed)
