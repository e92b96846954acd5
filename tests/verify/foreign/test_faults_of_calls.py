"""What no call of a compressor may do: one clear error that names it."""

import time
from array import array

import numpy as np
import pytest

from verify import check_compressor
from verify.errors import UsageError
from verify.foreign.state import memory
from verify.outcome import Evidence
from verify.reporting.compressor_report import CompressorReport, NamedEvidence


def raises(x, rng):
    raise KeyError("scale")


def hangs(x, rng):
    while True:
        time.sleep(0.01)


def prints(x, rng):
    print("compressing")
    return x


def changes(x, rng):
    x[0] = 1.0
    return x.copy()


def raises_no_exception(x, rng):
    raise BaseException("stop")


def masked(x, rng):
    """Sends the largest entry; the others are there, behind the mask."""
    return np.ma.masked_array(x, mask=np.abs(x) < np.abs(x).max())


def own_randomness(x, rng):
    return x + np.random.default_rng().standard_normal(x.shape) * 1e-3


CALLS = {
    "C(x) is numpy.ma.MaskedArray": masked,
    "raised KeyError": raises,
    "did not return within": hangs,
    "printed 'compressing": prints,
    "changed its input": changes,
    "two calls with equal inputs and equal seeds differ": own_randomness,
    "C(x) is complex": lambda x, rng: x + 0j,
    "C(x) has dtype float32 for x of dtype float64": lambda x, rng: x.astype(np.float32),
    "C(x) has shape (3,) for x of shape (4,)": lambda x, rng: x[:3],
    "nan is not finite": lambda x, rng: x * np.nan,
    "a call raised BaseException: stop": raises_no_exception,
    "is given them with framework= (--framework torch)": lambda x, rng: x.float(),
    "left the program": lambda x, rng: exit(3),
    "C(x) is a list; return the vector, a numpy.ndarray": lambda x, rng: list(x),
    "C(x) is a tuple; return the vector": lambda x, rng: (x, 3),
    "C(x) is an int; return the vector": lambda x, rng: 0,
    "C(x) is None; return the vector": lambda x, rng: None,
    "C(x) is array.array for x a numpy.ndarray": lambda x, rng: array("d", x),
}


@pytest.mark.parametrize("words", CALLS)
def test_a_call_that_goes_wrong_is_one_error(words):
    with pytest.raises(UsageError) as caught:
        check_compressor(CALLS[words], d=4, omega=1.0, time_limit=1.0)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def prints_before_a_mistake(x, rng):
    print("compressing")
    raise UsageError("levels=0 must be at least 1")


def test_a_mistake_of_the_user_is_told_whatever_was_printed():
    with pytest.raises(UsageError, match="levels=0 must be at least 1"):
        check_compressor(prints_before_a_mistake, d=4, omega=1.0)


class Stated:
    """The identity, which states something of its error."""

    def __init__(self, stated):
        self.stated = stated

    def sample(self, x, rng):
        return x

    def variance(self, x):
        return self.stated(x)


class Closed:
    def __getattr__(self, name):
        raise RuntimeError("closed")


class Nameless(Stated):
    def __repr__(self):
        raise RuntimeError("nameless")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: Stated(lambda x: 1 / 0),
            "variance(x) raised ZeroDivisionError: division by zero; at x=[1.0, 1.0",
        ),
        (lambda: Stated(lambda x: time.sleep(60)), "variance(x) did not return within 1 s"),
        (lambda: Stated(lambda x: "much"), "variance(x) raised ValueError"),
        (lambda: Stated(lambda x: -1.0), "variance(x) = -1.0"),
        (lambda: Closed(), "reading its attributes raised RuntimeError: closed"),
        (lambda: Nameless(lambda x: 0.0), "its repr raised RuntimeError: nameless"),
        (lambda: lambda: 1, "<lambda>> must take (x, rng)"),
    ],
)
def test_what_an_object_says_of_itself_may_go_wrong(make, words):
    with pytest.raises(UsageError) as caught:
        check_compressor(make(), d=4, unbiased=True, omega=1.0, time_limit=1.0)
    assert words in str(caught.value)


def test_a_call_that_eats_memory_is_told(monkeypatch):
    pytest.importorskip("resource")
    monkeypatch.setattr(memory, "_free", lambda: 2**28)

    def eats(x, rng):
        return np.ones(2**27)[: len(x)]

    with memory.limited_memory(), pytest.raises(UsageError, match="a call ran out of memory"):
        check_compressor(eats, d=4, unbiased=True)


