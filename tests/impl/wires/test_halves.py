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


def test_points_of_32_bits_are_what_workers_see(make, session):
    server, workers = make("gd")
    found = run_in_process(server, workers, session, rounds=3)
    for x in found.points:
        assert np.array_equal(x, x.astype(np.float32))
    exact = run_in_process(*make("gd", bits=64), session, rounds=3)
    assert 0 < np.abs(found.points[-1] - exact.points[-1]).max() < 1e-7


def test_nested_messages_are_decoded_beside_the_others(make, problem, session, seed):
    server, workers = make("ndqsg", bits=64)
    found = run_in_process(server, workers, session, rounds=ROUNDS)
    codecs, x = [worker.codec.compressor for worker in workers], np.zeros(5)
    for k in range(ROUNDS):
        g, decoded = problem.gradients(x), []
        for i, codec in enumerate(codecs):
            side = (np.mean(decoded, axis=0),) if i == 2 else ()
            decoded.append(codec.compress(g[i], codec.draw_keyed(Key(seed, i, k), (5,)), *side))
        x = x - 0.3 * np.mean(decoded, axis=0)
        np.testing.assert_allclose(found.points[k + 1], x, rtol=1e-11, atol=1e-14)


def test_a_part_is_its_node_alone(problem):
    x = np.linspace(-1, 1, 5)
    for i in range(3):
        part = problem.part(i)
        assert (part.n, part.d) == (1, 5)
        np.testing.assert_allclose(part.gradients(x)[0], problem.gradients(x)[i], rtol=1e-13)


def test_a_run_that_diverges_tells_round_and_norm(make, session):
    server, workers = make("gd", step_size=1e6)
    found = run_in_process(server, workers, session, rounds=500)
    assert found.status == "diverged"
    assert f"after {len(found.rounds)} rounds ||x|| is " in found.reason
    assert "nan" not in found.reason
    assert np.isfinite(found.points[-2]).all()


def test_a_run_stops_where_it_is_told_to(make, session):
    server, workers = make("gd")
    asked = []

    def until(x):
        asked.append(x)
        return len(asked) == 4

    told = []
    found = run_in_process(server, workers, session, rounds=10, until=until, observe=told.append)
    assert len(found.rounds) == 3
    assert told == found.rounds
    assert found.same_course(run_in_process(*make("gd"), session, rounds=3)) == ""
    assert "3 rounds, not 2" in found.same_course(run_in_process(*make("gd"), session, rounds=2))
    assert "bytes up" in found.same_course(run_in_process(*make("dcgd"), session, rounds=3))
    shorter = run_in_process(*make("gd", step_size=0.2), session, rounds=3)
    assert "another point after 1 rounds" in found.same_course(shorter)
