"""Compressors with an error memory that is held fixed: the mean is x plus what is kept."""

import numpy as np

from benchmarks.foreign_battery.case import Case
from benchmarks.foreign_battery.mechanisms import qsgd


def _memory(d, step=0):
    """Return what is kept from this step."""
    return np.random.Generator(np.random.Philox((21, step))).standard_normal(d) / 2


def _with(change):
    """Return a compressor of x plus what `change(d)` takes for the memory."""

    def make(d):
        kept = change(d)
        return lambda x, rng: qsgd(x + kept, rng)

    return make


def _claims(d):
    kept = _memory(d)
    return {"unbiased_given": lambda x: x + kept}


def _without_input(d):
    kept = _memory(d)
    return lambda x, rng: qsgd(0.97 * x + kept, rng)


def _first_half(d):
    return np.where(np.arange(d) < d // 2, _memory(d), 0.0)


def _moved(d):
    return np.roll(_memory(d), 1)


CASES = (
    Case("stale memory", "what was kept one step before", _with(lambda d: _memory(d, 1)), _claims),
    Case("memory forgotten", "nothing is added", _with(lambda d: 0 * _memory(d)), _claims),
    Case("memory decays", "0.9 times what was kept", _with(lambda d: 0.9 * _memory(d)), _claims),
    Case("memory decays a little", "0.97 times what was kept", _with(lambda d: 0.97 * _memory(d)), _claims),
    Case("memory twice", "added twice", _with(lambda d: 2 * _memory(d)), _claims),
    Case("memory subtracted", "with the wrong sign", _with(lambda d: -_memory(d)), _claims),
    Case("memory of one half", "the second half is lost", _with(_first_half), _claims),
    Case("memory moved by one", "the memory of the entry before", _with(_moved), _claims),
    Case("input times 0.97", "the new input is shrunk, the memory is not", _without_input, _claims),
)
