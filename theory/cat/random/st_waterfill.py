r"""`cat/st-waterfill`: the best probabilities of a given expected size (arXiv 2003.06377)."""

from typing import Any

from sympy import Rational, Sum, Symbol

from theory.cat.paper import PAPER
from theory.cat.random.water_filling import (
    ALL,
    BOUND,
    C_S,
    C_U,
    ENERGY,
    EXACT,
    FILLED,
    HEAD,
    HYPOTHESES,
    KNEE,
    LEVEL,
    LINEAR,
    MIXED,
    OPEN,
    OUTCOMES,
    SLOPE,
    SURE,
    TAIL,
    A,
    H,
    M,
    R,
    T,
    U,
    a,
    after,
    b,
    c_0,
    c_1,
    d,
    g,
    h,
    i,
    j,
    k,
    l,
    lam,
    n,
    piece,
    q,
    s,
    share,
    steepness,
    u,
    value,
    w,
    w_S,
    w_T,
    w_U,
    x,
    z,
)
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz
from theory.formula import eq, le, lt
from theory.statement import statement
from theory.worst_cases import cases

CLAIM = Claim(
    id="cat/st-waterfill",
    kind="tight",
    provenance="rederived",
    title="Best chances of a given expected size: water filling",
    position=17,
    paper=PAPER,
    **statement(
        r"""
        Entries that are 0 are never sent; $s_1\ge\dots\ge s_d>0$ are the magnitudes of the others. Of $T$
        expected entries let $k$ be sure ones, where $k<T$ and $k\le d-1$: $\sum_{l=k+1}^ds_l\le(T-k)s_j$ for
        the first $k$ entries and $(T-k)s_j\le\sum_{l=k+1}^ds_l$ for the others (the checks find the least $k$
        with the latter at its first). The share of probabilities $q$ is $\omega(q)$, the largest one with the
        expected size $T$ is $\omega_T$.
        (a: level, probable) The probabilities <<are 1 for $j\le k$ -> exact/expected size>>, for $j>k$,
          $\frac{T-k}{\sum_{l=k+1}^ds_l}s_j\le1$, and they add up to $T$:
          $k+\sum_{j=k+1}^d\frac{T-k}{\sum_{l=k+1}^ds_l}s_j=T$. [proof; exact/expected size; exact/largest
          probability]
        (b: value) Their share is $$\frac{\sum_{j=1}^ds_j^2}{\sum_{j=1}^ks_j^2+\
          \sum_{j=k+1}^d\frac{s_j^2}{\frac{T-k}{\sum_{l=k+1}^ds_l}s_j}}=\
          \frac{\sum_{j=1}^ds_j^2}{\sum_{j=1}^ks_j^2+\frac{(\sum_{j=k+1}^ds_j)^2}{T-k}}.$$ [proof;
          exact/share; exact/one sweep]
        (c: optimal) No share is larger: for <<$q\in(0,1]^d$ -> proof>> with $\sum_jq_j\le T$
          $$\frac{\sum_{j=1}^ds_j^2}{\sum_{j=1}^d\frac{s_j^2}{q_j}}\
          \le\frac{\sum_{j=1}^ds_j^2}{\sum_{j=1}^ks_j^2+\frac{(\sum_{j=k+1}^ds_j)^2}{T-k}}.$$ [proof;
          exact/optimal; adversarial/searched]
        (d: any) A random entry of finitely many values, with expectation $g$ and nonzero with probability
          $u$, has a second moment $M\ge\frac{g^2}u$: by (c) no such sparsifier with $T$ expected entries
          has a larger share than $\omega_T$. [proof]
        (e: least) For $T\le d$ this is at least $\frac Td$: $$\frac
          Td\le\frac{\sum_{j=1}^ds_j^2}{\sum_{j=1}^ks_j^2+\frac{(\sum_{j=k+1}^ds_j)^2}{T-k}}.$$ [proof;
          exact/at least T / d]
        (f: concave) <<$T\mapsto\omega_T$ is nondecreasing -> exact/nondecreasing>> and concave: for
          positive $a$, $b$, $0\le\lambda\le1$, if $q_j=\lambda a_j+(1-\lambda)b_j$ is as in (c),
          $$\lambda\frac{\sum_{j=1}^ds_j^2}{\sum_{j=1}^d\frac{s_j^2}{a_j}}+(1-\lambda)\
          \frac{\sum_{j=1}^ds_j^2}{\sum_{j=1}^d\frac{s_j^2}{b_j}}\
          \le\frac{\sum_{j=1}^ds_j^2}{\sum_{j=1}^ks_j^2+\frac{(\sum_{j=k+1}^ds_j)^2}{T-k}}.$$ [proof;
          exact/slopes; exact/nondecreasing]
        (g: value-meets) Pieces meet: <<with $H$ the sum of the first $k$
          squares, $R$ that of the other magnitudes and $x$ the first of these ->
          proof>>, at $T=k+\frac Rx$, where $x<R$, that is, where $k+1<T$, $$\frac A{H+\frac{R^2}{T-k}}=\frac
          A{H+x^2+\frac{(R-x)^2}{T-k-1}}.$$ [proof]
        (h: tangent, slope-meets) A piece lies below tangents of the slope $\frac{AR^2}{(H(T-k)+R^2)^2}$,
          <<for $T,U>k$ -> proof>>: $\frac A{H+\frac{R^2}{U-k}}\le\frac
          A{H+\frac{R^2}{T-k}}+\frac{AR^2}{(H(T-k)+R^2)^2}(U-T)$; at $T=k+\frac Rx$, $k+1<T$, slopes agree:
          $$\frac{AR^2}{(H(T-k)+R^2)^2}=\frac{A(R-x)^2}{((H+x^2)(T-k-1)+(R-x)^2)^2}.$$ [proof]
        (i: linear) For $k=0$ it is linear: $$\frac{\sum_{j=1}^ds_j^2}{\sum_{j=1}^ks_j^2+\
          \frac{(\sum_{j=k+1}^ds_j)^2}{T-k}}=\frac{T\sum_{j=1}^ds_j^2}{(\sum_{j=1}^ds_j)^2},$$ which is so
          <<up to $T_c=\sum_js_j/s_1$ -> exact/linear part>>. [proof; exact/linear part]
        (j: paid) So <<for $c_0=0$ all $T\le T_c$ tie -> exact/linear part>>, and for $c_0>0$ a larger size
          is better up to there: for $T<U$ $$\frac{T\sum_{j=1}^ds_j^2}{(\sum_{j=1}^ds_j)^2(c_0\
          +c_1T)}<\frac{U\sum_{j=1}^ds_j^2}{(\sum_{j=1}^ds_j)^2(c_0+c_1U)},\qquad c_0>0.$$ [proof]
        (k: unimodal) For affine costs <<$\omega_T/C$ does not rise after a size where it has not risen ->
          proof>>: <<with (f) at $T=\lambda S+(1-\lambda)U$, $\lambda<1$ -> proof>>,
          $\frac{\omega_T}{\lambda C_S+(1-\lambda)C_U}\le\frac{\omega_S}{C_S}$ gives
          $\frac{\omega_U}{C_U}\le\frac{\omega_T}{\lambda C_S+(1-\lambda)C_U}$. [proof]
        (l: optimum) So <<the best integer size is at least $\lfloor T_c\rfloor$ -> exact/best integer
          size>>: for $c_0>0$, $$\frac{U\sum_{j=1}^ds_j^2}{(\sum_{j=1}^ds_j)^2(c_0+c_1U)}\
          \le\frac{\sum_{j=1}^ds_j^2}{\Big(\sum_{j=1}^ks_j^2+\
          \frac{(\sum_{j=k+1}^ds_j)^2}{T-k}\Big)(c_0+c_1T)}$$ gives $U\le T$, <<here for $U=\lfloor
          T_c\rfloor$ -> exact/best integer size>>. [proof; exact/best integer size]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(k, "k", r"\mathbb N_0", "number of entries that are kept surely"),
        Variable(T, "T", r"\mathbb R_{>0}", "expected number of entries that are kept"),
        Variable(U, "U", r"\mathbb R_{>0}", "another such number"),
        Variable(s, "s", r"\mathbb R^d_{>0}", "sorted magnitudes, largest first", "(d,)"),
        Variable(q, "q", "(0,1]^d", "probabilities", "(d,)"),
        Variable(a, "a", "(0,1]^d", "probabilities", "(d,)"),
        Variable(b, "b", "(0,1]^d", "probabilities", "(d,)"),
        Variable(A, "A", r"\mathbb R_{>0}", "sum of all squares"),
        Variable(H, "H", r"\mathbb R_{\ge0}", "sum of the squares of sure entries"),
        Variable(R, "R", r"\mathbb R_{>0}", "sum of the open magnitudes"),
        Variable(x, "x", r"\mathbb R_{>0}", "the largest open magnitude"),
        Variable(c_0, "c_0", r"\mathbb R_{\ge0}", "cost of a message besides its entries"),
        Variable(c_1, "c_1", r"\mathbb R_{>0}", "cost of an entry"),
        Variable(w_S, r"\omega_S", "(0,1]", "largest share of a smaller size"),
        Variable(w_T, r"\omega_T", "(0,1]", "largest share of the size $T$"),
        Variable(w_U, r"\omega_U", "(0,1]", "largest share of a larger size"),
        Variable(C_S, "C_S", r"\mathbb R_{>0}", "cost of the smaller size"),
        Variable(C_U, "C_U", r"\mathbb R_{>0}", "cost of the larger size"),
        Variable(lam, r"\lambda", "[0,1]", "weight of a mixture"),
        Variable(g, "g", r"\mathbb R", "expectation of an entry"),
        Variable(M, "M", r"\mathbb R_{\ge0}", "second moment of an entry"),
        Variable(u, "u", "(0,1]", "probability that it is not 0"),
        Variable(n, "n", r"\mathbb N", "number of its values"),
        Variable(z, "z", r"\mathbb R^n", "its values", "(n,)"),
        Variable(h, "h", r"\{0,1\}^n", "which values are not 0", "(n,)"),
        Variable(w, "w", r"[0,1]^n", "their probabilities", "(n,)"),
    ),
    notation={
        "T_c": "end of the linear part",
        r"\omega(q)": "share",
        "S": "a size",
        r"\omega_T/C": "efficiency",
        "C": "cost",
    },
    hypotheses=HYPOTHESES,
    relations={
        "level": Relation((k + Sum(LEVEL * s[j], OPEN), T), ("=",)),
        "value": Relation((ENERGY / FILLED, EXACT), ("=",)),
        "probable": Relation((LEVEL * s[j], 1), ("<=",), every=(OPEN,), under=("open",)),
        "optimal": Relation((share(q[j]), EXACT), ("<=",), under=("sure", "feasible")),
        "any": Relation((M, g**2 / u), (">=",), under=("outcomes",)),
        "least": Relation((BOUND, EXACT), ("<=",), under=("sure", "small")),
        "concave": Relation(
            (lam * share(a[j]) + (1 - lam) * share(b[j]), EXACT),
            ("<=",),
            under=("sure", "feasible", "mixture"),
        ),
        "value-meets": Relation((piece(T), after(piece(T))), ("=",), under=("piece", "break")),
        "tangent": Relation((piece(U), piece(T) + steepness(T) * (U - T)), ("<=",), under=("piece",)),
        "slope-meets": Relation((steepness(T), after(steepness(T))), ("=",), under=("piece", "break")),
        "linear": Relation((EXACT, LINEAR), ("=",), under=("none-sure",)),
        "paid": Relation(
            (LINEAR / (c_0 + c_1 * T), LINEAR.subs(T, U) / (c_0 + c_1 * U)), ("<",), under=("larger",)
        ),
        "optimum": Relation((U, T), ("<=",), under=("no-worse",)),
        "unimodal": Relation(
            (w_U / C_U, w_T / (lam * C_S + (1 - lam) * C_U)), ("<=",), under=("chord", "not-better")
        ),
    },
    formulas={
        "bound": BOUND,
        "exact": EXACT,
        "level": LEVEL,
        "slope": SLOPE,
        "linear": LINEAR,
        "knee": KNEE,
    },
    internal={"slope": "the slope of part (h), with the sums", "knee": "the end of the linear part (i)"},
    worst_cases=cases("""
        flat: the share is T / d | s = 4 * (1,), d = 4, k = 0, T = 3 | 3/4
        one sure entry | s = (9, 6, 5, 4, 3, 2, 1, 1), d = 8, k = 1, T = 4 | 519/727
        four sure entries | s = (9, 6, 5, 4, 3, 2, 1, 1), d = 8, k = 4, T = 6 | 346/365
        end of the linear part | s = (9, 6, 5, 4, 3, 2, 1, 1), d = 8 | 31/9
    """),
)


def derive(kernel: Any) -> None:
    """Prove the relations."""
    given = kernel.given
    kernel.index(ALL)
    half = Rational(1, 2)
    sure_one = {d: 3, k: 1, T: 2, U: 3, s: (4, 1, 1), q: (half, half, 1), lam: half}
    sure_one |= {a: (1, half, half), b: (half, half, 1)}
    kernel.example(sure_one | {w_S: 1, w_T: Rational(3, 2), w_U: 2, C_S: 1, C_U: 3})
    kernel.example({d: 3, k: 0, T: 1, U: 2, s: (3, 2, 1)})
    kernel.example({n: 2, w: (half, half), z: (0, 6), h: (0, 1), g: 3, M: 18, u: half})
    kernel.example({k: 1, T: 3, U: 4, A: 20, H: 9, R: 4, x: 2, d: 3})
    kernel.conclude("level", kernel.identity(k + Sum(LEVEL * s[j], OPEN), T))
    m = Symbol("m", real=True)
    kernel.index((m, k, d - 1))
    probable = kernel.cert(le(LEVEL * s[m], 1), (1 / TAIL, kernel.at(given("open"), m)))
    kernel.conclude("probable", kernel.every(probable, (m, k, d - 1)))
    kernel.conclude("value", kernel.identity(ENERGY / FILLED, EXACT))
    core = _tangents(kernel)
    bottom, spread = HEAD + TAIL**2 / (T - k), value(q[j])
    optimal = kernel.cert(le(share(q[j]), EXACT), (ENERGY / (bottom * spread), core))
    kernel.conclude("optimal", optimal)

    # Equal probabilities are feasible.
    equal = kernel.instantiate(core, {q: lambda _: T / d})
    kernel.conclude("least", kernel.cert(le(BOUND, EXACT), (T / (d * bottom), equal)))
    _mixture(kernel, core)
    _entry(kernel)
    _pieces(kernel)


def _split(kernel: Any, term: Any) -> Any:
    """Return a sum over all entries as those of the sure and of the open ones."""
    total, rest = Sum(term, ALL), Sum(term, OPEN)
    goal = eq(total, Sum(term, SURE) + rest)
    return kernel.cert(goal, (1, kernel.split_off(total, k)), (-1, kernel.split_off(rest, k)))


def _tangents(kernel: Any) -> Any:
    """Add up the tangents of s^2/q at q = 1 for sure entries and at q = s/h for the others."""
    given, m = kernel.given, Symbol("m_sure", real=True)
    kernel.index((m, 0, k - 1), (l, k, d - 1))
    kernel.know(given("feasible"), given("feasible", 1))
    h0 = TAIL / (T - k)
    left = 1 - q[m]
    kernel.know(kernel.cert(le(0, left), (1, kernel.at(given("feasible", 1), m))))
    sure = kernel.cert(
        le(s[m] ** 2 + left * h0**2, s[m] ** 2 / q[m]),
        (1 / q[m], (s[m] * left) ** 2),
        (left * (s[m] + h0) / (T - k), kernel.at(given("sure"), m)),
    )
    others = kernel.cert(
        le(2 * s[l] * h0 - q[l] * h0**2, s[l] ** 2 / q[l]), (1 / q[l], (s[l] - q[l] * h0) ** 2)
    )
    return kernel.cert(
        le(HEAD + TAIL**2 / (T - k), value(q[j])),
        (1, kernel.sum_over(sure, (m, 0, k - 1))), (1, kernel.sum_over(others, (l, k, d - 1))),
        (-1, _split(kernel, s[j] ** 2 / q[j])), (-(h0**2), _split(kernel, q[j])),
        (h0**2, given("feasible", 2)),
    )  # fmt: skip


def _mixture(kernel: Any, core: Any) -> None:
    """The share is concave in the probabilities: it is the least of linear functions."""
    given, bottom, spread = kernel.given, HEAD + TAIL**2 / (T - k), value(q[j])
    kernel.know(*(given("mixture", place) for place in range(4)))
    kernel.know(kernel.cert(le(0, 1 - lam), (1, given("mixture", 1))))
    terms = [(ENERGY / (bottom * spread), core)]
    for weight, family in ((lam, a), (1 - lam, b)):
        schwarz = cauchy_schwarz(kernel, 1 / family[j], 1 / q[j], ALL, s[j] ** 2 * family[j])
        terms.append((weight * ENERGY / (value(family[j]) * spread**2), schwarz))
    mixed = kernel.cert(
        eq(s[j] ** 2 * MIXED / q[j] ** 2, s[j] ** 2 / q[j]),
        (-(s[j] ** 2) / q[j] ** 2, kernel.at(given("mixture", 4), j)),
    )
    terms.append((ENERGY / spread**2, kernel.sum_over(mixed, ALL)))
    goal = le(lam * share(a[j]) + (1 - lam) * share(b[j]), EXACT)
    kernel.conclude("concave", kernel.cert(goal, *terms))


def _entry(kernel: Any) -> None:
    """Cauchy-Schwarz for an entry and the indicator of its not being 0."""
    kernel.know(*(kernel.given("outcomes", place) for place in (0, 1, 2, 8)))
    kernel.index(OUTCOMES)
    expectation, moment, probability = (kernel.given("outcomes", place) for place in (5, 6, 7))
    products, squares = Sum(w[i] * z[i] * h[i], OUTCOMES), Sum(w[i] * h[i] ** 2, OUTCOMES)
    same = kernel.cert(eq(w[i] * z[i] * h[i], w[i] * z[i]), (w[i], kernel.at(kernel.given("outcomes", 3), i)))
    unit = kernel.cert(eq(w[i] * h[i] ** 2, w[i] * h[i]), (w[i], kernel.at(kernel.given("outcomes", 4), i)))
    of_g = kernel.cert(eq(products, g), (1, kernel.sum_over(same, OUTCOMES)), (-1, expectation))
    of_u = kernel.cert(eq(squares, u), (1, kernel.sum_over(unit, OUTCOMES)), (-1, probability))
    second = Sum(w[i] * z[i] ** 2, OUTCOMES)
    found = kernel.cert(
        le(g**2 / u, M),
        (1 / u, cauchy_schwarz(kernel, z[i], h[i], OUTCOMES, w[i])), (second / u, of_u),
        (-(products + g) / u, of_g), (-1, moment),
    )  # fmt: skip
    kernel.conclude("any", found)


def _pieces(kernel: Any) -> None:
    """Pieces meet, and lie below their tangents; costs."""
    given = kernel.given
    kernel.know(given("sizes", 6), *(given("piece", place) for place in range(7)))
    top = A * H * R**2 / ((H * (T - k) + R**2) ** 2 * (H * (U - k) + R**2))
    tangent = kernel.cert(le(piece(U), piece(T) + steepness(T) * (U - T)), (top, (U - T) ** 2))
    kernel.conclude("tangent", tangent)
    linear = kernel.cert(eq(EXACT, LINEAR), using=[given("none-sure")])
    kernel.conclude("linear", linear)
    kernel.know(given("costs"), given("costs", 1), given("larger", 1))
    total = Sum(s[j], ALL)
    paid = kernel.cert(
        lt(LINEAR / (c_0 + c_1 * T), LINEAR.subs(T, U) / (c_0 + c_1 * U)),
        (ENERGY * c_0 / (total**2 * (c_0 + c_1 * T) * (c_0 + c_1 * U)), given("larger")),
    )
    kernel.conclude("paid", paid)
    _optimum(kernel)
    kernel.know(*(given("chord", place) for place in range(4)))
    kernel.know(kernel.cert(lt(0, 1 - lam), (1, given("chord", 1))))
    rest = (1 - lam) * C_U
    unimodal = kernel.cert(
        le(w_U / C_U, w_T / (lam * C_S + rest)),
        (1 / rest, given("chord", 4)), (lam * C_S / rest, given("not-better")),
    )  # fmt: skip
    kernel.conclude("unimodal", unimodal)
    kernel.know(given("break", 1), kernel.cert(lt(0, T - k - 1), (1, given("break", 1))))
    at_break = [given("break")]
    for name, formula in (("value-meets", piece(T)), ("slope-meets", steepness(T))):
        kernel.conclude(name, kernel.cert(eq(formula, after(formula)), using=at_break))


def _optimum(kernel: Any) -> None:
    """Squares about the mean: no share is above the linear one, which grows faster than an affine cost."""
    given, total = kernel.given, Sum(s[j], ALL)
    bottom = HEAD + TAIL**2 / (T - k)
    below = kernel.cert(
        le(total**2 / T, bottom),
        (1, Sum((s[j] - total / T) ** 2, SURE)),
        (T - k, (TAIL / (T - k) - total / T) ** 2),
        (2 * total / T, _split(kernel, s[j])),
    )
    share_below = kernel.cert(le(EXACT, LINEAR), (T * ENERGY / (bottom * total**2), below))
    kernel.know(given("no-worse"))
    both = (c_0 + c_1 * T) * (c_0 + c_1 * U) * total**2 / (c_0 * ENERGY)
    optimum = kernel.cert(le(U, T), (both, given("no-worse", 1)), (both / (c_0 + c_1 * T), share_below))
    kernel.conclude("optimum", optimum)
