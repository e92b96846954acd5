r"""`ndqsg/levels-tradeoff`: how many levels need the fewest bits to an accuracy (arXiv 1904.01197)."""

from math import floor, inf
from math import log as natural
from typing import Any

from sympy import Integer, Rational, log, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le
from theory.hypotheses import definition, domain, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

d, M, P, R, V, c, epsilon, K_sq, sigma_sq, N = symbols("d M P R V c epsilon K_sq sigma_sq N", real=True)

_C = d * K_sq / (12 * sigma_sq)
_MORE = 1 + c / M**2
_RAW = log(2 * M + 1) / log(2)
_EXACT = _MORE * _RAW
_PLAIN = 4 * R**2 * sigma_sq / (P * epsilon**2)
_BEST = {
    "tenth": (Rational(1, 10), 1),
    "one": (Integer(1), 2),
    "ten": (Integer(10), 7),
    "hundred": (Integer(100), 27),
}


def _fewest(best: int) -> Any:
    """Return the bits at a number of levels."""
    return (1 + c / best**2) * log(2 * best + 1) / log(2)


CLAIM = Claim(
    id="ndqsg/levels-tradeoff",
    kind="identity",
    provenance="abstract",
    title="Number of levels with the fewest bits to an accuracy, by a bound",
    position=26,
    paper=PAPER,
    **statement(
        r"""
        Let $N=\frac{4R^2V}{\varepsilon^2}$ be the number of iterations that the bound of
        `ndqsg/conv-convex` asks for (at $\varepsilon\le\frac VL$),
        $V=\frac{\sigma^2}P+\frac{dK^2}{12M^2P}$, $c=\frac{dK^2}{12\sigma^2}$. Only indices are counted, at
        the binary logarithm of the size of their alphabet, no scales and headers.
        (a: iterations) $$N=\Big(1+\frac c{M^2}\Big)\frac{4R^2\sigma^2}{P\varepsilon^2},$$ the first factor
          being what compression adds to the iterations that the bound asks for (this compares two bounds,
          not two trainings). [proof; exact/iterations]
        (b: bits) The raw bits of a coordinate of a worker are then
          $$N\log_2(2M+1)=\frac{4R^2\sigma^2}{P\varepsilon^2}\Big(1+\frac c{M^2}\Big)\log_2(2M+1).$$ [proof;
          exact/bits]
        (c: tenth, one) The best integer at two small $c$: for every integer $M\ge1$, if
          $c=\frac1{10}$, $$\Big(1+c\Big)\log_2(3)\le\Big(1+\frac c{M^2}\Big)\log_2(2M+1),$$ and if $c=1$,
          $$\Big(1+\frac c{2^2}\Big)\log_2(5)\le\Big(1+\frac c{M^2}\Big)\log_2(2M+1).$$ [proof; exact/best
          number of levels]
        (d: ten, hundred) It is larger at two larger $c$: if $c=10$, $$\Big(1+\frac
          c{7^2}\Big)\log_2(15)\le\Big(1+\frac c{M^2}\Big)\log_2(2M+1),$$ and if $c=100$,
          $$\Big(1+\frac c{27^2}\Big)\log_2(55)\le\Big(1+\frac c{M^2}\Big)\log_2(2M+1).$$ [proof; exact/best
          number of levels]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(M, "M", r"\mathbb N", "number of levels"),
        Variable(P, "P", r"\mathbb N", "number of workers"),
        Variable(R, "R", r"\mathbb R_{>0}", r"$\|x_0-x^*\|$"),
        Variable(V, "V", r"\mathbb R_{>0}", "bound on the variance of the averaged messages"),
        Variable(c, "c", r"\mathbb R_{\ge0}", r"$\frac{dK^2}{12\sigma^2}$"),
        Variable(epsilon, r"\varepsilon", r"\mathbb R_{>0}", "accuracy"),
        Variable(K_sq, "K^2", r"\mathbb R_{\ge0}", r"bound on $\mathbb E\kappa^2$"),
        Variable(sigma_sq, r"\sigma^2", r"\mathbb R_{>0}", "variance of the gradient of one worker"),
        Variable(N, "N", r"\mathbb R_{>0}", "iterations that the bound asks for"),
    ),
    hypotheses={
        "sizes": domain(r"$M\ge1$ is an integer, $P,d>0$"),
        "signs": domain(r"$\varepsilon,\sigma^2>0$, $c\ge0$"),
        "needed": definition(r"$N=\frac{4R^2V}{\varepsilon^2}$"),
        "variance": definition(r"$V=\frac{\sigma^2}P+\frac{dK^2}{12M^2P}$"),
        "c": definition(r"$c=\frac{dK^2}{12\sigma^2}$"),
        **{name: parameter(f"$c={value}$") for name, (value, _) in _BEST.items()},
    },
    relations={
        "iterations": Relation((N, _MORE * _PLAIN), ("=",)),
        "bits": Relation((N * _RAW, _PLAIN * _EXACT), ("=",)),
        **{
            name: Relation((_fewest(best), _EXACT), ("<=",), under=(name,))
            for name, (_, best) in _BEST.items()
        },
    },
    formulas={"exact": _EXACT, "c": _C, "iterations": _MORE, "raw": _RAW},
    internal={"c": "the definition of $c$"},
    worst_cases=cases("""
        $c=1/10$: the best number of levels | c = 1/10, M = 1 | 11/10 * log(3) / log(2)
        $c=1$: the best number of levels | c = 1, M = 2 | 5/4 * log(5) / log(2)
        $c=10$: the best number of levels | c = 10, M = 7 | 59/49 * log(15) / log(2)
        $c=100$: the best number of levels | c = 100, M = 27 | 829/729 * log(55) / log(2)
    """),
)

_EXAMPLE = {d: 12, P: 4, R: 1, epsilon: 1, sigma_sq: 1, M: 3}


def derive(K: Any) -> None:
    """Prove the relations."""
    for value, _ in _BEST.values():
        K.example({**_EXAMPLE, c: value, K_sq: value})
    variance = K.cert(
        eq(V, _MORE * sigma_sq / P), (1, K.given("variance")), (-sigma_sq / (M**2 * P), K.given("c"))
    )
    scale = 4 * R**2 / epsilon**2
    needed = K.cert(eq(N, _MORE * _PLAIN), (1, K.given("needed")), (scale, variance))
    K.conclude("iterations", needed)
    K.conclude("bits", K.cert(eq(N * _RAW, _PLAIN * _EXACT), (_RAW, needed)))
    for name in _BEST:
        K.conclude(name, _best(K, name))


def _best(K: Any, name: str) -> Any:
    """Cut the integers into ranges lo..hi: there the bits are at least (1 + c/hi^2) log_2(2 lo + 1)."""
    value, best = _BEST[name]
    target = float(1 + value / best**2) * natural(2 * best + 1)

    def enough(lo: int, hi: float) -> bool:
        return (1 + float(value) / hi**2) * natural(2 * lo + 1) > target + 1e-9

    lo = next(lo for lo in range(best, 10**6) if enough(lo, inf))
    found = _within(K, name, lo, None)
    while lo > 1:
        hi = lo = lo - 1
        while lo > 1 and enough(lo - 1, hi):
            lo -= 1
        found = K.cases(M - hi, _within(K, name, lo, hi), found)
    return found


def _within(K: Any, name: str, lo: int, hi: int | None) -> Any:
    """Return the comparison for lo <= M <= hi, by a rational p/q below log(2 lo + 1)/log(2 best + 1)."""
    value, best = _BEST[name]
    more = Integer(1) if hi is None else 1 + value / hi**2
    # 1/M^2 is at least 1/hi^2.
    rest = (1 / M**2, 1) if hi is None else ((hi + M) / (hi * M) ** 2, K.assume(le(M, hi)))
    needed = float((1 + value / best**2) / more)
    ratio = natural(2 * lo + 1) / natural(2 * best + 1)
    p, q = (1, 1) if lo == best else _between(needed, ratio)
    powers = K.log(K.cert(le((2 * best + 1) ** p, (2 * lo + 1) ** q)))
    low, unit = log(2 * lo + 1), 1 / log(2)
    above = K.axiom("integer-gap", Integer(lo - 1), M)
    return K.cert(
        le(_fewest(best), _EXACT),
        ((1 + value / M**2) * unit, K.log(K.cert(le(2 * lo + 1, 2 * M + 1), (2, above)))),
        (low * value * unit * rest[0], rest[1]),
        (more / q * unit, powers),
        (more / q * unit, K.axiom("log-power", Integer(2 * lo + 1), q)),
        (-more / q * unit, K.axiom("log-power", Integer(2 * best + 1), p)),
        (log(2 * best + 1) * unit, more * Rational(p, q) - 1 - value / best**2),
        using=[K.given(name)],
    )


def _between(low: float, high: float) -> tuple[int, int]:
    """Return the fraction with the least denominator strictly between two numbers."""
    q = 1
    while not low < (p := floor(low * q) + 1) / q < high:
        q += 1
    return p, q
