r"""Derivation of `cq_marina/comm-ratio`, and what other claims on communication share with it.

With $t=\sqrt{(1-p)/p}$ and $s=\sqrt A$ the cost is $(1+ct^2)(1+st)/(1+t^2)$, a rational function of which all
inequalities below have certificates.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sympy import Expr, Integer, Rational, Symbol, factor, sqrt

from theory.cq_marina.symbols import d, n, p
from theory.old_steps import Certificate, Identity, Step, Term

noise = Symbol("A", nonnegative=True)
message = Symbol("c", positive=True)
beta = Symbol("beta", positive=True)

t = Symbol("t", positive=True)
_s = Symbol("s", positive=True)
_sigma = Symbol("sigma", positive=True)
_Delta, _L, _eps = (Symbol(name, positive=True) for name in ("Delta_0", "L", "epsilon"))
# c = 1/(1 + e) with e >= 0, so that the sign of 1 - c is visible.
_e = Symbol("e", nonnegative=True)
_SHORT = {message: 1 / (1 + _e)}


@dataclass(frozen=True)
class Bracket:
    """Rational bounds of a multiple of psi, certified by a rational point next to the minimiser.

    Args:
        name: Short name, for the steps.
        root: s, the root of the noise.
        message: c.
        multiple: What psi is multiplied with.
        point: A rational next to the minimiser t, to about ten digits.
        lower: Lower bound of the multiple of psi.
        upper: Upper bound.
    """

    name: str
    root: Rational
    message: Rational
    multiple: Rational
    point: Rational
    lower: Rational
    upper: Rational

    def steps(self, stated: Expr, lower: Expr, upper: Expr) -> tuple[Certificate, Certificate]:
        """Return the certificates for a stated multiple of the cost in t, and for stated bounds."""
        s, c, k, tau = self.root, self.message, self.multiple, self.point
        rho = (tau**2 - 1 / c) / (2 * tau)
        quadratic = c - self.lower / k - c * s * (rho - 2 * tau)
        constant = 1 - self.lower / k - c * s * tau**2 * rho
        digits = f"{float(self.lower):.9f}"
        below = Certificate(
            f"{self.name}-at-least",
            rf"For every $p$ it is at least {digits}: up to nonnegative multiples of $t^2$ and 1 the "
            r"difference is a multiple of $(t-\tau)^2(t+\rho)$.",
            lower,
            stated,
            (
                Term(k * c * s * (t + rho) / (1 + t**2), (t - tau) ** 2, "square of a real number"),
                Term(k * t**2 / (1 + t**2), quadratic, "a positive number"),
                Term(k / (1 + t**2), constant, "a positive number"),
            ),
        )
        gap = self.upper - k * cost_in_t(s, c).xreplace({t: tau})
        above = Certificate(
            f"{self.name}-at-most",
            r"At $t=\tau$ it is at most $10^{-9}$ more.",
            stated.xreplace({t: tau}),
            upper,
            (Term(gap, Integer(1), "one"),),
        )
        return below, above


# The minimiser is t = 6.81884...; 32 psi(1/4, 1/32).
QUARTER = Bracket(
    "limit",
    Rational(1, 2),
    Rational(1, 32),
    Rational(32),
    Rational("6.818846805987"),
    Rational(7287354011, 10**9),
    Rational(7287354012, 10**9),
)


def cost_in_t(root: Expr, length: Expr) -> Expr:
    """Return the cost as a function of t, for the root of the noise and the length of a message."""
    return (1 + length * t**2) * (1 + root * t) / (1 + t**2)


def in_t(cost: Expr) -> Expr:
    """Return a stated cost with p = 1/(1 + t^2), its roots of squares written out."""
    return roots_out(cost.xreplace({p: 1 / (1 + t**2)}))


def roots_out(expression: Expr) -> Expr:
    """Return an expression with the perfect squares under its roots taken out."""
    half = Rational(1, 2)
    return expression.replace(
        lambda part: part.is_Pow and abs(part.exp) == half, lambda part: factor(part.base) ** part.exp
    )


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*psi_steps(stated), *_constants(stated), *_ratio(stated))


def psi_steps(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return what holds for psi in general: from `cost`, `threshold`, `jump` and `small_noise`."""
    cost = cost_in_t(_s, message)
    vertex = _e / (2 * _s)
    threshold = stated["threshold"]
    return (
        Identity(
            "in-t",
            r"With $p=\frac1{1+t^2}$ and $A=s^2$ the stated cost is $\frac{(1+ct^2)(1+st)}{1+t^2}$.",
            in_t(stated["cost"].xreplace({noise: _s**2})),
            cost,
        ),
        Identity("full-rounds", r"At $p=1$ it is 1, so $\psi\le1$.", stated["cost"].subs(p, 1), Integer(1)),
        Identity(
            "excess",
            r"It exceeds 1 by $\frac t{1+t^2}\big(s-(1-c)t+cst^2\big)$, a quadratic in $t$.",
            cost - 1,
            t / (1 + t**2) * (_s - (1 - message) * t + message * _s * t**2),
        ),
        Certificate(
            "only-full-rounds",
            r"For $A$ of at least the stated threshold the cost is at least 1 for all $p$: $\psi=1$.",
            Integer(1),
            cost,
            (
                Term(
                    message * _s * t / (1 + t**2),
                    (t - (1 - message) / (2 * message * _s)) ** 2,
                    "square of a real number",
                ),
                Term(
                    t / ((1 + t**2) * _s),
                    _s**2 - threshold,
                    "hypothesis: the noise A is at least the threshold",
                ),
            ),
        ),
        Certificate(
            "below-the-threshold",
            r"For smaller $A>0$ it is below 1 at $t=\frac{1-c}{2cs}$ ($c=\frac1{1+e}$), so $\psi<1$.",
            cost.xreplace({**_SHORT, t: vertex}),
            Integer(1),
            (
                Term(
                    vertex / ((1 + vertex**2) * _s),
                    threshold.xreplace(_SHORT) - _s**2,
                    "hypothesis: the noise A is at most the threshold",
                ),
            ),
        ),
        Identity(
            "jump",
            r"At the threshold this is $p=\frac1{1+t^2}=\frac c{1+c}$, from where $p$ jumps to 1.",
            1 / (1 + (1 - message) ** 2 / (4 * message**2 * threshold)),
            stated["jump"],
        ),
        Certificate(
            "at-least-c",
            r"No cost is below the length of a message: $\psi\ge c$ for $c\le1$.",
            message.xreplace(_SHORT),
            cost.xreplace(_SHORT),
            (
                Term(_e / ((1 + _e) * (1 + t**2)), Integer(1), "one"),
                Term(_s * t * (1 + t**2 / (1 + _e)) / (1 + t**2), Integer(1), "one"),
            ),
        ),
        Identity(
            "small-noise",
            r"With $A=\sigma^6$ and $t=\frac1\sigma$ it is $c+\sigma^2$: $\psi\le c+A^{1/3}$.",
            cost.xreplace({_s: _sigma**3, t: 1 / _sigma}),
            stated["small_noise"].xreplace({noise: _sigma**6}),
        ),
    )


