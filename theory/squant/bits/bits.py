r"""`squant/bits`: exact expected length of a real prefix code (about arXiv 2106.03524)."""

from collections.abc import Callable
from typing import Any

from sympy import Eq, Expr, IndexedBase, Min, Piecewise, Product, Rational, Sum, floor, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import eq
from theory.hypotheses import definition, domain, model
from theory.squant.bits import code_words
from theory.squant.bits.code_words import gamma_length, number, omega_length
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

d, B, M, i, j, o, t, sparse, dense = symbols("d B M i j o t sparse dense", real=True)
u, whole, p, q, s, w, ell, e, z, zeros = symbols("u whole p q s w ell e z zeros", cls=IndexedBase, real=True)
chance, r, gap, bits, dense_bits = symbols("chance r gap bits dense_bits", cls=IndexedBase, real=True)
# Lengths of the codes of k, k + 1, k + 2 for the level k of a coordinate, rounded down.
below, above, beyond = symbols("below above beyond", cls=IndexedBase, real=True)
COORDINATES, OUTCOMES = (j, 0, d - 1), (o, 0, M - 1)
LAST, FIRST = (j, i + 1, d + 1), (i, 0, d)

_NORM_BITS = 32


# ---------------------------------------------------------------- lengths as formulas in the levels u


def _written_levels(length: Callable[[Any], Expr]) -> Expr:
    level = floor(u[j])
    fraction = u[j] - level
    nonzero = 1 + (1 - fraction) * length(level) + fraction * length(level + 1)
    return Sum(Piecewise((nonzero, u[j] >= 1), (u[j] * (1 + length(1)), True)), COORDINATES)


def _consecutive() -> Expr:
    """Return the probability that i and j are consecutive nonzeros; 0 and d + 1 count as nonzeros."""
    first = Piecewise((1, Eq(i, 0)), (Min(1, u[i - 1]), True))
    last = Piecewise((1, Eq(j, d + 1)), (Min(1, u[j - 1]), True))
    return first * last * Product(1 - Min(1, u[number - 1]), (number, i + 1, j - 1))


def _sparse(length: Callable[[Any], Expr]) -> Expr:
    gaps = Sum(Sum(_consecutive() * length(j - i), LAST), FIRST)
    return _NORM_BITS * B + _written_levels(length) + gaps


def _dense(length: Callable[[Any], Expr]) -> Expr:
    level = floor(u[j])
    fraction = u[j] - level
    nonzero = 1 + (1 - fraction) * length(level + 1) + fraction * length(level + 2)
    zero = (1 - u[j]) * length(1) + u[j] * (length(2) + 1)
    return _NORM_BITS * B + Sum(Piecewise((nonzero, u[j] >= 1), (zero, True)), COORDINATES)


# ---------------------------------------------------------------- lengths for any code and rounding


def _sent(up: Any) -> Expr:
    """Return the bits of sign and level of coordinate j, rounded up or not."""
    nonzero = 1 + (1 - up) * below[j] + up * above[j]
    return Sum(s[j] * nonzero, COORDINATES) + Sum((1 - s[j]) * up * (1 + ell[1]), COORDINATES)


def _all(up: Any) -> Expr:
    """Return the bits of the dense code: each level plus one, and a sign where it is not zero."""
    levels = (1 - up) * above[j] + up * beyond[j]
    return Sum(levels + s[j] + (1 - s[j]) * up, COORDINATES)


_GAPS = Sum(Sum(w[i, j] * q[j] * ell[j - i], LAST), FIRST)
_MEAN = _NORM_BITS * B + _sent(p[j]) + _GAPS
_DENSE_MEAN = _NORM_BITS * B + _all(p[j])
_WRITTEN = "the length written out in the levels before rounding, for checks"
_THIRD, _QUARTER = Rational(1, 3), Rational(1, 4)


