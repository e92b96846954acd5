"""Derivation of `cq_marina/cq-1d-exact`: total variance, the covariance of two bits, equal coefficients."""

import itertools
from collections.abc import Mapping, Sequence

from sympy import Expr, Integer, Max, Min, Rational, Symbol, symbols

from theory.cq_marina.cq_1d_exact_cells import COEFFICIENTS, Cells, all_cells, enumerated_variance
from theory.cq_marina.symbols import c, i, k, l, n, y
from theory.instance import instance
from theory.old_steps import Identity, StandardFact, Step
from theory.summation import SUMMATION

# All cells of two clients, and for three clients each way in which they share cells.
_SHOWN = (*all_cells(2), *map(Cells, ((0, 0, 0), (0, 2, 2), (0, 1, 2))))
_SHOWN_TEXT = "two clients in all cells, three with one, two and three cells"

N = Symbol("N", integer=True, positive=True)  # n - 1, so that its sign is known
s, g = symbols("s g", integer=True, nonnegative=True)
alpha, beta, delta = symbols("alpha beta delta", nonnegative=True)
_t = Symbol("t", real=True)


def two_inputs(same_cell: bool) -> tuple[tuple[Expr, Expr], tuple[Expr, Expr]]:
    r"""Return two inputs in increasing order and their fractions, in any number $n=N+1$ of clients.

    They are in cell $s$, or in $s$ and $s+1+g$.
    """
    upper = alpha + delta if same_cell else beta
    place = s if same_cell else s + 1 + g
    return ((s + alpha) / (N + 1), (place + upper) / (N + 1)), (alpha, upper)


def stated_covariance(covariance: Expr, same_cell: bool, first: int = 0) -> Expr:
    r"""Return the stated covariance of two bits for $n=N+1$ clients; `first` is 1 in reverse order."""
    (lower, upper), fractions = two_inputs(same_cell)
    written = instance(covariance, {n: N + 1, y: (lower, upper), i: first, l: 1 - first}, fractions)
    # In different cells the order of the inputs is that of the cells.
    return written.xreplace({Min(lower, upper): lower, Max(lower, upper): upper})


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_total_variance(stated), *_pairs(stated), *_equal_coefficients(stated), SUMMATION)


