r"""`cat/finding-sq-not-unimodal`: with signs, two shortcuts over the sizes fail (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le
from theory.hypotheses import definition, domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, T, t, h, j = symbols("d T t h j", real=True)
s, beta = symbols("s beta", cls=IndexedBase, real=True)
ALL, SIZES, STEPS = (j, 0, d - 1), (T, 1, d), (T, 1, d - 1)

_ENERGY = 1 + (d - 1) * h**2
_EXACT = (1 + (T - 1) * h) ** 2 / (T * _ENERGY)
_LEAST = 4 * h * (1 - h) / _ENERGY
_DIFFERENCE = (h**2 * T * (T + 1) - (1 - h) ** 2) / (T * (T + 1) * _ENERGY)
_TENTH = Rational(1, 10)

CLAIM = Claim(
    id="cat/finding-sq-not-unimodal",
    kind="finding",
    provenance="derived",
    title="The efficiency of signs can have several maxima: neither of two shortcuts over the sizes is sound",
    position=15,
    paper=PAPER,
    **statement(
        r"""
        That a rule may stop at the first size after which the efficiency falls (`cat/affine-unimodal`), or
        look only at full packets (`cat/packet-candidates`), does not carry over from the largest entries to
        their signs. The gradient has the magnitudes $(1,h,\dots,h)$, $0<h<1$, and $\beta_T$ is the share of
        the signs of its $T$ largest entries (`cat/sq-range`).
        (a: share) $$\beta_T=\frac{(1+(T-1)h)^2}{T(1+(d-1)h^2)}.$$ [proof; exact/share]
        (b: difference) <<It falls where the numerator of -> proof>>
          $$\beta_{T+1}-\beta_T=\frac{h^2T(T+1)-(1-h)^2}{T(T+1)(1+(d-1)h^2)},\qquad T<d,$$ <<is negative,
          and rises where that is positive -> proof>>. [proof; exact/difference]
        (c: least, least-at) $\frac{4h(1-h)}{1+(d-1)h^2}\le\beta_T$, and
          $\beta_t=\frac{4h(1-h)}{1+(d-1)h^2}$ at $t=\frac{1-h}h$, <<where that is an integer up to $d$ ->
          proof>>. [proof; exact/where it is least; exact/least]
        (d: first, ninth, last) At $h=\frac1{10}$ and $d=1000$, $\beta_1=\frac{100}{1099}$,
          $\beta_9=\frac{36}{1099}$ and $10\beta_1\le\beta_{1000}$: <<at a constant cost a rule that stops
          at the first fall loses more than a factor of ten -> exact/best of all sizes>>. [proof; exact/best
          of all sizes]
        (e: eight, alone) At $h=\frac1{10}$ and $d=8$, $\beta_8=\frac{289}{856}$ and
          $\beta_1=\frac{100}{107}$: <<where all signs fit in one packet, the full packet is not the best
          message -> exact/best of all sizes>>. <<The full scan finds the best size along a run -> run/best
          of all sizes>>. [proof; exact/best of all sizes; run/best of all sizes]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\{1,\dots,d\}", "number of signs that are sent"),
        Variable(t, "t", r"\{1,\dots,d\}", "number of signs with the least share"),
        Variable(h, "h", "(0,1)", "magnitude of all entries but one"),
        Variable(s, "s", "(0,1]^d", "magnitudes, the largest first", "(d,)"),
        Variable(beta, r"\beta", "(0,1]", "share, by the number of signs", "(oo,)", first=0),
    ),
    hypotheses={
        "d": domain(r"$d\ge1$ is an integer"),
        "h": domain("$0<h<1$"),
        "magnitudes": definition("$s_1=1$; $s_j=h$ for $j>1$"),
        "share": definition(r"$k\beta_k\sum_js_j^2=(\sum_{j=1}^ks_j)^2$ for $1\le k\le d$"),
        "closed": definition(r"$\beta_k=\frac{(1+(k-1)h)^2}{k(1+(d-1)h^2)}$ for $1\le k\le d$"),
        "whole": parameter(r"$1\le t\le d$ is an integer, $t=\frac{1-h}h$"),
        "tenth": parameter(r"$h=\frac1{10}$"),
        "thousand": parameter("$d=1000$"),
        "eight": parameter("$d=8$"),
    },
    relations={
        "share": Relation((beta[T], _EXACT), ("=",), every=(SIZES,)),
        "difference": Relation((beta[T + 1] - beta[T], _DIFFERENCE), ("=",), every=(STEPS,)),
        "least": Relation((_LEAST, beta[T]), ("<=",), every=(SIZES,)),
        "least-at": Relation((beta[t], _LEAST), ("=",), under=("whole",)),
        "first": Relation((beta[1], Rational(100, 1099)), ("=",), under=("closed", "tenth", "thousand")),
        "ninth": Relation((beta[9], Rational(36, 1099)), ("=",), under=("closed", "tenth", "thousand")),
        "last": Relation((10 * beta[1], beta[1000]), ("<=",), under=("closed", "tenth", "thousand")),
        "eight": Relation((beta[8], Rational(289, 856)), ("=",), under=("tenth", "eight")),
        "alone": Relation((beta[1], Rational(100, 107)), ("=",), under=("tenth", "eight")),
    },
    formulas={"exact": _EXACT, "least_at": (1 - h) / h, "least": _LEAST, "difference": _DIFFERENCE},
    internal={"least_at": "the hypothesis of part (c)"},
    worst_cases=cases("""
        the minimum at nine signs of 1000 | h = 1/10, d = 1000, T = 9 | 36/1099
        all signs of eight | h = 1/10, d = 8, T = 8 | 289/856
        the largest of eight alone | h = 1/10, d = 8, T = 1 | 100/107
    """),
)


