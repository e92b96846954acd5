r"""`cq_marina/finding-identical-clients`: equal clients favour compressed gradients (arXiv 2401.05518).

Without shifts DCGD costs $c(1+A)$ in the unit in which MARINA at its best $p$ costs $\psi(A,c)$, and is the
cheaper method for all $A<\frac1c-1$, which is 31 at one bit for 32.

Derivation: with $v^2=\frac{1-p}p$ and $a^2=A$ the difference of the costs, times $1+v^2$, is
$1-c(1+a^2)+va(1+cv^2-cav)$; for $c(1+a^2)\le1$ the second bracket is positive, too.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, sqrt

from theory.cq_marina.comm_ratio import CLAIM as COMM_RATIO
from theory.cq_marina.comm_ratio import MESSAGE
from theory.cq_marina.comm_ratio_derivation import message
from theory.cq_marina.dsgd import CLAIM as DSGD
from theory.cq_marina.dsgd_derivation import L, epsilon, omega
from theory.cq_marina.marina_descent import Delta_0
from theory.cq_marina.marina_rate_derivation import A
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import PROBABILITY, d, p
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

_MARINA = (p + (1 - p) * message) * (1 + sqrt((1 - p) / p * A))
_FORMULAS = {"dcgd_cost": message * (1 + A), "threshold": 1 / message - 1}

_a = Symbol("a", nonnegative=True)
_v = Symbol("v", positive=True)
# p = 1 / (1 + v^2) for every p < 1.
_ODDS = {p: 1 / (1 + _v**2), A: _a**2}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    unit = 2 * Delta_0 * L / epsilon**2 * 32 * d
    sent = 32 * d * message
    marina, dcgd, threshold = stated["bound"], stated["dcgd_cost"], stated["threshold"]
    within = "hypothesis: A is at most 1 / c - 1"
    share = 1 / (1 + _v**2)
    return (
        Identity(
            "dcgd-cost",
            r"DCGD without noise at the solution needs $T=\frac{2\Delta_0}{\gamma\varepsilon^2}$ rounds at "
            r"the step of `cq_marina/dsgd`, of $32dc$ bits each: the stated cost, in units of "
            r"$\frac{2\Delta_0L}{\varepsilon^2}32d$.",
            2 * Delta_0 / (DSGD.formulas["step_size"] * epsilon**2) * sent,
            dcgd * unit,
        ),
        Identity(
            "marina-cost",
            r"MARINA needs the rounds of `cq_marina/dsgd`, of $32d(p+(1-p)c)$ bits on average: the stated "
            r"cost in the same unit.",
            (DSGD.formulas["marina_rounds"].subs(omega, A) * (32 * d * p + (1 - p) * sent)),
            marina * unit,
        ),
        Identity(
            "same-as-comm-ratio",
            r"It is the cost whose minimum over $p$ is $\psi(A,c)$ in `cq_marina/comm-ratio` "
            r"($p=\frac1{1+v^2}$, $A=a^2$).",
            marina.subs(_ODDS),
            COMM_RATIO.formulas["cost"].subs(_ODDS),
        ),
        Certificate(
            "dcgd-is-cheaper",
            r"$c(1+A)$ is at most the cost of MARINA at every $p<1$ if $A\le\frac1c-1$, and less if $A$ is "
            r"less ($p=\frac1{1+v^2}$, $A=a^2$).",
            dcgd.subs(_ODDS),
            marina.subs(_ODDS),
            (
                Term(message * (1 + _v * _a / 4) * share, threshold - _a**2, within),
                Term(message * _v * _a * share, (_v - _a / 2) ** 2, "square of a real number"),
                Term((3 + message) * _v * _a / 4 * share, Integer(1), "one"),
            ),
        ),
        Identity(
            "gradient-descent",
            r"At $p=1$ MARINA is gradient descent, of cost 1; hence $\psi\le1$.",
            marina.subs(p, 1),
            Integer(1),
        ),
        Certificate(
            "at-full-rounds",
            r"There, too, DCGD is at most as expensive if $A\le\frac1c-1$.",
            dcgd,
            Integer(1),
            (Term(message, threshold - A, within),),
        ),
        Certificate(
            "beyond",
            r"For $A\ge\frac1c-1$ MARINA at $p=1$ is at most as expensive.",
            Integer(1),
            dcgd,
            (Term(message, A - threshold, "hypothesis: A is at least 1 / c - 1"),),
        ),
        Identity(
            "one-bit",
            r"One bit for each coordinate of 32: the threshold is 31.",
            threshold.subs(message, Rational(1, 32)),
            Integer(31),
        ),
    )


_MUTANTS = (
    Mutant(
        "with-shifts",
        r"Clients with different gradients: the floor keeps DCGD from the accuracy at all.",
        ("exact",),
    ),
    Mutant(
        "beyond-threshold",
        r"Noise $A=36$ at $c=\frac1{32}$: gradient descent costs 1, DCGD $\frac{37}{32}$.",
        ("exact",),
    ),
    Mutant(
        "counted-in-full",
        r"Count a compressed message of DCGD as a full one: $1+A$ in place of $c(1+A)$.",
        ("exact",),
    ),
    Mutant(
        "rescaled-problem",
        r"Multiply all objectives by 3: nothing may change but the unit.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cq_marina/finding-identical-clients",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="For identical clients compressed gradients beat MARINA",
    statement=(
        r"Read without a condition on the clients, the claim that MARINA with correlated quantization "
        r"outperforms distributed SGD with it fails: if all clients are identical ($s_i=0$ in "
        r"`cq_marina/dsgd`), DCGD has no floor and needs $c(1+A)$ in units of "
        r"$\frac{2\Delta_0L}{\varepsilon^2}32d$ bits, while MARINA costs "
        r"$$\psi(A,c)=\min_{0<p\le1}\big(p+(1-p)c\big)\Big(1+\sqrt{\tfrac{1-p}pA}\Big)>c(1+A)\qquad\text{for "
        r"all }0<A<\tfrac1c-1,$$ that is $A<31$ for one bit in place of 32; at $A=1$: 0.0625 against 0.4018. "
        r"What holds instead: with different gradients at the solution DCGD with a fixed step stops at a "
        r"floor "
        r"above zero, its bound asks for $O(\varepsilon^{-4})$ rounds, and MARINA converges "
        r"(`cq_marina/dsgd`)."
    ),
    variables=(
        Variable(A, r"\mathbb R_{\ge0}", r"error of the estimate relative to $\|\nabla f\|^2$"),
        MESSAGE,
        PROBABILITY,
    ),
    assumptions=(
        r"Identical clients: $V\le A\|\nabla f\|^2$, $L_\pm=0$, $L_+=L_-=L$.",
        r"Costs are those of the guarantees, at the largest steps; rounding and the first full round are "
        r"left out.",
    ),
    derivation=lambda: derivation(expressions(_MARINA, None, _FORMULAS)),
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
    mutants=_MUTANTS,
    bound=_MARINA,
    formulas=_FORMULAS,
)
