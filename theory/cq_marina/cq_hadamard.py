r"""`cq_marina/cq-hadamard`: one bit per coordinate after a random rotation (arXiv 2401.05518).

Common random signs $D$, the orthonormal Hadamard matrix $H$ ($d=2^s$), one bit for each coordinate of $z=HDa$
at the scale $\|z\|_\infty$, and back: the relative variance of one client is at most $2\ln(2d)+1$ instead of
$d-1$, and that of correlated quantization at equal inputs at most $\frac{2\ln(2d)+2}{n^2}$.

Derivation: the entries of $H$ are $\pm1/\sqrt d$, so $z_j$ is a sum of signs with the squares $a_k^2/d$;
Hoeffding's inequality and the union bound give $\mathbb E\|z\|_\infty^2\le\frac{2\|a\|^2}d(\ln2d+1)$. One bit
at the scale $R$ costs $R^2-z_j^2$, at equal inputs at most $R^2/n^2$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, diff, exp, log, sqrt, symbols

from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, DIMENSION, EXACT_REALS, STRATIFIED, d, n
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.summation import SUMMATION
from theory.two_point_law import expectation

_BOUND = 2 * log(2 * d) + 1
_FORMULAS = {
    "sup_norm": 2 * (log(2 * d) + 1) / d,
    "equal_inputs": (2 * log(2 * d) + 2) / n**2,
    "unrotated": d - 1,
}

_r, _R = symbols("r R", positive=True)
_u, _E = symbols("u E", nonnegative=True)
_alpha = Symbol("alpha", nonnegative=True)
_a, _b = symbols("a b", real=True)
_zs = symbols("z_1:4", real=True)
_HALF = Rational(1, 2)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_rotation(), *_sup_norm(stated), *_quantizers(stated), SUMMATION)


def _rotation() -> tuple[Step, ...]:
    return (
        Identity(
            "isometry",
            r"One stage of the transform, $(a,b)\mapsto\frac1{\sqrt2}(a+b,a-b)$, keeps the sum of squares; "
            r"$s$ stages and signs before them keep the norm for $d=2^s$.",
            ((_a + _b) / sqrt(2)) ** 2 + ((_a - _b) / sqrt(2)) ** 2,
            _a**2 + _b**2,
        ),
        Identity(
            "entries",
            r"Each stage multiplies the entries by $\pm\frac1{\sqrt2}$, so those of $H$ are $\pm\frac1{\sqrt "
            r"d}$ and $z_j=\sum_k\pm D_{kk}a_k/\sqrt d$ has the squared coefficients $a_k^2/d$, in sum "
            r"$\|a\|^2/d$.",
            sum((item / sqrt(d)) ** 2 for item in _zs),
            sum(item**2 for item in _zs) / d,
        ),
    )


def _sup_norm(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    scale = 2 * _r**2 / d
    tail = 2 * d * exp(-_u / scale)
    start = scale * log(2 * d)
    return (
        StandardFact(
            "hoeffding",
            r"$P(|\sum_k\epsilon_kc_k|>t)\le2\exp(-t^2/(2\sum_kc_k^2))$ for independent fair signs, and the "
            r"union bound: $P(\|z\|_\infty^2>u)\le\min\{1,2d\exp(-\frac{ud}{2r^2})\}$ with $r=\|a\|_2$.",
            "S. Boucheron, G. Lugosi and P. Massart, Concentration Inequalities, theorem 2.8",
        ),
        StandardFact(
            "layer-cake",
            r"$\mathbb EX=\int_0^\infty P(X>u)\,du\le u_0+\int_{u_0}^\infty P(X>u)\,du$ for $X\ge0$, "
            r"$u_0\ge0$.",
            "P. Billingsley, Probability and Measure, 3rd ed., equation (21.9)",
        ),
        Identity(
            "antiderivative",
            r"$-\frac{2r^2}d\cdot2d\exp(-\frac{ud}{2r^2})$ has the derivative $2d\exp(-\frac{ud}{2r^2})$ and "
            r"tends to 0.",
            diff(-scale * tail, _u),
            tail,
        ),
        Identity(
            "sup-norm",
            r"With $u_0=\frac{2r^2}d\ln2d$ the two parts add up to the stated multiple of $r^2$.",
            start + (scale * tail).xreplace({_u: start}),
            _r**2 * stated["sup_norm"],
        ),
    )


def _quantizers(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    known = _r**2 * stated["sup_norm"] - _E
    facts = "hoeffding, layer-cake, sup-norm"
    return (
        Identity(
            "one-bit",
            r"One bit at the scale $R$: $R$ with probability $\frac12(1+\frac zR)$, else $-R$, has the mean "
            r"square error $R^2-z^2$.",
            expectation(lambda up: (_R * (2 * up - 1) - _a) ** 2, (1 + _a / _R) / 2),
            _R**2 - _a**2,
        ),
        Certificate(
            "bound",
            r"Summed over $d$ coordinates the error is $d\|z\|_\infty^2-\|a\|^2$; with $E=\mathbb "
            r"E\|z\|_\infty^2$ it is at most the stated multiple of $r^2=\|a\|^2$.",
            d * _E - _r**2,
            stated["bound"] * _r**2,
            (Term(d, known, facts),),
        ),
        Certificate(
            "quarter",
            r"At equal inputs the error of a coordinate is $\frac{4R^2}{n^2}\alpha(1-\alpha)\le"
            r"\frac{R^2}{n^2}$ (`cq_marina/cq-equal-inputs` at the common scale $R$).",
            4 * _R**2 / n**2 * _alpha * (1 - _alpha),
            _R**2 / n**2,
            (Term(4 * _R**2 / n**2, (_alpha - _HALF) ** 2, "a square"),),
        ),
        Certificate(
            "equal-inputs",
            r"Summed over $d$ coordinates: at most the stated multiple of $r^2$.",
            d * _E / n**2,
            stated["equal_inputs"] * _r**2,
            (Term(d / n**2, known, facts),),
        ),
        Identity(
            "unrotated",
            r"Without the rotation the scale at $e_1$ is $R=1$ and the error $d\cdot1-1$, the stated value.",
            d * Integer(1) - 1,
            stated["unrotated"],
        ),
    )


_MUTANTS = (
    Mutant(
        "log-d",
        r"The constant $\ln d$ for $2\ln(2d)+1$: broken at $d=4$, where $(0,1,1,1)$ has the relative "
        r"variance 2.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "no-rotation",
        r"Quantize $a$ itself at the scale $\|a\|_\infty$: $d-1$ at $e_1$, above the bound for $d\ge8$.",
        ("exact",),
    ),
    Mutant(
        "private-signs",
        r"Every client draws its own signs: what the clients send is no longer correlated, and at equal "
        r"inputs the variance falls like $\frac1n$ only.",
        ("montecarlo",),
    ),
    Mutant(
        "flipped-signs",
        "Change the signs of some coordinates of the input: nothing may change.",
        ("exact",),
        neutral=True,
    ),
    Mutant(
        "common-draws",
        r"All coordinates share one permutation: no coordinate alone shows it.",
        ("montecarlo",),
    ),
)

CLAIM = Claim(
    id="cq_marina/cq-hadamard",
    paper=PAPER,
    kind="upper",
    provenance="derived",
    title="A random rotation makes the variance of one bit per coordinate logarithmic in d",
    statement=(
        r"Let $d=2^s$, $H$ the orthonormal Hadamard matrix and $D$ random signs, common to all clients. A "
        r"client sends one unbiased bit for each coordinate of $z=HDa$ at the scale $\|z\|_\infty$; the "
        r"receiver applies $DH^\top$. Then $$\mathbb E\|z\|_\infty^2\le\frac{2(\ln2d+1)}d\|a\|^2,\qquad"
        r"\mathbb E\|Q(a)-a\|^2=d\,\mathbb E\|z\|_\infty^2-\|a\|^2\le(2\ln(2d)+1)\|a\|^2,$$ so that $n$ "
        r"independent clients have $V\le\frac1{n^2}\sum_i(2\ln(2d)+1)\|a_i\|^2$. With correlated thresholds "
        r"and equal inputs $$V\le\frac{2\ln(2d)+2}{n^2}\|a\|^2.$$ Without the rotation the relative variance "
        r"of one client reaches $d-1$, at $e_1$."
    ),
    variables=(CLIENTS, DIMENSION),
    assumptions=(
        r"$d$ is a power of two; the signs are independent, fair and shared by all clients and the receiver.",
        STRATIFIED,
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase("largest relative variance found for $d=2$", {"x": (1, 1), "d": 2}, Integer(1)),
        WorstCase("largest relative variance found for $d=4$", {"x": (0, 1, 1, 1), "d": 4}, Integer(2)),
        WorstCase("largest relative variance found for $d=8$", {"x": (0, *(1,) * 7), "d": 8}, Integer(3)),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
