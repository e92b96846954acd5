"""Derivation of `cq_marina/ab-compose`: the error of a sample of clients plus that of the scheme after it."""

from collections.abc import Mapping

from sympy import Add, Expr, Integer, Symbol, symbols

from theory.cq_marina.ab_cq import CLAIM as AB_CQ
from theory.cq_marina.symbols import d, m, n
from theory.instance import instance
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE

SAMPLING = StandardFact(
    "inclusion",
    r"A simple random sample of $q$ of $n$ clients contains each client with probability $\frac qn$ and each "
    r"pair of clients with probability $\frac{q(q-1)}{n(n-1)}$.",
    "W. G. Cochran, Sampling Techniques, 3rd ed., sections 2.3 and 2.8",
)
TOTAL_VARIANCE = StandardFact(
    "total-variance",
    r"$\mathrm{Var}\,X=\mathbb E\,\mathrm{Var}(X\mid Y)+\mathrm{Var}\,\mathbb E(X\mid Y)$, coordinate by "
    r"coordinate.",
    "P. Billingsley, Probability and Measure, 3rd ed., section 34",
)

A_q, B_q = Symbol("A_q", nonnegative=True), Symbol("B_q", nonnegative=True)
theta = Symbol("theta", nonnegative=True)
M_w = Symbol("M_w", nonnegative=True)
omega = Symbol("omega", nonnegative=True)
q = Symbol("q", integer=True, positive=True)
b = Symbol("b", integer=True, positive=True)
tau = Symbol("tau", integer=True, positive=True)
groups = Symbol("groups", integer=True, positive=True)

_S = Symbol("S", nonnegative=True)
_T = Symbol("T", real=True)
_V = Symbol("V_inner", nonnegative=True)


def cq_pair(clients: Expr, coordinates: Expr) -> dict[Expr, Expr]:
    """Return the constants of `cq_marina/ab-cq` as those of the scheme after the sampling."""
    sizes = {n: clients, d: coordinates}
    return {A_q: AB_CQ.formulas["A"].xreplace(sizes), B_q: AB_CQ.formulas["B"].xreplace(sizes)}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_sampling(stated), *_composition(stated), *_groups(stated), *_draws(stated), SUMMATION)


