"""Seeds of the dithers of arXiv 1904.01197 in public code, from one step to the next.

Read from public code (afshinabdi/DistributedTraining-CEO at 312b397, folder NDQSG): a worker seeds numpy's
global generator, draws the dither of all its tensors, and then its next seed, from 1000 to 999 999.
"""

import functools
from dataclasses import dataclass

import numpy as np

from verify.experiments.ndqsg.mersenne_twister import WordsAhead

COORDINATES = 784 * 300 + 300 * 100 + 100 * 10 + 300 + 100 + 10
"""Entries of the fully connected network, a dither each."""
LOWEST, ABOVE = 1000, 1_000_000
SEEDS = ABOVE - LOWEST
DEFAULT = 798_946
DRAWN = 986772, 306711, 436829, 118952, 964395, 153315, 883371, 360783, 305137, 123579, 611581
STARTS = (DEFAULT, *DRAWN)
"""The default seed of the code and eleven that were drawn."""
_WORDS = 2
"""Words of 32 bits that a uniform number takes."""


@dataclass(frozen=True)
class Chain:
    """Seeds until one comes again.

    Args:
        seeds: In order, all different.
        entry: Place of the one that comes again next.
    """

    seeds: tuple[int, ...]
    entry: int

    @property
    def cycle(self) -> int:
        """Return how many steps pass until a seed of the cycle comes again."""
        return len(self.seeds) - self.entry


@functools.cache
def next_seed(seed: int, coordinates: int = COORDINATES) -> int:
    """Return the seed of the next step; numbers of the dither are skipped, not made."""
    words, mask = WordsAhead(seed, _WORDS * coordinates), (1 << (SEEDS - 1).bit_length()) - 1
    while (drawn := next(words) & mask) >= SEEDS:  # as `randint` does
        pass
    return LOWEST + drawn


def literal_next_seed(seed: int, coordinates: int = COORDINATES) -> int:
    """Return the same by drawing the dither."""
    generator = np.random.RandomState(seed)
    generator.uniform(-0.5, 0.5, size=coordinates)
    return int(generator.randint(LOWEST, ABOVE))


def chain_from(seed: int, coordinates: int = COORDINATES, longest: int = SEEDS) -> Chain:
    """Return the seeds from one on until one comes again, at the latest after `longest` steps."""
    places: dict[int, int] = {}
    while seed not in places and len(places) <= longest:
        places[seed] = len(places)
        seed = next_seed(seed, coordinates)
    return Chain(tuple(places), places.get(seed, len(places)))
