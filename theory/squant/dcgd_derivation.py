"""Derivation of `squant/dcgd`: messages, variance, one step, induction, and the family SHARP.

The symbols are those of the claim; further ones are named in the statements.
"""

from collections.abc import Mapping

from sympy import Expr, IndexedBase, Integer, Rational, Symbol, symbols

from theory.instance import instance
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.squant.range import COCOERCIVITY
from theory.squant.symbols import n
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE, expectation

L = Symbol("L", positive=True)
Lcal_max = Symbol("Lcal_max", nonnegative=True)
mu = Symbol("mu", positive=True)
gamma = Symbol("gamma", positive=True)
k = Symbol("k", integer=True, nonnegative=True)
distance = Symbol("distance", nonnegative=True)
drift = Symbol("drift", nonnegative=True)
sigma = Symbol("sigma", nonnegative=True)
omega = Symbol("omega", nonnegative=True)
Lcal = IndexedBase("Lcal", nonnegative=True)
s = IndexedBase("s", nonnegative=True)
V = IndexedBase("V", nonnegative=True)

_D, _A, _E, _T, _rho = symbols("D A E T rho", nonnegative=True)
# In `cert.dcgdplus` sigma is the mean without the constants of the nodes.
_R_next, _I, _G, _v, _w = symbols("R_+ I G v w", real=True)
_x, _y, _g, _gs, _root = symbols("x y g g_star r", real=True)
_es = symbols("e_1:4", real=True)
_ps = symbols("p_1:4", nonnegative=True)
_f, _fs, _slope, _slope_star = symbols("f f_star a b", real=True)
_ells = symbols("L_1:4", nonnegative=True)
_a = symbols("a_1:4", nonnegative=True)
_s = symbols("s_1:4", nonnegative=True)
_qs = symbols("q_1:4", nonnegative=True)
_Vs = symbols("V_1:4", nonnegative=True)
_Ds = symbols("D_1:4", nonnegative=True)
_ai, _si, _elli = symbols("a_i s_i L_i", nonnegative=True)
_positive_root, _eigenvalue = symbols("r lambda", positive=True)
_NODES = 3

_SQUARE = "square of a real number"
_LARGEST = "hypothesis: Lcal_max is the largest constant"
_STEP_SIZE = "hypothesis: the step size gamma is at most 1/(L + 2 Lcal_max/n)"
_SLACK = 1 - gamma * (L + 2 * Lcal_max / n)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *_messages(stated),
        *_variance(stated),
        *_one_step(stated),
        *_induction(stated),
        *_sharp(stated),
    )


