r"""Covariance $\gamma^2N$ of the average message at the inputs $a_i$, for `cq_marina/marina-exact-oracle`.

A share is what client $i$ counts in coordinate $j$ of the estimate. Shares of alike clients or coordinates
with fixed totals are, to second order, uncorrelated errors less their means.
"""

from typing import Any

from sympy import IndexedBase, Rational, Sum, symbols

from theory.claim import Relation, Variable
from theory.facts.sums.coordinate_vector import picked
from theory.facts.sums.delta import delta_total
from theory.formula import eq, lt
from theory.hypotheses import definition, domain, model, parameter

n, d, kept, q, b, theta, trace, v_sent, v_dealt = symbols("n d K q b theta trace v_sent v_dealt", real=True)
i, j, k, l, h, u, z = symbols("i j k l h u z", real=True)
a, Y, Z, r, y, sent, dealt, bit = symbols("a Y Z r y sent dealt bit", cls=IndexedBase, real=True)
N_R, N_B, N_P, N_G = (IndexedBase(f"N_{s}", real=True) for s in "RBPG")
CLIENTS, OTHERS, COORDINATES, COLUMNS = (i, 0, n - 1), (u, 0, n - 1), (j, 0, d - 1), (k, 0, d - 1)
BELOW, ALL, EACH = (h, 0, j - 1), (l, 0, d - 1), (z, 0, d - 1)


_GAP = Y[j, h] - Z[j, h]
THETA = (n - q) / (q * (n - 1))
RAND_K = ((d / kept - 1) * Y[j, j] / n, (d * (kept - 1) / (kept * (d - 1)) - 1) * Y[j, h] / n)
ONE_BIT = (trace - Y[j, j]) / n
PERM = (theta * (Y[j, j] - Z[j, j]), -theta / (d - 1) * _GAP)
GROUPS = theta * (Y[j, j] - Z[j, j]) + (b - 1) / (q * (d - 1)) * (trace - Y[j, j])
MANY_COORDINATES = (Y[j, j] - Z[j, j], -_GAP / (d - 1))
MANY_CLIENTS = ((d - 1) / (n - 1) * (Y[j, j] - Z[j, j]), -_GAP / (n - 1))

