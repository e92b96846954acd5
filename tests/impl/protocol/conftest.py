"""Pairs of senders and receivers, and messages with checksums that fit again."""

import struct
import zlib

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.protocol import Receiver, Sender, SideInformation

SEED = (2024, 7)


@pytest.fixture
def seed():
    return SEED


@pytest.fixture
def pair():
    """Return a function: a sender and its receiver."""

    def of(codec, worker=0, **options):
        return (
            Sender(codec, seed=SEED, worker=worker, **options),
            Receiver(seed=SEED, worker=worker),
        )

    return of


@pytest.fixture
def first_group():
    """Return a function: decoded plain messages of the workers 0, 1, ... for given gradients."""

    def of(gradients, levels=3, iteration=0):
        received = []
        for worker, g in enumerate(gradients):
            sender = Sender(DitheredQuantizer(levels), seed=SEED, worker=worker, start=iteration)
            receiver = Receiver(seed=SEED, worker=worker, start=iteration)
            received.append(receiver.receive(sender.send(g)))
        return received

    return of


@pytest.fixture
def nested_case(first_group):
    """Return a function: (data, side information, gradient) of a nested message of worker 2."""

    def of(codec=None, d=40, distance=0.02, **options):
        rng = np.random.default_rng(3)
        g = rng.standard_normal(d)
        side = SideInformation.of(first_group([g + distance * rng.standard_normal(d) for _ in range(2)], 20))
        sender = Sender(codec or NestedDitheredQuantizer(3, 3), seed=SEED, worker=2, **options)
        return sender.send(g), side, g

    return of


@pytest.fixture
def forge():
    """Return a function: the data with its last checksum made to fit."""

    def of(data):
        body = bytes(data)[:-4]
        return body + struct.pack("<I", zlib.crc32(body))

    return of
