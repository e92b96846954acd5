import numpy as np
import pytest

from impl.compressors import CorrelatedQuantizer, Independent, RandK
from impl.errors import ArgumentError, Problems
from impl.optimizers.client_compression import (
    compress_clients,
    compress_drawn,
    is_joint,
    require_client_compressor,
)


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
