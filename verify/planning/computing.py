"""What this machine computes in a round of each method, for plans on real links."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from verify.planning.setting import Prediction, Setting

if TYPE_CHECKING:
    from verify.wires.methods import Choice

_ROUNDS = 15
"""Of a method in one process, of which the medians count."""


class Computing:
    """Seconds of computing by method, each measured once.

    Args:
        setting: What is planned.
    """

    def __init__(self, setting: Setting) -> None:
        from impl.wires.model import empty_round

        self._setting = setting
        self._empty = empty_round(setting.n, setting.d)
        self._known: dict[Choice, float] = {}

    def of(self, prediction: Prediction) -> float:
        """Return c of a method; of gradient descent where it has no halves for processes."""
        from impl.wires import Session
        from impl.wires.model import Computing as Parts
        from impl.wires.transports.inprocess import run_in_process
        from verify.wires.methods import choice, halves

        chosen = prediction.wire or choice("gd")
        if chosen not in self._known:
            made = halves(self._setting, chosen, (0, 0))
            course = run_in_process(made.server, made.workers, Session({}), rounds=_ROUNDS)
            self._known[chosen] = (self._empty + Parts.of(course)).seconds(self._setting.n)
        return self._known[chosen]

    def added(self, prediction: Prediction) -> Prediction:
        """Return a prediction with the computing of its rounds."""
        if prediction.rounds is None or prediction.cost == math.inf:
            return prediction
        note = "" if prediction.wire is not None else "computing as of GD"
        return replace(
            prediction,
            cost=prediction.cost + prediction.rounds * self.of(prediction),
            note="; ".join(item for item in (prediction.note, note) if item),
        )
