r"""`cat/cost-bound`: total cost until an accuracy, by the efficiencies of the run (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, exp, log, oo, symbols

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
    i,
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

epsilon, e_bar, C_d, rounds, cost = symbols("epsilon e_bar C_d K cost", real=True)
e, C = IndexedBase("e", real=True), IndexedBase("C", real=True)
RUN, LAST = (k, 0, rounds - 1), rounds - 1

_BOUND = 2 * L * Delta_0 / (epsilon * e_bar)
_POLYAK = (L / mu * log(Delta_0 / epsilon) + 1) / e_bar
_CONVEX = (2 * L * R**2 / epsilon - 3) / e_bar
_WHOLE = C_d * 2 * L * Delta_0 / epsilon

CLAIM = Claim(
    id="cat/cost-bound",
    kind="upper",
    provenance="derived",
    title="Total communication cost until an accuracy, by the efficiencies along the run",
    position=9,
    paper=PAPER,
    **statement(
        r"""
        Steps that guarantee $$\delta_{k+1}\le\delta_k-\frac{\alpha_k}{2L}\|g_k\|^2,\qquad0\le\alpha_k\le1,$$
        as those of `cat/s-rates` with any number of largest entries or of their signs, send messages of cost
        $C_k=\frac{\alpha_k}{e_k}$, with efficiencies $e_k\ge\bar e>0$. $\delta_k=F(x_k)-F^\star$, and $K$
        is the first iteration at an accuracy $\varepsilon>0$.
        (a: nonconvex) If $\Delta_0>0$, and before $K$ all $\alpha_k>0$, the messages <<until first
          $\|g_K\|^2\le\varepsilon$ -> exact/cost to a squared gradient>> cost
          $$\sum_{k<K}C_k<\frac{2L\Delta_0}{\varepsilon\bar e}.$$ [proof; exact/cost to a squared gradient;
          run/cost to a squared gradient]
        (b: polyak) Under the Polyak-Łojasiewicz inequality, where $\mu\le L$, with $\varepsilon<\Delta_0$,
          $K\ge1$ and $\varepsilon<\delta_{K-1}$, $$\sum_{k<K}C_k\le\frac{\frac
          L\mu\log\frac{\Delta_0}\varepsilon+1}{\bar e}.$$ [proof; exact/cost under Polyak-Lojasiewicz;
          run/cost under Polyak-Lojasiewicz]
        (c: convex) For convex $F$, with $R$ the largest distance of a point of the level set of $x_0$ to
          the minimisers, and $K$ and $\varepsilon$ as in (b),
          $$\sum_{k<K}C_k\le\frac{\frac{2LR^2}\varepsilon-3}{\bar e}.$$ [proof; exact/cost for convex F;
          run/cost for convex F]
        (d: whole) Let $C(d)$ be what CAT-S pays for all entries, with their indices. <<It has
          $e_k\ge\frac1{C(d)}$ -> exact/at most the bound of gradient descent>>, since it may send all
          (for signs: `cat/sq-range`). Where $\frac1{C(d)}\le\bar e$, the first bound is at most that of
          gradient descent whose messages are charged $C(d)$,
          $$\frac{2L\Delta_0}{\varepsilon\bar e}\le C(d)\cdot\frac{2L\Delta_0}\varepsilon.$$
          [proof; exact/at most the bound of gradient descent]
        (e: polyak-whole, convex-whole) So are the others, up to one iteration: for $\varepsilon<\Delta_0$,
          and convex $F$ in the second,
          $$\frac{\frac L\mu\log\frac{\Delta_0}\varepsilon+1}{\bar e}\le C(d)\Big(\frac
          L\mu\log\frac{\Delta_0}\varepsilon+1\Big),\qquad\frac{\frac{2LR^2}\varepsilon-3}{\bar e}\le
          C(d)\cdot\frac{2LR^2}\varepsilon.$$ [proof]
        """
    ),
    variables=(
        Variable(L, "L", r"\mathbb R_{>0}", "smoothness constant of $F$"),
        Variable(mu, r"\mu", "(0,L]", "constant of the Polyak-Łojasiewicz inequality"),
        Variable(Delta_0, r"\Delta_0", r"\mathbb R_{>0}", r"$F(x_0)-F^\star$"),
        Variable(epsilon, r"\varepsilon", r"\mathbb R_{>0}", "accuracy that is asked for"),
        Variable(e_bar, r"\bar e", r"\mathbb R_{>0}", "lower bound of the efficiency along the run itself"),
        Variable(
            R, "R", r"\mathbb R_{>0}", "largest distance of the level set of the start to the minimisers"
        ),
        Variable(C_d, "C(d)", r"\mathbb R_{>0}", "cost of a message with all entries and their indices"),
        Variable(rounds, "K", r"\mathbb N_0", "number of iterations"),
        Variable(alpha, r"\alpha", r"[0,1]^\infty", "shares", "(oo,)", first=0),
        Variable(e, "e", r"\mathbb R_{>0}^\infty", "efficiencies", "(oo,)", first=0),
        Variable(C, "C", r"\mathbb R_{\ge0}^\infty", "costs of the messages", "(oo,)", first=0),
        Variable(delta, r"\delta", r"\mathbb R_{\ge0}^\infty", "gaps", "(oo,)", first=0),
        Variable(G, r"\|g_{#1}\|^2", r"\mathbb R_{\ge0}^\infty", "squared gradients", "(oo,)", first=0),
        Variable(cost, r"\sum_{k<K}C_k", r"\mathbb R_{\ge0}", "cost of all messages"),
        Variable(
            P, "P", r"\mathbb R_{\ge0}^\infty", "contraction after so many iterations", "(oo,)", first=0
        ),
    ),
    notation={
        **{"g_{#1}": "gradients", "x_{#1}": "iterates", "T^{#1}": "sizes", "F": "the objective"},
        r"\gamma": "the step size",
    },
    ranges={"k": (0, oo)},
    hypotheses={
        **HYPOTHESES,
        "rounds": domain(r"$K\ge0$ is an integer"),
        "efficiencies": definition(
            r"$\bar e>0$, $\bar e\le e_k$, $C_k=\frac{\alpha_k}{e_k}$, $\sum_{k<K}C_k=\sum_{k=0}^{K-1}C_k$"
        ),
        "accuracy": domain(r"$\varepsilon>0$"),
        "some-gap": domain(r"$\Delta_0>0$"),
        "gradients": model(r"$\|g_k\|^2>\varepsilon$ for $k<K$"),
        "sending": parameter(r"$\alpha_k>0$ for $k<K$"),
        "below": parameter(r"$\varepsilon<\Delta_0$"),
        "last": parameter(r"$K\ge1$, $\varepsilon<\delta_{K-1}$"),
        "all": parameter(r"$C(d)>0$, $\frac1{C(d)}\le\bar e$", reference="cat/alpha-shape"),
    },
    relations={
        "nonconvex": Relation(
            (cost, _BOUND), ("<",), under=("descent", "accuracy", "some-gap", "gradients", "sending")
        ),
        "polyak": Relation(
            (cost, _POLYAK), ("<=",), under=("descent", "polyak", "accuracy", "below", "last")
        ),
        "convex": Relation(
            (cost, _CONVEX), ("<=",), under=("descent", "radius", "accuracy", "below", "last")
        ),
        "whole": Relation((_BOUND, _WHOLE), ("<=",), under=("accuracy", "all")),
        "polyak-whole": Relation(
            (_POLYAK, C_d * (L / mu * log(Delta_0 / epsilon) + 1)),
            ("<=",),
            under=("accuracy", "below", "all"),
        ),
        "convex-whole": Relation(
            (_CONVEX, C_d * 2 * L * R**2 / epsilon), ("<=",), under=("radius", "accuracy", "below", "all")
        ),
    },
    formulas={"bound": _BOUND, "polyak": _POLYAK, "convex": _CONVEX, "whole": _WHOLE},
    worst_cases=cases(r"""
        $F=\frac12x^2$, $x_0=1$, $\varepsilon=\frac9{10}\|g_0\|^2$, a message of cost 1: one message, bound
          $\frac{10}9$ | L = 1, Delta_0 = 1/2, epsilon = 9/10, e_bar = 1 | 10/9
        the same with $\varepsilon=\frac{999}{1000}$: the bound is nearer | L = 1, Delta_0 = 1/2,
          epsilon = 999/1000, e_bar = 1 | 1000/999
        the same until $\varepsilon=\frac9{10}\Delta_0$, under the Polyak-Łojasiewicz inequality with $\mu=1$
          | L = 1, mu = 1, Delta_0 = 1/2, epsilon = 9/20, e_bar = 1 | 1 + log(10/9)
        there as a convex function, $R=1$ | L = 1, R = 1, epsilon = 9/20, e_bar = 1 | 13/9
        the same with $\varepsilon=\frac{999}{1000}\Delta_0$: this bound, too, goes to 1 as $\varepsilon$ goes
          to $\Delta_0$ | L = 1, R = 1, epsilon = 999/2000, e_bar = 1 | 1003/999
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: a message costs its share over the efficiency, and rates bound the shares."""
    K.index(EACH)
    one = (1,) * 151
    K.example({**EXAMPLE, rounds: 1, epsilon: Rational(1, 4), e_bar: 1, e: one, C: one, cost: 1, C_d: 1})
    positive, least, price, total = (K.given("efficiencies", place) for place in range(4))
    K.know(
        K.cert(le(0, Delta_0), (1, K.at(K.given("gaps"), 0)), (1, K.given("gaps", 1))), K.given("accuracy")
    )
    K.know(K.cert(lt(0, e[k]), (1, positive), (1, K.at(least, k))))
    message = K.cert(
        le(C[k], alpha[k] / e_bar),
        (1, K.at(price, k)),
        (alpha[k] / (e[k] * e_bar), K.at(least, k)),
    )
    by_shares = K.cert(le(cost, Sum(alpha[k], RUN) / e_bar), (1, total), (1, K.sum_over(message, RUN)))
    K.know(K.given("all"))
    K.conclude("whole", K.cert(le(_BOUND, _WHOLE), (_WHOLE / e_bar, K.given("all", 1))))
    _nonconvex(K, by_shares)
    _whole(K)
    K.know(K.given("last"), K.given("below"), K.cert(lt(0, Delta_0), (1, K.given("below")), (1, epsilon)))
    split = K.split_off(Sum(alpha[k], RUN))
    before_last = K.cert(
        le(cost, (shares_until(LAST) + 1) / e_bar),
        (1, by_shares),
        (1 / e_bar, split),
        (1 / e_bar, K.at(K.given("shares", 1), LAST)),
    )
    _polyak(K, before_last)
    _convex(K, before_last)


def _nonconvex(K: Any, by_shares: Any) -> None:
    """Each share comes with more than epsilon of squared gradient, of which there is 2 L Delta_0."""
    K.know(K.at(K.given("sending"), i))
    each = K.cert(lt(epsilon * alpha[i], alpha[i] * G[i]), (alpha[i], K.at(K.given("gradients"), i)))
    scale = 1 / (epsilon * e_bar)
    more = K.cert(
        lt(cost, _BOUND),
        (1, by_shares),
        (scale, K.sum_over(each, (i, 0, LAST))),
        (2 * L * scale, K.sum_over(K.at(K.given("descent"), k), RUN)),
        (-2 * L * scale, telescoping_sum(K, delta[k], k, rounds)),
        (2 * L * scale, K.given("gaps", 1)),
        (2 * L * scale, K.at(K.given("gaps"), rounds)),
    )
    largest, other = (K.axiom("max-is-right", *pair) for pair in ((rounds, 0), (0, rounds)))
    zero = K.cert(eq(rounds, 0), (1, largest), (-1, other))
    nothing = K.rewrite(K.given("efficiencies", 3), zero, side="right")
    K.know(K.given("some-gap"))
    none = K.cert(lt(cost, _BOUND), (1, nothing), (1, K.sign(lt(0, _BOUND))))
    some = K.cert(le(0, LAST), (1, K.axiom("integer-gap", 0, rounds)))
    K.conclude("nonconvex", K.cases(rounds, none, K.discharge(more, some)))


def _polyak(K: Any, before_last: Any) -> None:
    product, powers = contraction(K)
    exponent = -mu / L * shares_until(LAST)
    running = K.cert(
        le(epsilon / Delta_0, exp(exponent)),
        (1 / Delta_0, K.given("last", 1)),
        (1 / Delta_0, K.at(product, LAST)),
        (1, K.at(powers, LAST)),
    )
    enough = K.cert(
        le(shares_until(LAST), L / mu * log(Delta_0 / epsilon)),
        (L / mu, K.log(running)),
        (L / mu, K.axiom("log-exp", exponent)),
        (-L / mu, K.axiom("log-power", Delta_0 / epsilon, -1)),
    )
    K.conclude("polyak", K.cert(le(cost, _POLYAK), (1, before_last), (1 / e_bar, enough)))


def _convex(K: Any, before_last: Any) -> None:
    scale = 1 / epsilon
    enough = K.cert(
        le(shares_until(LAST) + 4, 2 * L * R**2 / epsilon),
        (scale, K.at(convex_gaps(K), LAST)),
        ((shares_until(LAST) + 4) * scale, K.given("last", 1)),
    )
    K.conclude("convex", K.cert(le(cost, _CONVEX), (1, before_last), (1 / e_bar, enough)))


def _whole(K: Any) -> None:
    dense = K.given("all", 1)
    part, below = epsilon / Delta_0, K.given("below")
    K.know(K.cert(lt(0, Delta_0), (1, below), (1, epsilon)))
    at_least_one = K.cert(
        le(0, log(Delta_0 / epsilon)),
        (1, K.axiom("log-below", part)),
        (-1, K.axiom("log-power", Delta_0 / epsilon, -1)),
        (1 / Delta_0, below),
    )
    K.know(at_least_one)
    number = L / mu * log(Delta_0 / epsilon) + 1
    K.conclude("polyak-whole", K.cert(le(_POLYAK, C_d * number), (C_d * number / e_bar, dense)))
    number = 2 * L * R**2 / epsilon
    enough = K.cert(
        le(0, number - 3),
        (4 / epsilon, K.given("radius", 1)),
        (-4 / epsilon, K.given("gaps", 1)),
        (4 / epsilon, below),
        (1, 1),
    )
    K.know(enough)
    goal = le(_CONVEX, C_d * number)
    K.conclude("convex-whole", K.cert(goal, (C_d * (number - 3) / e_bar, dense), (3, C_d)))
