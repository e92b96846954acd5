"""Where a judgement takes place: which unit, which arm, which seed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.random import Generator

MASTER_SEED = 20240601
"""Seed of every run that names none; part of the registry, never drawn from the clock."""


@dataclass(frozen=True)
class Context:
    """Name one judgement so that its random streams can be found again.

    Args:
        claim: Claim id.
        rung: Name of the rung.
        instance: Name of the instance.
        arm: `base` or `mutant:NAME`.
        seed: Master seed.
        profile: `quick` or `full`.
        sabotaged: Whether a generated mutant is judged, on the streams of the arm.
        until: Labels; comparisons of a mutant end when it failed at all of them. Empty: none is left out.
    """

    claim: str
    rung: str
    instance: str
    arm: str = "base"
    seed: int = MASTER_SEED
    profile: str = "quick"
    sabotaged: bool = False
    until: frozenset[str] = frozenset()

    @property
    def is_mutant(self) -> bool:
        """Return whether a mutant is being judged."""
        return self.sabotaged or self.arm.startswith("mutant:")

    def stream(self, batch: int) -> "Generator":
        """Return the generator of one batch of this arm."""
        return self._stream(self.arm, batch)

    def replicate_stream(self, first: int) -> "Generator":
        """Return the generator of the replicates from number `first` on, which run in one array."""
        sabotage = f"{self.arm}/" if self.is_mutant else ""
        return self._stream(f"{sabotage}replicate:{first}", 0)

    def _stream(self, arm: str, batch: int) -> "Generator":
        from verify.evidence.streams import stream

        return stream(self.seed, self.claim, f"{self.rung}/{self.instance}/{arm}", batch)
