"""What the papers compute: compressors, methods and problems, literal and fast."""

from impl.tiers import tier

__all__ = ["tier"]
