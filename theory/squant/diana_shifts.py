"""Messages and shifts of DIANA+: the first steps of the derivation of `squant/diana`.

The symbols are those of the claim; further ones are named in the statements. Steps that do not mention the
shifts are those of `squant/dcgd`.
"""

from collections.abc import Callable, Mapping

from sympy import Expr, IndexedBase, Integer, Symbol, symbols

from theory.instance import instance
from theory.old_steps import Certificate, Identity, Step, Term
from theory.squant.dcgd import OLD as DCGD
from theory.squant.dcgd_derivation import Lcal, Lcal_max, V, drift, gamma, omega, s, sigma
from theory.squant.symbols import n
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE, expectation

alpha = Symbol("alpha", positive=True)
bregman = Symbol("bregman", nonnegative=True)
m = IndexedBase("m", nonnegative=True)
w = IndexedBase("w", nonnegative=True)

NODES = 3
"""Number of nodes at which sums over nodes are shown."""

# Per node: constant, and squared norms of gradient, shift and message relative to the solution.
ELLS = symbols("L_1:4", nonnegative=True)
GRADIENTS = symbols("a_1:4", nonnegative=True)
ERRORS = symbols("s_1:4", nonnegative=True)
MESSAGES = symbols("q_1:4", nonnegative=True)

SQUARE = "square of a real number"
LARGEST = "hypothesis: Lcal_max is the largest constant"
CONSTANT = "hypothesis: Lcal_i and omega_i are constants of the compressor of node i (unbiased, A3)"
LEARNING_RATE = "hypothesis: the learning rate alpha is at most 1/(1 + omega_i) for each node"
SHOWN = f"(shown for {NODES} nodes; for every $n$ by `summation`)"

_E = Symbol("E", nonnegative=True)
_x, _g, _gs, _h, _kept, _dropped = symbols("x g g_star h y z", real=True)
_hs = symbols("h_1:4", real=True)
_gs_nodes = symbols("g_1:4", real=True)
_stars = symbols("gstar_1:4", real=True)
_es = symbols("e_1:4", real=True)
_ps = symbols("p_1:4", nonnegative=True)
_roots = symbols("r_1:4", positive=True)
_omegas = symbols("omega_1:4", nonnegative=True)
_ms = symbols("m_1:4", nonnegative=True)
_ws = symbols("w_1:4", nonnegative=True)

_OF_DCGD = {step.name: step for step in DCGD.derivation}


def of_dcgd(*names: str) -> tuple[Step, ...]:
    """Return steps of `squant/dcgd`, which hold unchanged."""
    return tuple(_OF_DCGD[name] for name in names)


