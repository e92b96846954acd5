"""Aggregators that change gradients in place into what they keep: `aggregate(gradients) -> gradients`."""

import copy
from typing import Any

from verify.audit.adapters.ddp import rows


class ErrorsInPlace:
    """An aggregator in the form of epfml/powersgd, with one instance for each tensor.

    Args:
        target: Its class, made of the tensors and a configuration.
        config: MODULE:OBJECT of the configuration.
        options: Keyword arguments of the configuration.
    """

    def __init__(self, target: Any, config: str, options: dict[str, Any]) -> None:
        from verify.audit.calling import load

        self._target, self._config = target, load(config)(**options)
        self._made: dict[str, Any] = {}
        self._kept: dict[str, Any] = {}

    def __deepcopy__(self, memo: Any) -> "ErrorsInPlace":
        fresh = copy.copy(self)
        fresh._made, fresh._kept = {}, {}
        return fresh

    def compress(self, tensor: Any, name: str) -> Any:
        matrix = (tensor + self._kept.get(name, 0.0)).reshape(rows(tensor.numel()), -1)
        if name not in self._made:
            self._made[name] = self._target([matrix.clone()], self._config)
        found = self._made[name].aggregate([matrix])
        self._kept[name] = matrix.reshape(-1).clone()
        return [found[0].reshape(-1)], None

    def decompress(self, tensors: Any, ctx: Any) -> Any:
        return tensors[0]

    def memory(self, name: str) -> Any:
        return self._kept.get(name)