CLAIM = Claim(
    id="squant/bits",
    kind="identity",
    provenance="derived",
    title="Exact expected message length of the sparse Elias code",
    position=9,
    paper=PAPER,
    **statement(
        r"""
        Coordinate $j$ has the level $u_j=k_j+p_j$ before rounding, $k_j=\lfloor u_j\rfloor$, in the
        notation of `squant/var`, and is rounded up with probability $p_j$, independently;
        $s_j=\min(1,k_j)$. A message is $B$ norms of 32 bits, for each nonzero in index order the code of
        the gap to the previous nonzero (the first from 0), a sign bit and the code of the level, and last
        the code of the gap to a sentinel behind the last coordinate. $\ell$ is the length of the code of a
        number, $a_j=\ell_{k_j}$, $b_j=\ell_{k_j+1}$, $c_j=\ell_{k_j+2}$; $q_j$ is the probability that
        coordinate $j$ is not zero, 1 for 0 and for the sentinel. Header and shape are not counted; a norm
        of 32 bits is taken as exact.
        (a: sparse) For any code, with the probability $w_{ij}$ that $i$ is the last nonzero before $j$, of
          which the rounding of $j$ is independent, $$\mathbb
          E\,\mathrm{bits}=32B+\sum_js_j\big(1+(1-p_j)a_j+p_jb_j\big)+\sum_j(1-s_j)p_j(1+\ell_1)+\sum_{0\le
          i<j\le d+1}w_{ij}q_j\ell_{j-i}.$$ [proof; exact/mean length, sparse-gamma; exact/mean length,
          sparse-omega; exact/closed form, sparse-gamma; exact/closed form, sparse-omega; exact/literal
          count; montecarlo/sampled bits]
        (b: independent) The rounding is independent: $w_{ij}=q_i\prod_{i<k<j}(1-q_k)$ for $i<j$. [proof;
          exact/consecutive nonzeros]
        (c: dense) The dense alternative sends the code of each level plus one, and a sign bit where it is
          not zero: $$\mathbb E\,\mathrm{bits}_{\rm
          dense}=32B+\sum_j\big((1-p_j)b_j+p_jc_j+s_j+(1-s_j)p_j\big).$$ [proof; exact/mean length,
          dense-gamma; exact/closed form, dense-gamma]
        (d: gamma, omega) The word of Elias gamma for $k$, $2^m\le k<2^{m+1}$, is $m$ zeros and the binary
          digits of $k$, of the length $\ell_\gamma=2\lfloor\log_2k\rfloor+1$. That of omega is
          $\omega_1=1$, and $\omega_k=\lfloor\log_2k\rfloor+1+\omega_{\lfloor\log_2k\rfloor}$ for $k\ge2$.
          [proof; exact/length of gamma; exact/length of omega]
        (e: decoded) Words of gamma are decoded: if those of $k$ and $k'$ begin at the same place of a
          message, $k=k'$. [proof; exact/coordinates lost in transit]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(B, "B", r"\mathbb N", "number of blocks, so of norms"),
        Variable(
            u, "u", r"\mathbb R^d_{\ge0}", r"$|x_j|/(h_jN_{l(j)})$, zero in a block of norm zero", "(d,)"
        ),
        Variable(whole, "k", r"\mathbb N_0^d", "levels rounded down", "(d,)"),
        Variable(p, "p", "[0,1)^d", "probabilities of rounding up", "(d,)"),
        Variable(s, "s", r"\{0,1\}^d", "whether the level rounded down is not zero", "(d,)"),
        Variable(q, "q", "[0,1]^{d+2}", "probabilities of nonzeros, both ends included", "(d + 2,)", first=0),
        Variable(
            w, "w", "[0,1]", "probability that $i$ is the last nonzero before $j$", "(d + 2, d + 2)", first=0
        ),
        Variable(ell, r"\ell", r"\mathbb N", "lengths of the codes of numbers", "(oo,)", first=0),
        Variable(below, "a", r"\mathbb N^d", "length of the code of a level rounded down", "(d,)"),
        Variable(above, "b", r"\mathbb N^d", "length of the code of a level rounded up", "(d,)"),
        Variable(
            zeros,
            r"\prod_{#1<k<#2}(1-q_k)",
            "[0,1]",
            "probabilities of zeros between",
            "(d + 2, d + 2)",
            first=0,
        ),
        Variable(beyond, "c", r"\mathbb N^d", "length of the code of the next level", "(d,)"),
        Variable(sparse, r"\mathbb E\,\mathrm{bits}", r"\mathbb R_{\ge0}", "expected length"),
        Variable(
            dense, r"\mathbb E\,\mathrm{bits}_{\rm dense}", r"\mathbb R_{\ge0}", "expected dense length"
        ),
        Variable(bits, r"\mathrm{bits}", r"\mathbb R^M", "lengths of the messages of the outcomes", "(M,)"),
        Variable(dense_bits, r"\mathrm{dense}", r"\mathbb R^M", "their lengths in the dense code", "(M,)"),
        Variable(M, "M", r"\mathbb N", "number of outcomes of the rounding"),
        Variable(chance, "P", "[0,1]^M", "probabilities of the outcomes", "(M,)"),
        Variable(r, "r", r"\{0,1\}^{M\times d}", "whether an outcome rounds a coordinate up", "(M, d)"),
        Variable(e, "e", r"\{0,1\}", "whether a coordinate is not zero", "(M, d + 2)", first=(1, 0)),
        Variable(
            z,
            "z",
            r"\{0,1\}",
            "whether the first place is the last nonzero before the second",
            "(M, d + 2, d + 2)",
            first=(1, 0, 0),
        ),
        Variable(gap, "g", r"\mathbb N_0", "bits of the gap after a nonzero", "(M, d + 1)", first=(1, 0)),
        *code_words.VARIABLES,
    ),
    ranges={"j": (1, d)},
    hypotheses={
        "d": domain(r"$d\ge1$ is an integer"),
        "levels": definition(r"$k_j=\lfloor u_j\rfloor$, $u_j=k_j+p_j$, $s_j=\min(1,k_j)$"),
        "codes": definition(
            r"$a_j=\ell_{k_j}$, $b_j=\ell_{k_j+1}$ and $c_j=\ell_{k_j+2}$, since these are the lengths of "
            "the codes of levels"
        ),
        "nonzeros": definition(
            r"$e_{ol}=s_l+(1-s_l)r_{ol}$ for $1\le l\le d$; $e_{o0}=1$, $e_{o,d+1}=1$, "
            "since these are indicators of nonzeros"
        ),
        "last": definition(
            r"$z_{o,i,i+1}=e_{oi}$ for $0\le i\le d$; $z_{o,i,l+1}=(1-e_{ol})z_{oil}$ for $0\le i<l\le d$, "
            "since these are indicators of a nonzero before zeros"
        ),
        "chances": definition(
            r"$q_i=\sum_oP_oe_{oi}$; $w_{il}=\sum_oP_oz_{oil}$ for $0\le i<l\le d+1$, "
            "since these are their probabilities"
        ),
        "product": definition(
            r"$\prod_{i<k<i+1}(1-q_k)=1$ for $0\le i\le d$; "
            r"$\prod_{i-1<k<l}(1-q_k)=(1-q_i)\prod_{i<k<l}(1-q_k)$ for $1\le i<l\le d+1$"
        ),
        "law": domain(
            r"$M\ge1$ is an integer; $\sum_oP_o=1$, since the outcomes of the rounding have the "
            "probabilities $P_o$"
        ),
        "up": model(r"$\sum_oP_or_{oj}=p_j$", reference="squant/var"),
        "independent": model(
            r"$\sum_oP_oe_{ol}z_{oil}=q_lw_{il}$ for $0\le i<l\le d+1$, "
            "since coordinates are rounded independently",
            reference="squant/var",
        ),
        "messages": definition(
            r"$\mathrm{bits}_o=32B+\sum_js_j(1+(1-r_{oj})a_j+r_{oj}b_j)+\sum_j(1-s_j)r_{oj}(1+\ell_1)"
            r"+\sum_{i=0}^dg_{oi}$, since norms have 32 bits; "
            r"$\mathrm{dense}_o=32B+\sum_j((1-r_{oj})b_j+r_{oj}c_j+s_j+(1-s_j)r_{oj})$; "
            r"$g_{oi}=\sum_{l=i+1}^{d+1}e_{ol}z_{oil}\ell_{l-i}$ for $0\le i\le d$"
        ),
        "expectations": definition(
            r"$\mathbb E\,\mathrm{bits}=\sum_oP_o\mathrm{bits}_o$, $\mathbb E\,\mathrm{bits}_{\rm "
            r"dense}=\sum_oP_o\mathrm{dense}_o$"
        ),
        **code_words.HYPOTHESES,
    },
    relations={
        "sparse": Relation((sparse, _MEAN), ("=",)),
        "independent": Relation((w[i, j], q[i] * zeros[i, j]), ("=",), every=(LAST, FIRST)),
        "dense": Relation((dense, _DENSE_MEAN), ("=",)),
        **code_words.RELATIONS,
    },
    formulas={
        "exact": _sparse(gamma_length),
        "sparse_gamma": _sparse(gamma_length),
        "sparse_omega": _sparse(omega_length),
        "dense_gamma": _dense(gamma_length),
        "consecutive": _consecutive(),
        "gamma_length": gamma_length(number),
        "omega_length": omega_length(number),
    },
    internal={
        **dict.fromkeys(("exact", "sparse_gamma", "sparse_omega", "dense_gamma"), _WRITTEN),
        "consecutive": "the product of part (b) times the last probability",
        "omega_length": "what part (d) says, five times",
    },
    worst_cases=cases("""
        every coordinate is nonzero, one level on the boundary of a code length | x = (2, 3, 6),
          h = (1/2, 1/3, 1/4), N = (7, 7, 7), u = (4/7, 9/7, 24/7), d = 3, B = 1 | 45
        all levels below 1 | x = (1, 4, 8), h = (3/2, 3/2, 3/2), N = (9, 9, 9), u = (2/27, 8/27, 16/27),
          d = 3, B = 1 | 760105/19683
        two blocks, two norms | x = (3, 4, 5, 12), h = (1/2, 1/2, 1/3, 1/3), N = (5, 5, 13, 13),
          u = (6/5, 8/5, 15/13, 36/13), d = 4, B = 2 | 5259/65
        two nonzeros among eight coordinates: gaps and sentinel dominate | x = (0, 3, 0, 0, 4, 0, 0, 0),
          h = 8 * (2,), N = 8 * (5,), u = (0, 3/10, 0, 0, 2/5, 0, 0, 0), d = 8, B = 1 | 419/10
        all ones with $h=1$ at $d=16$ | x = 16 * (1,), h = 16 * (1,), N = 16 * (4,), u = 16 * (1/4,), d = 16,
          B = 1 | 121573325847/2147483648
    """),
)

# Two coordinates in the gamma code, the first below level 1, the second above: only the first may be zero.
_UP = (0, 0, 1, 1)
TWO: dict[Any, Any] = {d: 2, B: 1, M: 4, u: (_THIRD, 1 + _QUARTER), p: (_THIRD, _QUARTER), s: (0, 1)}
TWO |= {ell: (0, 1, 3, 3), below: (0, 1), above: (1, 3), beyond: (3, 3), q: (1, _THIRD, 1, 1)}
TWO |= {chance: [Rational(k, 12) for k in (6, 2, 3, 1)], r: ((0, 0), (0, 1), (1, 0), (1, 1))}
TWO |= {e: [(1, up, 1, 1) for up in _UP], z: [((0, 1, 1 - up, 0), (0, 0, up, 0), (0, 0, 0, 1)) for up in _UP]}
TWO |= {w: ((0, 1, 2 * _THIRD, 0), (0, 0, _THIRD, 0), (0, 0, 0, 1))}


def derive(K: Any) -> None:
    """Prove the relations: each part of a message is linear in what is random."""
    for example in (TWO, code_words.FIVE):
        K.example(example)
    K.index(OUTCOMES, FIRST, LAST)
    _independent(K)
    # What the gap after i costs, on average.
    gap_after = K.cert(
        eq(Sum(chance[o] * gap[o, i], OUTCOMES), Sum(w[i, j] * q[j] * ell[j - i], LAST)),
        _scaled(K, "messages", 2, (o, i), chance[o], OUTCOMES),
        _scaled(K, "independent", 0, (j, i), ell[j - i], LAST),
    )
    gaps = K.sum_over(gap_after, FIRST)
    K.index(COORDINATES)
    signs = s[j] * (above[j] - below[j]) + (1 - s[j]) * (1 + ell[1])
    for place, share in enumerate((signs, beyond[j] - above[j] + 1 - s[j])):
        name = ("sparse", "dense")[place]
        mean = K.cert(
            eq(*CLAIM.relations[name].sides),
            _scaled(K, "messages", place, (o,), chance[o], OUTCOMES),
            K.given("law", 2),
            (1, _scaled(K, "up", 0, (j,), share, COORDINATES)),
            *([] if place else [(1, gaps)]),
            using=[K.given("expectations", place)],
        )
        K.conclude(name, mean)
    code_words.lengths(K)
    code_words.decoded(K)


def _scaled(K: Any, name: str, place: int, at: Any, factor: Any, *ranges: Any) -> Any:
    """Return the equation of a hypothesis at these indices times a factor, added up over the ranges."""
    stated: Any = CLAIM.hypotheses[name].formulas[place]
    places = {}
    for number_at in at:
        places[stated.index] = number_at
        stated = stated.formula
    goal = eq(*(factor * side.subs(places) for side in (stated.left, stated.right)))
    return K.sum_over(K.cert(goal, K.at(K.given(name, place), *at)), *ranges)


def _independent(K: Any) -> None:
    """From t to t + 1 a factor moves from the product to the probability: w_it prod_{t-1<k<j} stays."""
    starts = K.cert(eq(chance[o] * z[o, i, i + 1], chance[o] * e[o, i]), "last")
    ends = [
        (-1, telescoping_sum(K, w[i, i + 1 + t] * zeros[i + t, j], t, j - i - 1)),
        (-w[i, j], K.at("product", j - 1)),
        (zeros[i, j], K.at(K.given("chances", 1), i + 1, i)),
        (zeros[i, j], K.sum_over(starts, OUTCOMES)),
        (-zeros[i, j], K.at("chances", i)),
    ]
    stays = K.cert(
        eq(chance[o] * z[o, i, t + 1], chance[o] * (z[o, i, t] - z[o, i, t] * e[o, t])),
        K.at(K.given("last", 1), o, t, i),
    )
    moved = K.cert(
        eq(w[i, t + 1] * zeros[t, j], w[i, t] * zeros[t - 1, j]),
        K.at(K.given("chances", 1), t + 1, i),
        K.at(K.given("chances", 1), t, i),
        K.sum_over(stays, OUTCOMES),
        (-zeros[t, j], K.at("independent", t, i)),
        K.at(K.given("product", 1), j, t),
    )
    K.show("independent", (1, K.sum_over(moved, (t, i + 1, j - 1))), *ends)
