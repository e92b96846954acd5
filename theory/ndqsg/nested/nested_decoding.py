r"""`ndqsg/nested-decoding`: what the nested receiver reconstructs (arXiv 1904.01197)."""

from typing import Any

from sympy import Expr, IndexedBase, Integer, Max, Rational, Sum, Symbol, floor, log, oo, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.antisymmetry import antisymmetry
from theory.facts.archimedes import archimedes
from theory.facts.cut import at_bottom, at_top, cut, unchanged
from theory.facts.positive_part import square_of_positive_part
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import eq, every, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

alpha, delta, k, g, y, u, z, e, i, q, s, r = symbols("alpha delta k g y u z e i q s r", real=True)
reduced, inner, decoded, bias, square = symbols("reduced inner decoded bias square", real=True)
overload, width, averaged, length, n, c = symbols("overload width averaged length n c", real=True)
j, random = Symbol("j", real=True), IndexedBase("random", real=True)

HALF = Rational(1, 2)


def error_at(error: Any) -> Expr:
    """Return the error of a decoded gradient inside the margin, from the fine error."""
    return delta * (alpha * error - (1 - alpha**2) * z)


_V = alpha * z + e
_ERROR = error_at(e)
_BIAS = -delta * (1 - alpha**2) * z
_EXACT = delta**2 * (alpha**2 / 12 + (1 - alpha**2) ** 2 * z**2)
_MARGIN = (k - 1) / (2 * alpha)
_PLACE, _FAILURE = k / 2 - alpha * z, alpha * z - (k - 1) / 2
_UNIFORM = (width - (k - 1) / 2) ** 2 / (2 * width)
CELLS = (c, 0, n - 1)


def failures(innovation: Any) -> Expr:
    """Return the length of the fine errors at which decoding fails, beyond both ends of the coarse cell."""
    return HALF - cut(k / 2 - alpha * innovation) + (HALF + cut(-k / 2 - alpha * innovation))


def _mean(place: Any) -> Expr:
    """Return the mean of these lengths at one place of each cell of [0, B] and at that of [-B, 0]."""
    at = place * width / n
    return Sum(failures(at) + failures(-at), CELLS) / (2 * n)


