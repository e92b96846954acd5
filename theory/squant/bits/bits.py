r"""`squant/bits`: exact expected length of a real prefix code (about arXiv 2106.03524)."""

from collections.abc import Callable
from typing import Any

from sympy import (
    Eq,
    Expr,
    IndexedBase,
    Integer,
    Max,
    Min,
    Piecewise,
    Product,
    Rational,
    Sum,
    Symbol,
    floor,
    log,
)

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.formula import IsInteger, eq, every, le
from theory.squant.paper import PAPER

d, B, M, i, j, o, number, sparse, dense = (
    Symbol(name, real=True) for name in ("d", "B", "M", "i", "j", "o", "k", "sparse", "dense")
)
u, whole, p, q, s, w, ell = (IndexedBase(x, real=True) for x in ("u", "whole", "p", "q", "s", "w", "ell"))
chance, r, c, bits, dense_bits = (
    IndexedBase(x, real=True) for x in ("chance", "r", "c", "bits", "dense_bits")
)
# Lengths of the codes of k, k + 1, k + 2 for the level k of a coordinate, rounded down.
below, above, beyond, gap = (IndexedBase(x, real=True) for x in ("below", "above", "beyond", "gap"))
COORDINATES, OUTCOMES = (j, 0, d - 1), (o, 0, M - 1)
LAST, FIRST, ANY = (j, i + 1, d + 1), (i, 0, d), (j, 0, d + 1)

_NORM_BITS = 32
_OMEGA_DEPTH = 5


def _binary_logarithm(number: Expr) -> Expr:
    return floor(log(number, 2))


def gamma_length(number: Expr) -> Expr:
    r"""Return the length of the Elias gamma code of a positive integer, $2\lfloor\log_2k\rfloor+1$."""
    return 2 * _binary_logarithm(number) + 1


def omega_length(number: Expr) -> Expr:
    r"""Return the length of the Elias omega code of a positive integer below $2^{64}$.

    $\ell_\omega(1)=1$ and, for $k\ge2$, $\ell_\omega(k)=\lambda+1+\ell_\omega(\lambda)$ with
    $\lambda=\lfloor\log_2k\rfloor$; so each exponent $\lambda\ge1$ adds $\lambda+1$, and five of them reach 1
    from any number of 64 bits.
    """
    length: Expr = Integer(1)
    exponent = number
    for _ in range(_OMEGA_DEPTH):
        exponent = _binary_logarithm(Max(1, exponent))
        length += exponent + Min(1, exponent)
    return length


# ---------------------------------------------------------------- lengths as formulas in the levels u


def _written_levels(length: Callable[[Expr], Expr]) -> Expr:
    level = floor(u[j])
    fraction = u[j] - level
    nonzero = 1 + (1 - fraction) * length(level) + fraction * length(level + 1)
    return Sum(Piecewise((nonzero, u[j] >= 1), (u[j] * (1 + length(Integer(1))), True)), COORDINATES)


def _consecutive() -> Expr:
    """Return the probability that i and j are consecutive nonzeros; 0 and d + 1 count as nonzeros."""
    first = Piecewise((Integer(1), Eq(i, 0)), (Min(1, u[i - 1]), True))
    last = Piecewise((Integer(1), Eq(j, d + 1)), (Min(1, u[j - 1]), True))
    return first * last * Product(1 - Min(1, u[number - 1]), (number, i + 1, j - 1))


def _sparse(length: Callable[[Expr], Expr]) -> Expr:
    gaps = Sum(Sum(_consecutive() * length(j - i), LAST), FIRST)
    return _NORM_BITS * B + _written_levels(length) + gaps


def _dense(length: Callable[[Expr], Expr]) -> Expr:
    level = floor(u[j])
    fraction = u[j] - level
    nonzero = 1 + (1 - fraction) * length(level + 1) + fraction * length(level + 2)
    zero = (1 - u[j]) * length(Integer(1)) + u[j] * (length(Integer(2)) + 1)
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
_HALF, _THIRD, _QUARTER = Rational(1, 2), Rational(1, 3), Rational(1, 4)

