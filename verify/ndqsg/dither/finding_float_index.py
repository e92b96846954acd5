"""Checks of `ndqsg/finding-float-index`: all 2^24 dithers at the largest entry, in single precision."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from verify.authoring import checks_of, eq
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures import index_rules
from verify.ndqsg.fixtures.dithers import BITS, grid_chunks

CHUNK = 2**17
"""Dithers at once: few enough that what is made of them stays cached."""

judge = checks_of(
    "ndqsg/finding-float-index", index=index_rules.single_precision, even=index_rules.half_to_even
)


judge.sabotage(
    "float64 at exact/three-levels, exact/levels, exact/last-levels, exact/without-halves: "
    "Compute the index in double precision: no overload.",
    {"index": index_rules.honest},
    "clipped at exact/three-levels, exact/levels, exact/last-levels, exact/without-halves: "
    "Clip the index before counting: the overload is hidden.",
    {"index": index_rules.clipped},
    "half-to-even, neutral at exact/three-levels, exact/levels: Round the float32 sum half to even: the "
    "same count at $x=1$ for odd $M$.",
    {"index": index_rules.half_to_even},
    "ties-to-even at exact/both-ends: Round half to even where half-up is claimed: at $x=-1$ it overflows.",
    {"index": index_rules.half_to_even},
    "ties-up at exact/both-ends: Round half up where half to even is claimed: at $x=-1$ nothing overflows.",
    {"even": index_rules.single_precision},
    "clipped-ties at exact/both-ends: Clip what was rounded half to even.",
    {"even": index_rules.clipped},
)


def _exponent(levels: int) -> int:
    return levels.bit_length() - 1


@judge.exact(
    instance="levels", M=(1, 3, 7, 127), parameters={"M": (1, 3, 7, 127), "dithers": 2**BITS}, profile="full"
)
@judge.exact(instance="last-levels", M=(2**23 - 1,), parameters={"M": (2**23 - 1,), "dithers": 2**BITS})
@judge.exact(instance="three-levels", M=(3,), parameters={"M": (3,), "dithers": 2**BITS})
def all_dithers(law: Law, M: Sequence[int]) -> Iterable[Comparison]:
    """Count the overloads."""
    x = np.array([1.0])
    for levels in M:
        over = (int(np.count_nonzero(law.index(x, levels, u[:, None]) > levels)) for u in grid_chunks(CHUNK))
        found, shown = sum(over), {"M": levels, "x": 1}
        yield eq("overloads", found, law.exactly("exact", a=_exponent(levels)), witness=shown, headline=True)
        yield eq("fraction", F(found, 2**BITS), law.exactly("fraction", a=_exponent(levels)), witness=shown)


@judge.exact(instance="both-ends", M=(1, 3, 7), parameters={"M": (1, 3, 7), "dithers": 2**BITS})
def both_ends(law: Law, M: Sequence[int]) -> Iterable[Comparison]:
    """Count the overloads at -1, and those of rounding half to even at both ends."""
    for levels in M:
        shown, stated = {"M": levels}, law.exactly("exact", a=_exponent(levels))
        yield eq("overloads at -1", _beyond(law.index, -1.0, levels), 0, witness=shown)
        for x in (1.0, -1.0):
            found = _beyond(law.even, x, levels)
            yield eq(f"overloads at {x:g}, half to even", found, stated, witness=shown)


def _beyond(rule: Any, x: float, levels: int) -> int:
    entry = np.array([x])
    found = (np.abs(rule(entry, levels, u[:, None])) > levels for u in grid_chunks(CHUNK))
    return sum(int(np.count_nonzero(item)) for item in found)


@judge.exact(instance="without-halves", parameters={"M": (2**23, 2**23 + 1), "dithers": 2**BITS})
def without_halves(law: Law) -> Iterable[Comparison]:
    """Beyond the stated levels a half is a tie: it goes to the even neighbour, whatever the dither."""
    x = np.array([1.0])
    for levels, expected in ((2**23, 0), (2**23 + 1, 2**BITS)):
        found = sum(
            int(np.count_nonzero(law.index(x, levels, u[:, None]) > levels)) for u in grid_chunks(CHUNK)
        )
        yield eq("overloads without halves", found, expected, witness={"M": levels, "x": 1})


@judge.exact(instance="half-ulp", parameters={"M": "1..300, 2^22, 2^23-1"})
def half_ulp(law: Law) -> Iterable[Comparison]:
    """The stated half unit in the last place of M, in the format itself."""
    for levels in (*range(1, 301), 2**22, 2**23 - 1):
        half = F(float(np.spacing(np.float32(levels)))) / 2
        yield eq("half ulp", half, law.exactly("half_ulp", a=_exponent(levels)), witness={"M": levels})
