r"""`cat/finding-qsgd-not-monotone`: more levels can be worse (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Integer, Min, Rational, floor, oo, sqrt, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.rounding.rounding import rounding_variance
from theory.formula import eq, le
from theory.hypotheses import definition, domain
from theory.statement import statement
from theory.worst_cases import cases

d, s, m, k = symbols("d s m k", real=True)
w, q = (IndexedBase(name, real=True) for name in "wq")

_EXACT = 1 / (1 + 1 / (2 * m - 1) ** 2)
_LOSS = 1 + 1 / (2 * m - 1) ** 2
LEVELS, EVEN, ODD = (s, 1, oo), (k, 1, oo), (m, 1, oo)


def _worst(levels: Any) -> Any:
    return 1 / (1 + Min(d / (4 * levels**2), sqrt(d) / levels))


CLAIM = Claim(
    id="cat/finding-qsgd-not-monotone",
    kind="finding",
    provenance="derived",
    title="The share of QSGD is not monotone in the number of levels",
    position=30,
    paper=PAPER,
    **statement(
        r"""
        Read as a statement on gradients, 'more levels, less error' fails. $\omega_s$ is the share of QSGD
        with $s$ levels (`cat/qsgd-adaptive`) at four equal entries, each of which is half of the norm.
        (a: even, odd) <<An even number of levels is exact, an odd one is not -> proof>>:
          $$\omega_{2k}=1,\qquad\omega_{2m-1}=\frac1{1+\frac1{(2m-1)^2}}.$$ [proof; exact/even number of
          levels; exact/odd number of levels]
        (b: one, two, three, four) So three levels are worse than two: $\omega_1=\frac12$, $\omega_2=1$,
          $\omega_3=\frac9{10}$, $\omega_4=1$. [proof; exact/three levels are worse than two]
        (c: loss) An odd number of levels, <<and so each that fills a code of fixed length -> exact/levels
          of a full code>>, loses the factor in $\omega_{2k}=\big(1+\frac1{(2m-1)^2}\big)\omega_{2m-1}$: <<a
          rule that looks only at full codes takes a worse number of levels -> exact/loss of full codes>>.
          [proof; exact/loss; exact/loss of full codes; exact/levels of the rule; exact/levels of a full
          code]
        (d: worst) What holds instead: the worst-case bound of `cat/qsgd-adaptive`, in $d$ dimensions, does
          not fall: $$\frac1{1+\min(\frac d{4s^2},\frac{\sqrt d}s)}\le\frac1{1+\min(\frac
          d{4(s+1)^2},\frac{\sqrt d}{s+1})}.$$ [proof]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(s, "s", r"\mathbb N", "number of levels"),
        Variable(k, "k", r"\mathbb N", "half of an even number of levels"),
        Variable(m, "m", r"\mathbb N", "$2m-1$ is an odd number of levels"),
        Variable(w, r"\omega", "(0,1]", "share, by the number of levels", "(oo,)", first=0),
        Variable(
            q, "q", r"\mathbb R_{>0}", "inverse of the share, by the number of levels", "(oo,)", first=0
        ),
    ),
    hypotheses={
        "d": domain(r"$d\ge1$ is an integer"),
        "moment": definition(r"$q_j=1+\frac4{j^2}\{\frac j2\}(1-\{\frac j2\})$ for $j\ge1$"),
        "share": definition(r"$\omega_j=\frac1{q_j}$ for $j\ge1$", reference="cat/qsgd-adaptive"),
        "positive": domain(r"$q_j>0$ for $j\ge1$"),
    },
    relations={
        "even": Relation((w[2 * k], Integer(1)), ("=",), every=(EVEN,)),
        "odd": Relation((w[2 * m - 1], _EXACT), ("=",), every=(ODD,)),
        "one": Relation((w[1], Rational(1, 2)), ("=",)),
        "two": Relation((w[2], Integer(1)), ("=",)),
        "three": Relation((w[3], Rational(9, 10)), ("=",)),
        "four": Relation((w[4], Integer(1)), ("=",)),
        "loss": Relation((w[2 * k], _LOSS * w[2 * m - 1]), ("=",), every=(EVEN, ODD)),
        "worst": Relation((_worst(s), _worst(s + 1)), ("<=",), every=(LEVELS,)),
    },
    formulas={"exact": _EXACT, "even": Integer(1), "loss": _LOSS},
    worst_cases=cases("""
        one level | m = 1 | 1/2
        three levels | m = 2 | 9/10
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: half of an even number is its own floor, half of an odd one is halfway."""
    K.index(LEVELS, EVEN, ODD)
    moments = [1 + Rational(n % 2, n**2) for n in range(1, 304)]
    K.example({d: 2, q: (0, *moments), w: (0, *(1 / moment for moment in moments))})
    K.know(
        K.cert(le(1, 2 * k), (2, K.assume(le(1, k))), (1, 1)),
        K.cert(le(1, 2 * m - 1), (2, K.assume(le(1, m)))),
    )

    def share(levels: Any, whole: Any, value: Any, goal: Any) -> Any:
        """Return the share, from the floor of the level and the variance at it."""
        u = levels / 2
        off = (u - floor(u)) + (u - whole) - 1
        variance = K.cert(eq(rounding_variance(u), value), (off, K.axiom("floor-unique", u, whole)))
        moment, at = K.at(K.given("moment"), levels), K.at(K.given("share"), levels)
        K.know(K.at(K.given("positive"), levels))
        return K.cert(
            eq(w[levels], goal),
            (1, at),
            (-goal / q[levels], moment),
            (-4 * goal / q[levels] / levels**2, variance),
        )

    even, odd = share(2 * k, k, 0, Integer(1)), share(2 * m - 1, m - 1, Rational(1, 4), _EXACT)
    K.conclude("even", K.every(even, EVEN))
    K.conclude("odd", K.every(odd, ODD))
    K.conclude(
        "loss", K.every(K.cert(eq(w[2 * k], _LOSS * w[2 * m - 1]), (1, even), (-_LOSS, odd)), EVEN, ODD)
    )
    for name, theorem, place in (("one", odd, 1), ("two", even, 1), ("three", odd, 2), ("four", even, 2)):
        K.conclude(name, K.instantiate(theorem, {m: Integer(place), k: Integer(place)}))

    flat, linear = d / (4 * (s + 1) ** 2), sqrt(d) / (s + 1)
    smaller = K.discharge(
        K.axiom("min-greatest", d / (4 * s**2), sqrt(d) / s, Min(flat, linear)),
        K.cert(
            le(Min(flat, linear), d / (4 * s**2)),
            (1, K.axiom("min-below-left", flat, linear)),
            (1, d * (2 * s + 1) / (4 * s**2 * (s + 1) ** 2)),
        ),
        K.cert(
            le(Min(flat, linear), sqrt(d) / s),
            (1, K.axiom("min-below-right", flat, linear)),
            (1, sqrt(d) / (s * (s + 1))),
        ),
    )
    worst = K.cert(le(_worst(s), _worst(s + 1)), (_worst(s) * _worst(s + 1), smaller))
    K.conclude("worst", K.every(worst, LEVELS))
