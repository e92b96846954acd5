r"""`squant/range`: co-coercivity in the norm of the smoothness matrix (arXiv 2106.03524).

If $f$ is convex and $\mathbf L$-smooth, $\nabla f(x)-\nabla f(y)\in\mathrm{range}(\mathbf L)$ and
$\|\nabla f(x)-\nabla f(y)\|_{\mathbf L^+}^2\le2D_f(x,y)$. Membership of $\nabla f(x)$ itself (A3) needs
more: see `squant/finding-range-condition`.

Derivation: with $\Phi(z)=f(z)-\langle\nabla f(y),z\rangle$, minimal at $y$, and $g=\nabla\Phi(x)$, smoothness
at $x-\mathbf L^+g$ gives $\Phi(y)\le\Phi(x)-\|g\|_{\mathbf L^+}^2+\frac12\|\mathbf L^+g\|_{\mathbf L}^2$,
which is $\Phi(x)-\frac12\|g\|_{\mathbf L^+}^2$. Along the null space $f$ is affine with the same slope
everywhere.
"""

from collections.abc import Mapping, Sequence

from sympy import Expr, IndexedBase, Integer, Rational, Sum, Symbol, symbols

from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.squant.paper import PAPER
from theory.squant.symbols import DIMENSION, d, i, j
from theory.summation import SUMMATION
from theory.two_point_law import quadratic_form

g = IndexedBase("g", real=True)
v = IndexedBase("v", real=True)
H = IndexedBase("H", real=True)
Lplus = IndexedBase("Lplus", real=True)

_COCOERCIVE = Sum(g[i] * Lplus[i, j] * g[j], (i, 0, d - 1), (j, 0, d - 1))
_BREGMAN = Sum(v[i] * H[i, j] * v[j], (i, 0, d - 1), (j, 0, d - 1))

_phi_x, _phi_y, _phi_z, _q, _w, _K = symbols("Phi_x Phi_y Phi_z q w K", real=True)
_eigenvalue = Symbol("lambda", positive=True)
_component, _s, _t, _null = symbols("g s t w_0", real=True)
_slope_gap = Symbol("sigma", real=True, nonzero=True)
_a, _b, _c, _v1, _v2 = symbols("a b c v_1 v_2", real=True)
_fx, _fy, _ax, _ay, _line = symbols("f_x f_y a_x a_y f_t", real=True)

_FORMULAS = {"gradient_norm": _COCOERCIVE, "twice_bregman": _BREGMAN}
_ls = symbols("lambda_1:3", positive=True)
_gs = symbols("g_1:3", real=True)
_y = symbols("y_1 y_2", real=True)
_SIZE = 2
_HESSIAN = ((_a, _b), (_b, _c))
_INVERSE = tuple(tuple(entry / (_a * _c - _b**2) for entry in row) for row in ((_c, -_b), (-_b, _a)))
_DISPLACEMENT = (_v1, _v2)
_GRADIENT = (_a * _v1 + _b * _v2, _b * _v1 + _c * _v2)

COCOERCIVITY: tuple[Step, ...] = (
    StandardFact(
        "spectral-theorem",
        r"$\mathbf L=V\mathrm{Diag}(\lambda)V^\top$ with orthogonal $V$; $\mathbf L^+$ inverts the positive "
        r"eigenvalues.",
        "R. A. Horn and C. R. Johnson, Matrix Analysis, 2nd ed., theorem 2.5.6",
    ),
    Identity(
        "pseudo-inverse",
        r"$\|\mathbf L^+g\|_{\mathbf L}^2=\|g\|_{\mathbf L^+}^2$, per eigenvalue: "
        r"$\lambda(g/\lambda)^2=g^2/\lambda$.",
        _eigenvalue * (_component / _eigenvalue) ** 2,
        _component**2 / _eigenvalue,
    ),
    Identity(
        "projected-slope",
        r"$\langle g,\mathbf L^+g\rangle=\|g\|_{\mathbf L^+}^2$, per eigenvalue.",
        _component * (_component / _eigenvalue),
        _component**2 / _eigenvalue,
    ),
    Certificate(
        "co-coercivity",
        r"$q\le2(\Phi(x)-\Phi(y))=2D_f(x,y)$ with $q=\|g\|_{\mathbf L^+}^2$, $w=\|\mathbf L^+g\|_{\mathbf "
        r"L}^2$ and $\Phi_z=\Phi(x-\mathbf L^+g)$.",
        _q,
        2 * (_phi_x - _phi_y),
        (
            Term(
                Integer(2),
                _phi_z - _phi_y,
                "hypothesis: y minimises the convex function Phi, whose gradient vanishes there",
            ),
            Term(
                Integer(2),
                _phi_x - _q + _w / 2 - _phi_z,
                "hypothesis: smoothness (A1) of Phi at x, in the direction -L^+ g of slope -q",
            ),
            Term(Integer(1), _q - _w, "spectral-theorem, pseudo-inverse, projected-slope"),
        ),
    ),
)