VARIABLES = (
    Variable(a, "a_{#1#2}", r"\mathbb R^{n\times d}", "inputs of the clients", "(n, d)"),
    Variable(Y, "Y", r"\mathbb R^{d\times d}", r"$\frac1n\sum_ia_ia_i^\top$", "(d, d)"),
    Variable(Z, "Z", r"\mathbb R^{d\times d}", r"$\bar a\bar a^\top$", "(d, d)"),
    Variable(trace, r"\mathrm{tr}Y", r"\mathbb R_{\ge0}", "mean squared norm of the inputs"),
    Variable(kept, "K", r"\{1,\dots,d\}", "coordinates that RandK keeps"),
    Variable(q, "q", r"\{1,\dots,n\}", "clients that own a coordinate"),
    Variable(b, "b", r"\{1,\dots,d\}", "coordinates that a client owns"),
    Variable(theta, r"\theta", "[0,1]", "factor of sampling without replacement"),
    Variable(v_sent, "v^R", r"\mathbb R_{\ge0}", "variance of the draws of RandK"),
    Variable(v_dealt, "v^P", r"\mathbb R_{\ge0}", "variance of the draws of PermK"),
    Variable(N_R, "N^R", r"\mathbb R^{d\times d}", r"$N$ of RandK", "(d, d)"),
    Variable(N_B, "N^B", r"\mathbb R^{d\times d}", r"$N$ of one-bit quantizers", "(d, d)"),
    Variable(N_P, "N^P", r"\mathbb R^{d\times d}", r"$N$ of PermK", "(d, d)"),
    Variable(N_G, "N^G", r"\mathbb R^{d\times d}", r"$N$ of groups", "(d, d)"),
    Variable(dealt, r"\varepsilon", r"\mathbb R^{n\times d}", "what a deal differs by", "(n, d)"),
    Variable(sent, r"\eta", r"\mathbb R^{n\times d}", "what a sample differs by", "(n, d)"),
    Variable(bit, r"\zeta", r"\{0,1\}^{n\times d}", "bits of the clients", "(n, d)"),
    Variable(y, r"\pi", r"[0,1]^{n\times d}", "probabilities of these bits", "(n, d)"),
    Variable(r, "r", r"\mathbb R^n_{\ge0}", "norms of the inputs", "(n,)"),
)
_PAIRS = (COORDINATES, COLUMNS)
HYPOTHESES = {
    "inputs": definition(
        r"$Y_{jk}=\frac1n\sum_ia_{ij}a_{ik}$, $Z_{jk}=\frac1n\sum_ia_{ij}\cdot\frac1n\sum_ia_{ik}$, "
        r"$\mathrm{tr}Y=\sum_lY_{ll}$"
    ),
    "variances": domain("$v^R,v^P\\ge0$"),
    "plane": domain(r"$d\ge2$"),
    "several": domain(r"$n\ge2$"),
    "kept": domain(r"$1\le K\le d$"),
    "rand-k": model(
        r"$Kn=\mathbb E\bigl(\sum_{z,i}(\frac Kd+\eta_{iz}-\frac1d\sum_l\eta_{il})^2\bigr)$, "
        r"$N_{jj}^R=\mathbb E\bigl((\frac d{Kn}\sum_ia_{ij}(\frac Kd+\eta_{ij}-\frac1d"
        r"\sum_l\eta_{il})-\frac1n\sum_ia_{ij})^2\bigr)$, over uncorrelated $\eta_{il}$, $1\le "
        r"i\le n$, $1\le l\le d$, with mean $0$ and variance $v^R$; "
        r"$N_{hj}^R=\mathbb E\bigl((\frac d{Kn}\sum_ia_{ih}(\frac Kd+\eta_{ih}-\frac1d"
        r"\sum_l\eta_{il})-\frac1n\sum_ia_{ih})(\frac d{Kn}\sum_ia_{ij}(\frac Kd+\eta_{ij}-"
        r"\frac1d\sum_l\eta_{il})-\frac1n\sum_ia_{ij})\bigr)$ for $1\le j\le h-1$, over "
        r"uncorrelated $\eta_{il}$, $1\le i\le n$, $1\le l\le d$, with mean $0$ and variance "
        "$v^R$, since samples are alike"
    ),
    "one-bit": model(
        r"$a_{ij}=r_i(2\pi_{ij}-1)$, $r_i^2=\sum_la_{il}^2$, $0\le\pi_{ij}(1-\pi_{ij})$; "
        r"$N_{jj}^B=\mathbb E\bigl(\frac1{n^2}(\sum_i(r_i(2\zeta_{ij}-1)-r_i(2\pi_{ij}"
        r"-1)))^2\bigr)$, over independent $\zeta_{il}\sim\mathrm{Bernoulli}(\pi_{il})$, $1\le "
        r"i\le n$, $1\le l\le d$; "
        r"$N_{hj}^B=\mathbb E\bigl(\frac1{n^2}(\sum_i(r_i(2\zeta_{ih}-1)-r_i(2\pi_{ih}-1)))"
        r"\sum_i(r_i(2\zeta_{ij}-1)-r_i(2\pi_{ij}-1))\bigr)$ for $1\le j\le h-1$, over "
        r"independent $\zeta_{il}\sim\mathrm{Bernoulli}(\pi_{il})$, $1\le i\le n$, $1\le l\le d$, "
        "since messages are unbiased"
    ),
    "owners": domain(r"$1\le q\le n$"),
    "theta": definition(r"$\theta=\frac{n-q}{q(n-1)}$"),
    "perm": model(
        r"$\frac dq=\mathbb E\bigl(\sum_{z,i}(\varepsilon_{iz}+\frac1n+\frac1{dn}"
        r"\sum_{l,u}\varepsilon_{ul}-\frac1n\sum_u\varepsilon_{uz}-\frac1d"
        r"\sum_l\varepsilon_{il})^2\bigr)$, "
        r"$N_{jj}^P=\mathbb E\bigl((\sum_ia_{ij}(\varepsilon_{ij}+\frac1n+\frac1{dn}"
        r"\sum_{l,u}\varepsilon_{ul}-\frac1n\sum_u\varepsilon_{uj}-\frac1d\sum_l\varepsilon_{il})"
        r"-\frac1n\sum_ia_{ij})^2\bigr)$, over uncorrelated $\varepsilon_{il}$, $1\le i\le n$, "
        r"$1\le l\le d$, with mean $0$ and variance $v^P$; "
        r"$N_{hj}^P=\mathbb E\bigl((\sum_ia_{ih}(\varepsilon_{ih}+\frac1n+\frac1{dn}"
        r"\sum_{l,u}\varepsilon_{ul}-\frac1n\sum_u\varepsilon_{uh}-\frac1d\sum_l\varepsilon_{il})"
        r"-\frac1n\sum_ia_{ih})(\sum_ia_{ij}(\varepsilon_{ij}+\frac1n+\frac1{dn}"
        r"\sum_{l,u}\varepsilon_{ul}-\frac1n\sum_u\varepsilon_{uj}-\frac1d\sum_l\varepsilon_{il})"
        r"-\frac1n\sum_ia_{ij})\bigr)$ for $1\le j\le h-1$, over uncorrelated $\varepsilon_{il}$, "
        r"$1\le i\le n$, $1\le l\le d$, with mean $0$ and variance $v^P$, since deals are alike"
    ),
    "blocks": parameter(r"$n=\frac{qd}b$"),
    "block-size": domain(r"$b\ge1$"),
    "groups": model(
        r"$N_{jj}^G=N_{jj}^P+\mathbb E\bigl(\sum_i(\sum_za_{iz}^2(\varepsilon_{ij}+\frac1n+"
        r"\frac1{dn}\sum_{l,u}\varepsilon_{ul}-\frac1n\sum_u\varepsilon_{uj}-\frac1d"
        r"\sum_l\varepsilon_{il})(\varepsilon_{iz}+\frac1n+\frac1{dn}\sum_{l,u}\varepsilon_{ul}"
        r"-\frac1n\sum_u\varepsilon_{uz}-\frac1d\sum_l\varepsilon_{il})-a_{ij}^2(\varepsilon_{ij}"
        r"+\frac1n+\frac1{dn}\sum_{l,u}\varepsilon_{ul}-\frac1n\sum_u\varepsilon_{uj}-\frac1d"
        r"\sum_l\varepsilon_{il})^2)\bigr)$, over uncorrelated $\varepsilon_{il}$, $1\le i\le n$, "
        r"$1\le l\le d$, with mean $0$ and variance $v^P$; $N_{hj}^G=N_{hj}^P$ for $1\le j\le "
        "h-1$, since owners send unbiased bits"
    ),
    "one-owner": parameter("$q=1$"),
    "one-coordinate": parameter(r"$q=\frac nd$"),
}
_DEALT = ("plane", "several", "owners", "perm")


