r"""Derivation of `cq_marina/marina-biased`: noise with a bias, potential, best split, three instances.

The symbols are those of the claim; further ones are named in the statements.
"""

from collections.abc import Mapping
from itertools import combinations

from sympy import Expr, IndexedBase, Integer, Pow, Rational, Symbol, factor, sqrt, symbols

from theory.cq_marina.marina_descent import (
    DESCENT,
    E_0,
    Delta_0,
    E,
    E_next,
    F,
    F_next,
    G,
    R,
    descended,
    gamma,
    telescoping,
)
from theory.cq_marina.symbols import L_minus, L_plus, n, p
from theory.instance import instance
from theory.old_steps import Certificate, Identity, ScalarLemma, Step, Term
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE, expectation

s = Symbol("s", positive=True)
X = Symbol("X", nonnegative=True)
X_v = Symbol("X_v", nonnegative=True)
X_b = Symbol("X_b", nonnegative=True)
alpha = Symbol("alpha", positive=True)
sigma = Symbol("sigma", nonnegative=True)
omega = Symbol("omega", nonnegative=True)
L = IndexedBase("L", positive=True)

# 1 - p = 1/((1+s)(1+t)): every p and s with 0 < s < p/(1-p), and 1 - (1-p)(1+s) = t/(1+t).
_t = Symbol("t", positive=True)
_INSIDE = {p: (s + _t + s * _t) / ((1 + s) * (1 + _t))}
# p = 1/(1+u): every p < 1.
_u = Symbol("u", positive=True)
_COIN = {p: 1 / (1 + _u)}
_beta = Symbol("beta", positive=True)
_rho = Symbol("rho", positive=True)
_c = Symbol("c", nonnegative=True)
_e, _b = symbols("e b", real=True)
_z = Symbol("z", real=True)
_v = Symbol("v", nonnegative=True)
_a, _W = symbols("a_1:4", positive=True), symbols("W_1:4", positive=True)
_xi = symbols("xi_1:4", real=True)
_Ls = symbols("L_1:4", positive=True)

_SQUARE = "square of a real number"


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *_noise(),
        *_step_size(stated),
        *_potential(stated),
        *_best_split(stated),
        *_special_cases(stated),
        *_contractive(stated),
        *_scaled(stated),
        SUMMATION,
        INDEPENDENCE,
    )


def noise_bound(stretch: Expr, bias: Expr) -> Expr:
    r"""Return the bound on $E^+$ where $\|e+b\|^2\le$ stretch $\|e\|^2+$ bias $\|b\|^2$."""
    return (1 - p) * (stretch * E + (X_v + bias * X_b) * R)


def _noise() -> tuple[Step, ...]:
    split, inverse = 1 + s, 1 + 1 / s
    after, bias, variance = symbols("S B V", nonnegative=True)
    return (
        Identity(
            "bias-and-variance",
            r"$\mathbb E\|e+\xi\|^2=\|e+b\|^2+\mathbb E\|\xi-b\|^2$ for $e=g-\nabla f(x)$ and an error $\xi$ "
            r"of mean $b$ (one coordinate of two values $b+(1-\rho)z$ and $b-\rho z$).",
            expectation(lambda up: (_e + _b + (up - _rho) * _z) ** 2, _rho),
            (_e + _b) ** 2 + expectation(lambda up: ((up - _rho) * _z) ** 2, _rho),
        ),
        Certificate(
            "young",
            r"$\|e+b\|^2\le(1+s)\|e\|^2+(1+\frac1s)\|b\|^2$ for $s>0$, per coordinate.",
            (_e + _b) ** 2,
            split * _e**2 + inverse * _b**2,
            (Term(1 / s, (s * _e - _b) ** 2, _SQUARE),),
        ),
        Certificate(
            "noise",
            r"$E^+\le(1-p)\big[(1+s)E+(\mathcal X_v+(1+\frac1s)\mathcal X_b)R\big]$: with probability $p$ "
            r"the error is 0, else $S=\mathbb E\|e+b\|^2$ and $V=\mathbb E\|\xi-b\|^2$ add up; "
            r"$B=\mathbb E\|b\|^2$ (shown with $p=1-\frac1{(1+s)(1+t)}$, $s,t>0$).",
            ((1 - p) * (after + variance)).subs(_INSIDE),
            noise_bound(split, inverse).subs(_INSIDE),
            (
                Term(_q(), split * E + inverse * bias - after, "young, bias-and-variance"),
                Term(_q(), X_v * R - variance, "hypothesis: E|xi - b|^2 <= X_v |x+ - x|^2"),
                Term(_q() * inverse, X_b * R - bias, "hypothesis: |b|^2 <= X_b |x+ - x|^2"),
            ),
        ),
    )


