import numpy as np
import pytest

from impl.compressors import CorrelatedQuantizer, Independent, PermK, RandK, TopK
from impl.errors import ArgumentError, Problems
from impl.optimizers import dcgd, dcgd_plus, diana, diana_plus, marina, memory_gd
from impl.optimizers.client_compression import (
    compress_clients,
    compress_drawn,
    is_joint,
    require_client_compressor,
)
from impl.problems import Quadratic


def test_a_compressor_and_its_joint_form_do_the_same():
    x = np.random.default_rng(0).standard_normal((2, 3, 5))
    alone, joint = RandK(2), Independent(RandK(2))
    assert (is_joint(alone), is_joint(joint), is_joint(object())) == (False, True, False)
    found = compress_clients(alone, x, np.random.default_rng(1))
    expected = compress_clients(joint, x, np.random.default_rng(1))
    for mine, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(mine, other)
    assert found[1].shape == (2, 3)
    assert np.all(found[1] == 128)


def test_same_draws_same_messages():
    quantizer, x = CorrelatedQuantizer("binary"), np.random.default_rng(0).standard_normal((4, 3, 5))
    draws = quantizer.draw(np.random.default_rng(2), x.shape)
    decoded, bits = compress_drawn(quantizer, x, draws)
    np.testing.assert_array_equal(decoded, quantizer.compress(x, draws))
    np.testing.assert_array_equal(bits, quantizer.bits(x, draws))


@pytest.mark.parametrize("wrong", [None, object(), "RandK"])
def test_what_is_no_compressor_is_named_with_a_wrong_stream(wrong):
    problems = Problems("marina")
    require_client_compressor(problems, wrong, 7)
    with pytest.raises(ArgumentError, match=r"(?s)must offer draw, message.*compress_counted.*rng=7"):
        problems.raise_if_any()


PROBLEM = Quadratic([[1.0, 2.0]])
CALLS = {
    "dcgd": lambda made, **run: dcgd(PROBLEM, made, **run),
    "dcgd_plus": lambda made, **run: dcgd_plus(PROBLEM, made, **run),
    "diana": lambda made, **run: diana(PROBLEM, made, learning_rate=0.5, **run),
    "diana_plus": lambda made, **run: diana_plus(PROBLEM, made, learning_rate=0.5, **run),
    "marina": lambda made, **run: marina(PROBLEM, made, probability=0.5, **run),
    "memory_gd": lambda made, **run: memory_gd(PROBLEM, made, **run),
}


@pytest.mark.parametrize("method", CALLS)
@pytest.mark.parametrize("made", [TopK, PermK])
def test_a_class_is_no_compressor(method, made):
    name = made.__name__
    with pytest.raises(ArgumentError) as caught:
        CALLS[method](made, step_size=0.1, rounds=3, rng=np.random.default_rng(0))
    assert str(caught.value) == f"{method}: compressor={name} is a class; give an instance, {name}(...)"