def _relation(left: Any, right: Any, *under: str) -> Relation:
    return Relation((left, right), ("=",), every=(COORDINATES,), under=under)


def _other(left: Any, right: Any, *under: str) -> Relation:
    return Relation((left, right), ("=",), every=(BELOW, COORDINATES), under=under)


RELATIONS = {
    "rand-k-diagonal": _relation(N_R[j, j], RAND_K[0], "plane", "kept", "rand-k"),
    "rand-k-off": _other(N_R[j, h], RAND_K[1], "plane", "kept", "rand-k"),
    "one-bit-diagonal": _relation(N_B[j, j], ONE_BIT, "one-bit"),
    "one-bit-off": _other(N_B[j, h], 0, "one-bit"),
    "perm-diagonal": _relation(N_P[j, j], PERM[0], *_DEALT, "theta"),
    "perm-off": _other(N_P[j, h], PERM[1], *_DEALT, "theta"),
    "wide-diagonal": _relation(N_P[j, j], MANY_COORDINATES[0], *_DEALT, "one-owner"),
    "wide-off": _other(N_P[j, h], MANY_COORDINATES[1], *_DEALT, "one-owner"),
    "tall-diagonal": _relation(N_P[j, j], MANY_CLIENTS[0], *_DEALT, "one-coordinate"),
    "tall-off": _other(N_P[j, h], MANY_CLIENTS[1], *_DEALT, "one-coordinate"),
    "group-diagonal": _relation(N_G[j, j], GROUPS, *_DEALT, "theta", "blocks", "block-size", "groups"),
    "group-off": _other(N_G[j, h], PERM[1], *_DEALT, "theta", "groups"),
}

