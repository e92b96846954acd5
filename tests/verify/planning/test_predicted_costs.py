"""Rounds and costs of the predictions, by hand: steps, constants and bounds as the claims state them.

The nodes have different Hessians, so that L of the mean, the largest L_i and their mean differ.
"""

import math

import numpy as np
import pytest

from impl.communication import dense_bits, sparse_bits
from verify.planning.links import link
from verify.planning.methods import (
    correlated,
    dithered,
    random_entries,
    shifted,
    smoothness_aware,
    unbiased,
    with_memory,
)
from verify.planning.setting import Setting

N, D = 3, 6


def by_hand(made):
    """Return constants from the Hessians and centers alone."""
    H, c = made.problem.matrices, made.problem.linear / made.problem.matrices
    mean = H.mean(axis=0)
    x = made.problem.linear.mean(axis=0) / mean
    gradients = H * (x - c)
    gap = mean @ x**2 / 2
    return {
        "L": mean.max(),
        "mu": mean.min(),
        "L_i": H.max(axis=1),
        "distance": x @ x,
        "gap": gap,
        "squares": (gradients**2).sum(axis=1),
        "target": 2 * made.accuracy * gap / mean.max(),
    }


def rounds_until(bound, target):
    """Return the first count at which a falling bound is at most the target, one after the other."""
    count = 1
    while bound(count) > target:
        count += 1
    return count


def neighbourhood(distance, step, mu, floor):
    return lambda k: (1 - step * mu) ** k * distance + floor


def test_constants_are_those_of_the_hessians(setting):
    made = setting()
    known = by_hand(made)
    assert (made.L, made.mu, made.L_max) == pytest.approx((known["L"], known["mu"], max(known["L_i"])))
    assert len({round(float(item), 6) for item in (made.L, made.L_max, known["L_i"].mean())}) == 3
    assert (made.distance, made.gap) == pytest.approx((known["distance"], known["gap"]))
    assert made.node_gradients == pytest.approx(known["squares"])


@pytest.mark.parametrize("cost", ["payload", "lora51"])
@pytest.mark.parametrize("T", [1, 2, D])
def test_random_entries(setting, T, cost):
    made, price = setting(cost), link(cost)
    known, q = by_hand(made), D / T - 1
    sigma = known["squares"].mean()
    step = 1 / (max(known["L_i"]) * (1 + 2 * q / N))
    if q:
        step = min(step, known["target"] * known["mu"] * N / (4 * q * sigma))

    def bound(k):
        left = (1 - step * known["mu"]) ** k
        return left * known["distance"] + 2 * step * q * sigma / (N * known["mu"]) * (1 - left)

    found = random_entries._fixed(made, T)
    rounds = found.rounds
    assert bound(rounds) <= known["target"] * (1 + 1e-12) < bound(rounds - 1) * (1 + 1e-9)
    prices = [float(price.empty)] + [float(price(int(sparse_bits(k, D)))) for k in range(1, D + 1)]
    hull = max(
        prices[i] if i == j else (prices[i] * (j - T) + prices[j] * (T - i)) / (j - i)
        for i in range(T + 1)
        for j in range(T, D + 1)
    )
    assert found.cost == pytest.approx(rounds * hull, rel=1e-12)


def test_random_entries_run_with_the_step_of_their_bound(setting, monkeypatch):
    import impl.optimizers

    made, seen = setting(), {}

    def recorded(problem, rule, *, step_size, **options):
        seen["step"], seen["choice"] = step_size, rule(np.linspace(1, 2, D))
        raise InterruptedError

    monkeypatch.setattr(impl.optimizers, "cat_gd", recorded)
    fixed, tuned = random_entries.predictions(made)
    for prediction, least in ((random_entries._fixed(made, 2), 2), (tuned, int(tuned.method.split(">=")[1]))):
        with pytest.raises(InterruptedError):
            prediction.run(5, np.random.default_rng(0))
        q = D / least - 1
        step, _ = random_entries._step_and_rounds(made, least)
        assert seen["step"] / (1 + 2 * q / N) == pytest.approx(step, rel=1e-12)
        assert seen["choice"].share == pytest.approx(least / D)
        assert seen["choice"].size >= least
    assert tuned.cost == pytest.approx(tuned.rounds * made.price(int(sparse_bits(D, D))), rel=1e-12)
    assert fixed.cost <= tuned.cost


