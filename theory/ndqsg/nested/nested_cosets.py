r"""`ndqsg/nested-cosets`: which integer ratios are allowed, and their symbols (arXiv 1904.01197)."""

from typing import Any

from sympy import Integer, KroneckerDelta, Rational, floor, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.antisymmetry import antisymmetry
from theory.facts.rounding.sign_of_integer import integer_below_square
from theory.formula import IsInteger, eq, every, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

k, i, n, h, t, v, symbol, direct, place = symbols("k i n h t v symbol direct place", real=True)
fine, coarse, twice, shifted, reduced = symbols("fine coarse twice shifted reduced", real=True)
M, plain, aware, l, m = symbols("M x_plain x_aware l m", real=True)
HALF = Rational(1, 2)


def nearest(value: Any) -> Any:
    """Round half up."""
    return floor(value + HALF)


def mod(value: Any) -> Any:
    r"""Return $v\bmod^*k$."""
    return value - k * nearest(value / k)


_SYMBOL = mod(i)
# The indices i + k m from -M to M.
WITHIN = (m, -floor((M + i) / k), floor((M - i) / k))
_NEAR, _OTHER = (aware - place) ** 2, (i + k * m - place) ** 2
_SMALLEST, _LARGEST = -floor(k / 2), k - 1 - floor(k / 2)

