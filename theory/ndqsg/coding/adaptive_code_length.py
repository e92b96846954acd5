r"""`ndqsg/adaptive-code-length`: ideal length of the adaptive code of the indices (arXiv 1904.01197)."""

from typing import Any

from sympy import Eq, Integer, Max, Min, Piecewise, Product, Sum, factorial, floor, log, oo, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.logarithms.logarithmic_gain import gain_grows
from theory.facts.logarithms.number_of_types import COUNTS, LETTERS, TOTAL, types_bound, weight
from theory.facts.sums.split_sum import split_sum
from theory.formula import IsInteger, eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.ndqsg.coding.adaptive_counts import (
    ALWAYS,
    SYMBOLS,
    A,
    F,
    W,
    a,
    b,
    below,
    chance,
    counted,
    counts,
    each,
    f,
    factor,
    i,
    know_signs,
    last,
    logarithm,
    multiplied,
    n,
    none_counted,
    seen,
    sent,
    total_count,
    two_in_turns,
    whole,
)
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

# A number, and two symbols in whose pieces it lies.
v, x, y = symbols("v x y", real=True)
_NEXT = (counts[n, a] + 1) / (n + A)
_ENTROPY = weight(n) - each(weight(counts[n, a]))
_LENGTH = log(F[n + A - 1]) - log(F[A - 1]) - each(log(f[n, a]))
_OF_COUNTS = log(F[n + A - 1]) - log(F[A - 1]) - each(log(F[counts[n, a]]))
_EXCESS = log(F[n + A - 1]) - log(F[A - 1]) - log(F[n])
_EXACT = (log(factorial(n + A - 1)) - log(factorial(A - 1)) - each(log(factorial(last[a])))) / log(2)
_CHANCE = factorial(A - 1) * Product(factorial(last[a]), SYMBOLS) / factorial(n + A - 1)
_EMPIRICAL = (n * log(n) - each(Piecewise((0, Eq(last[a], 0)), (last[a] * log(last[a]), True)))) / log(2)


def _start(symbol: Any) -> Any:
    """Return the first number of a symbol's piece."""
    return floor(W * below[symbol] / (n + A))


