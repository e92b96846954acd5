r"""`cq_marina/dsgd`: compressed gradients against MARINA (arXiv 2401.05518, abstract)."""

from typing import Any

from sympy import Integer, Rational, Sum, oo, sqrt

from theory.claim import Claim
from theory.cq_marina.cost.dsgd_model import (
    ALWAYS,
    BOUND,
    COARSE,
    CONTRACTION,
    COORDINATES,
    FINE,
    FINE_STEP,
    FLOOR,
    FLOOR_ANY,
    FORMULAS,
    HYPOTHESES,
    MOVED,
    NODES,
    NOTATION,
    RELATIONS,
    ROOT,
    RUN,
    SHIFTED,
    STEP,
    VARIABLES,
    A,
    Delta_0,
    G,
    L,
    S_sq,
    T,
    V,
    V_mean,
    X,
    after,
    d,
    distance,
    distance_after,
    epsilon,
    gamma,
    gap,
    i,
    j,
    k,
    mean_square,
    moment,
    n,
    now,
    omega,
    p,
    q,
    recursion,
    s,
    settled,
    sigma_sq,
    smallest,
    square,
    t,
    u,
    v,
    variance,
    x,
)
from theory.cq_marina.paper import PAPER
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import eq, le, lt
from theory.statement import statement
from theory.worst_cases import cases

