"""Derivation of `cat/st-rates`: the expected decrease, summed, divided, in distances and in a potential."""

from collections.abc import Mapping

from sympy import Expr, Integer, Symbol, log, symbols

from theory.cat.st_descent import OLD as DESCENT
from theory.cat.symbols import Delta_0, G, K, L, delta, e_bar, epsilon, mu, omega
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.summation import SUMMATION

D_0 = Symbol("D_0", nonnegative=True)

_next, _D, _D_next, _m = symbols("delta_+ D D_+ m", real=True)
_gaps = (Delta_0, *symbols("delta_1:3", nonnegative=True), Symbol("delta_3", nonnegative=True))
_us = symbols("u_0:3", nonnegative=True)
_vs = symbols("v_0:3", nonnegative=True)
_Ds = (D_0, *symbols("D_1:4", nonnegative=True))
_P, _C, _t = symbols("P C t", positive=True)
_above, _positive_start = symbols("delta Delta_0", positive=True)  # both are above epsilon
_below = Symbol("y", nonnegative=True)
_beyond = Symbol("y", positive=True)
_potential, _potential_next = symbols("Phi Phi_+", real=True)
_potentials = symbols("Phi_1:4", real=True)
_shares = symbols("w_0:3", nonnegative=True)
_costs = symbols("C_0:3", nonnegative=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_smooth(stated), *_cost(stated), *_linear(stated), *_polyak_cost(stated), *_convex(stated))


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


def _polyak_cost(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    kappa = L / mu
    levels = (log(_positive_start) - log(epsilon), *_potentials)
    return (
        StandardFact(
            "logarithm",
            r"$\log t\le t-1$ for all $t>0$.",
            "W. Rudin, Principles of Mathematical Analysis, 3rd ed., section 8.6",
        ),
        Certificate(
            "tangent-above",
            r"Let $\varphi(y)=\log\frac y\epsilon$ for $y\ge\epsilon$ and $\frac y\epsilon-1$ below. For "
            r"$\delta>\epsilon$ it is at most its tangent $\varphi(\delta)+\frac y\delta-1$: for "
            r"$y\ge\epsilon$,",
            log(_beyond) - log(epsilon),
            log(_above) - log(epsilon) + _beyond / _above - 1,
            (Term(Integer(1), _beyond / _above - 1 - (log(_beyond) - log(_above)), "logarithm"),),
        ),
        Certificate(
            "tangent-below",
            r"and for $0\le y\le\epsilon$, here with $\delta=\epsilon(1+t)$.",
            _below / epsilon - 1,
            log(1 + _t) + _below / (epsilon * (1 + _t)) - 1,
            (
                Term(Integer(1), 1 / (1 + _t) - 1 + log(1 + _t), "logarithm"),  # of 1 / (1 + t)
                Term(_t / (1 + _t), 1 - _below / epsilon, "hypothesis: y is at most epsilon in this case"),
            ),
        ),
        Certificate(
            "potential-floor",
            r"$\varphi\ge-1$: nonnegative from $\epsilon$ on, and below",
            Integer(-1),
            _below / epsilon - 1,
            (Term(1 / epsilon, _below, "nonnegative by its symbol"),),
        ),
        Certificate(
            "potential",
            r"So a round with $\delta>\epsilon$ has $\Phi_+=\mathbb E\varphi(\delta^+)\le\varphi(\delta)+"
            r"\mathbb E\delta^+/\delta-1\le\varphi(\delta)-\omega\mu/L$, given the past.",
            _potential_next,
            _potential - omega * mu / L,
            (
                Term(
                    Integer(1),
                    _potential + _next / _above - 1 - _potential_next,
                    "tangent-above, tangent-below",
                ),
                Term(1 / _above, stated["factor"] * _above - _next, "linear"),
            ),
        ),
        Certificate(
            "polyak-cost",
            r"Summed until the first $\delta\le\epsilon$ from $\varphi(\Delta_0)=\log(\Delta_0/\epsilon)$, "
            r"with costs of at most $\omega/\bar e$ in the mean: at most the stated cost (shown for three "
            r"rounds; for every number by `summation`, until the stopping time by `optional-stopping`).",
            sum(_costs, Integer(0)),
            stated["polyak_cost"].xreplace({Delta_0: _positive_start}),
            (
                *(
                    Term(
                        1 / e_bar, share - e_bar * cost, "hypothesis: e_bar is at most omega / E C on the way"
                    )
                    for share, cost in zip(_shares, _costs, strict=True)
                ),
                *(
                    Term(kappa / e_bar, before - share / kappa - after, "potential")
                    for before, after, share in zip(levels, levels[1:], _shares, strict=False)
                ),
                Term(kappa / e_bar, levels[-1] + 1, "potential-floor"),
            ),
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