CLAIM = Claim(
    id="ndqsg/adaptive-code-length",
    kind="identity",
    provenance="derived",
    title="Ideal length of the adaptive code: the entropy, within the logarithm of the number of types",
    position=16,
    paper=PAPER,
    **statement(
        r"""
        An adaptive model starts with the counts $c_{0a}=0$ of $A$ symbols; $s_n$ is the symbol that follows
        the first $n$ ones and raises its count by 1. The first $n$ symbols have the probability $p_n$ in
        the model; minus its binary logarithm is their ideal length $L$. $r_n$ is the count of the next
        symbol, $F_m$ the factorial of $m$, $f_{na}$ that of $c_{na}$. $\hat H$ is the empirical entropy.
        (a: normalised) They are the probabilities of one symbol: $$\sum_a\frac{c_{na}+1}{n+A}=1.$$ [proof]
        (b: length) With $p_0=1$ and $p_{m+1}=p_m\frac{r_m+1}{m+A}$, <<for every order of the symbols ->
          proof>>, $$-\ln p_n=\ln F_{n+A-1}-\ln F_{A-1}-\sum_a\ln f_{na}.$$ [proof; exact/probability of a
          message]
        (c: bits) So a message of $n$ symbols has the ideal length $$L=\frac{\ln F_{n+A-1}-\ln
          F_{A-1}-\sum_a\ln f_{na}}{\ln2}.$$ [proof; exact/length; exact/ideal bits]
        (d: at-most) It exceeds $n\hat H$, in nats the first two terms, by at most <<the logarithm of the
          number of types, $\binom{n+A-1}{A-1}$ -> exact/entropy and number of types>>: $$-\ln p_n\le
          n\ln\max\{n,1\}-\sum_ac_{na}\ln\max\{c_{na},1\}+\ln F_{n+A-1}-\ln F_{A-1}-\ln F_n.$$ [proof;
          exact/entropy and number of types; exact/entropy and excess; adversarial/upper]
        (e: at-least) It is at least $n\hat H$: $$n\ln\max\{n,1\}-\sum_ac_{na}\ln\max\{c_{na},1\}\le-\ln
          p_n.$$ [proof; exact/entropy; exact/entropy in bits; adversarial/lower]
        (f) <<All messages of up to 5 symbols of an alphabet of 2 or 3 come back -> exact/wrong digits>>
          from the adaptive coder in <<registers of 32 bits -> exact/wrong digits of the decoder>>; for its
          length see `ndqsg/coded-size`. [exact/wrong digits; exact/wrong digits of the decoder]
        (g: pieces, end) Each symbol has numbers of its own: of $W\ge n+A$ the coder gives those from
          $\Big\lfloor\frac{WD_a}{n+A}\Big\rfloor$ on to $a$, with $D_a=\sum_{b=0}^{a-1}(c_{nb}+1)$,
          $$\Big\lfloor\frac{WD_a}{n+A}\Big\rfloor\le\Big\lfloor\frac{WD_{a+1}}{n+A}\Big\rfloor-1\
          ,\quad\Big\lfloor\frac{WD_A}{n+A}\Big\rfloor=W.$$ [proof]
        (h: found) No two symbols share a number: if one of $W\ge n+A$ numbers, $v$, is in the pieces (g) of
          symbols $0\le x\le A-1$ and $0\le y\le A-1$,
          $\Big\lfloor\frac{WD_x}{n+A}\Big\rfloor\le v\le\Big\lfloor\frac{WD_{x+1}}{n+A}\Big\rfloor-1$ and
          $\Big\lfloor\frac{WD_y}{n+A}\Big\rfloor\le v\le\Big\lfloor\frac{WD_{y+1}}{n+A}\Big\rfloor-1$,
          then $x=y$. [proof]
        (i) <<Messages that were recorded in a run come back, too -> run/wrong digits>>. [run/wrong digits;
          run/wrong digits of the decoder]
        """
    ),
    variables=(
        Variable(A, "A", r"\mathbb N", "size of the alphabet"),
        Variable(n, "n", r"\mathbb N", "symbols sent so far, or length of the message"),
        Variable(counts, "c", r"\mathbb N", "counts after so many symbols", "(oo, A)", first=0),
        Variable(last, "k", r"\mathbb N", "counts of a whole message", "(A,)", first=0),
        Variable(sent, "s", r"\mathbb N", "symbols in the order in which they are sent", "(oo,)", first=0),
        Variable(chance, "p", "(0,1]", "probability of the first symbols in the model", "(oo,)", first=0),
        Variable(whole, "L", r"\mathbb R_{\ge0}", "ideal length of the message in bits"),
        Variable(seen, "r", r"\mathbb N", "count of the next symbol", "(oo,)", first=0),
        Variable(F, "F", r"\mathbb N", "factorials", "(oo,)", first=0),
        Variable(f, "f", r"\mathbb N", "factorials of the counts", "(oo, A)", first=0),
        Variable(W, "W", r"\mathbb N", "numbers of the coder's interval"),
        Variable(v, "v", r"\mathbb N_0", "a number of the coder's interval"),
        Variable(x, "x", r"\mathbb N_0", "a symbol with it in its piece"),
        Variable(y, "y", r"\mathbb N_0", "another one, perhaps"),
        Variable(below, "D", r"\mathbb N", "counts of smaller symbols and their number", "(A + 1,)", first=0),
    ),
    notation={r"\hat H": "empirical entropy", r"n\hat H": "its sum over the message"},
    ranges={"a": (0, A - 1), "m": (0, oo)},
    hypotheses={
        "sizes": domain(r"$A\ge1$ and $n\ge0$ are integers, so that $n+A-1\ge0$"),
        "message": domain(r"$s_m$ is an integer from 0 to $A-1$"),
        "counts": definition(
            r"$c_{ma}\ge0$ is an integer, $c_{0a}=0$, $c_{m+1,s_m}=c_{m,s_m}+1$; "
            r"$c_{m+1,a}=c_{ma}$ for $a\ne s_m$"
        ),
        "next": definition("$r_m=c_{m,s_m}$"),
        "chance": definition(r"$p_0=1$, $p_{m+1}=p_m\frac{r_m+1}{m+A}$"),
        "factorials": definition("$F_0=1$, $F_{m+1}=(m+1)F_m$, $f_{ma}=F_{c_{ma}}$"),
        "positive": domain("$F_m>0$, $p_m>0$, $f_{ma}>0$"),
        "bits": definition(r"$L=-\frac{\ln p_n}{\ln2}$"),
        "pieces": definition(r"$D_i=\sum_{b=0}^{i-1}(c_{nb}+1)$"),
        "both": parameter(
            r"$x,y$ are integers from 0 to $A-1$, "
            r"$\Big\lfloor\frac{WD_x}{n+A}\Big\rfloor\le v\le\Big\lfloor\frac{WD_{x+1}}{n+A}\Big\rfloor-1$, "
            r"$\Big\lfloor\frac{WD_y}{n+A}\Big\rfloor\le v\le\Big\lfloor\frac{WD_{y+1}}{n+A}\Big\rfloor-1$"
        ),
        "registers": parameter(r"$W\ge n+A$ is an integer"),
    },
    relations={
        "normalised": Relation((each(_NEXT), 1), ("=",)),
        "length": Relation((-log(chance[n]), _LENGTH), ("=",)),
        "bits": Relation((whole, _LENGTH / log(2)), ("=",)),
        "at-most": Relation((-log(chance[n]), _ENTROPY + _EXCESS), ("<=",)),
        "at-least": Relation((_ENTROPY, -log(chance[n])), ("<=",)),
        "pieces": Relation(
            (floor(W * below[a] / (n + A)), floor(W * below[a + 1] / (n + A)) - 1),
            ("<=",),
            every=(SYMBOLS,),
            under=("registers",),
        ),
        "found": Relation((x, y), ("=",), under=("registers", "both")),
        "end": Relation((floor(W * below[A] / (n + A)), W), ("=",), under=("registers",)),
    },
    formulas={
        "exact": _EXACT,
        "probability": _CHANCE,
        "empirical": _EMPIRICAL,
        "excess": (log(factorial(n + A - 1)) - log(factorial(A - 1)) - log(factorial(n))) / log(2),
    },
    internal={
        "exact": "part (c) with the factorials written out",
        "probability": r"$2^{-L}$ of part (c)",
        "empirical": r"$n\hat H$ of the setting in bits",
        "excess": "the excess of part (d) in bits",
    },
    worst_cases=cases("""
        three symbols, skewed | counts = (10, 20, 70), n = 100, A = 3
          | log(4545718303596325929372242336109116400) / log(2)
        four symbols | counts = (1, 2, 3, 4), n = 10, A = 4 | log(3603600) / log(2)
        a single symbol occurs: entropy 0, all is excess | counts = (0, 0, 1000), n = 1000, A = 3
          | log(501501) / log(2)
    """),
)