def _constants(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    cost = in_t(stated["cost"].xreplace({noise: _s**2}))
    return (
        Identity(
            "message",
            r"A message of $32+\beta d$ bits has the stated length $c$ in units of $32d$ bits.",
            32 * d * stated["message"],
            32 + beta * d,
        ),
        Identity(
            "bits",
            r"$\frac{2\Delta_0}{\gamma\varepsilon^2}$ rounds with $\frac1\gamma=L\big(1+\sqrt{\frac{1-p}pA}"
            r"\big)$ cost $\frac{2\Delta_0L}{\varepsilon^2}\,32d$ times the stated cost.",
            2 * _Delta * _L * (1 + t * _s) / _eps**2 * (32 * d + t**2 * (32 + beta * d)) / (1 + t**2),
            2 * _Delta * _L / _eps**2 * 32 * d * cost.xreplace({message: stated["message"]}),
        ),
        Identity(
            "independent-noise",
            r"At $d=n$ the noise of independent quantizers is $\frac14$.",
            stated["A_iq"].xreplace({d: n}),
            Rational(1, 4),
        ),
        Identity(
            "correlated-noise",
            r"That of correlated ones is $\frac1{4n}$.",
            stated["A_cq"].xreplace({d: n}),
            1 / (4 * n),
        ),
        Certificate(
            "message-length",
            r"With one bit for each coordinate $c\ge\frac1{32}$.",
            Rational(1, 32),
            stated["message"].xreplace({beta: Integer(1)}),
            (Term(1 / d, Integer(1), "one"),),
        ),
    )


def _ratio(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    half = Rational(1, 2)
    bound = in_t(stated["bound"])
    diagonal = {d: n, beta: Integer(1)}
    correlated = {noise: stated["A_cq"], message: stated["message"]}
    return (
        Identity(
            "limit-cost",
            r"The stated bound is 32 times the cost at $A=\frac14$ and $c=\frac1{32}$.",
            bound,
            32 * cost_in_t(half, Rational(1, 32)),
        ),
        Certificate(
            "ratio",
            r"The ratio is at most $\frac1c$ times the cost of IQ at any $p$ (by `at-least-c` for CQ), and "
            r"this at most the stated bound, since it falls with $c\ge\frac1{32}$.",
            cost_in_t(half, message) / message,
            bound,
            (
                Term(
                    32 * (1 + t / 2) / ((1 + t**2) * message),
                    message - Rational(1, 32),
                    "message-length",
                ),
            ),
        ),
        Certificate(
            "monotone",
            r"The cost grows with $c$, so that of IQ is never below its limit.",
            cost_in_t(half, Rational(1, 32)),
            cost_in_t(half, message),
            (Term(t**2 * (1 + t / 2) / (1 + t**2), message - Rational(1, 32), "message-length"),),
        ),
        Identity(
            "shortfall",
            r"By `small-noise` for CQ the ratio is at least the stated share of the limit.",
            stated["shortfall"] * 32 * stated["small_noise"].xreplace(correlated).xreplace(diagonal),
            Integer(1),
        ),
        *QUARTER.steps(bound, stated["limit_lower"], stated["limit_upper"]),
    )


def root_of_odds(probability: Expr) -> Expr:
    """Return the root of (1 - p)/p."""
    return sqrt((1 - probability) / probability)
