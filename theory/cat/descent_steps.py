r"""Steps that the claims on descent share: one step of top-T gradient descent, and sums of it.

Symbols: $\delta_k=F(x_k)-F^\star$, $G_k=\|\nabla F(x_k)\|^2$, $s_k$ the guaranteed share of iteration k
($\alpha_k$ here; the same steps hold for $\beta_k$). Three iterations are written out.
"""

from sympy import Expr, Integer, Symbol, exp, symbols

from theory.cat.symbols import Delta_0, G, L, gamma, mu
from theory.old_steps import Certificate, ScalarLemma, StandardFact, Term

ROUNDS = 3
"""Iterations that are written out."""

R = Symbol("R", positive=True)
share = Symbol("s", nonnegative=True)
gap, next_gap = symbols("delta delta_+", positive=True)
shares = symbols("s_0:3", positive=True)
_gaps = symbols("delta_1:4", nonnegative=True)
_Gs = symbols("G_0:3", nonnegative=True)
_least = Symbol("G_min", nonnegative=True)
_factors = symbols("rho_0:3", nonnegative=True)
_heights = symbols("y_0:4", positive=True)

# One point x with gradient g, of which the first two coordinates are sent.
_F, _F_next = symbols("F F_+", real=True)
_gs = symbols("g_1:4", real=True)
_SENT = 2

EXPONENTIAL = StandardFact(
    "exponential",
    r"$1-x\le e^{-x}$ for real $x$.",
    "W. Rudin, Principles of Mathematical Analysis, 3rd ed., theorem 8.6",
)

# Real symbols in the lemma: with a sign in the symbol sympy would swallow the hypothesis.
_b = Symbol("b", nonnegative=True)

RECIPROCAL = ScalarLemma(
    "reciprocal",
    r"$\delta_+\le\delta-b\delta^2$ gives $\frac1{\delta_+}\ge\frac1\delta+b$ for positive $\delta$, "
    r"$\delta_+$ and $b\ge0$.",
    (next_gap <= gap - _b * gap**2,),
    1 / next_gap >= 1 / gap + _b,
    (
        Term((1 + _b * gap) / (gap * next_gap), gap - _b * gap**2 - next_gap, "the hypothesis"),
        Term(_b**2 * gap**2 / next_gap, Integer(1), "one"),
    ),
)


def sent(size: int) -> tuple[Expr, ...]:
    """Return g with all but its first `size` coordinates replaced by 0."""
    return tuple(item if place < size else Integer(0) for place, item in enumerate(_gs))


def squares() -> tuple[Expr, ...]:
    """Return the squares of the three coordinates of g."""
    return tuple(item**2 for item in _gs)


def descent(name: str, decrease: Expr, step: Expr = gamma) -> Certificate:
    r"""Return $F(x-\gamma q)\le F(x)-$ `decrease` for q the two sent of three coordinates.

    Args:
        name: Name of the step.
        decrease: Stated decrease at these coordinates.
        step: The step size.
    """
    q = sent(_SENT)
    inner = sum(item * other for item, other in zip(_gs, q, strict=True))
    square = sum(item**2 for item in q)
    return Certificate(
        name,
        r"$F(x-\gamma q)\le F(x)-\gamma\langle g,q\rangle+\frac{L\gamma^2}2\|q\|^2$ is the stated decrease "
        r"(shown for 2 of 3 coordinates).",
        _F_next,
        _F - decrease,
        (
            Term(
                Integer(1),
                _F - step * inner + L * step**2 / 2 * square - _F_next,
                "hypothesis: F(y) <= F(x) + <g, y - x> + (L/2) |y - x|^2, since grad F is L-Lipschitz",
            ),
        ),
    )


def guaranteed(name: str = "descent") -> Certificate:
    r"""Return the step $\delta_+\le\delta-\frac s{2L}\|g\|^2$ at $\gamma=1/L$, s the share that is sent."""
    kept = sum(item**2 for item in sent(_SENT)) / sum(squares())
    return descent(name, kept * sum(squares()) / (2 * L), 1 / L)


def summed(bound: Expr, because: str) -> Certificate:
    r"""Return $\min_kG_k\le$ `bound` from the descent of three iterations.

    Args:
        bound: Stated bound with the sum of `shares` for $\Sigma$.
        because: Name of the descent step.
    """
    total, before = sum(shares), (Delta_0, *_gaps[:-1])
    return Certificate(
        "summed",
        r"The sum of $\delta_{k+1}\le\delta_k-\frac{s_k}{2L}G_k$ gives the stated bound on $\min_kG_k$ "
        rf"(shown for {ROUNDS} iterations; each adds the same two terms).",
        _least,
        bound,
        (
            *(
                Term(2 * L / total, first - s * square / (2 * L) - second, because)
                for first, second, s, square in zip(before, _gaps, shares, _Gs, strict=True)
            ),
            *(
                Term(s / total, square - _least, "hypothesis: G_min is the smallest of the G_k")
                for s, square in zip(shares, _Gs, strict=True)
            ),
            Term(2 * L / total, _gaps[-1], "a gap"),
        ),
    )


