"""Faults of networks, files, messages, wires and equality, one at a time, that the contracts notice."""

import numpy as np
import pytest

from impl.coding.sparse_code import SparseCode
from impl.compressors import Independent, PermK, RotatedQuantizer, Scaled, TernGrad, TopK
from impl.compressors.joint import joint_contract
from impl.compressors.joint.correlated import rotated_quantizer
from impl.compressors.rounding import tern_grad
from impl.compressors.rounding.rounded_rows import RoundedRows
from impl.compressors.sparse import entries
from impl.compressors.sparse.entries import from_words
from impl.compressors.sparse.rand_k import RandK
from impl.matrix_roots import MatrixRoots
from impl.networks import Convolutional, FullyConnected
from impl.networks.contract import Network
from impl.problems import Quadratic
from impl.problems.data import libsvm
from impl.protocol import Receiver, Sender
from impl.wires.halves import MemoryWorker
from impl.wires.link import Link
from impl.wires.transports import tcp
from impl.wires.transports.tun_forwarder import Forwarder
from verify.conformance.arguments import compressor_places, places, taken
from verify.conformance.data_files import content, data_files
from verify.conformance.ends_of_range import ends_of_range
from verify.conformance.fast_and_literal import received as received_of_one
from verify.conformance.leading_axes import axes_of_clients, axes_of_joint, axes_of_roots
from verify.conformance.left_out import LEFT_OUT, left_out
from verify.conformance.messages.code_words import code_words, coded
from verify.conformance.messages.forged_scales import forged_norms, forged_scales
from verify.conformance.messages.joint_messages import clients_told, in_blocks, received
from verify.conformance.messages.packed_messages import counted
from verify.conformance.messages.protocol_messages import protocol_messages, taken_from
from verify.conformance.nearly_symmetric import skewed_matrices, skewed_weights
from verify.conformance.network_functions import network_functions, scored
from verify.conformance.node_functions import evaluated
from verify.conformance.node_means import means_over_nodes
from verify.conformance.own_laws import laws_of_many, own_joint_laws, stated
from verify.conformance.told_apart import apart, told_apart
from verify.conformance.wire_channels import channels, connections
from verify.conformance.wire_courses import courses, told
from verify.conformance.wire_times import arrivals, computing
from verify.cq_marina.fixtures.joint.client_compressors import OF_NODES

ROWS, LABELS = ((0.5, 0, 2), (0, 0, -3.25), (1, 4, 0), (0, 7, 1), (0.125, 0, 0)), (3, 2, 3, 3, 2)
SEED = (7, 8)
NETWORKS = {"small": FullyConnected((4, 3, 3))}
KEPT = {"TopK(2)": TopK(2), "TopK(3)": TopK(3), "RandK(2)": RandK(2)}
PAIR = {"half": (Scaled(RandK(1), 0.5), ((3, 4), (0, -5)), (1, 2))}
SHORT = {"PermK": (PermK(value_bits=32), ((1.0, 2.0), (1 + 1e-9, 2 - 1e-9)), (1, 2))}
CLIENTS = {"RandK of three": (Independent(RandK(1)), ((3, 4), (0, -5), (6, -8)), (1, 2))}
WEIGHTED = {"TopK": (TopK(2), (3, -1, 2, 5), (1, 2, 3, 4))}
INPUTS = {"TopK": (TopK(2), np.ones((2, 5)), (2, 5))}
CONTRACTS = {
    "network": lambda: network_functions(scored, NETWORKS, 3),
    "files": lambda: data_files(content, ROWS, LABELS),
    "protocol": lambda: protocol_messages(taken_from, 5),
    "courses": lambda: courses(told, 4, SEED),
    "arrivals": lambda: arrivals(told),
    "computing": lambda: computing(told),
    "equality": lambda: told_apart(apart, KEPT),
    "laws": lambda: laws_of_many(stated, PAIR, SHORT),
    "joint laws": lambda: own_joint_laws(stated, CLIENTS),
    "long samples": lambda: in_blocks(received, {}, {"PermK": PermK()}, 3),
    "words": lambda: code_words(coded, ["gamma"], 3),
    "channels": lambda: channels(told),
    "connections": lambda: connections(told),
    "means": lambda: means_over_nodes(received_of_one, OF_NODES, 3),
    "defaults": lambda: left_out(apart, LEFT_OUT),
    "axes": lambda: axes_of_clients(stated, WEIGHTED, 3),
    "axes of clients": lambda: axes_of_joint(stated, CLIENTS, 3),
    "axes of roots": lambda: axes_of_roots(stated, np.broadcast_to(np.diag([4.0, 1.0]), (2, 3, 2, 2))),
    "ends": lambda: ends_of_range(received_of_one, {"TopK": TopK(3)}, 3),
    "forged": lambda: forged_scales(counted, {"TernGrad": TernGrad()}, 7, 3),
    "forged entries": lambda: forged_scales(counted, {"TopK": TopK(2)}, 7, 3),
    "forged norms": lambda: forged_norms(counted, {"rotated": RotatedQuantizer(True)}, 4, 8),
    "told": lambda: clients_told(stated, {"RandK": (Independent(RandK(1)), np.ones((3, 4)), ())}),
    "skewed": lambda: skewed_matrices(evaluated, np.array([[[2.0, 1.0], [1.0, 3.0]]] * 2)),
    "skewed weights": lambda: skewed_weights(stated, {"RandK": (RandK(1), (3, 4), ((2, 1), (1, 3)))}),
    "places": lambda: places(taken, compressor_places(INPUTS)),
}