def test_memory_is_estimated_before_anything_is_allocated():
    begun = time.monotonic()
    with pytest.raises(UsageError, match=r"d=100000000.*GiB"):
        check_compressor(lambda x, rng: x, d=10**8, omega=1.0)
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"resolution": 0}, "resolution=0 must be a number between 0 and 1"),
        ({"time_limit": -1}, "time_limit=-1 must be a positive number of seconds"),
        ({"samples": 0}, "samples=0 must be a positive integer"),
        ({"samples": 1.5}, "samples=1.5 must be a positive integer"),
        ({"progress": 3}, "progress=3 must be a function of a line of text"),
        ({"framework": 3}, "framework=3 has none of asarray, array, from_dlpack"),
        ({"contraction": 2}, "contraction=2 must be a number in (0, 1]"),
        ({"omega_sharp": True}, "omega_sharp=True needs omega="),
        ({"dtype": "float16"}, "dtype='float16' must be 'float64' or 'float32'"),
        ({"bits": 8.0}, "bits= needs what travels"),
    ],
)
def test_arguments_are_named(arguments, words):
    with pytest.raises(UsageError) as caught:
        check_compressor(lambda x, rng: x, d=4, **arguments)
    assert words in str(caught.value)


@pytest.mark.parametrize(("dtype", "offered"), [("int64", False), ("float16", False), ("float32", True)])
def test_another_dtype_is_offered_where_inputs_may_have_it(dtype, offered):
    with pytest.raises(UsageError, match=f"C.x. has dtype {dtype} for x of dtype float64") as caught:
        check_compressor(lambda x, rng: x.astype(dtype), d=4, omega=1.0)
    assert (f"--dtype {dtype}" in str(caught.value)) == offered
    assert str(caught.value).endswith("; return the dtype of x") != offered


def test_a_pair_of_another_protocol_is_told_how_it_was_called():
    class Pair:
        def compress(self, x, rng):
            return x * (rng.random(x.shape) < 2)

        def decompress(self, message):
            return message

    with pytest.raises(UsageError) as caught:
        check_compressor(Pair(), d=4, omega=1.0)
    assert "called as decompress(*compress(x, 'x')), the protocol compress(tensor, name)" in str(caught.value)
    assert "give a function instead, such as lambda x, rng:" in str(caught.value)
    c = Pair()
    report = check_compressor(lambda x, rng: c.decompress(c.compress(x, rng)), d=4, lossless=True)
    assert report.verdict == "consistent"


def test_a_counterexample_has_plain_numbers():
    """Not `np.float64(-1.0)`, whatever the check has put into its witness."""
    evidence = Evidence(
        "violated", "numerical", witness={"x": list(np.array([-1.0, 2.0])), "c": np.float64(2)}
    )
    report = CompressorReport("c", "violated", (NamedEvidence("a check", evidence),))
    assert "counterexample: {'x': [-1.0, 2.0], 'c': 2.0}" in str(report)


def test_messages_are_held_against_their_claimed_length():
    class Packed:
        def sample(self, x, rng):
            return x

        def pack(self, x, rng):
            return x.tobytes()

    assert check_compressor(Packed(), d=4, bits=(256, 256)).verdict == "consistent"
    assert check_compressor(Packed(), d=4, bits=(None, 200)).verdict == "violated"
    long = check_compressor(Packed(), d=4, bits=200.0)
    assert long.verdict == "violated"
    assert "the mean length in bits is 256" in str(long)
    # Messages are bytes, so that a claim is rounded up to these, and the report says so.
    padded = check_compressor(Packed(), d=4, bits=(249, 249))
    assert padded.verdict == "consistent"
    assert "longest message 256 bits = 32 bytes; 249 bits fit in 32 bytes" in str(padded)
    assert "up to 7 bits that fill the last one are allowed" in str(padded)
    longer = check_compressor(Packed(), d=4, bits=(None, 248))
    assert "256 bits = 32 bytes; at most 248 bits are claimed, and 248 bits fit in 31 bytes" in str(longer)


def test_single_precision_is_judged_in_single_precision():
    def single(x, rng):
        assert x.dtype == np.float32
        return x

    assert check_compressor(single, d=8, lossless=True, dtype="float32").verdict == "consistent"


def test_lossless_and_scale_equivariance_are_claims():
    assert check_compressor(lambda x, rng: x * (1 + 1e-9), d=4, lossless=True).verdict == "violated"
    clipped = lambda x, rng: np.clip(x, -2, 2)  # noqa: E731
    assert check_compressor(clipped, d=4, scale_equivariant=True).verdict == "violated"
    assert check_compressor(lambda x, rng: x / 2, d=4, scale_equivariant=True).verdict == "consistent"
