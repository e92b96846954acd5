"""Two tiny compressors, so that the methods are tested apart from the real ones."""

from types import SimpleNamespace

import numpy as np
import pytest


class Whole:
    """Sends everything: 64 bits per coordinate, no randomness."""

    def draw(self, rng, shape):
        return SimpleNamespace(shared=None, private=None)

    def message(self, x, draws):
        return SimpleNamespace(symbols=x, bits=np.full(x.shape[:-1], 64 * x.shape[-1])[()])

    def reconstruct(self, message, shared):
        return message.symbols


class Thinned:
    """Keeps each coordinate with probability p (unbiased), one bit per coordinate and 64 per kept one."""

    def __init__(self, p=0.5):
        self.p = np.asarray(p)
        self.shapes = []

    def draw(self, rng, shape):
        self.shapes.append(shape)
        return SimpleNamespace(shared=rng.random(shape), private=None)

    def message(self, x, draws):
        if not np.all(np.isfinite(x)):
            raise ValueError("not finite")
        kept = draws.shared < self.p
        return SimpleNamespace(symbols=np.where(kept, x, 0.0), bits=(kept * 64 + 1).sum(axis=-1))

    def reconstruct(self, message, shared):
        return message.symbols / self.p


@pytest.fixture
def whole():
    return Whole()


@pytest.fixture
def thinned():
    return Thinned
