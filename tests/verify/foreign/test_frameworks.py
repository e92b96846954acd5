"""Compressors of torch, jax and frameworks that nobody knows: conversion, seeds, dtype, device, faults."""

# ruff: noqa: NPY002  # compressors of others draw from the global generators

import contextlib
import random

import numpy as np
import pytest

from verify import check_compressor
from verify.errors import UsageError
from verify.foreign.adapter import adapt
from verify.foreign.frameworks import framework_of, kept_global_generators

QUICK = {"resolution": 0.1, "samples": 2**12}


def torch():
    return pytest.importorskip("torch", reason="torch is not installed")


def jax():
    return pytest.importorskip("jax", reason="jax is not installed")


# ---------------------------------------------------------------- a framework that nobody knows


class Vector:
    """A vector of a small framework: numpy reads it by `__array__`."""

    def __init__(self, entries, device="here"):
        self.entries, self.device = np.array(entries), device

    def __array__(self, dtype=None, copy=None):
        return self.entries

    def __mul__(self, other):
        return type(self)(self.entries * getattr(other, "entries", other), self.device)


class PackedVector(Vector):
    """Numpy reads it by DLPack only."""

    __array__ = None

    def __dlpack__(self, **options):
        return self.entries.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.entries.__dlpack_device__()


del PackedVector.__array__


class Small:
    """What stands for its module."""

    asarray = Vector


class Packed:
    asarray = PackedVector


def read(vector):
    return np.asarray(vector.entries)


def keep_half(x, rng):
    return x * (2.0 * (rng.random(len(read(x))) < 0.5))


@pytest.mark.parametrize("framework", [Small, Packed], ids=["array", "dlpack"])
def test_a_framework_that_nobody_knows_is_converted_explicitly(framework):
    arguments = {"d": 16, "unbiased": True, "framework": framework, **QUICK}
    assert check_compressor(keep_half, omega=1.0, **arguments).verdict == "consistent"
    assert check_compressor(keep_half, omega=0.9, **arguments).verdict == "violated"


def changed(x, rng):
    x.entries[0] += 1.0
    return x * 1.0


FAULTS = {
    "C(x) is numpy.ndarray for x a": lambda x, rng: x.entries,
    "C(x) is complex": lambda x, rng: x * 1j,
    "C(x) has dtype float32 for x of dtype float64": lambda x, rng: Vector(x.entries.astype(np.float32)),
    "C(x) lies on there for x on here": lambda x, rng: Vector(x.entries, "there"),
    "a call changed its input": changed,
    "C(x) has shape (3,) for x of shape (4,)": lambda x, rng: Vector(x.entries[:3]),
    "nan is not finite": lambda x, rng: x * np.nan,
    "two calls with equal inputs and equal seeds differ": lambda x, rng: (
        x * np.random.default_rng().random(4)
    ),
}


@pytest.mark.parametrize("words", FAULTS)
def test_faults_are_named_in_any_framework(words):
    with pytest.raises(UsageError) as caught:
        check_compressor(FAULTS[words], d=4, omega=1.0, framework=Small)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"framework": "no_such_framework"}, "framework='no_such_framework' cannot be imported"),
        ({"framework": "math"}, "framework='math' has none of asarray, array, from_dlpack"),
        ({"framework": "numpy", "device": "cuda"}, "device='cuda' needs a framework with devices"),
        ({"framework": Small, "device": "cuda"}, "device='cuda' is known for torch and jax only"),
    ],
)
def test_frameworks_that_are_not_there_are_named(arguments, words):
    with pytest.raises(UsageError) as caught:
        check_compressor(lambda x, rng: x, d=4, omega=1.0, **arguments)
    assert words in str(caught.value)


# ---------------------------------------------------------------- global generators


def from_everywhere(x):
    """Draw from the two generators that every process has."""
    return x * (1 + 0.5 * (np.random.rand(len(x)) - 0.5) + 0.5 * (random.random() - 0.5))


def test_global_generators_are_seeded_for_each_call_and_given_back():
    np.random.seed(3)
    random.seed(3)
    expected = (np.random.rand(), random.random())
    np.random.seed(3)
    random.seed(3)
    claims = {"d": 8, "unbiased": True, "omega": 0.25 / 12 * 2}
    assert check_compressor(from_everywhere, framework="numpy", **claims, **QUICK).verdict == "consistent"
    assert (np.random.rand(), random.random()) == expected


