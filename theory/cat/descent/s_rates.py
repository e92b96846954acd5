r"""`cat/s-rates`: three rates of steps along the largest entries or their signs (arXiv 2003.06377)."""

from typing import Any

from sympy import Product, Sum, Symbol, exp, log, oo, symbols

from theory.cat.descent.runs_model import (
    EACH,
    EXAMPLE,
    HYPOTHESES,
    Delta_0,
    G,
    L,
    P,
    R,
    alpha,
    contraction,
    convex_gaps,
    delta,
    k,
    mu,
    shares_until,
)
from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

Sigma, epsilon, alpha_bar, A, rounds, d, T = symbols("Sigma epsilon alpha_bar A K d T", real=True)
least = Symbol("G_min", real=True)
RUN = (k, 0, rounds - 1)

_TOTAL = Sum(alpha[k], RUN)
_FIRST, _EXPONENTIAL, _THIRD = (
    2 * L * Delta_0 / Sigma,
    Delta_0 * exp(-Sigma * mu / L),
    2 * L * R**2 / (Sigma + 4),
)
_ENOUGH = {
    "nonconvex": 2 * L * Delta_0 / (epsilon * alpha_bar),
    "linear": L / (mu * alpha_bar) * log(Delta_0 / epsilon),
    "convex": 2 * L * R**2 / (epsilon * alpha_bar),
}

_HYPOTHESES = {
    **HYPOTHESES,
    "rounds": domain(r"$K\ge0$ is an integer"),
    "total": definition(r"$\Sigma_K=\sum_{k=0}^{K-1}\alpha_k$"),
    "least": definition(r"$\min_{k<K}\|g_k\|^2\le\|g_k\|^2$ for $k<K$"),
    "some": domain(r"$\Sigma_K>0$"),
    "accuracy": domain(r"$\varepsilon,\Delta_0>0$"),
    "lower": parameter(r"$\bar\alpha>0$, $\bar\alpha K\le\Sigma_K$"),
    "enough-nonconvex": parameter(r"$K\ge\frac{2L\Delta_0}{\varepsilon\bar\alpha}$"),
    "enough-linear": parameter(r"$K\ge\frac L{\mu\bar\alpha}\log\frac{\Delta_0}\varepsilon$"),
    "enough-convex": parameter(r"$K\ge\frac{2LR^2}{\varepsilon\bar\alpha}$"),
    "fixed": parameter(
        r"$T,d,\bar\alpha>0$, $\bar\alpha=\frac Td$",
        reference="cat/alpha-shape",
    ),
    "sphere": model(
        r"$\mu=L$, $\|g_k\|^2=2L\delta_k$, $\delta_{k+1}=\delta_k-\frac{\alpha_k}{2L}\|g_k\|^2$, "
        r"since $F$ is $\frac L2\|x\|^2$",
        reference="cat/s-descent, cat/sq-descent",
    ),
    "at-once": model(r"all entries are sent once: $K=1$, $\alpha_0=1$"),
    "before": model(r"$K=0$, $\delta_0=\frac L2R^2$, since $R$ is the distance of the start"),
}


