r"""The problem of `cat/finding-distance-grows` and its first phase: steps on the largest entry alone.

$F=\frac12x^\top Mx+c\,h_\tau(v^\top x)$ far from the kink: a quadratic and the constant pull $c\tau v$.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

_FRESH = 100_000
"""The gradient is computed anew after so many updates, so that round-off does not add up."""


@dataclass(frozen=True)
class NestedProblem:
    r"""$M=\sum_{j<d-1}q^jr_jr_j^\top$, $r_j=(-1,\dots,-1,1+\eta,0,\dots)$, and the start $e_1$.

    Args:
        d: Dimension.
        q: Ratio of the scales.
        eta: Excess of the last entry of $r_j$.
        pull: $c\tau$, slope of the Huber term.
        signs: Signs of the coordinates.
    """

    d: int
    q: float
    eta: float
    pull: float
    signs: tuple[int, ...] = ()

    @cached_property
    def _signs(self) -> Any:
        return np.array(self.signs or (1,) * self.d, dtype=np.float64)

    @cached_property
    def matrix(self) -> Any:
        """Return M, (d, d)."""
        found = np.zeros((self.d, self.d))
        for j in range(self.d - 1):
            r = np.zeros(self.d)
            r[: j + 1], r[j + 1] = -1, 1 + self.eta
            found += self.q**j * np.outer(r * self._signs, r * self._signs)
        return found

    @cached_property
    def kernel(self) -> Any:
        """Return v, the unit vector with M v = 0, (d,)."""
        z = [1.0]
        for _ in range(self.d - 1):
            z.append(sum(z) / (1 + self.eta))
        return np.array(z) / np.linalg.norm(z) * self._signs

    @cached_property
    def L(self) -> float:
        """Return the largest eigenvalue of M, the smoothness constant for every c up to it."""
        return float(np.linalg.eigvalsh(self.matrix)[-1])

    @property
    def start(self) -> Any:
        """Return e_1, at distance 1 of the solution 0."""
        return np.eye(self.d)[0] * self._signs

    def gradient(self, x: Any) -> Any:
        """Return the gradient where v^T x is above tau."""
        return self.matrix @ x + self.pull * self.kernel

    def after_each_step(self, steps: int) -> Any:
        """Return the point after `steps` steps on the largest entry (the first of equals), (d,)."""
        M, rate, x = self.matrix.tolist(), 1 / self.L, self.start.tolist()
        for done in range(0, steps, _FRESH):
            g = self.gradient(np.array(x)).tolist()
            for _ in range(min(_FRESH, steps - done)):
                sizes = [abs(item) for item in g]
                i = sizes.index(max(sizes))
                move = g[i] * rate
                x[i] -= move
                g = [item - move * m for item, m in zip(g, M[i], strict=True)]
        return np.array(x)

    def after_leaps(self, steps: int) -> Any:
        """Return the same point; steps on one coordinate that follow each other are taken at once.

        While only x_i moves, g_i falls by the factor 1 - M_ii / L a step, and all other entries of g are
        affine in g_i; so it is known in advance when another one becomes the largest.
        """
        M, x, done = self.matrix, self.start, 0
        while done < steps:
            g = self.gradient(x)
            i = int(np.argmax(np.abs(g)))
            if g[i] == 0:
                break
            factor = 1 - float(M[i, i]) / self.L
            count = min(steps - done, _steps_until_overtaken(g, M[i] / M[i, i], i, factor))
            x[i] -= g[i] / M[i, i] * (1 - factor**count)
            done += count
        return x

    def after_all_entries(self, steps: int) -> Any:
        """Return the point after `steps` steps of gradient descent, from the eigenvectors of M."""
        values, vectors = np.linalg.eigh(self.matrix)
        shrunk = np.clip(1 - values / self.L, 0.0, 1.0) ** steps
        along = self.pull / self.L * steps
        return vectors @ (shrunk * (vectors.T @ self.start)) - along * self.kernel


def _steps_until_overtaken(g: Any, ratios: Any, i: int, factor: float) -> int:
    """Return after how many steps on x_i another entry of g is larger than g_i.

    With s = factor^n, g_i becomes s g_i and g_j becomes A_j + s B_j.
    """
    if factor <= 0:
        return 1
    size = abs(float(g[i]))
    B = ratios * g[i]
    A = g - B
    reached = 0.0
    for j in range(len(g)):
        for sign in (1, -1) if j != i else ():
            room = size - sign * B[j]
            if sign * A[j] > 0 and room > 0:
                reached = max(reached, float(sign * A[j] / room))
    if reached <= 0:
        return 10**18
    return max(1, math.ceil(math.log(min(reached, 1.0)) / math.log(factor)))
