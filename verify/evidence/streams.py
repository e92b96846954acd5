"""Reproducible random streams, one for each batch of each arm of each claim (docs/evidence.md, section 11).

A stream depends on its name only: not on the process that draws it, nor on the order, nor on what ran
before. The batch size is part of the definition of a batch, so it must not depend on the machine.
"""

import hashlib
from typing import TYPE_CHECKING

from impl.errors import Problems

if TYPE_CHECKING:
    from numpy.random import Generator


def stream(master: int, claim: str, arm: str, batch: int) -> "Generator":
    """Return the generator of one batch.

    Args:
        master: Master seed of the run, at least 0.
        claim: Claim id, such as "squant/var".
        arm: "RUNG/INSTANCE/base", "RUNG/INSTANCE/mutant:NAME" or "RUNG/INSTANCE/replicate:R".
        batch: Number of the batch, at least 0.

    Returns:
        A generator over Philox, always the same one for the same arguments.

    Raises:
        ArgumentError: The master seed or the batch is negative.
    """
    from numpy.random import Generator, Philox, SeedSequence

    problems = Problems("stream")
    problems.require(master >= 0, f"master={master} must be at least 0; give a nonnegative seed")
    problems.require(batch >= 0, f"batch={batch} must be at least 0; number the batches from 0")
    problems.raise_if_any()
    digest = hashlib.sha256(f"{claim}\x1f{arm}".encode()).digest()
    words = [int.from_bytes(digest[i : i + 4], "little") for i in range(0, 32, 4)]
    return Generator(Philox(SeedSequence(entropy=[master, *words], spawn_key=(batch,))))
