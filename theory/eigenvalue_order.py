"""Facts on eigenvalues and on squares of nonnegative numbers that several derivations name."""

from sympy import symbols

from theory.old_steps import Certificate, StandardFact, Term

_f, _s = symbols("f", nonnegative=True), symbols("s", positive=True)

RAYLEIGH = StandardFact(
    "rayleigh",
    r"$v^\top\mathbf Lv\le\lambda_{\max}(\mathbf L)$ for symmetric $\mathbf L$ and unit $v$, with equality "
    r"at a unit eigenvector of the largest eigenvalue; so $\mathbf L_{jj}\le\lambda_{\max}(\mathbf L)$.",
    "R. A. Horn and C. R. Johnson, Matrix Analysis, 2nd ed., theorem 4.2.2",
)

ROOT_MONOTONE = Certificate(
    "root-monotone",
    r"From $f^2\le s^2$ follows $f\le s$ for $f\ge0$, $s>0$.",
    _f,
    _s,
    (Term(1 / (_s + _f), _s**2 - _f**2, "hypothesis: the squares are in this order"),),
)