def test_a_function_of_x_alone_is_refused_unless_its_framework_is_said():
    with pytest.raises(UsageError, match=r"must take \(x, rng\).*--framework numpy"):
        check_compressor(from_everywhere, d=8, omega=1.0)


def test_states_are_given_back_after_an_error():
    np.random.seed(5)
    expected = np.random.rand()
    np.random.seed(5)
    with contextlib.suppress(KeyError), kept_global_generators():
        np.random.rand(7)
        raise KeyError
    assert np.random.rand() == expected


class Pair:
    """The protocol of many projects: compress(tensor, name), decompress(tensors, ctx)."""

    def compress(self, tensor, name):
        kept = np.random.rand(len(tensor)) < 0.5
        return [2 * tensor[kept]], (kept, tensor.shape)

    def decompress(self, tensors, ctx):
        kept, shape = ctx
        found = np.zeros(shape)
        found[kept] = tensors[0]
        return found


def test_a_pair_of_compress_and_decompress_is_a_compressor():
    assert check_compressor(Pair(), d=16, unbiased=True, omega=1.0, **QUICK).verdict == "consistent"
    assert check_compressor(Pair(), d=16, omega=0.8, **QUICK).verdict == "violated"


# ---------------------------------------------------------------- which one


def test_the_framework_is_found_out():
    class Says:
        framework = Small

        def sample(self, x, rng):
            return x

    assert framework_of(Says(), None, None, None).name == "Small"
    assert framework_of(keep_half, None, None, None).name == "numpy"
    assert framework_of(keep_half, "numpy", None, None).dtype == "float64"


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_what_the_code_names_decides(name):
    pytest.importorskip(name, reason=f"{name} is not installed")
    scope = {}
    exec(
        f"import {name}, numpy\n"
        f"def by_name(x, rng):\n    return {name}.nothing(x)\n"
        f"def by_annotation(x: '{name}.Something', rng):\n    return x\n"
        "def neither(x, rng):\n    return numpy.sign(x)\n",
        scope,
    )
    assert framework_of(scope["by_name"], None, None, None).name == name
    assert framework_of(scope["by_annotation"], None, None, None).name == name
    assert framework_of(scope["neither"], None, None, None).name == "numpy"


# ---------------------------------------------------------------- torch


def test_torch_compressors_are_judged_as_they_are():
    th = torch()

    def bernoulli(x, generator):
        assert isinstance(generator, th.Generator)
        return 2 * x * (th.rand(x.shape, generator=generator, dtype=x.dtype) < 0.5)

    assert check_compressor(bernoulli, d=16, unbiased=True, omega=1.0, **QUICK).verdict == "consistent"
    for dtype in ("float32", "float64"):
        report = check_compressor(bernoulli, d=16, unbiased=True, omega=0.9, dtype=dtype, **QUICK)
        assert report.verdict == "violated"


def test_torch_is_seeded_globally_for_functions_of_x_alone():
    th = torch()
    bernoulli = lambda x: 2 * x * (th.rand(x.shape) < 0.5)  # noqa: E731
    th.manual_seed(3)
    expected = th.rand(1)
    th.manual_seed(3)
    arguments = {"d": 16, "unbiased": True, "framework": "torch", **QUICK}
    assert check_compressor(bernoulli, omega=1.0, **arguments).verdict == "consistent"
    assert th.equal(th.rand(1), expected)
    with pytest.raises(UsageError, match="two calls with equal inputs and equal seeds differ"):
        check_compressor(lambda x, generator: bernoulli(x), omega=1.0, **arguments)


