"""What a few calls decide, before anything is sampled at length."""

from verify.foreign.adapter import ForeignCompressor
from verify.foreign.claims import Claims
from verify.foreign.single_calls.exactness import check_equivariance, check_lossless
from verify.foreign.single_calls.extremes import check_extremes
from verify.foreign.single_calls.message_length import check_bits
from verify.foreign.single_calls.seeds import require_seeded
from verify.foreign.single_calls.what_travels import check_what_travels
from verify.reporting.compressor_report import NamedEvidence


def check_properties(
    foreign: ForeignCompressor, claims: Claims, seed: int, seconds: float
) -> list[NamedEvidence]:
    """Return what single calls show; raise where it is no compressor at all.

    Args:
        foreign: The compressor.
        claims: What is claimed of it.
        seed: Master seed of the check.
        seconds: Time limit of the check.

    Raises:
        CompressorFault: It ignores its seed, or a call does what no call may do.
    """
    require_seeded(foreign, seed)
    found = check_extremes(foreign, claims, seed)
    if claims.lossless:
        found.append(check_lossless(foreign, seed))
    if claims.scale_equivariant:
        found.append(check_equivariance(foreign, claims.scale_equivariant, seed))
    if claims.bits is not None:
        found += check_bits(foreign, claims, seed, seconds)
        if all(item.evidence.verdict != "violated" for item in found):
            found.append(check_what_travels(foreign, seed, seconds))
    return found