CLAIM = Claim(
    id="cq_marina/dsgd",
    kind="rate",
    provenance="abstract",
    title="Compressed gradients against MARINA: the noise of different clients",
    position=31,
    paper=PAPER,
    **statement(
        r"""
        DCGD: $x^+=x-\gamma\hat g$ with an unbiased estimate $\hat g$ of $\nabla f(x)$ from compressed
        gradients, where $f$ is $L$-smooth. Shifted clients: $f_i(x)=\frac L2\|x\|^2+\langle s_i,x\rangle$,
        $\sum_is_i=0$, $S^2=\frac1n\sum_i\|s_i\|^2$, with independent one-bit quantizers,
        $\tilde\omega=\frac{d-1}n$. MARINA as in `cq_marina/marina-rate`. Instance: four clients, eight
        coordinates, $L=S=1$.
        (a: descent) If $\mathbb E\|\hat g-\nabla f(x)\|^2\le A\|\nabla f(x)\|^2+\sigma^2$ and
          $\gamma\le\frac1{L(1+A)}$, one round of DCGD gives $$\mathbb Ef(x^+)-f^\star\le
          f(x)-f^\star-\frac\gamma2\|\nabla f(x)\|^2+\frac L2\gamma^2\sigma^2.$$ [proof]
        (b: rate) Hence, with (a) in each round, for every $T\ge1$ $$\min_{k<T}\mathbb E\|\nabla
          f(x^k)\|^2\le\frac1T\sum_{k<T}\mathbb E\|\nabla f(x^k)\|^2\le\frac{2\Delta_0}{\gamma
          T}+L\gamma\sigma^2,$$ where $\Delta_0$ is the gap at the start. [proof; exact/average]
        (c: accuracy) For $\sigma^2>0$,
          $\gamma=\min\big\{\frac1{L(1+A)},\frac{\varepsilon^2}{2L\sigma^2}\big\}$ and
          $T\ge\max\big\{\frac{4\Delta_0L(1+A)}{\varepsilon^2},\frac{8\Delta_0L\sigma^2}{\varepsilon^4}\
          \big\}$ rounds the bound is at most the accuracy: $$\frac{2\Delta_0}{\gamma
          T}+L\gamma\sigma^2\le\varepsilon^2.$$ [proof]
        (d: noise) Shifted clients have <<$\tilde\omega$ for $A$ and $\tilde\omega S^2$ for $\sigma^2$ ->
          proof>>:
          $$\mathbb E\|\hat g-\nabla f(x)\|^2=\tilde\omega\big(L^2\|x-x^\star\|^2+S^2\big).$$ [proof]
        (e: recursion) So one round of DCGD on them has exactly $$\mathbb E\|x^+-x^\star\|^2=(1-\gamma
          L)^2\|x-x^\star\|^2+\gamma^2\tilde\omega\big(L^2\|x-x^\star\|^2+S^2\big).$$ [proof; exact/one
          round; montecarlo/one round]
        (f: value, contracts) For $\gamma L(1+\tilde\omega)<2$ the second moment is, from $v$ at the start
          and with $q=(1-\gamma L)^2+\gamma^2\tilde\omega L^2$, $$\mathbb
          E\|x^k-x^\star\|^2=q^k\big(v-v_\infty\big)+v_\infty,\qquad0\le q<1.$$ [proof; exact/second moment]
        (g: floor, positive) <<Its limit is the fixed point -> exact/floor>>, $L^2v_\infty=\frac{\gamma
          L\tilde\omega S^2}{2-\gamma L(1+\tilde\omega)}$, a floor of the squared gradient that is positive
          for $\tilde\omega,S^2>0$: $$0<\frac{\gamma L\tilde\omega S^2}{2-\gamma L(1+\tilde\omega)}.$$
          [proof; exact/floor]
        (h: largest) At the largest step $\gamma=\frac1{L(1+\tilde\omega)}$ the floor is the noise term of
          (b), which hence cannot be smaller: $$\frac{\gamma L\tilde\omega S^2}{2-\gamma
          L(1+\tilde\omega)}=L\gamma\tilde\omega S^2.$$ [proof]
        (i: any) With any unbiased compressor, of mean error $\bar V$ where the second moment no longer
          changes and $\gamma L<2$, $$L^2v_\infty=\frac{\gamma L\bar V}{2-\gamma L}.$$ [proof]
        (j) For the correlated quantizer <<$\bar V$ is about $V_{CQ}(s_1,\dots,s_n)$ -> exact/error near the
          solution>>, the error at the solution, where $\gamma$ is small: on the instance the error at
          tested points $x$ with <<$\|x-x^\star\|\le\frac1{10}$ -> exact/error near the solution>> differs
          from it by at most <<$\|x-x^\star\|$ times it -> exact/error near the solution>>. [exact/error
          near the solution]
        (k: marina) MARINA compresses differences, in which <<the shifts cancel: $L_\pm=0$, $\mathcal
          X=\tilde\omega L^2$ -> exact/Hessian variance>>. At its step
          $\gamma=\frac1{L+\sqrt{\frac{1-p}p\mathcal X}}$ and
          $T\ge\frac{2\Delta_0L(1+\sqrt{\frac{1-p}p\tilde\omega})}{\varepsilon^2}$ its bound
          $\frac{2\Delta_0}{\gamma T}$ is at most $\varepsilon^2$: no floor, $$\frac{2\Delta_0}{\gamma
          T}\le\varepsilon^2.$$ [proof; exact/Hessian variance; run/averages of the squared gradient]
        (l) On the instance its averages stay below that bound, and after {value:many} rounds <<at
          $p=\frac1{10}$ -> exact/below the floor of DCGD>> the squared gradient is below {value:part} of
          the floor of DCGD at the same step. [exact/average of MARINA; exact/below the floor of DCGD]
        """
    ),
    variables=VARIABLES,
    notation=NOTATION,
    ranges={"t": (0, oo)},
    hypotheses=HYPOTHESES,
    relations=RELATIONS,
    formulas=FORMULAS,
    internal={
        **dict.fromkeys(
            ("step_size", "accuracy_step", "rounds", "marina_rounds"), "said as a hypothesis of its part"
        ),
        "relative_variance": r"$\tilde\omega$ of the one-bit quantizers, said in the setting",
        "value": r"part (f) with the fixed point of (g)",
        **dict.fromkeys(("many", "part"), "numbers of part (l), said as values"),
    },
    values={"many": Integer(1000), "part": Rational(1, 10**6)},
    worst_cases=cases(r"""
        $L=1$, $\gamma=0.05$, $n=4$, $d=8$, $S^2=1$: the floor | L = 1, gamma = 1/20, n = 4, d = 8, S_sq = 1,
          omega = 7/4, v = 8 | 7/149
        the largest step $\frac1{L(1+\tilde\omega)}$: floor and noise term of the bound agree | L = 1,
          omega = 7/4, S_sq = 1, gamma = 4/11 | 7/11
        equal gradients, $S=0$: no floor, and compressed gradients are the cheaper method | L = 1,
          omega = 7/4, S_sq = 0, gamma = 4/11 | 0
    """),
)

