r"""`cat/contractions`: what the largest entries, random entries and signs lose at most (arXiv 2003.06377).

The baselines of its reference list: Stich et al. (arXiv 1809.07599), Seide et al. (Interspeech 2014); and the
variance of natural compression (Horvath et al., arXiv 1905.10988).
"""

from typing import Any

from sympy import IndexedBase, Rational, Sum, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.expectation import bernoulli
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz
from theory.facts.sums.split_sum import split_sum
from theory.facts.sums.sum_of_squares import sum_of_squares
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, k, j, omega, second, slope, m_up, m_down, lost, X, X_1, V = symbols(
    "d k j omega second slope m_up m_down lost X X_1 V", real=True
)
s, c, p, kept, low, chance, up = symbols("s c p kept low chance up", cls=IndexedBase, real=True)
ALL, REST = (j, 0, d - 1), (j, k, d - 1)

_TOTAL = Sum(s[j], ALL)
_SHARE, _SIGNS = 1 - k / d, 1 - X_1**2 / (d * X)
_SIGN_LOSS = Sum((s[j] - X_1 / d * c[j]) ** 2, ALL)
_MEAN = p[j] * m_up + (1 - p[j]) * m_down
_ONE_BIT = Sum((s[j] - _MEAN) ** 2, ALL)
_ROUNDED = bernoulli((low[j] * (1 + up[j]) - s[j]) ** 2, up, ALL, p=chance[j])