def derive(K: Any) -> None:
    """Prove the relations by induction over the message."""
    K.index(SYMBOLS, ALWAYS)
    K.example(two_in_turns())
    know_signs(K)
    total = total_count(K)
    K.conclude("normalised", K.cert(eq(each(_NEXT), 1), (1 / (n + A), total)))
    length = _length(K)
    named = K.sum_over(logarithm(K, K.at(K.given("factorials", 2), a, n), f[n, a]), SYMBOLS)
    length_of = K.cert(eq(-log(chance[n]), _LENGTH), (1, length), (1, named))
    K.conclude("length", length_of)
    K.know(K.cert(lt(0, log(2)), (1, K.log(K.sign(lt(1, 2))))))
    K.conclude("bits", K.cert(eq(whole, _LENGTH / log(2)), (1 / log(2), length_of), (1, K.given("bits"))))
    _most(K, length, total)
    _pieces(K, total)
    _least(K, length, total)


def _length(K: Any) -> Any:
    """Return part (b): the factor of each symbol is one of a factorial."""

    def statement(at: Any) -> Any:
        return eq(-log(chance[at]), _OF_COUNTS.subs(n, at))

    next_one, total = counts[n, sent[n]] + 1, n + A
    equation = K.rewrite(K.at(K.given("chance", 1), n), K.at(K.given("next"), n), side="right")
    step = K.cert(
        statement(n + 1),
        (1, K.assume(statement(n))),
        (-1, logarithm(K, equation, chance[n + 1])),
        (-1, K.axiom("log-product", chance[n], next_one / total)),
        (-1, K.axiom("log-product", next_one, 1 / total)),
        (-1, K.axiom("log-power", total, -1)),
        (-1, factor(K, n + A - 1)),
        (1, multiplied(K)),
    )
    none = K.cert(statement(0), (-1, logarithm(K, K.given("chance"), chance[0])), (1, none_counted(K)))
    return K.at(K.induction(n, none, step), n)


