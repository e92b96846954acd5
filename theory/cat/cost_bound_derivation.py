"""Derivation of `cat/cost-bound`: costs are shares over efficiencies, and rates bound the shares."""

from collections.abc import Mapping

from sympy import Expr, Integer, Symbol, log, symbols

from theory.cat.symbols import Delta_0, L, R, e_bar, epsilon, mu
from theory.old_steps import Certificate, Identity, Step, Term
from theory.summation import SUMMATION

C_d = Symbol("C_d", positive=True)

_SIZE = 3
_shares = symbols("alpha_0:3", nonnegative=True)
_squares = symbols("G_0:3", nonnegative=True)
_efficiencies = symbols("e_0:3", positive=True)
_gaps = symbols("delta_0:4", nonnegative=True)
_last = Symbol("alpha", nonnegative=True)
_Sigma = Symbol("Sigma", nonnegative=True)
_e = Symbol("e", positive=True)
_gap = Symbol("delta", positive=True)
_D = Symbol("Delta_0", positive=True)

_RUNNING = "hypothesis: before the accuracy is reached the quantity that defines it is above epsilon"
_LEAST = "hypothesis: e_bar is at most every efficiency along the run"
_AT_MOST_ONE = "hypothesis: a share is at most 1"


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        Certificate(
            "cost-by-shares",
            r"A message of cost $C=\alpha/e$ has $C\le\alpha/\bar e$; the costs add up to at most "
            rf"$\Sigma/\bar e$ (shown for {_SIZE} iterations; for every number by `summation`).",
            sum(share / own for share, own in zip(_shares, _efficiencies, strict=True)),
            sum(_shares) / e_bar,
            tuple(
                Term(share / (own * e_bar), own - e_bar, _LEAST)
                for share, own in zip(_shares, _efficiencies, strict=True)
            ),
        ),
        *_nonconvex(stated),
        *_polyak(stated),
        *_convex(stated),
        *_whole(stated),
        SUMMATION,
    )


def _nonconvex(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    decreases = sum(share * square for share, square in zip(_shares, _squares, strict=True)) / (2 * L)
    steps = zip(_shares, _squares, _gaps[:-1], _gaps[1:], strict=True)
    return (
        Certificate(
            "telescoping",
            rf"$\sum_k\frac{{\alpha_k}}{{2L}}\|g_k\|^2\le\Delta_0$ (shown for {_SIZE} iterations).",
            decreases,
            Delta_0,
            (
                *(
                    Term(
                        Integer(1),
                        before - after - share * square / (2 * L),
                        "hypothesis: an iteration takes F down by alpha ||g||^2 / (2 L) (`cat/s-descent`)",
                    )
                    for share, square, before, after in steps
                ),
                Term(Integer(1), Delta_0 - _gaps[0], "hypothesis: delta_0 is the gap of the start"),
                Term(Integer(1), _gaps[-1], "a gap is nonnegative"),
            ),
        ),
        Certificate(
            "nonconvex",
            r"While $\|g_k\|^2>\epsilon$, $\Sigma/\bar e$ is at most the stated bound, and less where a "
            r"share is positive.",
            sum(_shares) / e_bar,
            stated["bound"],
            (
                *(
                    Term(share / (epsilon * e_bar), square - epsilon, _RUNNING)
                    for share, square in zip(_shares, _squares, strict=True)
                ),
                Term(2 * L / (epsilon * e_bar), Delta_0 - decreases, "telescoping"),
            ),
        ),
    )


def _polyak(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    ratio = L / mu * (log(_D) - log(epsilon))
    return (
        Certificate(
            "polyak-shares",
            r"Before the last iteration $\epsilon<\delta\le\Delta_0e^{-\Sigma\mu/L}$, so "
            r"$\Sigma\le\kappa\log\frac{\Delta_0}\epsilon$, $\kappa=L/\mu$.",
            _Sigma,
            ratio,
            (
                Term(
                    L / mu,
                    log(_D) - _Sigma * mu / L - log(_gap),
                    "hypothesis: delta is at most Delta_0 exp(-Sigma mu / L) (`cat/s-rates`)",
                ),
                Term(L / mu, log(_gap) - log(epsilon), _RUNNING),
            ),
        ),
        Certificate(
            "polyak",
            r"The last iteration adds a share of at most 1.",
            (_Sigma + _last) / e_bar,
            stated["polyak"].subs(Delta_0, _D),
            (
                Term(1 / e_bar, ratio - _Sigma, "polyak-shares"),
                Term(1 / e_bar, 1 - _last, _AT_MOST_ONE),
            ),
        ),
    )


def _convex(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Certificate(
            "convex-shares",
            r"Before the last iteration $\epsilon<\delta\le\frac{2LR^2}{\Sigma+4}$, so "
            r"$\Sigma\le\frac{2LR^2}\epsilon-4$.",
            _Sigma,
            2 * L * R**2 / epsilon - 4,
            (
                Term(
                    1 / epsilon,
                    2 * L * R**2 - _gap * (_Sigma + 4),
                    "hypothesis: delta (Sigma + 4) is at most 2 L R^2 (`cat/s-rates`)",
                ),
                Term((_Sigma + 4) / epsilon, _gap - epsilon, _RUNNING),
            ),
        ),
        Certificate(
            "convex",
            r"The last iteration adds a share of at most 1.",
            (_Sigma + _last) / e_bar,
            stated["convex"],
            (
                Term(1 / e_bar, 2 * L * R**2 / epsilon - 4 - _Sigma, "convex-shares"),
                Term(1 / e_bar, 1 - _last, _AT_MOST_ONE),
            ),
        ),
    )


def _whole(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return that the bounds are at most those of dense gradient descent."""
    whole = "hypothesis: the chosen efficiency is at least that of sending all, 1 / C(d)"
    return (
        Certificate(
            "at-most-whole",
            r"As $e_k\ge1/C(d)$, the bound with the smallest $e_k$ for $\bar e$ is at most $C(d)$ times the "
            r"$2L\Delta_0/\epsilon$ iterations of gradient descent.",
            stated["bound"].subs(e_bar, _e),
            stated["whole"],
            (Term(2 * L * Delta_0 * C_d / (epsilon * _e), _e - 1 / C_d, whole),),
        ),
        Identity(
            "polyak-whole",
            r"The other two are, at $\bar e=1/C(d)$, $C(d)(A+1)$ with $A=\kappa\log(\Delta_0/\epsilon)$ and",
            stated["polyak"].subs(e_bar, 1 / C_d),
            C_d * (L / mu * log(Delta_0 / epsilon) + 1),
        ),
        Identity(
            "convex-whole",
            r"$C(d)(A-3)$ with $A=2LR^2/\epsilon$.",
            stated["convex"].subs(e_bar, 1 / C_d),
            C_d * (2 * L * R**2 / epsilon - 3),
        ),
    )