def _instance(size: int, magnitude: Any) -> dict[Any, Any]:
    """Return an instance with the shares of all sizes."""
    energy = 1 + (size - 1) * magnitude**2
    shares = ((1 + (k - 1) * magnitude) ** 2 / (k * energy) for k in range(1, size + 1))
    return {
        d: size,
        h: magnitude,
        t: (1 - magnitude) / magnitude,
        s: (Integer(1), *[magnitude] * (size - 1)),
        beta: (Integer(0), *shares),
    }


def derive(K: Any) -> None:
    """Prove the relations: sums of one entry and of equal ones."""
    K.index(ALL, SIZES)
    K.example(_instance(4, Rational(1, 3)))
    K.example(_instance(8, _TENTH))
    K.example(_instance(1000, _TENTH))
    one, other = K.given("magnitudes"), K.at(K.given("magnitudes", 1), j)
    total, whole = Sum(s[j], (j, 0, T - 1)), Sum(s[j] ** 2, ALL)
    kept = K.cert(
        eq(total, 1 + (T - 1) * h),
        (1, K.split_off(total, 0)),
        (1, one),
        (1, K.sum_over(other, (j, 1, T - 1))),
    )
    square = K.cert(eq(s[j] ** 2, h**2), (s[j] + h, other))
    energy = K.cert(
        eq(whole, _ENERGY),
        (1, K.split_off(whole, 0)),
        (s[0] + 1, one),
        (1, K.sum_over(square, (j, 1, d - 1))),
    )
    share = K.cert(
        eq(beta[T], _EXACT),
        (1 / (T * _ENERGY), K.at(K.given("share"), T)),
        (-beta[T] / _ENERGY, energy),
        ((total + 1 + (T - 1) * h) / (T * _ENERGY), kept),
    )
    everywhere = K.every(share, SIZES)
    K.conclude("share", everywhere)

    following = K.instantiate(share, {T: T + 1})
    difference = K.cert(eq(beta[T + 1] - beta[T], _DIFFERENCE), (1, following), (-1, share))
    K.conclude("difference", K.every(difference, STEPS))
    square = (1 - h - h * T) ** 2
    K.conclude("least", K.every(K.cert(le(_LEAST, beta[T]), (1 / (T * _ENERGY), square), (-1, share)), SIZES))
    spot = K.given("whole", 3)
    K.know(*(K.given("whole", place) for place in range(3)))
    least = K.cert(
        eq(beta[t], _LEAST),
        (1, K.instantiate(share, {T: t})),
        (h * (h * t - 1 + h) / (t * _ENERGY), spot),
    )
    K.conclude("least-at", least)
    tenth, closed = K.given("tenth"), K.given("closed")
    for name, size, many, value in (
        ("first", 1, "thousand", Rational(100, 1099)),
        ("ninth", 9, "thousand", Rational(36, 1099)),
        ("eight", 8, "eight", Rational(289, 856)),
        ("alone", 1, "eight", Rational(100, 107)),
    ):
        place = _placed(K, everywhere if many == "eight" else closed, size, many)
        K.conclude(name, K.cert(eq(beta[size], value), (1, place), using=[tenth, K.given(many)]))
    ends = [_placed(K, closed, size, "thousand") for size in (1, 1000)]
    values = [tenth, K.given("thousand")]
    K.conclude("last", K.cert(le(10 * beta[1], beta[1000]), (10, ends[0]), (-1, ends[1]), using=values))


def _placed(K: Any, everywhere: Any, size: int, many: str) -> Any:
    """Return the share of one size, which is at most the number of coordinates of a hypothesis."""
    share = K.at(everywhere, size)
    return share if size == 1 else K.discharge(share, K.cert(le(size, d), (-1, K.given(many))))