FORMULAS = {
    "theta": THETA,
    "rand_k_diagonal": RAND_K[0],
    "rand_k_off": RAND_K[1],
    "one_bit_diagonal": ONE_BIT,
    "perm_k_diagonal": PERM[0],
    "perm_k_off": PERM[1],
    "wide_diagonal": MANY_COORDINATES[0],
    "wide_off": MANY_COORDINATES[1],
    "tall_diagonal": MANY_CLIENTS[0],
    "tall_off": MANY_CLIENTS[1],
    "group_diagonal": GROUPS,
}

EXAMPLE = {
    n: 2,
    d: 2,
    a: ((3, 4), (0, 0)),
    r: (5, 0),
    y: ((Rational(4, 5), Rational(9, 10)), (Rational(1, 2), Rational(1, 2))),
    Y: ((Rational(9, 2), 6), (6, 8)),
    Z: ((Rational(9, 4), 3), (3, 4)),
    trace: Rational(25, 2),
    kept: 1,
    v_sent: Rational(1, 2),
    N_R: ((Rational(9, 4), -3), (-3, 4)),
    N_B: ((4, 0), (0, Rational(9, 4))),
    q: 1,
    b: 1,
    theta: 1,
    v_dealt: 1,
    N_P: ((Rational(9, 4), -3), (-3, 4)),
    N_G: ((Rational(9, 4), -3), (-3, 4)),
}


def conclude(K: Any) -> None:
    """Prove the covariances."""
    K.index(BELOW)
    one_bit(K)
    K.know(K.given("plane"), K.cert(lt(0, d - 1), (1, K.given("plane"))))
    ones = tuple(delta_total(K, ALL, place) for place in (j, h))
    rand_k(K, ones)
    dealt_out(K, ones)


def _entry(K: Any, place: int, row: Any, column: Any) -> Any:
    return K.at(K.given("inputs", place), row, column)


def _alike(K: Any, ones: Any, scale: Any, spread: Any) -> tuple[Any, Any]:
    """Return what the deltas come to in a variance and in a covariance of shares of alike coordinates."""
    variance = ((-2 * scale * spread(j), ones[0]),)
    apart = (d * scale * spread(h), K.axiom("delta-other", j, h))
    return variance, (*((-scale * spread(h), one) for one in ones), apart)


def one_bit(K: Any) -> None:
    """Independent bits of variance 4 r^2 y (1 - y)."""
    K.know(K.given("one-bit", 2))
    entry = K.at(K.given("one-bit"), i, j)
    level = r[i] * (2 * y[i, j] - 1)
    square = K.cert(eq(a[i, j] ** 2, level**2), (a[i, j] + level, entry))
    squares, norms = K.sum_over(square, CLIENTS), K.sum_over(K.at(K.given("one-bit", 1), i), CLIENTS)
    each = K.sum_over(_entry(K, 0, l, l), ALL)
    variance = K.cert(
        eq(N_B[j, j], ONE_BIT),
        (1, K.at(K.given("one-bit", 3), j)),
        (1 / n**2, squares),
        (1 / n**2, norms),
        (-1 / n, K.given("inputs", 2)),
        (-1 / n, each),
        (1 / n, _entry(K, 0, j, j)),
    )
    K.conclude("one-bit-diagonal", K.every(variance, COORDINATES))
    both = 4 * Sum(r[i] ** 2 * y[i, j] * (1 - y[i, j]), CLIENTS) / n**2
    none = K.cert(
        eq(N_B[j, h], 0), (1, K.at(K.given("one-bit", 4), j, h)), (both, K.axiom("delta-other", j, h))
    )
    K.conclude("one-bit-off", K.every(none, BELOW, COORDINATES))


def rand_k(K: Any, ones: Any) -> None:
    """The number of coordinates that a client sends is fixed."""
    K.know(K.cert(lt(0, kept), (1, K.given("kept"))))
    amount = eq(v_sent, kept * (d - kept) / (d * (d - 1)))
    found = K.cert(amount, (-1 / (n * (d - 1)), K.given("rand-k")))
    scale = d * v_sent / (kept * n) ** 2
    variance, other = _alike(K, ones, scale, lambda place: Sum(a[i, j] * a[i, place], CLIENTS))
    for name, place, goal, value, terms, ranges in (
        ("rand-k-diagonal", 1, N_R[j, j], RAND_K[0], variance, (COORDINATES,)),
        ("rand-k-off", 2, N_R[j, h], RAND_K[1], other, (BELOW, COORDINATES)),
    ):
        column = j if place == 1 else h
        given = K.at(K.given("rand-k", place), *((j,) if place == 1 else (j, h)))
        entry = (-value / Y[j, column], _entry(K, 0, j, column))
        theorem = K.cert(eq(goal, value), (1, given), *terms, entry, using=[found])
        K.conclude(name, K.every(theorem, *ranges))


