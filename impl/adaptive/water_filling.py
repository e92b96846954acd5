"""Keep-probabilities of the best unbiased sparsifier of an expected size (arXiv 2003.06377)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from impl.adaptive.sorted_gradient import CHUNK, Array, SortedGradient
from impl.arguments import is_real
from impl.compressors.sparse.water_level import surely_kept
from impl.errors import ArgumentError

_ROUND_OFF = 1e-15
"""Relative round-off by which a size may pass the one at which a further entry becomes sure."""

_LEAST = math.ulp(0.0)


def omegas(sorted_g: SortedGradient) -> Array:
    r"""Return $\omega_T=\max\|g\|^2/\sum_jg_j^2/p_j$ over $\sum p\le T$ for all whole T up to the nonzeros.

    $\omega_T=A_d/(A_k+(S_d-S_k)^2/(T-k))$ with the k largest entries kept surely; k grows with T, so one
    sweep finds all.
    """
    if sorted_g.exact:
        return _swept(sorted_g)
    m = sorted_g.nonzeros
    found, energies, tails = np.empty(m), sorted_g.energies, sorted_g.tails
    certain = _sure_entries(sorted_g)
    for first in range(0, m, CHUNK):
        k = certain[first : first + CHUNK]
        part = found[first : first + CHUNK]
        np.take(tails, k, out=part, mode="clip")  # all are in range; to look for others takes a copy
        np.multiply(part, part, out=part)
        part /= np.arange(first + 1, first + 1 + len(k)) - k
        part += np.where(k > 0, energies[k - 1], 0.0)
        np.divide(energies[m - 1], part, out=part)
    return found


def _sure_entries(sorted_g: SortedGradient) -> Array:
    """Return the number k of entries that are kept surely, for T = 1, ..., m.

    T leaves exactly k entries certain up to k + (S_d - S_k) / |g|_(k+1), which grows with k.
    """
    m, sizes, tails = sorted_g.nonzeros, sorted_g.sizes, sorted_g.tails
    counts = np.zeros(m + 1, dtype=np.int64)  # how many k end at a size
    for first in range(0, m, CHUNK):
        last = tails[first : first + CHUNK] / sizes[first : first + CHUNK][: m - first]
        last += np.arange(first, first + len(last))
        last *= 1 + _ROUND_OFF
        np.minimum(last, m, out=last)
        ends = last.astype(np.int64)
        low = int(ends.min())  # round-off can swap the ends of equal entries
        if low == m:
            break  # all further ones end there, too
        found = np.bincount(ends - low)
        counts[low : low + len(found)] += found
    certain = np.cumsum(counts[:m], out=counts[:m])
    return np.minimum(certain, m - 1, out=certain)


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
    if not ((is_real(size) or isinstance(size, Fraction)) and 0 < size <= sorted_g.nonzeros):
        raise ArgumentError(
            f"keep_probabilities: size={size!r} must be above 0 and at most {sorted_g.nonzeros}, the number "
            "of nonzeros"
        )
    return filled(sorted_g, g, size)


def filled(sorted_g: SortedGradient, g: Any, size: Any) -> Array:
    """Return the same for a gradient that is sorted already, without a look at the size."""
    sizes = sorted_g.sizes[: sorted_g.nonzeros]
    T = Fraction(size) if sorted_g.exact else size
    k = surely_kept(sizes, sorted_g.tails, T)
    level = (T - k) / sorted_g.tails[k]
    if sorted_g.exact:
        return np.array([min(Fraction(1), level * abs(Fraction(item))) for item in g], dtype=object)
    return _chances(sorted_g, g, level)


def filled_for(sorted_g: SortedGradient, g: Array, sizes: Array) -> Array:
    """Return `filled` of floats for several whole sizes at once, (S,) to (S, d), the same numbers."""
    m, tails = sorted_g.nonzeros, sorted_g.tails
    stays = sorted_g.sizes[:m] * (sizes[:, None] - np.arange(m)) <= tails * (1 + _ROUND_OFF)
    k = np.argmax(stays, axis=1)  # the last one always stays
    return _chances(sorted_g, g, ((sizes - k) / tails[k])[:, None])


def _chances(sorted_g: SortedGradient, g: Any, level: Any) -> Array:
    """Return min(1, level |g_j|) of floats, for a level or a column of levels."""
    p = np.abs(np.asarray(g, dtype=np.float64))
    if sorted_g.exponent:
        np.ldexp(p, -sorted_g.exponent, out=p)
    p = p * level if np.ndim(level) else np.multiply(p, level, out=p)
    if not p.all():
        p[(p == 0) & (np.asarray(g) != 0)] = _LEAST  # an entry of the gradient is never dropped for good
    return np.asarray(np.minimum(p, 1.0, out=p))
