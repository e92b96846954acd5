"""Halves against the methods on all nodes at once, from the same draws."""

import numpy as np
import pytest

from impl.compressors import Draws, Independent, Key, PermK, RandK, RoundKey, StochasticQuantizer, TopK
from impl.optimizers import dcgd, diana, diana_plus, gd, marina, memory_gd
from impl.wires.halves.marina import Coins
from impl.wires.transports.inprocess import run_in_process

ROUNDS = 12


class Keyed:
    """A compressor that draws what the workers of a wire draw."""

    def __init__(self, inner, seed):
        self.inner, self.seed, self.round = inner, seed, 0

    def draw(self, rng, shape):
        keys = [Key(self.seed, i, self.round) for i in range(shape[1])]
        self.round += 1
        drawn = [np.asarray(self.inner.draw_keyed(key, shape[2:]).private) for key in keys]
        return Draws(private=np.stack(drawn)[None])

    def message(self, x, draws):
        return self.inner.message(x, draws)

    def reconstruct(self, message, shared):
        return self.inner.reconstruct(message, shared)


class KeyedJoint:
    """The same for a joint compressor; MARINA draws from its second round on."""

    def __init__(self, inner, seed):
        self.inner, self.seed, self.round = inner, seed, 0

    def draw(self, rng, shape):
        self.round += 1
        found = self.inner.draw_keyed(RoundKey(self.seed, self.round), shape[1:])
        return Draws(None if found.shared is None else found.shared[None], None)

    def compress_counted(self, x, draws):
        return self.inner.compress_counted(x, draws)


class TossedCoins:
    """A generator that shows the coins of a wire."""

    def __init__(self, coins):
        self.coins, self.round = coins, 0

    def random(self, size):
        self.round += 1
        return np.full(size, 0.0 if self.coins(self.round) else 1.0)


def batched(name, problem, seed):
    common = {"step_size": 0.3, "rounds": ROUNDS, "rng": np.random.default_rng(0), "trace": True}
    if name == "gd":
        return gd(problem, float_bits=64, **common)
    if name == "dcgd":
        return dcgd(problem, Keyed(StochasticQuantizer(0.5), seed), **common)
    if name == "memory_gd":
        return memory_gd(problem, TopK(2), **common)
    if name.startswith("marina"):
        from impl.optimizers import MarinaEstimator

        class Tossed(MarinaEstimator):
            def __init__(self, compressor, rng, **options):
                super().__init__(compressor, TossedCoins(Coins(seed, 0.3)), **options)

        joint = KeyedJoint(PermK() if name == "marina" else Independent(RandK(2)), seed)
        return marina(problem, joint, probability=0.3, estimator=Tossed, **common)
    method = diana if name == "diana" else diana_plus
    return method(problem, Keyed(StochasticQuantizer(0.5), seed), learning_rate=0.4, **common)


@pytest.mark.parametrize(
    "name", ["gd", "dcgd", "diana", "diana_plus", "marina", "marina_rand_k", "memory_gd"]
)
def test_points_and_bits_are_those_of_the_method(name, make, problem, session, seed):
    server, workers = make(name, bits=64)
    found = run_in_process(server, workers, session, rounds=ROUNDS)
    assert (found.status, found.reason, len(found.rounds)) == ("done", "", ROUNDS)
    run = batched(name, problem, seed)
    np.testing.assert_allclose(np.stack(found.points), run.iterates[0], rtol=1e-11, atol=1e-14)
    mean_bits = np.diff(run.bits[0])
    for k, item in enumerate(found.rounds):
        # Beside its payload a frame has one or two bytes of length, a checksum of four, and up to seven bits.
        least = 3 * (mean_bits[k] / 8 + 5)
        assert least <= item.up < least + 6
        assert item.down == 3 * (8 * 5 + 2 + 4)
