r"""`cq_marina/marina-rate`: rate of MARINA with an AB inequality (arXiv 2401.05518)."""

from typing import Any

from sympy import Rational, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.marina import round as one
from theory.cq_marina.marina import run
from theory.cq_marina.marina.round import COORDINATES, SPENT, A, B, L_minus, L_plus, X, after, gamma, p
from theory.cq_marina.marina.run import ALWAYS, E_0, Delta_0, T, mean_square
from theory.cq_marina.paper import PAPER
from theory.formula import le
from theory.hypotheses import domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

omega, L, n = symbols("omega L n", real=True)

_ROOT = sqrt((1 - p) / p * X)
_STEP = 1 / (L_minus + _ROOT)
_LARGER_ROOT = sqrt(L_minus**2 + 4 * (1 - p) / p * X)
_LARGER = 2 / (L_minus + _LARGER_ROOT)
_ORIGINAL_ROOT = sqrt((1 - p) * omega / (p * n))
_ORIGINAL = 1 / (L * (1 + _ORIGINAL_ROOT))
_WEIGHT = gamma / (2 * p)
_BOUND = 2 * Delta_0 / (gamma * T) + E_0 / (p * T)
_GAIN = Rational(5, 4)

CLAIM = Claim(
    id="cq_marina/marina-rate",
    kind="rate",
    provenance="rederived",
    title="Rate of MARINA with an AB inequality and the weighted Hessian variance",
    position=21,
    paper=PAPER,
    **statement(
        r"""
        MARINA: $x^+=x-\gamma g$, and with one coin for all clients $g^+$ is $\nabla f(x^+)$ with
        probability $p$, else $g$ plus the average of $C_i(\nabla f_i(x^+)-\nabla f_i(x))$ over the $n$
        clients. For all inputs $a_i$ the average of the $C_i(a_i)$ is unbiased with a variance of at most
        $AM_w-Bm$, $0\le B\le A$, where $M_w$ is the average of $\|a_i\|^2/(nw_i)$ for weights $w_i$ and $m$
        the squared norm of the mean input. $f$ is $L_-$-smooth; for the differences of the gradients of the
        clients $M_w\le L_{+,w}^2\|x^+-x\|^2$ and $M_w-m\le L_{\pm,w}^2\|x^+-x\|^2$; $\mathcal
        X=(A-B)L_{+,w}^2+BL_{\pm,w}^2$.
        (a: error) The error of the next estimate: $$\mathbb E\|g^+-\nabla f(x^+)\|^2\le(1-p)\big(\|g-\nabla
          f(x)\|^2+\mathcal X\|x^+-x\|^2\big).$$ [proof]
        (b: potential) If $\gamma\le\frac2{L_-+\sqrt{L_-^2+4\frac{1-p}p\mathcal X}}$, one round gives
          $$\mathbb Ef(x^+)-f^\star+\frac\gamma{2p}\mathbb E\|g^+-\nabla f(x^+)\|^2\le
          f(x)-f^\star+\frac\gamma{2p}\|g-\nabla f(x)\|^2-\frac\gamma2\|\nabla f(x)\|^2.$$ [proof;
          exact/potential after a round; exact/literal iterate; exact/numbers *; exact/traces of the literal
          run; exact/replicates beyond the range; exact/round at which it stops; exact/arguments *]
        (c: rate) Hence, with (b) in each round, for every $T\ge1$ $$\frac1T\sum_{k<T}\mathbb E\|\nabla
          f(x^k)\|^2\le\frac{2\Delta_0}{\gamma T}+\frac{E_0}{pT},$$ where $\Delta_0$ and $E_0$ are gap and
          expected squared error of the estimate at the start. [proof; exact/average; run/averages of the
          squared gradient]
        (d: steps) The step of (b) is at least the simple one and little longer,
          $$\frac1{L_-+\sqrt{\frac{1-p}p\mathcal X}}\le\frac2{L_-+\sqrt{L_-^2+4\frac{1-p}p\mathcal
          X}}\le\frac54\cdot\frac1{L_-+\sqrt{\frac{1-p}p\mathcal X}}.$$ [proof]
        (e: refinement) For independent compressors, $A=\frac\omega n$ and $B=0$, with $L_-\le L$ and
          $L_{+,w}\le L$ for the root mean square $L$ of the constants of the clients, the simple step is at
          least the original one,
          $$\frac1{L(1+\sqrt{\frac{(1-p)\omega}{pn}})}\le\frac1{L_-+\sqrt{\frac{1-p}p\mathcal X}}.$$ [proof]
        """
    ),
    variables=(
        *one.VARIABLES,
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        run.ROUNDS,
        run.FIRST_GAP,
        run.FIRST_ERROR,
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(omega, r"\omega", r"\mathbb R_{\ge0}", r"$\mathbb E\|C_i(x)-x\|^2\le\omega\|x\|^2$"),
        Variable(L, "L", r"\mathbb R_{>0}", "root mean square of the Lipschitz constants of the clients"),
        run.AVERAGE,
        run.GAPS,
        run.ERRORS,
        run.SQUARES,
    ),
    notation=one.NOTATION,
    ranges=run.RANGES,
    hypotheses={
        **one.HYPOTHESES,
        "sizes": domain(r"$T,n\ge1$ are integers; $\omega\ge0$, $L>0$"),
        "step": parameter(r"$\gamma\le\frac2{L_-+\sqrt{L_-^2+4\frac{1-p}p\mathcal X}}$"),
        **run.hypotheses(r"\frac\gamma{2p}", "E_0", "b"),
        "independent": parameter(r"$A=\frac\omega n$, $B=0$"),
        "mean-root": model(r"$L_-\le L$, $L_{+,w}\le L$"),
    },
    relations={
        "error": one.ERROR,
        "potential": Relation(
            (after + _WEIGHT * one.error_after, one.now + _WEIGHT * one.error_now - gamma / 2 * one.G),
            ("<=",),
            under=("step",),
        ),
        "rate": Relation((mean_square, _BOUND), ("<=",), under=("tower",)),
        "steps": Relation((_STEP, _LARGER, _GAIN * _STEP), ("<=", "<=")),
        "refinement": Relation((_ORIGINAL, _STEP), ("<=",), under=("independent", "mean-root")),
    },
    formulas={
        "bound": _BOUND,
        "X": one.CHI,
        "step_size": _STEP,
        "weight": _WEIGHT,
        "larger_step": _LARGER,
        "original_step": _ORIGINAL,
    },
    internal={"X": r"the definition of $\mathcal X$"},
    worst_cases=cases(r"""
        $\mathcal X$ of identity quadratics with the one-bit quantizer | n = 1, d = 8, p = 1/50, A = 7, B = 0,
          L_minus = 1, L_plus = 1, L_pm = 0 | 7
        $\mathcal X$ of the rank-one family $A_i=ne_ie_i^\top$ with PermK | n = 4, d = 4, p = 1/20, A = 1,
          B = 1, L_minus = 1, L_plus = 2, L_pm = sqrt(3) | 3
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, ALWAYS)
    half = Rational(1, 2)
    start = {**one.EXAMPLE, T: 3, n: 2, E_0: 1, omega: 1, L: 2}
    K.example({**start, **run.EXAMPLE})
    K.example({**start, A: half, B: 0, X: half})
    noise = one.next_error(K)
    K.conclude("error", noise)
    room = 2 - gamma * (L_minus + _LARGER_ROOT)
    small = K.cert(le(gamma * (L_minus + _LARGER_ROOT), 2), (L_minus + _LARGER_ROOT, K.given("step")))
    small_step = K.cert(le(SPENT, 1), (gamma * _LARGER_ROOT / 2, small), (Rational(1, 4), room**2))
    potential = K.cert(
        le(after + _WEIGHT * one.error_after, one.now + _WEIGHT * one.error_now - gamma / 2 * one.G),
        (1, one.descent(K)),
        (_WEIGHT, noise),
        (one.R / (2 * gamma), small_step),
    )
    K.conclude("potential", potential)
    K.conclude("rate", run.average(K, _WEIGHT, E_0))
    _steps(K)


def _steps(K: Any) -> None:
    simple, larger = L_minus + _ROOT, L_minus + _LARGER_ROOT
    below = K.cert(
        le(_LARGER_ROOT, L_minus + 2 * _ROOT),
        (1 / (L_minus + 2 * _ROOT + _LARGER_ROOT), 4 * L_minus * _ROOT),
    )
    above = K.cert(
        le(3 * L_minus + 8 * _ROOT, 5 * _LARGER_ROOT),
        (1 / (5 * _LARGER_ROOT + 3 * L_minus + 8 * _ROOT), (4 * L_minus - 6 * _ROOT) ** 2),
    )
    K.conclude(
        "steps",
        K.cert(le(_STEP, _LARGER), (1 / (simple * larger), below)),
        K.cert(le(_LARGER, _GAIN * _STEP), (1 / (4 * simple * larger), above)),
    )
    least, plus = K.given("mean-root"), K.given("mean-root", 1)
    odds = (1 - p) * omega / (p * n)
    squares = K.cert(
        le((1 - p) / p * X, odds * L**2),
        (odds * (L + L_plus), plus),
        using=[K.given("X"), K.given("independent"), K.given("independent", 1)],
    )
    root = K.cert(
        le(_ROOT, _ORIGINAL_ROOT * L),
        (1, K.power(squares, Rational(1, 2))),
        (1, K.axiom("root-product", odds, L**2, Rational(1, 2))),
        (_ORIGINAL_ROOT, K.axiom("root-root", L, 2, Rational(1, 2))),
    )
    original = L * (1 + _ORIGINAL_ROOT)
    refined = K.cert(le(_ORIGINAL, _STEP), (1 / (simple * original), root), (1 / (simple * original), least))
    K.conclude("refinement", refined)