def test_torch_top_k_is_seen_to_draw_nothing():
    th = torch()

    def top_two(x, generator):
        return th.zeros_like(x).scatter(0, th.topk(x.abs(), 2).indices, 1.0) * x

    report = check_compressor(top_two, d=16, unbiased=True)
    assert report.verdict == "violated"
    assert "draws no random number" in report.decisive.evidence.reason
    assert check_compressor(top_two, d=16, contraction=2 / 16, **QUICK).verdict == "consistent"
    assert check_compressor(top_two, d=16, contraction=2.5 / 16, **QUICK).verdict == "violated"


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("C(x) is numpy.ndarray for x a torch.Tensor", lambda th, x: x.numpy()),
        ("C(x) is complex", lambda th, x: x + 0j),
        ("C(x) has dtype float16 for x of dtype float32", lambda th, x: x.half()),
        ("C(x) lies on meta for x on cpu", lambda th, x: x.to("meta")),
        ("a call changed its input", lambda th, x: x.mul_(2.0)),
        ("C(x) has shape (1, 4) for x of shape (4,)", lambda th, x: x[None]),
        ("is not finite", lambda th, x: x / 0),
    ],
)
def test_faults_of_torch_compressors_are_named(words, call):
    th = torch()
    with pytest.raises(UsageError) as caught:
        check_compressor(lambda x, rng: call(th, x), d=4, omega=1.0, framework="torch", dtype="float32")
    assert words in str(caught.value)


def test_sparse_and_attached_results_of_torch_are_read():
    torch()
    sparse = lambda x, rng: x.to_sparse()  # noqa: E731
    attached = lambda x, rng: x.clone().requires_grad_()  # noqa: E731
    for call in (sparse, attached):
        known = framework_of(call, "torch", None, None)
        found = adapt(call, 4, None, framework=known).samples(np.arange(4.0), np.random.default_rng(1), 2)
        assert np.array_equal(found, np.tile(np.arange(4.0), (2, 1)))


def test_a_device_of_torch_that_is_not_there_is_named():
    torch()
    with pytest.raises(UsageError, match="device='nowhere' is not there"):
        check_compressor(lambda x, rng: x, d=4, omega=1.0, framework="torch", device="nowhere")


def test_compressors_on_a_gpu_keep_it():
    th = torch()
    if not th.cuda.is_available():
        pytest.skip("no CUDA device")

    def bernoulli(x, generator):
        assert x.is_cuda
        assert generator.device == x.device
        return 2 * x * (th.rand(x.shape, generator=generator, device=x.device, dtype=x.dtype) < 0.5)

    assert check_compressor(bernoulli, d=16, omega=1.0, device="cuda", **QUICK).verdict == "consistent"
    with pytest.raises(UsageError, match=r"C\(x\) lies on cpu for x on cuda:0"):
        check_compressor(lambda x, rng: x.cpu(), d=16, omega=1.0, framework="torch", device="cuda")


# ---------------------------------------------------------------- jax


def test_jax_compressors_are_judged_many_calls_at_once():
    jnp, jr = jax().numpy, jax().random
    shapes = []

    def bernoulli(x, key):
        shapes.append(x.shape)
        return jnp.where(jr.uniform(key, x.shape) < 0.5, 2 * x, 0.0)

    arguments = {"d": 16, "unbiased": True, "framework": "jax", **QUICK}
    assert check_compressor(bernoulli, omega=1.0, **arguments).verdict == "consistent"
    assert len(shapes) < 50  # traced, not called for every sample
    assert check_compressor(bernoulli, omega=0.9, **arguments).verdict == "violated"


def test_jax_compressors_that_cannot_be_traced_are_called_one_by_one():
    jnp = jax().numpy

    def by_numpy(x, key):
        up = np.random.default_rng(np.asarray(key)).random(x.shape) < 0.5
        return jnp.asarray(np.where(up, 2 * np.asarray(x), 0.0).astype(x.dtype))

    report = check_compressor(by_numpy, d=8, omega=0.9, framework="jax", resolution=0.1, samples=2**9)
    assert report.verdict == "violated"


def test_faults_of_jax_compressors_are_named():
    jnp = jax().numpy
    for words, call in {
        "C(x) is numpy.ndarray for x a jax.Array": lambda x: np.asarray(x),
        "C(x) is complex": lambda x: x + 0j,
        "C(x) has dtype float16 for x of dtype float32": lambda x: x.astype(jnp.float16),
    }.items():
        with pytest.raises(UsageError) as caught:
            check_compressor(call, d=4, omega=1.0, framework="jax")
        assert words in str(caught.value)
    with pytest.raises(UsageError, match="jax_enable_x64"):
        check_compressor(lambda x: x, d=4, omega=1.0, framework="jax", dtype="float64")
    with pytest.raises(UsageError, match="device='nowhere' is not there"):
        check_compressor(lambda x: x, d=4, omega=1.0, framework="jax", device="nowhere")
