"""The rules of `cat/greedy-invariant` and their sabotaged forms."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from impl.adaptive import Choice, cat_s, cat_sq, cat_st
from impl.communication import PRESETS, CostModel, index_bits, sign_entries_bits, sparse_bits
from verify.cat.fixed_size import fixed_size


@dataclass(frozen=True)
class Rule:
    """What chooses, or what is claimed of it: as stated, or with one fault.

    Args:
        power: The rule for entries divides by the cost to this power.
        sorts: Whether it adds up the largest entries.
        realised: Whether the realised decrease per cost is claimed to be the largest.
        scale: Factor of the gradients it sees.
        other_link: Whether it chooses as if bits were paid, whatever the link.
    """

    power: int = 1
    sorts: bool = True
    realised: bool = False
    scale: int = 1
    other_link: bool = False

    def applied(
        self, g: Any, cost: CostModel, entry_bits: int | None, stated: Callable[..., Choice]
    ) -> Choice:
        """Return the choice for a gradient."""
        if self.other_link:
            return _paid(g, stated(g, PRESETS["payload"], entry_bits=entry_bits), cost, stated)
        if (self.power == 1 and self.sorts) or stated is not cat_s:
            seen = [self.scale * item for item in g] if isinstance(g, list) else self.scale * np.asarray(g)
            return stated(seen, cost, entry_bits=entry_bits)
        squares = [item * item for item in g]
        if self.sorts:
            squares.sort(reverse=True)
        bits = entry_bits if entry_bits is not None else index_bits(len(g)) + 32
        sums = list(itertools.accumulate(squares))
        prices = [cost(bits * size) ** self.power for size in range(1, len(g) + 1)]
        size = max(range(len(g)), key=lambda place: sums[place] / prices[place]) + 1
        return fixed_size(size, cost, entry_bits=bits)(g)


def _paid(g: Any, choice: Choice, cost: CostModel, stated: Callable[..., Choice]) -> Choice:
    """Return a choice at what the link takes for it."""
    if stated is cat_st:
        return cat_st(g, cost, sizes=[choice.size])
    bits = (sign_entries_bits if stated is cat_sq else sparse_bits)(choice.size, len(g))
    price = float(cost(bits))
    return replace(choice, cost=price, efficiency=choice.share / price)


STATED = Rule()
RULES: dict[str, Rule] = {
    "squared-cost": Rule(power=2),
    "unsorted-sums": Rule(sorts=False),
    "realised-decrease": Rule(realised=True),
    "scaled-gradient": Rule(scale=3),
    "other-link": Rule(other_link=True),
}
