import numpy as np
import pytest

from impl.errors import ArgumentError
from verify.evidence import stream

GOLDEN = (20240601, "demo-claim", "base", 3)


def test_golden_words():
    words = stream(*GOLDEN).bit_generator.random_raw(3)
    assert words.tolist() == [2659056420317014673, 902110540344764931, 920659316940839166]


def test_golden_uniforms():
    uniforms = stream(*GOLDEN).random(3)
    assert uniforms.tolist() == [0.14414773738346176, 0.048903510383193294, 0.049909041577313906]
    words = stream(*GOLDEN).bit_generator.random_raw(3)
    assert uniforms.tolist() == [int(word >> np.uint64(11)) * 2.0**-53 for word in words]


def test_every_part_of_the_name_matters():
    names = [
        GOLDEN,
        (20240602, "demo-claim", "base", 3),
        (20240601, "demo-claim2", "base", 3),
        (20240601, "demo-claim", "mutant:x", 3),
        (20240601, "demo-claim", "base", 4),
        (20240601, "demo-claim\x1fbase", "", 3),
    ]
    assert len({tuple(stream(*name).random(2)) for name in names}) == len(names)


def test_negative_numbers_are_refused_together():
    with pytest.raises(ArgumentError, match=r"(?s)master=-1.*batch=-2"):
        stream(-1, "claim", "base", -2)