CLAIM = Claim(
    id="squant/bits",
    kind="identity",
    provenance="derived",
    title="Exact expected message length of the sparse Elias code",
    position=9,
    paper=PAPER,
    setting=(
        r"Coordinate $j$ has the level $u_j=k_j+p_j$ before rounding, $k_j=\lfloor u_j\rfloor$, in the "
        r"notation of `squant/var`, and is rounded up with probability $p_j$, independently; "
        r"$s_j=\min(1,k_j)$. A message is $B$ norms of 32 bits, for each nonzero in index order the code "
        r"of the gap to the previous nonzero (the first from 0), a sign bit and the code of the level, and "
        r"last the code of the gap to a sentinel behind the last coordinate. $\ell$ is the length of the "
        r"code of a number, $a_j$, $b_j$, $c_j$ those of $k_j$, of one and of two more; $q_j$ is the "
        r"probability that coordinate $j$ is not zero, 1 for 0 and for the sentinel. Header and shape are "
        r"not counted; a norm of 32 bits is taken as exact."
    ),
    parts=(
        Part(
            "a",
            r"For any code, with the probability $w_{ij}$ that $i$ is the last nonzero before $j$, of which "
            r"the rounding of $j$ is independent, "
            r"$$\mathbb E\,\mathrm{bits}=32B+\sum_js_j\big(1+(1-p_j)a_j+p_jb_j\big)"
            r"+\sum_j(1-s_j)p_j(1+\ell_1)+\sum_{0\le i<j\le d+1}w_{ij}q_j\ell_{j-i}.$$",
            says=("sparse",),
            evidence=(
                "proof",
                "exact/mean length, sparse-gamma",
                "exact/mean length, sparse-omega",
                "exact/closed form, sparse-gamma",
                "exact/closed form, sparse-omega",
                "exact/literal count",
                "montecarlo/sampled bits",
            ),
        ),
        Part(
            "b",
            r"The rounding is independent: $w_{ij}=q_i\prod_{i<k<j}(1-q_k)$.",
            evidence=("exact/consecutive nonzeros",),
            pins={r"$w_{ij}=q_i\prod_{i<k<j}(1-q_k)$": "exact/consecutive nonzeros"},
        ),
        Part(
            "c",
            r"The dense alternative sends the code of each level plus one, and a sign bit where it is not "
            r"zero: $$\mathbb E\,\mathrm{bits}_{\rm dense}=32B+\sum_j\big((1-p_j)b_j+p_jc_j+s_j"
            r"+(1-s_j)p_j\big).$$",
            says=("dense",),
            evidence=("proof", "exact/mean length, dense-gamma", "exact/closed form, dense-gamma"),
        ),
        Part(
            "d",
            r"The code of Elias gamma has the length $2\lfloor\log_2k\rfloor+1$; that of omega is 1 for 1, "
            r"and $\lambda+1$ more than that of $\lambda=\lfloor\log_2k\rfloor$ for any other $k$.",
            evidence=("exact/length of gamma", "exact/length of omega"),
            pins={
                r"$2\lfloor\log_2k\rfloor+1$": "exact/length of gamma",
                r"is 1 for 1, and $\lambda+1$ more than that of $\lambda=\lfloor\log_2k\rfloor$": (
                    "exact/length of omega"
                ),
            },
        ),
        Part(
            "e",
            "Every message is decoded: what is received is what was sent.",
            evidence=("exact/coordinates lost in transit",),
        ),
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(B, "B", r"\mathbb N", "number of blocks, so of norms"),
        Variable(number, "k", r"\mathbb N", "number whose code length is asked for"),
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
        Variable(gap, r"\gamma", r"\mathbb N", "lengths of the codes of gaps", "(d + 2, d + 2)", first=0),
        Variable(beyond, "c", r"\mathbb N^d", "length of the code of the next level", "(d,)"),
        Variable(M, "M", r"\mathbb N", "number of outcomes of the rounding"),
        Variable(chance, r"\pi", "[0,1]^M", "probabilities of the outcomes", "(M,)"),
        Variable(r, "r", r"\{0,1\}", "whether an outcome rounds a coordinate up", "(M, d)"),
        Variable(
            c, r"\chi", r"\{0,1\}", "whether two nonzeros are consecutive in an outcome", "(M, d + 2, d + 2)"
        ),
        Variable(bits, r"\mathrm{bits}", r"\mathbb N", "lengths of the messages of the outcomes", "(M,)"),
        Variable(
            dense_bits, r"\mathrm{bits}_{\rm dense}", r"\mathbb N", "the same for the dense code", "(M,)"
        ),
        Variable(sparse, r"\mathbb E\,\mathrm{bits}", r"\mathbb R_{\ge0}", "expected length"),
        Variable(
            dense, r"\mathbb E\,\mathrm{bits}_{\rm dense}", r"\mathbb R_{\ge0}", "expected dense length"
        ),
    ),
    hypotheses={
        "d": Hypothesis("domain", (IsInteger(d), le(1, d)), r"$d\ge1$ is an integer"),
        "levels": Hypothesis(
            "definition",
            (
                every(eq(whole[j], floor(u[j])), COORDINATES),
                every(eq(u[j], whole[j] + p[j]), COORDINATES),
                every(eq(s[j], Min(1, whole[j])), COORDINATES),
                every(eq(q[j], Min(1, u[j - 1])), (j, 1, d)),
                eq(q[0], 1),
                eq(q[d + 1], 1),
            ),
            r"$k_j=\lfloor u_j\rfloor$, $u_j=k_j+p_j$, $s_j=\min(1,k_j)$, $q_j=\min(1,u_j)$, and 1 at both "
            r"ends",
        ),
        "codes": Hypothesis(
            "definition",
            (
                every(eq(below[j], ell[whole[j]]), COORDINATES),
                every(eq(above[j], ell[whole[j] + 1]), COORDINATES),
                every(eq(beyond[j], ell[whole[j] + 2]), COORDINATES),
                every(eq(gap[i, j], ell[j - i]), LAST, FIRST),
            ),
            "the codes of levels and gaps have the lengths of the code",
        ),
        "chances": Hypothesis(
            "definition",
            (
                every(eq(w[i, i + 1], q[i]), FIRST),
                every(eq(w[i, j + 1], w[i, j] * (1 - q[j])), (j, i + 1, d), FIRST),
                every(eq(w[i, j], 0), (j, 0, i), FIRST),
            ),
            r"$w_{ij}$ is the product of $q_i$ and of the probabilities of zeros between $i$ and $j$, and 0 "
            "for the other order",
        ),
        "law": Hypothesis(
            "domain",
            (IsInteger(M), le(1, M), eq(Sum(chance[o], OUTCOMES), 1)),
            "the outcomes of the rounding have probabilities of sum one",
        ),
        "up": Hypothesis(
            "model",
            every(eq(Sum(chance[o] * r[o, j], OUTCOMES), p[j]), COORDINATES),
            "coordinate $j$ is rounded up with probability $p_j$",
            "squant/var",
        ),
        "independent": Hypothesis(
            "model",
            every(eq(Sum(chance[o] * c[o, i, j], OUTCOMES), w[i, j] * q[j]), ANY, FIRST),
            r"coordinate $j$ is rounded independently of the ones before it: $i$ and $j$ are consecutive "
            r"nonzeros with probability $w_{ij}q_j$",
        ),
        "messages": Hypothesis(
            "definition",
            (
                every(
                    eq(
                        bits[o],
                        _NORM_BITS * B + _sent(r[o, j]) + Sum(Sum(c[o, i, j] * gap[i, j], ANY), FIRST),
                    ),
                    OUTCOMES,
                ),
                every(eq(dense_bits[o], _NORM_BITS * B + _all(r[o, j])), OUTCOMES),
            ),
            "the message of an outcome: norms, signs and levels, and in the sparse code the gaps between "
            "consecutive nonzeros, both ends included",
        ),
        "expectations": Hypothesis(
            "definition",
            (
                eq(sparse, Sum(chance[o] * bits[o], OUTCOMES)),
                eq(dense, Sum(chance[o] * dense_bits[o], OUTCOMES)),
            ),
            "expectations over the outcomes",
        ),
    },
    relations={
        "sparse": Relation((sparse, _MEAN), ("=",)),
        "dense": Relation((dense, _DENSE_MEAN), ("=",)),
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
        "gamma_length": "said in part (d)",
        "omega_length": "said in part (d)",
    },
    worst_cases=(
        WorstCase(
            "every coordinate is nonzero, one level on the boundary of a code length",
            {
                "x": (2, 3, 6),
                "h": (_HALF, _THIRD, _QUARTER),
                "N": (7, 7, 7),
                "u": (Rational(4, 7), Rational(9, 7), Rational(24, 7)),
                "d": 3,
                "B": 1,
            },
            Integer(45),
        ),
        WorstCase(
            "all levels below 1",
            {
                "x": (1, 4, 8),
                "h": (Rational(3, 2),) * 3,
                "N": (9, 9, 9),
                "u": (Rational(2, 27), Rational(8, 27), Rational(16, 27)),
                "d": 3,
                "B": 1,
            },
            Rational(760105, 19683),
        ),
        WorstCase(
            "two blocks, two norms",
            {
                "x": (3, 4, 5, 12),
                "h": (_HALF, _HALF, _THIRD, _THIRD),
                "N": (5, 5, 13, 13),
                "u": (Rational(6, 5), Rational(8, 5), Rational(15, 13), Rational(36, 13)),
                "d": 4,
                "B": 2,
            },
            Rational(5259, 65),
        ),
        WorstCase(
            "two nonzeros among eight coordinates: gaps and sentinel dominate",
            {
                "x": (0, 3, 0, 0, 4, 0, 0, 0),
                "h": (2,) * 8,
                "N": (5,) * 8,
                "u": (0, Rational(3, 10), 0, 0, Rational(2, 5), 0, 0, 0),
                "d": 8,
                "B": 1,
            },
            Rational(419, 10),
        ),
        WorstCase(
            r"all ones with $h=1$ at $d=16$",
            {"x": (1,) * 16, "h": (1,) * 16, "N": (4,) * 16, "u": (_QUARTER,) * 16, "d": 16, "B": 1},
        ),
    ),
)

