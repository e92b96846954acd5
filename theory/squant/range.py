r"""`squant/range`: co-coercivity and the range condition A3 (arXiv 2106.03524; the finding is derived here).

If $f$ is convex and $\mathbf L$-smooth, $\nabla f(x)-\nabla f(y)\in\mathrm{range}(\mathbf L)$ and
$\|\nabla f(x)-\nabla f(y)\|_{\mathbf L^+}^2\le2D_f(x,y)$. Membership of $\nabla f(x)$ itself (A3) needs more,
and without it the smoothness-aware methods converge to a wrong point.

Derivation: with $\Phi(z)=f(z)-\langle\nabla f(y),z\rangle$, minimal at $y$, and $g=\nabla\Phi(x)$, smoothness
at $x-\mathbf L^+g$ gives $\Phi(y)\le\Phi(x)-\|g\|_{\mathbf L^+}^2+\frac12\|\mathbf L^+g\|_{\mathbf L}^2$,
which is $\Phi(x)-\frac12\|g\|_{\mathbf L^+}^2$. Along the null space $f$ is affine with the same slope
everywhere.
"""

from sympy import IndexedBase, Integer, Matrix, Rational, Sum, Symbol, symbols

from theory.claim import Claim, Mutant, Variable, WorstCase
from theory.derivation import Certificate, Identity, StandardFact, Step, Term
from theory.squant.paper import PAPER
from theory.squant.symbols import DIMENSION, d, i, j

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
_a, _b, _c, _v1, _v2, _x1, _x2 = symbols("a b c v_1 v_2 x_1 x_2", real=True)
_fx, _fy, _ax, _ay, _line = symbols("f_x f_y a_x a_y f_t", real=True)

_HESSIAN = Matrix([[_a, _b], [_b, _c]])
_INVERSE = Matrix([[_c, -_b], [-_b, _a]]) / (_a * _c - _b**2)
_DISPLACEMENT = Matrix([_v1, _v2])
_GRADIENT = _HESSIAN * _DISPLACEMENT

_COCOERCIVITY: tuple[Step, ...] = (
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
                "y minimises the convex function Phi, whose gradient vanishes there",
            ),
            Term(
                Integer(2), _phi_x - _q + _w / 2 - _phi_z, "smoothness of Phi at x, in the direction -L^+ g"
            ),
            Term(Integer(1), _q - _w, "pseudo-inverse: q and w are equal"),
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
            Term(Integer(1), _fx + _t * _ax + _t**2 * _null / 2 - _line, "smoothness at x towards x + tv"),
            Term(_t**2 / 2, -_null, "v is in the null space: its norm is zero"),
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
                "smoothness at y; v is in the null space, so the quadratic term is that of x - y",
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

_EXAMPLES: tuple[Step, ...] = (
    Identity(
        "quadratic-equality",
        r"For a quadratic with Hessian $\mathbf H=\mathbf L$: $\|\mathbf Hv\|_{\mathbf "
        r"H^{-1}}^2=v^\top\mathbf Hv=2D_f$, here for any regular symmetric $2\times2$ matrix.",
        (_GRADIENT.T * _INVERSE * _GRADIENT)[0],
        (_DISPLACEMENT.T * _HESSIAN * _DISPLACEMENT)[0],
    ),
    Identity(
        "counterexample-solution",
        r"$f_1=\frac12x_1^2+x_2$, $f_2=\frac12\|x\|^2$: the squared norm of $\nabla f_1+\nabla "
        r"f_2=(2x_1,1+x_2)$ vanishes at $x^\star=(0,-1)$ only.",
        ((_x1 + _x1) ** 2 + (1 + _x2) ** 2).subs({_x1: 0, _x2: -1}),
        Integer(0),
    ),
    Identity(
        "counterexample-limit",
        r"With $P_1=\mathrm{Diag}(1,0)$ the methods follow $P_1\nabla f_1+\nabla f_2=(2x_1,x_2)$ instead, "
        r"which vanishes at $(0,0)$ only: an error of 1.",
        ((_x1 + _x1) ** 2 + _x2**2).subs({_x1: 0, _x2: 0}),
        Integer(0),
    ),
)

_L = ((2, 1), (1, 2))
_L_INVERSE = ((Rational(2, 3), Rational(-1, 3)), (Rational(-1, 3), Rational(2, 3)))
_HALF_L = ((1, Rational(1, 2)), (Rational(1, 2), 1))

_MUTANTS = (
    Mutant(
        "no-range-check",
        r"Drop A3 and run the method on the counterexample: its limit is $(0,0)$, at distance 1 from "
        r"$x^\star$.",
        ("run",),
    ),
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

CLAIM = Claim(
    id="squant/range",
    paper=PAPER,
    kind="upper",
    provenance="derived",
    title="Co-coercivity in the matrix norm and the range condition",
    statement=(
        r"Let $f$ be convex, differentiable and $\mathbf L$-smooth, $f(x)\le f(y)+\langle\nabla "
        r"f(y),x-y\rangle+\frac12\|x-y\|_{\mathbf L}^2$ (A1). Then $\nabla f(x)-\nabla "
        r"f(y)\in\mathrm{range}(\mathbf L)$ and $$\|\nabla f(x)-\nabla f(y)\|_{\mathbf "
        r"L^+}^2\le2D_f(x,y),\qquad D_f(x,y)=f(x)-f(y)-\langle\nabla f(y),x-y\rangle,$$ with equality for "
        r"quadratics with Hessian $\mathbf L$. The condition $\nabla f_i(x)\in\mathrm{range}(\mathbf L_i)$ "
        r"(A3) does not follow: for $f_1=\frac12x_1^2+x_2$, $\mathbf L_1=\mathrm{Diag}(1,0)$, "
        r"$f_2=\frac12\|x\|^2$ the solution is $(0,-1)$, but DCGD+ without any compression converges to "
        r"$(0,0)$."
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
    derivation=(*_COCOERCIVITY, *_RANGE, *_EXAMPLES),
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
        WorstCase(
            r"A3 violated, $f_1=\frac12x_1^2+x_2$, $f_2=\frac12\|x\|^2$: the limit is at distance 1 from "
            r"$x^\star$",
            {
                "matrices": (((1, 0), (0, 0)), ((1, 0), (0, 1))),
                "linear": ((0, 1), (0, 0)),
                "solution": (0, -1),
                "limit": (0, 0),
            },
            Integer(1),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BREGMAN,
    exact=_COCOERCIVE,
    formulas={"gradient_norm": _COCOERCIVE, "twice_bregman": _BREGMAN},
)
