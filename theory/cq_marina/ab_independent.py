r"""`cq_marina/ab-independent`: AB constants of independent unbiased compressors (arXiv 2401.05518).

$V\le\frac1{n^2}\sum_i\omega_i\|a_i\|^2$, so $A=\max_i\omega_iw_i$ and $B=0$; the quantizers have
$\omega=d-1$ (binary, at every input) and $\omega=\sqrt d-1\le\frac d4$ (ternary).

Derivation: the errors of independent unbiased messages are orthogonal in expectation; each term is
$\omega_iw_i\frac{\|a_i\|^2}{n^2w_i}$. For the ternary grid Cauchy-Schwarz, coordinate by coordinate.
"""

from collections.abc import Mapping

from sympy import Add, Expr, IndexedBase, Integer, Rational, Sum, Symbol, sqrt, symbols

from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, DIMENSION, EXACT_REALS, WEIGHTS, d, i, n, w
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE, expectation

A = Symbol("A", nonnegative=True)
M_w = Symbol("M_w", nonnegative=True)
omega = IndexedBase("omega", nonnegative=True)
square = IndexedBase("square", nonnegative=True)

_SIZE = 3
_e = symbols("e_1:4", real=True)
_omegas = symbols("omega_1:4", nonnegative=True)
_squares = symbols("s_1:4", nonnegative=True)
_ws = symbols("w_1:4", positive=True)
_r = Symbol("r", positive=True)
_x = Symbol("x", real=True)
_xs = symbols("x_1:4", real=True)
_t = Symbol("t", nonnegative=True)

_FORMULAS = {
    "sum": Sum(omega[i] * square[i], (i, 0, n - 1)) / n**2,
    "weighted_mean_square": Sum(square[i] / (n * w[i]), (i, 0, n - 1)) / n,
    "binary": d - 1,
    "ternary": sqrt(d) - 1,
    "quarter": d / 4,
}
_BOUND = A * M_w


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_sum(stated), *_binary(stated), *_ternary(stated))


