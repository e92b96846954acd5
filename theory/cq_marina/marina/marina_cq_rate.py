r"""`cq_marina/marina-cq-rate`: MARINA with the correlated quantizer (arXiv 2401.05518)."""

from typing import Any

from sympy import Integer, Max, Min, Rational, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.marina import round as one
from theory.cq_marina.marina import run
from theory.cq_marina.marina.round import (
    COORDINATES,
    SPENT,
    B,
    L_minus,
    L_plus,
    L_pm,
    M,
    R,
    V,
    X,
    after,
    d,
    gamma,
    m,
    p,
)
from theory.cq_marina.marina.run import ALWAYS, Delta_0, T, mean_square
from theory.cq_marina.paper import PAPER
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

n, w, bits = symbols("n w bits", real=True)

_BRANCHES = ((n - 2) / (2 * (n - 1)), d / n - 1 / (n - 1))
_B = Max(*_BRANCHES)
_INDEPENDENT = (d - 1) / n * L_plus**2
_CORRELATED = d / n**2 * L_plus**2 + B * L_pm**2
_X = Min(_INDEPENDENT, _CORRELATED)
_X_BY_SIZES = Min(_INDEPENDENT, _CORRELATED.subs(B, _B))
_EQUAL = d / n**2 * L_plus**2
_WIDE = d / n * (L_plus**2 / n + L_pm**2)
_GAIN_EQUAL = n * (d - 1) / d
_GAIN = (d - 1) / d / (1 / n + L_pm**2 / L_plus**2)
_ROOT = sqrt((1 - p) / p * X)
_STEP = 1 / (L_minus + _ROOT)
_WEIGHT = gamma / (2 * p)
_BOUND = 2 * Delta_0 / (gamma * T)
_FULL, _MESSAGE = w * d, 32 + d
_REPLACED = (one.A, B, L_plus, L_pm, X)

