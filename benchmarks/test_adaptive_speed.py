"""Rules that choose compressors on a million entries, against the sort that each of them contains."""

import numpy as np
import pytest

from benchmarks.targets import Known
from impl.adaptive import SortedGradient, cat_s, cat_st, keep_probabilities
from impl.communication import PRESETS, Affine

ENTRIES = 10**6
# Required: the rule may take this many times as long as its sort.
LARGEST = {"cat_s": 1.3, "cat_st": 3.0}
KNOWN = {"cat_s": Known("passes", wide=1.87, narrow=1.38), "cat_st": Known("passes", wide=6.38, narrow=5.85)}
LINKS = {"affine": Affine(1, 624), "dear-messages": Affine(1, 10**6), "eth": PRESETS["eth"]}

pytestmark = pytest.mark.usefixtures("one_thread")


def gradient(name):
    normal = np.random.default_rng(0).standard_normal(ENTRIES)
    return normal if name == "normal" else normal / np.arange(1, ENTRIES + 1)


def contained_sort(g):
    magnitudes = -np.abs(g)
    magnitudes.sort()
    return magnitudes


def largest_share_per_cost(g, cost):
    """Return the efficiency of the largest entries by a plain scan of all sizes."""
    energies = np.cumsum(contained_sort(g) ** 2)
    return (energies / energies[-1] / cost(np.arange(1, len(g) + 1) * 52)).max()


def measure(cpu_ratio, require, rule, g, cost):
    measured = cpu_ratio(lambda: rule(g, cost), lambda: contained_sort(g))
    name = rule.__name__
    print(f"\n{name}: {measured.a_ms:.1f} ms, its sort {measured.b_ms:.1f} ms: {measured.ratio:.2f}")
    require(measured.ratio, LARGEST[name], KNOWN[name], what="sorts")


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("kind", ["normal", "steep"])
def test_largest_entries(cpu_ratio, require, kind, link):
    g, cost = gradient(kind), LINKS[link]
    # Gate: the best of all sizes, so that no candidate is fast because it does less.
    assert cat_s(g, cost).efficiency == pytest.approx(largest_share_per_cost(g, cost), rel=1e-9)
    measure(cpu_ratio, require, cat_s, g, cost)


@pytest.mark.parametrize("link", ["affine", "dear-messages"])
@pytest.mark.parametrize("kind", ["normal", "steep"])
def test_random_entries(cpu_ratio, require, kind, link):
    g, cost = gradient(kind), LINKS[link]
    choice = cat_st(g, cost)
    # Gate: the chances have the stated size and share, and the sizes beside it are no better.
    p = choice.compressor.probabilities
    assert p.sum() == pytest.approx(choice.size, rel=1e-9)
    assert choice.share == pytest.approx((g @ g) / (g * g / p).sum(), rel=1e-9)
    for size in (choice.size - 1, choice.size + 1, 2 * choice.size):
        if 0 < size <= ENTRIES:
            other = (g @ g) / (g * g / keep_probabilities(g, size)).sum() / cost(size * 52)
            assert other <= choice.efficiency * (1 + 1e-9)
    measure(cpu_ratio, require, cat_st, g, cost)


def test_record_of_the_sorted_gradient(cpu_ratio):
    # What checking and scaling add to the sort: recorded, no target.
    g = gradient("normal")
    measured = cpu_ratio(lambda: SortedGradient(g, "benchmark"), lambda: contained_sort(g))
    print(f"\nsorted gradient {measured.a_ms:.1f} ms, sort {measured.b_ms:.1f} ms: {measured.ratio:.2f}")
    assert measured.ratio < LARGEST["cat_s"]