CLAIM = Claim(
    id="cat/contractions",
    kind="upper",
    provenance="derived",
    title="What the largest entries, random entries, signs, class means and powers of two lose",
    position=34,
    paper=PAPER,
    **statement(
        r"""
        $s_j$ are the magnitudes of the entries of $x\ne0$, the largest first, $\|x\|^2$ is the sum of their
        squares and $\|x\|_1$ their sum. A compressor is a contraction with $\delta$ if it loses at most
        $(1-\delta)\|x\|^2$.
        (a: largest, flat) <<The $k$ largest entries lose -> exact/largest entries>>
          $\sum_{j=k+1}^ds_j^2\le\Big(1-\frac kd\Big)\|x\|^2$, and if all magnitudes are equal
          $$\sum_{j=k+1}^ds_j^2=\Big(1-\frac kd\Big)\|x\|^2.$$ [proof; exact/largest entries;
          exact/equal magnitudes; adversarial/three largest]
        (b: random) <<$k$ random entries, sent as they are and each kept with probability $\frac kd$, lose in
          expectation -> exact/random entries>> $$\ell=\Big(1-\frac kd\Big)\|x\|^2.$$
          [proof; exact/random entries]
        (c: sign) <<The mean magnitude and the signs lose, with $c_j=1$ where there is one, else 0 ->
          exact/signs>>,
          $$\sum_{j=1}^d\Big(s_j-\frac{\|x\|_1}dc_j\Big)^2\le\
          \Big(1-\frac{\|x\|_1^2}{d\|x\|^2}\Big)\|x\|^2.$$ [proof; exact/signs; adversarial/signs]
        (d: sign-exact) If all entries have signs, zeros too, then this is attained: $$\sum_{j=1}^d\
          \Big(s_j-\frac{\|x\|_1}dc_j\Big)^2=\Big(1-\frac{\|x\|_1^2}{d\|x\|^2}\Big)\|x\|^2.$$
          [proof; exact/signs of all]
        (e: least) So signs are a contraction whatever $x$: $$0\le
          1-\frac{\|x\|_1^2}{d\|x\|^2}\le1-\frac1d,$$ <<attained on the right where one entry is not 0,
          on the left where all magnitudes are equal -> exact/one entry>>. [proof; exact/least;
          exact/one entry]
        (f: classes) <<One bit and the mean magnitudes $m_+$ of the upper class, $p_j=1$, and $m_-$ of the
          lower one, $p_j=0$, lose -> exact/class means>>, $$\sum_{j=1}^d(s_j-p_jm_+-(1-p_j)m_-)^2\le\
          \Big(1-\frac{\|x\|_1^2}{d\|x\|^2}\Big)\|x\|^2:$$ no more than is proved for one mean.
          [proof; exact/class means; adversarial/class means]
        (g: shrunk) An unbiased $Q$ with $\mathbb E\|Q\|^2\le(1+\omega)\|x\|^2$, <<divided by $1+\omega$, is
          a contraction with $\frac1{1+\omega}$; it loses -> exact/shrunk>> $$\frac{\mathbb
          E\|Q\|^2}{(1+\omega)^2}-\frac{2\,\mathbb E\langle x,Q\rangle}{1+\omega}+\|x\|^2\le
          \Big(1-\frac1{1+\omega}\Big)\|x\|^2.$$ [proof; exact/shrunk]
        (h: powers) <<Natural compression rounds each magnitude without bias to $l_j$ or $2l_j$, the powers of
          two around it; its variance -> exact/powers of two>> is at most an eighth, $V\le\frac18\|x\|^2$.
          [proof; exact/powers of two; exact/powers of two, at most]
        (i: thirds) Where $s_j=\frac43l_j$ for each $j$, this is attained: $V=\frac18\|x\|^2$. [proof;
          exact/four thirds]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(k, "k", r"\{1,\dots,d\}", "number of entries that are sent"),
        Variable(s, "s", r"\mathbb R_{\ge0}^d", "magnitudes, the largest first", "(d,)"),
        Variable(X, r"\|x\|^2", r"\mathbb R_{>0}", "squared norm"),
        Variable(X_1, r"\|x\|_1", r"\mathbb R_{>0}", "sum of the magnitudes"),
        Variable(c, "c", r"\{0,1\}^d", "which entries have a sign", "(d,)"),
        Variable(p, "p", r"\{0,1\}^d", "which entries are in the upper class", "(d,)"),
        Variable(m_up, "m_+", r"\mathbb R_{\ge0}", "mean magnitude of the upper class"),
        Variable(m_down, "m_-", r"\mathbb R_{\ge0}", "mean magnitude of the lower class"),
        Variable(low, "l", r"\mathbb R_{\ge0}^d", "powers of two below the magnitudes", "(d,)"),
        Variable(chance, "q", "[0,1]^d", "probabilities of those above", "(d,)"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "variance of natural compression"),
        Variable(lost, r"\ell", r"\mathbb R_{\ge0}", "expected loss of random entries"),
        Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "variance constant"),
        Variable(second, r"\mathbb E\|Q\|^2", r"\mathbb R_{\ge0}", "second moment of a message"),
        Variable(slope, r"\mathbb E\langle x,Q\rangle", r"\mathbb R", "its expected product with the vector"),
        Variable(kept, "b", r"\{0,1\}^d", "which entries are kept", "(d,)"),
        Variable(up, r"\zeta", r"\{0,1\}^d", "which magnitudes become the power of two above", "(d,)"),
    ),
    notation={
        "x": "the vector",
        "Q": "a message",
        r"\delta": "share that is not lost",
    },
    hypotheses={
        "sizes": domain(r"$d\ge1$, $k\ge1$ are integers; $k\le d$"),
        "magnitudes": domain(r"$s_j\ge0$"),
        "sorted": definition(r"$s_j\ge s_i$ for $i\ge j$"),
        "norms": definition(r"$\|x\|^2=\sum_js_j^2$, $\|x\|_1=\sum_js_j$, $\|x\|^2,\|x\|_1>0$"),
        "equal": model("$s_j=s_1$"),
        "loss": definition(
            r"$\ell=\sum_j\mathbb E\bigl((s_j-b_js_j)^2\bigr)$, over independent "
            r"$b_j\sim\mathrm{Bernoulli}(\frac kd)$, $1\le j\le d$; $0\le\frac kd(1-\frac kd)$"
        ),
        "signs": definition("$c_j^2=c_j$, $c_js_j=s_j$"),
        "all-signs": model("$c_j=1$"),
        "two-classes": definition(
            r"$p_j^2=p_j$, $m_+\sum_jp_j=\sum_jp_js_j$, $m_-\sum_j(1-p_j)=\sum_j(1-p_j)s_j$"
        ),
        "rounding": definition(
            r"$s_j=l_j(q_j+1)$, $0\le q_j$, $q_j\le1$; "
            r"$V=\sum_j\mathbb E\bigl((l_j(\zeta_j+1)-s_j)^2\bigr)$, over independent "
            r"$\zeta_j\sim\mathrm{Bernoulli}(q_j)$, $1\le j\le d$"
        ),
        "thirds": parameter(r"$s_j=\frac43l_j$ for each $j$"),
        "unbiased": model(
            r"$\omega\ge0$, $\mathbb E\langle x,Q\rangle=\|x\|^2$, $\mathbb E\|Q\|^2\le(1+\omega)\|x\|^2$"
        ),
    },
    relations={
        "largest": Relation((Sum(s[j] ** 2, REST), _SHARE * X), ("<=",)),
        "flat": Relation((Sum(s[j] ** 2, REST), _SHARE * X), ("=",), under=("equal",)),
        "random": Relation((lost, _SHARE * X), ("=",), under=("loss",)),
        "sign": Relation((_SIGN_LOSS, _SIGNS * X), ("<=",), under=("signs",)),
        "sign-exact": Relation((_SIGN_LOSS, _SIGNS * X), ("=",), under=("signs", "all-signs")),
        "least": Relation((0, _SIGNS, 1 - 1 / d), ("<=", "<=")),
        "classes": Relation((_ONE_BIT, _SIGNS * X), ("<=",), under=("two-classes",)),
        "shrunk": Relation(
            (second / (1 + omega) ** 2 - 2 * slope / (1 + omega) + X, (1 - 1 / (1 + omega)) * X),
            ("<=",),
            under=("unbiased",),
        ),
        "powers": Relation((V, X / 8), ("<=",), under=("rounding",)),
        "thirds": Relation((V, X / 8), ("=",), under=("rounding", "thirds")),
    },
    formulas={
        "bound": _SHARE,
        "sign": _SIGNS,
        "least": 1 - 1 / d,
        "shrunk": 1 - 1 / (1 + omega),
        "powers": X / 8,
    },
    worst_cases=cases("""
        equal magnitudes: attained | d = 4, k = 3 | 1/4
        signs of `gi` | X = 173, X_1 = 31, d = 8 | 423/1384
        one entry | X = 9, X_1 = 3, d = 5 | 4/5
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    half, third = Rational(1, 2), Rational(1, 3)
    K.example(
        {d: 3, k: 2, s: (3, 1, 0), c: (1, 1, 0), p: (1, 0, 0), m_up: 3, m_down: half,
         lost: Rational(10, 3), X: 10, X_1: 4, omega: 1, slope: 10, second: 18}
    )  # fmt: skip
    K.example({d: 2, k: 1, s: (2, 2), c: (1, 1), X: 8, X_1: 4})
    K.example({d: 2, k: 1, s: (4, 4), low: (3, 3), chance: (third, third), V: 4, X: 32, X_1: 8})
    K.index(ALL)
    _entries(K)
    _signs(K)
    _classes(K)
    K.know(K.given("unbiased"))
    square, product = K.given("unbiased", 2), K.given("unbiased", 1)
    K.show("shrunk", (1 / (1 + omega) ** 2, square), (-2 / (1 + omega), product))
    _powers(K)


def _entries(K: Any) -> None:
    """Each entry that is dropped is at most the last one that is kept, and each other one at least that."""
    order, last, norm = K.given("sorted"), s[k - 1], K.given("norms")
    kept_one = K.cert(le(last**2, s[j] ** 2), (s[j] + last, K.at(order, j, k - 1)))
    dropped = K.cert(le(s[j] ** 2, last**2), (s[j] + last, K.at(order, k - 1, j)))
    K.show(
        "largest",
        (_SHARE, K.sum_over(kept_one, (j, 0, k - 1))),
        (k / d, K.sum_over(dropped, REST)),
        (-_SHARE, split_sum(K, s[j] ** 2, ALL, k)),
        (-_SHARE, norm),
    )
    same = K.cert(eq(s[j] ** 2, s[0] ** 2), (s[j] + s[0], K.at(K.given("equal"), j)))
    K.show("flat", (1, K.sum_over(same, REST)), (-_SHARE, K.sum_over(same, ALL)), (-_SHARE, norm))
    K.show("random", (1, K.given("loss")), (-_SHARE, norm))


def _signs(K: Any) -> None:
    """Multiply out; Cauchy-Schwarz."""
    mean, (squares, total) = X_1 / d, (K.given("norms", place) for place in (0, 1))
    once, own = K.at(K.given("signs"), j), K.at(K.given("signs", 1), j)
    at_most = K.cert(le(c[j], 1), (1, (1 - c[j]) ** 2), (1, once))
    entry, opened = (s[j] - mean * c[j]) ** 2, s[j] ** 2 - 2 * mean * s[j] + mean**2
    loss = K.cert(le(entry, opened), (mean**2, at_most), (mean**2, once), (-2 * mean, own))
    norms = ((-1, squares), (2 * mean, total))
    K.show("sign", (1, K.sum_over(loss, ALL)), *norms)
    full = K.at(K.given("all-signs"), j)
    exact = K.cert(eq(entry, opened), (mean**2 * (1 + c[j]) - 2 * mean * s[j], full))
    K.show("sign-exact", (1, K.sum_over(exact, ALL)), *norms)

    bottom, twice = 1 / (d * X), _TOTAL + X_1
    most = [(bottom, cauchy_schwarz(K, s[j], 1, ALL)), (-1 / X, squares), (twice * bottom, total)]
    few = [(bottom, sum_of_squares(K, s[j], ALL)), (bottom, squares), (-twice * bottom, total)]
    K.show("least", most, few)


def _classes(K: Any) -> None:
    r"""Class means M_j: their sum is that of the magnitudes, and $\sum_js_jM_j=\sum_jM_j^2$."""
    upper, lower = K.given("two-classes", 1), K.given("two-classes", 2)
    square = K.cert(
        eq(_MEAN**2, p[j] * m_up**2 + (1 - p[j]) * m_down**2),
        ((m_up - m_down) ** 2, K.at(K.given("two-classes"), j)),
    )
    squares, means = K.sum_over(square, ALL), Sum(_MEAN, ALL)
    total = K.cert(eq(means, X_1), (1, upper), (1, lower), (-1, K.given("norms", 1)))
    along = K.cert(
        eq(Sum(s[j] * _MEAN, ALL), Sum(_MEAN**2, ALL)), (-1, squares), (-m_up, upper), (-m_down, lower)
    )
    K.show(
        "classes",
        (-2, along),
        (1 / d, cauchy_schwarz(K, _MEAN, 1, ALL)),
        (-(X_1 + means) / d, total),
        (-1, K.given("norms")),
    )


def _powers(K: Any) -> None:
    r"""Each entry spends $l^2q(1-q)$, and $\frac18s^2-l^2q(1-q)=\frac18l^2(3q-1)^2$."""
    own, norm = K.at(K.given("rounding"), j), K.given("norms")
    spent = low[j] ** 2 * chance[j] * (1 - chance[j])
    gap = (low[j] * (3 * chance[j] - 1)) ** 2 / 8
    entry = K.cert(
        eq(_ROUNDED, s[j] ** 2 / 8 - gap),
        (1, K.identity(_ROUNDED, spent + (s[j] - low[j] * (1 + chance[j])) ** 2)),
        (s[j] - low[j] * (1 + chance[j]) - (s[j] + low[j] * (1 + chance[j])) / 8, own),
    )
    exact = K.cert(
        eq(V, X / 8 - Sum(gap, ALL)),
        (1, K.given("rounding", 3)),
        (1, K.sum_over(entry, ALL)),
        (-Rational(1, 8), norm),
    )
    K.show("powers", exact, (1, Sum(gap, ALL)))
    third = K.at(K.given("thirds"), j)
    zero = K.cert(eq(low[j] * (3 * chance[j] - 1), 0), (3, third), (-3, own))
    none = K.cert(eq(gap, 0), (low[j] * (3 * chance[j] - 1) / 8, zero))
    K.show("thirds", exact, K.sum_over(none, ALL))
