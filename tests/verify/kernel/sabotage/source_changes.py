"""A change to the source of a function of the kernel, for one test."""

from __future__ import annotations

import importlib
import inspect
import sys
import textwrap
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True)
class Sabotage:
    """Replace text in the source of a function by other text.

    Args:
        place: `module:function` or `module:Class.method` within verify.kernel.
        changes: Pairs of text and what replaces it.
        noticed_by: Names of false derivations of which one at least must be accepted then.
    """

    place: str
    changes: tuple[tuple[str, str], ...]
    noticed_by: tuple[str, ...]


def drop(place: str, text: str, *noticed_by: str, keep: str = "pass") -> Sabotage:
    """Leave a statement out."""
    return Sabotage(place, ((text, keep),), noticed_by)


def change(place: str, old: str, new: str, *noticed_by: str) -> Sabotage:
    """Put one text for another."""
    return Sabotage(place, ((old, new),), noticed_by)


def apply(sabotage: Sabotage, monkeypatch: pytest.MonkeyPatch) -> None:
    module_name, _, path = sabotage.place.partition(":")
    module = importlib.import_module(f"verify.kernel.{module_name}")
    owner, _, function = path.rpartition(".")
    holder: Any = getattr(module, owner) if owner else module
    original = inspect.getattr_static(holder, function)
    source = textwrap.dedent(inspect.getsource(original))
    for old, new in sabotage.changes:
        assert source.count(old) == 1, f"{sabotage.place}: {old!r} stands there {source.count(old)} times"
        source = source.replace(old, new)
    space: dict[str, Any] = {}
    code = compile(f"from __future__ import annotations\n{source}", f"<sabotage of {sabotage.place}>", "exec")
    exec(code, module.__dict__, space)
    changed = space[function]
    if owner:
        monkeypatch.setattr(holder, function, changed)
    else:
        for other in [item for name, item in sys.modules.items() if name.startswith("verify.kernel")]:
            for key, value in list(vars(other).items()):
                if value is original:
                    monkeypatch.setattr(other, key, changed)
        from verify.kernel.normal import forms

        for op, handler in list(forms._HANDLERS.items()):
            if handler is original:
                monkeypatch.setitem(forms._HANDLERS, op, changed)
