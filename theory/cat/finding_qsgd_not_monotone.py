r"""`cat/finding-qsgd-not-monotone`: more levels can be worse (arXiv 2003.06377).

Derivation: entries that lie on the grid of few levels do not lie on that of more.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol

from theory.cat.paper import PAPER
from theory.cat.qsgd_adaptive import CLAIM as QSGD
from theory.cat.qsgd_adaptive import levels, norm
from theory.cat.symbols import DIMENSION, d, g
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

half = Symbol("m", integer=True, positive=True)

_EXACT = 1 / (1 + 1 / (2 * half - 1) ** 2)
_FORMULAS = {
    "even": Integer(1),
    "loss": 1 + 1 / (2 * half - 1) ** 2,
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""

    def share(count: int) -> Expr:
        return instance(QSGD.expressions["exact"], {g: (1, 1, 1, 1), norm: 2, d: 4, levels: count})

    return (
        *(
            Identity(
                f"even-{count}",
                rf"Four equal entries, {count} levels: all entries lie on the grid.",
                share(count),
                stated["even"],
            )
            for count in (2, 4)
        ),
        *(
            Identity(
                f"odd-{2 * number - 1}",
                rf"{2 * number - 1} levels: all entries lie halfway, and the share is the stated one.",
                share(2 * number - 1),
                stated["exact"].xreplace({half: Integer(number)}),
            )
            for number in (1, 2, 3)
        ),
        Identity(
            "loss",
            r"The stated loss of $2m-1$ levels against an even number.",
            stated["loss"] * stated["exact"],
            stated["even"],
        ),
        Certificate(
            "bound-grows",
            r"What grows with the number of levels is the worst-case bound: its term $\frac d{4s^2}$ falls, "
            r"here from $s$ to $s+1$; so does $\sqrt d/s$.",
            QSGD.formulas["quarter"].xreplace({levels: levels + 1}),
            QSGD.formulas["quarter"],
            (
                Term(
                    d * (2 * levels + 1) / (4 * levels**2 * (levels + 1) ** 2),
                    Integer(1),
                    "one",
                ),
            ),
        ),
        Certificate(
            "root-grows",
            r"The second term falls as well.",
            QSGD.formulas["root"].xreplace({levels: levels + 1}),
            QSGD.formulas["root"],
            (Term(QSGD.formulas["root"] / (levels + 1), Integer(1), "one"),),
        ),
    )


_MUTANTS = (
    Mutant("monotone", r"Claim that $\omega_s$ grows with $s$.", ("exact",)),
    Mutant(
        "full-codes-suffice",
        r"Claim that only $s=2^m-1$, which fill their code, need to be looked at.",
        ("exact",),
    ),
    Mutant(
        "loss-of-one-level",
        r"Take the loss of one level, 2, for that of the three levels to which full codes lead.",
        ("exact",),
    ),
    Mutant("scaled-gradient", "Multiply the gradient by -7/3: nothing may change.", ("exact",), neutral=True),
)

CLAIM = Claim(
    id="cat/finding-qsgd-not-monotone",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="The share of QSGD does not grow with the number of levels",
    statement=(
        r"Read as a statement on gradients, 'more levels, less error' fails: for four equal entries "
        r"$\omega_1,\dots,\omega_4=\frac12,1,\frac9{10},1$, and $2m-1$ levels lose the factor "
        r"$1+(2m-1)^{-2}$ against any even number. Codes of $\lceil\log_2(s+1)\rceil$ bits suggest to look "
        r"at $s=2^m-1$ only; the rule then takes 3 levels for these entries, where 2 levels of the same "
        r"length are exact. What holds instead: the worst-case bound of `cat/qsgd-adaptive` grows with $s$, "
        r"so that the restriction is sound for it; the exact share needs all $s$."
    ),
    variables=(DIMENSION, Variable(half, r"\mathbb N", "2m - 1 is the number of levels")),
    assumptions=("Four equal entries in the formulas.", "Codes of fixed length."),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("one level", {"m": 1}, Rational(1, 2)),
        WorstCase("three levels", {"m": 2}, Rational(9, 10)),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
