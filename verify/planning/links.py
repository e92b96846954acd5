"""Links by name or by numbers."""

from __future__ import annotations

from typing import Any

from verify.errors import UsageError

_FORMS = {
    "affine": ("per_bit", "fixed"),
    "packet": ("payload_bits", "per_packet", "fixed"),
    "wire": ("payload_bits", "overhead", "fixed"),
}


def link(text: str, point_bits: int = 0) -> Any:
    """Return the model of a link: a preset, or `affine:C1,C0`, `packet:PMAX,C1,C0`, `wire:PMAX,H,C0`.

    C0 of packets may be left out, then it is 0. A real link (`1Mbit,10ms`) gives seconds of rounds.

    Args:
        text: The words.
        point_bits: Bits of the point that the server sends, for a real link.

    Raises:
        UsageError: An unknown name, or numbers that do not fit.
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
    return models[name](*numbers)
