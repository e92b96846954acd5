"""Whether arguments that are left out have the values that are stated of them."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from impl import adaptive, communication, compressors, networks, optimizers, problems, protocol, wires
from verify.authoring import Comparisons, eq
from verify.conformance.told_apart import Seen

_NUMBERS, _NORMS, _FLOATS = {"value_bits": 64}, {"norm_bits": 64}, {"float_bits": 32}
_CHOSEN: dict[str, Any] = {**_FLOATS, "dense": False}
_LEVELS: dict[str, Any] = {"most_levels": 255, **_CHOSEN}
_RUN: dict[str, Any] = {"replicates": 1, "trace": False}
_SGD: dict[str, Any] = {"noise_std": 0.0, "side": "parallel", "momentum": 0.0}
_DITHERED: dict[str, Any] = {**_NORMS, "points": 2**24}
_STORED = {"storage": "auto"}
LEFT_OUT: Mapping[Callable[..., Any], Mapping[str, Any]] = {
    compressors.AtomicSparsification: _NUMBERS,
    compressors.BernoulliSparsifier: _NUMBERS,
    compressors.CorrelatedGrid: {"shift": 0},
    compressors.CorrelatedQuantizer: _NORMS,
    compressors.DitheredQuantizer: _DITHERED,
    compressors.GreedySparsification: {"rounds": 2, **_NUMBERS},
    compressors.IndependentQuantizer: _NORMS,
    compressors.Key: {"tensor": 0},
    compressors.NaturalCompression: {"lowest": -1074, "highest": 1023},
    compressors.NestedDitheredQuantizer: {"alpha": 1.0, **_DITHERED, "range_aware": False},
    compressors.OneBit: _NORMS,
    compressors.PermK: _NUMBERS,
    compressors.PermKQuantizer: {"correlated": True, **_NORMS},
    compressors.RandK: _NUMBERS,
    compressors.RotatedQuantizer: _NORMS,
    compressors.RoundKey: {"tensor": 0},
    compressors.SpectralSparsification: _NUMBERS,
    compressors.StochasticQuantizer: {**_NORMS, "code": "sparse-gamma", "norm": "euclidean"},
    compressors.TernGrad: _NORMS,
    compressors.TopK: _NUMBERS,
    compressors.TopKSigns: {"scale": "norm", **_NUMBERS},
    optimizers.AdaptiveRatios: {"side": "parallel"},
    optimizers.QuantizedEstimator: _SGD,
    optimizers.cat_gd: {**_RUN, "allow_divergence": False},
    optimizers.dcgd: _RUN,
    optimizers.dcgd_plus: {**_RUN, "check_range": True},
    optimizers.diana: _RUN,
    optimizers.diana_plus: {**_RUN, "check_range": True},
    optimizers.gd: {**_RUN, "float_bits": 64},
    optimizers.marina: {**_RUN, "float_bits": 64, "estimator": optimizers.MarinaEstimator},
    optimizers.marina_reference: {"float_bits": 64},
    optimizers.memory_gd: _RUN,
    optimizers.quantized_sgd: {**_RUN, **_SGD, "estimator": optimizers.QuantizedEstimator},
    optimizers.quantized_sgd_reference: _SGD,
    optimizers.train_network: {"replicates": 1, "momentum": 0.0, "side": "parallel"},
    adaptive.Choice: {"dense": False},
    adaptive.cat_qsgd: _LEVELS,
    adaptive.cat_qsgd_reference: _LEVELS,
    adaptive.cat_s: _CHOSEN,
    adaptive.cat_s_reference: _CHOSEN,
    adaptive.cat_sq: _CHOSEN,
    adaptive.cat_sq_reference: _CHOSEN,
    adaptive.cat_st: _CHOSEN,
    adaptive.cat_st_reference: _CHOSEN,
    communication.Affine: {"per_bit": 1, "fixed": 0},
    communication.LoRaAirtime: {
        **{"spreading_factor": 12, "bandwidth": 125000, "payload_bits": 408, "overhead_bytes": 13},
        "fixed": 0,
    },
    communication.Packet: {"per_packet": 1, "fixed": 0},
    communication.Wire: {"fixed": 0},
    communication.dense_bits: _FLOATS,
    communication.dense_sign_bits: _FLOATS,
    communication.levels_bits: _FLOATS,
    communication.sign_entries_bits: _FLOATS,
    communication.sparse_bits: _FLOATS,
    networks.Convolutional: {
        **{"channels": (8, 16), "hidden": 64, "classes": 10, "side": 8, "window": 3, "padded": True},
    },
    problems.Logistic: {"regulariser": "convex"},
    problems.NetworkLoss: {"precision": "double"},
    problems.Quadratic: {"convex": True},
    problems.breast_cancer_logistic: {"n": 8, "ridge": 0.01},
    problems.contiguous_split: _STORED,
    problems.label_sorted_split: _STORED,
    problems.scaled_split: _STORED,
    problems.tridiagonal: {"offset": 0.0},
    protocol.Aggregator: {
        **{"mode": "parallel", "tensor": 0, "seed_id": 0, "range_aware": False, "start": 0},
    },
    protocol.Header: {"scale_bits": 64, "safe": False, "code": 0, "fixed_scale": False},
    protocol.Receiver: {"seed_id": 0, "range_aware": False, "start": 0},
    protocol.Sender: {"seed_id": 0, "safe": False, "code": "raw", "start": 0},
    wires.Link: {"delay": 0.0, "downlink": True},
}
"""What may be left out of public calls, and what it is then; None is not listed, nor is what runs return."""


def left_out(judged: Seen, stated: Mapping[Callable[..., Any], Mapping[str, Any]]) -> Comparisons:
    """Compare what calls take where an argument is left out with what is stated, in words, types included.

    Args:
        judged: `apart` or a mutant.
        stated: As `LEFT_OUT`.
    """
    for made, values in stated.items():
        known = ((item.name, item.default) for item in inspect.signature(made).parameters.values())
        found = {name: repr(value) for name, value in known if value not in (None, inspect.Parameter.empty)}
        wanted = {name: repr(value) for name, value in values.items()}
        wrong = sum(found.get(name) != wanted.get(name) for name in found | wanted)
        yield eq("arguments left out that are others", judged(wrong), 0, witness={"of": made.__name__})