CLAIM = Claim(
    id="ndqsg/nested-decoding",
    kind="identity",
    provenance="rederived",
    title="What the nested receiver reconstructs, and the margin within which it is exact",
    position=27,
    paper=PAPER,
    **statement(
        r"""
        The sender sends $s\in i+k\mathbb Z$ for $i=Q(\alpha g/\delta+u)$, $Q(v)=\lfloor v+\frac12\rfloor$;
        the receiver knows the dither $u$ and side information $y$ and decodes $\hat
        g=y+\alpha\delta\,(r\bmod^*k)$ with $r=s-u-\frac{\alpha y}\delta$ and $v\bmod^*k=v-k\,Q(v/k)$.
        $z=\frac{g-y}\delta$ is the innovation. The fine error $e=i-\frac{\alpha g}\delta-u$ is uniform on
        $\pm\frac12$ and independent of $g$ and $y$. In (f) the innovation is uniform on $[-B,B]$, too.
        (a: reduced) <<For every $g$, $y$ and $u$ -> proof>> $$r\bmod^*k=(\alpha z+e)\bmod^*k.$$ [proof]
        (b: error) If $|z|<\frac{k-1}{2\alpha}$, <<decoding is right for every dither -> exact/most dithers
          that fail>>: $$\hat g-g=\delta[\alpha e-(1-\alpha^2)z].$$ [proof; exact/largest fine error;
          exact/error at the largest e; exact/fewest dithers that fail; exact/most dithers that fail;
          adversarial/fine error inside the margin; run/largest error; run/wrong indices]
        (c: mean, mean-square) Then, given $g$ and $y$, $\mathbb E(\hat g-g)=-\delta(1-\alpha^2)z$ and
          $$\mathbb E(\hat g-g)^2=\delta^2\Big[\frac{\alpha^2}{12}+(1-\alpha^2)^2z^2\Big].$$ [proof;
          exact/mean; exact/mean square; montecarlo/mean square]
        (d: gain-one) At $\alpha=1$ <<this is the error of the dithered quantizer with step -> proof>>
          $\delta$: $\hat g-g=\delta e$. [proof]
        (e: failed, failure, positive) <<The margin is sharp -> proof>>: for
          $\frac{k-1}{2\alpha}<z\le\frac{k+1}{2\alpha}$ and $\frac k2-\alpha z\le e$ $$\hat
          g-g=\delta[\alpha e-(1-\alpha^2)z]-\alpha\delta k,$$ and this has the probability $p=\alpha
          z-\frac{k-1}2>0$. [proof; exact/failure]
        (f: uniform) With an innovation uniform up to $B$ on both sides, $\frac{k-1}2\le B\le\frac{k+1}2$ and
          $\alpha=1$, decoding fails with probability $$P=\frac{(B-\frac{k-1}2)^2}{2B}.$$ [proof;
          exact/overload of uniform innovations]
        (g: right, below) The other errors do no harm: if $-\frac k2\le\alpha z+e<\frac k2$, then $\hat
          g-g=\delta[\alpha e-(1-\alpha^2)z]$. At the other end it is as in (e): if
          $-\frac{k+1}{2\alpha}\le z$ and $\alpha z+e<-\frac k2$, then $\hat
          g-g=\delta[\alpha e-(1-\alpha^2)z]+\alpha\delta k$. [proof]
        (h: length) At $z$ and its negative together the errors beyond both ends have the length
          $\lambda=2\max(0,\alpha z-\frac{k-1}2)$, which rises with $z$, if $0\le
          z\le\frac{k+1}{2\alpha}$. [proof]
        """
    ),
    variables=(
        Variable(z, "z", r"\mathbb R", r"innovation $z=(g-y)/\delta$ in fine steps"),
        Variable(e, "e", r"[-\frac12,\frac12]", r"error of the fine quantizer in steps"),
        Variable(k, "k", r"\{2,3,\dots\}", "ratio of the coarse step to the fine one"),
        Variable(alpha, r"\alpha", "(0,1]", "gain of the nested quantizer"),
        Variable(delta, r"\delta", r"\mathbb R_{>0}", "fine step"),
        Variable(g, "g", r"\mathbb R", "gradient"),
        Variable(y, "y", r"\mathbb R", "side information"),
        Variable(u, "u", r"\mathbb R", "dither"),
        Variable(i, "i", r"\mathbb R", "fine index"),
        Variable(s, "s", r"\mathbb R", "symbol"),
        Variable(q, "q", r"\mathbb Z", "number of ratios by which it is off the index"),
        Variable(r, "r", r"\mathbb R", "what the receiver reduces"),
        Variable(reduced, r"r\bmod^*k", r"\mathbb R", "the reduced innovation"),
        Variable(inner, r"(\alpha z+e)\bmod^*k", r"\mathbb R", "what is to be recovered"),
        Variable(decoded, r"\hat g", r"\mathbb R", "decoded gradient"),
        Variable(bias, r"\mathbb E(\hat g-g)", r"\mathbb R", "expected error"),
        Variable(square, r"\mathbb E(\hat g-g)^2", r"\mathbb R_{\ge0}", "expected squared error"),
        Variable(overload, "p", "[0,1]", r"$\Pr(e\ge\frac k2-\alpha z)$"),
        Variable(width, "B", r"\mathbb R_{>0}", r"the innovation is uniform on $[-B,B]$"),
        Variable(
            length,
            r"\lambda",
            r"\mathbb R_{\ge0}",
            "length of the fine errors at which decoding fails, at both signs of $z$ together",
        ),
        Variable(averaged, "P", "[0,1]", "probability of a failure over dither and innovation"),
        Variable(random, r"\xi", r"\mathbb R", "error of the fine step", "(1,)"),
    ),
    notation={"Q": "rounding, half-up", "v": "any number"},
    hypotheses={
        "domain": domain(r"$k\ge2$ is an integer, $0<\alpha\le1$, $\delta>0$"),
        "sender": definition(
            r"$i=\lfloor\frac{\alpha g}\delta+u+\frac12\rfloor$; $q$ is an integer, $s=i-kq$"
        ),
        "receiver": definition(
            r"$r=s-u-\frac{\alpha y}\delta$, $r\bmod^*k=r-k\Big\lfloor\frac rk+\frac12\Big\rfloor$, "
            r"$\hat g=y+\alpha\delta\,(r\bmod^*k)$"
        ),
        "names": definition(
            r"$z=\frac{g-y}\delta$, $e=i-\frac{\alpha g}\delta-u$, "
            r"$(\alpha z+e)\bmod^*k=\alpha z+e-k\Big\lfloor\frac{\alpha z+e}k+\frac12\Big\rfloor$"
        ),
        "inside": parameter(r"$|z|<\frac{k-1}{2\alpha}$"),
        "moments": model(
            r"$\mathbb E(\hat g-g)=\mathbb E\bigl(\delta(\alpha\xi-z(1-\alpha^2))\bigr)$, "
            r"$\mathbb E(\hat g-g)^2=\mathbb E\bigl(\delta^2(\alpha\xi-z(1-\alpha^2))^2\bigr)$, over "
            r"$\xi$ with mean $0$ and variance $\frac1{12}$, since the fine error is uniform",
            reference="claim `ndqsg/dq-uniform-error`",
        ),
        "gain-one": parameter(r"$\alpha=1$"),
        "beyond": parameter(r"$\frac{k-1}{2\alpha}<z\le\frac{k+1}{2\alpha}$"),
        "far": parameter(r"$\frac k2-\alpha z\le e$"),
        "uniform-error": model(
            r"$p=\frac12-\max\{-\frac12,\min\{\frac k2-\alpha z,\frac12\}\}$, since $e$ is uniform",
            reference="claim `ndqsg/dq-uniform-error`",
        ),
        "widths": parameter(r"$\frac{k-1}2\le B\le\frac{k+1}2$"),
        "between": parameter(r"$-\frac k2\le\alpha z+e<\frac k2$"),
        "low": parameter(r"$-\frac{k+1}{2\alpha}\le z$, $\alpha z+e<-\frac k2$"),
        "positive": parameter(r"$0\le z\le\frac{k+1}{2\alpha}$"),
        "lengths": definition(
            r"$\lambda=2-\max\{-\frac12,\min\{\frac12,\frac k2-\alpha z\}\}"
            r"+\max\{-\frac12,\min\{\frac12,-\frac k2-\alpha z\}\}"
            r"-\max\{-\frac12,\min\{\frac12,\frac k2+\alpha z\}\}"
            r"+\max\{-\frac12,\min\{\frac12,\alpha z-\frac k2\}\}$, "
            r"since these lengths are beyond the ends of the cells"
        ),
        "uniform-innovation": model(
            r"$z$ is uniform on $[-B,B]$, $e$ is uniform and independent of it: given $z$, decoding fails "
            r"with a probability that is the length of the errors where it does; $P$ is the expectation of "
            r"this length over $z$. At both signs of $z$ together it rises with $|z|$, by (h), so that, for "
            r"every number of equal cells of $[0,B]$ and of $[-B,0]$, $P$ is at least the mean of the "
            r"lengths at the inner ends of the cells, and at most that at the outer ends",
            every(le(_mean(c), averaged), (n, 1, oo)),
            every(le(averaged, _mean(c + 1)), (n, 1, oo)),
            reference="claim `ndqsg/dq-uniform-error`",
        ),
    },
    relations={
        "reduced": Relation((reduced, inner), ("=",)),
        "error": Relation((decoded - g, _ERROR), ("=",), under=("inside",)),
        "mean": Relation((bias, _BIAS), ("=",), under=("inside", "moments")),
        "mean-square": Relation((square, _EXACT), ("=",), under=("inside", "moments")),
        "gain-one": Relation((decoded - g, delta * e), ("=",), under=("inside", "gain-one")),
        "failed": Relation((decoded - g, _ERROR - alpha * delta * k), ("=",), under=("beyond", "far")),
        "failure": Relation((overload, _FAILURE), ("=",), under=("beyond", "uniform-error")),
        "positive": Relation((_FAILURE, Integer(0)), (">",), under=("beyond",)),
        "uniform": Relation((averaged, _UNIFORM), ("=",), under=("widths", "gain-one", "uniform-innovation")),
        "length": Relation(
            (length, 2 * Max(0, alpha * z - (k - 1) / 2)), ("=",), under=("positive", "lengths")
        ),
        "right": Relation((decoded - g, _ERROR), ("=",), under=("between",)),
        "below": Relation((decoded - g, _ERROR + alpha * delta * k), ("=",), under=("low",)),
    },
    formulas={
        "exact": _EXACT,
        "error": _ERROR,
        "bias": _BIAS,
        "margin": _MARGIN,
        "failure": _FAILURE,
        "uniform_overload": _UNIFORM,
        "bits": log(k) / log(2),
    },
    internal={"bits": "what $k$ symbols take; other claims use it", "margin": "the hypothesis of part (b)"},
    worst_cases=cases(r"""
        $k=3$, $\alpha=1$, inside the margin: $D$ whatever the innovation is | z = 31/32, alpha = 1, delta = 1
          | 1/12
        gain $\frac9{10}$ at half a step: bias $-\frac{19}{200}$ | z = 1/2, alpha = 9/10, delta = 1
          | 3061/40000
    """),
)