def failing(name):
    """Return the labels at which a contract is not kept."""
    return {item.label for item in CONTRACTS[name]() if item.excess > 0}


def _shifted_initial(honest):
    return lambda self, rng, replicates=1: [part * 1.01 for part in honest(self, rng, replicates)]


def _no_labels(honest):
    return lambda features, labels: honest(features, np.ones(len(labels)))


def _terminating(processes):
    for process in processes:
        process.terminate()


def _never(honest):
    return lambda processes: None


def _older(honest):
    return lambda self, tensor=0: honest(self, 0)


def _forgetful(honest):
    def answer(self, k, x):
        payload = honest(self, k, x)
        self.memory = 0.5 * self.memory
        return payload

    return answer


def _without_small(honest):
    return lambda self, x, *given: honest(self, np.where(np.abs(x) < 1e-300, 0, x), *given)


def _any_words(honest):
    return lambda words, bits, dtype: np.array(words, dtype=np.uint64).view(np.float64).astype(dtype)


def _as_given(honest):
    def set_up(self, where, matrices, *given):
        honest(self, where, matrices, *given)
        self.matrices = np.array(matrices)

    return set_up


def _lower(honest):
    def moments(self, x, weight=None):
        lower = None if weight is None else np.tril(weight) + np.tril(weight, -1).T
        return honest(self, x, lower)

    return moments


def _in_place(honest):
    def message(self, x, draws):
        found = honest(self, x, draws)
        x *= 2
        return found

    return message


def _seventeen(self, channels=(8, 17), hidden=64, classes=10, side=8, window=3, padded=True):
    """As of `Convolutional`, but for a default."""


