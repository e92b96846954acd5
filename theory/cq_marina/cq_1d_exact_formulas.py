"""Formulas of `cq_marina/cq-1d-exact` as claims of the old form use them."""

from types import SimpleNamespace

from sympy import Eq, Expr, Max, Min, Ne, Piecewise, Sum, floor

from theory.cq_marina.symbols import c, i, k, l, n, y


def covariance_kernel(s: Expr, t: Expr) -> Expr:
    """Return K(s, t) = min(s, t) (1 - max(s, t))."""
    return Min(s, t) * (1 - Max(s, t))


def _cell(client: Expr) -> Expr:
    return floor(n * y[client])


def _fraction(client: Expr) -> Expr:
    return n * y[client] - _cell(client)


def _share(client: Expr) -> Expr:
    return Max(0, Min(1, n * y[client] - k))


def _total(term: Expr, *indices: Expr) -> Expr:
    return Sum(term, *((index, 0, n - 1) for index in indices))


_COLUMN = _total(c[l] * _share(l), l) / n
_MEAN = _total(c[l] * y[l], l) / n
_EXACT = (
    _total((c[i] * _share(i) - c[i] * y[i] - _COLUMN + _MEAN) ** 2, k, i) / (n - 1)
    + _total(c[i] ** 2 * _fraction(i) * (1 - _fraction(i)), i) / n
)
_SAME_CELL = Eq(_cell(i), _cell(l))
_WITHIN = covariance_kernel(_fraction(i), _fraction(l))
_COVARIANCE = -(covariance_kernel(y[i], y[l]) - Piecewise((_WITHIN, _SAME_CELL), (0, True)) / n) / (n - 1)
_PAIRWISE = _total(c[i] ** 2 * y[i] * (1 - y[i]), i) + 2 * Sum(
    c[i] * c[l] * _COVARIANCE, (l, 0, i - 1), (i, 1, n - 1)
)
_DISTANCE = abs(y[i] - y[l])
_EQUAL = _total(_DISTANCE * (1 - _DISTANCE), l, i) / (2 * n**2 * (n - 1)) + _total(
    Piecewise((_WITHIN, _SAME_CELL & Ne(i, l)), (0, True)), l, i
) / (n**3 * (n - 1))
_FORMULAS = {
    "share": _share(i),
    "covariance": _COVARIANCE,
    "pairwise": _PAIRWISE,
    "equal": _EQUAL,
    "identical": _fraction(i) * (1 - _fraction(i)) / n**2,
}
EXACT = SimpleNamespace(formulas=_FORMULAS, expressions={"exact": _EXACT, **_FORMULAS})
