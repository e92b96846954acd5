"""Contracts of wrong arguments notice a check that is left out, and that right ones are refused."""

import numpy as np
import pytest

from impl.coding.range_coder import RangeCoder
from impl.compressors import Independent, IndependentQuantizer, OneBit, RandK, StochasticQuantizer, wire
from impl.compressors.joint import joint_contract
from impl.errors import ArgumentError
from impl.optimizers import shifted_compression
from verify.conformance.arguments import taken
from verify.conformance.wrong_arguments import one_of_each, wrong_arguments
from verify.conformance.wrong_calls import public_calls, wrong_calls

X = np.array([3.0, -4.0, 1.0])
CASES = {"RandK": (RandK(1), X), "quantizer": (StochasticQuantizer(0.5), X)}
CLIENTS = {"clients": (Independent(RandK(1)), np.stack([X, -X]))}


def failing(comparisons):
    return {item.witness.get("argument", "right") for item in comparisons if item.excess > 0}


def test_honest_ones_are_held():
    assert not failing(wrong_arguments(taken, CASES | CLIENTS))
    assert not failing(wrong_calls(taken, public_calls()))


@pytest.mark.parametrize(("attribute", "argument"), [("require_client", "client"), ("require_finite", "x")])
def test_a_check_that_is_left_out_is_noticed(monkeypatch, attribute, argument):
    monkeypatch.setattr(joint_contract, attribute, lambda *given, **named: None)
    monkeypatch.setattr("impl.compressors.contract.require_finite", lambda *given, **named: None)
    assert argument in failing(wrong_arguments(taken, CLIENTS))


class _Same(bytes):
    """A checksum that differs from no other."""

    def __ne__(self, other):
        return False


def test_a_checksum_that_is_not_compared_is_noticed(monkeypatch):
    monkeypatch.setattr(wire, "_checksum", lambda data: _Same(wire.WORD))
    assert "data" in failing(wrong_arguments(taken, CASES))


def test_shapes_of_nothing_are_right(monkeypatch):
    honest = IndependentQuantizer._checked_shape

    def checked(self, shape):
        if honest(self, shape)[0] == 0:
            raise ArgumentError("nothing")
        return shape

    monkeypatch.setattr(IndependentQuantizer, "_checked_shape", checked)
    clients = {"clients": (IndependentQuantizer("binary"), np.stack([X, -X]))}
    assert "right" in failing(wrong_arguments(taken, clients))


def test_calls_that_take_more_are_noticed(monkeypatch):
    chosen = {name: call for name, call in public_calls().items() if name in ("diana", "RangeCoder")}
    monkeypatch.setattr("impl.coding.range_coder.require_whole", lambda *given: None)
    monkeypatch.setattr(RangeCoder, "decode", lambda self, data, count: np.zeros(0))
    assert failing(wrong_calls(taken, chosen)) == {"number"}
    honest = shifted_compression._initial_shifts

    def forgiving(problems, given, *rest):
        given = np.nan_to_num(given) if isinstance(given, np.ndarray) else given
        return honest(problems, given, *rest)

    monkeypatch.setattr(shifted_compression, "_initial_shifts", forgiving)
    assert "shifts" in failing(wrong_calls(taken, {"diana": chosen["diana"]}))


def test_one_of_each_class_is_taken():
    many = {
        "wide": (RandK(1), np.ones(100)),
        "first": (RandK(2), X),
        "next": (RandK(1), X),
        "signs": (OneBit(), X),
    }
    assert set(one_of_each(many)) == {"first", "signs"}