def _sum(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    given = {n: _SIZE, omega: _omegas, square: _squares, w: _ws}
    alone = {**given, square: (_squares[0], Integer(0), Integer(0))}
    mean_square = instance(stated["weighted_mean_square"], given)
    return (
        INDEPENDENCE,
        Identity(
            "sum",
            r"Without its cross terms, $\mathbb E\|\frac1n\sum_ie_i\|^2=\frac1{n^2}\sum_i\mathbb "
            r"E\|e_i\|^2$; with $\mathbb E\|e_i\|^2=\omega_i\|a_i\|^2$ that is the stated sum (shown for "
            r"three clients, $s_i=\|a_i\|^2$).",
            Add(*(factor * item for factor, item in zip(_omegas, _squares, strict=True))) / _SIZE**2,
            instance(stated["sum"], given),
        ),
        Certificate(
            "constant",
            r"$\frac{\omega_i}{n^2}\|a_i\|^2\le A\frac{\|a_i\|^2}{n^2w_i}$ where $\omega_iw_i\le A$, and so "
            r"for the sums (shown for three clients).",
            instance(stated["sum"], given),
            stated["bound"].xreplace({M_w: mean_square}),
            tuple(
                Term(
                    item / (_SIZE**2 * weight),
                    A - factor * weight,
                    "hypothesis: A is the largest omega_i w_i",
                )
                for factor, item, weight in zip(_omegas, _squares, _ws, strict=True)
            ),
        ),
        Identity(
            "sharp",
            r"It is attained where only the client with the largest $\omega_iw_i$ has an input other than 0.",
            instance(stated["sum"], alone),
            stated["bound"].xreplace(
                {A: _omegas[0] * _ws[0], M_w: instance(stated["weighted_mean_square"], alone)}
            ),
        ),
    )


def _binary(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    chance = (1 + _x / _r) / 2
    return (
        Identity(
            "binary-mean",
            r"One bit on $\{-r,r\}$ with probability $\frac12(1+\frac xr)$ has the mean $x$.",
            expectation(lambda up: _r * (2 * up - 1), chance),
            _x,
        ),
        Identity(
            "binary-coordinate",
            r"Its variance is $r^2-x^2$.",
            expectation(lambda up: (_r * (2 * up - 1) - _x) ** 2, chance),
            _r**2 - _x**2,
        ),
        Identity(
            "binary",
            r"The sum over $d$ coordinates with $r^2=\sum_jx_j^2$ is $(d-1)r^2$, so $\omega=d-1$ at every "
            r"input.",
            d * _r**2 - _r**2,
            stated["binary"] * _r**2,
        ),
    )


def _ternary(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    coordinate = sqrt(d) / 2 * _t**2 + _r**2 / (2 * sqrt(d)) - _t**2
    flat = _r / sqrt(d)
    return (
        Identity(
            "ternary-coordinate",
            r"On $\{0,r\}$ with probability $\frac tr$, $t=|x|$, the variance is $rt-t^2$; on $\{-r,0\}$ it "
            r"is the same.",
            expectation(lambda up: (_r * up - _t) ** 2, _t / _r),
            _r * _t - _t**2,
        ),
        Certificate(
            "ternary-young",
            r"$rt-t^2\le\frac{\sqrt d}2t^2+\frac{r^2}{2\sqrt d}-t^2$.",
            _r * _t - _t**2,
            coordinate,
            (Term(1 / (2 * sqrt(d)), (sqrt(d) * _t - _r) ** 2, "square of a real number"),),
        ),
        Identity(
            "ternary",
            r"The right sides add up to $(\sqrt d-1)r^2$ over $d$ coordinates with $\sum_jt_j^2=r^2$, so "
            r"$\omega=\sqrt d-1$.",
            sqrt(d) / 2 * _r**2 + d * _r**2 / (2 * sqrt(d)) - _r**2,
            stated["ternary"] * _r**2,
        ),
        Identity(
            "ternary-attained",
            r"It is attained where all $|x_j|=r/\sqrt d$.",
            d * (_r * flat - flat**2),
            stated["ternary"] * _r**2,
        ),
        Certificate(
            "quarter",
            r"$\sqrt d-1\le\frac d4$.",
            stated["ternary"],
            stated["quarter"],
            (Term(Integer(1), (sqrt(d) / 2 - 1) ** 2, "square of a real number"),),
        ),
        SUMMATION,
    )


_MUTANTS = (
    Mutant(
        "quarter-for-binary",
        r"$\frac d4$, which fits the ternary grid, for the binary one: exceeded by $\frac{4(d-1)}d$ at every "
        r"input.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "unweighted-constant",
        r"$\max_i\omega_i/n$ with weights that are not uniform: exceeded where a client of large weight is "
        r"alone.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "common-thresholds",
        r"One threshold per coordinate for all clients: equal inputs have $n$ times the error.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "half-ternary",
        r"$\frac12(\sqrt d-1)$ for the ternary grid: exceeded twice at flat inputs.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "permuted-clients",
        "Number the clients with their weights in the reverse order: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cq_marina/ab-independent",
    paper=PAPER,
    kind="tight",
    provenance="rederived",
    title="AB constants of independent unbiased compressors, and of the two quantizers",
    statement=(
        r"Let client $i$ use an unbiased compressor with $\mathbb E\|C_i(x)-x\|^2\le\omega_i\|x\|^2$, "
        r"independently of the others. Then $$V\le\frac1{n^2}\sum_i\omega_i\|a_i\|^2\le A\,M_w,\qquad "
        r"A=\max_i\omega_iw_i,\quad B=0,$$ so $A=\omega/n$ for equal $\omega_i$ and uniform weights; if each "
        r"$\omega_i$ is attained, the constant is. One bit per coordinate (IQ-bin) has $\omega=d-1$, with "
        r"equality at every input. IQ-tern has $\omega=\sqrt d-1$, attained where all $|a_j|$ are equal, and "
        r"$\sqrt d-1\le\frac d4$."
    ),
    variables=(
        CLIENTS,
        DIMENSION,
        WEIGHTS,
        Variable(A, r"\mathbb R_{\ge0}", r"$A=\max_i\omega_iw_i$"),
        Variable(M_w, r"\mathbb R_{\ge0}", r"$M_w=\frac1n\sum_i\frac{\|a_i\|^2}{nw_i}$"),
        Variable(
            omega, r"\mathbb R^n_{\ge0}", r"$\omega_i$: $\mathbb E\|C_i(x)-x\|^2\le\omega_i\|x\|^2$", "(n,)"
        ),
        Variable(square, r"\mathbb R^n_{\ge0}", r"squared norms $\|a_i\|^2$", "(n,)"),
    ),
    assumptions=(
        "The compressors are unbiased and independent of each other.",
        r"IQ: $r=\|a\|_2$ and independent uniform thresholds $U_j$; binary $Q(a)_j=r(2\cdot\mathbf "
        r"1[U_j<\frac12(1+a_j/r)]-1)$, ternary $Q(a)_j=r(\lfloor a_j/r\rfloor+\mathbf 1[U_j<\{a_j/r\}])$; "
        r"$Q(0)=0$.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"two coordinates, one client, one bit: twice $\frac d4\|a\|^2$",
            {"a": ((3, 4),), "d": 2},
            Integer(25),
        ),
        WorstCase("flat input on four coordinates, ternary", {"a": ((1, 1, 1, 1),), "d": 4}, Integer(4)),
        WorstCase(
            "one client of weight two fifths on two coordinates",
            {"a": ((0, 0), (0, 0), (0, 0), (3, 4)), "w": tuple(Rational(item, 10) for item in (1, 2, 3, 4))},
            Rational(25, 16),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
