r"""`cat/finding-sq-not-unimodal`: with signs, all sizes have to be looked at (arXiv 2003.06377).

The share $\alpha(T)$ of the largest entries grows with T and its quotient by an affine cost has one maximum,
so that a rule may stop early and may skip sizes that do not fill a packet. Neither holds for the share
$\beta(T)$ of their signs.

Derivation: one entry 1 and d - 1 entries h: $\beta$ falls to its least value near $T=\frac{1-h}h$, then
rises.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol

from theory.cat.paper import PAPER
from theory.cat.sq_range import CLAIM as RANGE
from theory.cat.sq_range_derivation import s
from theory.cat.symbols import DIMENSION, SIZE, TIES, T, d
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

h = Symbol("h", positive=True)

_ALL = 1 + (d - 1) * h**2
_EXACT = (1 + (T - 1) * h) ** 2 / (T * _ALL)
_FORMULAS = {
    "least_at": (1 - h) / h,
    "least": 4 * h * (1 - h) / _ALL,
    "difference": (h**2 * T * (T + 1) - (1 - h) ** 2) / (T * (T + 1) * _ALL),
}

_rest = Symbol("u", nonnegative=True)
_size = Symbol("T", positive=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    values = {s: (Integer(1), h, h, h), d: 4, T: 3}
    return (
        Identity(
            "share",
            r"The stated $\beta(T)$ is that of `cat/sq-range` for $(1,h,\dots,h)$ (shown for $d=4$, $T=3$).",
            instance(RANGE.formulas["beta"], values),
            instance(stated["exact"], values),
        ),
        Identity(
            "difference",
            r"The stated difference is $\beta(T+1)-\beta(T)$: negative while $T(T+1)<(\frac{1-h}h)^2$, then "
            r"positive.",
            stated["exact"].subs(T, T + 1) - stated["exact"],
            stated["difference"],
        ),
        Certificate(
            "least",
            r"$\beta$ is nowhere below the stated value ($d=1+u$),",
            stated["least"].subs(d, 1 + _rest),
            stated["exact"].subs({d: 1 + _rest, T: _size}),
            (
                Term(
                    1 / (_size * (1 + _rest * h**2)),
                    (1 - h - h * _size) ** 2,
                    "square of a real number",
                ),
            ),
        ),
        Identity(
            "least-at",
            r"and takes it at the stated size, if that is whole.",
            stated["exact"].subs(T, stated["least_at"]),
            stated["least"],
        ),
    )


_MUTANTS = (
    Mutant(
        "early-stop",
        r"Stop at the first size after which the efficiency falls: at a constant cost and $h=\frac1{10}$, "
        r"$d=1000$ that keeps 1 of 1000, 10.2 times less efficient.",
        ("exact", "run"),
    ),
    Mutant(
        "full-packets",
        r"Look at full packets only: for $(10,1,1,1,1,1,1,1)$ in one packet that is 8 and not 1, 2.768 times "
        r"less efficient.",
        ("exact", "run"),
    ),
    Mutant("scaled-vector", "Multiply the vector by 4: nothing may change.", ("exact",), neutral=True),
)

CLAIM = Claim(
    id="cat/finding-sq-not-unimodal",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="The efficiency of signs has several maxima: no shortcut over the sizes is sound",
    statement=(
        r"That a rule may stop at the first size after which the efficiency falls (`cat/affine-unimodal`), "
        r"or look only at full packets (`cat/packet-candidates`), does not carry over from the largest "
        r"entries to their signs. For the magnitudes $(1,h,\dots,h)$ "
        r"$$\beta(T)=\frac{(1+(T-1)h)^2}{T(1+(d-1)h^2)}$$ falls to $\frac{4h(1-h)}{1+(d-1)h^2}$ at "
        r"$T=\frac{1-h}h$, where that is whole and below $d$, and then rises: "
        r"$\beta(T+1)-\beta(T)=\frac{h^2T(T+1)-(1-h)^2}{T(T+1)(1+(d-1)h^2)}$. At $h=\frac1{10}$, $d=1000$ it "
        r"goes from 0.0910 through 0.0328 at $T=9$ to 0.926, so at a constant cost stopping early loses a "
        r"factor 10.2; at $h=\frac1{10}$, $d=8$ one packet with all eight signs has $\frac{289}{856}$, with "
        r"the first alone $\frac{100}{107}$. What holds: all sizes have to be looked at, which takes one "
        r"pass over the sorted magnitudes."
    ),
    variables=(
        DIMENSION,
        SIZE,
        Variable(h, r"(0,1)", "magnitude of all entries but one"),
    ),
    assumptions=(TIES, r"Magnitudes $(1,h,\dots,h)$ up to scale and order."),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "the minimum at nine signs of 1000",
            {"h": Rational(1, 10), "d": 1000, "T": 9},
            Rational(36, 1099),
        ),
        WorstCase("all signs of eight", {"h": Rational(1, 10), "d": 8, "T": 8}, Rational(289, 856)),
        WorstCase("the largest of eight alone", {"h": Rational(1, 10), "d": 8, "T": 1}, Rational(100, 107)),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