CLAIM = Claim(
    id="ndqsg/nested-cosets",
    kind="identity",
    provenance="derived",
    title="Every integer ratio works, and the coset rule needs exactly k symbols",
    position=28,
    paper=PAPER,
    **statement(
        r"""
        $k\ge2$ is an integer, $Q(v)=\lfloor v+\frac12\rfloor$, and the symbol of a fine index $i$ is
        $s=i\bmod^*k=i-k\lfloor\frac ik+\frac12\rfloor$. Sender and receiver are those of
        `ndqsg/nested-decoding`.
        (a: range) <<For every $i$ -> exact/symbol>> $$-\lfloor k/2\rfloor\le s\le k-1-\lfloor k/2\rfloor.$$
          [proof; exact/smallest symbol; exact/largest symbol; exact/symbol]
        (b: fixed) Each of <<these $k$ integers -> exact/number of symbols>> <<is the symbol of itself ->
          proof>>: $\lfloor\frac vk+\frac12\rfloor=0$ <<for every -> proof>> $-\lfloor k/2\rfloor\le v\le
          k-1-\lfloor k/2\rfloor$. [proof; exact/number of symbols]
        (c: coset) Only the coset matters, <<for odd and even $k$ -> exact/largest error of the coset
          rule>>: <<for every real $t$ and integer $n$ -> proof>> $$(t+kn)\bmod^*k=t\bmod^*k,$$ so that
          decoding is as in `ndqsg/nested-decoding`. [proof; exact/largest error of the coset rule;
          adversarial/fine error inside the margin; montecarlo/mean square; run/largest error; run/wrong
          indices; exact/entries *; exact/sampled entries that differ; exact/bits of the payload;
          exact/coordinates whose dither is lost; exact/stated *; exact/sum of the chances of outcomes;
          exact/sure bound of the error; exact/arguments *]
        (d: symmetric, coarse) For $k=2h+1$ the alphabet is symmetric, $k-1-\lfloor k/2\rfloor=\lfloor
          k/2\rfloor$, and $t$ may be quantized with the coarse step: <<for every real $t$ -> proof>>
          $$Q(t/k)=Q(Q(t)/k).$$ [proof; exact/symbols of an odd ratio, directly]
        (e: asymmetric, direct-range, direct-last) For $k=2h$ it is asymmetric: $k-1-\lfloor
          k/2\rfloor=\lfloor k/2\rfloor-1$. There $s'=Q(t)-kQ(t/k)$ <<takes $k+1$ values ->
          exact/symbols of an even ratio, directly>>: $-h\le s'\le h$, where <<$t=v$ ->
          exact/symbols of an even ratio, directly>> gives all but the last, by (b), and
          $t=h-\frac14$ gives $s'=h$. <<Decoding stays right -> exact/largest error of the direct
          rule>>. [proof; exact/symbols of an even ratio, directly; exact/largest error of the
          direct rule]
        (f: found, nearest) The plain rule of `ndqsg/nested-decoding` decodes the index
          $d=s-k\lfloor\frac{s-\tau}k+\frac12\rfloor$, of the coset and near to $\tau$, which side
          information predicts: if $-\frac k2\le i-\tau<\frac k2$, then $d=i$, and none is nearer: <<for
          every integer $n$ -> proof>> $$(i-\tau)^2\le(i+kn-\tau)^2.$$ [proof; exact/overloads of the range
          alone]
        (g: kept) Range-aware decoding, which takes of the indices of the coset with $M$ levels the nearest to
          $\tau$, the smaller of two, as $c$, overloads at no coordinate where the plain rule does not: if
          $-M\le i\le M$ and $d=i$, then $c=i$. [proof; exact/overloads of the range alone]
        (h: gained, lost) It finds more: at $i=M$ and $\tau=M+k$ it decodes $c=i$, the plain rule $d=i+k$.
          <<At $M=2$ and $M=4$, each $k\le2M$, 16 dithers, innovations up to $3M$ fine steps by quarters, it
          overloads at fewer in all -> exact/overloads within the range>>. [proof; exact/overloads within the
          range]
        """
    ),
    variables=(
        Variable(k, "k", r"\{2,3,\dots\}", "ratio of the coarse step to the fine one"),
        Variable(i, "i", r"\mathbb Z", "index of the fine quantizer"),
        Variable(symbol, "s", r"\mathbb R", "its symbol"),
        Variable(direct, "s'", r"\mathbb R", "symbol of direct coarse quantization"),
        Variable(h, "h", r"\mathbb N", r"$\lfloor k/2\rfloor$"),
        Variable(n, "n", r"\mathbb Z", "an integer"),
        Variable(t, "t", r"\mathbb R", "what the fine quantizer rounds"),
        Variable(fine, "Q(t)", r"\mathbb R", "the fine index"),
        Variable(coarse, "Q(t/k)", r"\mathbb R", "the coarse index"),
        Variable(twice, "Q(Q(t)/k)", r"\mathbb R", "the coarse index of the fine one"),
        Variable(reduced, r"t\bmod^*k", r"\mathbb R", "what is left of $t$"),
        Variable(shifted, r"(t+kn)\bmod^*k", r"\mathbb R", "the same after a shift"),
        Variable(v, "v", r"\mathbb Z", "a symbol"),
        Variable(place, r"\tau", r"\mathbb R", r"$\frac y\delta+u$: where the index is expected"),
        Variable(M, "M", r"\mathbb N", "levels: the indices are from $-M$ to $M$"),
        Variable(plain, "d", r"\mathbb R", "index that the plain rule decodes"),
        Variable(aware, "c", r"\mathbb R", "index that range-aware decoding takes"),
    ),
    notation={"Q": "rounding, half-up"},
    hypotheses={
        "ratio": domain(r"$k\ge2$ is an integer"),
        "index": domain("$i$ and $n$ are integers"),
        "symbol": definition(r"$s=i-k\lfloor\frac ik+\frac12\rfloor$"),
        "value": parameter(r"$-\lfloor k/2\rfloor\le v\le k-1-\lfloor k/2\rfloor$ is an integer"),
        "odd": parameter("$k=2h+1$ with an integer $h$"),
        "even": parameter("$k=2h$ with an integer $h$"),
        "names": definition(
            r"$Q(t)=\lfloor t+\frac12\rfloor$, $Q(t/k)=\lfloor\frac tk+\frac12\rfloor$, "
            r"$Q(Q(t)/k)=\lfloor\frac{Q(t)}k+\frac12\rfloor$, $t\bmod^*k=t-k\lfloor\frac tk+\frac12\rfloor$, "
            r"$(t+kn)\bmod^*k=t+kn-k\lfloor\frac{t+kn}k+\frac12\rfloor$"
        ),
        "direct": definition(r"$s'=Q(t)-kQ(t/k)$"),
        "last": parameter(r"$t=h-\frac14$"),
        "found": parameter(r"$-\frac k2\le i-\tau<\frac k2$"),
        "plain": definition(r"$d=s-k\lfloor\frac{s-\tau}k+\frac12\rfloor$"),
        "levels": domain(r"$M\ge1$ is an integer"),
        "aware": definition(
            r"$c$ is an index of the coset from $-M$ to $M$; no other one there is nearer to $\tau$, and "
            "none that is as near is smaller",
            IsInteger(l),
            eq(aware, i + k * l),
            le(-M, aware),
            le(aware, M),
            every(le(_NEAR, _OTHER), WITHIN),
            every(le(KroneckerDelta(_NEAR, _OTHER) * (aware - i - k * m), 0), WITHIN),
        ),
        "inside": parameter(r"$-M\le i\le M$"),
        "right": parameter(r"$d=i$"),
        "beyond": parameter(r"$i=M$, $\tau=M+k$"),
    },
    relations={
        "range": Relation((_SMALLEST, symbol, _LARGEST), ("<=", "<=")),
        "fixed": Relation((nearest(v / k), Integer(0)), ("=",), under=("value",)),
        "coset": Relation((shifted, reduced), ("=",)),
        "symmetric": Relation((_LARGEST, floor(k / 2)), ("=",), under=("odd",)),
        "coarse": Relation((coarse, twice), ("=",), under=("odd",)),
        "asymmetric": Relation((_LARGEST, floor(k / 2) - 1), ("=",), under=("even",)),
        "direct-range": Relation((-h, direct, h), ("<=", "<="), under=("even", "direct")),
        "direct-last": Relation((direct, h), ("=",), under=("even", "direct", "last")),
        "found": Relation((plain, i), ("=",), under=("plain", "found")),
        "kept": Relation((aware, i), ("=",), under=("plain", "aware", "inside", "right")),
        "gained": Relation((aware, i), ("=",), under=("aware", "beyond")),
        "lost": Relation((plain, i + k), ("=",), under=("plain", "beyond")),
        "nearest": Relation(((i - place) ** 2, (i + k * n - place) ** 2), ("<=",), under=("found",)),
    },
    formulas={
        "exact": k,
        "symbol": _SYMBOL,
        "smallest": _SMALLEST,
        "largest": _LARGEST,
        "direct_even": k + 1,
    },
    internal={"direct_even": "the number of integers from $-h$ to $h$"},
    worst_cases=cases("""
        ratio 3, symbols -1, 0, 1 | k = 3 | 3
        ratio 4, symbols -2, -1, 0, 1; quantized directly there is a fifth | k = 4 | 4
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: floors between integers."""
    K.example({k: 5, i: 8, n: 3, t: Rational(7, 3), v: 2, h: 2, place: 6})
    K.example({k: 4, i: 6, n: 3, t: Rational(7, 4), v: 1, h: 2, place: 8})
    stated = K.given("symbol")
    below, above = K.axiom("floor-below", i / k + HALF), K.axiom("floor-above", i / k + HALF)
    high = K.cert(lt(symbol, k / 2), (k, above), (1, stated))
    low = K.cert(le(-symbol, k / 2), (k, below), (-1, stated))
    K.know(K.rewrite(K.sign(IsInteger(_SYMBOL)), K.cert(eq(_SYMBOL, symbol), (-1, stated))))
    whole = K.axiom("floor-unique", -symbol, -symbol)
    floors = K.floor(low)
    middle = K.axiom("floor-below", k / 2)
    gap = K.discharge(
        K.axiom("integer-gap", floor(k / 2), k - symbol),
        K.cert(lt(floor(k / 2), k - symbol), (1, middle), (1, high)),
    )
    K.conclude(
        "range",
        K.cert(le(_SMALLEST, symbol), (1, floors), (-1, whole)),
        K.cert(le(symbol, _LARGEST), (1, gap)),
    )
    value = [K.given("value", place) for place in range(3)]
    K.know(value[0])
    zero = _cell(
        K,
        v / k + HALF,
        0,
        K.cert(le(0, v / k + HALF), (1 / k, value[1]), (1 / k, middle)),
        K.cert(
            lt(v / k + HALF, 1),
            (1 / k, value[2]),
            (1 / k, K.axiom("floor-above", k / 2)),
        ),
    )
    K.conclude("fixed", zero)
    names = [K.given("names", place) for place in range(5)]
    inner = t / k + HALF
    moved = _cell(
        K,
        (t + k * n) / k + HALF,
        floor(inner) + n,
        K.cert(le(floor(inner) + n, (t + k * n) / k + HALF), (1, K.axiom("floor-below", inner))),
        K.cert(lt((t + k * n) / k + HALF, floor(inner) + n + 1), (1, K.axiom("floor-above", inner))),
    )
    K.conclude("coset", K.cert(eq(shifted, reduced), (1, names[4]), (-1, names[3]), (-k, moved)))
    _odd(K, names)
    _even(K, names)
    K.example({k: 4, M: 3, i: 1, place: Rational(3, 2), l: 0, aware: 1})
    K.example({k: 4, M: 3, i: 3, place: 7, l: 0, aware: 3})
    _decoders(K)
    _nearest(K)


def _cell(K: Any, value: Any, number: Any, low: Any, high: Any) -> Any:
    """Return that the floor of a value is a number."""
    return K.discharge(K.axiom("floor-unique", value, Integer(0) + number), low, high)


def _half(K: Any, parity: int) -> Any:
    """Return that floor(k/2) is h, for k = 2h + parity."""
    ratio = K.given("odd" if parity else "even", 1)
    K.know(K.given("odd" if parity else "even"))
    return _cell(
        K,
        k / 2,
        h,
        K.cert(le(h, k / 2), (HALF, Integer(parity)), (-HALF, ratio)),
        K.cert(lt(k / 2, h + 1), (HALF, ratio)),
    )


def _between(K: Any, cell: Any, below: Any, above: Any) -> tuple[Any, Any]:
    """Return that the index Q(t) is from k cell - h to k cell + h: the terms give it up to half a step."""
    low, high = k * cell - h - 1, k * cell + h + 1
    return (
        K.discharge(K.axiom("integer-gap", low, fine), K.cert(lt(low, fine), *below)),
        K.discharge(K.axiom("integer-gap", fine, high), K.cert(lt(fine, high), *above)),
    )


def _odd(K: Any, names: Any) -> None:
    """For odd k the boundaries of coarse cells are boundaries of fine ones."""
    half, ratio, cell = _half(K, 1), K.given("odd", 1), nearest(fine / k)
    K.conclude("symmetric", K.cert(eq(_LARGEST, floor(k / 2)), (-2, half), (1, ratio)))
    K.know(K.rewrite(K.sign(IsInteger(nearest(t))), K.cert(eq(nearest(t), fine), (-1, names[0]))))
    start, end = K.axiom("floor-below", fine / k + HALF), K.axiom("floor-above", fine / k + HALF)
    first, last = _between(K, cell, ((k, start), (HALF, ratio)), ((k, end), (HALF, ratio)))
    low, high = (K.axiom(f"floor-{side}", t + HALF) for side in ("below", "above"))
    at_half, index = (-1 / (2 * k), ratio), names[0]
    same = _cell(
        K,
        t / k + HALF,
        cell,
        K.cert(le(cell, t / k + HALF), (1 / k, first), (1 / k, low), (1 / k, index), at_half),
        K.cert(lt(t / k + HALF, cell + 1), (1 / k, last), (1 / k, high), (-1 / k, index), at_half),
    )
    K.conclude("coarse", K.cert(eq(coarse, twice), (1, names[1]), (1, same), (-1, names[2])))


def _even(K: Any, names: Any) -> None:
    """For even k they cut fine cells in two."""
    half, ratio, stated, index = _half(K, 0), K.given("even", 1), K.given("direct"), names[0]
    K.conclude("asymmetric", K.cert(eq(_LARGEST, floor(k / 2) - 1), (-2, half), (1, ratio)))
    start, end = K.axiom("floor-below", t / k + HALF), K.axiom("floor-above", t / k + HALF)
    low, high = (K.axiom(f"floor-{side}", t + HALF) for side in ("below", "above"))
    below = ((k, start), (1, high), (-1, index), (HALF, ratio))
    above = ((k, end), (1, low), (1, index), (HALF, ratio))
    first, last = _between(K, nearest(t / k), below, above)
    K.conclude(
        "direct-range",
        K.cert(le(-h, direct), (1, first), (-1, stated), (k, names[1])),
        K.cert(le(direct, h), (1, last), (1, stated), (-k, names[1])),
    )
    place = K.given("last")
    whole = _cell(
        K, t + HALF, h, K.cert(le(h, t + HALF), (-1, place)), K.cert(lt(t + HALF, h + 1), (1, place))
    )
    edge = ((-1 / k, place), (1 / (2 * k), ratio), (1 / k, k - 2), (1 / (4 * k), Integer(7)))
    end = ((1 / k, place), (-1 / (2 * k), ratio), (1 / (4 * k**2), K.sign(lt(0, k))))
    inside = _cell(K, t / k + HALF, 0, K.cert(le(0, t / k + HALF), *edge), K.cert(lt(t / k + HALF, 1), *end))
    terms = ((1, stated), (1, index), (1, whole), (-k, names[1]), (-k, inside))
    K.conclude("direct-last", K.cert(eq(direct, h), *terms))


def _nearest(K: Any) -> None:
    """The distance squared grows by k n (k n + 2 (i - tau)); an integer is at most its square."""
    goal, away = le((i - place) ** 2, (i + k * n - place) ** 2), i - place
    below, above = K.given("found"), K.given("found", 1)
    rooms = k / 2 - away, k / 2 + away
    K.know(K.cert(le(0, rooms[0]), (1, above)), K.cert(le(0, rooms[1]), (1, below)))
    backward = K.cert(goal, (2 * k * rooms[0], K.assume(le(n, 0))), (k**2, integer_below_square(K, -n)))
    forward = K.cert(goal, (2 * k * rooms[1], K.assume(lt(0, n))), (k**2, integer_below_square(K, n)))
    K.conclude("nearest", K.cases(n, backward, forward))


def _decoders(K: Any) -> None:
    """Conclude what both rules decode: the symbol and the index differ by a multiple of k."""
    stated, cell, away = K.given("symbol"), floor(i / k + HALF), i - place
    middle = away / k + HALF
    low, high = K.axiom("floor-below", middle), K.axiom("floor-above", middle)
    here, number = (symbol - place) / k + HALF, floor(middle) - cell
    moved = _cell(
        K,
        here,
        number,
        K.cert(le(number, here), (1, low), (-1 / k, stated)),
        K.cert(lt(here, number + 1), (1, high), (1 / k, stated)),
    )
    decoded = K.cert(eq(plain, i - k * floor(middle)), (1, K.given("plain")), (1, stated), (-k, moved))
    below, above = K.given("found"), K.given("found", 1)
    zero = _cell(K, middle, 0, K.cert(le(0, middle), (1 / k, below)), K.cert(lt(middle, 1), (1 / k, above)))
    K.conclude("found", K.cert(eq(plain, i), (1, decoded), (-k, zero)))
    top, far = K.given("beyond"), K.given("beyond", 1)
    one = _cell(
        K,
        middle,
        -1,
        K.cert(le(-1, middle), (-1 / k, top), (1 / k, far)),
        K.cert(lt(middle, 0), (1 / k, top), (-1 / k, far)),
    )
    K.conclude("lost", K.cert(eq(plain, i + k), (1, decoded), (-k, one)))
    # Where the plain rule is right, the index is within half a cell.
    same = K.cert(eq(floor(middle), 0), (1 / k, decoded), (-1 / k, K.given("right")))
    start = K.cert(le(-k / 2, away), (k, low), (-k, same))
    end = K.cert(lt(away, k / 2), (k, high), (k, same))
    shift, taken = K.given("aware"), K.given("aware", 1)
    K.know(shift)
    first, last = (
        K.floor(K.cert(le(0, (M + sign * i) / k), (1 / k, K.given("inside", side))))
        for side, sign in enumerate((1, -1))
    )
    K.know(first, last)
    near, tie = (K.rewrite(K.at(K.given("aware", number), 0), taken) for number in (4, 5))
    above, below = _none_above(K, l, away, start, near, tie), _none_below(K, -l, away, end, near)
    K.conclude("kept", _same_index(K, above, below))
    # Beyond the range no index is above the last one.
    most = K.cert(le(l, 0), (1 / k, K.given("aware", 3)), (-1 / k, taken), (-1 / k, top))
    end = K.cert(lt(away, k / 2), (1, top), (-1, far), (3 * HALF, K.sign(lt(0, k))))
    K.conclude("gained", _same_index(K, most, _none_below(K, -l, away, end, near)))


def _same_index(K: Any, above: Any, below: Any) -> Any:
    """Return c = i, as l is 0."""
    least = K.cert(le(0, l), (1, below))
    return K.cert(eq(aware, i), (1, K.given("aware", 1)), (k, antisymmetry(K, l, Integer(0), above, least)))


def _none_above(K: Any, number: Any, away: Any, start: Any, near: Any, tie: Any) -> Any:
    """Return that a number is at most 0: so many periods above no index is nearer, nor smaller."""
    w, o = symbols("above_w above_o", real=True)
    gap, reach = K.axiom("integer-gap", Integer(0), w), k * w + 2 * o
    K.know(K.assume(IsInteger(w)), K.assume(lt(0, w)))
    least = K.cert(le(0, reach), (k, gap), (2, K.assume(le(-k / 2, o))))
    most = K.cert(le(reach, 0), (1 / (k * w), K.assume(le((k * w + o) ** 2, o**2))))
    equal = K.cert(eq((k * w + o) ** 2, o**2), (k * w, antisymmetry(K, reach, Integer(0), most, least)))
    taken = K.rewrite(K.assume(le(KroneckerDelta((k * w + o) ** 2, o**2) * k * w, 0)), equal)
    above = K.cert(le(w, 0), (1 / k, taken), (w, K.axiom("delta-same", o**2)))
    lemma = K.cases(w, K.assume(le(w, 0)), above)
    return K.discharge(K.instantiate(lemma, {w: number, o: away}), start, near, tie)


def _none_below(K: Any, number: Any, away: Any, end: Any, near: Any) -> Any:
    """Return that a number is at most 0: an index so many periods below is farther."""
    w, o = symbols("below_w below_o", real=True)
    gap, reach = K.axiom("integer-gap", Integer(0), w), k * w - 2 * o
    K.know(K.assume(IsInteger(w)), K.assume(lt(0, w)))
    K.know(K.cert(lt(0, reach), (k, gap), (2, K.assume(lt(o, k / 2)))))
    below = K.cert(le(w, 0), (1 / (k * reach), K.assume(le((o - k * w) ** 2, o**2))))
    lemma = K.cases(w, K.assume(le(w, 0)), below)
    return K.discharge(K.instantiate(lemma, {w: number, o: away}), end, near)