UNBIASED = {
    "natural compression": (1 / 8, 9 * D),  # a sign and an exponent of float32 each
    "TernGrad": ((math.sqrt(D) - 1) / 2, 32 + 64),  # a norm, and entries in a word
    "rand-2": (D / 2 - 1, 2 * 32),
    # At most: tau, two sure numbers, three gaps of sum seven (2, 2, 3) and a last one of seven alone.
    "greedy entries, T=2": ((D - 1) / 2, 32 + 2 * 32 + 3 * 3 + 5),
}
"""Variance constant and bits of a message."""


def messages(made):
    """Return the messages by their labels."""
    found = [item for family in unbiased.choices(made) for item in family]
    return {item.label: item for item in [*found, unbiased.greedy(made, 2)] if item.label in UNBIASED}


@pytest.mark.parametrize("cost", ["affine", "lora51"])
@pytest.mark.parametrize("name", UNBIASED)
def test_averages_of_unbiased_messages(setting, name, cost):
    made, (q, bits) = setting(cost), UNBIASED[name]
    known = by_hand(made)
    sigma = known["squares"].mean()
    step = 1 / (max(known["L_i"]) * (1 + 2 * q / N))
    step = min(step, known["target"] * known["mu"] * N / (4 * q * sigma))
    floor = 2 * step * q * sigma / (N * known["mu"])
    bound = neighbourhood(known["distance"] - floor, step, known["mu"], floor)
    found = unbiased._averaged(made, messages(made)[name])
    assert unbiased.step_and_rounds(made, q)[0] == pytest.approx(step, rel=1e-12)
    assert bound(found.rounds) <= known["target"] * (1 + 1e-12) < bound(found.rounds - 1) * (1 + 1e-9)
    price = made.mean_price(bits) if name.startswith("greedy") else float(link(cost)(bits))
    assert (found.bits, found.cost) == (bits, pytest.approx(found.rounds * price, rel=1e-12))


@pytest.mark.parametrize("cost", ["affine", "lora51"])
@pytest.mark.parametrize("name", ["natural compression", "TernGrad", "rand-2"])
def test_shifts_with_unbiased_messages(setting, name, cost):
    made, (q, bits) = setting(cost), UNBIASED[name]
    known = by_hand(made)
    alpha = 1 / (1 + q)
    gamma = 1 / (known["L"] + 6 * q * max(known["L_i"]) / N)
    # q L_i times ||grad f_i(x*)||^2 / L_i, in the mean over the nodes.
    start = known["distance"] + 4 * gamma**2 * q * known["squares"].mean() / (N * alpha)
    factor = max(1 - gamma * known["mu"], 1 - alpha / 2)
    found = shifted._shifted(made, messages(made)[name])
    assert found.rounds == rounds_until(lambda k: factor**k * start, known["target"])
    assert found.cost == pytest.approx(found.rounds * float(link(cost)(bits)), rel=1e-12)
    assert shifted.step_sizes(made, q) == pytest.approx((gamma, alpha), rel=1e-12)


@pytest.mark.parametrize("cost", ["affine", "lora51"])
@pytest.mark.parametrize("name", ["natural compression", "TernGrad", "rand-2"])
def test_marina_with_unbiased_messages(setting, name, cost):
    made, price, (q, bits), p = setting(cost), link(cost), UNBIASED[name], 0.25
    known, H = by_hand(made), made.problem.matrices
    smallest = known["L"] + math.sqrt(2 * (1 - p) / p * q / N * (H**2).mean(axis=0).max())
    factor = 1 - min(1 / smallest, p / (2 * known["mu"])) * known["mu"]
    rounds = rounds_until(lambda k: factor**k * known["gap"], 1e-2 * known["gap"])
    found = correlated._marina(made, correlated.alone(made, messages(made)[name]), p)
    whole = float(price(dense_bits(D)))
    mean = p * whole + (1 - p) * float(price(bits))
    assert (found.rounds, found.cost) == (rounds, pytest.approx(whole + rounds * mean, rel=1e-12))


