r"""`cq_marina/finding-identical-clients`: equal clients favour compressed gradients (arXiv 2401.05518)."""

from typing import Any

from sympy import Integer, Rational, oo, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.cost import equal_runs
from theory.cq_marina.cost.bracket import BINARY
from theory.cq_marina.cost.psi import BEST, ODDS, A, at, at_most, attained, best, c, examples, p, psi
from theory.cq_marina.paper import PAPER
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, L, gamma, X, T, S2, unit, Delta_0, epsilon = symbols("d L gamma X T S2 unit Delta_0 epsilon", real=True)

_ROOT = sqrt((1 - p) / p * A)
_DCGD = c * (1 + A)
_MARINA = (p + (1 - p) * c) * (1 + _ROOT)
_THRESHOLD = 1 / c - 1
_VALUES = {
    "one_bit": Integer(31),
    "dcgd_at_one": Rational(1, 16),
    "marina_at_one": Rational(4018, 10000),
    "part": Rational(1, 2),
}

CLAIM = Claim(
    id="cq_marina/finding-identical-clients",
    kind="finding",
    provenance="derived",
    title="For identical clients compressed gradients beat MARINA, unless their error is large",
    position=32,
    paper=PAPER,
    **statement(
        r"""
        Read without a condition on the clients, the claim that MARINA with correlated quantization
        outperforms distributed SGD with it fails for identical clients: DCGD (`cq_marina/dsgd`) has no
        floor, MARINA has $L_+=L_-=L$, $L_\pm=0$. $A$ bounds the error of the estimate relative to the mean
        of the clients' squared gradients; in (g) to (i) it is this error, as with independent bits. A
        compressed message is $c$ times as long as $d$ numbers of single precision. Costs are those of the
        guarantees at the largest steps, $T=\frac{2\Delta_0}{\gamma\varepsilon^2}$ rounds without rounding
        and the first full one, against $B=32d\frac{2\Delta_0L}{\varepsilon^2}$ bits of gradient descent.
        (a: dcgd) At the step $\gamma=\frac1{L(1+A)}$ DCGD costs $$32dcT=c(1+A)B.$$ [proof]
        (b: marina) MARINA with $\mathcal X=AL^2$ costs at its step
          $\gamma=\frac1{L+\sqrt{\frac{1-p}p\mathcal X}}$
          $$32d(p+(1-p)c)T=(p+(1-p)c)\Big(1+\sqrt{\tfrac{1-p}pA}\Big)B.$$ [proof]
        (c: cheaper) DCGD is cheaper for all $0<p\le1$ if $A<\frac1c-1$:
          $$c(1+A)<(p+(1-p)c)\Big(1+\sqrt{\tfrac{1-p}pA}\Big).$$ [proof; exact/every probability]
        (d: best) That includes the best $p$ of MARINA, whose cost is $\psi(A,c)$ in `cq_marina/comm-ratio`:
          $$c(1+A)<\psi(A,c).$$ [proof; exact/best probability]
        (e: beyond) For $A\ge\frac1c-1$ MARINA with full rounds only, <<which is gradient descent of cost 1
          -> exact/beyond the threshold>>, is at most as expensive: $$1\le c(1+A).$$ [proof; exact/beyond
          the threshold]
        (f: threshold, dcgd-at-one, marina-at-one, best-at-one) <<One bit in place of 32 -> proof>>,
          $c=\frac1{32}$: the threshold is $\frac1c-1=31$. At $A=1$ DCGD then costs $c(1+A)=\frac1{16}$,
          MARINA at every $p$ <<at least 0.4018 -> proof>>,
          $$0.4018\le(p+(1-p)c)\Big(1+\sqrt{\tfrac{1-p}pA}\Big),$$ and at its best $p$ <<at most 0.4019 ->
          proof>>: $\psi(A,c)\le0.4019$. [proof; exact/threshold; exact/cost of DCGD at one; exact/cost of
          MARINA at one]
        (g: fourteen, twice) So do runs: on equal quadratics with the curvature $L$ in all directions,
          $S^2=0$, $A=1$ and $d=32$, $c=\frac1{16}$, DCGD has $D_{14}\le10^{-4}D_0$ at its step. MARINA with
          its step for any $p<1$, $G_0>0$ and $G_k\le10^{-4}G_0$ after $k\ge1$ rounds has sent at least twice
          the bits: $$2\cdot14\cdot32dc\le32d(1+k(p+(1-p)c)).$$ <<On the equal quadratics of
          `cq_marina/exp-quadratic` with independent one-bit quantizers, at 50 clients (full profile: 10,
          too), DCGD needs at most half -> exact/bits of DCGD and MARINA>>. [proof; exact/bits of DCGD and
          MARINA]
        (h: floor) What holds instead: with different gradients at the solution, of the mean square $S^2$,
          DCGD <<with this step stops at the floor $\frac A{1+A}S^2$ -> proof>> of `cq_marina/dsgd`,
          $$\gamma LAS^2=(2-\gamma L(1+A))\frac A{1+A}S^2.$$ [proof]
        (i: stays) With the curvature $L$ in all directions no round passes it: if $D_0\ge\frac A{1+A}S^2$,
          $$\frac A{1+A}S^2\le D_k$$ for all $k$. <<In the runs of (g) at 50 clients, with shifts, the floor
          is above the accuracy -> exact/floor above the accuracy>>, and <<MARINA reaches it -> exact/rounds
          of MARINA with shifts>>. [proof; exact/floor above the accuracy; exact/rounds of MARINA with
          shifts]
        """
    ),
    variables=(
        Variable(A, "A", r"\mathbb R_{\ge0}", "error relative to the mean of clients' squared gradients"),
        Variable(c, "c", "(0,1]", "length of a compressed message relative to an uncompressed one"),
        Variable(p, "p", "(0,1]", "probability of a round with full gradients"),
        Variable(psi, r"\psi(A,c)", "(0,1]", "the smallest cost of MARINA"),
        BEST,
        ODDS,
        Variable(S2, "S^2", r"\mathbb R_{\ge0}", "mean square of the gradients at the solution"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(L, "L", r"\mathbb R_{>0}", r"Lipschitz constant of $\nabla f$"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(T, "T", r"\mathbb R_{\ge0}", "number of rounds"),
        Variable(unit, "B", r"\mathbb R_{\ge0}", "bits of gradient descent"),
        Variable(X, r"\mathcal X", r"\mathbb R_{\ge0}", "constant of the noise of MARINA"),
        Variable(Delta_0, r"\Delta_0", r"\mathbb R_{\ge0}", r"$f(x^0)-f^\star$"),
        Variable(epsilon, r"\varepsilon", r"\mathbb R_{>0}", r"accuracy of $\|\nabla f\|$"),
        *equal_runs.VARIABLES,
    ),
    notation={"f_i": "objective of a client", "x": "the iterate", "s_i": "its shift"},
    ranges={"t": (0, oo)},
    hypotheses={
        "signs": domain(r"$A\ge0$, $0<c\le1$, $0<p\le1$"),
        "scales": domain(r"$L,\gamma,\varepsilon>0$"),
        "counts": definition(
            r"$T=\frac{2\Delta_0}{\gamma\varepsilon^2}$, $B=32d\frac{2\Delta_0L}{\varepsilon^2}$"
        ),
        "step": parameter(r"$\gamma=\frac1{L(1+A)}$"),
        "differences": definition(r"$\mathcal X=AL^2$"),
        "marina-step": parameter(r"$\gamma=\frac1{L+\sqrt{\frac{1-p}p\mathcal X}}$"),
        "below": parameter(r"$A<\frac1c-1$"),
        "psi": definition(at_most(r"\psi(A,c)", "A")),
        "attained": definition(attained(r"\psi(A,c)", "A", r"p^\star")),
        "one-bit": parameter(r"$c=\frac1{32}$"),
        "one": parameter("$A=1$"),
        "beyond": parameter(r"$A\ge\frac1c-1$"),
        **equal_runs.HYPOTHESES,
    },
    relations={
        "dcgd": Relation((32 * d * c * T, _DCGD * unit), ("=",), under=("step",)),
        "marina": Relation(
            (32 * d * (p + (1 - p) * c) * T, _MARINA * unit),
            ("=",),
            under=("differences", "marina-step"),
        ),
        "cheaper": Relation((_DCGD, _MARINA), ("<",), under=("below",)),
        "best": Relation((_DCGD, psi), ("<",), under=("below", "attained")),
        "threshold": Relation((_THRESHOLD, 31), ("=",), under=("one-bit",)),
        "dcgd-at-one": Relation((_DCGD, Rational(1, 16)), ("=",), under=("one-bit", "one")),
        "marina-at-one": Relation((Rational(4018, 10000), _MARINA), ("<=",), under=("one-bit", "one")),
        "best-at-one": Relation((psi, Rational(4019, 10000)), ("<=",), under=("psi", "one-bit", "one")),
        "floor": Relation(
            (gamma * L * A * S2, (2 - gamma * L * (1 + A)) * A / (1 + A) * S2), ("=",), under=("step",)
        ),
        "beyond": Relation((1, _DCGD), ("<=",), under=("beyond",)),
        **equal_runs.RELATIONS,
    },
    formulas={"bound": _MARINA, "dcgd_cost": _DCGD, "threshold": _THRESHOLD, **_VALUES},
    internal=dict.fromkeys(_VALUES, "a number of (f) or (g)"),
    values=_VALUES,
    worst_cases=cases("""
        $A=1$ at one bit in place of 32: the cost of DCGD | A = 1, c = 1/32 | 1/16
        at the threshold DCGD costs as much as gradient descent | A = 31, c = 1/32 | 1
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    half, quarter = Rational(1, 2), Rational(1, 4)
    fixed = {p: half, d: 2, L: 1, Delta_0: 1, epsilon: 1, unit: 128}
    K.example({**fixed, A: 1, c: quarter, gamma: half, X: 1, T: 4})
    K.example({**fixed, A: 1, c: Rational(1, 32), psi: Rational(1, 32), gamma: half, X: 1, T: 4, S2: 3})
    examples(K)
    K.example({**fixed, A: 9, c: half, gamma: quarter, X: 9, T: 8})
    counts = [K.given("counts"), K.given("counts", 1)]
    share = 64 * Delta_0 * d * c * L * (1 + A) / (gamma * epsilon**2)
    dcgd = K.cert(eq(32 * d * c * T, _DCGD * unit), (-share, K.given("step")), using=counts)
    K.conclude("dcgd", dcgd)
    root = sqrt((1 - p) / p * X)
    sent = 64 * Delta_0 * d * (p + (1 - p) * c) / epsilon**2
    marina = K.cert(
        eq(32 * d * (p + (1 - p) * c) * T, _MARINA * unit),
        (-sent * (L + root) / gamma, K.given("marina-step")),
        (sent, K.axiom("root-product", (1 - p) / p * A, L**2, half)),
        (sent * _ROOT, K.axiom("root-root", L, 2, half)),
        using=[*counts, K.given("differences")],
    )
    K.conclude("marina", marina)
    below = K.given("below")
    v, a = sqrt((1 - p) / p), sqrt(A)
    cheaper = K.cert(
        lt(_DCGD, _MARINA),
        (c * p * (1 + v * a / 4), below),
        (c * v * a * p, (v - a / 2) ** 2),
        (1, (3 + c) / 4 * v * a * p),
        (-(p + (1 - p) * c), K.axiom("root-product", (1 - p) / p, A, half)),
    )
    K.conclude("cheaper", cheaper)
    inside, attained = [K.given("attained", place) for place in (1, 2)], K.given("attained")
    smallest = K.discharge(K.instantiate(cheaper, {p: best}), *inside)
    K.conclude("best", K.cert(lt(_DCGD, psi), (1, smallest), (-1, attained)))
    numbers = [K.given("one-bit"), K.given("one")]
    K.conclude("threshold", K.cert(eq(_THRESHOLD, 31), using=numbers[:1]))
    K.conclude("dcgd-at-one", K.cert(eq(_DCGD, Rational(1, 16)), using=numbers))
    stated = 32 * (p + (1 - p) * BINARY.length) * (1 + sqrt((1 - p) / p))
    marina = (Rational(1, 32), BINARY.at_least(K, stated))
    K.conclude("marina-at-one", K.cert(le(Rational(4018, 10000), _MARINA), marina, using=numbers))
    least = at(K, "psi", psi, A, c, 1 / (1 + BINARY.point**2))
    K.conclude("best-at-one", K.cert(le(psi, Rational(4019, 10000)), (1, least), using=numbers))
    floor = (2 - gamma * L * (1 + A)) * A / (1 + A) * S2
    K.conclude("floor", K.cert(eq(gamma * L * A * S2, floor), using=[K.given("step")]))
    K.conclude("beyond", K.cert(le(1, _DCGD), (c, K.given("beyond"))))
    equal_runs.prove(K)
