"""Arms of training runs: sabotage, common rows, records by replicate, and the cases built from them."""

from dataclasses import replace

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
from verify.context import Context
from verify.experiments.ndqsg import training_methods
from verify.experiments.ndqsg.training_medians import (
    COPIES,
    LOST,
    MEASURES,
    NESTED_SHARE,
    Arm,
    BesideOwnGradient,
    ByReplicate,
    Limit,
    copied_digits,
    gaussian_ratio,
    measure,
    median_case,
    of_tensors,
)
from verify.experiments.ndqsg.training_methods import METHODS, Setting
from verify.experiments.ndqsg.training_record import Record
from verify.rungs.costs import judge_costs

SHORT = Setting(iterations=2, workers=4, batch=32)


def stream(number):
    return np.random.default_rng([5, number])


def test_beside_own_gradient_has_no_overload_whatever_the_side_information():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((3, 20))
    codec = BesideOwnGradient(3, 3)
    draws = codec.draw(rng, x.shape)
    message = codec.message(x, draws)
    found = codec.reconstruct(message, draws.shared, x + 100)
    dithered = DitheredQuantizer(3)
    assert np.allclose(found, dithered.reconstruct(dithered.message(x, draws), draws.shared), atol=1e-12)
    honest = NestedDitheredQuantizer(3, 3).reconstruct(message, draws.shared, x + 100)
    assert np.abs(honest - x).max() > 50


def test_common_rows_give_common_gradients():
    seen = []
    Arm("c", 3, 3, SHORT, 2, common=True).run(stream(0), lambda t, tensor, exchange: seen.append(exchange))
    assert len(seen) == 4
    for exchange in seen:
        assert np.ptp(exchange.gradients, axis=1).max() == 0
        assert np.ptp(exchange.gradients, axis=-1).min() > 0


def test_copied_rows_are_those_of_the_digits():
    data = copied_digits()
    count = len(data.labels) // COPIES
    assert data.features.shape == (COPIES * 1400, 64)
    assert (data.features[-count:] == data.features[:count]).all()
    assert (data.labels[-count:] == data.labels[:count]).all()


def test_arms_are_the_methods_of_the_experiments():
    arm = Arm("nested-3-3", 3, 3, SHORT, 2)
    found = arm.run(stream(0), None)
    known = SHORT.run(METHODS["nested-3-3"], stream(0), 2)
    assert (found.loss == known.loss).all()
    assert all((a == b).all() for a, b in zip(found.parameters, known.parameters, strict=True))


def test_blocks_change_the_codecs_of_both_groups():
    seen = []
    Arm("b", 3, 3, SHORT, 2, blocks=64).run(stream(0), lambda t, tensor, exchange: seen.append(exchange))
    assert {codec.blocks for exchange in seen for codec in exchange.compressors} == {64}


def test_blocks_and_a_codec_are_refused_together():
    with pytest.raises(ValueError, match="blocks=64"):
        Arm("b", 3, 3, SHORT, 2, codec=BesideOwnGradient, blocks=64)


@pytest.mark.parametrize("adaptive", [False, True])
def test_clipped_indices_refute(monkeypatch, adaptive):
    class Clipped(NestedDitheredQuantizer):
        def reconstruct(self, message, shared=None, side=None):
            return super().reconstruct(message, shared, side) + message.scales / self.levels * 0.9

    arm = Arm("a", 3, 3, SHORT, 40, codec=Clipped)
    if adaptive:  # one record for each replicate
        monkeypatch.setattr(Record, "__call__", clipped(Record.__call__))
        monkeypatch.setattr(training_methods, "chosen_ratio", lambda sigma, levels: 5)
        arm = Arm("a", 3, 5, SHORT, 40, adaptive=True)
    case = median_case([arm], [Limit("mse/D", "a", 1, 0)])
    found = judge_costs(case, Context("ndqsg/finding-headline-on-training", "run", "clipped"))
    assert found.verdict == "violated"
    assert "clipped indices, a" in found.reason


