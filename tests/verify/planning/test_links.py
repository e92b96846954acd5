"""Links by name or by numbers."""

import pytest

from impl.communication import PRESETS, Affine, Packet, Wire
from impl.errors import ArgumentError
from verify.errors import UsageError
from verify.planning.links import link


@pytest.mark.parametrize("name", list(PRESETS))
def test_presets_are_links(name):
    assert link(name) is PRESETS[name]


def test_numbers_make_links():
    assert link("affine:2,100") == Affine(2, 100)
    assert link("affine:0.5, 100") == Affine(0.5, 100)
    assert link("packet:648,1064") == Packet(648, 1064)
    assert link("packet:648,1064,10") == Packet(648, 1064, 10)
    assert link("wire:11680,624") == Wire(11680, 624)
    assert link("wire:11680,624,8") == Wire(11680, 624, 8)
    assert isinstance(link("affine:2,100")(10), int)  # whole numbers stay exact


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("token-ring", "choose one of payload"),
        ("", "is unknown"),
        ("affine:", "must be numbers"),
        ("affine:a,b", "must be numbers, per_bit,fixed"),
        ("affine:²,1", "must be numbers"),
        ("affine:1", "must have 2 numbers"),
        ("packet:1", "must have 2 or 3 numbers, payload_bits,per_packet,fixed"),
        ("wire:1,2,3,4", "must have 2 or 3 numbers, payload_bits,overhead,fixed"),
        ("payload:1,2", "is unknown"),
        ("affine:1e308,1e308", "per_bit=1e.308 must be 0, or from 1e-50 to 1e.50; take another unit"),
        ("affine:1e-308,1", "per_bit=1e-308 must be 0, or from"),
        ("packet:8,5,inf", "fixed=inf must be 0, or from"),
        (f"packet:{10**23},5", f"payload_bits={10**23} must be at most {10**15} bits; give fewer"),
        (f"wire:1,{10**36}", f"overhead={10**36} must be at most {10**15} bits; give fewer"),
    ],
)
def test_what_is_no_link_is_named(text, message):
    with pytest.raises(UsageError, match=message):
        link(text)


@pytest.mark.parametrize("text", ["affine:0,1", "affine:-1,0", "affine:nan,0", "packet:0,5", "packet:8.5,5"])
def test_numbers_out_of_range_are_named(text):
    with pytest.raises(ArgumentError, match="must be"):
        link(text)