@pytest.mark.parametrize("name", UNBIASED)
def test_no_variance_is_above_the_constant(setting, name):
    q, found = UNBIASED[name][0], messages(setting())[name]
    largest = max(found.compressor.variance(x) / (x @ x) for x in _vectors())
    assert found.q == pytest.approx(q, rel=1e-12)
    assert 0.6 * q <= largest <= q * (1 + 1e-7)  # float32


def _vectors():
    rng = np.random.default_rng(3)
    yield np.array([1.0, *(5 * [1 / (1 + math.sqrt(D))])])
    yield np.full(D, 4 / 3)
    yield from rng.standard_normal((20, D))


@pytest.mark.parametrize(("T", "d"), [(1, 3), (2, 6), (3, 5), (5, 5)])
def test_no_mean_message_of_greedy_entries_is_longer(T, d):
    from itertools import product

    from impl.compressors import GreedySparsification

    made, most = GreedySparsification(T / d, value_bits=32), unbiased.greedy_bits(T, d, 32)
    sent = max(made.expected_bits(np.array(x)) for x in product((0.01, 1.0, 9.0, 1e7), repeat=d))
    assert 0.55 * most <= sent <= most  # T entries are counted as sure, where fewer can be


@pytest.mark.parametrize("M", [1, 3])
@pytest.mark.parametrize("cost", ["affine", "lora51"])
def test_dithered(setting, M, cost):
    made = setting(cost)
    known, omega = by_hand(made), D / (12 * M**2)
    total = known["squares"].sum()
    step = 1 / (max(known["L_i"]) * (1 + 2 * omega / N))
    step = min(step, known["target"] * N**2 * known["mu"] / (4 * total * omega))
    floor = 2 * step * omega * total / (known["mu"] * N**2)
    bound = neighbourhood(known["distance"], step, known["mu"], floor)
    _, found_step, found = dithered._dithered(made, M)
    assert found_step == pytest.approx(step, rel=1e-12)
    assert bound(found.rounds) <= known["target"] * (1 + 1e-12) < bound(found.rounds - 1) * (1 + 1e-9)
    bits = 32 + 64  # one scale, and indices in words of 64 bits
    assert found.cost == pytest.approx(found.rounds * float(link(cost)(bits)), rel=1e-12)


@pytest.mark.parametrize("name", ["top-4", "one bit"])
@pytest.mark.parametrize("nodes", [1, N])
def test_memory(setting, nodes, name):
    made = setting("affine")
    if nodes == 1:
        made = Setting(made.problem.part(1), link("affine"), 1e-2)
    known, r = by_hand(made), math.sqrt(1 - (4 / D if name == "top-4" else 1 / D))
    B = 2 * max(known["L_i"]) / known["mu"] if nodes > 1 else 1.0
    noise = 2 * known["squares"].mean() * r**2 / ((1 - r) ** 2 * known["mu"]) if nodes > 1 else 0.0
    L, mu, target = known["L"], known["mu"], 1e-2 * known["gap"]
    step = (1 - r) / (2 * L * math.sqrt(B))
    if nodes > 1:  # the neighbourhood takes half of the accuracy
        step = min(step, target / (2 * L * (1 - r) * noise))

    def bound(k):
        return (1 - r) / (step * L) * ((1 - step * mu) ** k * known["gap"] + step**2 * L**2 * noise)

    found = {item.method: item for item in with_memory.predictions(made)}[f"GD with memory, {name}"]
    assert bound(found.rounds) <= target * (1 + 1e-12) < bound(found.rounds - 1) * (1 + 1e-9)
    # Four numbers and five gaps of sum seven, of which two are 2; or two means and a word of signs.
    bits = 4 * 32 + 3 * 1 + 2 * 3 if name == "top-4" else 2 * 32 + 64
    assert (found.bits, found.cost) == (bits, pytest.approx(found.rounds * (bits + 624), rel=1e-12))
    gaps, costs = found.run(3, np.random.default_rng(0))
    assert gaps.shape == costs.shape == (1, 4)
    assert np.all(costs[0] <= np.arange(4) * (bits + 624))