def clipped(call):
    def counting(record, *exchange):
        call(record, *exchange)
        record.clips += 1

    return counting


@pytest.fixture
def cheap_rule(monkeypatch):
    """The rule itself takes ten seconds for its table of ratios."""
    monkeypatch.setattr(training_methods, "chosen_ratio", lambda sigma, levels: 5 if sigma < 1.2 else None)


@pytest.mark.usefixtures("cheap_rule")
def test_records_by_replicate_add_up():
    arm = Arm("r", 3, 5, SHORT, 3, adaptive=True)
    total, parts = Record(), ByReplicate(3)
    arm.run(stream(0), total)
    arm.run(stream(0), parts)
    assert sum(r.dithered_messages for r in parts.records) == total.dithered_messages
    assert sum(r.nested_messages for r in parts.records) == total.nested_messages > 0
    squares = [float(np.sum(r.first.squares)) for r in parts.records]
    assert sum(squares) == pytest.approx(float(np.sum(total.first.squares)), rel=1e-12)  # order of the sum
    assert len(set(squares)) == 3


def test_measures_agree_with_the_record():
    arm, record = Arm("m", 3, 5, SHORT, 3), Record()
    arm.run(stream(0), record)
    found = measure(arm, set(MEASURES) | {LOST}, stream)
    assert found["mse/D"] == pytest.approx(record.second.ratio, rel=1e-12)
    weights, biases = of_tensors(record, biases=False), of_tensors(record, biases=True)
    assert weights.coordinates + biases.coordinates == pytest.approx(record.second.coordinates)
    assert biases.ratio == pytest.approx(record.tensors[1].ratio)
    plain = SHORT.run(METHODS["sgd"], stream(0), 3).accuracy[:, -1]
    nested = SHORT.run(METHODS["nested-3-5"], stream(0), 3).accuracy[:, -1]
    assert found[LOST] == pytest.approx(plain - nested)
    expected = [gaussian_ratio(float(s), 5) for s in record.second.deviation]
    assert found["mse over the Gaussian value"] * expected == pytest.approx(record.second.ratio)


@pytest.mark.usefixtures("cheap_rule")
def test_share_of_nested_messages_is_zero_at_the_first_iteration():
    arm = Arm("s", 3, 5, Setting(iterations=1, workers=4, batch=32), 2, adaptive=True)
    assert (measure(arm, {NESTED_SHARE}, stream)[NESTED_SHARE] == 0).all()
    later = measure(replace(arm, setting=SHORT), {NESTED_SHARE}, stream)[NESTED_SHARE]
    # Two iterations of two tensors: at most half of the second group's messages.
    assert ((later > 0) & (later <= 0.5)).all()


def test_gaussian_ratio_is_the_golden_of_the_specification():
    assert gaussian_ratio(0.5, 3) == pytest.approx(12 * 0.142840260692749, rel=1e-12)  # 15 printed digits


def test_limits_become_orderings_with_numbers():
    arm = Arm("a", 3, 3, SHORT, 2)
    case = median_case([arm], [Limit("mse/D", "a"), Limit("mse/D", "a", -1, 30)])
    assert [(c.smaller, c.larger) for c in case.claims] == [
        ("1.05", "mse/D, a"),
        ("mse/D, a", "30"),
        ("clipped indices, a", "0"),
    ]
    samples = case.samples(stream)
    assert set(samples) == {"1.05", "30", "0", "mse/D, a", "clipped indices, a"}
    assert (samples["clipped indices, a"][0] == 0).all()
    assert (samples["30"][0] == 30).all()
    assert samples["mse/D, a"][0].shape == (2,)


def test_arms_without_a_limit_are_not_run():
    unused = Arm("unused", 3, 3, Setting(network="none"), 2)
    assert set(median_case([unused], []).samples(stream)) == set()