def _total_variance(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    middle = Cells((0, 1, 2))
    shares = tuple(
        tuple(middle.write_out(stated["share"], {i: client, k: stratum}) for stratum in range(3))
        for client in range(3)
    )
    return (
        *(
            Identity(
                f"share-cell-{client}-stratum-{stratum}",
                r"$P(U_i<y_i\mid\pi_i=k)=P(u_i<ny_i-k)$ is 1 below the cell of $y_i$, $\alpha_i$ in it and 0 "
                r"above it: the stated $\varphi_{ik}$ (shown for $n=3$).",
                shares[client][stratum],
                middle.shares()[client][stratum],
            )
            for client, stratum in itertools.product(range(3), repeat=2)
        ),
        Identity(
            "mean",
            r"$\pi_i$ is uniform: $\mathbb E\mathbf 1[U_i<y_i]=\frac1n(s\cdot1+\alpha)=y_i$, so the bits are "
            "unbiased.",
            (s * 1 + alpha) / (N + 1),
            two_inputs(same_cell=True)[0][0],
        ),
        StandardFact(
            "total-variance",
            r"$\mathrm{Var}\,S=\mathbb E\,\mathrm{Var}(S|\pi)+\mathrm{Var}\,\mathbb E(S|\pi)$.",
            "P. Billingsley, Probability and Measure, 3rd ed., section 34",
        ),
        StandardFact(
            "hoeffding",
            r"For a uniformly random permutation, $\mathrm{Var}\sum_ia_{i\pi(i)}=\frac1{n-1}\sum_{i,k}(a_{ik}"
            r"-\bar a_{i\cdot}-\bar a_{\cdot k}+\bar a_{\cdot\cdot})^2$ in any size.",
            "W. Hoeffding, A combinatorial central limit theorem, Ann. Math. Statist. 22 (1951), theorem 2",
        ),
        *(
            Identity(
                f"hoeffding-{size}",
                rf"That formula over all permutations of any {size} by {size} matrix.",
                *_permutation_statistic(size),
            )
            for size in (2, 3)
        ),
        *(
            Identity(
                f"exact-cells-{cells.name}",
                "The mean over all permutations and independent bits given them is the stated variance "
                f"(shown for {_SHOWN_TEXT}; in every size by `total-variance` and `hoeffding`).",
                enumerated_variance(cells, COEFFICIENTS[: cells.size]),
                cells.write_out(stated["exact"]),
            )
            for cells in _SHOWN
        ),
    )


def _permutation_statistic(size: int) -> tuple[Expr, Expr]:
    """Return the variance of a permutation statistic by enumeration and by Hoeffding's formula."""
    rows = [symbols(f"a_{row}_0:{size}", real=True) for row in range(size)]
    orders = list(itertools.permutations(range(size)))
    values = [sum(rows[item][place] for item, place in enumerate(order)) for order in orders]
    variance = sum(value**2 for value in values) / len(orders) - (sum(values) / len(orders)) ** 2
    row_means = [_mean(row) for row in rows]
    column_means = [_mean([row[place] for row in rows]) for place in range(size)]
    total = sum(
        (rows[item][place] - row_means[item] - column_means[place] + _mean(row_means)) ** 2
        for item, place in itertools.product(range(size), repeat=2)
    )
    return variance, total / (size - 1)


def _mean(items: Sequence[Expr]) -> Expr:
    return sum(items) * Rational(1, len(items))


def _pairs(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    steps: list[Step] = []
    for name, same_cell, product in (
        ("same-cell", True, s + alpha * (alpha + delta)),
        ("different-cells", False, s + alpha),
    ):
        (lower, upper), _ = two_inputs(same_cell)
        # Two different strata, each pair with chance 1 / (n (n - 1)), N = n - 1.
        joint = ((N + 1) ** 2 * lower * upper - product) / ((N + 1) * N)
        steps += [
            Identity(
                f"covariance-{name}{order}",
                r"$\mathbb E\varphi_{i\pi_i}\varphi_{l\pi_l}=\frac1{n(n-1)}\big(ny_i\,ny_l-\sum_k\varphi_{ik}"
                r"\varphi_{lk}\big)$, where the sum is $s+\alpha\beta$ in a common cell $s$ and $s+\alpha$ "
                r"if $\alpha$ belongs to the lower cell $s$; less $y_iy_l$ this is the stated covariance, "
                "for every $n$ and in either order.",
                joint - lower * upper,
                stated_covariance(stated["covariance"], same_cell, first),
            )
            for first, order in enumerate(("", "-reversed"))
        ]
    return (
        *steps,
        *(
            Identity(
                f"pairwise-cells-{cells.name}{'-reversed' if step < 0 else ''}",
                r"The stated pairwise form, $\sum_ic_i^2y_i(1-y_i)$ and twice the covariances, is the "
                f"variance (shown for {_SHOWN_TEXT}, in both orders).",
                cells.write_out(
                    stated["pairwise"],
                    {y: cells.inputs[::step], c: COEFFICIENTS[: cells.size][::step]},
                ),
                enumerated_variance(cells, COEFFICIENTS[: cells.size]),
            )
            for cells in _SHOWN
            for step in (1, -1)
        ),
    )


def _equal_coefficients(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Identity(
            "distance",
            r"$K(t,t)+K(t+\delta,t+\delta)-2K(t,t+\delta)=\delta(1-\delta)$, so "
            r"$\sum_{i,l}(K_{ii}-K_{il})=\frac12\sum_{i,l}\delta_{il}(1-\delta_{il})$.",
            _t * (1 - _t) + (_t + delta) * (1 - _t - delta) - 2 * _t * (1 - _t - delta),
            delta * (1 - delta),
        ),
        *(
            Identity(
                f"equal-cells-{cells.name}",
                r"The stated form for equal coefficients is the variance with $c_i=1$ over $n^2$ (shown for "
                f"{_SHOWN_TEXT}; in every size by `summation` of `distance` over all pairs).",
                cells.write_out(stated["equal"]),
                enumerated_variance(cells, (Integer(1),) * cells.size) / cells.size**2,
            )
            for cells in _SHOWN
        ),
        *(
            Identity(
                f"identical-n{cells.size}-cell-{cells.places[0]}",
                r"Identical inputs have the stated variance $\{ny\}(1-\{ny\})/n^2$.",
                cells.write_out(stated["identical"], {i: 0}),
                cells.write_out(stated["equal"], {y: (cells.inputs[0],) * cells.size}),
            )
            for cells in map(Cells, ((0, 0), (1, 1), (1, 1, 1)))
        ),
        Identity(
            "identical-any-n",
            r"For every $n$: $n(n-1)$ pairs in a common cell with $K=\alpha(1-\alpha)$, over $n^3(n-1)$.",
            (N + 1) * N * alpha * (1 - alpha) / ((N + 1) ** 3 * N),
            instance(stated["identical"], {n: N + 1, y: (two_inputs(same_cell=True)[0][0],), i: 0}, (alpha,)),
        ),
    )