def contracted(because: str) -> Certificate:
    r"""Return $\delta_+\le(1-s\mu/L)\delta$ under the Polyak-Łojasiewicz inequality."""
    return Certificate(
        "contraction",
        r"$\|g\|^2\ge2\mu\delta$ turns the descent into $\delta_+\le(1-\frac{s\mu}L)\delta$.",
        next_gap,
        (1 - share * mu / L) * gap,
        (
            Term(Integer(1), gap - share * G / (2 * L) - next_gap, because),
            Term(share / (2 * L), G - 2 * mu * gap, "hypothesis: the Polyak-Łojasiewicz inequality"),
        ),
    )


def multiplied(bound: Expr) -> Certificate:
    r"""Return $\delta_3\le$ `bound`, the product, with the factors $\rho_k=1-s_k\mu/L\ge0$ for the shares.

    Args:
        bound: Stated product with $s_k=(1-\rho_k)L/\mu$, see `from_factors`.
    """
    before = (Delta_0, *_gaps[:-1])
    later = (_factors[1] * _factors[2], _factors[2], Integer(1))
    return Certificate(
        "product",
        r"The contractions multiply, since their factors $\rho_k=1-\frac{s_k\mu}L$ are nonnegative (shown "
        rf"for {ROUNDS} iterations; each multiplies by one factor).",
        _gaps[-1],
        bound,
        tuple(
            Term(rest, factor * first - second, "contraction")
            for rest, factor, first, second in zip(later, _factors, before, _gaps, strict=True)
        ),
    )


def from_factors() -> tuple[Expr, ...]:
    r"""Return the shares that have the factors $\rho_k$."""
    return tuple((1 - factor) * L / mu for factor in _factors)


def exponentially(product: Expr, bound: Expr) -> Certificate:
    r"""Return `product` $\le$ `bound`, the exponential form, at `shares` and their sum."""
    x = tuple(s * mu / L for s in shares)
    kept, larger = tuple(1 - item for item in x), tuple(exp(-item) for item in x)
    # The factors of Delta_0 in each term are nonnegative where the shares are at most L / mu.
    small = symbols("rho_0:2", nonnegative=True)
    values = {shares[0]: (1 - small[0]) * L / mu, shares[1]: (1 - small[1]) * L / mu}
    multipliers = (larger[1] * larger[2], small[0] * larger[2], small[0] * small[1])
    return Certificate(
        "exponential-form",
        r"The product is at most its exponential form: $\rho_k=1-\frac{s_k\mu}L\le e^{-s_k\mu/L}$ (shown for "
        rf"{ROUNDS} iterations).",
        product.xreplace(values),
        bound.xreplace(values),
        tuple(
            Term(Delta_0 * rest.xreplace(values), (e - factor).xreplace(values), "exponential")
            for rest, e, factor in zip(multipliers, larger, kept, strict=True)
        ),
    )


def convexly(because: str) -> Certificate:
    r"""Return $\delta_+\le\delta-\frac{s\delta^2}{2LR^2}$ for convex F."""
    return Certificate(
        "convex-step",
        r"$\delta\le\langle g,x-x^\star\rangle\le R\|g\|$ turns the descent into "
        r"$\delta_+\le\delta-\frac{s\delta^2}{2LR^2}$.",
        next_gap,
        gap - share * gap**2 / (2 * L * R**2),
        (
            Term(Integer(1), gap - share * G / (2 * L) - next_gap, because),
            Term(
                share / (2 * L * R**2),
                R**2 * G - gap**2,
                "hypothesis: F is convex, and R bounds the distance of the level set to the solutions",
            ),
        ),
    )


def started() -> Certificate:
    r"""Return $\frac2{LR^2}\le\frac1{\delta_0}$."""
    return Certificate(
        "start",
        r"$\delta_0\le\frac L2R^2$, so $\frac1{\delta_0}\ge\frac4{2LR^2}$.",
        2 / (L * R**2),
        1 / gap,
        (
            Term(
                2 / (L * R**2 * gap),
                L * R**2 / 2 - gap,
                "hypothesis: F is L-smooth with gradient 0 at its solutions",
            ),
        ),
    )


def reciprocated(bound: Expr) -> Certificate:
    r"""Return $1/$`bound` $\le y_3$ for the reciprocals $y_k=1/\delta_k$.

    Args:
        bound: Stated bound with the sum of `shares` for $\Sigma$.
    """
    return Certificate(
        "convex-rate",
        r"The reciprocals $y_k=1/\delta_k$ grow by $\frac{s_k}{2LR^2}$ each, so $1/\delta_K$ is at least the "
        rf"reciprocal of the stated bound (shown for {ROUNDS} iterations; each adds the same term).",
        1 / bound,
        _heights[-1],
        (
            Term(Integer(1), _heights[0] - 2 / (L * R**2), "start"),
            *(
                Term(
                    Integer(1),
                    second - first - s / (2 * L * R**2),
                    "reciprocal, convex-step",
                )
                for first, second, s in zip(_heights[:-1], _heights[1:], shares, strict=True)
            ),
        ),
    )
