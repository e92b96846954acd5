"""Singular value decompositions: by LAPACK, literally in floats, and exactly where it is rational."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError

Array = npt.NDArray[Any]

_EPSILON = 2.0**-52
_SWEEPS = 60  # of rotations; convergence is quadratic and takes about ten


def singular_triples(matrices: Array) -> tuple[Array, Array, Array]:
    """Return singular values and vectors (..., r), (..., r, m), (..., r, n) of (..., m, n), in float64.

    A value that is rounding of zero, below max(m, n) units in the last place of the largest one, is zero, and
    so are its vectors.
    """
    exponent = np.frexp(np.abs(matrices).max(axis=(-2, -1), keepdims=True))[1]
    u, s, v = np.linalg.svd(np.ldexp(matrices.astype(np.float64), -exponent), full_matrices=False)
    s = np.where(s > s[..., :1] * (_EPSILON * max(matrices.shape[-2:])), s, 0.0)
    present = s[..., None] > 0
    left = np.where(present, np.swapaxes(u, -1, -2), 0.0)
    return np.ldexp(s, exponent[..., 0]), left, np.where(present, v, 0.0)


Triple = tuple[Any, list[Any], list[Any]]


def literal_triples(rows: list[list[float]]) -> list[Triple]:
    """Return (value, left, right) of all singular values that are not zero, falling, by Jacobi's rotations.

    Columns are rotated in pairs until all are orthogonal: their lengths are the values (Hestenes 1958).
    """
    exponent = math.frexp(max(abs(item) for row in rows for item in row))[1]
    a = [[math.ldexp(item, -exponent) for item in row] for row in rows]
    m, n = len(a), len(a[0])
    v = [[float(i == j) for j in range(n)] for i in range(n)]
    for _ in range(_SWEEPS):
        turned = False
        for p in range(n):
            for q in range(p + 1, n):
                alpha = math.fsum(row[p] * row[p] for row in a)
                beta = math.fsum(row[q] * row[q] for row in a)
                gamma = math.fsum(row[p] * row[q] for row in a)
                if abs(gamma) <= _EPSILON * math.sqrt(alpha * beta):
                    continue
                turned = True
                zeta = (beta - alpha) / (2 * gamma)
                t = math.copysign(1, zeta) / (abs(zeta) + math.hypot(1, zeta))
                c = 1 / math.hypot(1, t)
                for row in a + v:
                    row[p], row[q] = c * (row[p] - t * row[q]), c * (t * row[p] + row[q])
        if not turned:
            break
    lengths = [math.sqrt(math.fsum(row[j] * row[j] for row in a)) for j in range(n)]
    least = max(lengths) * _EPSILON * max(m, n)
    order = sorted((j for j in range(n) if lengths[j] > least), key=lambda j: -lengths[j])
    return [
        (math.ldexp(lengths[j], exponent), [row[j] / lengths[j] for row in a], [row[j] for row in v])
        for j in order
    ]


def rational_atoms(rows: list[list[Fraction]], where: str) -> list[tuple[Fraction, list[Fraction]]]:
    """Return (value, value times left right^T, row by row) of all singular values that are not zero, falling.

    With the eigenvectors w of A^T A these matrices are A w w^T / ||w||^2: rational where the values are,
    whatever the length of w.

    Raises:
        ArgumentError: A singular value is irrational.
    """
    unit = math.lcm(*(item.denominator for row in rows for item in row))
    a = [[item * unit for item in row] for row in rows]  # a rational singular value of integers is an integer
    n = len(a[0])
    gram = [[sum((row[i] * row[j] for row in a), Fraction(0)) for j in range(n)] for i in range(n)]
    near = {round(s) for s, _, _ in literal_triples([[float(item) for item in row] for row in a])}
    atoms, left = [], sum((gram[i][i] for i in range(n)), Fraction(0))
    for s in sorted(near, reverse=True):
        shifted = [[gram[i][j] - s * s * (i == j) for j in range(n)] for i in range(n)]
        for w in _orthogonal(_null_space(shifted)):
            square = sum(item * item for item in w)
            image = [sum(x * y for x, y in zip(row, w, strict=True)) for row in a]
            atoms.append((Fraction(s, unit), [x * y / (square * unit) for x in image for y in w]))
            left -= s * s
    if left:  # the squares of all singular values sum to that of the norm
        raise ArgumentError(
            f"{where}: a singular value of {[[str(item) for item in row] for row in rows]} is irrational; in "
            "rational mode give a matrix of rational ones, such as ((3, 0), (0, 4))"
        )
    return atoms


def _null_space(a: list[list[Fraction]]) -> list[list[Fraction]]:
    """Return a basis of the vectors that a square matrix maps to zero."""
    a, n = [list(row) for row in a], len(a)
    pivots: list[int] = []
    for column in range(n):
        place = next((i for i in range(len(pivots), n) if a[i][column]), None)
        if place is None:
            continue
        row = len(pivots)
        a[row], a[place] = a[place], a[row]
        a[row] = [item / a[row][column] for item in a[row]]
        for i in range(n):
            if i != row and a[i][column]:
                factor = a[i][column]
                a[i] = [x - factor * y for x, y in zip(a[i], a[row], strict=True)]
        pivots.append(column)
    basis = []
    for free in sorted(set(range(n)) - set(pivots)):
        w = [Fraction(int(j == free)) for j in range(n)]
        for row, column in enumerate(pivots):
            w[column] = -a[row][free]
        basis.append(w)
    return basis


def _orthogonal(basis: list[list[Fraction]]) -> list[list[Fraction]]:
    """Return an orthogonal basis of the same space, without square roots (Gram and Schmidt)."""
    found: list[list[Fraction]] = []
    for w in basis:
        rest = list(w)
        for e in found:
            share = sum((x * y for x, y in zip(w, e, strict=True)), Fraction(0)) / sum(x * x for x in e)
            rest = [x - share * y for x, y in zip(rest, e, strict=True)]
        found.append(rest)
    return found
