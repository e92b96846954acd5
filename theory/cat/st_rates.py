r"""`cat/st-rates`: rates of gradient descent with randomly kept entries (arXiv 2003.06377).

One node, the step $\omega_k/L$ of `cat/st-descent`: bounds for smooth, for Polyak-Łojasiewicz and for convex
objectives, in terms of the shares $\omega_k$ of the run itself.

Derivation: the expected decrease is summed, divided by the factors passed so far, or put into
$\mathbb E\|x^+-x^\star\|^2$ with $\langle g,x-x^\star\rangle\ge\delta+\frac1{2L}\|g\|^2$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, symbols

from theory.cat.paper import PAPER
from theory.cat.st_descent import CLAIM as DESCENT
from theory.cat.symbols import (
    ACCURACY,
    CONVEXITY,
    INITIAL_GAP,
    ITERATIONS,
    LEAST_EFFICIENCY,
    POLYAK,
    SMOOTH,
    SMOOTHNESS,
    Delta_0,
    G,
    K,
    L,
    delta,
    e_bar,
    epsilon,
    mu,
    omega,
)
from theory.claim import Claim, Mutant, Variable, WorstCase, expressions
from theory.derivation import Certificate, Identity, StandardFact, Step, Term
from theory.summation import SUMMATION

D_0 = Symbol("D_0", nonnegative=True)

_FACTOR = 1 - omega * mu / L
_BOUND = _FACTOR**K * Delta_0
_FORMULAS = {
    "step": omega / L,
    "factor": _FACTOR,
    "sum": 2 * L * Delta_0,
    "cost": 2 * L * Delta_0 / (epsilon * e_bar),
    "distance": L * D_0 / 2,
}

_next, _D, _D_next, _m = symbols("delta_+ D D_+ m", real=True)
_gaps = (Delta_0, *symbols("delta_1:3", nonnegative=True), Symbol("delta_3", nonnegative=True))
_us = symbols("u_0:3", nonnegative=True)
_vs = symbols("v_0:3", nonnegative=True)
_Ds = (D_0, *symbols("D_1:4", nonnegative=True))
_P, _C, _t = symbols("P C t", positive=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_smooth(stated), *_cost(stated), *_linear(stated), *_convex(stated))


def _smooth(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    gamma = Symbol("gamma", nonnegative=True)
    decrease = DESCENT.expressions["exact"].xreplace({gamma: stated["step"]})
    return (
        Certificate(
            "decrease",
            r"At the stated step $\mathbb E\delta^+\le\delta-\frac\omega{2L}\|g\|^2$, given the past: "
            r"`cat/st-descent`.",
            _next,
            delta - omega * G / (2 * L),
            (Term(Integer(1), delta - decrease - _next, "hypothesis: F is L-smooth, by cat/st-descent"),),
        ),
        Certificate(
            "sum",
            r"Summed over the rounds, $u_k=\mathbb E[\omega_k\|g_k\|^2]$: $\sum_{k<K}u_k\le2L\Delta_0$ "
            r"(shown for $K=3$; for every number of rounds by `summation`).",
            sum(_us, Integer(0)),
            stated["sum"],
            (
                *(
                    Term(2 * L, before - u / (2 * L) - after, "decrease")
                    for before, after, u in zip(_gaps, _gaps[1:], _us, strict=False)
                ),
                Term(2 * L, _gaps[-1], "nonnegative by its symbol"),
            ),
        ),
        SUMMATION,
    )


def _cost(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Certificate(
            "cost-of-a-round",
            r"A round before the first one with $\|g\|^2\le\epsilon$ costs $C\le\omega/\bar e$ in the mean, "
            r"given the past; that is at most $\omega\|g\|^2/(\epsilon\bar e)$.",
            _C,
            omega * G / (epsilon * e_bar),
            (
                Term(1 / e_bar, omega - e_bar * _C, "hypothesis: e_bar is at most omega / E C along the run"),
                Term(
                    omega / (epsilon * e_bar),
                    G - epsilon,
                    "hypothesis: the run has not yet ended, G > epsilon",
                ),
            ),
        ),
        Identity(
            "cost",
            r"Summed up to that round this is at most the stated cost.",
            stated["cost"],
            stated["sum"] / (epsilon * e_bar),
        ),
        StandardFact(
            "optional-stopping",
            r"A nonnegative supermartingale that is stopped at a stopping time is one again; sums of "
            r"nonnegative terms pass to the limit $K\to\infty$ by monotone convergence.",
            "P. Billingsley, Probability and Measure, 3rd ed., section 35",
        ),
    )


def _linear(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    # omega mu < L, in a form with a visible sign: L = omega mu (1 + t).
    above = {L: omega * mu * (1 + _t)}
    factor = stated["factor"].xreplace(above)
    return (
        Certificate(
            "linear",
            r"With $\|g\|^2\ge2\mu\delta$: $\mathbb E\delta^+\le(1-\omega\mu/L)\,\delta$, given the past.",
            _next,
            stated["factor"] * delta,
            (
                Term(Integer(1), delta - omega * G / (2 * L) - _next, "decrease"),
                Term(
                    omega / (2 * L),
                    G - 2 * mu * delta,
                    "hypothesis: the inequality of Polyak and Łojasiewicz",
                ),
            ),
        ),
        Certificate(
            "normalised",
            r"Divided by the product $P$ of the factors up to now, which the past determines, the gap does "
            r"not grow in the mean: $\mathbb E[\delta^+/(P(1-\omega\mu/L))]\le\delta/P$, here with "
            r"$L=\omega\mu(1+t)$.",
            _next / (_P * factor),
            delta / _P,
            (Term((1 + _t) / (_t * _P), factor * delta - _next, "linear"),),
        ),
        Identity(
            "no-round",
            r"The stated bound begins at $\Delta_0$,",
            stated["bound"].xreplace({K: Integer(0)}),
            Delta_0,
        ),
        *(
            Identity(
                f"round-{rounds}",
                rf"and round {rounds} multiplies it by the stated factor, the largest one if $\bar\omega$ is "
                r"the least share.",
                stated["bound"].xreplace({K: Integer(rounds)}),
                stated["factor"] * stated["bound"].xreplace({K: Integer(rounds - 1)}),
            )
            for rounds in (1, 2, 3)
        ),
    )


def _convex(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    step = stated["step"]
    return (
        StandardFact(
            "co-coercivity",
            r"For a convex $L$-smooth $F$ with minimiser $x^\star$: $\langle g,x-x^\star\rangle\ge\delta+"
            r"\frac1{2L}\|g\|^2$.",
            "Y. Nesterov, Lectures on Convex Optimization, 2nd ed., theorem 2.1.5",
        ),
        Certificate(
            "distance",
            r"$\mathbb E\|x^+-x^\star\|^2=D-2\gamma m+\gamma^2\|g\|^2/\omega\le D-\frac{2\omega}L\delta$ "
            r"with $m=\langle g,x-x^\star\rangle$: the step $\omega/L$ cancels $\|g\|^2$.",
            _D - 2 * step * _m + step**2 * G / omega,
            _D - 2 * omega / L * delta,
            (Term(2 * omega / L, _m - delta - G / (2 * L), "co-coercivity"),),
        ),
        Certificate(
            "distance-sum",
            r"Summed over the rounds, $v_k=\mathbb E[\omega_k\delta_k]$: $\sum_{k<K}v_k$ is at most the "
            r"stated multiple of $D_0$ (shown for $K=3$; for every number of rounds by `summation`).",
            sum(_vs, Integer(0)),
            stated["distance"],
            (
                *(
                    Term(L / 2, before - 2 / L * v - after, "distance")
                    for before, after, v in zip(_Ds, _Ds[1:], _vs, strict=False)
                ),
                Term(L / 2, _Ds[-1], "nonnegative by its symbol"),
            ),
        ),
    )


_MUTANTS = (
    Mutant("half-sum", r"Claim half of the bounds on $\sum\omega_k\|g_k\|^2$ and on the cost.", ("exact",)),
    Mutant(
        "half-distance",
        r"Claim half of the bound on $\sum\omega_k\delta_k$: twice too small in one dimension.",
        ("exact", "run"),
    ),
    Mutant(
        "double-convexity",
        r"Put $2\mu$ for $\mu$: for equal entries and $T=1$ in two dimensions it claims 0 after one round "
        r"instead of $\Delta_0/2$.",
        ("exact",),
    ),
    Mutant(
        "mean-of-products",
        r"Bound $\mathbb E\delta_K$ by $\Delta_0\,\mathbb E\prod(1-\omega_k\mu/L)$: gap and factors "
        r"depend on each other.",
        ("exact",),
    ),
    Mutant(
        "permuted-coordinates",
        "Reverse the order of the coordinates: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cat/st-rates",
    paper=PAPER,
    kind="rate",
    provenance="rederived",
    title="Rates with randomly kept entries on one node",
    statement=(
        r"Let $x_{k+1}=x_k-\frac{\omega_k}LQ_k$, $\mathbb E[Q_k|x_k]=g_k$, $\mathbb E[\|Q_k\|^2|x_k]="
        r"\|g_k\|^2/\omega_k$, $\delta_k=F(x_k)-F^\star$, where $\omega_k$ depends on $x_k$. Then (1) "
        r"$\sum_{k<K}\mathbb E[\omega_k\|g_k\|^2]\le2L\Delta_0$, and until the first $\|g_k\|^2\le\epsilon$ "
        r"the messages cost at most $2L\Delta_0/(\epsilon\bar e)$ in the mean if $\bar e\le\omega_k/\mathbb "
        r"E[C_k|x_k]$ on the way; (2) under the Polyak-Łojasiewicz inequality $\mathbb "
        r"E[\delta_K/\prod_{k<K}(1-\omega_k\mu/L)]\le\Delta_0$, so that $$\mathbb "
        r"E\delta_K\le(1-\bar\omega\mu/L)^K\Delta_0$$ for $\bar\omega\le\omega_k$; (3) for convex $F$ "
        r"$\sum_{k<K}\mathbb E[\omega_k\delta_k]\le\frac L2\|x_0-x^\star\|^2$: the first distance suffices, "
        r"unlike for the largest entries. The product in (2) is random: $\mathbb E\delta_K\le\Delta_0\,"
        r"\mathbb E\prod(1-\omega_k\mu/L)$ is false."
    ),
    variables=(
        SMOOTHNESS,
        CONVEXITY,
        ITERATIONS,
        INITIAL_GAP,
        ACCURACY,
        LEAST_EFFICIENCY,
        Variable(omega, r"(0,1]", r"lower bound $\bar\omega$ of the shares $\omega_k$, or a share"),
        Variable(D_0, r"\mathbb R_{\ge0}", r"$\|x_0-x^\star\|^2$"),
    ),
    assumptions=(
        SMOOTH,
        f"(2): {POLYAK}",
        r"(3): $F$ is convex with a minimiser $x^\star$.",
        r"The product in (2) is positive: $\omega_k\mu<L$.",
        "One node; chances and step of a round depend on its point only.",
    ),
    derivation=derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "equal entries, one of two expected: half of the gap is left",
            {"omega": Rational(1, 2), "mu": 1, "L": 1, "K": 1, "Delta_0": 1},
            Rational(1, 2),
        ),
        WorstCase(r"one dimension, $F=\frac L2x^2$: one round, (3) attained", {"L": 2, "D_0": 9}, Integer(9)),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
