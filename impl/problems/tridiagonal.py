"""Quadratics with adjustable Hessian variance: multiples of one tridiagonal matrix, shifted."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from impl.arguments import is_real
from impl.errors import Problems
from impl.problems.quadratic import Quadratic

Array = npt.NDArray[Any]


def tridiagonal(n: int, d: int, *, heterogeneity: float, mu: float, offset: float = 0.0) -> Quadratic:
    r"""Build the deterministic family of claim `cq_marina/tridiag` (arXiv 2401.05518).

    With $z_i=\frac{2i-1}n-1$, $\nu_i=1+\lambda z_i$, $T=\mathrm{tridiag}(-1,2,-1)$,
    $\tau_k=\sin^2\frac{k\pi}{2(d+1)}$ and $s=\mu-\tau_1$: $A_i=\frac{\nu_i}4T+sI$,
    $b_i=\frac{\nu_i}4(-1+\lambda_bz_{n+1-i})e_1$. The $A_i$ commute, with eigenvalues $\nu_i\tau_k+s$; for
    $\lambda>0$ some are indefinite, while their mean has the smallest eigenvalue $\mu$.

    Args:
        n: number of clients.
        d: dimension.
        heterogeneity: $\lambda$ in [0, 1); 0 makes the matrices equal.
        mu: smallest eigenvalue of the mean matrix, at least 0.
        offset: $\lambda_b$, how far the vectors $b_i$ differ.

    Raises:
        ArgumentError: numbers outside these ranges.

    Example:
        >>> tridiagonal(2, 1, heterogeneity=0.5, mu=1.0).matrices.ravel().round(9).tolist()
        [0.875, 1.125]
    """
    problems = Problems("tridiagonal")
    for name, number in (("n", n), ("d", d)):
        whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        problems.require(whole and number >= 1, f"{name}={number!r} must be a whole number, at least 1")
    problems.require(
        is_real(heterogeneity) and 0 <= heterogeneity < 1,
        f"heterogeneity={heterogeneity!r} must be a number of at least 0 and below 1, so that every nu_i is "
        "positive",
    )
    problems.require(
        is_real(mu) and 0 <= mu < np.inf, f"mu={mu!r} must be a finite number of at least 0; 1e-6 is usual"
    )
    problems.require(
        is_real(offset) and np.isfinite(offset), f"offset={offset!r} must be a finite number; 0 is usual"
    )
    problems.raise_if_any()

    places = (2 * np.arange(1, n + 1) - 1) / n - 1
    factors = 1 + heterogeneity * places
    T = 2 * np.eye(d) - np.eye(d, k=1) - np.eye(d, k=-1)
    shift = mu - np.sin(np.pi / (2 * (d + 1))) ** 2
    linear = np.zeros((n, d))
    linear[:, 0] = factors / 4 * (-1 + offset * places[::-1])
    return Quadratic(factors[:, None, None] / 4 * T + shift * np.eye(d), linear, convex=False)