def dealt_out(K: Any, ones: Any) -> None:
    """Clients own as many coordinates, coordinates have as many owners."""
    K.know(K.given("several"), K.cert(lt(0, n - 1), (1, K.given("several"))))
    K.know(K.cert(lt(0, q), (1, K.given("owners"))))
    amount = eq(v_dealt, d * (n - q) / (q * n * (n - 1) * (d - 1)))
    found = K.cert(amount, (-1 / ((n - 1) * (d - 1)), K.given("perm")))

    def spread(place: Any) -> Any:
        columns = [Sum(a[i, item], CLIENTS) for item in (j, place)]
        return n * Sum(a[i, j] * a[i, place], CLIENTS) - columns[0] * columns[1]

    variance, other = _alike(K, ones, v_dealt / (d * n), spread)
    owned = []
    for place, goal, value, terms in (
        (j, N_P[j, j], THETA * (Y[j, j] - Z[j, j]), variance),
        (h, N_P[j, h], -THETA / (d - 1) * _GAP, other),
    ):
        given = K.at(K.given("perm", 1), j) if place == j else K.at(K.given("perm", 2), j, h)
        factor = value / (Y[j, place] - Z[j, place])
        entries = ((-factor, _entry(K, 0, j, place)), (factor, _entry(K, 1, j, place)))
        owned.append(K.cert(eq(goal, value), (1, given), *terms, *entries, using=[found]))
    ranges = ((COORDINATES,), (BELOW, COORDINATES))
    for name, values, using in (
        ("perm", PERM, "theta"),
        ("wide", MANY_COORDINATES, "one-owner"),
        ("tall", MANY_CLIENTS, "one-coordinate"),
    ):
        for suffix, theorem, value, over in zip(("diagonal", "off"), owned, values, ranges, strict=True):
            goal = eq((N_P[j, j], N_P[j, h])[suffix == "off"], value)
            K.conclude(f"{name}-{suffix}", K.every(K.cert(goal, (1, theorem), using=[K.given(using)]), *over))
    _groups(K, ones[0], found, owned, ranges)


def _groups(K: Any, one: Any, amount: Any, owned: Any, ranges: Any) -> None:
    K.know(K.cert(lt(0, b), (1, K.given("block-size"))))
    norm, column = Sum(a[i, l] ** 2, CLIENTS), Sum(a[i, j] ** 2, CLIENTS)
    total = Sum(norm, ALL)
    given = K.at(K.given("groups"), j)
    share = (b - 1) / (q * (d - 1))
    raw = K.cert(
        eq(N_G[j, j], THETA * (Y[j, j] - Z[j, j]) + ((q * d / n - 1) / (q * (d - 1))) * (trace - Y[j, j])),
        (1, given),
        (1, owned[0]),
        (v_dealt * (1 - n) / (d * n) * (total - 2 * column), one),
        (v_dealt * (n - 1) / n, picked(K, norm, ALL, j)),
        (-(q * d / n - 1) / (q * (d - 1)), K.given("inputs", 2)),
        (-(q * d / n - 1) / (q * (d - 1)), K.sum_over(_entry(K, 0, l, l), ALL)),
        ((q * d / n - 1) / (q * (d - 1)), _entry(K, 0, j, j)),
        using=[amount],
    )
    sizes = K.cert(eq(q * d / n, b), (-b / n, K.given("blocks")))
    fitted = K.cert(
        eq(N_G[j, j], THETA * (Y[j, j] - Z[j, j]) + share * (trace - Y[j, j])),
        (1, raw),
        ((trace - Y[j, j]) / (q * (d - 1)), sizes),
    )
    theta_is = K.given("theta")
    whole = K.cert(eq(N_G[j, j], GROUPS), (1, fitted), using=[theta_is])
    K.conclude("group-diagonal", K.every(whole, *ranges[0]))
    off = K.cert(
        eq(N_G[j, h], PERM[1]), (1, K.at(K.given("groups", 1), j, h)), (1, owned[1]), using=[theta_is]
    )
    K.conclude("group-off", K.every(off, *ranges[1]))