# One coordinate at level 1, one outcome: the gaps 1 and 1.
_CHAIN = ((0, 1, 0), (0, 0, 1), (0, 0, 0))
ONE = {d: 1, B: 1, M: 1, u: (1,), whole: (1,), p: (0,), s: (1,), q: (1, 1, 1), w: _CHAIN, chance: (1,)}
ONE |= {ell: (0, 1, 3, 3), below: (1,), above: (3,), beyond: (3,), gap: ((0, 1, 3), (0, 0, 1), (0, 0, 0))}
ONE |= {r: ((0,),), c: (_CHAIN,), bits: (36,), dense_bits: (36,), sparse: 36, dense: 36}


def derive(K: Any) -> None:
    """Prove the relations: each part of a message is linear in what is random."""
    K.index(OUTCOMES, COORDINATES)
    K.example(ONE)
    signs = s[j] * (above[j] - below[j]) + (1 - s[j]) * (1 + ell[1])
    levels = beyond[j] - above[j] + 1 - s[j]
    fixed = Sum(s[j] * (1 + below[j]), COORDINATES), Sum(above[j] + s[j], COORDINATES)
    rounded = [_scaled(K, "up", 0, (j,), share, COORDINATES) for share in (signs, levels)]
    K.index(ANY, FIRST)
    pairs = _scaled(K, "independent", 0, (i, j), gap[i, j], ANY, FIRST)
    # No pair is consecutive the other way round.
    term, earlier = w[i, j] * q[j] * gap[i, j], K.at(K.given("chances", 2), i, j)
    none = K.cert(eq(term, 0), (q[j] * gap[i, j], earlier))
    code = K.at(K.given("codes", 3), i, j)
    split = K.split_off(Sum(term, ANY), i)
    ordered = K.cert(
        eq(Sum(term, ANY), Sum(w[i, j] * q[j] * ell[j - i], LAST)),
        (1, split),
        (1, K.sum_over(none, (j, 0, i - 1))),
        (q[i] * gap[i, i], K.at(K.given("chances", 2), i, i)),
        (1, K.sum_over(K.cert(eq(term, w[i, j] * q[j] * ell[j - i]), (w[i, j] * q[j], code)), LAST)),
    )
    gaps = K.sum_over(ordered, FIRST)
    for place, (name, more) in enumerate((("sparse", [(1, pairs), (1, gaps)]), ("dense", []))):
        mean = K.cert(
            eq(*CLAIM.relations[name].sides),
            (1, _scaled(K, "messages", place, (o,), chance[o], OUTCOMES)),
            (_NORM_BITS * B + fixed[place], K.given("law", 2)),
            (1, rounded[place]),
            *more,
            using=[K.given("expectations", place)],
        )
        K.conclude(name, mean)


def _scaled(K: Any, name: str, place: int, at: Any, factor: Any, *ranges: Any) -> Any:
    """Return the equation of a hypothesis at these indices times a factor, added up over the ranges."""
    stated: Any = CLAIM.hypotheses[name].formulas[place]
    for _ in at:
        stated = stated.formula
    goal = eq(factor * stated.left, factor * stated.right)
    return K.sum_over(K.cert(goal, (factor, K.at(K.given(name, place), *at))), *ranges)
