"""Runs that record what their compressors sent, so that the steps they took can be held against a claim."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from impl.adaptive import Choice
from impl.optimizers import cat_gd
from impl.optimizers.cat_gd import Rule
from verify.comparison import ROUND_OFF, Comparison


@dataclass(frozen=True, eq=False)
class RecordedRound:
    """A round of a run of one replicate.

    Attributes:
        k: Number of the round.
        x: Its point, (d,).
        move: x_k - x_{k+1} of the iterates of the run, (d,).
        messages: What the compressors made of the gradients, decoded, (n, d); zero where nothing was sent.
        sizes: `Choice.size` of the nodes, (n,).
    """

    k: int
    x: Any
    move: Any
    messages: Any
    sizes: Any

    @property
    def mean(self) -> Any:
        """Return the mean of the messages, (d,)."""
        return self.messages.mean(axis=0)

    @property
    def step(self) -> float | None:
        """Return the step that was taken: the move in multiples of the mean message; None if that is 0."""
        mean = self.mean
        return float(self.move @ mean / (mean @ mean)) if mean.any() else None

    def hold(self, step: float, gradients: Any, chances: Any) -> Iterable[Comparison]:
        """Hold the run's own step, direction and messages against the stated ones.

        Args:
            step: The stated step.
            gradients: Gradients of the nodes at `x`, (n, d).
            chances: Chances of their entries, (n, d); 0 where an entry is never sent.
        """
        witness = {"k": self.k, "T": self.sizes.tolist()}
        for node, (sent, g, p) in enumerate(zip(self.messages, gradients, chances, strict=True)):
            kept = sent != 0
            stated = float(np.linalg.norm(g[kept] / p[kept]))
            error = float(np.linalg.norm(sent[kept] - g[kept] / p[kept]))
            # Relative to the message, as a difference to it, so that the tolerance is one of that size.
            yield Comparison(
                f"message of node {node}", "le", stated + error, stated, ROUND_OFF, {**witness, "node": node}
            )
        if self.step is None:
            yield Comparison("move without a message", "eq", float(np.abs(self.move).max()), 0.0)
            return
        yield Comparison("step of the run", "eq", self.step, step, ROUND_OFF, witness)
        # Equality of Cauchy and Schwarz: the move is a multiple of the mean message.
        mean, move = self.mean, self.move
        lengths = float(move @ move) * float(mean @ mean)
        yield Comparison("direction of the run", "eq", float(move @ mean) ** 2, lengths, ROUND_OFF, witness)


class _Recorder:
    """A compressor that writes down what it makes of a gradient."""

    def __init__(self, compressor: Any, note: Any) -> None:
        self._compressor, self._note = compressor, note

    def __getattr__(self, name: str) -> Any:
        return getattr(self._compressor, name)

    def __repr__(self) -> str:
        return repr(self._compressor)

    def compress(self, x: Any, draws: Any, side: Any = None) -> Any:
        sent = self._compressor.compress(x, draws, side)
        self._note[:] = sent
        return sent


def without_noise(rule: Rule) -> Rule:
    """Return a sabotaged rule: `cat_gd` takes the step 1/L, as if the messages had no noise."""
    return lambda g: replace(rule(g), share=1.0, step_factor=1.0)


def recorded_run(problem: Any, rule: Rule, *, rounds: int, **arguments: Any) -> list[RecordedRound]:
    """Return the rounds of a run of `cat_gd` with one replicate; arguments as there.

    Raises:
        ValueError: The run did not ask the rule once for each node in each round.
    """
    notes: list[Any] = []

    def recording(g: Any) -> Choice:
        choice = rule(g)
        note = np.zeros(problem.d)
        notes.append(note)
        if choice.compressor is None:
            return choice
        return replace(choice, compressor=_Recorder(choice.compressor, note))

    run = cat_gd(problem, recording, rounds=rounds, trace=True, **arguments)
    if len(notes) != run.rounds * problem.n or run.iterates is None or len(run.iterates) != 1:
        raise ValueError(
            f"the rule was asked {len(notes)} times in {run.rounds} rounds of {problem.n} nodes; give one "
            "replicate, and a rule that asks no other"
        )
    messages = np.array(notes).reshape(run.rounds, problem.n, problem.d)
    points = run.iterates[0]
    return [
        RecordedRound(k, x, x - after, sent, run.sizes[0, k])
        for k, (x, after, sent) in enumerate(zip(points, points[1:], messages, strict=False))
    ]