def messages(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps on the messages and on both stated exact left sides."""

    def step_of_x(nodes: int) -> tuple[Expr, Expr]:
        def squared(*messages: Expr) -> Expr:
            estimate = sum(h + r * y for h, r, y in zip(_hs, _roots, messages, strict=False)) / nodes
            return (_x - gamma * estimate) ** 2

        values = {
            n: nodes,
            drift: (_x - gamma * sum(_gs_nodes[:nodes]) / nodes) ** 2,
            V: tuple(r**2 * e**2 * p * (1 - p) for r, e, p in zip(_roots, _es, _ps, strict=True)),
        }
        return _expected(nodes, squared), instance(stated["one_step_exact"], values)

    def step_of_shifts(nodes: int) -> tuple[Expr, Expr]:
        def squared(*messages: Expr) -> Expr:
            given = zip(messages, ELLS, _roots, _hs, _stars, strict=False)
            return sum(ell * ((h + alpha * r * y - g) / r) ** 2 for y, ell, r, h, g in given) / nodes

        given = zip(_hs, _gs_nodes, _stars, _roots, strict=True)
        values = {
            n: nodes,
            Lcal: ELLS,
            m: tuple((((1 - alpha) * (h - star) + alpha * (g - star)) / r) ** 2 for h, g, star, r in given),
            w: tuple(e**2 * p * (1 - p) for e, p in zip(_es, _ps, strict=True)),
        }
        return _expected(nodes, squared), instance(stated["shift_exact"], values)

    return (
        *of_dcgd("prox"),
        Identity(
            "transform",
            r"$h+\mathbf L^{1/2}\mathbf L^{+1/2}(g-h)=g$ for $h,g\in\mathrm{range}(\mathbf L)$ (A3), per "
            r"positive eigenvalue $r^2$: the estimate of the gradient is unbiased.",
            _h + _roots[0] * ((_g - _h) / _roots[0]),
            _g,
        ),
        *(
            Identity(
                f"exact-step-{nodes}",
                r"The stated exact left side of the step in $x$: with $\Delta_i=y_i+(\text{error }i)$, "
                r"$y_i=(g_i-h_i)/r_i$, and unbiased independent errors of variance $e_i^2p_i(1-p_i)$ it is "
                r"$\mathbb E(x-\gamma\frac1n\sum_i(h_i+r_i\Delta_i))^2$ (shown for one coordinate with "
                rf"$\mathbf L_i=r_i^2$, $n={nodes}$; in general by `independence` and `summation`).",
                *step_of_x(nodes),
            )
            for nodes in range(1, NODES + 1)
        ),
        *(
            Identity(
                f"exact-shift-{nodes}",
                r"The stated exact left side of the step of the shifts: it is $\mathbb "
                r"E\frac1n\sum_i\mathcal L_i(h_i+\alpha r_i\Delta_i-g_i^\star)^2/r_i^2$ (shown for one "
                rf"coordinate with $\mathbf L_i=r_i^2$, $n={nodes}$; in general by `independence` and "
                "`summation`).",
                *step_of_shifts(nodes),
            )
            for nodes in (1, 2)
        ),
        INDEPENDENCE,
        SUMMATION,
    )


def shifts(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps on the expected error of the shifts, with the stated bound and its tightness."""
    after = instance(stated["shift_exact"], {n: NODES, Lcal: ELLS, m: _ms, w: _ws})
    before = instance(stated["shift_error"], {n: NODES, Lcal: ELLS, s: ERRORS})
    nodes = tuple(zip(ELLS, _omegas, GRADIENTS, ERRORS, MESSAGES, _ms, _ws, strict=True))
    tight = {n: 1, Lcal: (Lcal_max,), m: (alpha**2 * 2 * bregman,), w: (omega * 2 * bregman,)}
    return (
        Certificate(
            "projection",
            r"$\|\mathbf L^{1/2}\Delta\|_{\mathbf L^+}^2=\|P\Delta\|^2\le\|\Delta\|^2$, for a component $y$ "
            r"in the range and a component $z$ in the null space of $\mathbf L$; likewise for "
            r"$\Delta-y$.",
            _kept**2,
            _kept**2 + _dropped**2,
            (Term(Integer(1), _dropped**2, SQUARE),),
        ),
        Identity(
            "shift-identity",
            r"$2\langle h-g^\star,g-h\rangle+\|g-h\|^2=\|g-g^\star\|^2-\|h-g^\star\|^2$, per eigenvalue.",
            2 * (_h - _gs) * (_g - _h) + (_g - _h) ** 2,
            (_g - _gs) ** 2 - (_h - _gs) ** 2,
        ),
        Identity(
            "shift-mean",
            r"$m=\|(1-\alpha)(h-g^\star)+\alpha(g-g^\star)\|^2=(1-\alpha)\|h-g^\star\|^2+\alpha\|g-g^\star\|"
            r"^2-\alpha(1-\alpha)\|g-h\|^2$, per eigenvalue: `shift-identity` times $\alpha$, since "
            r"$m=\|h-g^\star+\alpha(g-h)\|^2$.",
            ((1 - alpha) * (_h - _gs) + alpha * (_g - _gs)) ** 2,
            (1 - alpha) * (_h - _gs) ** 2 + alpha * (_g - _gs) ** 2 - alpha * (1 - alpha) * (_g - _h) ** 2,
        ),
        Certificate(
            "projected-error",
            r"$w_i=\mathbb E\|P(\Delta_i-y_i)\|^2\le\mathbb E\|\Delta_i-y_i\|^2=E\le\omega_iq_i$ with "
            r"$q_i=\|y_i\|^2=\|\nabla f_i(x)-h_i\|_{\mathbf L_i^+}^2$ for each node.",
            _ws[0],
            _omegas[0] * MESSAGES[0],
            (
                Term(Integer(1), _E - _ws[0], "projection, summation"),
                Term(Integer(1), _omegas[0] * MESSAGES[0] - _E, CONSTANT),
            ),
        ),
        *of_dcgd(
            "spectral-theorem", "pseudo-inverse", "projected-slope", "co-coercivity", "nodes-cocoercive"
        ),
        Certificate(
            "shift-step",
            r"The stated exact expectation of $\sigma_{k+1}^2$ is at most the stated "
            r"$(1-\alpha)\sigma_k^2+2\alpha\mathcal L_{\max}D_f$; $a_i$, $s_i$ and $q_i$ are the squared "
            rf"norms of $\nabla f_i(x)-g_i^\star$, $h_i-g_i^\star$ and $\nabla f_i(x)-h_i$ {SHOWN}.",
            after,
            stated["shift_bound"].subs(sigma, before),
            (
                *(
                    Term(
                        ell / NODES,
                        (1 - alpha) * b + alpha * a - alpha * (1 - alpha) * q - mean,
                        "shift-mean, summation",
                    )
                    for ell, _, a, b, q, mean, _ in nodes
                ),
                *(
                    Term(alpha**2 * ell / NODES, constant * q - error, "projected-error")
                    for ell, constant, _, _, q, _, error in nodes
                ),
                *(
                    Term(alpha * ell * q / NODES, 1 - alpha * (1 + constant), LEARNING_RATE)
                    for ell, constant, _, _, q, _, _ in nodes
                ),
                *(Term(alpha * a / NODES, Lcal_max - ell, LARGEST) for ell, _, a, *_ in nodes),
                Term(
                    alpha * Lcal_max,
                    2 * bregman - sum(GRADIENTS) / Integer(NODES),
                    "nodes-cocoercive",
                ),
            ),
        ),
        Identity(
            "shift-tight",
            r"$n=1$, $f$ a quadratic with Hessian $\mathbf L_1$ ($\|\nabla f(x)-\nabla f(x^\star)\|_{\mathbf "
            r"L_1^+}^2=2D_f$), $h_1=\nabla f(x^\star)$ and $x$ the worst input of the compressor "
            r"($w_1=\omega\|y_1\|^2$): the exact left side over the stated right side is the stated ratio.",
            instance(stated["shift_exact"], tight) / stated["shift_bound"].subs(sigma, 0),
            stated["shift_tight_ratio"],
        ),
    )


def _expected(nodes: int, square: Callable[..., Expr]) -> Expr:
    """Return the expectation of a function of the messages $y_i$ + error over all two-point errors."""

    def at(*ups: int) -> Expr:
        given = zip(ups, _roots, _hs, _gs_nodes, _es, _ps, strict=False)
        return square(*((g - h) / r + e * (up - p) for up, r, h, g, e, p in given))

    return expectation(at, *_ps[:nodes])