@pytest.mark.parametrize(("d", "k"), [(1, 1), (5, 1), (6, 4), (9, 3), (11, 2)])
def test_the_longest_message_of_largest_entries(d, k):
    from itertools import combinations

    from impl.compressors import Draws, TopK

    sent = (
        TopK(k).message(np.where(np.isin(np.arange(d), kept), 1.0, 0.0), Draws()).bits
        for kept in combinations(range(d), k)
    )
    assert with_memory.entry_bits(k, d, 64) == max(sent)


@pytest.mark.parametrize("cost", ["affine", "lora51"])
def test_quantized_gradients_without_matrices(setting, cost):
    made, s = setting(cost), 2
    known = by_hand(made)
    # Uniform steps 1/s: the exact constant of the quantizer, weighted with L_i I.
    method = smoothness_aware._prediction(made, "dcgd", "standard", s)
    from verify.squant.fixtures.supremum import supremum_of

    omega = supremum_of([1.0] * D, [1 / s] * D).upper
    step = 1 / (known["L"] + 2 * omega * max(known["L_i"]) / N)
    sigma = omega * known["squares"].mean()
    step = min(step, known["target"] * known["mu"] * N / (4 * sigma))
    bound = neighbourhood(known["distance"], step, known["mu"], 2 * step * sigma / (known["mu"] * N))
    rounds = method.rounds
    assert bound(rounds) <= known["target"] * (1 + 1e-12) < bound(rounds - 1) * (1 + 1e-9)
    assert method.cost == pytest.approx(rounds * made.mean_price(method.bits), rel=1e-12)

    shifted = smoothness_aware._prediction(made, "diana", "standard", s)
    alpha = 1 / (1 + omega)
    gamma = 1 / (known["L"] + 6 * omega * max(known["L_i"]) / N)
    start = known["distance"] + 4 * gamma**2 * sigma / (N * alpha)
    factor = max(1 - gamma * known["mu"], 1 - alpha / 2)
    assert shifted.rounds == rounds_until(lambda k: factor**k * start, known["target"])
    assert shifted.cost == pytest.approx(shifted.rounds * made.mean_price(shifted.bits), rel=1e-12)


@pytest.mark.parametrize("cost", ["affine", "lora51"])
@pytest.mark.parametrize("p", [0.5, 0.1])
def test_marina(setting, p, cost):
    made, price = setting(cost), link(cost)
    known, H = by_hand(made), made.problem.matrices
    L_plus = math.sqrt((H**2).mean(axis=0).max())
    L_pm = math.sqrt(((H**2).mean(axis=0) - H.mean(axis=0) ** 2).max())
    compressors = {item.label: item for item in correlated.compressors(made)}
    assert set(compressors) == {"independent quantizers", "correlated quantizers", "PermK"}
    one_bit, perm_k = compressors["independent quantizers"], compressors["PermK"]
    assert (pytest.approx((D - 1) / N), 0) == (one_bit.A, one_bit.B)
    assert perm_k.A == perm_k.B == pytest.approx(1)  # d a multiple of n
    assert perm_k.compressor.value_bits == made.float_bits  # what is run is what is priced
    for label, joint in compressors.items():
        found = correlated._marina(made, joint, p)
        X = (joint.A - joint.B) * L_plus**2 + joint.B * L_pm**2
        smallest = known["L"] + math.sqrt(2 * (1 - p) * X / p)
        gamma = min(1 / smallest, p / (2 * known["mu"]))
        rounds = rounds_until(
            lambda k, g=gamma: (1 - g * known["mu"]) ** k * known["gap"], 1e-2 * known["gap"]
        )
        whole = float(price(dense_bits(D)))
        lengths = [64, 64, 64] if label == "PermK" else [32 + D] * N
        mean = p * whole + (1 - p) * sum(float(price(bits)) for bits in lengths) / N
        assert found.rounds == rounds, label
        assert found.cost == pytest.approx(whole + rounds * mean, rel=1e-12), label