# What the examples share: one client, coordinate and round, no error.
_LEAST: dict[Any, Any] = {
    n: 1,
    d: 1,
    k: 1,
    T: 1,
    p: Rational(1, 2),
    L: 1,
    A: 0,
    sigma_sq: 0,
    omega: 0,
    S_sq: 0,
}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, NODES, ALWAYS)
    _rate(K)
    _accuracy(K)
    _shifted(K)
    _floor(K)
    _marina(K)
    K.know(K.given("floor"), K.given("floor", 1))
    K.conclude("positive", K.sign(lt(0, FLOOR)))


def _rate(K: Any) -> None:
    half = Rational(1, 2)
    K.example(
        {
            **_LEAST,
            d: 2,
            u: (1, 2),
            variance: (half, half),
            G: 5,
            V: 1,
            sigma_sq: 1,
            gamma: half,
            now: 9,
            after: 6,
        }
    )
    K.example(
        {
            **_LEAST,
            T: 3,
            gamma: half,
            sigma_sq: 1,
            Delta_0: 2,
            gap: (2,) * 152,
            square: (0,) * 152,
            smallest: 0,
            mean_square: 0,
        }
    )
    coordinate = K.identity(MOVED, (L / 2 * gamma**2 - gamma) * u[j] ** 2 + L / 2 * gamma**2 * variance[j])
    descent = K.cert(
        le(after, now - gamma / 2 * G + L / 2 * gamma**2 * sigma_sq),
        (1, K.given("smooth")),
        (1, K.sum_over(coordinate, COORDINATES)),
        (L / 2 * gamma**2, K.given("error")),
        (gamma / 2 * G * L * (1 + A), K.given("step")),
        using=[K.given("round"), K.given("round", 1)],
    )
    K.conclude("descent", descent)
    above = K.sum_over(K.at(K.given("average", 1), t), RUN)
    first = K.cert(le(smallest, mean_square), (1 / T, above), (-1, K.given("average")))
    summed = K.cert(
        le(gamma / 2 * Sum(square[t], RUN), Delta_0 + T * L / 2 * gamma**2 * sigma_sq),
        (1, K.sum_over(K.at(K.given("tower", 2), t), RUN)),
        (-1, telescoping_sum(K, gap[t], t, T)),
        (1, K.given("tower")),
        (1, K.at(K.given("tower", 1), T)),
    )
    second = K.cert(le(mean_square, BOUND), (1, K.given("average")), (2 / (gamma * T), summed))
    K.conclude("rate", first, second)


def _accuracy(K: Any) -> None:
    noisy = {A: 1, sigma_sq: 1, omega: 1, S_sq: 1}
    K.example({**_LEAST, **noisy, epsilon: 1, Delta_0: 1, gamma: Rational(1, 2), T: 8})
    K.know(K.given("noisy"))
    fine = K.cert(
        le(gamma, FINE_STEP),
        (1, K.given("accuracy-step")),
        (1, K.axiom("min-below-right", STEP, FINE_STEP)),
    )
    enough = [
        K.cert(le(term, T), (1, K.given("rounds")), (1, K.axiom(f"max-above-{side}", COARSE, FINE)))
        for term, side in ((COARSE, "left"), (FINE, "right"))
    ]
    goal = le(4 * Delta_0 / (gamma * epsilon**2), T)
    by_case = []
    for one, other, count in ((STEP, FINE_STEP, enough[0]), (FINE_STEP, STEP, enough[1])):
        chosen = K.cert(
            eq(gamma, one), (1, K.given("accuracy-step")), (1, K.axiom("min-is-left", one, other))
        )
        by_case.append(K.cert(goal, (1, count), (-4 * Delta_0 / (gamma * one * epsilon**2), chosen)))
    long = K.cases(STEP - FINE_STEP, *by_case)
    K.conclude("accuracy", K.cert(le(BOUND, epsilon**2), (L * sigma_sq, fine), (epsilon**2 / (2 * T), long)))


