r"""`cq_marina/finding-idle-clients`: PermK with idle clients has the constant 1 (arXiv 2401.05518)."""

from typing import Any

from sympy import Rational, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.ab import owners as law
from theory.cq_marina.ab.owners import M, V, d, inverse, m, n, v
from theory.cq_marina.paper import PAPER
from theory.formula import eq, lt
from theory.hypotheses import definition, model, parameter
from theory.public_constant import PublicConstant
from theory.statement import statement
from theory.worst_cases import cases

W, theta, s, t, chance, own = symbols("W theta s t inverse_employed v_employed", real=True)
EMPLOYED = {V: W, inverse: chance, v: own}

_SIZES = (n * ((d - t) / (d * s) + t / (d * (s + 1))) - 1) / (n - 1)
_IDLE, _FACTOR, _BALANCED = M - m, (n - 1) / (d - 1), theta * (M - m)
_FIVE = Rational(12, 7)

CLAIM = Claim(
    id="cq_marina/finding-idle-clients",
    kind="finding",
    provenance="derived",
    title="PermK with idle clients has the constant 1, not the balanced one",
    position=11,
    paper=PAPER,
    **statement(
        r"""
        For fewer coordinates than clients, $n\ge2$, PermK may be read as giving each coordinate to
        one client, every
        client as likely as any other, while the clients without a coordinate stay idle. $V=\mathbb E\|\hat
        g-\bar a\|^2$ is then the error, $W$ that of `cq_marina/ab-permk`, which employs every client.
        (a: idle) With idle clients $V=M-m$ <<for all inputs -> proof>>, <<so $A=B=1$ for all $n$ and $d$ ->
          proof>>. [proof; exact/mean of a coordinate; exact/error with idle clients; montecarlo/sampled
          error]
        (b: factor) The <<balanced constant $\frac{d-1}{n-1}$ of -> exact/times the balanced error>>
          `cq_marina/ab-permk` fails: for $t=0$, $d\ge2$ $$V=\frac{n-1}{d-1}W.$$ [proof; exact/times the
          balanced error]
        (c: five) For <<five clients on three coordinates -> exact/five clients on three coordinates>>
          $V=\frac{12}7W$. [proof; exact/five clients on three coordinates]
        (d: balanced) What holds instead: with every client employed, $W=\theta(M-m)$. [proof;
          exact/balanced error]
        """
    ),
    variables=(
        *law.VARIABLES,
        Variable(W, "W", r"\mathbb R_{\ge0}", "error with every client employed"),
        Variable(theta, r"\theta", "[0,1]", "constant of `cq_marina/ab-permk`"),
        Variable(s, "s", r"\mathbb N", r"$\lfloor n/d\rfloor$"),
        Variable(t, "t", r"\mathbb N_0", "the remainder"),
        Variable(own, "v'", r"\mathbb R_{\ge0}", "variance of the errors of their shares"),
        Variable(chance, "R", "(0,1]", "their expected inverse number of owners"),
    ),
    notation={**law.NOTATION, "A": "constant of the AB inequality", "B": "its other constant"},
    hypotheses={
        **law.HYPOTHESES,
        "one-owner": model(r"$\mathbb E\frac1Q=1$"),
        "employed": model(
            r"$s\ge1$, $t\ge0$ are integers; $t<d$, $n=sd+t$, $v'\ge0$; "
            r"$W=\sum_j\mathbb E\bigl((\sum_ia_{ij}(\eta_i+\frac1n-\frac1n\sum_l\eta_l)-\bar "
            r"a_j)^2\bigr)$, $R=\mathbb E\bigl(\sum_i(\eta_i+\frac1n-\frac1n\sum_l\eta_l)^2\bigr)$, "
            r"over uncorrelated $\eta_i$, $1\le i\le n$, with mean $0$ and variance $v'$; "
            r"$R=(1-\frac td)\frac1s+\frac td\cdot\frac1{s+1}$"
        ),
        "theta": definition(
            r"$\theta=\frac1{n-1}\Big[n\Big(\frac{d-t}{ds}+\frac t{d(s+1)}\Big)-1\Big]$ "
            "(`cq_marina/ab-permk`)"
        ),
        "multiple": parameter(r"$t=0$, $d\ge2$"),
        "five": model("five clients, three coordinates: $n=5$, $d=3$, $s=1$, $t=2$"),
    },
    relations={
        "idle": Relation((V, _IDLE), ("=",), under=("one-owner",)),
        "factor": Relation((V, _FACTOR * W), ("=",), under=("one-owner", "employed", "multiple")),
        "five": Relation((V, _FIVE * W), ("=",), under=("one-owner", "employed", "five")),
        "balanced": Relation((W, _BALANCED), ("=",), under=("employed", "theta")),
    },
    formulas={
        "exact": _IDLE,
        "balanced": _BALANCED,
        "theta": _SIZES,
        "factor": _FACTOR,
        "five": _FIVE,
        "in_use": 1 / _FACTOR,
        "idle": _IDLE / (M - m),
    },
    internal={
        "five": "the factor of part (c)",
        "in_use": "the balanced constant of part (b)",
        "idle": "the constant of part (a)",
    },
    worst_cases=cases("""
        grid(5,3;2,5,1,11,5,2) of the specification | n = 5, d = 3, M = 7, m = 13/50 | 337/50
    """),
    public=(
        PublicConstant(
            code="BlackSamorez/MiniFL at a687565",
            of="constant of PermK with idle clients",
            theirs="in_use",
            ours="idle",
            right="ours",
            part="b",
            at="n = 5, d = 3",
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    _, whole = law.moments(K)
    four = law.example(((1, 2), (4, 0), (0, 3), (2, 2)), Rational(1))
    five_on_three = law.example(((1, 2, 0), (4, 0, 1), (0, 3, 1), (2, 2, 2), (1, 1, 1)), Rational(1))
    for values, sizes, share in (
        (four, {s: 2, t: 0}, Rational(1, 2)),
        (five_on_three, {s: 1, t: 2}, Rational(2, 3)),
    ):
        spread = (share - Rational(1, values[n])) / (values[n] - 1)
        factor = values[n] * spread
        employed = {theta: factor, W: factor * (values[M] - values[m]), chance: share, own: spread}
        K.example({**values, **sizes, **employed})
    idle = law.single(K, whole)
    K.conclude("idle", idle)
    given = [K.given("employed", k) for k in range(10)]
    K.know(K.cert(lt(0, s), (1, given[1])), K.cert(lt(0, s + 1), (1, given[1])))
    busy = K.instantiate(whole, EMPLOYED)
    total = K.cert(eq(W, _SIZES * (M - m)), (1, busy), using=[given[9]])
    K.conclude("balanced", K.cert(eq(W, _BALANCED), (1, total), using=[K.given("theta")]))
    K.know(K.cert(lt(0, d - 1), (1, K.given("multiple", 1))))
    even = [given[5], K.given("multiple")]
    K.conclude("factor", K.cert(eq(V, _FACTOR * W), (1, idle), (-_FACTOR, total), using=even))
    five = [K.given("five", k) for k in range(4)]
    K.conclude("five", K.cert(eq(V, _FIVE * W), (1, idle), (-_FIVE, total), using=five))
