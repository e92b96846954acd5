r"""Derivation of `cq_marina/marina-exact-oracle`: the recursion over coin and noise, and the noise.

The symbols are those of the claim; further ones are named in the statements.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence

from sympy import Expr, Integer, Rational, Symbol, symbols

from theory.cq_marina.symbols import d, n, p
from theory.old_steps import Identity, Step
from theory.two_point_law import INDEPENDENCE, expectation

gamma = Symbol("gamma", positive=True)
lambda_j = Symbol("lambda_j", real=True)
lambda_k = Symbol("lambda_k", real=True)
S_ee = Symbol("S_ee", real=True)
S_eg = Symbol("S_eg", real=True)
S_ge = Symbol("S_ge", real=True)
S_gg = Symbol("S_gg", real=True)
N = Symbol("N", real=True)
Y = Symbol("Y", real=True)
Z = Symbol("Z", real=True)
t = Symbol("t", nonnegative=True)
K = Symbol("K", integer=True, positive=True)
q = Symbol("q", integer=True, positive=True)
b = Symbol("b", integer=True, positive=True)
D = Symbol("D", integer=True, positive=True)

_ej, _ek, _gj, _gk, _zj, _zk = symbols("e_j e_k g_j g_k z_j z_k", real=True)
_rho = Symbol("rho", positive=True)
_two = symbols("p_1:3", nonnegative=True)

_STATE = {S_ee: _ej * _ek, S_eg: _ej * _gk, S_ge: _gj * _ek, S_gg: _gj * _gk}
_ONE = {lambda_k: lambda_j, **{S: S.subs(_STATE).subs({_ek: _ej, _gk: _gj}) for S in (S_ee, S_eg, S_gg)}}

Rows = Sequence[Sequence[Expr]]


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *_recursion(stated),
        *_outputs(stated),
        *_rand_k(stated),
        *_one_bit(stated),
        *_groups(stated),
        *_perm_k(stated),
        INDEPENDENCE,
    )


def _recursion(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def moved(e: Expr, g: Expr) -> Expr:
        return e - gamma * g

    def estimate(eigenvalue: Expr, e: Expr, g: Expr, z: Expr) -> tuple[Expr, Expr, Expr]:
        """Return the next estimate with a full gradient, and with noise up and down."""
        compressed = g - gamma * eigenvalue * g
        return eigenvalue * moved(e, g), compressed + (1 - _rho) * z, compressed - _rho * z

    def mean(function: Callable[[Expr, Expr], Expr]) -> Expr:
        """Return the expectation over the coin and noise of two values, the same draw for j and k."""
        first = estimate(lambda_j, _ej, _gj, _zj)
        second = estimate(lambda_k, _ek, _gk, _zk)
        values = [function(u, v) for u, v in zip(first, second, strict=True)]
        return p * values[0] + (1 - p) * (_rho * values[1] + (1 - _rho) * values[2])

    e_j, e_k = moved(_ej, _gj), moved(_ek, _gk)
    covariance = {**_STATE, N: _rho * (1 - _rho) * _zj * _zk / gamma**2}
    return (
        Identity(
            "moves",
            r"$x^+=x-\gamma g$: $\mathbb Ee^+_je^+_k$ is the stated entry (a state $e,g$ is given; linear in "
            r"its moments).",
            e_j * e_k,
            stated["ee_next"].subs(_STATE),
        ),
        Identity(
            "moves-and-estimate",
            r"$\mathbb Ee^+_jg^+_k$ over the coin and the noise: with probability $p$ "
            r"$g^+=\bar Ae^+$, else $g^+=g-\gamma\bar Ag+\xi$ with $\mathbb E\xi=0$, in coordinates in which "
            r"$\bar A$ is diagonal.",
            mean(lambda _, g: e_j * g),
            stated["eg_next"].subs(covariance),
        ),
        Identity(
            "estimates",
            r"$\mathbb Eg^+_jg^+_k$ with $\mathbb E\xi_j\xi_k=\gamma^2N_{jk}$: the compressed differences "
            r"are $-\gamma A_ig$, and the covariance is quadratic in them.",
            mean(lambda g, h: g * h),
            stated["exact"].subs(covariance),
        ),
    )


def _outputs(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    gradient = lambda_j * _ej
    return (
        Identity(
            "gap",
            r"$f-f^\star=\frac12e^\top\bar Ae$, per coordinate.",
            gradient * _ej / 2,
            stated["gap"].subs(_ONE),
        ),
        Identity(
            "gradient",
            r"$\|\nabla f\|^2=\|\bar Ae\|^2$, per coordinate.",
            gradient**2,
            stated["gradient_norm_sq"].subs(_ONE),
        ),
        Identity(
            "error",
            r"$\|g-\nabla f\|^2=\|g-\bar Ae\|^2$, per coordinate.",
            (_gj - gradient) ** 2,
            stated["error"].subs(_ONE),
        ),
    )


# ---------------------------------------------------------------- what one round makes of fixed inputs


def _inputs(clients: int, dimension: int) -> Rows:
    return [symbols(f"a_{i}1:{i}{dimension + 1}", real=True) for i in range(1, clients + 1)]


def _moments(rows: Rows, j: int, k: int) -> dict[Expr, Expr]:
    """Return Y_jk, Z_jk and tr Y for inputs a_i in place of A_i g."""
    count = len(rows)
    means = [sum(row[place] for row in rows) / Integer(count) for place in (j, k)]
    return {
        Y: sum(row[j] * row[k] for row in rows) / Integer(count),
        Z: means[0] * means[1],
        t: sum(item**2 for row in rows for item in row) / Integer(count),
        n: Integer(count),
        d: Integer(len(rows[0])),
    }


def _rand_k(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def enumerated(size: int, j: int, k: int) -> Expr:
        """Return the covariance of the mean of two clients that send `size` of three coordinates each."""
        rows = _inputs(2, 3)
        sets = list(itertools.combinations(range(3), size))
        scale = Rational(3, size)

        def sent(place: int, chosen: tuple[tuple[int, ...], ...]) -> Expr:
            kept = [scale * row[place] for row, own in zip(rows, chosen, strict=True) if place in own]
            return sum(kept, Integer(0)) / 2

        pairs = list(itertools.product(sets, repeat=2))
        second = sum(sent(j, chosen) * sent(k, chosen) for chosen in pairs) / Integer(len(pairs))
        return second - _moments(rows, j, k)[Z]

    return (
        *(
            Identity(
                f"rand-{size}-of-3-{'diagonal' if j == k else 'off'}",
                r"RandK: the covariance of the mean of two clients, over all subsets, is the stated $N_{jk}$ "
                rf"($d=3$, $K={size}$, $j={j + 1}$, $k={k + 1}$).",
                enumerated(size, j, k),
                stated["rand_k_diagonal" if j == k else "rand_k_off"].subs(
                    {**_moments(_inputs(2, 3), j, k), K: Integer(size)}
                ),
            )
            for size in (1, 2)
            for j, k in ((0, 0), (0, 1))
        ),
        Identity(
            "rand-k-diagonal",
            r"A coordinate is kept with probability $\frac Kd$: $\frac dK-1$ times the square, over $n$ for "
            r"the mean of independent clients.",
            ((d / K) ** 2 * K / d - 1) * Y / n,
            stated["rand_k_diagonal"],
        ),
        Identity(
            "rand-k-off",
            r"Two coordinates are kept with probability $\frac{K(K-1)}{d(d-1)}$.",
            ((d / K) ** 2 * K * (K - 1) / (d * (d - 1)) - 1) * Y / n,
            stated["rand_k_off"],
        ),
    )


def _one_bit(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    norms = symbols("r_1:3", positive=True)

    def covariance(clients: int, off: bool) -> Expr:
        """Return the covariance of means of values r(2 bit - 1); two independent bits where `off`."""
        total: Expr = Integer(0)
        for r in norms[:clients]:
            if off:
                second = expectation(lambda u, v, r=r: r**2 * (2 * u - 1) * (2 * v - 1), *_two)
                total += second - r**2 * (2 * _two[0] - 1) * (2 * _two[1] - 1)
            else:
                second = expectation(lambda u, r=r: (r * (2 * u - 1)) ** 2, _two[0])
                total += second - (r * (2 * _two[0] - 1)) ** 2
        return total / Integer(clients) ** 2

    squares = sum(r**2 for r in norms) / 2
    values = {n: 2, t: squares, Y: squares * (2 * _two[0] - 1) ** 2}
    return (
        Identity(
            "one-bit-diagonal",
            r"One-bit quantizer: variance $\|a\|^2-a_j^2$, linear in $aa^\top$ (two clients with the same "
            r"$y_j$, norms $r_1,r_2$, $t=\mathrm{tr}\,Y$ the mean of their squares).",
            covariance(2, off=False),
            stated["one_bit_diagonal"].subs(values),
        ),
        Identity(
            "one-bit-diagonal-any-number",
            r"For $n$ independent clients the mean of the variances is over $n$.",
            (t - Y) / n,
            stated["one_bit_diagonal"],
        ),
        Identity(
            "one-bit-off",
            r"The bits of two coordinates are independent: no covariance.",
            covariance(2, off=True),
            Integer(0),
        ),
    )


def _groups(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """PermK over groups of q clients with one-bit quantizers on blocks of b coordinates."""
    pair = (n * Z - Y) / (n - 1)  # mean of a_ij a_lk over i != l
    together = Y / q + (q - 1) / q * pair
    share = (b - 1) / (d - 1)
    return (
        *(
            Identity(
                f"groups-of-{clients}-and-{dimension}-{'diagonal' if j == k else 'off'}",
                rf"PermK over two groups, $n={clients}$, $d={dimension}$: the covariance over all partitions "
                rf"of clients and coordinates is the stated $N_{{jk}}$ ($j={j + 1}$, $k={k + 1}$).",
                _enumerated_groups(clients, dimension, j, k),
                stated["group_diagonal" if j == k else "group_off"].subs(
                    {
                        **_moments(_inputs(clients, dimension), j, k),
                        q: Integer(clients // 2),
                        b: Integer(dimension // 2),
                    }
                ),
            )
            for clients, dimension in ((2, 4), (4, 2), (4, 4))
            for j, k in ((0, 0), (0, 1))
        ),
        Identity(
            "group-diagonal",
            r"In general: a coordinate is the mean over a random group of $q$, so $\mathbb E\hat "
            r"g_j^2-\bar a_j^2$ is $\frac Yq+\frac{q-1}q\frac{nZ-Y}{n-1}-Z$, and the bits add $\frac1q$ of "
            r"the mean of the squares of the other coordinates of the block, $\frac{b-1}{d-1}(t-Y)$.",
            together - Z + share * (t - Y) / q,
            stated["group_diagonal"],
        ),
        Identity(
            "group-off",
            r"In general: two coordinates are in one block with probability $\frac{b-1}{d-1}$, else their "
            r"groups are disjoint, with the mean $\frac{nZ-Y}{n-1}$ of products.",
            share * together + (1 - share) * pair - Z,
            stated["group_off"],
        ),
    )


def _enumerated_groups(clients: int, dimension: int, j: int, k: int) -> Expr:
    """Return the covariance of the estimate over all partitions into two groups and two blocks."""
    rows = _inputs(clients, dimension)
    total, count = Integer(0), 0
    everyone, all_places = set(range(clients)), set(range(dimension))
    for first in itertools.combinations(range(clients), clients // 2):
        for block in itertools.combinations(range(dimension), dimension // 2):
            pairs = ((set(first), set(block)), (everyone - set(first), all_places - set(block)))
            home = {place: (own, part) for own, part in pairs for place in part}
            (own_j, part), (own_k, _) = home[j], home[k]
            size = Integer(len(own_j))
            # Bits of different coordinates or clients are independent with means a_ij.
            products = sum(rows[i][j] * rows[l][k] for i in own_j for l in own_k)
            if j == k:
                products += sum(rows[i][other] ** 2 for i in own_j for other in part - {j})
            total += products / size**2
            count += 1
    return total / Integer(count) - _moments(rows, j, k)[Z]


def _perm_k(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """PermK itself: one client in a group, or one coordinate in a block."""
    cases = (
        ("many-coordinates", "$d=bn$ (a group is one client)", {q: 1, d: b * n}, "perm_k_diagonal", b * n),
        (
            "many-clients",
            "$n=qd$ (a block is one coordinate)",
            {b: 1, n: q * d},
            "perm_k_diagonal_many",
            q * d,
        ),
    )
    return tuple(
        step
        for name, words, values, diagonal, larger in cases
        for step in (
            Identity(
                f"perm-k-{name}-diagonal",
                rf"PermK with {words}, without bits ($t=Y$): the stated diagonal.",
                stated["group_diagonal"].subs(t, Y).subs(values),
                stated[diagonal].subs(values),
            ),
            Identity(
                f"perm-k-{name}-off",
                rf"PermK with {words}: off the diagonal, with the larger one $D$ of $n,d$.",
                stated["group_off"].subs(values),
                stated["perm_k_off"].subs(D, larger),
            ),
        )
    )