def _shifted(K: Any) -> None:
    K.example(
        {
            **_LEAST,
            n: 2,
            gamma: 1,
            omega: 1,
            s: ((1,), (-1,)),
            S_sq: 1,
            x: (2,),
            distance: 4,
            u: (2,),
            G: 4,
            V: 5,
            variance: (5,),
            distance_after: 5,
        }
    )
    sums = K.given("shifts")
    cross = K.sum_over(K.cert(eq(x[j] * Sum(s[i, j], NODES), 0), (x[j], K.at(sums, j))), COORDINATES)
    spread, length = K.given("shifts", 1), K.given("shifts", 2)
    noise = K.cert(
        eq(V, omega * (L**2 * distance + S_sq)),
        (1, K.given("quantizers")),
        (2 * L * omega / n, cross),
        (-omega, spread),
        (-omega * L**2, length),
    )
    K.conclude("noise", noise)
    coordinate = K.identity(SHIFTED, (1 - gamma * L) ** 2 * x[j] ** 2 + gamma**2 * variance[j])
    after_round = K.cert(
        eq(distance_after, recursion(distance)),
        (1, K.given("moved")),
        (1, K.sum_over(coordinate, COORDINATES)),
        (-((1 - gamma * L) ** 2), length),
        (-(gamma**2), K.given("round", 1)),
        (gamma**2, noise),
    )
    K.conclude("recursion", after_round)
    quarter = Rational(1, 4)
    K.example(
        {
            **_LEAST,
            gamma: 1,
            omega: quarter,
            S_sq: 3,
            settled: 1,
            V_mean: 1,
            q: quarter,
            v: 1,
            k: 2,
            moment: (1,) * 152,
        }
    )

    def statement(count: Any) -> Any:
        return eq(moment[count], q**count * (v - settled) + settled)

    step = K.cert(
        statement(t + 1),
        (1, K.at(K.given("moments", 1), t)),
        (q, K.assume(statement(t))),
        (-1, K.given("limit")),
        (settled - moment[t], K.given("factor")),
    )
    base = K.cert(statement(0), (1, K.given("moments")))
    K.conclude("value", K.at(K.induction(t, base, step), k))


def _floor(K: Any) -> None:
    stable, fixed = K.given("stable"), K.given("limit")
    below = K.cert(lt(q, 1), (1, K.given("factor")), (gamma * L, stable))
    K.conclude("contracts", K.cert(le(0, q), (-1, K.given("factor")), (1, CONTRACTION)), below)
    room = 2 - gamma * L * (1 + omega)
    K.know(K.cert(lt(0, room), (1, stable)))
    K.conclude("floor", K.cert(eq(L**2 * settled, FLOOR), (L / (gamma * room), fixed)))
    largest = K.given("largest")
    noise_term = K.cert(
        eq(FLOOR, L * gamma * omega * S_sq),
        (L * gamma * omega * S_sq * L * (1 + omega) / room, largest),
    )
    K.conclude("largest", noise_term)
    K.know(K.cert(lt(0, 2 - gamma * L), (1, K.given("below-two"))))
    K.conclude("any", K.cert(eq(L**2 * settled, FLOOR_ANY), (L / (gamma * (2 - gamma * L)), K.given("any"))))


def _marina(K: Any) -> None:
    half = Rational(1, 2)
    K.example({**_LEAST, gamma: Rational(1, 4), omega: 9, X: 9, epsilon: 1, Delta_0: 1, T: 8})
    odds, root = (1 - p) / p * omega, sqrt((1 - p) / p * X)
    K.know(K.given("differences", 1))
    squares = K.cert(le((1 - p) / p * X, odds * L**2), ((1 - p) / p, K.given("differences")))
    marina = K.cert(
        le(2 * Delta_0 / (gamma * T), epsilon**2),
        (epsilon**2 / T, K.given("marina-rounds")),
        (-2 * Delta_0 * (L + root) / (gamma * T), K.given("marina-step")),
        (2 * Delta_0 / T, K.power(squares, half)),
        (2 * Delta_0 / T, K.axiom("root-product", odds, L**2, half)),
        (2 * Delta_0 / T * ROOT, K.axiom("root-root", L, 2, half)),
    )
    K.conclude("marina", marina)
