"""Runs like those on MNIST, on the digits: what is counted and looked at."""

import dataclasses
import json
import sys

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from impl.networks import FullyConnected
from impl.optimizers import Exchange, QuantizedEstimator
from impl.problems import load_digits
from tools.measure_mnist import (
    course_of,
    key_of,
    layer_table,
    line_of,
    main,
    network_of,
    runs_in,
    table,
    tensors_of,
)
from verify.experiments.ndqsg.mnist_training import (
    PLANS,
    PROTOCOL,
    Course,
    Plan,
    images,
    layer_of,
    range_code_bits,
    start,
    train,
)

SMALL = Plan("digits", (64, 5, 10), workers=4, batch=40, iterations=12)
CONVOLUTIONAL = Plan("digits", (2, 3, 8, 10), workers=4, batch=40, iterations=5, network="lenet")
"""The convolutional network with 2 and 3 channels, 200 rows."""


def exchanged(codecs, gradients):
    """Return the only exchange of these gradients, (P, d)."""
    seen: list[Exchange] = []
    QuantizedEstimator(codecs, np.random.default_rng(0), observe=seen.append).exchange(gradients[None])
    return seen[0]


def test_the_start_is_cut_at_two_deviations():
    weights = start(FullyConnected((64, 50, 10)), np.random.default_rng(1))
    assert [tensor.shape for tensor in weights] == [(1, 64, 50), (1, 50), (1, 50, 10), (1, 10)]
    assert 0.19 < np.abs(weights[0]).max() <= 0.2
    assert weights[0].std() == pytest.approx(0.088, abs=0.003)  # of a normal law cut at twice its deviation
    assert (weights[1] == 0.1).all()


def test_without_compression_the_number_of_workers_changes_nothing():
    one, four = (train(dataclasses.replace(SMALL, workers=P), None, 3) for P in (1, 4))
    np.testing.assert_allclose(one.accuracy, four.accuracy, atol=0.003)  # single precision
    assert one.accuracy[-1] > one.accuracy[0]
    assert four.raw == [4 * bits for bits in one.raw] == four.coded
    assert one.raw[-1] == 12 * 32 * (64 * 5 + 5 + 5 * 10 + 10)


@pytest.mark.parametrize("given", [SMALL, CONVOLUTIONAL], ids=["fully connected", "lenet"])
def test_a_step_is_that_of_the_loss_in_double_precision(given):
    # After one step: the accuracy of weights that are moved against the gradient of the first rows.
    plan = dataclasses.replace(given, iterations=1)
    rng, data = np.random.default_rng([5, 0]), load_digits()
    network = plan.built()
    weights = start(network, rng)
    rows = rng.permutation(len(data.labels))[: plan.batch]
    _, gradients = network.loss_and_gradients(
        weights, data.features[rows][None, None], data.labels[rows][None, None]
    )
    moved = [w - plan.step_size * g[:, 0] for w, g in zip(weights, gradients, strict=True)]
    expected = network.accuracy(moved, data.test_features, data.test_labels)[0]
    assert train(plan, None, 5).accuracy[-1] == pytest.approx(expected, abs=1e-12)


