r"""`ndqsg/finding-finite-dither`: finite dithers betray the input by the mean alone (arXiv 1904.01197).

With $N$ points the error about its mean has the same law at every input, of every order; the mean is off by
up to $\frac\delta{2N}$, which no averaging removes.

Derivation: the error takes the values $\delta(\frac12-\frac{f+i}N)$, $i=0,\dots,N-1$, $0\le f<1$, where only
$f$ depends on the input; about their mean $f$ cancels. Independent errors average out, a common mean stays.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, summation

from theory.ndqsg.dither_finite import CLAIM as FINITE
from theory.ndqsg.dither_moments import HALF, POINTS, TRANSLATION, N
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import ROUNDING, STEP, WORKERS, P, delta
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.two_point_law import INDEPENDENCE

_BOUND = delta / (2 * N)
_FORMULAS = {
    "second": delta**2 * (N**2 - 1) / (12 * N**2),
    "fourth": delta**4 * (N**2 - 1) * (3 * N**2 - 7) / (240 * N**4),
    "average": delta**2 * (N**2 - 1) / (12 * N**2 * P) + delta**2 / (4 * N**2),
    "workers": (N**2 - 1) / 3,
}

_f = Symbol("f", nonnegative=True)
_i = Symbol("i", integer=True, nonnegative=True)
_b = Symbol("b", real=True)
_MORE = "hypothesis: f is a fractional part, f < 1"


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    value = delta * (HALF - (_f + _i) / N)
    mean = summation(value.expand(), (_i, 0, N - 1)) / N
    centred = delta * ((N - 1) / 2 - _i) / N

    def moment(order: int) -> Expr:
        return summation((centred**order).expand(), (_i, 0, N - 1)) / N

    return (
        TRANSLATION,
        Identity(
            "centred",
            r"The errors are $\delta(\frac12-\frac{f+i}N)$, as in `ndqsg/dither-finite`; less their mean "
            r"they are $\frac\delta N(\frac{N-1}2-i)$: $f$, all that the input does, cancels.",
            value - mean,
            centred,
        ),
        Identity("second", r"So the variance is the stated one at every input,", moment(2), stated["second"]),
        Identity(
            "same-variance",
            r"that of `ndqsg/dither-finite`,",
            stated["second"],
            delta**2 * FINITE.expressions["exact"],
        ),
        Identity("third", r"the third central moment vanishes,", moment(3), Integer(0)),
        Identity("fourth", r"the fourth one is as stated.", moment(4), stated["fourth"]),
        Certificate(
            "mean-above",
            r"The mean is at most the stated one,",
            mean,
            stated["bound"],
            (Term(delta / N, _f, "a fractional part"),),
        ),
        Certificate(
            "mean-below",
            r"at least minus that.",
            -mean,
            stated["bound"],
            (Term(delta / N, 1 - _f, _MORE),),
        ),
        Identity("attained", r"It is attained at ties, $f=0$.", mean.subs(_f, 0), stated["bound"]),
        INDEPENDENCE,
        Certificate(
            "average",
            r"Independent errors of $P$ workers at one input average out, their mean $b$, $|b|\le\frac\delta"
            r"{2N}$, stays: the mean square of the average is at most the stated one,",
            moment(2) / P + _b**2,
            stated["average"],
            (
                Term(
                    Integer(1),
                    stated["bound"] ** 2 - _b**2,
                    "mean-above, mean-below",
                ),
            ),
        ),
        Identity(
            "average-attained",
            r"with equality at ties.",
            moment(2) / P + mean.subs(_f, 0) ** 2,
            stated["average"],
        ),
        Identity(
            "workers",
            r"At the stated number of workers variance and squared mean are equal: beyond it the mean is "
            r"most of the error.",
            stated["second"] / stated["workers"],
            stated["bound"] ** 2,
        ),
    )


CLAIM = Claim(
    id="ndqsg/finding-finite-dither",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="A finite dither keeps every central moment and moves the mean, which averaging does not remove",
    statement=(
        r"The paper's dither is continuous, every implementation has $N$ points. Read literally, that the "
        r"error is unbiased and independent of the input is then false: its mean is a function of the input, "
        r"up to $$|\mathbb Ee|\le\frac\delta{2N},$$ attained at ties, and the average of $P$ workers at one "
        r"input has the mean square $\frac{\delta^2(N^2-1)}{12N^2P}+\frac{\delta^2}{4N^2}$ there: beyond "
        r"$P=\frac{N^2-1}3$ workers (5 for $N=4$) the mean is most of it. What holds instead, exactly: the "
        r"error less its mean has one law at all inputs, uniform on $N$ equally spaced points, with the "
        r"second moment $\frac{\delta^2(N^2-1)}{12N^2}$, the third 0 and the fourth "
        r"$\frac{\delta^4(N^2-1)(3N^2-7)}{240N^4}$. So no test whether variances "
        r"depend on the input shows that the dither is finite, only the mean does; at 24 bits it is at most "
        r"$2^{-25}\delta$, and $9.4\cdot10^{13}$ workers would be needed."
    ),
    variables=(STEP, POINTS, WORKERS),
    assumptions=(
        r"The dither is uniform on the points $\frac{2j+1}{2N}-\frac12$, independent of the input and over "
        r"workers, and shared by sender and receiver.",
        ROUNDING,
        r"The scale is fixed or predetermined, so that the step $\delta$ is the same for all workers.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(r"four points, $x=\frac18$: a tie", {"N": 4, "delta": 1}, Rational(1, 8)),
        WorstCase(
            "four points, 64 workers at a tie: the mean is 13 times the variance",
            {"N": 4, "delta": 1, "P": 64},
            Rational(69, 4096),
        ),
        WorstCase("24 bits", {"N": 2**24, "delta": 1}, Rational(1, 2**25)),
    ),
    mutants=(
        Mutant(
            "unbiased",
            r"Claim that the error has mean 0 at every input, as with a continuous dither.",
            ("exact", "adversarial"),
        ),
        Mutant(
            "averaged-away",
            r"Claim that the mean averages out as the variance does: the term $\frac{\delta^2}{4N^2}$ left "
            r"out.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "misaligned",
            r"The receiver subtracts the points $\frac jN-\frac12$, half a spacing from those of the sender: "
            r"the mean is up to $\frac\delta N$, twice the bound.",
            ("exact", "adversarial"),
        ),
        Mutant(
            "half-width",
            r"A dither of half width: the law about the mean depends on the input.",
            ("exact",),
        ),
        Mutant(
            "shifted-input", "Shift the input by whole steps: nothing may change.", ("exact",), neutral=True
        ),
    ),
    bound=_BOUND,
    formulas=_FORMULAS,
)
