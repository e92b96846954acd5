"""Derivation of `cat/s-rates`: sums of the descent, products of contractions, reciprocals of gaps."""

from collections.abc import Mapping

from sympy import Expr, IndexedBase, Integer, Symbol, symbols

from theory.cat.descent_steps import (
    EXPONENTIAL,
    RECIPROCAL,
    ROUNDS,
    R,
    contracted,
    convexly,
    exponentially,
    from_factors,
    guaranteed,
    multiplied,
    reciprocated,
    shares,
    started,
    summed,
)
from theory.cat.symbols import Delta_0, K, L, Sigma, T, d, epsilon, mu
from theory.instance import instance
from theory.old_steps import Certificate, Identity, Step, Term
from theory.summation import SUMMATION

alpha_bar = Symbol("alpha_bar", positive=True)

_alpha = IndexedBase("alpha", nonnegative=True)
_xs = symbols("x_1:4", positive=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    total = instance(stated["total"], {K: ROUNDS, _alpha: shares})

    def product(values: tuple[Expr, ...]) -> Expr:
        return instance(stated["product"], {K: len(values), _alpha: values})

    return (
        guaranteed(),
        SUMMATION,
        summed(stated["bound"].xreplace({Sigma: total}), "descent"),
        contracted("descent"),
        _legal(),
        multiplied(product(from_factors())),
        EXPONENTIAL,
        exponentially(product(shares), stated["exponential"].xreplace({Sigma: total})),
        convexly("descent"),
        RECIPROCAL,
        started(),
        reciprocated(stated["convex"].xreplace({Sigma: total})),
        *_iterations(stated),
        *_attained(stated),
    )


def _legal() -> Step:
    room, rest = symbols("t r", nonnegative=True)
    return Certificate(
        "nonnegative-factors",
        r"$0\le1-\frac{s\mu}L$, since $s\le1$ and $\mu\le L$ ($s=1-r$, $L=\mu+t$).",
        Integer(0),
        1 - (1 - rest) * mu / (mu + room),
        (
            Term(room / (mu + room), Integer(1), "one"),
            Term(mu / (mu + room), rest, "hypothesis: a share is at most 1, as sum of some of the squares"),
        ),
    )


def _iterations(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def after(name: str) -> Expr:
        return alpha_bar * stated[f"iterations_{name}"]

    small = stated["convex"].xreplace({Sigma: after("convex")})
    return (
        Identity(
            "enough-nonconvex",
            r"At $\Sigma=\bar\alpha K$ with the stated number of iterations the first bound is "
            r"$\varepsilon$.",
            stated["bound"].xreplace({Sigma: after("nonconvex")}),
            epsilon,
        ),
        Identity(
            "enough-linear",
            r"So is the second.",
            stated["exponential"].xreplace({Sigma: after("linear")}),
            epsilon,
        ),
        Identity(
            "enough-convex",
            r"The third is $\frac{\varepsilon A}{A+4}$, below $\varepsilon$, with $A=2LR^2/\varepsilon$.",
            small,
            2 * L * R**2 * epsilon / (2 * L * R**2 + 4 * epsilon),
        ),
        Identity(
            "fixed-size",
            r"A fixed $T$ has $\alpha_k\ge T/d$ (`cat/alpha-shape`), so at most the stated factor more than "
            r"for $\bar\alpha=1$.",
            stated["iterations_nonconvex"].xreplace({alpha_bar: T / d}),
            stated["fixed_factor"] * stated["iterations_nonconvex"].xreplace({alpha_bar: Integer(1)}),
        ),
    )


def _attained(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    first = sum((L * x) ** 2 for x in _xs)
    left = [first, first - (L * _xs[0]) ** 2]
    sent = tuple((L * x) ** 2 / rest for x, rest in zip(_xs, left, strict=False))
    start = L / 2 * sum(x**2 for x in _xs)
    return (
        Identity(
            "attained-product",
            r"On $\frac L2\|x\|^2$, $\mu=L$, two steps with $T=1$ leave what the product says (shown for 3 "
            r"coordinates).",
            L / 2 * _xs[2] ** 2,
            instance(stated["product"], {K: 2, _alpha: sent, mu: L}).xreplace({Delta_0: start}),
        ),
        Identity(
            "attained-at-once",
            r"There $\|g_0\|^2$ is the first bound at $K=1$, $T=d$.",
            first,
            stated["bound"].xreplace({Sigma: Integer(1), Delta_0: start}),
        ),
        Identity(
            "attained-before",
            r"There $\delta_0=\frac L2R^2$ is the third bound at $K=0$.",
            L / 2 * R**2,
            stated["convex"].xreplace({Sigma: Integer(0)}),
        ),
    )
