"""No formula of a claim can be changed without a failing step: the derivation is built from the formulas."""

import importlib
import itertools

import pytest
from sympy import Max, Min, Number, Rational, floor

import theory
from theory.old_steps import Certificate, Identity
from verify.context import Context
from verify.evidence.certificate import certificate
from verify.rungs.symbolic import SymbolicCase, judge

CLAIMS = theory.claims()

# Changes that change no value: branches multiplied by N_j = 0 (var).
EQUIVALENT = {
    ("squant/var", "coordinate_variance"): 4,
}
# Some of the numbers only, for time: these three share one form, and its parts are tried at different places.
STRIDE = {
    ("squant/bits", "exact"): 3,
    ("squant/bits", "sparse_gamma"): 4,
    ("squant/bits", "sparse_omega"): 13,
    # Sums over pairs of clients, written out in all cells: each number is tried in several places.
    ("cq_marina/cq-1d-exact", "exact"): 3,
    ("cq_marina/cq-klevel", "exact"): 2,
    ("cq_marina/cq-klevel", "averaged"): 2,
}


def module_of(claim):
    return importlib.import_module(f"theory.{claim.id.replace('/', '.').replace('-', '_')}")


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
        assert len(unnoticed) == EQUIVALENT.get((claim.id, name), 0), (name, unnoticed)


@pytest.mark.parametrize(
    ("id", "name", "old", "new"),
    [
        ("squant/bounds", "quarter", Rational(1, 4), Rational(1, 2)),
        ("squant/dcgd", "step_size", 2, 1),
        ("squant/dcgd", "condition", 2, 5),
        ("squant/sup", "uniform_fine", Rational(1, 4), Rational(1, 40)),
    ],
)
def test_symbolic_rung_rejects_a_changed_constant(id, name, old, new):
    claim = theory.claim(id)
    changed = claim.expressions[name].xreplace({Rational(old): Rational(new)})
    assert changed != claim.expressions[name]
    steps = module_of(claim).derivation({**claim.expressions, name: changed})
    found = judge(SymbolicCase(steps), Context(id, "symbolic", "derivation"))
    assert found.refuted
    assert "fails at step" in found.reason
