"""Share and cost of all sizes at every iterate of a run, from the definitions and without `impl.adaptive`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.communication import CostModel, sign_entries_bits, sparse_bits
from impl.optimizers import AdaptiveRun
from impl.problems import Logistic
from verify.comparison import ROUNDS, Comparison

Array = npt.NDArray[Any]

NEAR = ROUNDS
"""The rules take the smallest size within 1e-12 of the best; gradients are sums that partly cancel."""
_BLOCK = 256


def alphas(magnitudes: Array) -> Array:
    """Return the shares of the T largest squares, from sorted magnitudes (R, d), the largest first."""
    squares = np.cumsum(magnitudes**2, axis=1)
    return np.asarray(squares / squares[:, -1:])


def betas(magnitudes: Array) -> Array:
    """Return S_T^2 / (T ||g||^2) in the same form."""
    sizes = np.arange(1, magnitudes.shape[1] + 1)
    return np.asarray(np.cumsum(magnitudes, axis=1) ** 2 / (sizes * (magnitudes**2).sum(axis=1)[:, None]))


def omegas(magnitudes: Array) -> Array:
    """Return omega_T in the same form, 1 from the number of nonzeros on."""
    return np.stack([_omega_row(row) for row in magnitudes])


def _omega_row(sizes: Array) -> Array:
    d, T = len(sizes), np.arange(1, len(sizes) + 1)
    k, tails = np.arange(d), np.cumsum(sizes[::-1])[::-1]
    # The least k with |g|_(k+1) (T - k) at most the sum of what follows; k = T - 1 is always one.
    stays = sizes * (T[:, None] - k) <= tails * (1 + 1e-15)
    certain = np.argmax(stays, axis=1)
    heads = np.concatenate([[0.0], np.cumsum(sizes**2)])
    return np.asarray(heads[-1] / (heads[certain] + tails[certain] ** 2 / (T - certain)))


def keep_chances(sizes: Array) -> Array:
    """Return the chances min(1, c |g|_(j)) whose sum is T, sorted magnitudes above 0: (d, d), row T - 1."""
    d = len(sizes)
    found = np.empty((d, d))
    for T in range(1, d + 1):
        k = 0
        while sizes[k] * (T - k) > sizes[k:].sum() * (1 + 1e-15):
            k += 1
        found[T - 1] = np.minimum(1.0, (T - k) / sizes[k:].sum() * sizes)
    return found


def survivors(chances: Array) -> Array:
    """Return the law of the number of survivors for each row of chances, (R, d) to (R, d + 1).

    The characteristic function at the d + 1 roots of unity, inverted: another way than coin after coin.
    """
    d = chances.shape[1]
    roots = np.exp(2j * np.pi * np.arange(d + 1) / (d + 1))
    values = np.ones((len(chances), d + 1), dtype=complex)
    for j in range(d):
        values *= 1 + chances[:, j : j + 1] * (roots - 1)
    return np.asarray(np.fft.fft(values, axis=1).real / (d + 1))


SHARES: dict[str, Callable[[Array], Array]] = {"cat_s": alphas, "cat_sq": betas, "cat_st": omegas}


@dataclass(frozen=True, eq=False)
class AllSizes:
    """What all sizes offer at the K iterates of a run, each (K,).

    Attributes:
        best: Largest share per cost of a size.
        best_size: Such a size.
        own_share: Share of the size that was sent.
        own_cost: Its cost, expected where it is random.
    """

    best: Array
    best_size: Array
    own_share: Array
    own_cost: Array

    @property
    def own(self) -> Array:
        """Return the share per cost of the size that was sent."""
        return np.asarray(self.own_share / self.own_cost)


def size_costs(kind: str, cost: CostModel, d: int) -> Array:
    """Return the costs of messages of 1, ..., d entries: signs for `cat_sq`, else indices and numbers."""
    bits = sign_entries_bits if kind == "cat_sq" else sparse_bits
    return np.asarray(cost(bits(np.arange(1, d + 1), d)), dtype=np.float64)


def all_sizes(problem: Logistic, run: AdaptiveRun, kind: str, cost: CostModel) -> AllSizes:
    """Return share and cost of all sizes at the iterates of a run, gradients anew.

    Args:
        problem: The problem of the run, one node.
        run: One replicate with its iterates.
        kind: Rule whose shares are meant: `cat_s`, `cat_sq` or `cat_st`.
        cost: Cost of payload bits.
    """
    sizes, parts = run.sizes[0, :, 0], []
    for first, magnitudes in _sorted_gradients(problem, run):
        shares, chosen = SHARES[kind](magnitudes), sizes[first : first + len(magnitudes)] - 1
        costs = np.broadcast_to(size_costs(kind, cost, problem.d), shares.shape)
        if kind == "cat_st" and not cost.is_affine:
            costs = np.stack([_expected_costs(row, cost) for row in magnitudes])
        efficiencies, rows = shares / costs, np.arange(len(shares))
        places = efficiencies.argmax(axis=1)
        parts.append((efficiencies[rows, places], places + 1, shares[rows, chosen], costs[rows, chosen]))
    return AllSizes(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _sorted_gradients(problem: Logistic, run: AdaptiveRun) -> Iterator[tuple[int, Array]]:
    """Give the sorted magnitudes of the gradients at the iterates, block by block."""
    assert run.iterates is not None
    for first in range(0, run.rounds, _BLOCK):
        x = run.iterates[0, first : min(first + _BLOCK, run.rounds)]
        yield first, -np.sort(-np.abs(problem.gradients(x)[:, 0]), axis=1)


def _expected_costs(magnitudes: Array, cost: CostModel) -> Array:
    d = len(magnitudes)
    prices = np.concatenate([[float(cost.empty)], size_costs("cat_st", cost, d)])
    return np.asarray(survivors(keep_chances(magnitudes)) @ prices)


def compare_iterates(
    label: str, run: AdaptiveRun, found: AllSizes, *, headline: bool = False
) -> Iterable[Comparison]:
    """Hold the best size against the one that was sent, and what the run says of it, at all iterates."""

    def at(k: int) -> Mapping[str, Any]:
        sent = int(run.sizes[0, k, 0])
        return {"k": k, "iterates": run.rounds, "T": sent, "best": int(found.best_size[k])}

    prefix = f"{label}: " if label else ""
    k = int(np.argmax(found.best / found.own))
    best, own_best = float(found.best[k]), float(found.own[k])
    yield Comparison(f"{prefix}best of all sizes", "le", best, own_best, NEAR, at(k), headline)
    pairs = {"share": (run.shares, found.own_share), "efficiency": (run.efficiencies, found.own)}
    for name, (reported, own) in pairs.items():
        values = reported[0, :, 0]
        k = int(np.argmax(np.abs(values / own - 1)))
        yield Comparison(f"{prefix}{name}", "eq", float(values[k]), float(own[k]), NEAR, at(k))
