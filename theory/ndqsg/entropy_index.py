r"""`ndqsg/entropy-index`: entropy of the indices, without and with the shared dither (arXiv 1904.01197).

Derivation: given $u$ the index $i$ has the probability $f(i-u)$ with $f$ the density of $x+e$; as $u$ and $i$
vary, $t=i-u$ runs over the real line once, so $H(q\mid u)=-\int f\log_2f$. For uniform $x$ all integrals are
elementary.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, diff, erf, exp, integrate, log, pi, sqrt

from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import DITHER, LEVELS, ROUNDING, M
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term

s = Symbol("s", positive=True)
i = Symbol("i", real=True)

_u, _t = Symbol("u", real=True), Symbol("t", positive=True)
_half = Rational(1, 2)


def _curved(t: Expr) -> Expr:
    """Return an antiderivative of the antiderivative of the normal density, up to a linear function."""
    return t * erf(t / (s * sqrt(2))) / 2 + s * exp(-(t**2) / (2 * s**2)) / sqrt(2 * pi)


def _distribution(t: Expr) -> Expr:
    return _half * (1 + erf(t / (s * sqrt(2))))


_EXACT = log(2 * M) / log(2) + 1 / (4 * M * log(2))
_FORMULAS = {
    "index": log(2 * M) / log(2) + 1 / (2 * M),
    "raw": log(2 * M + 1) / log(2),
    "inner": 1 / (2 * M),
    "outer": 1 / (4 * M),
    "gauss_index": _curved(i + 1) - 2 * _curved(i) + _curved(i - 1),
    "gauss_density": erf((i + _half) / (s * sqrt(2))) / 2 - erf((i - _half) / (s * sqrt(2))) / 2,
}

# Index entropy and conditional entropy in bits; sigma and b in units of the step.
TABLE = (
    ("gauss-1", r"$N(0,1)$", "2.1582872201406", "2.1048326603976"),
    ("gauss-1/2", r"$N(0,\frac14)$", "1.4145964333376", "1.2544269142853"),
    ("laplace-1/2", r"Laplace, $b=\frac12$", "1.7050251575670", "1.6059406812900"),
    ("sparse", r"0 with probability 0.9, else $N(0,1)$", "0.4605867432955", "0.4552708590245"),
    ("uniform-1", r"uniform on $[-1,1]$", "1.5000000000000", "1.3606737602222"),
    ("uniform-3", r"uniform on $[-3,3]$", "2.7516291673878", "2.7051870874619"),
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_general(stated), *_uniform(stated), *_normal(stated))


def _general(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        StandardFact(
            "substitution",
            r"$\int_{-1/2}^{1/2}\sum_i\phi(f(i-u))\,du=\int\phi(f(t))\,dt$ for $\phi\ge0$: with "
            r"$\phi(f)=-f\log_2f$ and $\Pr(q=i\mid u)=F(i+\frac12-u)-F(i-\frac12-u)=f(i-u)$ this is "
            r"$H(q\mid u)=h(x+e)$, also for $x$ with atoms.",
            "R. Zamir and M. Feder, On universal quantization by randomized uniform/lattice quantizers, IEEE "
            "Trans. Inf. Theory 38 (1992), theorem 1",
        ),
        StandardFact(
            "conditioning",
            r"$I(x;\hat x)=H(q\mid u)\le H(q)\le\log_2(\hbox{number of indices})$: given $u$, the index and "
            r"$\hat x$ determine each other, and the index is a function of $x$.",
            "T. M. Cover and J. A. Thomas, Elements of Information Theory, 2nd ed., theorems 2.6.4 and 2.6.5",
        ),
        Identity(
            "raw",
            r"The indices $-M,\dots,M$ have the stated raw bits.",
            stated["raw"] * log(2),
            log(M - (-M) + 1),
        ),
    )


def _uniform(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    inner, outer = stated["inner"], stated["outer"]
    cell = (_t + M) / (2 * M)
    middle = cell.subs(_t, i + _half - _u) - cell.subs(_t, i - _half - _u)
    last = 1 - cell.subs(_t, M - _half - _u)
    # The density of x + e falls from 1/(2M) to 0 over one unit at either end.
    edge = _t**2 / 2 * log(2 * M) - _t**2 / 2 * log(_t) + _t**2 / 4
    return (
        Identity(
            "inner",
            r"Uniform $x$ on $[-M,M]$: an index $|i|<M$ has the stated probability "
            r"$\int_{-1/2}^{1/2}[F(i+\frac12-u)-F(i-\frac12-u)]\,du$,",
            integrate(middle.expand(), (_u, -_half, _half)),
            inner,
        ),
        Identity(
            "outer",
            r"$i=\pm M$ the stated one.",
            integrate(last.expand(), (_u, -_half, _half)),
            outer,
        ),
        Identity("mass", r"Together 1.", (2 * M - 1) * inner + 2 * outer, Integer(1)),
        Identity(
            "index",
            r"Hence the stated $H(q)$.",
            -(2 * M - 1) * inner * log(inner) - 2 * outer * log(outer),
            stated["index"] * log(2),
        ),
        Identity(
            "antiderivative",
            r"An antiderivative of $t\ln\frac{2M}t$, which vanishes at 0.",
            diff(edge, _t),
            _t * (log(2 * M) - log(_t)),
        ),
        Identity(
            "conditional",
            r"$f=\frac1{2M}$ over a length of $2M-1$ and $\frac t{2M}$, $0\le t\le1$, at both ends: the "
            r"stated $H(q\mid u)=-\int f\log_2f$.",
            (2 * M - 1) * inner * log(2 * M) + 2 * inner * edge.subs(_t, 1),
            stated["exact"] * log(2),
        ),
        Certificate(
            "uniform-order",
            r"For uniform $x$ it is below the stated $H(q)$ by $\frac1{2M}-\frac1{4M\ln2}$.",
            stated["exact"],
            stated["index"],
            (Term(1 / (4 * M * log(2)), 2 * log(2) - 1, "a positive number"),),
        ),
    )


def _normal(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Identity(
            "gauss-density",
            r"$x\sim N(0,s^2)$: the stated $f(t)=F(t+\frac12)-F(t-\frac12)$ of $x+e$ at $t=i$.",
            stated["gauss_density"],
            _distribution(i + _half) - _distribution(i - _half),
        ),
        Identity(
            "gauss-index",
            r"The stated $\Pr(q=i)$ has the derivative $f(i+\frac12)-f(i-\frac12)$ of "
            r"$\int_{-1/2}^{1/2}f(i-u)\,du$; both vanish as $i\to\infty$.",
            diff(stated["gauss_index"], i),
            stated["gauss_density"].subs(i, i + _half) - stated["gauss_density"].subs(i, i - _half),
        ),
    )


_MUTANTS = (
    Mutant(
        "no-dither",
        r"The entropy of $Q(x)$ without dither for $H(q)$: 1.560 instead of 1.705 bits for the Laplace law; "
        r"not visible for uniform $x$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "natural-logarithm",
        r"Entropies in nats, claimed as bits.",
        ("exact",),
    ),
    Mutant(
        "index-for-conditional",
        r"$H(q)$ claimed as $H(q\mid u)$: 0.005 (sparse) to 0.16 bits too much.",
        ("exact", "adversarial", "montecarlo"),
    ),
    Mutant("mirrored", r"Send $-x$ for $x$: nothing may change.", ("exact",), neutral=True),
)

CLAIM = Claim(
    id="ndqsg/entropy-index",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="Entropy of the indices, without and with the shared dither",
    statement=(
        r"Let $x$ have the distribution function $F$, in units of the step. The raw index costs "
        r"$\log_2(2M+1)$ bits, its entropy is $H(q)$ with "
        r"$\Pr(q=i)=\int_{-1/2}^{1/2}[F(i+\frac12-u)-F(i-\frac12-u)]\,du$, and given the shared dither "
        r"$$H(q\mid u)=h(x+e)=-\int f\log_2f,\qquad f(t)=F(t+\tfrac12)-F(t-\tfrac12),$$ so that $I(x;\hat "
        r"x)=H(q\mid u)\le H(q)$. For uniform $x$ on $[-M,M]$ $H(q)=\log_2(2M)+\frac1{2M}$ and $H(q\mid "
        r"u)=\log_2(2M)+\frac1{4M\ln2}$. The two entropies for normal, Laplace and sparse $x$ are in the "
        r"table of the worst cases."
    ),
    variables=(
        LEVELS,
        Variable(s, r"\mathbb R_{>0}", "standard deviation of a normal law, in steps"),
        Variable(i, r"\mathbb R", "index, or argument of the density"),
    ),
    assumptions=(DITHER, ROUNDING),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=tuple(
        WorstCase(shown, {"law": name, "index": index, "conditional": conditional})
        for name, shown, index, conditional in TABLE
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