def _q() -> Expr:
    return 1 / ((1 + s) * (1 + _t))


def _potential(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    weight, kappa = stated["weight"].subs(_INSIDE), stated["kappa"].subs(_INSIDE)
    # The form whose sign is visible; the stated weight must be it.
    visible = gamma * (1 + _t) / (2 * _t)
    return (
        DESCENT,
        Identity(
            "weight",
            r"The stated weight of $E$ in $\Phi$ is $\frac\gamma2\cdot\frac{1+t}t>0$: positive for "
            r"$0<s<\frac p{1-p}$ only.",
            weight,
            visible,
        ),
        Certificate(
            "potential",
            r"$\Phi^+\le\Phi-\frac\gamma2G$ for $\Phi=F+\frac\gamma{2(1-(1-p)(1+s))}E$ if "
            r"$\kappa\gamma^2+L_-\gamma\le1$, with the stated $\kappa(s)$.",
            F_next + weight * E_next,
            F + weight * E - gamma / 2 * G,
            (
                Term(Integer(1), descended(F, G, E, R) - F_next, "descent"),
                Term(
                    visible,
                    noise_bound(1 + s, 1 + 1 / s).subs(_INSIDE) - E_next,
                    "noise",
                ),
                Term(
                    R / (2 * gamma),
                    1 - kappa * gamma**2 - L_minus * gamma,
                    "small-step, step-at-split",
                ),
            ),
        ),
        telescoping(stated["bound"], Delta_0 + stated["weight"] * E_0),
    )


def _step_size(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    smaller = 1 - gamma * (L_minus + _c)
    return (
        ScalarLemma(
            "small-step",
            r"$\gamma(L_-+c)\le1$ implies $c^2\gamma^2+L_-\gamma\le1$, $c=\sqrt\kappa$.",
            (gamma * (L_minus + _c) <= 1,),
            _c**2 * gamma**2 + L_minus * gamma <= 1,
            (
                Term(1 + gamma * _c, smaller, "hypothesis"),
                Term(gamma**2 * _c * L_minus, Integer(1), "one"),
            ),
        ),
        *(
            Identity(
                name.replace("_", "-"),
                rf"The stated {what} is the largest with $\gamma(L_-+\sqrt\kappa)\le1$: equality.",
                stated[name] * (L_minus + root),
                Integer(1),
            )
            for name, what, root in (
                ("step_size", "step", stated["root_kappa"]),
                ("step_at_split", "step for a given $s$", sqrt(stated["kappa"])),
            )
        ),
    )


def _roots_factored(expression: Expr) -> Expr:
    """Return the expression with every radicand factored, so that equal roots look alike."""
    return expression.replace(
        lambda part: isinstance(part, Pow) and part.exp == Rational(1, 2),
        lambda part: sqrt(factor(part.base)),
    )


def _best_split(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    squared = {X_b: _beta**2}
    best, root = stated["s_star"].subs(squared), stated["root_kappa"].subs(squared)
    kappa = stated["kappa"].subs(squared)
    coin, inside = _roots_factored(best.subs(_COIN)), _roots_factored(root.subs(_INSIDE))
    q = _u / (1 + _u)
    larger = X_v + _beta**2
    radical = sqrt(factor(q**2 * _beta**4 + q / (1 + _u) * larger * _beta**2))
    return (
        Certificate(
            "least-kappa",
            r"The square of the stated $\sqrt\kappa$ is at most $\kappa(s)$ for every $s$ in $(0,\frac "
            r"p{1-p})$ ($\beta=\sqrt{\mathcal X_b}$).",
            inside**2,
            kappa.subs(_INSIDE),
            (Term(1 / (s * (1 + s) * _t), (s * inside - _beta) ** 2, _SQUARE),),
        ),
        Identity(
            "stationary",
            r"The stated $s^\star$ is a zero of the derivative of $\kappa$: "
            r"$(1-p)(\mathcal X_v+\mathcal X_b)s^2+2(1-p)\mathcal X_bs=p\mathcal X_b$.",
            (1 - p) * larger * best**2 + 2 * (1 - p) * _beta**2 * best,
            p * _beta**2,
        ),
        Certificate(
            "positive-split",
            r"It is positive: $s^\star=\frac{p\mathcal X_b}{(1-p)\mathcal X_b+\sqrt\cdot}$ "
            r"($p=\frac1{1+u}$).",
            Integer(0),
            coin,
            (Term(_beta**2 / (1 + _u) / (q * _beta**2 + radical), Integer(1), "one"),),
        ),
        Certificate(
            "split-in-range",
            r"It is at most $\frac p{2(1-p)}$, inside the range.",
            q * coin,
            1 / (2 * (1 + _u)),
            (Term(q * larger / (2 * _beta**2), coin**2, _SQUARE),),
        ),
        Identity(
            "attained",
            r"$s^\star\sqrt\kappa=\sqrt{\mathcal X_b}$, so that the slack of `least-kappa` vanishes at "
            r"$s^\star$: the stated $\kappa$ is the minimum.",
            coin * _roots_factored(root.subs(_COIN)),
            _beta,
        ),
    )


def _special_cases(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    root = stated["root_kappa"]
    squared = {p: 1 - _rho**2}
    unbiased = stated["root_kappa_unbiased"].subs(X_v, X)
    rooted = {p: 1 - 1 / (1 + _t) ** 2}
    return (
        Identity(
            "unbiased",
            r"$\mathcal X_b=0$: the stated $\kappa=\frac{1-p}p\mathcal X_v$ of `cq_marina/marina-rate`; "
            r"there $b=0$, no split is needed and $s=0$.",
            root.subs(X_b, 0) ** 2,
            stated["root_kappa_unbiased"] ** 2,
        ),
        Identity(
            "unbiased-value",
            r"$p\kappa=(1-p)\mathcal X_v$.",
            p * stated["root_kappa_unbiased"] ** 2,
            (1 - p) * X_v,
        ),
        Identity(
            "any-bias",
            r"$\mathbb E\|\xi\|^2\le\mathcal X\|x^+-x\|^2$ alone: Young's split of $e+\xi$ is the case "
            r"$\mathcal X_v=0$, $\mathcal X_b=\mathcal X$ ($1-p=\rho^2$).",
            root.subs({X_v: 0, X_b: X}).subs(squared),
            stated["root_kappa_any"].subs(squared),
        ),
        Identity(
            "any-bias-split",
            r"It is attained at $1+s=(1-p)^{-1/2}$ ($1-p=\rho^2$).",
            stated["kappa"].subs({X_v: 0, X_b: X, s: 1 / _rho - 1}).subs(squared),
            stated["root_kappa_any"].subs(squared) ** 2,
        ),
        Identity(
            "price-of-bias",
            r"The stated quotient of the roots of the two $\kappa$ for the same $\mathcal X$.",
            stated["root_kappa_any"].subs(rooted),
            _roots_factored((unbiased * stated["price"]).subs(rooted)),
        ),
        Certificate(
            "price-at-most",
            r"It is at most $\frac2{\sqrt p}$, and tends to that for $p\to0$ ($1-p=(1+t)^{-2}$).",
            (stated["price"] * sqrt(p)).subs(rooted),
            Integer(2),
            (Term(_t / (1 + _t), Integer(1), "one"),),
        ),
    )


def _contractive(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    total = sum(_W)
    weighted = [total / (9 * w) for w in _W]  # 1 / (n^2 w_i) for w_i = W_i / sum W, n = 3
    spread = sum(share * xi**2 for share, xi in zip(weighted, _xi, strict=True))
    mean = sum(_xi) / 3
    smooth = sum(share * item**2 for share, item in zip([sum(_Ls) / (9 * x) for x in _Ls], _Ls, strict=True))
    factor_stated = stated["contractive_A"]
    return (
        Certificate(
            "jensen",
            r"$\|\frac1n\sum_i\xi_i\|^2\le\sum_i\frac{\|\xi_i\|^2}{n^2w_i}$ for all weights $w_i>0$, "
            r"$\sum_iw_i=1$, and errors $\xi_i$ of any dependence (one coordinate, three clients, "
            r"$w_i=W_i/\sum_jW_j$; the same pairs in general).",
            mean**2,
            spread,
            tuple(
                Term(1 / (9 * _W[i] * _W[j]), (_W[j] * _xi[i] - _W[i] * _xi[j]) ** 2, _SQUARE)
                for i, j in combinations(range(3), 2)
            ),
        ),
        Certificate(
            "contractive",
            r"Contractive compressors have $\mathbb E\|\hat g-\bar a\|^2\le(1-\alpha)M_w$: the pair "
            r"$A=1-\alpha$, $B=0$ for every $w$.",
            mean**2,
            factor_stated * sum(share * item**2 for share, item in zip(weighted, _a, strict=True)),
            (
                Term(Integer(1), spread - mean**2, "jensen"),
                *(
                    Term(
                        share,
                        (1 - alpha) * item**2 - xi**2,
                        "hypothesis: C_i is contractive, E|C_i(a_i) - a_i|^2 <= (1 - alpha) |a_i|^2",
                    )
                    for share, item, xi in zip(weighted, _a, _xi, strict=True)
                ),
            ),
        ),
        Identity(
            "contractive-smoothness",
            r"With $w_i\propto L_i$ the bound $\sum_i\frac{L_i^2}{n^2w_i}$ on $L_{+,w}^2$ is "
            r"$(\frac1n\sum_iL_i)^2$, so $\mathcal X=A\,L_{+,w}^2$ is at most the stated one (three "
            r"clients).",
            instance(stated["contractive_X"], {n: 3, L: _Ls}),
            factor_stated * smooth,
        ),
    )


def _scaled(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    first, second = _a[:2]
    mean = (first + second) / 2

    def estimate(up1: int, up2: int) -> Expr:
        """Return the mean of sigma times two messages that keep (1 + omega) times their input, or nothing."""
        return sigma * (1 + omega) * (first * up1 + second * up2) / 2

    kept = 1 / (1 + omega)
    at = {n: 2, L_plus: sqrt((first**2 + second**2) / 2), L_minus: mean}
    return (
        Identity(
            "scaled-bias",
            r"The bias of $\sigma Q$ is $-(1-\sigma)\bar a$, of square the stated $\mathcal X_b$ with "
            r"$\|\bar a\|^2\le L_-^2\|x^+-x\|^2$ at equality (two clients with $Q(a)=(1+\omega)a$ or 0).",
            expectation(lambda up1, up2: estimate(up1, up2) - mean, kept, kept) ** 2,
            stated["scaled_bias"].subs(at),
        ),
        Identity(
            "scaled-variance",
            r"Its variance is $\sigma^2\frac\omega nM$, the stated $\mathcal X_v$ with $M\le "
            r"L_+^2\|x^+-x\|^2$ at equality.",
            expectation(lambda up1, up2: (estimate(up1, up2) - sigma * mean) ** 2, kept, kept),
            stated["scaled_variance"].subs(at),
        ),
    )