@pytest.mark.parametrize(
    ("name", "owner", "attribute", "fault", "label"),
    [
        ("network", Network, "initial", _shifted_initial, "weights that start elsewhere"),
        ("network", Network, "accuracy", lambda honest: lambda *given: 1 - honest(*given), "shares of rows"),
        ("files", libsvm, "content_sha256", _no_labels, "hashes of other content"),
        ("files", libsvm, "inspect_file", lambda honest: lambda *given: "", "wrong files found wrong"),
        ("protocol", Sender, "iteration", _older, "counters that are elsewhere"),
        ("protocol", Receiver, "iteration", _older, "counters that are elsewhere"),
        ("courses", MemoryWorker, "answer", _forgetful, "points of a course"),
        (
            "arrivals",
            Link,
            "transmission",
            lambda honest: lambda self, size: 8 * size / self.rate,
            "arrivals on",
        ),
        (
            "arrivals",
            Forwarder,
            "arrival",
            lambda honest: lambda self, device, size, now: now + self.link.delay,
            "arrivals of packets",
        ),
        ("equality", TopK, "_parameters", lambda honest: lambda self: (), "different ones"),
        ("equality", TopK, "__repr__", lambda honest: lambda self: "TopK", "different ones"),
        (
            "laws",
            Scaled,
            "_exact_coordinate_variances",
            lambda honest: lambda self, x: [2 * item for item in honest(self, x)],
            "stated variance of many clients",
        ),
        (
            "laws",
            PermK,
            "_coordinate_variances",
            lambda honest: lambda self, x: ((x.astype(np.float32) - x) ** 2).mean(axis=-2),
            "stated variance of short entries",
        ),
        (
            "joint laws",
            Independent,
            "_coordinate_variances",
            lambda honest: lambda self, x: honest(self, x)[..., ::-1],
            "stated variance of a coordinate",
        ),
        (
            "long samples",
            joint_contract,
            "sample_by_clients",
            lambda honest: lambda joint, x, rng: honest(joint, 1.5 * x, rng),
            "sampled estimates that differ",
        ),
        (
            "words",
            SparseCode,
            "_bits",
            lambda honest: lambda self, p, levels: honest(self, p, levels) + (not p.shape[-1]),
            "lengths that differ",
        ),
        (
            "channels",
            tcp.TcpChannel,
            "take",
            lambda honest: lambda self, limit, deadline=None: honest(self, limit / 2, deadline),
            "ends of runs",
        ),
        ("connections", tcp, "_end", lambda honest: _terminating, "ends of runs"),
        ("connections", tcp, "_end", _never, "ends of runs"),
        ("means", RoundedRows, "_any", lambda honest: lambda self, x: honest(self, 2 * x), "means over"),
        ("defaults", Convolutional, "__init__", lambda honest: _seventeen, "arguments left out"),
        (
            "axes",
            TopK,
            "expected_bits",
            lambda honest: lambda self, x: honest(self, x) + (np.ndim(x) > 2),
            "numbers of each part",
        ),
        (
            "axes",
            TopK,
            "compress",
            lambda honest: (
                lambda self, x, *given: honest(self, x, *given).astype(float if x.ndim > 2 else x.dtype)
            ),
            "arrays of their shape and type",
        ),
        ("axes", TopK, "message", _in_place, "numbers of each part"),
        (
            "axes of clients",
            Independent,
            "_coordinate_variances",
            lambda honest: lambda self, x: honest(self, x[::-1]),
            "numbers of each part",
        ),
        (
            "axes of roots",
            MatrixRoots,
            "project",
            lambda honest: lambda self, x: honest(self, x)[::-1],
            "numbers of each part",
        ),
        ("ends", TopK, "sample", _without_small, "ends of the range"),
        ("forged", tern_grad, "norms_from_words", lambda honest: from_words, "forged scales"),
        ("forged entries", entries, "from_words", _any_words, "forged scales"),
        ("forged norms", rotated_quantizer, "norms_from_words", lambda honest: from_words, "forged scales"),
        (
            "told",
            Independent,
            "_clients_of",
            lambda honest: lambda self, draws: honest(self, draws) + 1,
            "messages of clients",
        ),
        ("skewed", Quadratic, "_set_up", _as_given, "symmetric gradients"),
        ("skewed weights", RandK, "moments", _lower, "stated moments in a skewed weight"),
        ("places", TopK, "expected_bits", lambda honest: lambda self, x: 0, "arguments that are named"),
    ],
)
def test_a_planted_fault_is_noticed(name, owner, attribute, fault, label, monkeypatch):
    monkeypatch.setattr(owner, attribute, fault(getattr(owner, attribute)))
    assert any(found.startswith(label) for found in failing(name))
