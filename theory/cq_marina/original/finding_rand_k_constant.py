r"""`cq_marina/finding-rand-k-constant`: RandK in public code (arXiv 2401.05518)."""

from typing import Any

from sympy import Eq, Piecewise, Rational, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.cost.whole_gradients import promised, whole_gradients
from theory.cq_marina.paper import PAPER
from theory.formula import le
from theory.hypotheses import definition, domain, parameter
from theory.public_constant import PublicConstant
from theory.statement import statement
from theory.worst_cases import cases

n, d, L, p, omega, average, A, c, k = symbols("n d L p omega average A c K", real=True)
public_step, own_step = symbols("gamma_P gamma", real=True)

_ODDS = (1 - p) / p
PUBLIC = 1 / (L * (1 + sqrt(_ODDS * omega)))
STEP = 1 / (L * (1 + sqrt(_ODDS * omega / n)))
COST = promised(p, c, A)
THRESHOLD = (1 - c) ** 2 / (4 * c)
CLIENTS = (10, 50)
# Kbits of a client to a mean squared gradient of a thousandth, in exact expectations, at these clients.
KBITS = {
    "public": ("29.62", "30.86"),
    "corrected": ("12.09", "6.55"),
    "independent": ("14.79", "8.61"),
    "whole": ("15.36", "15.36"),
}
_KBITS = {name: tuple(map(Rational, row)) for name, row in KBITS.items()}
_TABLES = {
    f"kbits_{name}": Piecewise(*((value, Eq(n, size)) for value, size in zip(row, CLIENTS, strict=True)))
    for name, row in _KBITS.items()
}

