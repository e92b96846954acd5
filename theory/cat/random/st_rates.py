r"""`cat/st-rates`: rates of gradient descent with randomly kept entries (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, log, oo, symbols

from theory.cat.paper import PAPER
from theory.cat.random.tangents import tangents
from theory.cat.random.two_rounds import FIRST_GAP, random_product, two_rounds
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

L, mu, omega, G, delta, after, P, m, D, D_next = symbols("L mu omega G delta after P m D D_next", real=True)
D_0, slope, second = symbols("D_0 slope second", real=True)
Delta_0, epsilon, e_bar, y, K, k, factors = symbols("Delta_0 epsilon e_bar y K k factors", real=True)
gap, u, w, c, ratio, v, far, phi = symbols("gap u w c ratio v far phi", cls=IndexedBase, real=True)
RUN, EVER = (k, 0, K - 1), (k, 0, oo)

_FACTOR = 1 - omega * mu / L
_BOUND = _FACTOR**K * Delta_0
_SUM = 2 * L * Delta_0
_COST = 2 * L * Delta_0 / (epsilon * e_bar)
_DISTANCE = L * D_0 / 2
_POLYAK_COST = L / mu * (log(Delta_0 / epsilon) + 1) / e_bar
_NEARER = 2 * omega * delta / L
_TWO_GAP, _PRODUCT = two_rounds()


_HYPOTHESES = {
    "signs": domain(r"$L,\mu,\omega>0$"),
    "rounds": domain(r"$K\ge0$ is an integer"),
    "gaps": domain(r"$\delta,\Delta_0\ge0$"),
    "smooth": model(
        r"$\mathbb E\delta^+\le\delta-\frac\omega L\mathbb E\langle g,Q\rangle"
        r"+\frac{\omega^2}{2L}\mathbb E\|Q\|^2$, since $F$ is $L$-smooth"
    ),
    "message": model(
        r"$\mathbb E\langle g,Q\rangle=\|g\|^2$, $\omega\,\mathbb E\|Q\|^2=\|g\|^2$, since $Q$ is unbiased"
    ),
    "polyak": model(r"the Polyak-Łojasiewicz inequality: $\|g\|^2\ge2\mu\delta$"),
    "past": parameter(r"$P>0$ and $\omega\mu<L$"),
    "moments": model(
        r"$\mathbb E\|x^+-x^\star\|^2=\|x-x^\star\|^2-\frac{2\omega}L\langle g,x-x^\star\rangle"
        r"+\frac{\omega^2}{L^2}\mathbb E\|Q\|^2$, since $Q$ is unbiased"
    ),
    "convex": model(
        r"$F$ is convex and $L$-smooth: $\langle g,x-x^\star\rangle\ge\delta+\frac{\|g\|^2}{2L}$",
        reference="Y. Nesterov, Lectures on Convex Optimization, 2nd ed., theorem 2.1.5",
    ),
    "descent": model(
        r"$\mathbb E\delta_{k+1}\le\mathbb E\delta_k-\frac1{2L}\mathbb E[\omega_k\|g_k\|^2]$, "
        r"$\mathbb E\delta_k\ge0$, $\mathbb E\delta_0=\Delta_0$, since this bounds a round given those before"
    ),
    "accuracies": domain(r"$\epsilon,\bar e>0$"),
    "efficient": parameter(r"$\bar e\,\mathbb E[C_k]\le\mathbb E\omega_k$"),
    "costly": model(
        r"$\epsilon\,\mathbb E\omega_k\le\mathbb E[\omega_k\|g_k\|^2]$, "
        "since shares that come after the end count as zeros"
    ),
    "product": model(
        r"$\mathbb E[\delta_{t+1}/\prod_{k<t+1}(1-\frac{\omega_k\mu}L)]\le"
        r"\mathbb E[\delta_t/\prod_{k<t}(1-\frac{\omega_k\mu}L)]$, "
        r"$\mathbb E[\delta_0/\prod_{k<0}(1-\frac{\omega_k\mu}L)]=\Delta_0$, "
        "since part c bounds a round given those before"
    ),
    "least": model(
        r"$\mathbb E\delta_{k+1}\le(1-\frac{\omega\mu}L)\mathbb E\delta_k$, $\mathbb E\delta_0=\Delta_0$, "
        "since part c bounds a round given those before"
    ),
    "small": parameter(r"$\omega\mu\le L$"),
    "large": parameter(r"$\delta>\epsilon$"),
    "above": parameter(r"$y\ge\epsilon$"),
    "below": parameter(r"$0\le y\le\epsilon$"),
    "potential": model(
        r"$\mathbb E\varphi(\delta_{k+1})\le\mathbb E\varphi(\delta_k)-\frac\mu L\mathbb E\omega_k$, "
        r"$\mathbb E\varphi(\delta_k)\ge-1$, $\mathbb E\varphi(\delta_0)=\log\frac{\Delta_0}\epsilon$, "
        "since part f bounds a round given those before"
    ),
    "start": parameter(r"$\epsilon\le\Delta_0$"),
    "two": definition(
        r"$\Delta_0=\frac{39}{38}$, $\mathbb E[(1-\omega_0\mu/L)(1-\omega_1\mu/L)]=\frac{13427}{134400}$ "
        "and the expected gap after two rounds are those of the example of (i)",
        *map(eq, (Delta_0, gap[2], factors), (FIRST_GAP, _TWO_GAP, _PRODUCT)),
    ),
    "nearer": model(
        r"$\mathbb E\|x_{k+1}-x^\star\|^2\le\mathbb E\|x_k-x^\star\|^2-\frac2L\mathbb E[\omega_k\delta_k]$, "
        r"$\mathbb E\|x_k-x^\star\|^2\ge0$, $\mathbb E\|x_0-x^\star\|^2=\|x_0-x^\star\|^2$, "
        "since this bounds a round given those before"
    ),
}


CLAIM = Claim(
    id="cat/st-rates",
    kind="rate",
    provenance="rederived",
    title="Rates with randomly kept entries on one node",
    position=19,
    paper=PAPER,
    **statement(
        r"""
        One node, $x_{k+1}=x_k-\frac{\omega_k}LQ_k$ with unbiased $Q_k$ of the share $\omega_k$, which
        depends on $x_k$ only; $g$, $\delta=F(x)-F^\star$, $\omega$ and $x^+$ are those of one round,
        $\Delta_0$ is the gap of $x_0$. $C_k$ is the cost of a message; in (b) and (g) $C_k$
        and $\omega_k$ are 0 after the end of the run.
        (a: round, sum) One round on an $L$-smooth $F$, with $\mathbb E\langle g,Q\rangle=\|g\|^2$ and
          $\omega\,\mathbb E\|Q\|^2=\|g\|^2$: $\mathbb
          E\delta^+\le\delta-\frac{\omega\|g\|^2}{2L}$. So for every $K$ $$\sum_{k<K}\mathbb
          E[\omega_k\|g_k\|^2]\le2L\Delta_0.$$ [proof; exact/sum of omega |g|^2; exact/total probability]
        (b: cost) <<Until the first $\|g_k\|^2\le\epsilon$ -> exact/cost>> messages cost, for every $K$,
          if $\bar e\,\mathbb E[C_k]\le\mathbb E\omega_k$ in each round, as where $\bar e$ is at most the
          share over the expected cost on the way, $$\sum_{k<K}\mathbb E[C_k]\le\frac{2L\Delta_0}{\epsilon\bar
          e}$$ in expectation. [proof; exact/cost]
        (c: polyak-round, normalised-round) Under the Polyak-Łojasiewicz inequality $\mathbb
          E\delta^+\le\Big(1-\frac{\omega\mu}L\Big)\delta$, and over the product $P>0$ of the factors
          before, where $\omega\mu<L$, $$\frac{\mathbb E\delta^+}{P(1-\omega\mu/L)}\le\frac\delta P.$$
          [proof; run/gap; run/step of the run; run/direction of the run; run/message of a node]
        (d: normalised) So, where all factors are positive, for every $K$ $$\mathbb
          E\Big[\delta_K\Big/\prod_{k<K}\Big(1-\frac{\omega_k\mu}L\Big)\Big]\le\Delta_0.$$ [proof; exact/gap
          over the product]
        (e: rate) If no share is below $\omega$, and $\omega\mu\le L$, for every $K$ $$\mathbb
          E\delta_K\le\Big(1-\frac{\omega\mu}L\Big)^K\Delta_0.$$ [proof; exact/gap]
        (f: tangent-above, tangent-below) <<Let $\varphi(y)=\log\frac y\epsilon$ for -> proof>>
          $y\ge\epsilon$ <<and $\frac y\epsilon-1$ below -> proof>>. For $\delta>\epsilon$ its tangent is
          above: $\log\frac y\epsilon\le\log\frac\delta\epsilon+\frac y\delta-1$ if $y\ge\epsilon$, and
          $\frac y\epsilon-1\le\log\frac\delta\epsilon+\frac y\delta-1$ if $0\le y\le\epsilon$. [proof]
        (g: polyak-cost) So (an addition, derived here), for $\epsilon\le\Delta_0$, <<until the first
          $\delta_k\le\epsilon$ -> exact/cost until a gap>> messages cost for every $K$
          $$\sum_{k<K}\mathbb E[C_k]\le\frac L{\mu\bar e}\Big(\log\frac{\Delta_0}\epsilon+1\Big)$$ in
          expectation, with $\bar e$ as in (b). [proof; exact/cost until a gap]
        (h: distance-round, distance) On convex $F$, $\mathbb
          E\|x^+-x^\star\|^2\le\|x-x^\star\|^2-\frac{2\omega\delta}L$, so that for every $K$
          $$\sum_{k<K}\mathbb E[\omega_k\delta_k]\le\frac{L\|x_0-x^\star\|^2}2:$$ the initial distance
          suffices, unlike for the largest entries (`cat/finding-distance-grows`, numerically). [proof;
          exact/sum of omega delta; run/squared distance]
        (i: random-product) The product in (d) is random: <<on $\frac12x_1^2+\frac{19}{40}x_2^2$ from
          $(1,\frac{20}{19})$, one entry in expectation -> exact/gap after two rounds>>, $$\Delta_0\mathbb
          E[(1-\omega_0\mu/L)(1-\omega_1\mu/L)]<\mathbb E\delta_2.$$ [proof; exact/mean product below the
          gap; exact/mean product; exact/gap after two rounds]
        """
    ),
    variables=(
        Variable(L, "L", r"\mathbb R_{>0}", "smoothness constant of $F$"),
        Variable(mu, r"\mu", r"\mathbb R_{>0}", "constant of the Polyak-Łojasiewicz inequality"),
        Variable(K, "K", r"\mathbb N_0", "number of rounds"),
        Variable(omega, r"\omega", "(0,1]", "share of a round, or a lower bound of all shares"),
        Variable(G, r"\|g\|^2", r"\mathbb R_{\ge0}", "squared norm of the gradient"),
        Variable(slope, r"\mathbb E\langle g,Q\rangle", r"\mathbb R", "expected slope along the message"),
        Variable(second, r"\mathbb E\|Q\|^2", r"\mathbb R_{\ge0}", "second moment of the message"),
        Variable(delta, r"\delta", r"\mathbb R_{\ge0}", "gap"),
        Variable(after, r"\mathbb E\delta^+", r"\mathbb R_{\ge0}", "expected gap after a round"),
        Variable(P, "P", r"\mathbb R_{>0}", "product of the factors before"),
        Variable(Delta_0, r"\Delta_0", r"\mathbb R_{\ge0}", r"$F(x_0)-F^\star$"),
        Variable(epsilon, r"\epsilon", r"\mathbb R_{>0}", "accuracy that is asked for"),
        Variable(e_bar, r"\bar e", r"\mathbb R_{>0}", "lower bound of the efficiency along the run itself"),
        Variable(y, "y", r"\mathbb R_{\ge0}", "another gap"),
        Variable(D, r"\|x-x^\star\|^2", r"\mathbb R_{\ge0}", "squared distance"),
        Variable(D_next, r"\mathbb E\|x^+-x^\star\|^2", r"\mathbb R_{\ge0}", "after a round"),
        Variable(D_0, r"\|x_0-x^\star\|^2", r"\mathbb R_{\ge0}", "at the start"),
        Variable(m, r"\langle g,x-x^\star\rangle", r"\mathbb R", "slope towards the minimiser"),
        Variable(u, r"\mathbb E[\omega_{#1}\|g_{#1}\|^2]", r"\mathbb R_{\ge0}", "", "(oo,)", first=0),
        Variable(v, r"\mathbb E[\omega_{#1}\delta_{#1}]", r"\mathbb R_{\ge0}", "", "(oo,)", first=0),
        Variable(c, r"\mathbb E[C_{#1}]", r"\mathbb R_{\ge0}", "expected costs", "(oo,)", first=0),
        Variable(w, r"\mathbb E\omega_{#1}", "[0,1]", "expected shares, 0 after the end", "(oo,)", first=0),
        Variable(
            phi, r"\mathbb E\varphi(\delta_{#1})", r"\mathbb R", "expected potentials", "(oo,)", first=0
        ),
        Variable(
            far, r"\mathbb E\|x_{#1}-x^\star\|^2", r"\mathbb R_{\ge0}", "expected distances", "(oo,)", first=0
        ),
        Variable(gap, r"\mathbb E\delta_{#1}", r"\mathbb R_{\ge0}", "expected gaps", "(oo,)", first=0),
        Variable(factors, r"\mathbb E[(1-\omega_0\mu/L)(1-\omega_1\mu/L)]", "[0,1]", "of two rounds"),
        Variable(
            ratio,
            r"\mathbb E\Big[\delta_{#1}\Big/\prod_{k<#1}\Big(1-\frac{\omega_k\mu}L\Big)\Big]",
            r"\mathbb R_{\ge0}",
            "expected gap over the product of the factors",
            "(oo,)",
            first=0,
        ),
    ),
    notation={
        "F": "objective",
        "g": "gradient",
        "Q": "message of one round",
        "Q_{#1}": "message",
        "C_{#1}": "cost of a message",
        "x": "point",
        "x^+": "next point",
        "x_{#1}": "point of a round",
        r"x^\star": "minimiser",
        r"\omega_{#1}": "share of a round",
        r"\varphi(y)": "potential",
        r"\varphi": "potential",
    },
    ranges={"k": (0, oo), "t": (0, oo)},
    hypotheses=_HYPOTHESES,
    relations={
        "round": Relation((after, delta - omega * G / (2 * L)), ("<=",), under=("smooth", "message")),
        "sum": Relation((Sum(u[k], RUN), _SUM), ("<=",), under=("descent",)),
        "cost": Relation((Sum(c[k], RUN), _COST), ("<=",), under=("descent", "efficient", "costly")),
        "polyak-round": Relation((after, _FACTOR * delta), ("<=",), under=("smooth", "message", "polyak")),
        "normalised-round": Relation(
            (after / (P * _FACTOR), delta / P), ("<=",), under=("smooth", "message", "polyak", "past")
        ),
        "normalised": Relation((ratio[K], Delta_0), ("<=",), under=("product",)),
        "rate": Relation((gap[K], _BOUND), ("<=",), under=("least", "small")),
        "tangent-above": Relation(
            (log(y / epsilon), log(delta / epsilon) + y / delta - 1), ("<=",), under=("large", "above")
        ),
        "tangent-below": Relation(
            (y / epsilon - 1, log(delta / epsilon) + y / delta - 1), ("<=",), under=("large", "below")
        ),
        "polyak-cost": Relation(
            (Sum(c[k], RUN), _POLYAK_COST), ("<=",), under=("potential", "efficient", "start")
        ),
        "distance-round": Relation((D_next, D - _NEARER), ("<=",), under=("moments", "message", "convex")),
        "random-product": Relation((Delta_0 * factors, gap[2]), ("<",), under=("two",)),
        "distance": Relation((Sum(v[k], RUN), _DISTANCE), ("<=",), under=("nearer",)),
    },
    formulas={
        "bound": _BOUND,
        "step": omega / L,
        "factor": _FACTOR,
        "sum": _SUM,
        "cost": _COST,
        "distance": _DISTANCE,
        "polyak_cost": _POLYAK_COST,
        "nearer": _NEARER,
        "two_rounds": Rational(787705531, 5630688000),
        "product": _PRODUCT,
    },
    internal={
        "two_rounds": "the right side in part (i)",
        "product": "in part (i)",
        "step": "the step of the setting",
        "factor": "in part (c)",
        "nearer": "in part (h)",
    },
    worst_cases=cases(r"""
        equal entries, one of two expected: half of the gap is left | omega = 1/2, mu = 1, L = 1, K = 1,
          Delta_0 = 1 | 1/2
        one dimension, $F=\frac L2x^2$: one round, (h) attained | L = 2, D_0 = 9 | 9
        there with $C=6$, $\epsilon=\frac{99}{100}\Delta_0$: the bound of the cost until this gap; the one
          round costs 6, the limit for $\epsilon\to\Delta_0$ | L = 2, mu = 2, Delta_0 = 9, epsilon = 891/100,
          e_bar = 1/6 | 6*log(100/99) + 6
    """),
)


def _once(first: Any, then: Any = 0) -> tuple[Any, ...]:
    return (first, *(then,) * 151)


# F = x^2/2 from 1, the whole gradient sent: the first round ends the run.
_HALF = Rational(1, 2)
_EXAMPLE: dict[Any, Any] = {L: 1, mu: _HALF, omega: 1, K: 1, P: 1, epsilon: _HALF, e_bar: 1}
_EXAMPLE |= {delta: _HALF, G: 1, slope: 1, second: 1, after: 0, D: 1, m: 1, D_next: 0, Delta_0: _HALF, D_0: 1}
_EXAMPLE |= {gap: _once(_HALF), ratio: _once(_HALF), u: _once(1), w: _once(1), c: _once(1)}
_EXAMPLE |= {far: _once(1), v: _once(_HALF), phi: _once(0, -1)}


def derive(kernel: Any) -> None:
    """Prove the relations: one round each, and telescoping sums."""
    given = kernel.given
    kernel.index(EVER)
    kernel.example(_EXAMPLE)
    kernel.example({epsilon: 1, e_bar: 1, delta: 2, y: 1})
    _rate(kernel)
    second_moment = given("message", 1)
    descent = kernel.cert(
        le(after, delta - omega * G / (2 * L)),
        (1, given("smooth")), (-omega / L, given("message")), (omega / (2 * L), second_moment),
    )  # fmt: skip
    kernel.conclude("round", descent)
    polyak = kernel.cert(le(after, _FACTOR * delta), (1, descent), (omega / (2 * L), given("polyak")))
    kernel.conclude("polyak-round", polyak)
    nearer = kernel.cert(
        le(D_next, D - _NEARER),
        (1, given("moments")), (omega / L**2, second_moment), (2 * omega / L, given("convex")),
    )  # fmt: skip
    kernel.conclude("distance-round", nearer)
    kernel.know(given("past"), kernel.cert(lt(0, _FACTOR), (1 / L, given("past", 1))))
    kernel.conclude(
        "normalised-round", kernel.cert(le(after / (P * _FACTOR), delta / P), (1 / (P * _FACTOR), polyak))
    )

    def summed(name: str, family: Any, place: int = 0) -> list[tuple[int, Any]]:
        """Return the hypothesis at each round, added up, with the telescoping part."""
        rounds = kernel.sum_over(kernel.at(given(name, place), k), RUN)
        return [(1, rounds), (-1, telescoping_sum(kernel, family[k], k, K))]

    def scaled(factor: Any, terms: list[tuple[int, Any]]) -> list[tuple[Any, Any]]:
        return [(factor * one, item) for one, item in terms]

    falling = [*summed("descent", gap), (1, kernel.at(given("descent", 1), K)), (1, given("descent", 2))]
    kernel.conclude("sum", kernel.cert(le(Sum(u[k], RUN), _SUM), *scaled(2 * L, falling)))
    costs = [kernel.sum_over(kernel.at(given(name), k), RUN) for name in ("efficient", "costly")]
    cost = kernel.cert(
        le(Sum(c[k], RUN), _COST),
        *scaled(2 * L / (epsilon * e_bar), falling), (1 / e_bar, costs[0]), (1 / (epsilon * e_bar), costs[1]),
    )  # fmt: skip
    kernel.conclude("cost", cost)
    same = kernel.cert(le(ratio[K], Delta_0), *summed("product", ratio), (1, given("product", 1)))
    kernel.conclude("normalised", same)
    approach = [*summed("nearer", far), (1, kernel.at(given("nearer", 1), K)), (1, given("nearer", 2))]
    kernel.conclude("distance", kernel.cert(le(Sum(v[k], RUN), _DISTANCE), *scaled(L / 2, approach)))
    potential = [
        *summed("potential", phi),
        (1, kernel.at(given("potential", 1), K)),
        (1, given("potential", 2)),
    ]
    until = kernel.cert(
        le(Sum(c[k], RUN), _POLYAK_COST), *scaled(L / (mu * e_bar), potential), (1 / e_bar, costs[0])
    )
    kernel.conclude("polyak-cost", until)
    tangents(kernel, y, epsilon, delta)
    kernel.conclude("random-product", random_product(kernel, Delta_0, factors, gap[2]))


def _rate(kernel: Any) -> None:
    given = kernel.given
    kernel.know(kernel.cert(le(0, _FACTOR), (1 / L, given("small"))))
    before = kernel.assume(le(gap[K], _BOUND))
    step = kernel.cert(
        le(gap[K + 1], _FACTOR ** (K + 1) * Delta_0), (1, kernel.at(given("least"), K)), (_FACTOR, before)
    )
    rate = kernel.induction(K, kernel.cert(le(gap[0], Delta_0), (1, given("least", 1))), step)
    kernel.conclude("rate", kernel.at(rate, K))
