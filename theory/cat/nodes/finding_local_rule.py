r"""`cat/finding-local-rule`: the best size of one node need not be that of several (arXiv 2003.06377)."""

from typing import Any

from sympy import Integer, Rational, sqrt, symbols

from theory.cat.nodes.mn_joint_rule import CLAIM as JOINT
from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

n, d, T, S, T_o, c_0, c_1 = symbols("n d T S T_o c_0 c_1", real=True)
_ROOTS = sqrt(c_1 * d) + sqrt((n - 1) * c_0)
_EXACT = n * (c_0 + c_1 * d) / _ROOTS**2
_LOCAL = T / (d * (c_0 + c_1 * T))
_GAIN = JOINT.formulas["gain"]
_OPTIMUM = JOINT.formulas["optimum"]
_SIXTEEN = Rational(53768, 6363)

CLAIM = Claim(
    id="cat/finding-local-rule",
    kind="finding",
    provenance="derived",
    title="The most efficient size of one node need not be that of several",
    position=27,
    paper=PAPER,
    **statement(
        r"""
        As in `cat/mn-joint-rule`, $n$ equal nodes have gradients with entries of equal size, of which each
        keeps $T$ of $d$ in expectation, with costs $c_0$ of a message and $c_1$ of an entry. Tuning by
        guaranteed decrease per cost is read as a rule for each node: it maximises its own $\omega_i/C$,
        with the share of its own message.
        (a: own) A node's own efficiency $\frac T{d(c_0+c_1T)}$ rises with $T$: for $c_0>0$ and $S<T$
          $$\frac S{d(c_0+c_1S)}<\frac T{d(c_0+c_1T)},$$ <<so that each node sends its whole gradient ->
          exact/a node's own choice>>. [proof; exact/a node's own choice; exact/its efficiency]
        (b: reach, loss) Let $n\ge2$ and $c_0>0$, in (c) to (g), too. For $c_0\le(n-1)c_1d$ the most efficient
          size of all by `cat/mn-joint-rule`, $T^\circ=\sqrt{\frac{c_0d}{(n-1)c_1}}\le d$, gains over whole
          gradients $$\frac{nT^\circ(c_0+c_1d)}{(d+(n-1)\
          T^\circ)(c_0+c_1T^\circ)}=\frac{n(c_0+c_1d)}{\big(\sqrt{c_1d}+\sqrt{(n-1)c_0}\big)^2}.$$ [proof;
          exact/loss at an integer optimum]
        (c: largest) No size $T>0$ gains more: $\frac{nT(c_0+c_1d)}{(d+(n-1)T)(c_0+c_1T)}\le\frac{n(c_0\
          +c_1d)}{\big(\sqrt{c_1d}+\sqrt{(n-1)c_0}\big)^2}$. [proof; exact/loss]
        (d: at-most) This is at most $n$: $\frac{n(c_0+c_1d)}{\big(\sqrt{c_1d}+\sqrt{(n-1)c_0}\big)^2}\le
          n$. [proof]
        (e: excess) <<Where $T^\circ$ is less than $d$ this gain is more than 1 -> proof>>:
          $$\frac{n(c_0+c_1d)}\
          {\big(\sqrt{c_1d}+\sqrt{(n-1)c_0}\big)^2}=1+\frac{\big(\sqrt{c_0}\
          -\sqrt{(n-1)c_1d}\big)^2}{\big(\sqrt{c_1d}+\sqrt{(n-1)c_0}\big)^2}.$$ [proof]
        (f: sixteen, best-of-sixteen) For $n=16$, $d=1024$ and $c_0=10c_1$ the gain with $S=26$ entries is
          {value:gain,3}, $\frac{nS(c_0+c_1d)}{(d+(n-1)S)(c_0+c_1S)}=\frac{53768}{6363}$, <<and with other
          whole numbers of entries no more -> proof>>,
          $\frac{nT(c_0+c_1d)}{(d+(n-1)T)(c_0+c_1T)}\le\frac{nS(c_0+c_1d)}{(d+(n-1)S)(c_0+c_1S)}$ for
          $1\le T\le d$. What holds instead: see `cat/mn-joint-rule`. [proof; exact/gain of sixteen nodes]
        (g: beyond) For $(n-1)c_1d\le c_0$ <<both rules send everything -> exact/best size beyond>>: no
          size $T\le d$ gains, $\frac{nT(c_0+c_1d)}{(d+(n-1)T)(c_0+c_1T)}\le1$. [proof; exact/best size
          beyond]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\mathbb R_{>0}", "expected number of entries of a message"),
        Variable(S, "S", r"\mathbb R_{>0}", "another such number"),
        Variable(T_o, r"T^\circ", r"\mathbb R_{>0}", "the most efficient one of all nodes"),
        Variable(c_0, "c_0", r"\mathbb R_{\ge0}", "cost of a message besides its entries"),
        Variable(c_1, "c_1", r"\mathbb R_{>0}", "cost of an entry"),
    ),
    notation={r"\omega_i/C": "share of a node per cost"},
    hypotheses={
        "sizes": domain(r"$n,d\ge1$ are integers"),
        "costs": domain(r"$c_0\ge0$, $c_1>0$"),
        "entries": domain("$S,T>0$"),
        "divisors": domain(r"$d+(n-1)T>0$, $n-1\ge0$, $(n-1)c_0\ge0$, $(n-1)c_1d\ge0$"),
        "more": parameter(r"$c_0>0$, $S<T$"),
        "several": parameter(r"$n\ge2$, $c_0>0$"),
        "reach": parameter(r"$c_0\le(n-1)c_1d$"),
        "beyond": parameter(r"$(n-1)c_1d\le c_0$, $T\le d$"),
        "sixteen": parameter("$n=16$, $d=1024$, $c_0=10c_1$, $S=26$"),
        "optimum": definition(r"$T^\circ=\sqrt{\frac{c_0d}{(n-1)c_1}}$, $T^\circ>0$, $d+(n-1)T^\circ>0$"),
    },
    relations={
        "own": Relation((_LOCAL.subs(T, S), _LOCAL), ("<",), under=("more",)),
        "reach": Relation((_OPTIMUM, d), ("<=",), under=("several", "reach")),
        "loss": Relation((_GAIN.subs(T, T_o), _EXACT), ("=",), under=("several", "optimum")),
        "largest": Relation((_GAIN, _EXACT), ("<=",), under=("several",)),
        "at-most": Relation((_EXACT, n), ("<=",), under=("several",)),
        "excess": Relation(
            (_EXACT, 1 + (sqrt(c_0) - sqrt((n - 1) * c_1 * d)) ** 2 / _ROOTS**2), ("=",), under=("several",)
        ),
        "sixteen": Relation((_GAIN.subs(T, S), _SIXTEEN), ("=",), under=("sixteen",)),
        "best-of-sixteen": Relation(
            (_GAIN, _GAIN.subs(T, S)), ("<=",), every=((T, 1, d),), under=("sixteen",)
        ),
        "beyond": Relation((_GAIN, Integer(1)), ("<=",), under=("several", "beyond")),
    },
    formulas={"exact": _EXACT, "local": _LOCAL, "gain": _GAIN},
    values={"gain": _SIXTEEN},
    worst_cases=cases("""
        five nodes, a fixed cost of one entry | n = 5, d = 64, c_0 = 1, c_1 = 1 | 13/4
        efficiency of a node that sends 4 of 64 entries there | T = 4, d = 64, c_0 = 1, c_1 = 1 | 1/80
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example({n: 5, d: 64, c_0: 1, c_1: 1, T_o: 4, S: 2, T: 3})
    K.know(K.given("more"), K.given("several"))
    grows = c_0 / (d * (c_0 + c_1 * S) * (c_0 + c_1 * T))
    K.conclude("own", K.cert(lt(_LOCAL.subs(T, S), _LOCAL), (grows, K.given("more", 1))))

    # u and w are the roots of c_1 d and (n - 1) c_0; u w is that of their product.
    others, half = n - 1, Rational(1, 2)
    K.know(K.cert(le(1, others), (1, K.given("several"))), K.given("optimum", 1), K.given("optimum", 2))
    _range(K, others, half)
    u, w = sqrt(c_1 * d), sqrt(others * c_0)
    excess = (sqrt(c_0) - sqrt(others * c_1 * d)) ** 2
    product = K.axiom("root-product", c_1 * d, others * c_0, half)
    other = K.axiom("root-product", c_0, others * c_1 * d, half)
    total = 1 + excess / _ROOTS**2
    K.conclude("excess", K.cert(eq(_EXACT, total), (2 / _ROOTS**2, product), (-2 / _ROOTS**2, other)))
    K.conclude("at-most", K.cert(le(_EXACT, n), (n / _ROOTS**2, (n - 2) * c_0 + 2 * u * w)))

    # The gain falls short of the loss by a multiple of a square, which is 0 at T_o.
    third = K.axiom("root-product", others * c_1, c_0 * d, half)

    def gap(size: Any) -> tuple[Any, Any, tuple[Any, Any], tuple[Any, Any]]:
        base = sqrt(others * c_1) * size - sqrt(c_0 * d)
        factor = n * (c_0 + c_1 * d) / ((d + others * size) * (c_0 + c_1 * size) * _ROOTS**2)
        return factor, base, (2 * size * factor, third), (-2 * size * factor, product)

    factor, base, *roots = gap(T)
    K.conclude("largest", K.cert(le(_GAIN, _EXACT), (factor, base**2), *roots))
    factor, base, *roots = gap(T_o)
    root = K.axiom("root-product", others * c_1, c_0 * d / (others * c_1), half)
    at_optimum = K.cert(eq(base, 0), (-1, root), (sqrt(others * c_1), K.given("optimum")))
    K.conclude("loss", K.cert(eq(_GAIN.subs(T, T_o), _EXACT), (-base * factor, at_optimum), *roots))
    _sixteen(K)


def _range(K: Any, others: Any, half: Any) -> None:
    """Up to c_0 = (n - 1) c_1 d the optimum is at most d; from there on no size gains."""
    square = K.cert(le(c_0 * d / (others * c_1), d**2), (d / (others * c_1), K.given("reach")))
    K.conclude("reach", K.cert(le(_OPTIMUM, d), K.power(square, half), K.axiom("abs-of-nonnegative", d)))
    K.example({n: 2, d: 4, c_0: 10, c_1: 1, T: 3})
    large, few = K.given("beyond"), K.given("beyond", 1)
    share = 1 / ((d + others * T) * (c_0 + c_1 * T))
    K.know(few)
    K.conclude("beyond", K.cert(le(_GAIN, 1), ((d - T) * share, large), (others * c_1 * share, (d - T) ** 2)))


def _sixteen(K: Any) -> None:
    """The gain at 26 exceeds that at T by a multiple of (T - 26)(390 T - 10240), at least 0 for integers."""
    K.example({n: 16, d: 1024, c_0: 10, c_1: 1, S: 26})
    numbers = [K.given("sixteen", place) for place in range(4)]
    K.conclude("sixteen", K.cert(eq(_GAIN.subs(T, S), _SIXTEEN), using=numbers))
    K.index((T, 1, d))
    scale = Rational(2068, 6363) / ((1024 + 15 * T) * (10 + T))
    goal = le(_GAIN, _GAIN.subs(T, S))
    few, many = K.assume(le(T - 26, 0)), K.assume(lt(0, T - 26))
    K.know(K.cert(le(0, 10240 - 390 * T), (390, few), (100, 1)))
    below = K.cert(goal, (scale * (10240 - 390 * T), few), using=numbers)
    more = K.axiom("integer-gap", Integer(26), T)
    K.know(K.cert(le(0, 390 * T - 10240), (390, more), (290, 1)))
    above = K.cert(goal, (scale * (390 * T - 10240), many), using=numbers)
    K.conclude("best-of-sixteen", K.every(K.cases(T - 26, below, above), (T, 1, d)))
