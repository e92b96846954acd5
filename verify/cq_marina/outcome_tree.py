r"""All outcomes of short MARINA runs with correlated one-bit quantizers on clients with the same Hessian.

The differences of the clients are then equal, so that coordinate j of the estimate is
$r(2(\lfloor ny_j\rfloor+\mathrm{Bern}\{ny_j\})/n-1)$ with $y_j=(1+\Delta_j/r)/2$, independent over j.
"""

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.cq_marina.second_moments import MomentTrace

Array = npt.NDArray[Any]


def equal_input_outcomes(difference: Array, clients: int) -> tuple[Array, Array]:
    """Return probabilities (2^d, m) and estimates (2^d, m, d) when all clients send the vectors (m, d)."""
    d = difference.shape[-1]
    r = np.sqrt(np.einsum("md,md->m", difference, difference))[:, None]
    t = np.divide(difference, r, out=np.zeros_like(difference), where=r > 0)
    level = clients * (1 + np.clip(t, -1, 1)) / 2
    whole = np.floor(level)
    chance = level - whole
    bits = np.array(list(itertools.product((0, 1), repeat=d)))[:, None, :]
    probability = np.where(bits == 1, chance, 1 - chance).prod(axis=-1)
    return probability, r * (2 * (whole + bits) / clients - 1)


def correlated_trace(
    matrix: Any, start: Any, *, clients: int, step_size: float, probability: float, rounds: int
) -> MomentTrace:
    r"""Return the exact expectations of a run on $f_i(x)=\frac12x^\top Ax$ for all clients.

    Args:
        matrix: A, (d, d), symmetric.
        start: x^0, (d,); g^0 is exact.
        clients: n.
        step_size: gamma.
        probability: p.
        rounds: K; the tree has at most (1 + 2^d)^(K - 1) leaves.
    """
    A = np.asarray(matrix, dtype=np.float64)
    x = np.asarray(start, dtype=np.float64)[None]
    g, weight = x @ A, np.ones(1)
    gap, gradient, error = [], [], []
    for k in range(rounds + 1):
        exact = x @ A
        gap.append(weight @ np.einsum("md,md->m", x, exact) / 2)
        gradient.append(weight @ np.einsum("md,md->m", exact, exact))
        error.append(weight @ np.einsum("md,md->m", g - exact, g - exact))
        if k == rounds:
            break
        x = x - step_size * g
        chances, estimates = equal_input_outcomes(-step_size * g @ A, clients)
        g = np.concatenate([(x @ A)[None], g + estimates]).reshape(-1, x.shape[-1])
        weights = np.concatenate([np.full((1, len(x)), probability), (1 - probability) * chances])
        weight = (weights * weight).ravel()
        x = np.tile(x, (1 + len(chances), 1))
        kept = weight > 0
        x, g, weight = x[kept], g[kept], weight[kept]
    return MomentTrace(np.array(gap), np.array(gradient), np.array(error))
