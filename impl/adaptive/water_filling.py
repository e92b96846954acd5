"""Keep-probabilities of the best unbiased sparsifier of an expected size (arXiv 2003.06377)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from impl.adaptive.sorted_gradient import Array, SortedGradient
from impl.errors import ArgumentError


def omegas(sorted_g: SortedGradient) -> Array:
    r"""Return $\omega_T=\max\|g\|^2/\sum_jg_j^2/p_j$ over $\sum p\le T$ for all whole T up to the nonzeros.

    $\omega_T=A_d/(A_k+(S_d-S_k)^2/(T-k))$ with the k largest entries kept surely; k grows with T, so one
    sweep finds all.
    """
    if sorted_g.exact:
        return _swept(sorted_g)
    m = sorted_g.nonzeros
    sizes, energies = sorted_g.sizes[:m], sorted_g.energies[:m]
    tails = np.cumsum(sizes[::-1])[::-1]  # S_d - S_k, from the small end: no cancellation
    # T leaves exactly k entries certain up to k + (S_d - S_k) / |g|_(k+1), which grows with k.
    last = np.arange(m) + tails / sizes
    ends = np.minimum(np.floor(last * (1 + 1e-15)), m).astype(np.int64)
    certain = np.cumsum(np.bincount(ends, minlength=m + 1))[:m]  # k of T = 1, ..., m
    certain = np.minimum(certain, m - 1)
    before = np.concatenate(([0.0], energies))[certain]
    return np.asarray(energies[-1] / (before + tails[certain] ** 2 / (np.arange(1, m + 1) - certain)))


def _swept(sorted_g: SortedGradient) -> Array:
    """Return the same by a pointer that never goes back."""
    m, sizes = sorted_g.nonzeros, sorted_g.sizes
    found = np.empty(m, dtype=object)
    k, tail, head = 0, sum(sizes[:m], Fraction(0)), Fraction(0)
    for T in range(1, m + 1):
        while sizes[k] * (T - k) > tail:
            tail -= sizes[k]
            head += sizes[k] ** 2
            k += 1
        found[T - 1] = sorted_g.energies[m - 1] / (head + tail * tail / (T - k))
    return found


def keep_probabilities(g: Any, size: Any) -> Array:
    r"""Return $p_j=\min(1,c|g_j|)$ with $\sum p=T$, (d,): the water-filling optimum.

    Args:
        g: Gradient, (d,); a list with a Fraction selects exact arithmetic.
        size: T, a real number from above 0 to the number of nonzeros.

    Raises:
        ArgumentError: T out of range.
    """
    sorted_g = SortedGradient(g, "keep_probabilities")
    m = sorted_g.nonzeros
    if not 0 < size <= m:
        raise ArgumentError(
            f"keep_probabilities: size={size!r} must be above 0 and at most {m}, the number of nonzeros"
        )
    sizes = sorted_g.sizes[:m]
    if sorted_g.exact:
        values = [abs(Fraction(item)) for item in g]
        k, tail = 0, sum(sizes, Fraction(0))
        while sizes[k] * (Fraction(size) - k) > tail:
            tail -= sizes[k]
            k += 1
        level = (Fraction(size) - k) / tail
        return np.array([min(Fraction(1), level * item) for item in values], dtype=object)
    tails = np.cumsum(sizes[::-1])[::-1]
    k = int(np.argmax(sizes * (size - np.arange(m)) <= tails * (1 + 1e-15)))
    magnitudes = np.abs(np.asarray(g, dtype=np.float64))
    scaled = np.ldexp(magnitudes, -sorted_g.exponent) if sorted_g.exponent else magnitudes
    return np.asarray(np.minimum(1.0, scaled * ((size - k) / tails[k])))
