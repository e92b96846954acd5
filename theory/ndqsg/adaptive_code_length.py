r"""`ndqsg/adaptive-code-length`: ideal length of the adaptive code of the indices (arXiv 1904.01197).

Derivation: the product of the add-one probabilities telescopes to factorials; the number of sequences with
given counts, a multinomial coefficient, lies between $2^{n\hat H}$ divided by the number of types and
$2^{n\hat H}$.
"""

from collections.abc import Mapping

from sympy import (
    Eq,
    Expr,
    IndexedBase,
    Integer,
    Piecewise,
    Product,
    Sum,
    Symbol,
    expand_log,
    factorial,
    log,
    symbols,
)

from theory.instance import instance
from theory.ndqsg.paper import PAPER
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term

A = Symbol("A", integer=True, positive=True)
n = Symbol("n", integer=True, positive=True)
counts = IndexedBase("c", integer=True, nonnegative=True)

_a = Symbol("a", integer=True, nonnegative=True)
_c = symbols("c_1:4", integer=True, positive=True)
_multinomial = Symbol("W", positive=True)


def _each(term: Expr) -> Expr:
    return Sum(term, (_a, 0, A - 1))


_EXACT = (log(factorial(n + A - 1)) - log(factorial(A - 1)) - _each(log(factorial(counts[_a])))) / log(2)
_FORMULAS = {
    "probability": factorial(A - 1) * Product(factorial(counts[_a]), (_a, 0, A - 1)) / factorial(n + A - 1),
    "step": (counts[_a] + 1) / (n + A),
    "empirical": (n * log(n) - _each(Piecewise((0, Eq(counts[_a], 0)), (counts[_a] * log(counts[_a]), True))))
    / log(2),
    "excess": (log(factorial(n + A - 1)) - log(factorial(A - 1)) - log(factorial(n))) / log(2),
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_code(stated), *_types(stated))


def _at(formula: Expr, values: tuple[Expr, ...], **further: Expr) -> Expr:
    """Return a formula at counts of an alphabet of as many symbols."""
    total = further.pop("total", sum(values))
    return instance(formula, {counts: values, A: len(values), n: total, _a: further.get("symbol", 0)})


def _primes(expression: Expr) -> Expr:
    """Write logarithms of rational numbers as sums over primes."""
    return expand_log(expression, force=True, factor=True)


