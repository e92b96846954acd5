"""Communication models: what a message of a number of bits costs."""

from impl.communication.affine import Affine
from impl.communication.contract import CostModel
from impl.communication.lora_airtime import LoRaAirtime
from impl.communication.message_sizes import (
    dense_bits,
    dense_sign_bits,
    index_bits,
    levels_bits,
    sign_entries_bits,
    sparse_bits,
)
from impl.communication.packet import Packet
from impl.communication.payload import Payload
from impl.communication.presets import PRESETS
from impl.communication.round_seconds import RoundSeconds
from impl.communication.wire import Wire

__all__ = [
    "PRESETS",
    "Affine",
    "CostModel",
    "LoRaAirtime",
    "Packet",
    "Payload",
    "RoundSeconds",
    "Wire",
    "dense_bits",
    "dense_sign_bits",
    "index_bits",
    "levels_bits",
    "sign_entries_bits",
    "sparse_bits",
]
