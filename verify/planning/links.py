"""Links by name or by numbers."""

from __future__ import annotations

from typing import Any

from verify.errors import UsageError

_FORMS = {
    "affine": ("per_bit", "fixed"),
    "packet": ("payload_bits", "per_packet", "fixed"),
    "wire": ("payload_bits", "overhead", "fixed"),
}

_COSTS = (1e-50, 1e50)
"""Of costs besides 0: with others formulas leave double precision."""
_IN_BITS, _MOST_BITS = ("payload_bits", "overhead"), 10**15


def link(text: str, point_bits: int = 0) -> Any:
    """Return the model of a link: a preset, or `affine:C1,C0`, `packet:PMAX,C1,C0`, `wire:PMAX,H,C0`.

    C0 of packets may be left out, then it is 0. A real link (`1Mbit,10ms`) gives seconds of rounds.

    Args:
        text: The words.
        point_bits: Bits of the point that the server sends, for a real link.

    Raises:
        UsageError: An unknown name, or numbers that do not fit: costs are 0 or from 1e-50 to 1e50.
    """
    from impl.communication import PRESETS, Affine, Packet, RoundSeconds, Wire
    from verify.wires.links import FORM, is_real_link, real_link

    if is_real_link(text):
        return RoundSeconds(real_link(text), point_bits)
    if text in PRESETS:
        return PRESETS[text]
    name, colon, rest = text.partition(":")
    models: dict[str, Any] = {"affine": Affine, "packet": Packet, "wire": Wire}
    if name not in models or not colon:
        forms = ", ".join(f"{key}:{','.join(values)}" for key, values in _FORMS.items())
        raise UsageError(f"link={text!r} is unknown; choose one of {', '.join(PRESETS)}, {forms}, or {FORM}")
    try:
        numbers = [int(part) if part.strip().isdecimal() else float(part) for part in rest.split(",")]
    except ValueError:
        raise UsageError(f"link={text!r}: {rest!r} must be numbers, {','.join(_FORMS[name])}") from None
    most = len(_FORMS[name])
    if len(numbers) not in {2, most}:
        counts = "2" if most == 2 else f"2 or {most}"
        raise UsageError(f"link={text!r} must have {counts} numbers, {','.join(_FORMS[name])}")
    for number, what in zip(numbers, _FORMS[name], strict=False):  # what else is wrong tells the model
        if what in _IN_BITS and number > _MOST_BITS:
            raise UsageError(
                f"link={text!r}: {what}={number!r} must be at most {_MOST_BITS} bits; give fewer"
            )
        if 0 < abs(number) < _COSTS[0] or abs(number) > _COSTS[1]:
            raise UsageError(
                f"link={text!r}: {what}={number!r} must be 0, or from {_COSTS[0]:g} to {_COSTS[1]:g}; take "
                "another unit of costs"
            )
    return models[name](*numbers)