# Names that are defined follow: z = 1 and e = 1/8 in the first one, z = 5/3 and e = 1/3 in the last.
_EXAMPLES = (
    {k: 4, alpha: HALF, delta: 2, g: 3, y: 1, u: Rational(1, 8), q: 1},
    {k: 4, alpha: 1, delta: 2, g: 3, y: 2, u: Rational(-3, 8), q: 0},
    {k: 4, alpha: 1, delta: 1, g: Rational(5, 3), y: 0, u: 0, q: 0},
    {k: 3, width: Rational(5, 4), averaged: Rational(1, 40), alpha: 1, delta: 1},
)


def derive(K: Any) -> None:
    """Prove the relations: the reduction forgets multiples of k, and is then a floor of 0 or 1."""
    for values in _EXAMPLES:
        K.example(values)
    index, kept = K.given("sender"), K.given("sender", 2)
    innovation, fine = K.given("names"), K.given("names", 1)
    received = K.given("receiver")
    # r = alpha z + e - k q.
    inside = K.cert(eq(r, _V - k * q), (1, received), (1, kept), (-1, fine), (-alpha, innovation))
    cell = floor(_V / k + HALF)
    shifted = _floor(K, r / k + HALF, cell - q, (1 / k, inside), _V / k + HALF)
    same = K.cert(
        eq(reduced, inner), (1, K.given("receiver", 1)), (1, inside), (-k, shifted), (-1, K.given("names", 2))
    )
    K.conclude("reduced", same)
    t = alpha * g / delta + u + HALF
    above = K.cert(le(e, HALF), (1, fine), (1, index), (1, K.axiom("floor-below", t)))
    below = K.cert(lt(-HALF, e), (-1, fine), (-1, index), (1, K.axiom("floor-above", t)))
    known = (K.given("receiver", 2), (alpha * delta, same), K.given("names", 2))

    def decoded_with(number: int, low: Any, high: Any) -> Any:
        """Return the error where the cell is this number."""
        found = K.discharge(K.axiom("floor-unique", _V / k + HALF, Integer(number)), low, high)
        return K.cert(
            eq(decoded - g, _ERROR - alpha * delta * k * number),
            (1, known[0]),
            known[1],
            (alpha * delta, known[2]),
            (-alpha * delta * k, found),
            (delta, innovation),
        )

    inside_margin = K.given("inside")
    low = K.cert(
        le(0, _V / k + HALF),
        (alpha / k, K.axiom("abs-below", z)),
        (alpha / k, inside_margin),
        (1 / k, below),
    )
    high = K.cert(
        lt(_V / k + HALF, 1), (alpha / k, K.axiom("abs-above", z)), (alpha / k, inside_margin), (1 / k, above)
    )
    error = decoded_with(0, low, high)
    K.conclude("error", error)
    K.conclude("mean", K.cert(eq(bias, _BIAS), (1, K.given("moments"))))
    K.conclude("mean-square", K.cert(eq(square, _EXACT), (1, K.given("moments", 1))))
    one = K.given("gain-one")
    K.conclude(
        "gain-one", K.cert(eq(decoded - g, delta * e), (1, error), (delta * (e + (1 + alpha) * z), one))
    )
    far = K.cert(le(1, _V / k + HALF), (1 / k, K.given("far")))
    near = K.cert(
        lt(_V / k + HALF, 2), (alpha / k, K.given("beyond", 1)), (1 / k, above), (1 / k, K.sign(lt(0, k - 1)))
    )
    K.conclude("failed", decoded_with(1, far, near))
    between, low_end = K.given("between"), K.given("between", 1)
    low = K.cert(le(0, _V / k + HALF), (1 / k, between))
    K.conclude("right", decoded_with(0, low, K.cert(lt(_V / k + HALF, 1), (1 / k, low_end))))
    under = K.cert(lt(_V / k + HALF, 0), (1 / k, K.given("low", 1)))
    least = K.cert(
        le(-1, _V / k + HALF), (alpha / k, K.given("low")), (1 / k, below), (1 / k, K.sign(lt(0, k - 1)))
    )
    K.conclude("below", decoded_with(-1, least, under))
    below = K.cert(le(_PLACE, HALF), (alpha, K.given("beyond")))
    above = K.cert(le(-HALF, _PLACE), (alpha, K.given("beyond", 1)))
    cut = K.discharge(K.axiom("min-is-left", _PLACE, HALF), below)
    kept = K.rewrite(K.given("uniform-error"), cut)
    reached = K.discharge(K.axiom("max-is-right", -HALF, _PLACE), above)
    K.conclude("failure", K.cert(eq(overload, _FAILURE), (1, kept), (-1, reached)))
    K.conclude("positive", K.cert(lt(0, _FAILURE), (alpha, K.given("beyond"))))
    _uniform(K)


