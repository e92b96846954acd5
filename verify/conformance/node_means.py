"""Whether means over nodes, which methods make round after round, are those of what is received of each."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from impl.matrix_roots import MatrixRoots
from impl.optimizers.runs.batched_run import NodeRounds
from verify.authoring import Comparisons, eq
from verify.conformance.fast_and_literal import Received

_NODES, _D = 4, 6
_MANY = 2**18 // (_NODES * _D) + 9  # more levels than are counted at once


class _Doubled(MatrixRoots):
    """Roots of another class, which multiply what is decoded by something else."""

    def apply_root(self, v: Any) -> Any:
        return 2 * super().apply_root(v)


def means_over_nodes(
    judged: Received, compressors: Mapping[str, Any], seed: int, levels: int = _MANY
) -> Comparisons:
    """Compare means of ordinary vectors, of others and of many, behind roots of several kinds.

    Args:
        judged: `received` or a mutant.
        compressors: Some of four nodes with six coordinates, by name.
        seed: Of the streams.
        levels: Vectors of all nodes at once.
    """
    x = np.sin(np.arange(1.0, 1 + 3 * _NODES * _D)).reshape(3, _NODES, _D)
    nothing, many = x.copy(), np.resize(x[::-1] / 3, (levels, _NODES, _D))
    nothing[1, 2] = 0.0
    rounds = (x, nothing, 1e170 * x, x / 7)
    diagonals = 4.0 ** (np.arange(_NODES * _D).reshape(_NODES, _D) % 3)  # whose roots have no rounding
    diagonal, dense = (MatrixRoots.of_nodes(part) for part in (diagonals, diagonals[:, None] * np.eye(_D)))
    kinds = {"none": None, "diagonal": diagonal, "dense": dense, "doubled": _Doubled(**vars(diagonal))}
    for name, compressor in compressors.items():
        for kind, roots in kinds.items():
            repeatedly, drawn = (np.random.Generator(np.random.Philox(seed)) for _ in range(2))
            node_rounds = NodeRounds(compressor, repeatedly)
            for place, given in enumerate((*rounds, many) if kind == "diagonal" else rounds):
                mean, bits = node_rounds.mean(given, roots)
                sent = given if roots is None else roots.apply_pseudo_inverse_root(given)
                draws = compressor.draw(drawn, given.shape)
                decoded = judged(compressor, sent, draws)
                decoded = (decoded if roots is None else roots.apply_root(decoded)).mean(axis=-2)
                wrong = int((mean != decoded).sum())
                wrong += int((bits != compressor.message(sent, draws).bits).sum())
                at = {"case": name, "roots": kind, "round": place}
                yield eq("means over nodes that differ", wrong, 0, witness=at)
