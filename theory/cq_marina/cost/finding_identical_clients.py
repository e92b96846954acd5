r"""`cq_marina/finding-identical-clients`: equal clients favour compressed gradients (arXiv 2401.05518)."""

from typing import Any

from sympy import Integer, Rational, Symbol, sqrt

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.cq_marina.paper import PAPER
from theory.formula import eq, le, lt

A, c, p, d, L, gamma, X, T, unit, Delta_0, epsilon = (
    Symbol(s, real=True) for s in ("A", "c", "p", "d", "L", "gamma", "X", "T", "unit", "Delta_0", "epsilon")
)

_ROOT = sqrt((1 - p) / p * A)
_DCGD = c * (1 + A)
_MARINA = (p + (1 - p) * c) * (1 + _ROOT)
_THRESHOLD = 1 / c - 1
_UNIT = 2 * Delta_0 * L / epsilon**2 * 32 * d
_ROUNDS = 2 * Delta_0 / (gamma * epsilon**2)
_STEP = 1 / (L * (1 + A))
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
    title="For identical clients compressed gradients beat MARINA",
    position=32,
    paper=PAPER,
    setting=(
        r"Read without a condition on the clients, the claim that MARINA with correlated quantization "
        r"outperforms distributed SGD with it fails for identical clients: the error of the estimate is at "
        r"most $A\|\nabla f\|^2$, DCGD (`cq_marina/dsgd`) has no floor, MARINA has $L_+=L_-=L$, $L_\pm=0$. A "
        r"compressed message is $c$ times as long as $d$ numbers of single precision. Costs are those of the "
        r"guarantees at the largest steps, $T=\frac{2\Delta_0}{\gamma\varepsilon^2}$ rounds without rounding "
        r"and the first full one, against $B=32d\frac{2\Delta_0L}{\varepsilon^2}$ bits of gradient descent."
    ),
    parts=(
        Part(
            "a",
            r"At the step $\gamma=\frac1{L(1+A)}$ DCGD costs $$32dcT=c(1+A)B.$$",
            says=("dcgd",),
            evidence=("proof",),
        ),
        Part(
            "b",
            r"MARINA with $\mathcal X=AL^2$ costs at its step $\gamma=\frac1{L+\sqrt{\frac{1-p}p\mathcal "
            r"X}}$ $$32d(p+(1-p)c)T=(p+(1-p)c)\Big(1+\sqrt{\tfrac{1-p}pA}\Big)B.$$",
            says=("marina",),
            evidence=("proof",),
        ),
        Part(
            "c",
            r"DCGD is cheaper for all $0<p\le1$ if $A<\frac1c-1$: "
            r"$$c(1+A)<(p+(1-p)c)\Big(1+\sqrt{\tfrac{1-p}pA}\Big).$$",
            says=("cheaper",),
            evidence=("proof", "exact/every probability"),
        ),
        Part(
            "d",
            r"That includes the best $p$ of MARINA, whose cost is $\psi(A,c)$ in `cq_marina/comm-ratio`.",
            evidence=("exact/best probability",),
            pins={r"whose cost is $\psi(A,c)$": "exact/best probability"},
        ),
        Part(
            "e",
            r"For $A\ge\frac1c-1$ MARINA with full rounds only, which is gradient descent of cost 1, "
            r"is at most as expensive: $$1\le c(1+A).$$",
            says=("beyond",),
            evidence=("proof", "exact/beyond the threshold"),
            pins={"which is gradient descent of cost 1": "exact/beyond the threshold"},
        ),
        Part(
            "f",
            r"One bit in place of 32, $c=\frac1{32}$: the threshold is {value:one_bit}; at $A=1$ DCGD costs "
            r"{value:dcgd_at_one} and MARINA at its best $p$ {value:marina_at_one,4}.",
            evidence=("exact/threshold", "exact/cost of DCGD at one", "exact/cost of MARINA at one"),
            pins={
                r"One bit in place of 32, $c=\frac1{32}$": "exact/threshold",
                r"at $A=1$ DCGD costs": "exact/cost of DCGD at one",
            },
        ),
        Part(
            "g",
            r"In exact expectations with independent one-bit quantizers on the equal quadratics of "
            r"`cq_marina/exp-quadratic` DCGD needs at most {value:part} of the bits of MARINA to the "
            r"accuracy $10^{-4}$.",
            evidence=("exact/bits of DCGD and MARINA",),
            pins={r"to the accuracy $10^{-4}$": "exact/bits of DCGD and MARINA"},
        ),
        Part(
            "h",
            r"What holds instead: with different gradients at the solution DCGD with this step stops at a "
            r"floor (`cq_marina/dsgd`), there above the accuracy, and MARINA reaches it.",
            evidence=("exact/floor above the accuracy", "exact/rounds of MARINA with shifts"),
            pins={
                "floor (`cq_marina/dsgd`), there above the accuracy": "exact/floor above the accuracy",
                "MARINA reaches it": "exact/rounds of MARINA with shifts",
            },
        ),
    ),
    variables=(
        Variable(A, "A", r"\mathbb R_{\ge0}", r"error of the estimate relative to $\|\nabla f\|^2$"),
        Variable(c, "c", "(0,1]", "length of a compressed message relative to an uncompressed one"),
        Variable(p, "p", "(0,1]", "probability of a round with full gradients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(L, "L", r"\mathbb R_{>0}", r"Lipschitz constant of $\nabla f$"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(T, "T", r"\mathbb R_{\ge0}", "number of rounds"),
        Variable(unit, "B", r"\mathbb R_{\ge0}", "bits of gradient descent"),
        Variable(X, r"\mathcal X", r"\mathbb R_{\ge0}", "constant of the noise of MARINA"),
        Variable(Delta_0, r"\Delta_0", r"\mathbb R_{\ge0}", r"$f(x^0)-f^\star$"),
        Variable(epsilon, r"\varepsilon", r"\mathbb R_{>0}", r"accuracy of $\|\nabla f\|$"),
    ),
    hypotheses={
        "signs": Hypothesis(
            "domain",
            (le(0, A), lt(0, c), le(c, 1), lt(0, p), le(p, 1)),
            r"$A\ge0$, $0<c\le1$, $0<p\le1$",
        ),
        "scales": Hypothesis("domain", (lt(0, L), lt(0, gamma), lt(0, epsilon)), r"$L,\gamma,\varepsilon>0$"),
        "counts": Hypothesis(
            "definition",
            (eq(T, _ROUNDS), eq(unit, _UNIT)),
            r"$T=\frac{2\Delta_0}{\gamma\varepsilon^2}$, $B=32d\frac{2\Delta_0L}{\varepsilon^2}$",
        ),
        "step": Hypothesis("parameter", eq(gamma, _STEP), r"$\gamma=\frac1{L(1+A)}$"),
        "differences": Hypothesis("definition", eq(X, A * L**2), r"$\mathcal X=AL^2$"),
        "marina-step": Hypothesis(
            "parameter",
            eq(gamma, 1 / (L + sqrt((1 - p) / p * X))),
            r"$\gamma=\frac1{L+\sqrt{\frac{1-p}p\mathcal X}}$",
        ),
        "below": Hypothesis("parameter", lt(A, _THRESHOLD), r"$A<\frac1c-1$"),
        "beyond": Hypothesis("parameter", le(_THRESHOLD, A), r"$A\ge\frac1c-1$"),
    },
    relations={
        "dcgd": Relation((32 * d * c * T, _DCGD * unit), ("=",), under=("step",)),
        "marina": Relation(
            (32 * d * (p + (1 - p) * c) * T, _MARINA * unit),
            ("=",),
            under=("differences", "marina-step"),
        ),
        "cheaper": Relation((_DCGD, _MARINA), ("<",), under=("below",)),
        "beyond": Relation((1, _DCGD), ("<=",), under=("beyond",)),
    },
    formulas={"bound": _MARINA, "dcgd_cost": _DCGD, "threshold": _THRESHOLD, **_VALUES},
    internal=dict.fromkeys(_VALUES, "said as a value"),
    values=_VALUES,
    worst_cases=(
        WorstCase(
            r"$A=1$ at one bit in place of 32: DCGD costs $\frac1{16}$, MARINA 0.4018",
            {"A": 1, "c": Rational(1, 32)},
            Rational(1, 16),
        ),
        WorstCase(
            r"at the threshold DCGD costs as much as gradient descent",
            {"A": 31, "c": Rational(1, 32)},
            Integer(1),
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    half, quarter = Rational(1, 2), Rational(1, 4)
    fixed = {p: half, d: 2, L: 1, Delta_0: 1, epsilon: 1, unit: 128}
    K.example({**fixed, A: 1, c: quarter, gamma: half, X: 1, T: 4})
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
    K.conclude("beyond", K.cert(le(1, _DCGD), (c, K.given("beyond"))))
