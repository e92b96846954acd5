r"""`cq_marina/marina-biased`: MARINA with biased and correlated compressors (arXiv 2401.05518)."""

from typing import Any

from sympy import Rational, Sum, sqrt

from theory.claim import Claim, Relation
from theory.cq_marina.marina import biased_proofs as parts
from theory.cq_marina.marina import round as one
from theory.cq_marina.marina import run, silent_run
from theory.cq_marina.marina.biased import (
    ANY,
    BOUND,
    CLIENTS,
    CONTRACTIVE_X,
    FORMULAS,
    HALF,
    HYPOTHESES,
    INTERNAL,
    KAPPA,
    LEFT,
    NOISY,
    NOTATION,
    REPLACED,
    ROOT,
    SCALED_BIAS,
    SCALED_VARIANCE,
    TOSSED,
    UNBIASED,
    VARIABLES,
    WEIGHT,
    L,
    L_plus,
    O,
    P,
    X_b,
    X_v,
    a,
    alpha,
    bias,
    bias_sq,
    err,
    i,
    kappa,
    n,
    omega,
    own,
    r,
    rho,
    s,
    second,
    sigma,
    size,
    w,
)
from theory.cq_marina.marina.round import (
    COORDINATES,
    G,
    L_minus,
    R,
    V,
    X,
    after,
    d,
    error_after,
    error_now,
    g,
    gamma,
    j,
    now,
    p,
    u,
    v,
)
from theory.cq_marina.marina.run import ALWAYS, E_0, mean_square
from theory.cq_marina.paper import PAPER
from theory.facts.young import young
from theory.formula import le, lt
from theory.statement import statement
from theory.worst_cases import cases