CLAIM = Claim(
    id="cat/s-rates",
    kind="rate",
    provenance="rederived",
    title="Rates of steps that guarantee a share of the decrease of gradient descent",
    position=5,
    paper=PAPER,
    **statement(
        r"""
        Each step guarantees a share $\alpha_k$ of the decrease that gradient descent guarantees,
        $$\delta_{k+1}\le\delta_k-\frac{\alpha_k}{2L}\|g_k\|^2,\qquad0\le\alpha_k\le1,$$ where
        $\delta_k=F(x_k)-F^\star$, $\delta_0=\Delta_0$, $g_k=\nabla F(x_k)$ and
        $\Sigma_K=\sum_{k<K}\alpha_k$. Two such steps are run, with $T^k$ chosen in any way: along the
        $T^k$ largest entries, $x_{k+1}=x_k-\frac1LQ_{T^k}(g_k)$, where $\alpha_k$ is their share of
        $\|g_k\|^2$ (`cat/s-descent`), and along their signs, where it is the $\beta(T^k)$ of
        `cat/sq-descent`.
        (a: first) If $\Sigma_K>0$, $$\min_{k<K}\|g_k\|^2\le\frac{2L\Delta_0}{\Sigma_K}.$$ [proof;
          exact/least gradient; run/least gradient]
        (b: second) Under the Polyak-Łojasiewicz inequality, where $\mu\le L$,
          $$\delta_K\le\Delta_0\prod_{k<K}\Big(1-\frac{\alpha_k\mu}L\Big)\le\Delta_0e^{-\Sigma_K\mu/L}.$$
          [proof; exact/gap and product; run/gap and product; run/exponential form]
        (c: third) For convex $F$, with $R$ the largest distance of a point of the level set of $x_0$ to the
          minimisers, $$\delta_K\le\frac{2LR^2}{\Sigma_K+4}.$$ [proof; exact/gap and radius; run/gap and
          radius]
        (d: enough-nonconvex) Let $\varepsilon>0$, $\Delta_0>0$ and $\bar\alpha K\le\Sigma_K$, as where no
          share is below $\bar\alpha>0$, in (e) and (f), too. Any
          $K\ge\frac{2L\Delta_0}{\varepsilon\bar\alpha}$ iterations reach
          $$\min_{k<K}\|g_k\|^2\le\varepsilon.$$ [proof; exact/first accuracy]
        (e: enough-linear) Under the Polyak-Łojasiewicz inequality any $K\ge\frac
          L{\mu\bar\alpha}\log\frac{\Delta_0}\varepsilon$ reach $$\delta_K\le\varepsilon.$$ [proof;
          exact/second accuracy]
        (f: enough-convex) For convex $F$ any $K\ge\frac{2LR^2}{\varepsilon\bar\alpha}$ reach
          $$\delta_K\le\varepsilon.$$ [proof; exact/third accuracy]
        (g: fixed) For the largest entries, not for their signs (`cat/sq-range`), a fixed $T$ allows
          $\bar\alpha=\frac Td$ (`cat/alpha-shape`): then the numbers in (d), (e) and (f), which are those
          of gradient descent $A$ over $\bar\alpha$, are $$\frac A{\bar\alpha}=\frac dTA.$$ [proof;
          exact/fixed size]
        (h: sphere, at-once, before) <<On $F=\frac L2\|x\|^2$, -> exact/product attained>> where $\mu=L$,
          <<and with signs if no kept entry is 0, -> exact/product attained>> the product is attained,
          $$\delta_K=\Delta_0\prod_{k<K}\Big(1-\frac{\alpha_k\mu}L\Big),$$ and so are the first bound by
          one iteration that sends all entries themselves, and the third one before the first iteration:
          $$\|g_0\|^2=\frac{2L\Delta_0}{\Sigma_K},\qquad\delta_0=\frac{2LR^2}{\Sigma_K+4}.$$ [proof;
          exact/product attained; exact/first bound attained; exact/third bound attained]
        """
    ),
    variables=(
        Variable(L, "L", r"\mathbb R_{>0}", "smoothness constant of $F$"),
        Variable(mu, r"\mu", "(0,L]", "constant of the Polyak-Łojasiewicz inequality"),
        Variable(Delta_0, r"\Delta_0", r"\mathbb R_{>0}", r"$F(x_0)-F^\star$"),
        Variable(Sigma, r"\Sigma_K", r"\mathbb R_{>0}", "sum of the shares of the run itself"),
        Variable(rounds, "K", r"\mathbb N_0", "number of iterations"),
        Variable(epsilon, r"\varepsilon", r"\mathbb R_{>0}", "accuracy that is asked for"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\{1,\dots,d\}", "number of entries that are sent"),
        Variable(A, "A", r"\mathbb R_{>0}", "number of iterations of gradient descent"),
        Variable(
            R, "R", r"\mathbb R_{>0}", "largest distance of the level set of the start to the minimisers"
        ),
        Variable(alpha_bar, r"\bar\alpha", "(0,1]", "lower bound of the shares along the run"),
        Variable(alpha, r"\alpha", r"[0,1]^\infty", "guaranteed shares", "(oo,)", first=0),
        Variable(delta, r"\delta", r"\mathbb R_{\ge0}^\infty", "gaps", "(oo,)", first=0),
        Variable(G, r"\|g_{#1}\|^2", r"\mathbb R_{\ge0}^\infty", "squared gradients", "(oo,)", first=0),
        Variable(least, r"\min_{k<K}\|g_k\|^2", r"\mathbb R_{\ge0}", "the least of them"),
        Variable(
            P,
            r"\prod_{k<#1}\Big(1-\frac{\alpha_k\mu}L\Big)",
            r"\mathbb R_{\ge0}^\infty",
            "contraction after so many iterations",
            "(oo,)",
            first=0,
            aliases=("P",),
        ),
    ),
    ranges={"k": (0, oo)},
    notation={"g_{#1}": "gradients", "x_{#1}": "iterates", "T^{#1}": "sizes", "F": "the objective"},
    hypotheses=_HYPOTHESES,
    relations={
        "first": Relation((least, _FIRST), ("<=",), under=("descent", "some")),
        "second": Relation(
            (delta[rounds], Delta_0 * P[rounds], _EXPONENTIAL), ("<=", "<="), under=("descent", "polyak")
        ),
        "third": Relation((delta[rounds], _THIRD), ("<=",), under=("descent", "radius")),
        "enough-nonconvex": Relation(
            (least, epsilon), ("<=",), under=("descent", "accuracy", "lower", "enough-nonconvex")
        ),
        "enough-linear": Relation(
            (delta[rounds], epsilon),
            ("<=",),
            under=("descent", "polyak", "accuracy", "lower", "enough-linear"),
        ),
        "enough-convex": Relation(
            (delta[rounds], epsilon),
            ("<=",),
            under=("descent", "radius", "accuracy", "lower", "enough-convex"),
        ),
        "fixed": Relation((A / alpha_bar, d / T * A), ("=",), under=("fixed",)),
        "sphere": Relation((delta[rounds], Delta_0 * P[rounds]), ("=",), under=("sphere",)),
        "at-once": Relation((G[0], _FIRST), ("=",), under=("sphere", "at-once", "some")),
        "before": Relation((delta[0], _THIRD), ("=",), under=("sphere", "before")),
    },
    formulas={
        "bound": _FIRST,
        "total": _TOTAL,
        "product": Delta_0 * Product(1 - alpha[k] * mu / L, RUN),
        "exponential": _EXPONENTIAL,
        "convex": _THIRD,
        **{f"iterations_{name}": value for name, value in _ENOUGH.items()},
        "fixed_factor": d / T,
    },
    internal={
        "total": "the definition of the sum, in the setting",
        "product": "the product of (b), of which the derivation knows the factors one after the other",
        **{f"iterations_{name}": "said as a hypothesis" for name in _ENOUGH},
    },
    worst_cases=cases(r"""
        $\frac12\|x\|^2$, flat, $d=64$, $T=d$, $K=1$: equality in the first rate | L = 1, Delta_0 = 32,
          Sigma = 1 | 64
        $\frac12\|x\|^2$, flat, $d=4$, $T=1$, two iterations: equality in the product | L = 1, mu = 1,
          Delta_0 = 2, K = 2, alpha = (1/4, 1/3) | 1
        $\frac12\|x\|^2$ at $\|x\|=R$ before the first iteration: equality in the third rate | L = 1, R = 2,
          Sigma = 0 | 2
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: sums of the descent, products of contractions, an induction for convex F."""
    K.index(EACH)
    K.example({**EXAMPLE, rounds: 1, Sigma: 1, least: 1, epsilon: 2, alpha_bar: 1, T: 1, d: 1})
    K.know(K.cert(le(0, Sigma), (1, _TOTAL), (-1, K.given("total"))))
    K.know(K.cert(le(0, Delta_0), (1, K.at(K.given("gaps"), 0)), (1, K.given("gaps", 1))))
    long_enough = K.given("lower", 1)
    K.conclude("fixed", K.cert(eq(A / alpha_bar, d / T * A), using=[K.given("fixed", 3)]))
    _attained(K)
    _second(K, long_enough)
    _third(K, long_enough)
    _first(K, long_enough)


def _first(K: Any, long_enough: Any) -> None:
    """Sum the descent; each squared gradient is at least the least one."""
    each = K.cert(le(alpha[k] * least, alpha[k] * G[k]), (alpha[k], K.at(K.given("least"), k)))
    sums = K.cert(
        le(Sigma * least, 2 * L * Delta_0),
        (2 * L, K.sum_over(K.at(K.given("descent"), k), RUN)),
        (-2 * L, telescoping_sum(K, delta[k], k, rounds)),
        (1, K.sum_over(each, RUN)),
        (2 * L, K.given("gaps", 1)),
        (2 * L, K.at(K.given("gaps"), rounds)),
        (least, K.given("total")),
    )
    K.know(K.given("some"))
    first = K.cert(le(least, _FIRST), (1 / Sigma, sums))
    K.conclude("first", first)
    K.know(K.given("lower"), K.given("accuracy"), K.given("accuracy", 1))
    enough = K.given("enough-nonconvex")
    K.know(K.cert(lt(0, rounds), (1, enough), (1, K.sign(lt(0, _ENOUGH["nonconvex"])))))
    positive = K.cert(lt(0, Sigma), (1, long_enough), (1, K.sign(lt(0, rounds * alpha_bar))))
    found = K.cert(
        le(least, epsilon),
        (1, first),
        (epsilon / Sigma, long_enough),
        (epsilon * alpha_bar / Sigma, enough),
    )
    K.conclude("enough-nonconvex", K.discharge(found, positive))


def _second(K: Any, long_enough: Any) -> None:
    """Contractions multiply, and each factor is at most its exponential."""
    product, powers = contraction(K)
    total = K.exp(K.cert(le(-mu / L * shares_until(rounds), -Sigma * mu / L), (mu / L, K.given("total"))))
    links = (
        K.at(product, rounds),
        K.cert(le(Delta_0 * P[rounds], _EXPONENTIAL), (Delta_0, K.at(powers, rounds)), (Delta_0, total)),
    )
    K.conclude("second", *links)
    K.know(K.given("lower"), K.given("accuracy"), K.given("accuracy", 1))
    ratio = K.cert(
        le(-Sigma * mu / L, log(epsilon / Delta_0)),
        (mu / L, long_enough),
        (alpha_bar * mu / L, K.given("enough-linear")),
        (-1, K.axiom("log-power", Delta_0 / epsilon, -1)),
    )
    small = (
        (1, links[0]),
        (1, links[1]),
        (Delta_0, K.exp(ratio)),
        (Delta_0, K.axiom("exp-log", epsilon / Delta_0)),
    )
    K.conclude("enough-linear", K.cert(le(delta[rounds], epsilon), *small))


def _third(K: Any, long_enough: Any) -> None:
    every_gap = K.at(convex_gaps(K), rounds)
    share = 1 / (Sigma + 4)
    third = K.cert(le(delta[rounds], _THIRD), (share, every_gap), (delta[rounds] * share, K.given("total")))
    K.conclude("third", third)
    enough = K.given("enough-convex")
    small = (
        (1, third),
        (epsilon * share, long_enough),
        (epsilon * alpha_bar * share, enough),
        (4 * share, epsilon),
    )
    K.conclude("enough-convex", K.cert(le(delta[rounds], epsilon), *small))


def _attained(K: Any) -> None:
    equal, norm = K.given("sphere"), K.at(K.given("sphere", 1), k)
    grown = K.at(K.given("product", 1), k)
    start = K.given("gaps", 1)
    base = K.cert(eq(delta[0], Delta_0 * P[0]), (1, start), (-Delta_0, K.given("product")))
    step = K.cert(
        eq(delta[k + 1], Delta_0 * P[k + 1]),
        (1, K.at(K.given("sphere", 2), k)),
        (-alpha[k] / (2 * L), norm),
        (-Delta_0, grown),
        (1 - alpha[k], K.assume(eq(delta[k], Delta_0 * P[k]))),
        using=[equal],
    )
    K.conclude("sphere", K.at(K.induction(k, base, step), rounds))
    one = K.rewrite(K.given("total"), K.given("at-once"), side="right")
    total = K.cert(eq(Sigma, 1), (1, one), (1, K.given("at-once", 1)))
    gradient = K.cert(
        eq(G[0], _FIRST),
        (1, K.at(K.given("sphere", 1), 0)),
        (2 * L, start),
        using=[total],
    )
    K.conclude("at-once", gradient)
    none = K.rewrite(K.given("total"), K.given("before"), side="right")
    K.conclude(
        "before",
        K.cert(eq(delta[0], _THIRD), (1, K.given("before", 1)), using=[K.cert(eq(Sigma, 0), (1, none))]),
    )
