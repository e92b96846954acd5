"""Derivation of `cat/finding-distance-grows`: a step in the plane, a kernel, a slow phase, one iteration."""

from collections.abc import Mapping

from sympy import Expr, IndexedBase, Integer, Matrix, Symbol, symbols

from theory.cat.symbols import L, Sigma, alpha, j
from theory.instance import instance
from theory.old_steps import Certificate, Identity, Step, Term

R_0 = Symbol("R_0", positive=True)
u = Symbol("u", positive=True)
tau = Symbol("tau", positive=True)
f = Symbol("f", positive=True)
N = Symbol("N", nonnegative=True)
eta = Symbol("eta", positive=True)
i = Symbol("i", integer=True, nonnegative=True)
z = IndexedBase("z", positive=True)

_s = Symbol("s", nonnegative=True)
_gaps = symbols("delta_0:2", nonnegative=True)
_zs = symbols("z_0:4", positive=True)
_c = Symbol("c", positive=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *_in_the_plane(stated),
        *_kernel(stated),
        *_slow_phase(stated),
        *_one_iteration(stated),
    )


def _in_the_plane(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    hessian, start, top = Matrix([[4, 2], [2, 2]]), Matrix([0, 1]), stated["top"]
    gradient = hessian * start
    after = Matrix([start[0] - gradient[0] / top, start[1]])
    return (
        Identity(
            "top-eigenvalue",
            r"$L=3+\sqrt5$ is an eigenvalue of $H$,",
            (hessian - top * Matrix.eye(2)).det(),
            Integer(0),
        ),
        Certificate(
            "larger-eigenvalue",
            r"and above the mean $\frac12\mathrm{tr}H=3$ of the two, so the larger one.",
            hessian.trace() / 2,
            top,
            (Term(top - 3, Integer(1), "one"),),
        ),
        Identity(
            "tied-gradient",
            r"At $(0,1)$ both entries of the gradient are 2: the first one is sent.",
            gradient[0],
            gradient[1],
        ),
        Identity(
            "grown",
            r"The squared distance after that step is the stated one,",
            after.dot(after),
            stated["grown"],
        ),
        Certificate(
            "farther",
            "above 1.",
            start.dot(start),
            stated["grown"],
            (Term(stated["grown"] - 1, Integer(1), "one"),),
        ),
        Identity(
            "plane-limit",
            r"From $(1,0)$ the second entry, the larger one of the gradient, moves to $\frac1{1+\eta}$, "
            r"where $r^\top x=0$.",
            1 + instance(stated["next_entry"], {j: 0, z: (1,)}) ** 2,
            stated["plane_limit"],
        ),
    )


def _kernel(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return tuple(
        Identity(
            f"kernel-{place}",
            rf"$r_{place}^\top z=0$ by the stated next entry.",
            (1 + eta) * instance(stated["next_entry"], {j: place, z: _zs}),
            sum(_zs[: place + 1]),
        )
        for place in range(4)
    )


def _slow_phase(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    gap, way = stated["gap"], stated["half_way"]
    total = Sigma + N
    exceeded = gap / stated["rate"].xreplace({Sigma: total})
    return (
        Identity(
            "huber",
            r"At the beginning of the second phase $c\,h_\tau(u)=c(\tau u-\frac12\tau^2)$ is the stated gap, "
            r"$f=c\tau$.",
            gap.xreplace({N: Integer(0), f: _c * tau}),
            _c * (tau * u - tau**2 / 2),
        ),
        Identity(
            "slow-fall",
            r"A step moves $u$ by $-f/L$, and the gap falls by $f^2/L$.",
            gap - gap.xreplace({N: N + 1}),
            f * (f / L),
        ),
        Identity(
            "half-way",
            r"The stated number of steps leaves half of $u$,",
            u - way * f / L,
            u / 2,
        ),
        Certificate(
            "exceeded",
            r"and there the gap is at least the stated multiple of the rate with $R_0$ (all entries sent: "
            r"$\Sigma$ grows by 1 a step).",
            stated["ratio"],
            exceeded.xreplace({N: way}),
            (
                Term(
                    f * (Sigma + 4) / (4 * L * R_0**2),
                    u - tau,
                    "hypothesis: u is at least 2 tau, outside of the quadratic part",
                ),
            ),
        ),
    )


def _one_iteration(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    start, after = _gaps
    return (
        Certificate(
            "first-iteration",
            r"$\delta_1\le\frac{LR_0^2}{2(1+\alpha)}$, with $s=\|g\|$.",
            after,
            stated["bound"],
            (
                Term(
                    Integer(1),
                    start - alpha * _s**2 / (2 * L) - after,
                    "hypothesis: descent of cat/s-descent at the step size 1 / L",
                ),
                Term(
                    Integer(1),
                    R_0 * _s - _s**2 / (2 * L) - start,
                    "hypothesis: F is convex and L-smooth: F(x*) >= F(x) + <g, x* - x> + |g|^2 / (2 L)",
                ),
                Term(
                    (1 + alpha) / (2 * L),
                    (_s - L * R_0 / (1 + alpha)) ** 2,
                    "square of a real number",
                ),
            ),
        ),
        Certificate(
            "rate-at-once",
            r"That is below the rate with $R_0$ at $K=1$.",
            stated["bound"],
            stated["rate"].xreplace({Sigma: alpha}),
            (Term(3 * alpha * L * R_0**2 / (2 * (1 + alpha) * (alpha + 4)), Integer(1), "one"),),
        ),
    )