def _uniform(K: Any) -> None:
    r"""Conclude P: both means are within one step of the integral of $\max(0,t-m)$ over $[0,B]$.

    With $m=\frac{k-1}2$ the length is $\max(0,|z|-m)$ up to $|z|=m+1$.
    """
    margin, one = (k - 1) / 2, K.given("gain-one")
    inner, outer = K.given("widths"), K.given("widths", 1)
    K.know(K.cert(lt(0, width), (1, inner), (HALF, k - 2)))
    K.index((n, 1, oo), CELLS)
    place, step, spare = c * width / n, width / n, alpha * width - margin
    excess = Max(0, alpha * place - margin)
    K.know(K.cert(le(0, spare), (1, inner), (-width, one)))
    # Of each cell both ends are from 0 to B.
    last = K.cert(le(alpha * width, margin + 1), (1, outer), (width, one))
    ends = (
        (place, K.cert(le(alpha * place, margin + 1), (1, last), (alpha * step, K.sign(le(0, n - c))))),
        (place + step, K.cert(le(alpha * (place + step), margin + 1), (1, last), (alpha * step, n - 1 - c))),
    )
    lemma, t = _length(K, margin)
    least, most = (K.sum_over(K.discharge(K.instantiate(lemma, {t: at}), near), CELLS) for at, near in ends)
    ready = K.cert(le(alpha * z, margin + 1), (alpha, K.given("positive", 1)))
    K.know(K.cert(le(0, alpha * z), (alpha, K.given("positive"))))
    found = K.discharge(K.instantiate(lemma, {t: z}), ready)
    K.conclude(
        "length", K.cert(eq(length, 2 * Max(0, alpha * z - margin)), (1, K.given("lengths")), (1, found))
    )
    small, large, a, h = square_of_positive_part(K)
    moved = {a: alpha * place - margin, h: alpha * step}
    below, above = (K.sum_over(K.instantiate(item, moved), CELLS) for item in (small, large))
    none, all_ = K.axiom("max-is-right", -margin, Integer(0)), K.axiom("max-is-right", Integer(0), spare)
    none = K.discharge(none, K.cert(le(-margin, 0), (HALF, k - 2)))
    rise, squares = (
        K.rewrite(K.rewrite(telescoping_sum(K, term, c, n), none), all_) for term in (excess, excess**2)
    )
    bound, per_step = spare**2 / (2 * alpha * width), n / (alpha * width)
    over = K.cert(
        le(n * (averaged - bound), spare),
        (n, K.at(K.given("uniform-innovation", 1), n)),
        (HALF, most),
        (1, rise),
        (per_step, below),
        (per_step / 2, squares),
    )
    under = K.cert(
        le(n * (bound - averaged), spare),
        (n, K.at(K.given("uniform-innovation"), n)),
        (-HALF, least),
        (1, rise),
        (per_step, above),
        (-per_step / 2, squares),
    )
    none_over, none_under = (
        _for_all(K, item, sign * (averaged - bound), spare) for item, sign in ((over, 1), (under, -1))
    )
    same = antisymmetry(
        K,
        averaged,
        bound,
        K.cert(le(averaged, bound), (1, none_over)),
        K.cert(le(bound, averaged), (1, none_under)),
    )
    K.conclude("uniform", K.cert(eq(averaged, _UNIFORM), (1, same), using=[one]))


