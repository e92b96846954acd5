"""Real links by words: `1Mbit,10ms`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verify.errors import UsageError

if TYPE_CHECKING:
    from impl.wires import Link

FORM = "RATE[,DELAY][,uplink], such as 1Mbit,10ms, or loopback"
_RATES = {"bit": 1.0, "kbit": 1e3, "Mbit": 1e6, "Gbit": 1e9}
_DELAYS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
_BITS = (1e-6, 1e18)
"""Bits a second that a link may have."""
_LONGEST = 1e6
"""Seconds by which a link may be late."""
_NUMBER = re.compile(r"([0-9]*\.?[0-9]+(?:e[+-]?[0-9]+)?)([A-Za-z]+)")


def is_real_link(text: str) -> bool:
    """Tell whether the words are meant to be those of a real link."""
    return text == "loopback" or any(text.split(",")[0].endswith(unit) for unit in _RATES)


def real_link(text: str) -> Link:
    """Return the link: a rate in bit, kbit, Mbit or Gbit a second, a delay in us, ms or s, `uplink`.

    With `uplink` the messages of the server are not held up. `loopback` holds up none.

    Raises:
        UsageError: Other words, a rate not from 1e-6 to 1e18 bits a second, a delay above 1e6 seconds.
    """
    from impl.wires import LOOPBACK, Link

    if text == "loopback":
        return LOOPBACK
    rate, *rest = (part.strip() for part in text.split(","))
    bits = _measured(text, "rate", rate, _RATES)
    if not _BITS[0] <= bits <= _BITS[1]:
        raise UsageError(
            f"link={text!r}: the rate {rate!r} must be positive, from {_BITS[0]:g} to {_BITS[1]:g} bit a "
            "second, such as 1Mbit"
        )
    delay, uplink = 0.0, False
    for word in rest:
        if word == "uplink":
            uplink = True
        else:
            delay = _measured(text, "delay", word, _DELAYS)
            if delay > _LONGEST:
                raise UsageError(
                    f"link={text!r}: the delay {word!r} must be at most {_LONGEST:g} seconds, such as 10ms"
                )
    if len(rest) > 2 or (len(rest) == 2 and rest[1] != "uplink"):
        raise UsageError(f"link={text!r} must be {FORM}")
    return Link(bits, delay, downlink=not uplink)


def _measured(text: str, name: str, word: str, units: dict[str, float]) -> float:
    found = _NUMBER.fullmatch(word)
    if found is None or found[2] not in units:
        raise UsageError(
            f"link={text!r}: the {name} {word!r} must be a number with {', '.join(units)}; a link is {FORM}"
        )
    return float(found[1]) * units[found[2]]
