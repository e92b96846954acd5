r"""`cq_marina/ab-permk`: PermK has $A=B=\theta$ with equality (arXiv 2401.05518)."""

from typing import Any

from sympy import Integer, Piecewise, Rational, floor, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.ab import owners as law
from theory.cq_marina.ab.owners import COORDINATES, M, V, abar, d, j, m, mean, n
from theory.cq_marina.paper import PAPER
from theory.formula import eq, lt
from theory.hypotheses import definition, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

q, s, t, theta, A, B = symbols("q s t theta A B", real=True)


def _from_sizes(smaller: Any, rest: Any) -> Any:
    return (n * ((d - rest) / (d * smaller) + rest / (d * (smaller + 1))) - 1) / (n - 1)


_SMALLER = floor(n / d)
_THETA = Piecewise((Integer(1), d >= n), (_from_sizes(_SMALLER, n - _SMALLER * d), True))
_SIZES, _SAMPLE, _DIVISIBLE = _from_sizes(s, t), (n - q) / (q * (n - 1)), (d - 1) / (n - 1)

CLAIM = Claim(
    id="cq_marina/ab-permk",
    kind="identity",
    provenance="rederived",
    title="PermK: exact error and AB constants for any number of clients and coordinates",
    position=10,
    paper=PAPER,
    **statement(
        r"""
        PermK, $n\ge2$ clients: each coordinate of the estimate $\hat g$ is the average of the entries
        of its owners, random clients of which no one and no pair is preferred. For $d\ge n$ every coordinate
        has one owner; for $d<n$ every client owns one coordinate, and numbers of owners differ by at most
        one, dealt at random. $V=\mathbb E\|\hat g-\bar a\|^2$.
        (a: mean) The estimate is unbiased: $\mathbb E\hat g_j=\bar a_j$. [proof; exact/mean of a
          coordinate]
        (b: sample) If every coordinate has $q$ owners, $V=\frac{n-q}{q(n-1)}(M-m)$. [proof; exact/error of
          a coordinate; exact/theta with equal numbers of owners]
        (c: one-owner) <<For $d\ge n$, whatever the remainder -> exact/enumerated error>>, $V=M-m$. [proof;
          exact/enumerated error; exact/oracle; montecarlo/owners of two coordinates; montecarlo/a larger
          share]
        (d: balanced, theta) <<For $d<n$ -> exact/theta>> and $n=sd+t$ with $0\le t<d$
          $$V=\theta(M-m),\qquad\theta=\frac1{n-1}\Big[n\Big(\frac{d-t}{ds}+\frac t{d(s+1)}\Big)-1\Big].$$
          [proof; exact/enumerated error; exact/theta; montecarlo/sampled error]
        (e: divisible) For $t=0$ this is $V=\frac{d-1}{n-1}(M-m)$. [proof; exact/theta of a multiple]
        (f: ab, ab-one) So the AB inequality holds with equality, $V=AM-Bm$, for $A=B=\theta$, where
          $\theta=1$ for $d\ge n$. [proof; exact/enumerated error]
        """
    ),
    variables=(
        *law.VARIABLES,
        Variable(q, "q", r"\{1,\dots,n\}", "number of owners of a coordinate"),
        Variable(s, "s", r"\mathbb N", r"$\lfloor n/d\rfloor$, the smaller number of owners"),
        Variable(t, "t", r"\mathbb N_0", "number of coordinates with $s+1$ owners"),
        Variable(theta, r"\theta", "[0,1]", "constant of the error"),
        Variable(A, "A", r"\mathbb R_{\ge0}", "constant of the AB inequality"),
        Variable(B, "B", r"\mathbb R_{\ge0}", "its other constant"),
    ),
    notation=law.NOTATION,
    hypotheses={
        **law.HYPOTHESES,
        "equal-owners": model(r"$q\ge1$, $\mathbb E\frac1Q=\frac1q$"),
        "one-owner": model(r"$\mathbb E\frac1Q=1$, $d\ge n$"),
        "dealt": model(
            r"$s\ge1$, $t\ge0$ are integers; $t<d$, $n=sd+t$, $d<n$, "
            r"$\mathbb E\frac1Q=(1-\frac td)\frac1s+\frac td\cdot\frac1{s+1}$"
        ),
        "theta": definition(r"$\theta=\frac1{n-1}\Big(n\,\mathbb E\frac1Q-1\Big)$"),
        "constants": definition(r"$A=B=\theta$"),
        "multiple": parameter("$t=0$"),
    },
    relations={
        "mean": Relation((mean[j], abar[j]), ("=",), every=(COORDINATES,)),
        "sample": Relation((V, _SAMPLE * (M - m)), ("=",), under=("equal-owners",)),
        "one-owner": Relation((V, M - m), ("=",), under=("one-owner",)),
        "balanced": Relation((V, theta * (M - m)), ("=",), under=("theta",)),
        "theta": Relation((theta, _SIZES), ("=",), under=("theta", "dealt")),
        "divisible": Relation((V, _DIVISIBLE * (M - m)), ("=",), under=("dealt", "multiple")),
        "ab": Relation((V, A * M - B * m), ("=",), under=("theta", "constants")),
        "ab-one": Relation((theta, 1), ("=",), under=("theta", "one-owner")),
    },
    formulas={
        "exact": _THETA * (M - m),
        "theta": _THETA,
        "theta_sizes": _SIZES,
        "theta_divisible": _DIVISIBLE,
        "theta_sample": _SAMPLE,
    },
    internal={
        "exact": "parts (c) and (d) in one",
        "theta": r"1 for $d\ge n$, else that of part (d) with $s=\lfloor n/d\rfloor$",
    },
    worst_cases=cases("""
        twice as many clients as coordinates | n = 6, d = 3, M = 1, m = 0 | 2/5
        a remainder of one | n = 7, d = 3, M = 1, m = 0 | 19/54
        five clients on two coordinates | n = 5, d = 2, M = 1, m = 0 | 13/48
        a remainder for $d>n$ | n = 3, d = 4, M = 1, m = 0 | 1
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: the error depends on the owners only through the expectation of 1/Q."""
    unbiased, whole = law.moments(K)
    K.example({**law.example(((1, 2), (4, 0)), Integer(1)), q: 1, theta: 1, A: 1, B: 1})
    K.example(
        {
            **law.example(((1, 2), (4, 0), (0, 3)), Rational(3, 4)),
            s: 1,
            t: 1,
            theta: Rational(5, 8),
            A: Rational(5, 8),
            B: Rational(5, 8),
        }
    )
    K.example({**law.example(((1, 2), (4, 0), (0, 3), (2, 2)), Rational(1, 2)), s: 2, t: 0})
    K.conclude("mean", unbiased)
    some = K.cert(lt(0, q), (1, K.given("equal-owners")))
    K.know(some, K.cert(lt(0, n * q * (n - 1)), (n * (n - 1), some)))
    equal = [K.given("equal-owners", 1)]
    K.conclude("sample", K.cert(eq(V, _SAMPLE * (M - m)), (1, whole), using=equal))
    K.conclude("one-owner", law.single(K, whole))
    dealt, named = [K.given("dealt", k) for k in range(8)], [K.given("theta")]
    K.know(K.cert(lt(0, s), (1, dealt[1])), K.cert(lt(0, s + 1), (1, dealt[1])))
    balanced = K.cert(eq(V, theta * (M - m)), (1, whole), using=named)
    K.conclude("balanced", balanced)
    K.conclude("theta", K.cert(eq(theta, _SIZES), using=[*named, dealt[7]]))
    even = [dealt[7], dealt[5], K.given("multiple")]
    K.conclude("divisible", K.cert(eq(V, _DIVISIBLE * (M - m)), (1, whole), using=even))
    constants = [K.given("constants", k) for k in range(2)]
    K.conclude("ab", K.cert(eq(V, A * M - B * m), (1, balanced), using=constants))
    K.conclude("ab-one", K.cert(eq(theta, 1), using=[*named, K.given("one-owner")]))