def _code(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    raised = (_c[0] + 1, *_c[1:])
    total = sum(_c)
    # (m + 1)! = (m + 1) m!, for the two factorials that change.
    recurrence = {
        factorial(total + 3): (total + 3) * factorial(total + 2),
        factorial(_c[0] + 1): (_c[0] + 1) * factorial(_c[0]),
    }
    return (
        Identity(
            "first-symbol",
            r"Nothing sent: probability 1.",
            _at(stated["probability"], (Integer(0),) * 3),
            Integer(1),
        ),
        Identity(
            "next-symbol",
            r"After counts $c$ the model gives symbol $a$ the stated probability $\frac{c_a+1}{n+A}$, and "
            r"the stated probability of the whole message is multiplied by it ($A=3$; the same in every "
            r"alphabet).",
            _at(stated["probability"], raised, total=total + 1).xreplace(recurrence),
            _at(stated["probability"], _c) * _at(stated["step"], _c),
        ),
        Identity(
            "normalised",
            r"The probabilities of the next symbol sum to 1.",
            sum(_at(stated["step"], _c, symbol=Integer(place)) for place in range(3)),
            Integer(1),
        ),
        Identity(
            "length",
            r"The stated $L$ is minus the binary logarithm of the stated probability (shown for the counts "
            r"3, 1, 2).",
            _primes(_at(stated["exact"], (3, 1, 2)).doit()),
            _primes(-log(_at(stated["probability"], (3, 1, 2))) / log(2)),
        ),
    )


def _types(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    empirical = _at(stated["empirical"], _c)
    length, excess = _at(stated["exact"], _c), _at(stated["excess"], _c)
    total = sum(_c)
    arrangements = log(factorial(total)) - sum(log(factorial(item)) for item in _c)
    return (
        Identity(
            "empirical",
            r"The stated $n\hat H$ is $-\sum_ac_a\log_2\frac{c_a}n$,",
            empirical,
            -sum(item * (log(item) - log(total)) for item in _c) / log(2),
        ),
        Identity(
            "empirical-absent",
            r"where a symbol that does not occur adds nothing.",
            _at(stated["empirical"], (_c[0], Integer(0))),
            Integer(0),
        ),
        Identity(
            "split",
            r"$L$ is the stated $\log_2\binom{n+A-1}{A-1}$, the number of types, plus the logarithm of the "
            r"number $\frac{n!}{\prod c_a!}$ of sequences with these counts.",
            length,
            excess + arrangements / log(2),
        ),
        Identity(
            "number-of-types",
            r"There are $\binom{n+A-1}{A-1}$ count vectors (15 of 4 symbols over 3 letters).",
            _primes(_at(stated["excess"], (4, 0, 0))),
            _primes(log(15) / log(2)),
        ),
        StandardFact(
            "type-classes",
            r"Under its own type $\hat P$ each sequence has the probability $2^{-n\hat H}$, a type class at "
            r"most 1, and no type class a larger one than that of $\hat P$ itself: $2^{n\hat "
            r"H}\big/\binom{n+A-1}{A-1}\le\frac{n!}{\prod c_a!}\le2^{n\hat H}$.",
            "T. M. Cover and J. A. Thomas, Elements of Information Theory, 2nd ed., theorem 11.1.3 and its "
            "proof",
        ),
        Certificate(
            "at-least",
            r"So $n\hat H\le L$ ($\log W$: logarithm of the number of sequences),",
            empirical,
            excess + log(_multinomial) / log(2),
            (
                Term(
                    Integer(1),
                    log(_multinomial) / log(2) - empirical + excess,
                    "type-classes",
                ),
            ),
        ),
        Certificate(
            "at-most",
            r"and $L$ exceeds it by at most the stated excess.",
            excess + log(_multinomial) / log(2),
            empirical + excess,
            (Term(Integer(1), empirical - log(_multinomial) / log(2), "type-classes"),),
        ),
    )


_MUTANTS = (
    Mutant(
        "counts-from-zero",
        r"Start the counts at 0: the first symbol has probability 0, its length is infinite.",
        ("exact",),
    ),
    Mutant(
        "frozen-model",
        r"Never update the model: $L=n\log_2A$, above the upper bound for skewed counts.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "update-order",
        r"The receiver updates its model one symbol later than the sender: the message does not decode.",
        ("run",),
    ),
    Mutant(
        "other-order", r"Send the symbols in another order: nothing may change.", ("exact",), neutral=True
    ),
)

CLAIM = Claim(
    id="ndqsg/adaptive-code-length",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="Ideal length of the adaptive code, within the number of types of the entropy",
    statement=(
        r"An adaptive model that gives a symbol the probability $\frac{c_a+1}{n+A}$ after $n$ symbols of an "
        r"alphabet of size $A$ with counts $c_a$ needs, for any order of the symbols, the ideal length "
        r"$$L=\log_2\frac{(n+A-1)!}{(A-1)!\prod_ac_a!}$$ bits, and with the empirical entropy $\hat H$ "
        r"$$n\hat H\le L\le n\hat H+\log_2\binom{n+A-1}{A-1}.$$ The adaptive coder with registers of 32 "
        r"bits needs at most 26 bits more than $L$ for $n+A\le2^{17}$ (`ndqsg/coded-size`)."
    ),
    variables=(
        Variable(counts, r"\mathbb N_0^A", "counts of the symbols", "(A,)"),
        Variable(n, r"\mathbb N", r"length of the message, $\sum_ac_a$"),
        Variable(A, r"\mathbb N", "size of the alphabet"),
        Variable(_a, r"\{0,\dots,A-1\}", "symbol"),
    ),
    assumptions=("One model per message, starting with counts 0, updated behind each symbol.",),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("three symbols, skewed", {"c": (10, 20, 70), "n": 100, "A": 3}),
        WorstCase("four symbols", {"c": (1, 2, 3, 4), "n": 10, "A": 4}),
        WorstCase("a single symbol occurs: entropy 0, all is excess", {"c": (0, 0, 1000), "n": 1000, "A": 3}),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
