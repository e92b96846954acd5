r"""One block and inputs of unit norm: names, hypotheses and lemmas that claims on their variance share."""

from typing import Any

from sympy import IndexedBase, Sum, sqrt, symbols

from theory.claim import Variable
from theory.facts.rounding.rounding import rounding_variance
from theory.facts.rounding.rounding_quadratics import variance_below_quadratic, variance_of_small
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain

d, j, V = symbols("d j V", real=True)
L, h, u = symbols("L h u", cls=IndexedBase, real=True)
COORDINATES = (j, 0, d - 1)


def total(term: Any) -> Sum:
    """Return the sum over all coordinates."""
    return Sum(term, COORDINATES)


TERM = L[j] * h[j] ** 2 * rounding_variance(u[j])
SUBJECT = r"\mathbb E\|Q(x)-x\|_{\mathbf L}^2"

VARIABLES = (
    Variable(d, "d", r"\mathbb N", "number of coordinates"),
    Variable(L, "L", r"\mathbb R^d_{\ge0}", r"diagonal of $\mathbf L$", "(d,)"),
    Variable(h, "h", r"\mathbb R^d_{>0}", "quantization steps", "(d,)"),
    Variable(u, "u", r"\mathbb R^d_{\ge0}", "levels of $x$", "(d,)"),
    Variable(V, SUBJECT, r"\mathbb R_{\ge0}", "variance of quantization at $x$"),
)
HYPOTHESES = {
    "d": domain(r"$d\ge1$ is an integer"),
    "steps": domain(r"$h_j>0$"),
    "levels": domain(r"$u_j\ge0$"),
    "norm": definition(r"$\sum_jh_j^2u_j^2=1$: $x$ has unit norm"),
    "variance": definition(rf"${SUBJECT}=\sum_jL_jh_j^2\{{u_j\}}(1-\{{u_j\}})$", reference="squant/var"),
}
NOTATION = {"x": "an input", "Q": "the quantizer"}


def bounded(K: Any, goal: Any, point: Any, multiplier: Any, at_point: Any, norm: Any) -> Any:
    r"""Return `V <= goal`, the sum of $h_j^2L_jv_j(1-v_j)$, at levels v with $L=2(L+\nu)v$ and norm 1."""
    term = variance_below_quadratic(K, u[j], point, L[j], multiplier, at_point, h[j] ** 2)
    return K.cert(le(V, goal), K.given("variance"), K.sum_over(term, COORDINATES), K.given("norm"), norm)


def valued(K: Any, level: Any, at_level: Any, below_one: Any) -> Any:
    r"""Return that a coordinate adds $L_jh_j^2v(1-v)$, from $u_j=v$ and $v<1$."""
    small = variance_of_small(K, level, below_one)
    return K.cert(eq(TERM, h[j] ** 2 * L[j] * level * (1 - level)), (1, K.put_in(TERM, at_level)), small)


def at_uniform_step(K: Any, step: Any, long: Any, unit: Any, same: Any, equal: Any) -> tuple[Any, Any]:
    r"""Return $V\le h\sqrt d-1$, and equality at equal levels, for one step of which $h\sqrt d\ge2$ is known.

    The levels $1/(h\sqrt d)$ belong to $\nu=\frac12h\sqrt d-1$.

    Args:
        K: The kernel.
        step: The step, known to be positive.
        long: The theorem $2\le h\sqrt d$.
        unit: The theorem $L_j=1$.
        same: The theorem that $h_j$ is the step.
        equal: The theorem that $u_j$ is the level.
    """
    level, nu = 1 / (step * sqrt(d)), step * sqrt(d) / 2 - 1
    spare = K.cert(le(0, nu), long)
    K.know(long, spare, K.cert(le(0, L[j] + nu), spare))
    squares = K.sum_over(summand(K, step, unit, same), COORDINATES)
    norm = K.cert(eq(h[j] ** 2 * level**2, step**2 * level**2), (level**2 * (step + h[j]), same))
    norm = K.cert(eq(total(h[j] ** 2 * level**2), 1), K.sum_over(norm, COORDINATES))
    at_level = K.cert(eq(L[j], 2 * (L[j] + nu) * level), unit)
    upper = bounded(K, total(L[j] * h[j] ** 2) * level * (1 - level), level, nu, at_level, norm)
    upper = K.cert(le(V, step * sqrt(d) - 1), upper, squares)
    below_one = K.cert(lt(level, 1), (level, long), K.sign(lt(0, level)))
    attained = K.cert(
        eq(V, step * sqrt(d) - 1),
        K.given("variance"),
        (1, K.sum_over(valued(K, level, equal, below_one), COORDINATES)),
        squares,
    )
    return upper, attained


def summand(K: Any, step: Any, unit: Any, same: Any) -> Any:
    """Return that L_j h_j^2 is the square of the step, from L_j = 1 and h_j = step."""
    return K.cert(eq(L[j] * h[j] ** 2, step**2), unit, (step + h[j], same))