CLAIM = Claim(
    id="cq_marina/marina-biased",
    kind="rate",
    provenance="derived",
    title="Rate of MARINA with biased and correlated compressors",
    position=26,
    paper=PAPER,
    **statement(
        r"""
        MARINA on $n\ge1$ clients with one coin for all of them: $x^+=x-\gamma g$, and $g^+$ is $\nabla
        f(x^+)$ with probability $p$, else $g$ plus an estimate of the average difference of the gradients
        of the clients, whose error $\xi$ has the mean $b$. Messages may be biased and depend on each other;
        $f$ is $L_-$-smooth.
        (a: error) Let $\mathbb E\|\xi-b\|^2\le\mathcal X_v\|x^+-x\|^2$ and $\|b\|^2\le\mathcal
          X_b\|x^+-x\|^2$. For every $s>0$ $$\mathbb E\|g^+-\nabla f(x^+)\|^2\le(1-p)\Big((1+s)\|g-\nabla
          f(x)\|^2+\Big(\mathcal X_v+\Big(1+\frac1s\Big)\mathcal X_b\Big)\|x^+-x\|^2\Big).$$ [proof;
          exact/noise of a round]
        (b: potential) If also $(1-p)(1+s)<1$ and $\gamma\le\frac1{L_-+\sqrt\kappa}$ with
          $\kappa=\frac{(1-p)(\mathcal X_v+(1+\frac1s)\mathcal X_b)}{1-(1-p)(1+s)}$, one round gives
          $$\mathbb Ef(x^+)-f^\star+\frac{\gamma\,\mathbb E\|g^+-\nabla f(x^+)\|^2}{2(1-(1-p)(1+s))}\le
          f(x)-f^\star+\frac{\gamma\|g-\nabla f(x)\|^2}{2(1-(1-p)(1+s))}-\frac\gamma2\|\nabla f(x)\|^2.$$
          [proof; exact/potential after a round; run/potential at a visited state]
        (c: rate) Hence, with (b) in each round, for every $T\ge1$ $$\frac1T\sum_{k<T}\mathbb E\|\nabla
          f(x^k)\|^2\le\frac2{\gamma T}\Big(\Delta_0+\frac{\gamma E_0}{2(1-(1-p)(1+s))}\Big).$$ <<Whole runs
          with TopK keep it at every $T$ that is looked at -> run/averages with TopK>>, <<so do runs with half
          of the correlated quantizer -> run/averages with correlated bits>> and <<with half of RandK ->
          run/averages with half of RandK>>. [proof; exact/average; exact/potential of a run; run/averages
          with TopK; run/averages with correlated bits; run/averages with half of RandK]
        (d: least) For every such $s$ $$\rho^2\le\kappa,\qquad\rho=\frac1p\Big((1-p)\sqrt{\mathcal
          X_b}+\sqrt{(1-p)(\mathcal X_b+p\mathcal X_v)}\Big).$$ [proof; exact/least kappa]
        (e: range, attained) <<It is attained -> exact/kappa at the best split>> for $\mathcal X_b>0$ and
          $p<1$: at $s=\sqrt{\mathcal X_b}/\rho$, where $(1-p)(1+s)<1$, it is $\kappa=\rho^2$. [proof;
          exact/kappa at the best split]
        (f: unbiased) Without bias the root is that of `cq_marina/marina-rate`,
          $$\frac1p\sqrt{(1-p)p\mathcal X_v}=\sqrt{\frac{1-p}p\mathcal X_v}.$$ [proof]
        (g: error-any) If only $\mathbb E\|\xi-b\|^2+\|b\|^2\le\mathcal X\|x^+-x\|^2$ is known, (a) holds
          with $\mathcal X_v$ as zero and $\mathcal X_b$ as $\mathcal X$: $$\mathbb E\|g^+-\nabla
          f(x^+)\|^2\le(1-p)\Big((1+s)\|g-\nabla f(x)\|^2+\Big(1+\frac1s\Big)\mathcal X\|x^+-x\|^2\Big).$$
          [proof; run/potential, TopK]
        (h: any) The best root is then, and it <<costs at most a factor of $2/\sqrt p$ -> proof>>,
          $$\frac1p\Big((1-p)\sqrt{\mathcal X}+\sqrt{(1-p)\mathcal
          X}\Big)=\frac{\sqrt{1-p}(1+\sqrt{1-p})}p\sqrt{\mathcal X}\le\frac2{\sqrt
          p}\sqrt{\frac{1-p}p\mathcal X}.$$ [proof]
        (i: contractive) Contractive compressors, $\mathbb E\|C_i(a_i)-a_i\|^2\le(1-\alpha)\|a_i\|^2$, of
          any dependence, with finitely many outcomes: for all $w_i>0$ with $\sum_iw_i=1$ $$\mathbb
          E\|\xi\|^2\le(1-\alpha)\sum_i\frac{\|a_i\|^2}{n^2w_i}.$$ [proof; run/error of TopK]
        (j: weights) For $\|a_i\|^2\le L_i^2\|x^+-x\|^2$, $L_i>0$ and $w_i=L_i/\sum_iL_i$ that is $$\mathbb
          E\|\xi\|^2\le(1-\alpha)\Big(\frac1n\sum_iL_i\Big)^2\|x^+-x\|^2.$$ [proof; run/error of TopK]
        (k: scaled-variance, scaled-bias) Independent unbiased messages with $\mathbb
          E\|C_i(a_i)-a_i\|^2\le\omega\|a_i\|^2$, scaled by $\sigma$, have, for $\frac1n\sum_i\|a_i\|^2\le
          L_+^2\|x^+-x\|^2$ and $\sum_j\big(\frac1n\sum_ia_{ij}\big)^2\le L_-^2\|x^+-x\|^2$, $$\mathbb
          E\|\xi-b\|^2\le\sigma^2\frac\omega
          nL_+^2\|x^+-x\|^2,\qquad\|b\|^2\le(1-\sigma)^2L_-^2\|x^+-x\|^2.$$ [proof; exact/noise of a round]
        (l: too-long) <<The step of `cq_marina/marina-rate` can be too long for biased messages, here none at
          all for $f=\frac12x^2$ -> exact/too long a step>>: with $p=\frac1{10}$ and
          $\gamma=\frac1{1+\sqrt{\frac{1-p}p}}$ the average $\bar G_T$ of the expected squared
          gradients of a run whose first estimate is the gradient has a ratio to its bound $\beta_T$ that
          grows without limit: for all $T\ge2$ $$234\Big(\frac{12}{13}\Big)^{T-2}\bar G_T\ge\beta_T.$$
          <<After 40 rounds it is more than -> exact/too long a step>> {value:broken}. [proof;
          exact/too long a step]
        """
    ),
    variables=(*VARIABLES, *silent_run.VARIABLES),
    notation=NOTATION,
    ranges=run.RANGES,
    hypotheses={**HYPOTHESES, **silent_run.HYPOTHESES},
    relations={
        "error": Relation(
            (error_after, (1 - p) * ((1 + s) * error_now + (X_v + (1 + 1 / s) * X_b) * R)),
            ("<=",),
            under=("coin", "noise"),
        ),
        "potential": Relation(
            (after + WEIGHT * error_after, now + WEIGHT * error_now - gamma / 2 * G),
            ("<=",),
            under=("coin", "noise", "split", "kappa", "step"),
        ),
        "rate": Relation((mean_square, BOUND), ("<=",), under=("split", "average", "tower")),
        "least": Relation((rho**2, kappa), ("<=",), under=("split", "kappa", "rho")),
        "range": Relation(((1 - p) * (1 + s), 1), ("<",), under=("rho", "best")),
        "attained": Relation((kappa, rho**2), ("=",), under=("rho", "best", "kappa", "split")),
        "unbiased": Relation((sqrt((1 - p) * p * X_v) / p, UNBIASED), ("=",)),
        "error-any": Relation(
            (error_after, (1 - p) * ((1 + s) * error_now + (1 + 1 / s) * X * R)),
            ("<=",),
            under=("coin", "any"),
        ),
        "any": Relation(
            (((1 - p) * sqrt(X) + sqrt((1 - p) * X)) / p, ANY, 2 / sqrt(p) * sqrt((1 - p) / p * X)),
            ("=", "<="),
        ),
        "contractive": Relation(
            (second, (1 - alpha) * Sum(size[i] / (n**2 * w[i]), CLIENTS)),
            ("<=",),
            under=("weights", "outcomes", "contractive"),
        ),
        "weights": Relation(
            (second, CONTRACTIVE_X * R),
            ("<=",),
            under=("weights", "outcomes", "contractive", "own-smoothness", "proportional"),
        ),
        "scaled-variance": Relation((V, SCALED_VARIANCE * R), ("<=",), under=("scaled",)),
        **silent_run.RELATIONS,
        "scaled-bias": Relation((bias_sq, SCALED_BIAS * R), ("<=",), under=("coin", "scaled")),
    },
    formulas=FORMULAS,
    internal=INTERNAL,
    values={"broken": FORMULAS["broken"]},
    worst_cases=cases(r"""
        $C_i\equiv0$, $f=\frac12x^2$, $x^0=1$, $p=\frac12$: the error has the whole difference as its mean
          | p = 1/2, X = 1, L_minus = 1, gamma = 1 - sqrt(2)/2 | 1 - sqrt(2)/2
        half of RandK with $K=2$, $f=\frac12\|x\|^2$, $n=1$, $d=8$ | p = 1/20, X_v = 3/4, X_b = 1/4,
          L_minus = 1, sigma = 1/2, omega = 3 | 2 / (21 + sqrt(437))
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, ALWAYS)
    _examples(K)
    K.conclude("error", _error(K))
    K.conclude("error-any", _error_any(K))
    parts.roots(K)
    _round(K)
    parts.contractive(K)
    parts.scaled(K)
    parts.best(K)
    silent_run.conclude(K)


def _examples(K: Any) -> None:
    K.example({**silent_run.example(4), L_minus: 1, s: 1, X_v: 0, X_b: 1, X: 1})
    quarter = Rational(1, 4)
    state = {name: value for name, value in one.EXAMPLE.items() if name not in REPLACED}
    signs = {s: HALF, X_v: 2, X_b: 0, X: 2, gamma: quarter, L_minus: 1, p: HALF}
    state |= {**signs, bias: (0, 0), bias_sq: 0, kappa: 4}
    K.example(state)
    K.example(state)
    K.example(
        {
            **state,
            n: 1,
            sigma: 1,
            omega: 1,
            L_plus: 1,
            size: (1,),
            a: ((1, 0),),
            r: ((HALF, HALF),),
            own: (1,),
        }
    )
    K.example({**signs, **run.EXAMPLE, E_0: 1})
    best = {s: 1, X_b: 1, X_v: 0, rho: 1, kappa: 1, p: Rational(3, 4), X: 1, gamma: quarter, L_minus: 1, d: 1}
    K.example(best)
    K.example(
        {
            **best,
            n: 2,
            alpha: HALF,
            size: (1, 1),
            w: (HALF, HALF),
            L: (1, 1),
            R: 1,
            O: 1,
            P: (1,),
            err: (((0,), (0,)),),
            second: 0,
            own: (0, 0),
        }
    )


def _expected(K: Any, goal: Any, *terms: Any) -> Any:
    """Return a bound on the error of the next estimate from bounds on mean and variance of the message."""
    coordinate = K.identity(NOISY, (g[j] - u[j] + bias[j]) ** 2 + v[j])
    tossed = K.identity(TOSSED, (1 - p) * Sum(NOISY, COORDINATES))
    return K.cert(
        goal,
        (1, K.given("coin")),
        (1, tossed),
        (1 - p, K.sum_over(coordinate, COORDINATES)),
        (1 - p, K.sum_over(young(K, g[j] - u[j], bias[j], s), COORDINATES)),
        ((p - 1) * (1 + s), K.given("round", 1)),
        (p - 1, K.given("coordinates")),
        ((p - 1) * (1 + 1 / s), K.given("coin", 1)),
        *terms,
    )


def _error(K: Any) -> Any:
    return _expected(
        K,
        le(error_after, (1 - p) * ((1 + s) * error_now + (X_v + (1 + 1 / s) * X_b) * R)),
        (1 - p, K.given("noise")),
        ((1 - p) * (1 + 1 / s), K.given("noise", 1)),
    )


def _error_any(K: Any) -> Any:
    variances = K.cert(
        le(0, V), (1, K.sum_over(K.at(K.given("variances"), j), COORDINATES)), (-1, K.given("coordinates"))
    )
    return _expected(
        K,
        le(error_after, (1 - p) * ((1 + s) * error_now + (1 + 1 / s) * X * R)),
        ((1 - p) * (1 + 1 / s), K.given("any")),
        ((1 - p) / s, variances),
    )


def _round(K: Any) -> None:
    """Part (b) and what follows for runs."""
    K.know(K.cert(lt(0, LEFT), (1, K.given("split"))))
    K.know(K.sign(le(0, KAPPA)))
    K.know(K.cert(le(0, kappa), (1, KAPPA), (-1, K.given("kappa"))))
    root = sqrt(kappa)
    room = K.cert(le(gamma * (L_minus + root), 1), (L_minus + root, K.given("step")))
    spent = kappa * gamma**2 + L_minus * gamma
    small = K.cert(le(spent, 1), (1 + gamma * root, room), (1, gamma**2 * L_minus * root))
    potential = K.cert(
        le(after + WEIGHT * error_after, now + WEIGHT * error_now - gamma / 2 * G),
        (1, one.descent(K)),
        (WEIGHT, _error(K)),
        (R / (2 * gamma), small),
        (-gamma * R / 2, K.given("kappa")),
    )
    K.conclude("potential", potential)
    K.conclude("rate", run.average(K, WEIGHT, E_0))
    beta = sqrt(X_b)
    least = K.cert(
        le(rho**2, kappa),
        ((1 - p) / (s * LEFT), (s * ROOT - beta) ** 2),
        (-1, K.given("kappa")),
        (rho + ROOT, K.given("rho")),
    )
    K.conclude("least", least)
