r"""Derivation of `cq_marina/dsgd`: rate with noise, rounds, exact recursion with shifts, MARINA.

The symbols are those of the claim and of `marina_descent`; further ones are named in the statements.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Max, Min, Rational, Symbol, symbols

from theory.cq_marina.marina_descent import Delta_0, F, F_next, G, T, gamma
from theory.cq_marina.marina_rate import OLD as RATE
from theory.cq_marina.marina_rate_derivation import A, B, X
from theory.cq_marina.symbols import L_minus, L_plus, L_pm, d, n
from theory.old_steps import Certificate, Identity, Step, Term
from theory.two_point_law import INDEPENDENCE, expectation

L = Symbol("L", positive=True)
sigma_sq = Symbol("sigma_sq", nonnegative=True)
epsilon = Symbol("epsilon", positive=True)
omega = Symbol("omega", nonnegative=True)
S_sq = Symbol("S_sq", nonnegative=True)
v = Symbol("v", nonnegative=True)
k = Symbol("k", integer=True, nonnegative=True)
V = Symbol("V", nonnegative=True)

_x, _x_next, _e, _z = symbols("x y e z", real=True)
_u, _w = symbols("u_1:3", real=True), symbols("w_1:3", real=True)
_rho = Symbol("rho", positive=True)
_shifts = symbols("s_1 s_2", real=True)
_a = symbols("a_1:4", real=True)
_Gs = symbols("G_0:3", nonnegative=True)
_Fs = symbols("F_1:4", nonnegative=True)

_STEP = "hypothesis: the step gamma is at most 1 / (L (1 + A))"


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *_rate(stated),
        *_rounds(stated),
        *_recursion(stated),
        *_floor(stated),
        *_marina(stated),
        INDEPENDENCE,
    )


def _rate(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    after = F - gamma * G + L / 2 * gamma**2 * (G + V)
    before = (Delta_0, *_Fs[:-1])
    noise = L * gamma**2 / 2 * sigma_sq
    return (
        Identity(
            "second-moment",
            r"An unbiased estimate has $\mathbb E\langle u,\hat g\rangle=\|u\|^2$ and $\mathbb "
            r"E\|\hat g\|^2=\|u\|^2+V$, $u=\nabla f$: so $\mathbb E[-\gamma\langle u,\hat g\rangle+\frac "
            r"L2\gamma^2\|\hat g\|^2]=-\gamma\|u\|^2+\frac L2\gamma^2(\|u\|^2+V)$ (one coordinate of two "
            r"values $u+(1-\rho)z$, $u-\rho z$).",
            expectation(lambda up: _model(_e + (up - _rho) * _z), _rho),
            -gamma * _e**2
            + L / 2 * gamma**2 * (_e**2 + expectation(lambda up: ((up - _rho) * _z) ** 2, _rho)),
        ),
        Certificate(
            "one-step",
            r"$F^+\le F-\frac\gamma2G+\frac L2\gamma^2\sigma^2$ for $V\le AG+\sigma^2$ and $\gamma$ at most "
            r"the stated step.",
            F_next,
            F - gamma / 2 * G + noise,
            (
                Term(
                    Integer(1),
                    after - F_next,
                    "hypothesis: grad f is L-Lipschitz: f(x+) <= f(x) + <grad f, x+ - x> + (L / 2) |x+ - "
                    "x|^2, in expectation by second-moment",
                ),
                Term(
                    L * gamma**2 / 2,
                    A * G + sigma_sq - V,
                    "hypothesis: the estimate is unbiased with V <= A |grad f|^2 + sigma^2",
                ),
                Term(gamma / 2 * G * L * (1 + A), stated["step_size"] - gamma, _STEP),
            ),
        ),
        Certificate(
            "telescoping",
            r"The sum over $T$ rounds gives the stated bound on the average, hence on the least of the $G_k$ "
            r"(shown for $T=3$; each round adds the same two terms).",
            Rational(1, 3) * sum(_Gs),
            stated["bound"].subs(T, 3),
            (
                *(
                    Term(
                        Rational(2, 3) / gamma,
                        first - gamma / 2 * gradient + noise - second,
                        "one-step",
                    )
                    for first, second, gradient in zip(before, _Fs, _Gs, strict=True)
                ),
                Term(Rational(2, 3) / gamma, _Fs[-1], "f is at least its infimum"),
            ),
        ),
    )


def _model(estimate: Expr) -> Expr:
    """Return the change of the quadratic model along minus gamma times the estimate."""
    return -gamma * _e * estimate + L / 2 * gamma**2 * estimate**2


def _rounds(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    coarse, fine = stated["step_size"], epsilon**2 / (2 * L * sigma_sq)
    return (
        Identity(
            "accuracy-step",
            r"The stated step for an accuracy is the smaller of $1/(L(1+A))$ and "
            r"$\frac{\varepsilon^2}{2L\sigma^2}$.",
            stated["accuracy_step"],
            Min(coarse, fine),
        ),
        Certificate(
            "accuracy",
            r"With it and $T\ge\frac{4\Delta_0}{\gamma\varepsilon^2}$ the stated bound is at most "
            r"$\varepsilon^2$.",
            stated["bound"],
            epsilon**2,
            (
                Term(
                    L * sigma_sq,
                    epsilon**2 / (2 * L * sigma_sq) - gamma,
                    "hypothesis: the step gamma is at most the accuracy step",
                ),
                Term(
                    epsilon**2 / (2 * T),
                    T - 4 * Delta_0 / (gamma * epsilon**2),
                    "hypothesis: there are at least 4 Delta_0 / (gamma epsilon^2) rounds",
                ),
            ),
        ),
        Identity(
            "rounds",
            r"The stated number of rounds is $\frac{4\Delta_0}{\gamma\varepsilon^2}$ with that step.",
            stated["rounds"],
            Max(4 * Delta_0 / (coarse * epsilon**2), 4 * Delta_0 / (fine * epsilon**2)),
        ),
    )


def _recursion(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    clients = (*_shifts, -sum(_shifts))
    mean_square = sum((L * _e + s) ** 2 for s in clients) / 3
    spread = sum(s**2 for s in clients) / 3
    return (
        Identity(
            "relative-variance",
            r"Independent one-bit quantizers have "
            r"$V=\frac1{n^2}\sum_i(d-1)\|a_i\|^2=\tilde\omega\frac1n\sum_i\|a_i\|^2$ with the stated "
            r"$\tilde\omega$ (three clients; equality by `cq_marina/est-exact`).",
            stated["relative_variance"].subs(n, 3) * sum(item**2 for item in _a) / 3,
            (d - 1) * sum(item**2 for item in _a) / 9,
        ),
        Identity(
            "shifted-gradients",
            r"$\frac1n\sum_i\|\nabla f_i\|^2=L^2\|e\|^2+S^2$ for $\nabla f_i=Le+s_i$, $\sum_is_i=0$ (three "
            r"clients, one coordinate): $A=\tilde\omega$ and $\sigma^2=\tilde\omega S^2$.",
            mean_square,
            L**2 * _e**2 + spread,
        ),
        Identity(
            "recursion",
            r"$\mathbb E\|e^+\|^2=(1-\gamma L)^2\|e\|^2+\gamma^2V$ is the stated recursion.",
            expectation(lambda up: ((1 - gamma * L) * _e - gamma * (up - _rho) * _z) ** 2, _rho)
            .expand()
            .subs(_z**2, omega * mean_square / (_rho * (1 - _rho))),
            stated["recursion"].subs({v: _e**2, S_sq: spread}),
        ),
        Identity(
            "contraction",
            r"The stated factor of $v$ in it.",
            stated["recursion"],
            stated["contraction"] * v + gamma**2 * omega * S_sq,
        ),
        Certificate(
            "stable",
            r"It is at most 1 for $\gamma L(1+\tilde\omega)\le2$.",
            stated["contraction"],
            Integer(1),
            (
                Term(
                    gamma * L,
                    2 - gamma * L * (1 + omega),
                    "hypothesis: gamma is at most 2 / (L (1 + omega))",
                ),
            ),
        ),
        Identity(
            "start",
            r"The stated value after $k$ rounds is $v$ at $k=0$.",
            stated["value"].subs(k, 0),
            v,
        ),
        Identity(
            "solution",
            r"It solves the recursion.",
            stated["value"].subs(k, k + 1),
            stated["recursion"].subs(v, stated["value"]),
        ),
    )


def _floor(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    fixed = stated["floor"] / L**2
    any_fixed = stated["floor_any"] / L**2
    return (
        Identity(
            "floor",
            r"The stated floor is $L^2$ times the fixed point of the recursion.",
            stated["recursion"].subs(v, fixed),
            fixed,
        ),
        Identity(
            "floor-of-any",
            r"Whatever the unbiased compressor: if $\mathbb E\|e\|^2$ no longer changes, $L^2\mathbb "
            r"E\|e\|^2=\frac{\gamma L\bar V}{2-\gamma L}$ with the mean $\bar V$ of $V$; for the correlated "
            r"quantizer $\bar V\to V_{CQ}(s_1,\dots,s_n)$ as $\gamma\to0$.",
            (1 - gamma * L) ** 2 * any_fixed + gamma**2 * V,
            any_fixed,
        ),
        Identity(
            "floor-of-independent",
            r"With independent thresholds $\bar V=\tilde\omega(L^2v_\infty+S^2)$ it is the stated floor.",
            stated["floor_any"].subs(V, omega * (stated["floor"] + S_sq)),
            stated["floor"],
        ),
        Identity(
            "bound-at-the-floor",
            r"At the largest step $1/(L(1+\tilde\omega))$ the floor is the noise term $L\gamma\sigma^2$ of "
            r"the stated bound: that term cannot be smaller.",
            stated["floor"].subs(gamma, stated["step_size"].subs(A, omega)),
            _noise_term(stated).subs(gamma, stated["step_size"].subs(A, omega)),
        ),
    )


def _noise_term(stated: Mapping[str, Expr]) -> Expr:
    return stated["bound"].subs(Delta_0, 0).subs(sigma_sq, omega * S_sq)


def _marina(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    chi = RATE.formulas["X"].subs({A: omega, B: 0, L_plus: L, L_pm: 0})
    step = RATE.formulas["step_size"].subs({X: chi, L_minus: L})
    return (
        Identity(
            "differences",
            r"MARINA compresses $\nabla f_i(y)-\nabla f_i(x)=L(y-x)$: the shifts cancel, $L_\pm=0$.",
            (L * _x_next + _shifts[0]) - (L * _x + _shifts[0]),
            L * (_x_next - _x),
        ),
        Identity(
            "marina-rounds",
            r"The stated number of rounds of MARINA is $\frac{2\Delta_0}{\gamma\varepsilon^2}$ with the step "
            r"of `cq_marina/marina-rate` for $\mathcal X=\tilde\omega L^2$.",
            stated["marina_rounds"],
            2 * Delta_0 / (step * epsilon**2),
        ),
    )