CLAIM = Claim(
    id="cq_marina/finding-rand-k-constant",
    kind="finding",
    provenance="derived",
    title="In public code RandK has the noise of one client, and is last on quadratics of identical clients",
    position=36,
    paper=PAPER,
    **statement(
        r"""
        Public code of MARINA (BlackSamorez/MiniFL at a687565) takes for RandK, $K$ of $d$ entries, the
        noise $\omega=\frac dK-1$ of one client where the average of $n$ clients has
        $\bar\omega=\frac\omega n$, and the length $c=\frac{32+d}{32d}$ of a one-bit message where $K$
        numbers are sent. Its probability $p$ of a whole gradient is a minimum of the promised cost;
        $\gamma_P$ is its step, $\gamma$ the one with $\bar\omega$.
        (a: valid) At the same $p$ its step $\gamma_P=\frac1{L(1+\sqrt{\frac{1-p}p\omega})}$ is valid, and no
          longer than the one with $\bar\omega$: $$\gamma_P\le\gamma=\frac1{L(1+\sqrt{\frac{1-p}p\frac\omega
          n})}.$$ [proof; exact/shorter]
        (b: root) That is by at most the root of $n$: $\gamma\le\sqrt n\gamma_P$. [proof; exact/root of n]
        (c: whole) Where the noise is large, $A>0$ and $A\ge\frac{(1-c)^2}{4c}$, no $p$ promises less than
          whole gradients only, $$1\le(p+(1-p)c)\Big(1+\sqrt{\tfrac{1-p}pA}\Big).$$ [proof; exact/promised
          cost]
        (d: one-entry) So it is <<with one of 32 entries -> exact/noise in use>>, $d=32$, $K=1$:
          $$\frac{(1-c)^2}{4c}<\omega.$$ [proof; exact/noise in use]
        (e) The search of the code <<from one half -> exact/local minimum>> stops at a local minimum, at
          {value:probability,4}, whose promise is {value:promise,2} times the cost of whole gradients.
          [exact/local minimum; exact/promised by the code]
        (f) On the quadratics of `cq_marina/tridiag` with identical clients, <<to $\mathbb E\|\nabla
          f\|^2\le10^{-3}$ at 10 and 50 clients -> exact/kbits *>>, RandK as in the code needs
          {value:public[0],2} and {value:public[1],2} kbits of a client; with $\bar\omega$, the length
          that is sent and the best $p$ {value:corrected[0],2} and {value:corrected[1],2}. [exact/kbits
          of RandK in the code; exact/kbits of RandK]
        (g) Independent quantization needs {value:independent[0],2} and {value:independent[1],2}, whole
          gradients {value:whole[0],2} at both: <<in the code RandK comes last, behind both, and corrected
          it comes before both -> exact/order *>>. [exact/kbits of independent quantization;
          exact/kbits of whole gradients; exact/order *]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(k, "K", r"\mathbb N", "number of entries that are sent"),
        Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "relative variance of a message"),
        Variable(average, r"\bar\omega", r"\mathbb R_{\ge0}", "of the average of the messages"),
        Variable(L, "L", r"\mathbb R_{>0}", "Lipschitz constant of the gradients"),
        Variable(p, "p", "(0,1]", "probability of a round with whole gradients"),
        Variable(c, "c", "(0,1]", "length of a message, in units of a whole gradient"),
        Variable(A, "A", r"\mathbb R_{>0}", "noise"),
        Variable(public_step, r"\gamma_P", r"\mathbb R_{>0}", "step of the code"),
        Variable(own_step, r"\gamma", r"\mathbb R_{>0}", "step for the noise of the average"),
    ),
    notation={"f": "the objective"},
    hypotheses={
        "sizes": domain("$n$, $d$ and $K$ are positive integers"),
        "signs": domain(r"$0<p\le1$, $0<c\le1$, $L>0$, $\omega\ge0$"),
        "steps": definition(
            r"$\gamma_P=\frac1{L(1+\sqrt{\frac{1-p}p\omega})}$, "
            r"$\gamma=\frac1{L(1+\sqrt{\frac{1-p}p\frac\omega n})}$"
        ),
        "code": definition(r"$\omega=\frac dK-1$, $\bar\omega=\frac\omega n$, $c=\frac{32+d}{32d}$"),
        "noisy": parameter(r"$A>0$ and $A\ge\frac{(1-c)^2}{4c}$"),
        "one": parameter("$d=32$, $K=1$"),
    },
    relations={
        "valid": Relation((public_step, own_step), ("<=",)),
        "root": Relation((own_step, sqrt(n) * public_step), ("<=",)),
        "whole": Relation((1, COST), ("<=",), under=("noisy",)),
        "one-entry": Relation((THRESHOLD, omega), ("<",), under=("one",)),
    },
    formulas={
        "bound": COST,
        "public_step": PUBLIC,
        "step_size": STEP,
        "threshold": THRESHOLD,
        "used_noise": d / k - 1,
        "used_length": (32 + d) / (32 * d),
        **_TABLES,
    },
    internal={
        "used_noise": "what the code takes, in the setting",
        "used_length": "what the code takes, in the setting",
        **dict.fromkeys(_TABLES, "measured, said as a value"),
    },
    values={"probability": Rational("0.07005979"), "promise": Rational("2.72832733"), **_KBITS},
    worst_cases=cases("""
        whole gradients only | p = 1, c = 1/16, A = 31 | 1
    """),
    public=(
        PublicConstant(
            code="BlackSamorez/MiniFL at a687565",
            of="step of MARINA with RandK",
            theirs="public_step",
            ours="step_size",
            right="both",
            part="b",
            bolder="larger",
            at="L = 1, n = 50, omega = 31, p = 7/100",
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example({n: 4, d: 32, k: 1, L: 1, p: Rational(1, 2), omega: 0, c: Rational(1, 16), A: 31})
    K.example({n: 4, d: 32, k: 1, L: 1, p: Rational(1, 2), omega: 31, c: Rational(1, 16), A: 31})
    half = Rational(1, 2)
    K.know(K.given("noisy"))
    K.conclude("whole", whole_gradients(K, p, c, A, K.given("noisy", 1)))
    K.show("one-entry", using=["code", K.given("code", 2), "one", K.given("one", 1)])
    one, root = sqrt(_ODDS * omega), sqrt(_ODDS * omega / n)
    clients = K.cert(le(1, n), K.given("sizes", 1))
    smaller = K.power(K.cert(le(_ODDS * omega / n, _ODDS * omega), (_ODDS * omega / n, clients)), half)
    steps = [K.given("steps"), K.given("steps", 1)]
    K.show("valid", (1 / (L * (1 + one) * (1 + root)), smaller), using=steps)
    whole = K.axiom("root-product", n, _ODDS * omega / n, half)
    share = 1 / (L * (1 + one) * (1 + root))
    K.show("root", (share, K.power(clients, half)), (share, whole), using=steps)
