"""Real links by words."""

import pytest

from impl.wires import LOOPBACK, Link
from verify.errors import UsageError
from verify.wires.links import is_real_link, real_link


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("1Mbit", Link(1e6)),
        ("0.1Mbit,1ms", Link(1e5, 1e-3)),
        ("1e2kbit, 2.5s", Link(1e5, 2.5)),
        ("100Mbit,500us,uplink", Link(1e8, 5e-4, downlink=False)),
        ("2Gbit,uplink", Link(2e9, downlink=False)),
        ("9600bit", Link(9600.0)),
        ("loopback", LOOPBACK),
    ],
)
def test_words_of_links(text, link):
    assert real_link(text) == link
    assert is_real_link(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0Mbit", "the rate '0Mbit' must be positive, from 1e-06 to 1e"),
        ("1e999Mbit", "must be positive, from"),
        ("1e-308Mbit", "must be positive, from"),
        ("-1Mbit", "the rate '-1Mbit' must be a number with bit, kbit, Mbit, Gbit"),
        ("1mbit", "the rate '1mbit' must be a number with"),
        ("fast", "the rate 'fast' must be a number with"),
        ("", "the rate '' must be a number with"),
        ("1Mbit,1h", "the delay '1h' must be a number with us, ms, s"),
        ("1Mbit,1e999s", "the delay '1e999s' must be at most 1e"),
        ("1Mbit,1e300s", "the delay '1e300s' must be at most 1e"),
        ("1Mbit,1ms,2ms", "must be RATE"),
        ("1Mbit,uplink,1ms", "must be RATE"),
        ("1Mbit,1ms,uplink,uplink", "must be RATE"),
        ("loopback,1ms", "the rate 'loopback' must be"),
    ],
)
def test_what_is_no_link_is_named(text, words):
    with pytest.raises(UsageError, match="link=") as caught:
        real_link(text)
    assert words in str(caught.value)


def test_models_of_costs_are_no_real_links():
    for text in ("payload", "affine:1,2", "eth", "lora51"):
        assert not is_real_link(text)
