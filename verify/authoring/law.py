"""The law of a claim, as checks see it: formulas to be evaluated, and the implementations to be judged."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from verify.comparison import rational
from verify.errors import CheckError

SPACE = 20_000
"""Evaluations that one unit remembers."""


@dataclass(frozen=True)
class Evaluation:
    """One evaluation of a formula: its result is the very object that the check received."""

    name: str
    exact: bool
    values: Mapping[str, Any]
    result: Any


@dataclass
class Trace:
    """What one run of a check evaluated."""

    names: dict[str, None] = field(default_factory=dict)
    evaluations: list[Evaluation] = field(default_factory=list)
    keep: bool = False


class Law:
    """Formulas and implementations of one claim; `law.NAME` is the implementation of that name.

    Args:
        claim_id: The claim.
        formulas: Formulas by name.
        implementations: Implementations by name.
    """

    def __init__(
        self,
        claim_id: str,
        formulas: Mapping[str, Any],
        implementations: Mapping[str, Any],
        *,
        honest: Mapping[str, Any] | None = None,
        factors: Mapping[str, Fraction] | None = None,
        changed: frozenset[str] = frozenset(),
        memo: dict[Any, Any] | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.claim_id = claim_id
        self.formulas = formulas
        self.implementations = implementations
        self.changed = changed
        self._honest = formulas if honest is None else honest
        self._factors = factors or {}
        self._memo = {} if memo is None else memo
        self._trace = Trace() if trace is None else trace

    def __call__(self, name: str, /, **values: Any) -> float:
        """Return the value of a formula in double precision.

        Raises:
            EvaluationError: A value is missing, unknown, or outside the domain of the formula.
        """
        return self._evaluate(name, values, exact=False)  # type: ignore[no-any-return]

    def exactly(self, name: str, /, **values: Any) -> Any:
        """Return the value of a formula as a Fraction, or as an exact sympy number where it is irrational.

        Raises:
            EvaluationError: As for a call.
            CheckError: A value is a float, or a Fraction made of one.
        """
        for key, value in values.items():
            refuse_floats(key, value)
        return self._evaluate(name, values, exact=True)

    def __getattr__(self, name: str) -> Any:
        implementations = self.__dict__.get("implementations", {})
        if name in implementations:
            return implementations[name]
        listed = ", ".join(implementations) or "none"
        raise AttributeError(f"law of {self.__dict__.get('claim_id')!r} has no {name!r}; it has {listed}")

    @property
    def used(self) -> tuple[str, ...]:
        """Return the names of the formulas that were evaluated, in order."""
        return tuple(self._trace.names)

    @property
    def changes(self) -> tuple[Any, ...]:
        """Return what tells this law from the honest one: changed formulas and factors."""
        return tuple((name, self.formulas[name], self._factors.get(name)) for name in sorted(self.changed))

    def of(self, claim_id: str) -> "Law":
        """Return the law of another claim, with its formulas alone."""
        return Law(claim_id, formulas_of(claim_id), {}, memo=self._memo)

    def replace(self, **changes: Any) -> "Law":
        """Return the law with formulas or implementations replaced.

        A formula is replaced by an expression, or by what a function makes of the old one; an implementation
        by any object.

        Raises:
            CheckError: A name is neither.
        """
        formulas, implementations = dict(self.formulas), dict(self.implementations)
        for name, change in changes.items():
            if name in formulas:
                formulas[name] = _sympified(change(formulas[name]) if callable(change) else change)
            elif name in implementations:
                implementations[name] = change
            else:
                known = ", ".join([*formulas, *implementations]) or "nothing"
                raise CheckError(f"law of {self.claim_id!r} has no {name!r} to replace; it has {known}")
        return self._with(formulas, implementations, self._factors, self.changed | set(changes))

    def scaled(self, factor: Fraction, *names: str) -> "Law":
        """Return the law with the values of these formulas multiplied by a factor."""
        factors = {**self._factors, **dict.fromkeys(names, factor)}
        return self._with(self.formulas, self.implementations, factors, self.changed | set(names))

    def traced(self, *, keep: bool) -> tuple["Law", Trace]:
        """Return the law with a trace of its own, which keeps the evaluations or only their names."""
        trace = Trace(keep=keep)
        law = self._with(self.formulas, self.implementations, self._factors, self.changed)
        law._trace = trace
        return law, trace

    def _with(
        self,
        formulas: Mapping[str, Any],
        implementations: Mapping[str, Any],
        factors: Mapping[str, Fraction],
        changed: frozenset[str],
    ) -> "Law":
        return Law(
            self.claim_id,
            formulas,
            implementations,
            honest=self._honest,
            factors=factors,
            changed=changed,
            memo=self._memo,
            trace=self._trace,
        )

    def again(self, evaluation: Evaluation) -> Any:
        """Evaluate once more what another law has evaluated."""
        return self._evaluate(evaluation.name, evaluation.values, exact=evaluation.exact)

    def _evaluate(self, name: str, values: Mapping[str, Any], *, exact: bool) -> Any:
        if name not in self.formulas:
            known = ", ".join(self.formulas) or "none"
            raise CheckError(f"{self.claim_id} has no formula {name!r}; it has {known}")
        result = self._value(name, values, exact)
        if name in self._factors:
            factor = self._factors[name]
            result = result * (factor if isinstance(result, Fraction) else _factor(factor, exact))
        self._trace.names[name] = None
        if self._trace.keep and len(self._trace.evaluations) < SPACE:
            self._trace.evaluations.append(Evaluation(name, exact, values, result))
        return result

    def _value(self, name: str, values: Mapping[str, Any], exact: bool) -> Any:
        from verify.formulas.evaluation import evaluate, evaluate_exact, names

        formula = self.formulas[name]
        if formula is not self._honest.get(name):
            # A sabotaged formula may need fewer values; what the honest one needs is no mistake of the check.
            honest = names(self._honest[name])
            needed = names(formula)
            values = {key: item for key, item in values.items() if key in needed or key not in honest}
        if not exact:
            return evaluate(formula, values)
        key = (formula, tuple(sorted((key, _frozen(item)) for key, item in values.items())))
        try:
            return self._memo[key]
        except KeyError:
            self._memo[key] = result = rational(evaluate_exact(formula, values))
            return result
        except TypeError:  # a value without hash
            return rational(evaluate_exact(formula, values))


@functools.cache
def formulas_of(claim_id: str) -> Mapping[str, Any]:
    """Return the formulas of a claim of either form, by name."""
    import theory
    from theory.claim import Claim

    claim: Any = theory.claim(claim_id)
    if isinstance(claim, Claim):
        return {name: _sympified(formula) for name, formula in claim.formulas.items()}
    named = {"bound": claim.bound, "exact": claim.exact, **claim.formulas}
    return {name: formula for name, formula in named.items() if formula is not None}


def refuse_floats(name: str, value: Any) -> None:
    """Raise `CheckError` where a value is a float, or a Fraction that was made of one."""
    if isinstance(value, str | bytes):
        raise CheckError(f"{name}={value!r} is text; give a number")
    if isinstance(value, float) or getattr(value, "is_Float", False):
        raise CheckError(f"{name}={value!r} is a float; give an integer, a Fraction or an exact sympy number")
    if isinstance(value, Fraction):
        bottom = value.denominator
        if bottom >= 2**40 and bottom & (bottom - 1) == 0 and value.numerator.bit_length() in range(48, 54):
            raise CheckError(
                f"{name}={value} looks like a Fraction made of the float {float(value)!r}; write its digits"
            )
    elif hasattr(value, "__len__") and hasattr(value, "__iter__"):
        for item in value:
            refuse_floats(name, item)


def _sympified(formula: Any) -> Any:
    from sympy import sympify

    return formula if hasattr(formula, "equation") else sympify(formula)


def _factor(factor: Fraction, exact: bool) -> Any:
    if not exact:
        return float(factor)
    from sympy import Rational

    return Rational(factor.numerator, factor.denominator)


def _frozen(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple | range):
        return tuple(_frozen(item) for item in value)
    return value


def with_factor(formula: Any, name: str, factor: Any) -> Any:
    """Return a formula with a symbol multiplied by a factor, for mutants: 0 leaves it out.

    Raises:
        CheckError: The formula has no symbol of this name, so that nothing would change.
    """
    found = [symbol for symbol in formula.free_symbols if getattr(symbol, "name", "") == name]
    if len(found) != 1:
        raise CheckError(f"{formula} has no symbol {name!r} to change")
    return formula.xreplace({found[0]: found[0] * factor})
