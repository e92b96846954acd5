r"""`cat/st-descent`: one step with entries kept at random (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, ceiling, floor, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, L, G, gamma, omega, before, after, second = symbols("d L G gamma omega before after second", real=True)
j, u, N, k, one = symbols("j u N k s", real=True)
x, g, p, b, mean, S, chance, rises, rose = symbols("x g p b mean S chance v w", cls=IndexedBase, real=True)
COORDINATES = (j, 0, d - 1)


def _total(body: Any) -> Sum:
    return Sum(body, COORDINATES)


_SECOND = _total(g[j] ** 2 / p[j])
_BOUND = omega * G / (2 * L)
_EXACT = gamma * G - L * gamma**2 * G / (2 * omega)
_KEPT = floor(u + S[j + 1]) - floor(u + S[j])

CLAIM = Claim(
    id="cat/st-descent",
    kind="tight",
    provenance="rederived",
    title="Expected decrease with randomly kept entries",
    position=16,
    paper=PAPER,
    **statement(
        r"""
        Let entry $j$ of $g=\nabla F(x)\ne0$ be kept with probability $p_j$ and received as $Q_j=g_j/p_j$,
        else as 0; $\omega=\frac{\|g\|^2}{\sum_jg_j^2/p_j}$.
        (a: mean) Each entry is unbiased: $\mathbb EQ_j=g_j$. [proof; exact/mean of an entry; exact/total
          probability]
        (b: second) $\mathbb E\|Q\|^2=\sum_j\frac{g_j^2}{p_j}=\frac{\|g\|^2}\omega$. [proof; exact/second
          moment; exact/second moment by the share]
        (c: any-step) For an $L$-smooth $F$ and every step $\gamma$, $$\mathbb EF(x-\gamma Q)\le
          F(x)-\Big(\gamma\|g\|^2-\frac{L\gamma^2\|g\|^2}{2\omega}\Big).$$ [proof]
        (d: descent) For $\gamma=\frac\omega L$ this is $\mathbb EF(x-\gamma Q)\le
          F(x)-\frac{\omega\|g\|^2}{2L}$. [proof; exact/guaranteed decrease]
        (e: sphere) <<On $F=\frac L2\|x\|^2$ equality holds for every step -> exact/attained>>: $\mathbb
          EF(x-\gamma Q)=F(x)-\Big(\gamma\|g\|^2-\frac{L\gamma^2\|g\|^2}{2\omega}\Big)$. [proof;
          exact/attained; exact/attained at this step; montecarlo/sampled objective]
        (f: best-step) <<No other step guarantees more -> proof>>:
          $\gamma\|g\|^2-\frac{L\gamma^2\|g\|^2}{2\omega}\le\frac{\omega\|g\|^2}{2L}$. [proof]
        (g: kept) <<Entries need not be kept independently. -> exact/second moment of systematic sampling>>
          With $S_0=0$, $S_{j+1}=S_j+p_{j+1}$ and one uniform $u$, $0\le u<1$, systematic sampling drops an
          entry where $$0\le\lfloor u+S_{j+1}\rfloor-\lfloor u+S_j\rfloor\le1$$ is zero and keeps the others.
          [proof; exact/survivors of systematic sampling]
        (h: stays, rises) It is $\lfloor u+s\rfloor=\lfloor s\rfloor$ where $u+s-\lfloor s\rfloor<1$, and
          $\lfloor u+s\rfloor=\lfloor s\rfloor+1$ where $1\le u+s-\lfloor s\rfloor$, <<for a uniform $u$
          with the fractional part of $s$ as probability -> exact/second moment of systematic sampling>>.
          [proof; exact/second moment of systematic sampling]
        (i: chance, same-second) <<The probabilities are the same -> proof>>, $\pi_j=p_j$, and <<so is the
          second moment -> proof>>: $$\sum_j\pi_j\Big(\frac{g_j}{p_j}\Big)^2=\frac{\|g\|^2}\omega.$$ [proof;
          exact/second moment of systematic sampling]
        (j: survivors) The number $N$ of its survivors is next to the expected one:
          $\lfloor\sum_jp_j\rfloor\le N\le\lceil\sum_jp_j\rceil$. [proof; exact/survivors of systematic
          sampling]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(L, "L", r"\mathbb R_{>0}", "smoothness constant of $F$"),
        Variable(G, r"\|g\|^2", r"\mathbb R_{>0}", "squared norm of the gradient"),
        Variable(gamma, r"\gamma", r"\mathbb R", "step size"),
        Variable(omega, r"\omega", "(0,1]", "share of the probabilities"),
        Variable(g, "g", r"\mathbb R^d", "gradient", "(d,)"),
        Variable(p, "p", r"(0,1]^d", "probabilities with which entries are kept", "(d,)"),
        Variable(S, "S", r"\mathbb R^{d+1}_{\ge0}", "sums of the probabilities", "(d+1,)", first=0),
        Variable(u, "u", "[0,1)", "uniform number of systematic sampling"),
        Variable(one, "s", r"\mathbb R", "one of these sums"),
        Variable(chance, r"\pi", r"[0,1]^d", "probabilities with which it keeps entries", "(d,)"),
        Variable(rises, "v", r"\{0,1\}", "whether a sum with $u$ has a larger whole part", "(1,)"),
        Variable(rose, "w", r"\{0,1\}", "whether the sum before has", "(1,)"),
        Variable(N, "N", r"\mathbb N_0", "number of survivors of systematic sampling"),
        Variable(mean, r"\mathbb EQ", r"\mathbb R^d", "expectation of the message", "(d,)"),
        Variable(second, r"\mathbb E\|Q\|^2", r"\mathbb R_{\ge0}", "its second moment"),
        Variable(before, "F(x)", r"\mathbb R", "objective"),
        Variable(after, r"\mathbb EF(x-\gamma Q)", r"\mathbb R", "expected objective after a step"),
        Variable(b, "b", r"\{0,1\}^d", "which entries are kept", "(d,)"),
        Variable(x, "x", r"\mathbb R^d", "point", "(d,)"),
    ),
    notation={"F": "objective", "Q": "message", r"\nabla F(x)": "gradient"},
    hypotheses={
        "d": domain(r"$d\ge1$ is an integer"),
        "signs": domain(r"$L,\|g\|^2>0$"),
        "probabilities": domain(r"$0<p_j\le1$"),
        "gradient": definition(r"$\|g\|^2=\sum_jg_j^2$"),
        "share": definition(r"$\omega=\frac{\|g\|^2}{\sum_jg_j^2/p_j}$, $\omega>0$, $\sum_jg_j^2/p_j>0$"),
        "received": definition(
            r"$\mathbb EQ_j=\mathbb E\bigl(\frac{b_jg_j}{p_j}\bigr)$, over independent "
            r"$b_j\sim\mathrm{Bernoulli}(p_j)$, $1\le j\le d$"
        ),
        "moment": definition(
            r"$\mathbb E\|Q\|^2=\sum_j\mathbb E\bigl(\frac{b_j^2g_j^2}{p_j^2}\bigr)$, over "
            r"independent $b_j\sim\mathrm{Bernoulli}(p_j)$, $1\le j\le d$"
        ),
        "sums": definition(r"$S_0=0$; $S_{j+1}=S_j+p_{j+1}$ for $0\le j<d$"),
        "uniform": domain(r"$0\le u<1$"),
        "small": parameter(r"$u+s-\lfloor s\rfloor<1$"),
        "large": parameter(r"$1\le u+s-\lfloor s\rfloor$"),
        "systematic": model(
            r"$\pi_{j+1}=\lfloor S_{j+1}\rfloor-\lfloor S_j\rfloor+\mathbb E\bigl(v\bigr)"
            r"-\mathbb E\bigl(w\bigr)$ for $0\le j<d$, over $v\sim\mathrm{Bernoulli}(\{S_{j+1}\})$ and "
            r"over $w\sim\mathrm{Bernoulli}(\{S_j\})$, since $u$ is uniform; "
            r"$N=\sum_{j=0}^{d-1}(\lfloor u+S_{j+1}\rfloor-\lfloor u+S_j\rfloor)$"
        ),
        "smooth": model(
            r"$\mathbb EF(x-\gamma Q)\le\frac{L\mathbb E\|Q\|^2\gamma^2}{2}+F(x)-\gamma"
            r"\sum_j\mathbb E\bigl(\frac{g_j^2b_j}{p_j}\bigr)$, over independent "
            r"$b_j\sim\mathrm{Bernoulli}(p_j)$, $1\le j\le d$, since $F$ is $L$-smooth"
        ),
        "step": parameter(r"$\gamma=\frac\omega L$"),
        "sphere": model(
            r"$F(x)=\frac L2\sum_jx_j^2$; $\mathbb EF(x-\gamma Q)=\frac L2\sum_j\mathbb E\bigl((x_j-"
            r"\frac{\gamma b_jg_j}{p_j})^2\bigr)$, over independent $b_j\sim\mathrm{Bernoulli}(p_j)$, "
            r"$1\le j\le d$; $g_j=Lx_j$"
        ),
    },
    relations={
        "mean": Relation((mean[j], g[j]), ("=",), every=(COORDINATES,)),
        "second": Relation((second, _SECOND, G / omega), ("=", "=")),
        "any-step": Relation((after, before - _EXACT), ("<=",), under=("smooth",)),
        "descent": Relation((after, before - _BOUND), ("<=",), under=("smooth", "step")),
        "sphere": Relation((after, before - _EXACT), ("=",), under=("sphere",)),
        "kept": Relation((0, _KEPT, 1), ("<=", "<="), every=(COORDINATES,), under=("sums", "uniform")),
        "stays": Relation((floor(u + one), floor(one)), ("=",), under=("uniform", "small")),
        "rises": Relation((floor(u + one), floor(one) + 1), ("=",), under=("uniform", "large")),
        "chance": Relation((chance[j], p[j]), ("=",), every=(COORDINATES,), under=("sums", "systematic")),
        "same-second": Relation(
            (_total(chance[j] * (g[j] / p[j]) ** 2), G / omega), ("=",), under=("sums", "systematic")
        ),
        "survivors": Relation(
            (floor(_total(p[j])), N, ceiling(_total(p[j]))),
            ("<=", "<="),
            under=("sums", "uniform", "systematic"),
        ),
        "best-step": Relation((_EXACT, _BOUND), ("<=",)),
    },
    formulas={
        "bound": _BOUND,
        "exact": _EXACT,
        "step": omega / L,
        "second_moment": _SECOND,
        "share": _total(g[j] ** 2) / _SECOND,
    },
    internal={"step": "said as the hypothesis of part (d)", "share": r"the definition of $\omega$"},
    worst_cases=cases(r"""
        $\frac12\|x\|^2$ at $x=g$, $p=|g|/31$ | omega = 173/961, G = 173, L = 1 | 29929/1922
        the step 1 there: an increase | omega = 173/961, G = 173, L = 1, gamma = 1 | -615/2
        share with one entry expected | g = (3, -1, 4, 1, -5, 9, 2, -6),
          p = (3/31, 1/31, 4/31, 1/31, 5/31, 9/31, 2/31, 6/31), d = 8 | 173/961
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES)
    half, third = Rational(1, 2), Rational(1, 3)
    known = {d: 2, L: 2, g: (2, 1), x: (1, half), p: (half, third), G: 5, omega: Rational(5, 11), second: 11}
    known |= {before: Rational(5, 2), mean: (2, 1)}
    for step in (Rational(5, 22), half):
        exact = step * 5 - 11 * step**2
        K.example({**known, gamma: step, after: Rational(5, 2) - exact})
    gradient = K.given("gradient")
    K.conclude("mean", K.every(K.cert(eq(mean[j], g[j]), (1, K.at(K.given("received"), j))), COORDINATES))
    moment = K.cert(eq(second, _SECOND), (1, K.given("moment")))
    stated = K.cert(eq(_SECOND, G / omega), (_SECOND / omega, K.given("share")))
    K.conclude("second", moment, stated)
    of_share = K.cert(eq(second, G / omega), (1, moment), (1, stated))
    any_step = K.cert(
        le(after, before - _EXACT),
        (1, K.given("smooth")), (gamma, gradient), (L * gamma**2 / 2, of_share),
    )  # fmt: skip
    K.conclude("any-step", any_step)
    K.conclude("descent", K.cert(le(after, before - _BOUND), (1, any_step), using=[K.given("step")]))
    squares = K.sum_over(
        K.cert(eq(L * x[j] * g[j], g[j] ** 2), (-g[j], K.at(K.given("sphere", 2), j))), COORDINATES
    )
    sphere = K.cert(
        eq(after, before - _EXACT),
        (-1, K.given("sphere")), (1, K.given("sphere", 1)), (-gamma, squares), (gamma, gradient),
        (L * gamma**2 / 2, stated),
    )  # fmt: skip
    K.conclude("sphere", sphere)
    K.conclude("best-step", K.cert(le(_EXACT, _BOUND), (G / (2 * L * omega), (omega - L * gamma) ** 2)))
    _systematic(K, stated)


def _systematic(K: Any, stated: Any) -> None:
    """Each whole part rises by 0 or 1, in the mean by the probability; the sum of the rises telescopes."""
    half, third = Rational(1, 2), Rational(1, 3)
    K.example({d: 2, p: (half, third), S: (0, half, half + third), u: half, chance: (half, third), N: 1})
    K.know(K.given("uniform"), K.given("uniform", 1))
    rise = K.at(K.given("sums", 1), j)
    low, high = u + S[j], u + S[j + 1]
    up = K.floor(K.cert(le(low, high), (-1, rise), (1, p[j])))
    K.know(*(K.axiom("floor-integer", item) for item in (low, high)))
    sure = K.at(K.given("probabilities", 1), j)
    close = K.cert(
        lt(floor(high), floor(low) + 2),
        (1, K.axiom("floor-below", high)), (1, K.axiom("floor-above", low)), (1, rise), (1, sure),
    )  # fmt: skip
    gap = K.discharge(K.axiom("integer-gap", floor(high), floor(low) + 2), close)
    kept = (K.cert(le(0, _KEPT), (1, up)), K.cert(le(_KEPT, 1), (1, gap)))
    K.conclude("kept", *(K.every(item, COORDINATES) for item in kept))
    K.know(K.axiom("floor-integer", one))
    at_least = K.cert(le(floor(one), u + one), (1, K.axiom("floor-below", one)), (1, u))
    below = K.cert(lt(u + one, floor(one) + 1), (1, K.given("small")))
    stays = K.discharge(K.axiom("floor-unique", u + one, floor(one)), at_least, below)
    at_least = K.cert(le(floor(one) + 1, u + one), (1, K.given("large")))
    below = K.cert(lt(u + one, floor(one) + 2), (1, K.axiom("floor-above", one)), (1, K.given("uniform", 1)))
    rises = K.discharge(K.axiom("floor-unique", u + one, floor(one) + 1), at_least, below)
    K.conclude("stays", stays)
    K.conclude("rises", rises)
    # The fractional parts are probabilities.
    K.know(K.axiom("floor-above", S[k]))
    part = K.cert(
        le(0, (S[k] - floor(S[k])) * (1 - S[k] + floor(S[k]))),
        (1 - S[k] + floor(S[k]), K.axiom("floor-below", S[k])),
    )
    K.know(K.every(part, (k, 0, d)))
    same = K.cert(eq(chance[j], p[j]), (1, K.at(K.given("systematic"), j)), (1, rise))
    K.conclude("chance", K.every(same, COORDINATES))
    scaled = K.cert(eq(chance[j] * (g[j] / p[j]) ** 2, g[j] ** 2 / p[j]), ((g[j] / p[j]) ** 2, same))
    total = _total(chance[j] * (g[j] / p[j]) ** 2)
    K.conclude("same-second", K.cert(eq(total, G / omega), (1, K.sum_over(scaled, COORDINATES)), (1, stated)))

    size = _total(p[j])
    rises = K.cert(
        eq(S[d], size),
        (-1, telescoping_sum(K, S[j], j, d)), (1, K.sum_over(rise, COORDINATES)), (1, K.given("sums")),
    )  # fmt: skip
    counted = K.cert(
        eq(N, floor(u + S[d]) - floor(u + S[0])),
        (1, K.given("systematic", 1)), (1, telescoping_sum(K, floor(u + S[j]), j, d)),
    )  # fmt: skip
    for equation in (rises, K.given("sums"), K.axiom("floor-unique", u, Integer(0))):
        counted = K.rewrite(counted, equation)
    top = -floor(-size)
    K.know(K.axiom("floor-integer", u + size), K.axiom("floor-integer", -size))
    below = K.cert(
        lt(floor(u + size), top + 1),
        (1, K.axiom("floor-below", u + size)), (1, K.axiom("floor-below", -size)), (1, K.given("uniform", 1)),
    )  # fmt: skip
    least = K.floor(K.cert(le(size, u + size), (1, u)))
    most = K.discharge(K.axiom("integer-gap", floor(u + size), top + 1), below)
    survivors = (
        K.cert(le(floor(size), N), (1, least), (-1, counted)),
        K.cert(le(N, ceiling(size)), (1, most), (1, counted)),
    )
    K.conclude("survivors", *survivors)
