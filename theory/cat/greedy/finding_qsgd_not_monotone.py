r"""`cat/finding-qsgd-not-monotone`: more levels can be worse (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Integer, Min, Rational, Symbol, oo, sqrt

from theory.cat.paper import PAPER
from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.facts.rounding import rounding_variance
from theory.formula import IsInteger, eq, every, le

d, s, m, k = (Symbol(name, real=True) for name in ("d", "s", "m", "k"))
w, v, b = (IndexedBase(name, real=True) for name in ("w", "v", "b"))

_EXACT = 1 / (1 + 1 / (2 * m - 1) ** 2)
_LOSS = 1 + 1 / (2 * m - 1) ** 2
LEVELS, EVEN, ODD = (s, 1, oo), (k, 1, oo), (m, 1, oo)


def _worst(levels: Any) -> Any:
    return 1 / (1 + Min(d / (4 * levels**2), sqrt(d) / levels))


CLAIM = Claim(
    id="cat/finding-qsgd-not-monotone",
    kind="finding",
    provenance="derived",
    title="The share of QSGD does not grow with the number of levels",
    position=30,
    paper=PAPER,
    setting=(
        r"Read as a statement on gradients, 'more levels, less error' fails. $\omega_s$ is the share of QSGD "
        r"with $s$ levels (`cat/qsgd-adaptive`) at four equal entries, which all have the level $\frac s2$."
    ),
    parts=(
        Part(
            "a",
            r"An even number of levels is exact, an odd one is not: $$\omega_{2k}=1,\qquad"
            r"\omega_{2m-1}=\frac1{1+\frac1{(2m-1)^2}}.$$",
            says=("even", "odd"),
            evidence=("proof", "exact/even number of levels", "exact/odd number of levels"),
            pins={"An even number of levels is exact, an odd one is not": "proof"},
        ),
        Part(
            "b",
            r"So three levels are worse than two: $\omega_1=\frac12$, $\omega_2=1$, $\omega_3=\frac9{10}$, "
            r"$\omega_4=1$.",
            says=("one", "two", "three", "four"),
            evidence=("proof", "exact/three levels are worse than two"),
        ),
        Part(
            "c",
            r"$2m-1$ levels, and so all that fill a code of fixed length, lose the factor in "
            r"$\omega_{2k}=\big(1+\frac1{(2m-1)^2}\big)\omega_{2m-1}$: a rule that looks only at full codes "
            r"takes a worse number of levels.",
            says=("loss",),
            evidence=(
                "proof",
                "exact/loss",
                "exact/loss of full codes",
                "exact/levels of the rule",
                "exact/levels of a full code",
            ),
            pins={
                r"and so all that fill a code of fixed length": "exact/levels of a full code",
                r"a rule that looks only at full codes takes a worse number of levels": (
                    "exact/loss of full codes"
                ),
            },
        ),
        Part(
            "d",
            r"What holds instead: the worst-case bound of `cat/qsgd-adaptive`, in $d$ dimensions, does not "
            r"fall: $$\frac1{1+\min(\frac d{4s^2},\frac{\sqrt d}s)}\le"
            r"\frac1{1+\min(\frac d{4(s+1)^2},\frac{\sqrt d}{s+1})}.$$",
            says=("worst",),
            evidence=("proof",),
        ),
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(s, "s", r"\mathbb N", "number of levels"),
        Variable(k, "k", r"\mathbb N", "half of an even number of levels"),
        Variable(m, "m", r"\mathbb N", "$2m-1$ is an odd number of levels"),
        Variable(w, r"\omega", "(0,1]", "share, by the number of levels", "(oo,)", first=0),
    ),
    hypotheses={
        "d": Hypothesis("domain", (IsInteger(d), le(1, d)), r"$d\ge1$ is an integer"),
        "share": Hypothesis(
            "definition",
            (
                every(eq(v[s], 1 + 4 * rounding_variance(s / 2) / s**2), LEVELS),
                every(eq(w[s], 1 / v[s]), LEVELS),
                every(le(1, v[s]), LEVELS),
            ),
            r"$1/\omega_s$ is 1 plus four variances of rounding $\frac s2$, divided by the squared $s$",
            "cat/qsgd-adaptive",
        ),
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
    worst_cases=(
        WorstCase("one level", {"m": 1}, Rational(1, 2)),
        WorstCase("three levels", {"m": 2}, Rational(9, 10)),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations: half of an even number is its own floor, half of an odd one is halfway."""
    K.index(LEVELS, EVEN, ODD)
    K.example({d: 2, w: (0, *(1 / (1 + Rational(n % 2, n**2)) for n in range(1, 9)))})
    K.know(K.at(K.given("share", 2), s))

    def share(levels: Any, whole: Any, value: Any) -> Any:
        u = levels / 2
        floored = K.axiom("floor-unique", u, whole)
        variance = K.cert(
            eq(rounding_variance(u), (u - whole) * (1 - u + whole)),
            (2 * u - 1 - whole - (u - whole), floored),
        )
        return floored, variance

    print(share(2 * k, k, 1))
