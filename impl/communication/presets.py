"""Links with the sizes of common standards; sizes are meant to be changed, they are no claims."""

from collections.abc import Mapping

from impl.communication.affine import Affine
from impl.communication.contract import CostModel
from impl.communication.lora_airtime import LoRaAirtime
from impl.communication.packet import Packet
from impl.communication.payload import Payload
from impl.communication.wire import Wire

# Ethernet: 1460 bytes of a TCP segment in 1538 bytes on the wire (preamble, MAC, FCS and gap included).
_ETHERNET, _ETHERNET_ON_WIRE = 8 * 1460, 8 * 1538

PRESETS: Mapping[str, CostModel] = {
    "payload": Payload(),
    "affine": Affine(1, _ETHERNET_ON_WIRE - _ETHERNET),
    "eth": Packet(_ETHERNET, _ETHERNET_ON_WIRE),
    "eth-wire": Wire(_ETHERNET, _ETHERNET_ON_WIRE - _ETHERNET),
    # 127-byte frame without 25 bytes of MAC and 21 of link security; 6 PHY bytes on top.
    "6lowpan": Packet(8 * 81, 8 * 133),
    # EU868, data rates 0 to 2: 51 bytes of payload and 13 of MAC.
    "lora51": Packet(8 * 51, 8 * 64),
    "lora-airtime": LoRaAirtime(),
}