def _sampling(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    one, pair = q / n, q * (q - 1) / (n * (n - 1))
    a, w = symbols("a_1:4", real=True), symbols("w_1:4", positive=True)
    return (
        SAMPLING,
        Identity(
            "group",
            r"Without replacement: the mean of $q$ of $n$ entries has the stated variance "
            r"$\theta_q(M_j-m_j)$, where $S=nM_j$ is the sum of squares and $T^2=n^2m_j$.",
            (one * _S + pair * (_T**2 - _S)) / q**2 - (_T / n) ** 2,
            stated["theta_group"] * (_S / n - (_T / n) ** 2),
        ),
        Identity(
            "draw-mean",
            r"A client drawn with probability $w_i$ and rescaled to $\frac{a_i}{nw_i}$ has the mean $\bar a$ "
            r"(shown for three clients).",
            Add(*(wi * ai / (3 * wi) for ai, wi in zip(a, w, strict=True))),
            Add(*a) / 3,
        ),
        Identity(
            "draw-square",
            r"Its mean square is $M_w=\frac1n\sum_i\frac{a_i^2}{nw_i}$.",
            Add(*(wi * (ai / (3 * wi)) ** 2 for ai, wi in zip(a, w, strict=True))),
            Add(*(ai**2 / (3 * wi) for ai, wi in zip(a, w, strict=True))) / 3,
        ),
        INDEPENDENCE,
        Identity(
            "draws",
            r"With replacement: the mean of $\tau$ independent draws with mean $T$ and mean square $S$ has "
            r"the variance $\frac1\tau(S-T^2)$.",
            (tau * _S + tau * (tau - 1) * _T**2) / tau**2 - _T**2,
            stated["theta_draws"] * (_S - _T**2),
        ),
    )


def _composition(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    sample = m + theta * (M_w - m)
    return (
        TOTAL_VARIANCE,
        Identity(
            "sample-mean",
            r"The squared norm of the mean of the sample is $m+\theta(M_w-m)$ on average: squared mean plus "
            r"variance; the mean of the squared norms is $M_w$.",
            sample - m,
            theta * (M_w - m),
        ),
        Certificate(
            "compose",
            r"The inner error is on average at most $A_qM_w-B_q\big(m+\theta(M_w-m)\big)$; with the error "
            r"$\theta(M_w-m)$ of the sample it is at most the stated bound.",
            _V + theta * (M_w - m),
            stated["bound"],
            (
                Term(
                    Integer(1),
                    A_q * M_w - B_q * sample - _V,
                    "hypothesis: the inner scheme obeys its AB inequality on every sample",
                ),
            ),
        ),
        Identity("AB", r"The bound is $AM_w-Bm$.", stated["bound"], stated["A"] * M_w - stated["B"] * m),
        Identity("difference", r"$A-B=A_q-B_q$.", stated["A"] - stated["B"], A_q - B_q),
        Certificate(
            "nonnegative",
            r"$B=B_q(1-\theta)+\theta\ge0$ for $\theta\le1$.",
            Integer(0),
            stated["B"],
            (Term(B_q, 1 - theta, "hypothesis: theta is at most 1"), Term(theta, Integer(1), "one")),
        ),
    )


def _groups(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    squares, means = symbols("M_1:3", nonnegative=True), symbols("m_1:3", nonnegative=True)
    bound, sampled = stated["bound"], {theta: stated["theta_group"]}
    independent = {**sampled, A_q: (b - 1) / q, B_q: Integer(0)}
    single = {q: Integer(1)}
    correlated = {**sampled, **cq_pair(q, b)}
    shares = {q: n / groups, b: d / groups}
    return (
        Identity(
            "blocks",
            r"The bounds of the blocks add up to that of the vector, as squares do (shown for two blocks).",
            Add(*(bound.xreplace({M_w: s, m: t}) for s, t in zip(squares, means, strict=True))),
            bound.xreplace({M_w: Add(*squares), m: Add(*means)}),
        ),
        Identity(
            "permk-iq-A",
            r"PermK+IQ: the inner scheme has $A_q=\frac{b-1}q$, $B_q=0$, with equality.",
            stated["A"].xreplace(independent),
            stated["permk_iq_A"],
        ),
        Identity(
            "permk-iq-B", r"There $B=\theta_q$.", stated["B"].xreplace(independent), stated["permk_iq_B"]
        ),
        Identity(
            "permk-cq-A",
            r"PermK+CQ, $q\ge2$: the inner constants are those of `cq_marina/ab-cq` at $(q,b)$.",
            stated["A"].xreplace(correlated),
            stated["permk_cq_A"],
        ),
        Identity("permk-cq-B", r"The same for $B$.", stated["B"].xreplace(correlated), stated["permk_cq_B"]),
        Identity(
            "permk-cq-difference",
            r"$A-B=\frac b{q^2}=\frac{dm}{n^2}$ with $m$ groups.",
            (stated["permk_cq_A"] - stated["permk_cq_B"]).xreplace(shares),
            stated["permk_cq_difference"],
        ),
        Identity(
            "single-A",
            r"$q=1$ is one client with independent thresholds: $\theta_1=1$ and $A=b$.",
            stated["permk_iq_A"].xreplace(single),
            b,
        ),
        Identity("single-B", r"There $B=1$.", stated["permk_iq_B"].xreplace(single), Integer(1)),
    )


def _draws(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    sampled = {theta: stated["theta_draws"]}
    unbiased = {**sampled, A_q: omega / tau, B_q: Integer(0)}
    correlated = {**sampled, **cq_pair(tau, d)}
    partition = {tau: Integer(1), omega: Integer(0)}
    return (
        Identity(
            "is-A",
            r"IS with an unbiased scheme of relative variance $\omega$: $A_q=\frac\omega\tau$, $B_q=0$.",
            stated["A"].xreplace(unbiased),
            stated["is_A"],
        ),
        Identity("is-B", r"There $B=\frac1\tau$.", stated["B"].xreplace(unbiased), stated["is_B"]),
        Identity(
            "is-cq-A",
            r"IS with CQ over $\tau\ge2$ slots: the inner constants are those of `cq_marina/ab-cq` at "
            r"$(\tau,d)$.",
            stated["A"].xreplace(correlated),
            stated["is_cq_A"],
        ),
        Identity("is-cq-B", r"The same for $B$.", stated["B"].xreplace(correlated), stated["is_cq_B"]),
        *(
            Identity(
                f"partition-{name}",
                r"Partition: one draw for each coordinate, sent exactly, has $A=B=1$.",
                instance(stated[f"is_{name}"], partition),
                Integer(1),
            )
            for name in ("A", "B")
        ),
    )