def _above_one(K: Any, number: Any) -> Any:
    """Return that the logarithm of max(number, 1) is that of a number of at least 1."""
    K.know(K.sign(le(1, number)))
    least = K.axiom("max-is-right", 1, number)
    return logarithm(K, least, Max(1, number))


def _most(K: Any, length: Any, total: Any) -> None:
    """Conclude part (d): each symbol adds what grows from its count, which is at most n, to n."""
    grows, place = gain_grows(K), counts[n, sent[n]]
    spans = (a, 0, sent[n] - 1), (a, sent[n] + 1, A - 1)
    K.know(K.given("counts", 1))
    others = [Sum(counts[n, a], span) for span in spans]
    split = K.split_off(each(counts[n, a]), sent[n])
    K.know(K.cert(le(place, n), (1, total), (-1, split), *((1, item) for item in others)))

    def statement(at: Any) -> Any:
        return le(each(weight(counts[at, a])) - each(log(F[counts[at, a]])), weight(at) - log(F[at]))

    empty = weight(counts[0, a])
    zero = K.rewrite(K.identity(empty, empty), K.at(K.given("counts", 2), a), side="right")
    none = K.cert(
        statement(Integer(0)),
        (1, K.sum_over(zero, SYMBOLS)),
        (-1, none_counted(K)),
        (1, logarithm(K, K.given("factorials"), F[0])),
    )
    step = K.cert(
        statement(n + 1),
        (1, K.assume(statement(n))),
        (1, counted(K, weight)),
        (-1, multiplied(K)),
        (1, K.at(grows, place, n - place)),
        (1, factor(K, n)),
        (place + 1, _above_one(K, place + 1)),
        (-n - 1, _above_one(K, n + 1)),
    )
    entropy = K.at(K.induction(n, none, step), n)
    K.conclude("at-most", K.cert(le(-log(chance[n]), _ENTROPY + _EXCESS), (1, length), (1, entropy)))


def _least(K: Any, length: Any, total: Any) -> None:
    """Conclude part (e): the bound on types at the counts, with n at the exponent."""
    K.index((b, 0, oo))
    # The bound is on a family without end; behind the last symbol it goes on with its count.
    place = Min(b, A - 1)
    below_last = K.axiom("min-below-right", b, A - 1)
    natural = [K.discharge(K.at(K.given("counts", number), place, n), below_last) for number in range(2)]
    factorial_at = K.discharge(K.at(K.given("positive"), counts[n, place]), *natural)
    natural = [K.every(item, (b, 0, oo)) for item in natural]
    K.know(K.every(factorial_at, (b, 0, A - 1)), K.every(factorial_at, (b, 0, i - 1), (i, 1, oo)))
    found = types_bound(K, F, K.given("factorials", 1), K.given("factorials"))
    found = K.instantiate(found, {LETTERS: A, TOTAL: n, COUNTS: lambda at: counts[n, Min(at, A - 1)]})

    def plain(value: Any) -> Any:
        """Return that a sum over the symbols is that with the places of the bound."""
        term = value(counts[n, place])
        same = K.rewrite(K.identity(term, term), K.axiom("min-is-left", b, A - 1), side="right")
        return K.sum_over(same, (b, 0, A - 1))

    placed = Sum(counts[n, place], (b, 0, A - 1))
    found = K.discharge(found, *natural, K.cert(eq(placed, n), (1, plain(lambda count: count)), (1, total)))
    logs = plain(lambda count: weight(count) - log(F[count]))
    least = K.cert(le(_ENTROPY, -log(chance[n])), (1, found), (1, logs), (-1, length))
    K.conclude("at-least", least)


