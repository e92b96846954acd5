"""Training that overflows, and wrong arguments of training."""

import math

import numpy as np
import pytest

from impl.compressors import (
    DitheredQuantizer,
    NestedDitheredQuantizer,
    OneBit,
    RandK,
    StochasticQuantizer,
    TernGrad,
)
from impl.errors import ArgumentError, MissingSideInfo
from impl.networks import FullyConnected
from impl.optimizers import train_network
from impl.problems import Classified, load_digits

PLAIN, NESTED = DitheredQuantizer(3), NestedDitheredQuantizer(3, 5)
SOFTMAX, HIDDEN = FullyConnected((64, 10)), FullyConnected((64, 6, 10))


@pytest.fixture(scope="module")
def data():
    return load_digits()


def halves(workers):
    return lambda size: [PLAIN] * (workers - workers // 2) + [NESTED] * (workers // 2)


# ---------------------------------------------------------------- overflow

EVERY = [
    None,
    lambda size: PLAIN,
    lambda size: DitheredQuantizer(1, norm_bits=32),
    halves(4),
    lambda size: OneBit(norm_bits=32),
    lambda size: TernGrad(2.5, norm_bits=32),
    lambda size: StochasticQuantizer(1 / math.sqrt(size), norm_bits=32),
]


@pytest.mark.parametrize("codecs", EVERY, ids=range(7))
@pytest.mark.parametrize("step_size", [1e3, 1e6, 1e29, 1e305])
def test_a_run_that_diverges_is_recorded(codecs, step_size, data):
    network = FullyConnected((64, 8, 8, 10))
    run = train_network(
        network,
        data,
        codecs,
        workers=4,
        step_size=step_size,
        iterations=40,
        batch=32,
        rng=np.random.default_rng(0),
        replicates=2,
        momentum=0.9,
        side="sequential",
    )
    assert (run.loss <= 1e300).all()
    if step_size >= 1e29:
        assert run.overflowed.all()
    for r in np.flatnonzero(run.overflowed):
        assert run.loss[r, -1] == 1e300
        assert run.accuracy[r, -1] == 0
        assert not run.bits[r, -1].any()
        assert all(np.isposinf(tensor[r]).all() for tensor in run.parameters)
    for r in np.flatnonzero(~run.overflowed):
        assert run.loss[r].max() < 1e300
        assert all(np.isfinite(tensor[r]).all() for tensor in run.parameters)


def test_overflow_with_ratios_that_follow_the_noise(data):
    run = train_network(
        HIDDEN,
        data,
        halves(4),
        workers=4,
        step_size=1e29,
        iterations=5,
        batch=16,
        rng=np.random.default_rng(2),
        choose=lambda deviation, levels: 5,
    )
    assert run.overflowed.all()


# ---------------------------------------------------------------- mistakes

GOOD = {"workers": 4, "step_size": 0.1, "iterations": 2, "batch": 8}


def test_all_mistakes_at_once(data):
    rng = np.random.default_rng(0)
    with pytest.raises(ArgumentError) as error:
        train_network(
            "network",
            "data",
            7,
            workers=0,
            step_size=np.nan,
            iterations=1.5,
            batch=True,
            rng=3,
            replicates=-1,
            momentum=1,
            side="left",
        )
    for part in (
        "workers=0 must be a whole number of at least 1",
        "iterations=1.5 must",
        "batch=True must",
        "replicates=-1 must",
        "step_size=nan must be a positive finite number",
        "momentum=1 must be a number in [0, 1)",
        "side='left' must be 'parallel' or 'sequential'",
        "rng=3 must be a numpy.random.Generator; numpy.random.default_rng(0) makes one",
        "network='network' must be one of impl.networks",
        "data='data' must be Classified; load_digits() gives some",
        "codecs=7 must map the size of a tensor to its codecs",
    ):
        assert part in str(error.value)
    with pytest.raises(ArgumentError) as error:
        train_network(
            HIDDEN,
            data,
            lambda size: [PLAIN] * 3,
            rng=rng,
            start=[np.zeros((1, 64, 6))],
            **{**GOOD, "batch": 1406},
        )
    for part in (
        "batch=1406 must be a multiple of workers=4",
        "batch=1406 must be at most the number of rows, 1400",
        "codecs(384): compressors holds 3 codecs, there are 4 workers",
        "start of shapes [(1, 64, 6)] must have the shapes [(1, 64, 6), (1, 6), (1, 6, 10), (1, 10)]",
    ):
        assert part in str(error.value)
    assert str(error.value).count("compressors holds") == 1


@pytest.mark.parametrize(
    ("codecs", "options", "message"),
    [
        (lambda size: [PLAIN, PLAIN, PLAIN, None], {}, r"codecs\(384\): compressors\[3\]=None must offer"),
        (lambda size: PLAIN if size > 6 else 5, {}, r"codecs\(6\): compressors=5 must offer draw"),
        (lambda size: RandK(10), {}, r"codecs\(6\): .*10"),
        (
            lambda size: DitheredQuantizer(3, [size - 1, 1]) if size > 60 else DitheredQuantizer(3, [5, 2]),
            {},
            r"codecs\(6\): .*d=7",
        ),
        (lambda size: DitheredQuantizer(0), {}, r"codecs\(384\): .*levels=0 must be an integer"),
        (halves(4), {"choose": 5}, r"codecs\(384\): choose=5 must map a deviation and M to a ratio or None"),
        (None, {"choose": max}, "choose=.* needs nested codecs; give codecs"),
        (lambda size: [PLAIN] + [NESTED] * 3, {"choose": max}, "compressors holds 1 codecs without nesting"),
        (
            lambda size: [OneBit()] * 4,
            {"choose": max},
            r"compressors\[0\]=OneBit\(\) must be a dithered quant",
        ),
        (None, {"start": "weights"}, "start='weights' must be arrays of real numbers"),
        (None, {"start": [np.zeros((1, 64, 6), complex)]}, "start=.* must be arrays of real numbers"),
        (None, {"start": [np.zeros((2, 64, 6))] * 4}, "start of shapes .* must have the shapes"),
        (None, {"batch": 6}, "batch=6 must be a multiple of workers=4"),
    ],
)
def test_mistakes_are_found_before_anything_is_drawn(codecs, options, message, data):
    rng = np.random.default_rng(0)
    with pytest.raises(ArgumentError, match=f"train_network: (?s:.*){message}"):
        train_network(HIDDEN, data, codecs, rng=rng, **{**GOOD, **options})
    assert rng.bit_generator.state == np.random.default_rng(0).bit_generator.state


def test_a_start_is_finite(data):
    for bad in (np.nan, np.inf, 1e31):
        start = HIDDEN.initial(np.random.default_rng(0))
        start[2][0, 3, 3] = bad
        with pytest.raises(ArgumentError, match=r"start\[2\] must hold finite numbers of at most 1e\+30"):
            train_network(HIDDEN, data, None, rng=np.random.default_rng(0), start=start, **GOOD)


def test_data_that_do_not_fit(data):
    features, labels = data.features, data.labels
    for given, message in [
        (
            Classified(features[:, :63], labels, data.test_features, data.test_labels),
            r"data.features of shape \(1400, 63\)",
        ),
        (Classified(features, labels[:9], data.test_features, data.test_labels), r"labels of shape \(9,\)"),
        (
            Classified(features, labels + 1, data.test_features, data.test_labels - 1),
            r"data\.labels\[\d+\] = 10; data.labels must be whole numbers from 0 to 9; number the classes"
            r"(?s:.)*data\.test_labels\[\d+\] = -1; data.test_labels must be whole numbers from 0 to 9",
        ),
        (
            Classified(features, labels / 2, data.test_features, data.test_labels),
            "data.labels of dtype float64 must be whole numbers from 0 to 9; convert them to int",
        ),
        (
            Classified(features.astype(complex), labels, data.test_features, data.test_labels),
            "data.features must be real numbers",
        ),
        (
            Classified(features, labels, data.test_features[:0], data.test_labels[:0]),
            r"data.test_features of shape \(0, 64\)",
        ),
        (
            Classified(features * np.nan, labels, data.test_features, data.test_labels),
            r"data.features\[0, 0\] = nan must be finite",
        ),
    ]:
        with pytest.raises(ArgumentError, match=message):
            train_network(SOFTMAX, given, None, rng=np.random.default_rng(0), **GOOD)


@pytest.mark.parametrize("choose", [None, lambda deviation, levels: 3])
def test_nested_codecs_need_messages_beside_them(choose, data):
    rng = np.random.default_rng(0)
    for codecs, side in [([NESTED, PLAIN, PLAIN, PLAIN], "sequential"), (NESTED, "parallel")]:
        if choose is not None and codecs is NESTED:
            continue  # another mistake: no two messages without nesting
        with pytest.raises(MissingSideInfo, match="train_network: worker 0 has the nested codec"):
            train_network(HIDDEN, data, lambda size: codecs, rng=rng, side=side, choose=choose, **GOOD)  # noqa: B023
    assert rng.bit_generator.state == np.random.default_rng(0).bit_generator.state