CLAIM = Claim(
    id="cq_marina/marina-cq-rate",
    kind="rate",
    provenance="derived",
    title="Rate of MARINA with the correlated quantizer",
    position=23,
    paper=PAPER,
    **statement(
        r"""
        MARINA with the correlated one-bit quantizer on $n\ge2$ clients, one coin for all of them. The paper
        states that it beats MARINA with independent quantizers; the constants here are derived. $a_i$ are
        the differences of the gradients of the clients, $V$ is the variance of the average of their
        messages, $M$ the average of the $\|a_i\|^2$ and $m$ the squared norm of the average of the $a_i$; $f$
        is $L_-$-smooth.
        (a: noise) With $M\le L_+^2\|x^+-x\|^2$, $M-m\le L_\pm^2\|x^+-x\|^2$ and the two bounds of
          `cq_marina/cq-dominates-iq` and `cq_marina/ab-cq` $$V\le\mathcal X\|x^+-x\|^2,\qquad\mathcal
          X=\min\Big\{\frac{d-1}nL_+^2,\frac{dL_+^2}{n^2}+BL_\pm^2\Big\},\qquad
          B=\max\Big\{\frac{n-2}{2(n-1)},\frac dn-\frac1{n-1}\Big\}.$$ [proof; exact/noise; run/noise at a
          visited state]
        (b: attained-one) <<One client with a Hessian attains it -> exact/noise is attained>>:
          $V=\frac{d-1}nM$ (`cq_marina/neg-control`), $M=L_+^2\|x^+-x\|^2$ and $L_\pm^2=(1-\frac1n)L_+^2$
          give $$V=\mathcal X\|x^+-x\|^2.$$ [proof; exact/noise is attained]
        (c: potential) If $\gamma\le\frac1{L_-+\sqrt{\frac{1-p}p\mathcal X}}$, one round gives $$\mathbb
          Ef(x^+)-f^\star+\frac\gamma{2p}\mathbb E\|g^+-\nabla f(x^+)\|^2\le
          f(x)-f^\star+\frac\gamma{2p}\|g-\nabla f(x)\|^2-\frac\gamma2\|\nabla f(x)\|^2.$$ [proof;
          exact/literal iterate; run/potential at a visited state]
        (d: rate) Hence, with (c) in each round, from the exact gradient at the start, for every $T\ge1$
          $$\frac1T\sum_{k<T}\mathbb E\|\nabla f(x^k)\|^2\le\frac{2\Delta_0}{\gamma T}.$$ [proof;
          run/averages of the squared gradient]
        (e: equal-hessians, gain-equal) Independent thresholds have $\frac{d-1}nL_+^2$; for $L_\pm=0$ and
          $d\ge2$ correlation has $$\mathcal X=\frac
          d{n^2}L_+^2,\qquad\frac{d-1}nL_+^2=\frac{n(d-1)}d\mathcal X.$$ [proof]
        (f: attained-equal) Clients with equal Hessians attain that where all fractions are one half
          (`cq_marina/cq-equal-inputs`), <<as for $n=4$, $d=8$ and a step along $(3,1,1,1,1,1,1,1)$ ->
          exact/noise is attained>>: $V=\frac d{n^2}M$ and $M=L_+^2\|x^+-x\|^2$ give $$V=\mathcal
          X\|x^+-x\|^2.$$ [proof; exact/noise is attained]
        (g: wide, gain) If $\frac{n^2}{2(n-1)}\le d$ and $L_+,\mathcal X>0$, then $\mathcal X\le\frac
          dn\Big(\frac{L_+^2}n+L_\pm^2\Big)$, and the gain in $\mathcal X$ is at least
          $$\frac{d-1}d\Big(\frac1n+\frac{L_\pm^2}{L_+^2}\Big)^{-1}\le\frac{\frac{d-1}nL_+^2}{\mathcal X}.$$
          [proof]
        (h: no-gain) This constant shows no gain for a large Hessian variance: $\mathcal
          X=\frac{d-1}nL_+^2$ if $(1-\frac1n)L_+^2\le L_\pm^2$. [proof; exact/noise is attained]
        (i: bits) With the coin every client sends $d$ floats of $w$ bits, <<else its norm in 32 bits and
          one bit per coordinate -> exact/bits of a message>>, <<whatever happens in other runs ->
          exact/bits>>: in expectation $$\mathbb Eb=p\,wd+(1-p)(32+d).$$ [proof; exact/bits of a message;
          exact/bits; exact/slowest client; exact/cost]
        """
    ),
    variables=(
        *(item for item in one.VARIABLES if item.symbol not in (*_REPLACED, M, m)),
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(L_plus, "L_+", r"\mathbb R_{\ge0}", "Lipschitz constant of the gradients of the clients"),
        Variable(L_pm, r"L_\pm", r"\mathbb R_{\ge0}", "root of the constant of the Hessian variance"),
        Variable(X, r"\mathcal X", r"\mathbb R_{\ge0}", "constant of the noise"),
        Variable(B, "B", r"\mathbb R_{\ge0}", "constant of the correlated quantizer"),
        Variable(M, "M", r"\mathbb R_{\ge0}", r"average of the $\|a_i\|^2$"),
        Variable(m, "m", r"\mathbb R_{\ge0}", r"squared norm of the average of the $a_i$"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(w, "w", r"\mathbb N", "bits of a float"),
        Variable(bits, r"\mathbb Eb", r"\mathbb R_{>0}", "expected bits that a client sends in a round"),
        run.ROUNDS,
        run.FIRST_GAP,
        run.AVERAGE,
        run.GAPS,
        run.ERRORS,
        run.SQUARES,
    ),
    notation={**one.NOTATION, "a_i": "inputs of the compressors", r"\|a_i\|^2": "their squared norms"},
    ranges=run.RANGES,
    hypotheses={
        **{name: item for name, item in one.HYPOTHESES.items() if name not in ("signs", "X", "noise")},
        "signs": domain(r"$0<p\le1$, $\gamma,L_->0$, $L_+,L_\pm\ge0$, $\mathcal X\ge0$"),
        "smooth-clients": model(r"$M\le L_+^2\|x^+-x\|^2$ and $M-m\le L_\pm^2\|x^+-x\|^2$"),
        "sizes": domain(r"$n\ge2$ and $T\ge1$ are integers"),
        "noise": model(
            r"$V\le\frac{d-1}nM$ (`cq_marina/cq-dominates-iq`) and "
            r"$V\le\big(\frac d{n^2}+B\big)M-Bm$ (`cq_marina/ab-cq`)"
        ),
        "B": definition(r"$B=\max\Big\{\frac{n-2}{2(n-1)},\frac dn-\frac1{n-1}\Big\}$"),
        "X": definition(r"$\mathcal X=\min\Big\{\frac{d-1}nL_+^2,\frac{dL_+^2}{n^2}+BL_\pm^2\Big\}$"),
        "step": parameter(r"$\gamma\le\frac1{L_-+\sqrt{\frac{1-p}p\mathcal X}}$"),
        **run.hypotheses(r"\frac\gamma{2p}", "0", "c"),
        "equal": parameter(r"$L_\pm=0$, $d\ge2$"),
        "wide": parameter(r"$\frac{n^2}{2(n-1)}\le d$ and $L_+,\mathcal X>0$"),
        "one": parameter(
            r"$V=\frac{d-1}nM$, $M=L_+^2\|x^+-x\|^2$, $L_\pm^2=(1-\frac1n)L_+^2$",
            reference="cq_marina/neg-control",
        ),
        "alike": parameter(
            r"$V=\frac d{n^2}M$, $M=L_+^2\|x^+-x\|^2$",
            reference="cq_marina/cq-equal-inputs",
        ),
        "message": definition(
            r"$\mathbb Eb=\mathbb E\bigl(dw\chi+(1-\chi)(d+32)\bigr)$, over $\chi\sim\mathrm{Bernoulli}(p)$"
        ),
        "variance": parameter(r"$(1-\frac1n)L_+^2\le L_\pm^2$"),
    },
    relations={
        "noise": Relation((V, X * R), ("<=",), under=("noise", "smooth-clients", "X")),
        "attained-one": Relation((V, X * R), ("=",), under=("X", "one")),
        "attained-equal": Relation((V, X * R), ("=",), under=("X", "equal", "alike")),
        "potential": Relation(
            (after + _WEIGHT * one.error_after, one.now + _WEIGHT * one.error_now - gamma / 2 * one.G),
            ("<=",),
            under=("step", "noise", "smooth-clients", "X"),
        ),
        "rate": Relation((mean_square, _BOUND), ("<=",), under=("tower",)),
        "equal-hessians": Relation((X, _EQUAL), ("=",), under=("X", "equal")),
        "gain-equal": Relation((_INDEPENDENT, _GAIN_EQUAL * X), ("=",), under=("X", "equal")),
        "wide": Relation((X, _WIDE), ("<=",), under=("X", "wide")),
        "gain": Relation((_GAIN, _INDEPENDENT / X), ("<=",), under=("X", "wide")),
        "no-gain": Relation((X, _INDEPENDENT), ("=",), under=("X", "variance")),
        "bits": Relation((bits, p * _FULL + (1 - p) * _MESSAGE), ("=",), under=("message",)),
    },
    formulas={
        "B": _B,
        "X_independent": _INDEPENDENT,
        "X": _X_BY_SIZES,
        "X_equal_hessians": _EQUAL,
        "X_wide": _WIDE,
        "gain_equal_hessians": _GAIN_EQUAL,
        "gain": _GAIN,
        "step_size": _STEP,
        "weight": _WEIGHT,
        "bound": _BOUND,
        "full_bits": _FULL,
        "message_bits": _MESSAGE,
    },
    internal={
        "X": r"the definition of $\mathcal X$ with that of $B$ put in",
        "B": r"the definition of $B$",
        "step_size": "said as the hypothesis of part (c)",
    },
    worst_cases=cases(r"""
        equal Hessians, a difference along $(3,1,\dots,1)$: the variance is $\frac d{n^2}L_+^2$ | n = 4,
          d = 8, L_plus = 1, L_pm = 0 | 1/2
        one client with a Hessian, the others without: both branches are $\frac{d-1}nL_+^2$, attained | n = 4,
          d = 8, L_plus = 2, L_pm = sqrt(3) | 7
        no Hessian variance at $n=10$, $d=32$ | n = 10, d = 32, L_plus = 1, L_pm = 0 | 8/25
        large Hessian variance at $n=10$, $d=32$ | n = 10, d = 32, L_plus = 1, L_pm = 1/2 | 983/900
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, ALWAYS)
    half = Rational(1, 2)
    sizes = {n: 2, d: 2, B: 0, T: 3, p: half, gamma: half, L_minus: 1}
    state = {name: value for name, value in one.EXAMPLE.items() if name not in _REPLACED}
    K.example({**state, n: 2, B: 0, L_plus: 2, L_pm: 1, X: 2, one.V: 1, M: 3, m: 2, gamma: Rational(1, 4)})
    K.example({**sizes, **run.EXAMPLE, run.error: (0,) * 152, L_plus: 1, L_pm: 0, X: half})
    K.example({**sizes, L_plus: 1, L_pm: 0, X: half})
    K.example({**sizes, L_plus: 2, L_pm: 2, X: 2})
    K.know(
        K.cert(le(0, n - 1), (1, K.given("sizes", 1)), (1, Integer(1))),
        K.cert(le(0, n - 2), (1, K.given("sizes", 1))),
        K.cert(le(0, d - 1), (1, K.given("dimension", 1))),
    )
    left, right = _BRANCHES
    above = K.axiom("max-above-left", left, right)
    K.know(K.cert(le(0, B), (1, above), (-1, K.given("B")), (1, left)))
    noise = _noise(K)
    K.conclude("noise", noise)
    room = K.cert(le(gamma * (L_minus + _ROOT), 1), (L_minus + _ROOT, K.given("step")))
    small = K.cert(le(SPENT, 1), (1 + gamma * _ROOT, room), (1, gamma**2 * L_minus * _ROOT))
    potential = K.cert(
        le(after + _WEIGHT * one.error_after, one.now + _WEIGHT * one.error_now - gamma / 2 * one.G),
        (1, one.descent(K)),
        (_WEIGHT, one.next_error(K, noise)),
        (R / (2 * gamma), small),
    )
    K.conclude("potential", potential)
    K.conclude("bits", K.cert(eq(bits, p * _FULL + (1 - p) * _MESSAGE), (1, K.given("message"))))
    K.conclude("rate", run.average(K, _WEIGHT, Integer(0)))
    _gains(K)


def _noise(K: Any) -> Any:
    """Both bounds on the variance, so also the smaller one."""
    plus, pm = K.given("smooth-clients"), K.given("smooth-clients", 1)
    first = K.cert(le(V, _INDEPENDENT * R), (1, K.given("noise")), ((d - 1) / n, plus))
    second = K.cert(le(V, _CORRELATED * R), (1, K.given("noise", 1)), (d / n**2, plus), (B, pm))
    goal, X_is = le(V, X * R), (-R, K.given("X"))
    return K.cases(
        _INDEPENDENT - _CORRELATED,
        K.cert(goal, (1, first), X_is, (-R, K.axiom("min-is-left", _INDEPENDENT, _CORRELATED))),
        K.cert(goal, (1, second), X_is, (-R, K.axiom("min-is-left", _CORRELATED, _INDEPENDENT))),
    )


def _smaller(K: Any, low: Any, high: Any, below: Any) -> Any:
    """Return X = low from low <= high."""
    return K.cert(eq(X, low), (1, K.given("X")), (1, K.discharge(K.axiom("min-is-left", low, high), below)))


def _gains(K: Any) -> None:
    left, right = _BRANCHES
    no_spread, two = K.given("equal"), K.given("equal", 1)
    below = K.cert(
        le(_CORRELATED, _INDEPENDENT),
        (L_plus**2 / n**2, two),
        (L_plus**2 / n**2, (n - 2) * (d - 1)),
        (L_pm * B, no_spread),
    )
    equal = K.cert(eq(X, _EQUAL), (1, _smaller(K, _CORRELATED, _INDEPENDENT, below)), (L_pm * B, no_spread))
    K.conclude("equal-hessians", equal)
    noise, square = K.given("alike"), K.given("alike", 1)
    attained = K.cert(eq(V, X * R), (1, noise), (d / n**2, square), (-R, equal))
    K.conclude("attained-equal", attained)
    K.conclude("gain-equal", K.cert(eq(_INDEPENDENT, _GAIN_EQUAL * X), (-_GAIN_EQUAL, equal)))
    larger = K.discharge(
        K.axiom("max-is-right", left, right), K.cert(le(left, right), (1 / n, K.given("wide")))
    )
    wide = K.cert(
        le(X, _WIDE),
        (1, K.given("X")),
        (1, K.axiom("min-below-right", _INDEPENDENT, _CORRELATED)),
        (L_pm**2, larger),
        (L_pm**2, K.given("B")),
        (1, L_pm**2 / (n - 1)),
    )
    K.conclude("wide", wide)
    above = K.cert(
        le(_INDEPENDENT, _CORRELATED),
        (B, K.given("variance")),
        ((1 - 1 / n) * L_plus**2, K.axiom("max-above-right", left, right)),
        ((1 / n - 1) * L_plus**2, K.given("B")),
    )
    no_gain = _smaller(K, _INDEPENDENT, _CORRELATED, above)
    K.conclude("no-gain", no_gain)
    spread = K.cert(le((1 - 1 / n) * L_plus**2, L_pm**2), (-1, K.given("one", 2)))
    noise, square = K.given("one"), K.given("one", 1)
    attained = K.cert(eq(V, X * R), (1, noise), ((d - 1) / n, square), (-R, K.discharge(no_gain, spread)))
    K.conclude("attained-one", attained)
    K.know(K.given("wide", 1), K.given("wide", 2))
    K.know(K.sign(lt(0, 1 / n + L_pm**2 / L_plus**2)))
    K.conclude("gain", K.cert(le(_GAIN, _INDEPENDENT / X), (_GAIN / X, wide)))
