"""Checks of `ndqsg/finding-float-index`: all 2^24 dithers at the largest entry, in single precision."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F

import numpy as np

from verify.authoring import checks_of, eq
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures import index_rules
from verify.ndqsg.fixtures.dithers import BITS, grid_chunks

judge = checks_of("ndqsg/finding-float-index", index=index_rules.single_precision)


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
        over = (int(np.count_nonzero(law.index(x, levels, u[:, None]) > levels)) for u in grid_chunks())
        found, shown = sum(over), {"M": levels, "x": 1}
        yield eq("overloads", found, law.exactly("exact", a=_exponent(levels)), witness=shown, headline=True)
        yield eq("fraction", F(found, 2**BITS), law.exactly("fraction", a=_exponent(levels)), witness=shown)


@judge.exact(instance="without-halves", parameters={"M": (2**23, 2**23 + 1), "dithers": 2**BITS})
def without_halves(law: Law) -> Iterable[Comparison]:
    """Beyond the stated levels a half is a tie: it goes to the even neighbour, whatever the dither."""
    x = np.array([1.0])
    for levels, expected in ((2**23, 0), (2**23 + 1, 2**BITS)):
        found = sum(int(np.count_nonzero(law.index(x, levels, u[:, None]) > levels)) for u in grid_chunks())
        yield eq("overloads without halves", found, expected, witness={"M": levels, "x": 1})


@judge.exact(instance="half-ulp", parameters={"M": "1..300, 2^22, 2^23-1"})
def half_ulp(law: Law) -> Iterable[Comparison]:
    """The stated half unit in the last place of M, in the format itself."""
    for levels in (*range(1, 301), 2**22, 2**23 - 1):
        half = F(float(np.spacing(np.float32(levels)))) / 2
        yield eq("half ulp", half, law.exactly("half_ulp", a=_exponent(levels)), witness={"M": levels})