def _pieces(K: Any, total: Any) -> None:
    """Conclude part (f): no piece is shorter than W/(n + A), which is at least 1."""
    start, end = (W * below[at] / (n + A) for at in (a, a + 1))
    width, room = K.given("pieces"), K.given("registers", 1)
    split = K.split_off(Sum(counts[n, b] + 1, (b, 0, a)))
    K.know(K.cert(le(0, W), (1, room), (1, n + A)))
    longer = K.cert(
        le(start + 1, end),
        (W / (n + A), K.at(width, a)),
        (-W / (n + A), K.at(width, a + 1)),
        (-W / (n + A), split),
        (W / (n + A), counts[n, a]),
        (1 / (n + A), room),
    )
    low, high = K.axiom("floor-below", start), K.floor(longer)
    whole = K.discharge(
        K.axiom("floor-unique", start + 1, floor(start) + 1),
        K.cert(le(floor(start) + 1, start + 1), (1, low)),
        K.cert(lt(start + 1, floor(start) + 2), (1, K.axiom("floor-above", start))),
    )
    K.conclude("pieces", K.every(K.cert(le(floor(start), floor(end) - 1), (1, high), (-1, whole)), SYMBOLS))
    last = K.cert(eq(W * below[A] / (n + A), W), (W / (n + A), K.at(width, A)), (W / (n + A), total))
    term = floor(W * below[A] / (n + A))
    final = K.rewrite(K.identity(term, term), last, side="right")
    K.conclude("end", K.cert(eq(term, W), (1, final), (1, K.axiom("floor-unique", W, W))))
    _found(K)


def _found(K: Any) -> None:
    """Conclude part (h): the piece of a later symbol starts where that of an earlier one ends, or later."""
    # Of fresh names, so that what is known of their order does not stand for x and y.
    first, second = symbols("first second", real=True)
    ordered = _not_later(K, first, second)
    down, up = (K.instantiate(ordered, {first: low, second: high}) for low, high in ((x, y), (y, x)))
    least = K.discharge(K.axiom("max-is-right", y, x), down)
    most = K.discharge(K.axiom("max-is-right", x, y), up)
    K.conclude("found", K.cert(eq(x, y), (-1, least), (1, most)))


def _not_later(K: Any, first: Any, second: Any) -> Any:
    """Return that the second symbol, whose piece has a number of that of the first, is not behind it."""
    for item in (first, second):
        K.know(*map(K.assume, (IsInteger(item), le(0, item), le(item, A - 1))))
    K.know(K.given("counts", 1), K.axiom("integer-gap", first, second))
    split = split_sum(K, counts[n, b] + 1, (b, 0, second - 1), first + 1)
    begin, end = (K.at(K.given("pieces"), at) for at in (first + 1, second))
    share, ahead = W / (n + A), second - first
    tail = Sum(counts[n, b] + 1, (b, first + 1, second - 1))
    K.know(K.cert(le(0, W), (1, K.given("registers", 1)), (1, n + A)))
    more = K.cert(
        le(share * below[first + 1], share * below[second]),
        (share, tail),
        (share, begin),
        (-share, end),
        (-share, split),
    )
    inside = K.assume(le(_start(second), v)), K.assume(le(v, _start(first + 1) - 1))
    refuted = K.cert(le(second, first), *((ahead, item) for item in (K.floor(more), *inside)))
    return K.cases(ahead, K.cert(le(second, first), (1, K.assume(le(ahead, 0)))), refuted)