def _for_all(K: Any, theorem: Any, slope: Any, bound: Any) -> Any:
    """Return that a slope is at most 0, n times which is at most a bound for every n from 1."""
    more = Symbol("more", real=True)
    K.index((more, 0, oo))
    far = K.cert(le(more * slope, bound - slope), (1, K.instantiate(theorem, {n: more + 1})))
    return archimedes(K, slope, bound - slope, K.every(far, (more, 0, oo)))


def _length(K: Any, margin: Any) -> tuple[Any, Any]:
    r"""Return $2\max(0,\alpha t-m)$ as the length at t and -t where $\alpha t\le m+1$; and t."""
    t = Symbol("t", real=True)
    a = alpha * t
    K.know(K.assume(le(0, a)))
    far = K.cert(le(HALF, k / 2 + a), (1, a), (HALF, k - 2))
    rest = [K.discharge(item, far) for item in (at_top(K, k / 2 + a), at_bottom(K, -k / 2 - a))]
    goal = eq(failures(t) + failures(-t), 2 * Max(0, a - margin))
    signs = (-1, 1, -1, 1, -2)
    inside = [
        at_top(K, k / 2 - a),
        at_bottom(K, a - k / 2, K.cert(le(a - k / 2, HALF), (1, K.assume(le(a - margin, 0))), (1, 1))),
        K.axiom("max-is-right", a - margin, Integer(0)),
    ]
    many = K.assume(lt(0, a - margin))
    beyond = [
        unchanged(K, k / 2 - a, K.cert(le(k / 2 - a, HALF), (1, many))),
        unchanged(K, a - k / 2, K.cert(le(-HALF, a - k / 2), (1, many))),
        K.discharge(K.axiom("max-is-right", Integer(0), a - margin), K.cert(le(0, a - margin), (1, many))),
    ]
    cases = (K.cert(goal, *zip(signs, (*rest, *ends), strict=True)) for ends in (inside, beyond))
    return K.cases(a - margin, *cases), t


def _floor(K: Any, value: Any, number: Any, equation: Any, moved: Any) -> Any:
    """Return that the floor of a value is a number, the floor of another value less an integer."""
    return K.discharge(
        K.axiom("floor-unique", value, number),
        K.cert(le(number, value), (1, K.axiom("floor-below", moved)), (-equation[0], equation[1])),
        K.cert(lt(value, number + 1), (1, K.axiom("floor-above", moved)), equation),
    )
