"""Methods of the experiments with their theoretical step sizes, ready to run (arXiv 2106.03524)."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import theory
from impl.compressors import BernoulliSparsifier, StochasticQuantizer
from impl.matrix_roots import MatrixRoots
from verify.errors import UsageError
from verify.formulas.evaluation import evaluate
from verify.squant.fixtures.step_arguments import require_step_arguments
from verify.squant.fixtures.step_rules import (
    mixture_block_steps,
    mixture_probabilities,
    mixture_steps,
    optimal_block_steps,
    optimal_probabilities,
    optimal_steps,
)
from verify.squant.fixtures.supremum import supremum_of

NAMES = {"dcgd": "DCGD", "diana": "DIANA", "dcgd_plus": "DCGD+", "diana_plus": "DIANA+"}
COMPRESSIONS = ("standard", "block", "varying", "sparsification")
CONSTANTS = {"smaller": "squant/diana-constant", "paper": "squant/diana"}
"""Whose steps the methods with shifts take: those with a third of the constant, at half of the noise for the
shifts, or those of the paper."""


@dataclass(frozen=True)
class Compression:
    """A compressor for all nodes with what the theory knows of it.

    Args:
        name: One of `COMPRESSIONS`.
        compressor: Its parameters may differ per node.
        variance_constants: The smallest proved constants of the nodes, weighted with their matrices, (n,).
        omegas: The same without weight, (n,).
    """

    name: str
    compressor: Any
    variance_constants: tuple[float, ...]
    omegas: tuple[float, ...]


@dataclass(frozen=True)
class Method:
    """A method on a problem, with the step sizes that the theory gives it.

    Args:
        name: `dcgd`, `diana`, `dcgd_plus` or `diana_plus`.
        compression: What the nodes send.
        problem: The problem.
        roots: Roots of its matrices, for the aware methods.
        step_size: gamma.
        learning_rate: alpha, None for methods without shifts.
    """

    name: str
    compression: Compression
    problem: Any
    roots: MatrixRoots | None
    step_size: float
    learning_rate: float | None

    @property
    def label(self) -> str:
        """Return method and compression in words."""
        return f"{NAMES[self.name]} {self.compression.name}"

    def run(
        self, rng: Any, *, rounds: int, replicates: int, until: float | None = None, cost: Any = None
    ) -> Any:
        """Run the method from zero."""
        from impl.optimizers import dcgd, dcgd_plus, diana, diana_plus

        methods: dict[str, Any] = {
            "dcgd": dcgd,
            "diana": diana,
            "dcgd_plus": dcgd_plus,
            "diana_plus": diana_plus,
        }
        arguments: dict[str, Any] = {"rounds": rounds, "replicates": replicates, "until": until, "rng": rng}
        arguments["cost"] = cost
        if self.roots is not None:
            arguments["smoothness"] = self.roots
        if self.learning_rate is not None:
            arguments |= {"learning_rate": self.learning_rate, "omega": max(self.compression.omegas)}
        return methods[self.name](
            self.problem, self.compression.compressor, step_size=self.step_size, **arguments
        )


def diagonals_of(problem: Any) -> Any:
    """Return the diagonals of the smoothness matrices, (n, d)."""
    matrices = problem.smoothness
    return matrices if matrices.ndim == 2 else np.diagonal(matrices, axis1=-2, axis2=-1)


def equal_blocks(d: int, count: int) -> tuple[int, ...]:
    """Return the lengths of `count` nearly equal blocks, the longer ones first; at most d of them."""
    return tuple(len(part) for part in np.array_split(np.arange(d), min(count, d)))


def compression_of(problem: Any, name: str, budget: float, *, shifted: bool) -> Compression:
    """Return a compression at its theoretical parameters; the budget is beta, tau for the sparsifier.

    Shifted: steps for DIANA+ (`squant/steps-diana`) instead of those for DCGD+ (`squant/steps`).
    """
    L, n, mu = diagonals_of(problem), problem.n, problem.mu
    d = L.shape[-1]
    for row in L:
        require_step_arguments("compression_of", row, budget, at_most_d=name == "sparsification")

    def by_node(mixed: Callable[[list[float]], Any], plain: Callable[[Any], Any]) -> Any:
        return np.array([mixed(list(row)) if shifted else plain(row) for row in L])

    if name == "sparsification":
        p = by_node(
            lambda row: mixture_probabilities(row, n, mu, budget),
            lambda row: _on_support(row, lambda part: _probabilities(part, budget)),
        )
        compressor, spread = BernoulliSparsifier(p, value_bits=32), 1 / p - 1
        constants = (L * spread).max(axis=-1).tolist(), spread.max(axis=-1).tolist()
        return Compression(name, compressor, *map(tuple, constants))
    if name == "block":
        lengths = equal_blocks(d, n)
        steps = by_node(
            lambda row: mixture_block_steps(row, lengths, n, mu, budget),
            lambda row: _block_steps(row, lengths, budget),
        )
        return _quantization(name, L, steps, lengths)
    if name == "varying":
        steps = by_node(
            lambda row: mixture_steps(row, n, mu, budget),
            lambda row: _on_support(row, lambda part: optimal_steps(part, budget)),
        )
        return _quantization(name, L, steps, (d,))
    if name == "standard":
        return _quantization(name, L, np.full((n, 1), d**0.5 / budget), (d,))
    raise UsageError(f"compression={name!r} must be one of {', '.join(COMPRESSIONS)}")


# A coordinate with L_jj = 0 sends nothing, as its row of the matrix is zero: any step or probability will do.
_IDLE = 1.0


def _on_support(row: Any, rule: Callable[[list[float]], Sequence[float]]) -> Any:
    """Apply a rule to the positive entries of a diagonal, (d,)."""
    found = np.full(len(row), _IDLE)
    if row.any():
        found[row > 0] = rule(row[row > 0].tolist())
    return found


def _probabilities(part: list[float], budget: float) -> Sequence[float]:
    """Return the optimal probabilities, all one where the budget is enough for every entry."""
    return optimal_probabilities(part, budget)[1] if budget < len(part) else (1.0,) * len(part)


def _block_steps(row: Any, lengths: Sequence[int], budget: float) -> Any:
    """Apply the rule for block steps to the blocks that are not zero, (B,)."""
    parts = np.split(row, np.cumsum(lengths)[:-1])
    heavy = [index for index, part in enumerate(parts) if part.any()]
    found = np.full(len(lengths), _IDLE)
    if heavy:
        entries = [item for index in heavy for item in parts[index].tolist()]
        found[heavy] = optimal_block_steps(entries, [lengths[index] for index in heavy], budget)
    return found


def _quantization(name: str, L: Any, steps: Any, lengths: Sequence[int]) -> Compression:
    """Return a quantizer with steps (n, 1), (n, B) or (n, d)."""
    by_coordinate = np.repeat(steps, lengths, axis=-1) if steps.shape[-1] == len(lengths) else steps
    by_coordinate = np.broadcast_to(by_coordinate, L.shape)
    starts = np.cumsum((0, *lengths))

    def constant(weights: Any, row: Any) -> float:
        # All mass goes to the worst block (squant/bounds).
        parts = [slice(a, b) for a, b in itertools.pairwise(starts)]
        return max(
            supremum_of(weights[part].tolist(), row[part].tolist(), maximiser=False).upper for part in parts
        )

    blocks = list(lengths) if len(lengths) > 1 else None
    given = steps if blocks or steps.shape[-1] > 1 else float(steps[0, 0])
    ones = np.ones(L.shape[-1])
    # Uniform steps have the same omega at every node.
    omegas = [constant(ones, row) for row in (by_coordinate if steps.shape[-1] > 1 else by_coordinate[:1])]
    omegas *= len(L) // len(omegas)
    return Compression(
        name,
        StochasticQuantizer(given, blocks=blocks, norm_bits=32),
        tuple(constant(weights, row) for weights, row in zip(L, by_coordinate, strict=True)),
        tuple(omegas),
    )


def method_of(
    problem: Any,
    name: str,
    compression: str,
    budget: float,
    roots: MatrixRoots | None = None,
    constant: str = "smaller",
) -> Method:
    """Return a method with the step sizes of `squant/dcgd` or of a claim in `CONSTANTS`.

    Unaware methods take the compression `standard`; roots are those of the problem's matrices, where at hand.
    For compression and budget see `compression_of`.
    """
    if constant not in CONSTANTS:
        raise UsageError(f"constant={constant!r} must be one of {', '.join(CONSTANTS)}")
    if name not in NAMES:
        raise UsageError(f"method={name!r} must be one of {', '.join(NAMES)}")
    shifted, aware = name.startswith("diana"), name.endswith("plus")
    if not aware and compression != "standard":
        raise UsageError(
            f"compression={compression!r}: {name} takes 'standard' here; its steps know no matrix"
        )
    made = compression_of(problem, compression, budget, shifted=shifted)
    constants = made.variance_constants
    if not aware:  # L_i I in place of L_i
        constants = tuple(omega * L for omega, L in zip(made.omegas, problem.L_nodes, strict=True))
        made = Compression(made.name, made.compressor, constants, made.omegas)
    if aware and roots is None:
        roots = MatrixRoots.of_nodes(problem.smoothness)
    formulas = theory.claim(CONSTANTS[constant] if shifted else "squant/dcgd").formulas
    share = {"c": 0.5} if shifted and constant == "smaller" else {}
    values = {"L": problem.L, "Lcal_max": max(constants), "n": problem.n, **share}
    learning = {"omega_max": max(made.omegas), **share}
    return Method(
        name,
        made,
        problem,
        roots if aware else None,
        evaluate(formulas["step_size"], values),
        evaluate(formulas["learning_rate"], learning) if shifted else None,
    )
