r"""`cq_marina/finding-idle-clients`: PermK with idle clients has the constant 1 (arXiv 2401.05518)."""

from typing import Any

from sympy import Rational, Symbol

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.cq_marina.ab import owners as law
from theory.cq_marina.ab.owners import M, V, d, inverse, m, n
from theory.cq_marina.paper import PAPER
from theory.formula import IsInteger, eq, le, lt

W, theta, s, t = (Symbol(name, real=True) for name in ("W", "theta", "s", "t"))

_SIZES = (n * ((d - t) / (d * s) + t / (d * (s + 1))) - 1) / (n - 1)
_FACTOR, _BALANCED = (n - 1) / (d - 1), theta * (M - m)
_FIVE = Rational(12, 7)

CLAIM = Claim(
    id="cq_marina/finding-idle-clients",
    kind="finding",
    provenance="derived",
    title="PermK with idle clients has the constant 1, not the balanced one",
    position=11,
    paper=PAPER,
    setting=(
        r"For fewer coordinates than clients PermK may be read as giving each coordinate to one client, "
        r"every client as likely as any other, while the clients without a coordinate stay idle. "
        r"$V=\mathbb E\|\hat g-\bar a\|^2$ is then the error, $W$ that of `cq_marina/ab-permk`, which "
        r"employs every client."
    ),
    parts=(
        Part(
            "a",
            r"With idle clients $V=M-m$ for all inputs, so $A=B=1$ for all $n$ and $d$.",
            says=("idle",),
            evidence=(
                "proof",
                "exact/mean of a coordinate",
                "exact/error with idle clients",
                "montecarlo/sampled error",
            ),
            pins={
                r"for all inputs": "proof",
                r"so $A=B=1$ for all $n$ and $d$": "proof",
            },
        ),
        Part(
            "b",
            r"The balanced constant $\frac{d-1}{n-1}$ of `cq_marina/ab-permk` fails: for $t=0$, $d\ge2$ "
            r"$$V=\frac{n-1}{d-1}W.$$",
            says=("factor",),
            evidence=("proof", "exact/times the balanced error"),
            pins={r"balanced constant $\frac{d-1}{n-1}$ of": "exact/times the balanced error"},
        ),
        Part(
            "c",
            r"For five clients on three coordinates $V=\frac{12}7W$.",
            says=("five",),
            evidence=("proof", "exact/five clients on three coordinates"),
            pins={"five clients on three coordinates": "exact/five clients on three coordinates"},
        ),
        Part(
            "d",
            r"What holds instead: with every client employed, $W=\theta(M-m)$.",
            says=("balanced",),
            evidence=("exact/balanced error",),
        ),
    ),
    variables=(
        *law.VARIABLES,
        Variable(W, "W", r"\mathbb R_{\ge0}", "error with every client employed"),
        Variable(theta, r"\theta", "[0,1]", "constant of `cq_marina/ab-permk`"),
        Variable(s, "s", r"\mathbb N", r"$\lfloor n/d\rfloor$"),
        Variable(t, "t", r"\mathbb N_0", "the remainder"),
    ),
    notation={**law.NOTATION, "A": "constant of the AB inequality", "B": "its other constant"},
    hypotheses={
        **law.HYPOTHESES,
        "one-owner": Hypothesis(
            "model",
            eq(inverse, 1),
            "each coordinate has one owner, whatever the number of clients",
        ),
        "employed": Hypothesis(
            "model",
            (
                *(IsInteger(s), le(1, s), IsInteger(t), le(0, t), lt(t, d), eq(n, s * d + t)),
                eq(theta, _SIZES),
                eq(W, _BALANCED),
            ),
            r"$W=\theta(M-m)$ with $n=sd+t$, $0\le t<d$ and $\theta=\frac1{n-1}\Big[n\Big(\frac{d-t}{ds}+"
            r"\frac t{d(s+1)}\Big)-1\Big]$",
            "cq_marina/ab-permk",
        ),
        "multiple": Hypothesis("parameter", (eq(t, 0), le(2, d)), r"$t=0$, $d\ge2$"),
        "five": Hypothesis(
            "model", (eq(n, 5), eq(d, 3), eq(s, 1), eq(t, 2)), "five clients, three coordinates"
        ),
    },
    relations={
        "idle": Relation((V, M - m), ("=",), under=("one-owner",)),
        "factor": Relation((V, _FACTOR * W), ("=",), under=("one-owner", "employed", "multiple")),
        "five": Relation((V, _FIVE * W), ("=",), under=("one-owner", "employed", "five")),
        "balanced": Relation((W, _BALANCED), ("=",), under=("employed",)),
    },
    formulas={"exact": M - m, "balanced": _BALANCED, "theta": _SIZES, "factor": _FACTOR, "five": _FIVE},
    internal={"five": "the factor of part (c)"},
    worst_cases=(
        WorstCase(
            "grid(5,3;2,5,1,11,5,2) of the specification",
            {"n": 5, "d": 3, "M": 7, "m": Rational(13, 50)},
            Rational(337, 50),
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    _, whole = law.moments(K)
    four = law.example(((1, 2), (4, 0), (0, 3), (2, 2)), Rational(1))
    five_on_three = law.example(((1, 2, 0), (4, 0, 1), (0, 3, 1), (2, 2, 2), (1, 1, 1)), Rational(1))
    for values, own in (
        (four, {s: 2, t: 0, theta: Rational(1, 3)}),
        (five_on_three, {s: 1, t: 2, theta: Rational(7, 12)}),
    ):
        K.example({**values, **own, W: own[theta] * (values[M] - values[m])})
    idle = law.single(K, whole)
    K.conclude("idle", idle)
    employed = [K.given("employed", k) for k in range(8)]
    K.know(K.cert(lt(0, s), (1, employed[1])), K.cert(lt(0, s + 1), (1, employed[1])))
    K.conclude("balanced", employed[7])
    K.know(K.cert(lt(0, d - 1), (1, K.given("multiple", 1))))
    even = [employed[7], employed[6], employed[5], K.given("multiple")]
    K.conclude("factor", K.cert(eq(V, _FACTOR * W), (1, idle), using=even))
    five = [K.given("five", k) for k in range(4)]
    K.conclude("five", K.cert(eq(V, _FIVE * W), (1, idle), using=[employed[7], employed[6], *five]))