_RANGE: tuple[Step, ...] = (
    Certificate(
        "affine-above",
        r"Along $v$ with $\mathbf Lv=0$ the smoothness bound has no quadratic term: $f(x+tv)\le "
        r"f(x)+t\langle\nabla f(x),v\rangle$; with convexity, equality, so $f$ is affine there "
        r"($f_t=f(x+tv)$, $a_x=\langle\nabla f(x),v\rangle$, $w_0=\|v\|_{\mathbf L}^2=0$).",
        _line,
        _fx + _t * _ax,
        (
            Term(
                Integer(1),
                _fx + _t * _ax + _t**2 * _null / 2 - _line,
                "hypothesis: smoothness (A1) at x towards x + tv",
            ),
            Term(_t**2 / 2, -_null, "hypothesis: v is in the null space, so w_0 is zero"),
        ),
    ),
    Certificate(
        "bounded-slope",
        r"$t(a_x-a_y)\le K$ for all real $t$, with $K=f(y)-f(x)+\langle\nabla "
        r"f(y),x-y\rangle+\frac12\|x-y\|_{\mathbf L}^2$: smoothness at $y$ towards $x+tv$, where "
        r"$f(x+tv)=f(x)+ta_x$ (here $\sigma=a_x-a_y$, $s=\langle\nabla f(y),x-y\rangle$, "
        r"$w=\|x-y\|_{\mathbf L}^2$).",
        _t * (_ax - _ay),
        _fy - _fx + _s + _w / 2,
        (
            Term(
                Integer(1),
                _fy + _s + _t * _ay + _w / 2 - (_fx + _t * _ax),
                "hypothesis: smoothness (A1) at y; v is in the null space, so the quadratic term is w",
            ),
        ),
    ),
    Identity(
        "slopes-agree",
        r"If $\sigma=a_x-a_y\ne0$, then $t=(K+1)/\sigma$ gives $t\sigma=K+1>K$, a contradiction: the "
        r"gradients at $x$ and $y$ agree on the null space, that is $\nabla f(x)-\nabla "
        r"f(y)\in\mathrm{range}(\mathbf L)$.",
        (_K + 1) / _slope_gap * _slope_gap,
        _K + 1,
    ),
)


def _quadratic(point: Sequence[Expr]) -> Expr:
    """Return the quadratic with the Hessian above, zero at the origin with slope zero there."""
    return quadratic_form(_HESSIAN, point) / 2


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    at = {d: _SIZE, H: _HESSIAN, v: _DISPLACEMENT, g: _GRADIENT, Lplus: _INVERSE}
    diagonal = {d: _SIZE, g: _gs, Lplus: ((1 / _ls[0], Integer(0)), (Integer(0), 1 / _ls[1]))}
    point = tuple(a + b for a, b in zip(_y, _DISPLACEMENT, strict=True))
    slope = (_a * _y[0] + _b * _y[1], _b * _y[0] + _c * _y[1])
    bregman = (
        _quadratic(point)
        - _quadratic(_y)
        - sum(first * second for first, second in zip(slope, _DISPLACEMENT, strict=True))
    )
    norms = (("gradient-norm", "gradient_norm"), ("exact", "exact"))
    divergences = (("twice-bregman", "twice_bregman"), ("bound", "bound"))
    return (
        *COCOERCIVITY,
        *(
            Identity(
                name,
                r"In the eigenbasis of $\mathbf L$ the stated $\|g\|_{\mathbf L^+}^2$ is "
                rf"$\sum_jg_j^2/\lambda_j$: the sum of the `pseudo-inverse` steps (shown for {_SIZE} "
                "eigenvalues; in every dimension by `summation`).",
                instance(stated[key], diagonal),
                sum(slope**2 / value for slope, value in zip(_gs, _ls, strict=True)),
            )
            for name, key in norms
        ),
        *(
            Identity(
                name,
                r"For a quadratic with Hessian $\mathbf H$ the stated $v^\top\mathbf Hv$ is $2D_f(x,y)$ with "
                rf"$v=x-y$ (shown for any symmetric ${_SIZE}\times{_SIZE}$ matrix).",
                instance(stated[key], at),
                2 * bregman,
            )
            for name, key in divergences
        ),
        SUMMATION,
        *_RANGE,
        Identity(
            "quadratic-equality",
            r"For a quadratic with Hessian $\mathbf H=\mathbf L$ both sides agree: $\|\mathbf Hv\|_{\mathbf "
            rf"H^{{-1}}}}^2=v^\top\mathbf Hv=2D_f$ (shown for any regular symmetric ${_SIZE}\times{_SIZE}$ "
            r"matrix).",
            instance(stated["exact"], at),
            instance(stated["bound"], at),
        ),
    )