def _messages(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def left_side(nodes: int) -> tuple[Expr, Expr]:
        """Return the expected squared distance after one step by enumeration, and as stated."""
        errors = list(zip(_es[:nodes], _ps, strict=False))

        def squared(*ups: int) -> Expr:
            error = sum(e * (up - p) for (e, p), up in zip(errors, ups, strict=True))
            return (_x - gamma * (_y + error / nodes)) ** 2

        values = {
            n: nodes,
            drift: (_x - gamma * _y) ** 2,
            V: tuple(e**2 * p * (1 - p) for e, p in errors),
        }
        return expectation(squared, *_ps[:nodes]), instance(stated["one_step_exact"], values)

    return (
        StandardFact(
            "prox",
            r"The prox is nonexpansive, and $x^\star=\mathrm{prox}_{\gamma R}(x^\star-\gamma\nabla "
            r"f(x^\star))$; so $\|x^+-x^\star\|\le\|x-x^\star-\gamma(g-\nabla f(x^\star))\|$.",
            "H. H. Bauschke and P. L. Combettes, Convex Analysis and Monotone Operator Theory, 2nd ed., "
            "prop. 12.28, 26.1",
        ),
        Identity(
            "transform",
            r"$\mathbf L^{1/2}\mathbf L^{+1/2}$ is the identity on $\mathrm{range}(\mathbf L)$ (A3), per "
            r"positive eigenvalue $r^2$: the decoded message is unbiased.",
            _positive_root * (_g / _positive_root),
            _g,
        ),
        Identity(
            "weighted-error",
            r"$\|\mathbf L^{1/2}e\|^2=\|e\|_{\mathbf L}^2$, per eigenvalue $r^2$.",
            (_root * _es[0]) ** 2,
            _root**2 * _es[0] ** 2,
        ),
        *(
            Identity(
                f"exact-step-{nodes}",
                r"The stated exact left side: with the drift $(x-\gamma y)^2$ and unbiased independent "
                r"errors of variance $V_i=e_i^2p_i(1-p_i)$ it is $\mathbb E(x-\gamma g)^2$, "
                rf"$g=y+\frac1n\sum_i(\text{{error }}i)$ (shown for one coordinate, $n={nodes}$ and "
                "two-point errors; in general by `independence` and `summation`).",
                *left_side(nodes),
            )
            for nodes in range(1, _NODES + 1)
        ),
        INDEPENDENCE,
        SUMMATION,
    )


def _variance(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    nodes = tuple(zip(_ells, _a, _s, strict=True))
    moments = {n: _NODES, V: _Vs, drift: Integer(0)}
    sigma_star = instance(stated["sigma_star"], {n: _NODES, Lcal: _ells, s: _s})
    return (
        Certificate(
            "young",
            r"$\|g\|^2\le2\|g-g^\star\|^2+2\|g^\star\|^2$, per coordinate.",
            _g**2,
            2 * (_g - _gs) ** 2 + 2 * _gs**2,
            (Term(Integer(1), (_g - 2 * _gs) ** 2, _SQUARE),),
        ),
        Certificate(
            "node-constants-term",
            r"$\mathcal L_i(2a_i+2s_i)\le2\mathcal L_{\max}a_i+2\mathcal L_is_i$ for each node.",
            _elli * (2 * _ai + 2 * _si),
            2 * Lcal_max * _ai + 2 * _elli * _si,
            (Term(2 * _ai, Lcal_max - _elli, _LARGEST),),
        ),
        Certificate(
            "variance-of-nodes",
            r"$v=\frac1{n^2}\sum_iV_i\le\frac2n(\mathcal L_{\max}A+\sigma_\star^2)$ with "
            r"$A=\frac1n\sum_ia_i$ and the stated $\sigma_\star^2$; $v$ is the noise of the stated exact "
            r"left side over $\gamma^2$, $q_i=\|y_i\|^2=\|\nabla f_i(x)\|_{\mathbf L_i^+}^2$ (shown for "
            rf"{_NODES} nodes; for every $n$ by `summation`).",
            instance(stated["one_step_exact"], moments) / gamma**2,
            Rational(2, _NODES) * (Lcal_max * sum(_a) / _NODES + sigma_star),
            (
                *(
                    Term(
                        Rational(1, _NODES**2),
                        ell * image - variance,
                        "hypothesis: Lcal_i is a constant of the compressor of node i (unbiased, A3)",
                    )
                    for ell, image, variance in zip(_ells, _qs, _Vs, strict=True)
                ),
                *(
                    Term(ell / _NODES**2, 2 * a + 2 * b - image, "young")
                    for (ell, a, b), image in zip(nodes, _qs, strict=True)
                ),
                *(Term(2 * a / _NODES**2, Lcal_max - ell, "node-constants-term") for ell, a, _ in nodes),
            ),
        ),
        *COCOERCIVITY,
        Certificate(
            "nodes-cocoercive",
            r"$A\le2D$ with $D=\frac1n\sum_iD_{f_i}(x,x^\star)=D_f(x,x^\star)$ and $a_i=\|\nabla "
            rf"f_i(x)-\nabla f_i(x^\star)\|_{{\mathbf L_i^+}}^2$ (shown for {_NODES} nodes; for every $n$ "
            "by `summation`).",
            sum(_a) / _NODES,
            2 * sum(_Ds) / _NODES,
            tuple(
                Term(Rational(1, _NODES), 2 * bregman - a, "co-coercivity")
                for a, bregman in zip(_a, _Ds, strict=True)
            ),
        ),
        Certificate(
            "mean-eigenvalue",
            r"$\|g\|^2\le L\|g\|_{\bar{\mathbf L}^+}^2$, per eigenvalue $\lambda\le L$ of $\bar{\mathbf "
            r"L}=\frac1n\sum_i\mathbf L_i$.",
            _g**2,
            L * (_g**2 / _eigenvalue),
            (
                Term(
                    _g**2 / _eigenvalue,
                    L - _eigenvalue,
                    "hypothesis: L is the largest eigenvalue of the mean matrix",
                ),
            ),
        ),
        Certificate(
            "mean-cocoercive",
            r"$G=\|\nabla f(x)-\nabla f(x^\star)\|^2\le2LD$: $f$ is smooth with the mean matrix (A1, added "
            r"over the nodes), and $w=\|\nabla f(x)-\nabla f(x^\star)\|_{\bar{\mathbf L}^+}^2$.",
            _G,
            2 * L * _D,
            (
                Term(Integer(1), L * _w - _G, "mean-eigenvalue, summation"),
                Term(L, 2 * _D - _w, "co-coercivity"),
            ),
        ),
        Certificate(
            "gradient-error",
            r"$\mathbb E\|g-\nabla f(x^\star)\|^2=G+v\le2(L+2\mathcal L_{\max}/n)D+\frac2n\sigma_\star^2$.",
            _G + _v,
            2 * (L + 2 * Lcal_max / n) * _D + 2 * sigma / n,
            (
                Term(Integer(1), 2 * L * _D - _G, "mean-cocoercive"),
                Term(
                    Integer(1),
                    2 * (Lcal_max * _A + sigma) / n - _v,
                    f"exact-step-{_NODES}, variance-of-nodes",
                ),
                Term(2 * Lcal_max / n, 2 * _D - _A, "nodes-cocoercive"),
            ),
        ),
        Certificate(
            "strong-convexity",
            r"$D_f(x,x^\star)+\frac\mu2\|x-x^\star\|^2\le\langle\nabla f(x)-\nabla "
            r"f(x^\star),x-x^\star\rangle=a-b$ with $a=\langle\nabla f(x),x-x^\star\rangle$, "
            r"$b=\langle\nabla f(x^\star),x-x^\star\rangle$.",
            (_f - _fs - _slope_star) + mu / 2 * distance,
            _slope - _slope_star,
            (
                Term(
                    Integer(1),
                    _fs - _f + _slope - mu / 2 * distance,
                    "hypothesis: strong convexity (A2) at x, evaluated at the solution",
                ),
            ),
        ),
    )


def _six_slacks(variance: Expr) -> tuple[Term, ...]:
    """Return the terms of one step; `variance` is the slack of the bound on the variance."""
    after = distance - 2 * gamma * _I + gamma**2 * (_G + _v) - _R_next
    return (
        Term(Integer(1), after, f"prox, exact-step-{_NODES}"),
        Term(2 * gamma, _I - _D - mu / 2 * distance, "strong-convexity"),
        Term(gamma**2, 2 * L * _D - _G, "mean-cocoercive"),
        Term(gamma**2, variance, f"exact-step-{_NODES}, variance-of-nodes"),
        Term(2 * gamma**2 * Lcal_max / n, 2 * _D - _A, "nodes-cocoercive"),
        Term(2 * gamma * _D, _SLACK, _STEP_SIZE),
    )


def _one_step(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Identity(
            "largest-step",
            r"The stated step size is the largest with $\gamma(L+2\mathcal L_{\max}/n)\le1$: equality.",
            _SLACK.subs(gamma, stated["step_size"]),
            Integer(0),
        ),
        Identity(
            "condition",
            r"The stated $K$ is $1/(\gamma\mu)$ at the stated step size.",
            stated["condition"] * mu * stated["step_size"],
            Integer(1),
        ),
        Certificate(
            "cert.dcgdplus",
            r"One step: $R^+\le(1-\gamma\mu)R+2\gamma^2\mathcal L_{\max}\sigma/n$ with $R=\|x-x^\star\|^2$ "
            r"and $\sigma=\frac1n\sum_i\|\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2$, the constant $\mathcal "
            r"L_{\max}$ for every node.",
            _R_next,
            (1 - gamma * mu) * distance + 2 * gamma**2 * Lcal_max * sigma / n,
            _six_slacks(Lcal_max / n * (2 * _A + 2 * sigma) - _v),
        ),
        Certificate(
            "one-step",
            r"The same with the constant of each node: $R^+$ is at most the stated bound of one step.",
            _R_next,
            stated["one_step"],
            _six_slacks(2 * (Lcal_max * _A + sigma) / n - _v),
        ),
        Certificate(
            "contraction",
            r"$\gamma\mu\le1$, because $\mu\le L$.",
            gamma * mu,
            Integer(1),
            (
                Term(Integer(1), _SLACK, _STEP_SIZE),
                Term(gamma, L - mu, "hypothesis: mu is at most L (A1 and A2)"),
                Term(2 * gamma * Lcal_max / n, Integer(1), "one is positive"),
            ),
        ),
    )


def _induction(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    # gamma in terms of the contraction factor rho = 1 - gamma mu, whose sign is the last step.
    by_factor = {gamma: (1 - _rho) / mu}
    noise = stated["one_step"].subs(distance, 0)
    return (
        *(
            step
            for name, key in (("rate", "rate"), ("bound", "bound"))
            for step in (
                Identity(
                    f"{name}-start",
                    r"At $k=0$ the stated right side is the initial distance and the stated neighbourhood.",
                    stated[key].subs(k, 0),
                    distance + stated["neighbourhood"],
                ),
                Identity(
                    f"{name}-recursion",
                    r"The stated right side after $k+1$ rounds is the stated bound of one step from that "
                    r"after $k$ rounds.",
                    stated[key].subs(k, k + 1),
                    stated["one_step"].subs(distance, stated[key]),
                ),
            )
        ),
        Identity(
            "neighbourhood",
            r"The stated neighbourhood is the fixed point of one step: the noise of one step over "
            r"$\gamma\mu$.",
            stated["neighbourhood"],
            noise / (gamma * mu),
        ),
        Certificate(
            "induction",
            r"One step from $E\le T$ stays below one step from $T$, since $\rho=1-\gamma\mu\ge0$ by "
            r"`contraction`; so the expected distance stays below the recursion.",
            stated["one_step"].subs(distance, _E).subs(by_factor),
            stated["one_step"].subs(distance, _T).subs(by_factor),
            (
                Term(
                    _rho, _T - _E, "hypothesis: the bound T holds for the expected distance E after k rounds"
                ),
            ),
        ),
    )


def _sharp(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    step = stated["step_size"].subs({L: 1, Lcal_max: omega, n: 1})
    left = instance(
        stated["one_step_exact"],
        {n: 1, gamma: step, drift: (1 - step) ** 2 * distance, V: (omega * distance,)},
    )
    right = stated["one_step"].subs({mu: 1, sigma: 0, n: 1}).subs(gamma, step)
    return (
        Identity(
            "sharp-ratio",
            r"$n=1$, $f=\frac12\|x\|^2$, variance $\omega\|x\|^2$ at the stated step size: the exact left "
            r"side over the stated bound of one step is the stated ratio.",
            left / right,
            stated["sharp_ratio"],
        ),
    )
