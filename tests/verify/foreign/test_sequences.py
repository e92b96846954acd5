"""Compressors with a memory: nothing is lost, what is kept stays bounded, and their faults are named."""

import math

import numpy as np
import pytest

from verify import check_compressor
from verify.errors import UsageError
from verify.foreign.allocation import Limits
from verify.foreign.frameworks import NumpyArrays
from verify.foreign.state.sequences import STEPS, Stateful, check_sequences

QUICK = {"resolution": 0.2, "samples": 2**9}
D = 16


class ErrorFeedback:
    """Top-k with an error memory, as in Stich et al. (2018)."""

    def __init__(self, k=4):
        self.k, self.memory = k, {}

    def kept(self, name):
        return self.memory.get(name, 0.0)

    def compress(self, tensor, name):
        y = tensor + self.kept(name)
        at = np.argsort(-np.abs(y), kind="stable")[: self.k]
        self.remember(name, y, at)
        return [y[at]], (at, y.shape)

    def remember(self, name, y, at):
        rest = y.copy()
        rest[at] = 0.0
        self.memory[name] = rest

    def decompress(self, tensors, ctx):
        at, shape = ctx
        found = np.zeros(shape)
        found[at] = tensors[0]
        return found


class Random(ErrorFeedback):
    """Keeps random entries: contraction k / d in expectation, and another memory in each sequence."""

    def compress(self, tensor, name):
        y = tensor + self.kept(name)
        at = np.random.permutation(len(y))[: max(1, self.k * len(y) // D)]  # noqa: NPY002  # as others do
        self.remember(name, y, at)
        return [y[at]], (at, y.shape)


@pytest.mark.parametrize(("compressor", "name"), [(ErrorFeedback(), "top-k"), (Random(), "random")])
def test_error_feedback_is_consistent_and_its_memory_bounded(compressor, name):
    report = check_compressor(compressor, d=D, contraction=4 / D, framework="numpy", **QUICK)
    assert report.verdict == "consistent", str(report)
    names = [item.name for item in report.checks]
    assert names[:2] == ["nothing is lost", "memory stays bounded"]
    assert "contraction=0.25" in str(report)
    assert not compressor.memory  # the check worked on copies


def test_without_a_claim_only_what_is_lost_is_judged():
    report = check_compressor(ErrorFeedback(), d=D)
    assert [item.name for item in report.checks] == ["nothing is lost"]
    assert report.verdict == "consistent"


def test_the_first_step_is_held_against_the_contraction():
    report = check_compressor(ErrorFeedback(), d=D, contraction=6 / D, **QUICK)
    assert report.verdict == "violated"


# ---------------------------------------------------------------- faults


class Decays(ErrorFeedback):
    def kept(self, name):
        return 0.9 * self.memory.get(name, np.zeros(1))


class Forgets(ErrorFeedback):
    def remember(self, name, y, at):
        pass


class Stale(ErrorFeedback):
    """What was kept a step before is added once more."""

    def remember(self, name, y, at):
        super().remember(name, y - 0.5 * self.kept(name), at)


class Clips(ErrorFeedback):
    def remember(self, name, y, at):
        super().remember(name, np.clip(y, -0.5, 0.5), at)


class Subtracts(ErrorFeedback):
    def kept(self, name):
        return -self.memory.get(name, np.zeros(1))


LOSSES = [Decays, Forgets, Stale, Clips, Subtracts]


@pytest.mark.parametrize("faulty", LOSSES)
def test_what_is_lost_is_seen_with_step_and_input(faulty):
    report = check_compressor(faulty(), d=D)
    assert report.verdict == "violated", str(report)
    assert report.decisive.name == "nothing is lost"
    assert "what leaves plus what is kept differs from what came in" in report.decisive.evidence.reason
    assert len(report.witness["x"]) == len(report.witness["lost"]) == D
    assert 1 <= report.witness["step"] <= STEPS


def test_one_memory_for_all_tensors_is_seen():
    class Shared(ErrorFeedback):
        def compress(self, tensor, name):
            found = super().compress(tensor, "a")
            return found

    class Mixed(ErrorFeedback):
        def remember(self, name, y, at):
            super().remember(name, y, at)
            if name == "b":
                self.memory["a"] = 0.5 * self.memory["a"]

    with pytest.raises(UsageError, match="compress"):  # the tensors differ in size
        check_compressor(Shared(), d=D)
    report = check_compressor(Mixed(), d=D)
    assert report.decisive.name == "memories are apart"
    assert report.verdict == "violated"


def test_a_memory_that_grows_beyond_its_bound_is_seen_though_nothing_is_lost():
    class Delays(ErrorFeedback):
        """Sends the first half only from the tenth step on: no contraction at all."""

        def compress(self, tensor, name):
            y = tensor + self.kept(name)
            at = np.arange(len(y) // 2)
            self.remember(name, y, at)
            return [y[at]], (at, y.shape)

    found = check_sequences(
        Stateful(Delays(), NumpyArrays("float64", None), 60.0), D, 0.25, 1, Limits(samples=10)
    )
    (item,) = [one for one in found if one.evidence.verdict == "violated"]
    assert item.name.startswith("memory stays bounded, step")
    assert item.evidence.value > item.evidence.bound


@pytest.mark.parametrize("delta", [0.25, 0.9, 1.0])
def test_the_bound_is_that_of_the_recursion_and_below_that_of_karimireddy(delta):
    class Whole(ErrorFeedback):
        def compress(self, tensor, name):
            y = tensor + self.kept(name)
            self.memory[name] = math.sqrt(1 - delta) * y
            return [y - self.memory[name]], (np.arange(len(y)), y.shape)

    stateful = Stateful(Whole(), NumpyArrays("float64", None), 60.0)
    found = check_sequences(stateful, D, delta, 1, Limits())
    (bounded,) = [item.evidence for item in found if item.name == "memory stays bounded"]
    assert bounded.verdict == "consistent"
    # The same input again and again, shrunk by sqrt(1 - delta) each time, attains the recursion.
    if delta < 1:
        assert bounded.value == pytest.approx(bounded.bound, rel=1e-6)
        assert bounded.value <= 4 * (1 - delta) / delta**2


class Again(ErrorFeedback):
    def decompress(self, tensors, ctx):
        return super().decompress(tensors, ctx) + np.random.rand()  # noqa: NPY002  # as others do


class Alone(ErrorFeedback):
    def compress(self, tensor, name):
        return super().compress(tensor, name)[0]


class Flat(ErrorFeedback):
    def remember(self, name, y, at):
        self.memory[name] = np.zeros(3)


class Copied(ErrorFeedback):
    def __deepcopy__(self, memo):
        raise TypeError("no")


class Changes(ErrorFeedback):
    def compress(self, tensor, name):
        tensor += self.kept(name) + 1.0
        return super().compress(tensor, name)


class Complex(ErrorFeedback):
    def decompress(self, tensors, ctx):
        return super().decompress(tensors, ctx) + 0j


class Empty(ErrorFeedback):
    def decompress(self, tensors, ctx):
        return super().decompress(tensors, ctx) * np.nan


FAULTS = {
    "two calls of decompress with one message give two results": Again(),
    "must return (tensors, ctx)": Alone(),
    "memory of 'a' has shape (3,) for a tensor of shape (16,)": Flat(),
    "cannot be copied (no)": Copied(),
    "a call changed its input": Changes(),
    "complex": Complex(),
    "not finite": Empty(),
}


@pytest.mark.parametrize("words", FAULTS)
def test_calls_that_go_wrong_are_one_error(words):
    with pytest.raises(UsageError) as caught:
        check_compressor(FAULTS[words], d=D)
    assert words in str(caught.value)


def test_other_claims_are_refused():
    with pytest.raises(
        UsageError, match=r"unbiased=, omega=, n= cannot be claimed of a compressor with memory"
    ):
        check_compressor(ErrorFeedback(), d=D, unbiased=True, omega=1.0, n=2)


def test_torch_tensors_with_memory():
    th = pytest.importorskip("torch", reason="torch is not installed")

    class Residual:
        """The first half leaves, the memory is a method."""

        framework = "torch"

        def __init__(self, part=1.0):
            self.part, self.rest = part, {}

        def memory(self, name):
            return self.rest.get(name)

        def compress(self, tensor, name):
            y = tensor + self.rest.get(name, 0.0)
            leaves = th.where(th.rand(y.shape) < 0.5, y, 0.0)
            self.rest[name] = self.part * (y - leaves)
            return [leaves], None

        def decompress(self, tensors, ctx):
            return tensors[0]

    report = check_compressor(Residual(), d=D, contraction=0.5, dtype="float32", **QUICK)
    assert report.verdict == "consistent", str(report)
    assert check_compressor(Residual(0.99), d=D, dtype="float32").verdict == "violated"
