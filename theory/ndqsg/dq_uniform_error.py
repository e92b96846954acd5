r"""`ndqsg/dq-uniform-error`: the error of a dithered quantizer is uniform at every input (arXiv 1904.01197).

For $u\sim U[-\frac12,\frac12)$ and every real $x$, $e=Q(x+u)-u-x\sim U(-\frac12,\frac12]$.

Derivation: moments by integration over the two cells that the dither reaches; in general $e\equiv-(x+u)$
modulo 1, whose Fourier coefficients are $e^{-2\pi ijx}\overline{\varphi_u(2\pi j)}$.
"""

from collections.abc import Mapping

from sympy import Expr, I, Integer, Rational, Symbol, exp, pi, sin, symbols

from theory.ndqsg.dither_moments import HALF, INPUT, TRANSLATION, error_moment
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import ROUNDING
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Identity, ScalarLemma, StandardFact, Step, Term

w = Symbol("w", positive=True)
harmonic = Symbol("j", integer=True, positive=True)

_BOUND = HALF
_EXACT = Rational(1, 12)
_FORMULAS = {
    "fourth_moment": Rational(1, 80),
    "characteristic": sin(pi * harmonic * w) / (pi * harmonic * w),
}

_t = Symbol("t", real=True)
_q, _v = symbols("q v", real=True)
_below, _above = HALF + _v - _q, HALF + _q - _v

FOURIER = StandardFact(
    "fourier",
    r"A law on the circle $\mathbb R/\mathbb Z$ is uniform iff its Fourier coefficients vanish for all "
    r"integers $j\ne0$.",
    "P. Billingsley, Probability and Measure, 3rd ed., section 26 (uniqueness of characteristic functions, "
    "on the circle)",
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    phase = pi * harmonic * w
    width = stated["characteristic"]
    return (
        TRANSLATION,
        ScalarLemma(
            "range",
            r"$|e|\le\frac12$ surely: $q=Q(v)$ with $v=x+u$ is defined by $q\le v+\frac12<q+1$, and $e=q-v$.",
            (_q <= _v + HALF, _v + HALF < _q + 1),
            (_q - _v) ** 2 <= Rational(1, 4),
            # For f, g >= 0 with f + g = 1 it is f g = f^2 g + g^2 f.
            (
                Term(_below**2, _above, "hypothesis: v + 1/2 is below q + 1"),
                Term(_above**2, _below, "hypothesis: q is at most v + 1/2"),
            ),
        ),
        Identity(
            "range-attained",
            r"At $x+u=\frac12-m$ for an integer $m$ the error is $\frac12$, the stated bound.",
            stated["bound"],
            1 - HALF,
        ),
        Identity("mass", r"The two cells have probability one.", error_moment(0), Integer(1)),
        Identity(
            "mean",
            r"$\mathbb Ee=0$ for all $x\in[0,1)$: $x$ drops out of the sum of the two integrals.",
            error_moment(1),
            Integer(0),
        ),
        Identity(
            "variance",
            r"$\int_{-1/2}^{1/2-x}(-u-x)^2du+\int_{1/2-x}^{1/2}(1-u-x)^2du$ is the stated variance.",
            error_moment(2),
            stated["exact"],
        ),
        Identity("third", r"$\mathbb Ee^3=0$.", error_moment(3), Integer(0)),
        Identity("fourth", r"$\mathbb Ee^4$ is as stated.", error_moment(4), stated["fourth_moment"]),
        FOURIER,
        Identity(
            "coefficients",
            r"$e\equiv-(x+u)$ modulo 1, so $\mathbb E\exp(2\pi ije)=e^{-2\pi ijx}\,\overline{\varphi_u(2\pi "
            r"j)}$; for a uniform dither of width $w$, $\varphi_u(2\pi j)=\frac1w\int_{-w/2}^{w/2}e^{2\pi "
            r"ijv}dv$ is the stated sinc.",
            width.rewrite(exp),
            (exp(I * phase) - exp(-I * phase)) / (2 * I * phase),
        ),
        *(
            Identity(
                f"width-{width_name}",
                rf"At width {width_name} all coefficients vanish, for integers $j\ge1$: the error is uniform "
                r"and independent of $x$.",
                width.subs(w, width_name),
                Integer(0),
            )
            for width_name in (1, 2)
        ),
        Identity(
            "half-width",
            r"At width $\frac12$ the first coefficient is $\frac2\pi$: the error is not uniform.",
            width.subs({w: HALF, harmonic: 1}),
            2 / pi,
        ),
    )


CLAIM = Claim(
    id="ndqsg/dq-uniform-error",
    paper=PAPER,
    kind="distribution",
    provenance="rederived",
    title="The error of a dithered quantizer is uniform and independent of the input",
    statement=(
        r"For every real $x$ and $u\sim U[-\frac12,\frac12)$ the error $e=Q(x+u)-u-x$ is uniform on "
        r"$(-\frac12,\frac12]$: $$\mathbb Ee=\mathbb Ee^3=0,\qquad\mathbb Ee^2=\frac1{12},\qquad\mathbb "
        r"Ee^4=\frac1{80},\qquad|e|\le\frac12.$$ With any law of the dither, $e$ is uniform and independent "
        r"of $x$ for all $x$ if and only if $\varphi_u(2\pi j)=0$ for all integers $j\ne0$. A uniform "
        r"dither of width $w$ has $\varphi_u(2\pi j)=\frac{\sin\pi jw}{\pi jw}$, which vanishes for all $j$ "
        r"iff $w$ is a positive integer. Width 2 passes, too, and so does the triangular law of width 2: "
        r"they differ only in the alphabet, which grows from $|q|\le M$ to $|q|\le M+1$."
    ),
    variables=(
        INPUT,
        Variable(w, r"\mathbb R_{>0}", "width of a uniform dither in units of the step"),
    ),
    assumptions=(
        r"The dither $u$ is uniform on $[-\frac12,\frac12)$ and independent of $x$.",
        ROUNDING,
        "In the checks the dither has finitely many points: the error then takes equally spaced values "
        "with equal weights, see `ndqsg/dither-finite`.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("a point of the grid", {"x": Integer(0)}, _EXACT),
        WorstCase("a cell's edge", {"x": HALF}, _EXACT),
        WorstCase(
            "a quarter, where a dither of half width has the right mean square", {"x": HALF / 2}, _EXACT
        ),
    ),
    mutants=(
        Mutant(
            "stochastic-rounding",
            r"Do not subtract the dither: $Q(x+u)-x$; at $x=0$ the error is 0.",
            ("exact", "adversarial", "montecarlo", "run"),
        ),
        Mutant(
            "half-width",
            r"A dither of half width: at $x=\frac14$ the mean square is nominal, elsewhere it is not.",
            ("exact", "adversarial", "montecarlo"),
        ),
        Mutant("width-nine-tenths", r"A dither of width $\frac9{10}$.", ("adversarial", "montecarlo")),
        Mutant("wrong-sign", r"Decode $q+u$ instead of $q-u$.", ("exact", "adversarial")),
        Mutant(
            "floor",
            r"Round down instead of to the nearest integer: bias $-\frac12$.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "width-two",
            r"A dither of width 2: the error is uniform all the same, only the index exceeds $M$.",
            ("exact",),
        ),
        Mutant(
            "shifted-input",
            "Shift the input by whole steps: nothing may change.",
            ("exact", "montecarlo"),
            neutral=True,
        ),
    ),
    bound=_BOUND,
    exact=_EXACT,
    formulas=_FORMULAS,
)