_L = ((2, 1), (1, 2))
_L_INVERSE = ((Rational(2, 3), Rational(-1, 3)), (Rational(-1, 3), Rational(2, 3)))
_HALF_L = ((1, Rational(1, 2)), (Rational(1, 2), 1))

_MUTANTS = (
    Mutant(
        "single-bregman",
        r"Claim $D_f$ for $2D_f$: quadratics with Hessian $\mathbf L$ violate it.",
        ("exact",),
    ),
    Mutant("halved-smoothness", r"Use $\mathbf L/2$ as the smoothness matrix.", ("exact",)),
    Mutant(
        "shifted-origin",
        "Move the origin: gradients differ by the same vector and nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

OLD = Claim(
    id="squant/range",
    paper=PAPER,
    kind="upper",
    provenance="derived",
    title="Co-coercivity in the matrix norm",
    statement=(
        r"Let $f$ be convex, differentiable and $\mathbf L$-smooth, $f(x)\le f(y)+\langle\nabla "
        r"f(y),x-y\rangle+\frac12\|x-y\|_{\mathbf L}^2$ (A1). Then $\nabla f(x)-\nabla "
        r"f(y)\in\mathrm{range}(\mathbf L)$ and $$\|\nabla f(x)-\nabla f(y)\|_{\mathbf "
        r"L^+}^2\le2D_f(x,y),\qquad D_f(x,y)=f(x)-f(y)-\langle\nabla f(y),x-y\rangle,$$ with equality for "
        r"quadratics with Hessian $\mathbf L$. The condition $\nabla f_i(x)\in\mathrm{range}(\mathbf L_i)$ "
        r"(A3) does not follow: see `squant/finding-range-condition`."
    ),
    variables=(
        Variable(g, r"\mathbb R^d", r"$\nabla f(x)-\nabla f(y)$", "(d,)"),
        Variable(
            Lplus,
            r"\mathbb R^{d\times d}",
            r"pseudo-inverse $\mathbf L^+$ of the smoothness matrix",
            "(d, d)",
        ),
        Variable(v, r"\mathbb R^d", r"$x-y$", "(d,)"),
        Variable(
            H,
            r"\mathbb R^{d\times d}",
            r"Hessian of a quadratic, $0\preceq\mathbf H\preceq\mathbf L$",
            "(d, d)",
        ),
        DIMENSION,
    ),
    assumptions=(
        r"A1: $f$ is convex, differentiable and $\mathbf L$-smooth with $\mathbf L\succeq0$.",
        r"For the formula of $2D_f$: $f$ is a quadratic with Hessian $\mathbf H$, so "
        r"$2D_f(x,y)=v^\top\mathbf Hv$.",
    ),
    derivation=lambda: derivation(expressions(_BREGMAN, _COCOERCIVE, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"quadratic with Hessian $\mathbf L$: both sides are 6",
            {"g": (3, 3), "Lplus": _L_INVERSE, "v": (1, 1), "H": _L, "L": _L, "d": 2},
            Integer(6),
        ),
        WorstCase(
            r"quadratic with Hessian $\mathbf L/2$: 3/2 against 3",
            {
                "g": (Rational(3, 2), Rational(3, 2)),
                "Lplus": _L_INVERSE,
                "v": (1, 1),
                "H": _HALF_L,
                "L": _L,
                "d": 2,
            },
            Rational(3, 2),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BREGMAN,
    exact=_COCOERCIVE,
    formulas=_FORMULAS,
)