def test_raw_bits_of_half_nested_messages():
    course = train(SMALL, PROTOCOL["nested-3-3"], 0)
    sizes = (320, 5, 50, 10)
    plain, nested = (sum(64 * -(-size // held) + 64 for size in sizes) for held in (22, 40))
    assert course.raw == [t * 2 * (plain + nested) for t in course.tested]
    assert 0 < course.coded[-1] < course.raw[-1]
    assert len(course.layers) == 4


def test_the_plans_of_mnist():
    sizes = {name: (plan.network, plan.built().size) for name, plan in PLANS.items()}
    assert sizes == {
        "fully-connected": ("fully-connected", 266_610),
        "lenet": ("lenet", 431_080),
    }
    assert tensors_of(PLANS["lenet"])[:5] == [
        "25 x 20",
        "its biases",
        "500 x 50",
        "its biases",
        "800 x 500",
    ]


@pytest.mark.parametrize("method", PROTOCOL)
def test_the_convolutional_network_with_every_method(method):
    course = train(CONVOLUTIONAL, PROTOCOL[method], 0)
    assert course.tested == [0, 5]
    assert np.isfinite([course.raw[-1], course.coded[-1]]).all()
    assert course.coded[-1] > 0
    assert course.raw[-1] > 0
    assert len(course.layers) == (0 if method == "sgd" else 8)


def test_the_convolutional_network_learns():
    plan = dataclasses.replace(CONVOLUTIONAL, widths=(8, 16, 64, 10), batch=80, iterations=100)
    course = train(plan, PROTOCOL["dqsg-3"], 1, counted=False)
    assert course.accuracy[0] < 0.3
    assert max(course.accuracy) > 0.6


def test_every_other_row_is_tested():
    halved = train(dataclasses.replace(SMALL, tested_rows=2), None, 3)
    counts = np.array(halved.accuracy) * 199  # of 397 rows
    np.testing.assert_allclose(counts, counts.round(), atol=1e-9)
    assert halved.accuracy != train(SMALL, None, 3).accuracy


def test_recording_changes_nothing():
    seen, plain = (train(SMALL, PROTOCOL["nested-3-3"], 1, counted=flag) for flag in (True, False))
    assert seen.accuracy == plain.accuracy
    assert plain.layers == {}


@pytest.mark.parametrize("method", PROTOCOL)
def test_every_method_learns(method):
    plan = dataclasses.replace(SMALL, widths=(64, 30, 10), iterations=60)
    course = train(plan, PROTOCOL[method], 2)
    assert course.accuracy[0] < 0.3
    assert max(course.accuracy) > 0.6


def test_correlation_of_equal_and_opposite_gradients():
    x = np.random.default_rng(2).standard_normal(30)
    codecs = [DitheredQuantizer(3)] * 2
    assert layer_of(exchanged(codecs, np.stack([x, x])), 0).correlation == pytest.approx(1)
    assert layer_of(exchanged(codecs, np.stack([x, -x])), 0).correlation == pytest.approx(-1)


def test_innovations_of_nested_messages():
    x = np.linspace(-1, 1, 400)
    codecs = [DitheredQuantizer(3), NestedDitheredQuantizer(3, 3)]
    equal = layer_of(exchanged(codecs, np.stack([x, x])), 0)
    assert equal.outside == 0
    assert equal.error == pytest.approx(1, abs=0.25)
    apart = layer_of(exchanged(codecs, np.stack([x, -x])), 0)
    assert apart.outside > 0.5
    assert apart.error > 10


def test_where_an_accuracy_is_reached():
    course = Course(tested=[0, 10, 20], accuracy=[0.1, 0.5, 0.9], raw=[0, 100, 200])
    assert course.at(course.raw, 0.7) == pytest.approx(150)
    assert course.at(course.tested, 0.05) == 0
    assert course.at(course.raw, 0.95) == np.inf


def test_rows_are_made_once_for_each_precision():
    rows, _ = images("digits", "single")
    assert rows is images("digits", "single")[0]
    assert rows.dtype == np.float32
    assert images("digits", "double")[0].dtype == np.float64


def test_lines_of_the_driver_come_back(tmp_path):
    lines = [line_of(method, SMALL, 0) for method in ("sgd", "dqsg-3")]
    path = tmp_path / "runs.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + '\n{"method": "ter', encoding="utf-8")
    runs = runs_in(path)
    assert [key_of(run)[1:] for run in runs] == [("sgd", 4, 0), ("dqsg-3", 4, 0)]
    assert {network_of(run) for run in runs} == {"fully-connected"} == {network_of({"plan": {}})}
    told, again = course_of(runs[1]), train(SMALL, PROTOCOL["dqsg-3"], 0)
    for name in ("tested", "accuracy", "raw", "coded", "really"):
        assert getattr(told, name) == getattr(again, name)
    assert [one.correlation for one in told.layers[0]] == [one.correlation for one in again.layers[0]]
    assert len(table(runs)) == 2 + 2 * 3


def test_the_driver_tells_networks_apart(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(PLANS, "lenet", CONVOLUTIONAL)
    monkeypatch.setitem(PLANS, "fully-connected", SMALL)
    path = tmp_path / "runs.jsonl"
    methods = ["sgd", "dqsg-3", "nested-3-3"]
    for name in PLANS:
        given = ["--network", name, "--workers", "4", "--seeds", "1", "--out", str(path)]
        for _ in range(2):  # the second time there is nothing to do
            monkeypatch.setattr("sys.argv", ["measure_mnist", *given, *methods])
            assert main() == 0
    runs = runs_in(path)
    assert [key_of(run) for run in runs] == [(name, method, 4, 0) for name in PLANS for method in methods]
    capsys.readouterr()
    monkeypatch.setattr("sys.argv", ["measure_mnist", *given, "--layers"])
    assert main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == layer_table([run for run in runs if network_of(run) == "lenet"])
    assert [line.split(" | ")[1] for line in lines[2:]] == tensors_of(CONVOLUTIONAL)


@pytest.mark.parametrize(("alphabet", "d"), [(2, 1), (3, 500), (7, 4000)])
def test_code_lengths_are_those_of_the_library_without_it(alphabet, d, monkeypatch):
    pytest.importorskip("constriction")
    digits = np.random.default_rng(d).integers(0, alphabet, d)
    expected = range_code_bits(alphabet, digits)
    monkeypatch.setitem(sys.modules, "constriction", None)
    assert range_code_bits(alphabet, digits) == expected > 0
