"""The wire protocol of dithered quantizers: messages that detect damage, desynchronisation and overload."""

from impl.protocol.aggregator import Aggregator
from impl.protocol.frame import Frame, unpack
from impl.protocol.header import Header
from impl.protocol.receiver import Receiver
from impl.protocol.sender import Sender
from impl.protocol.side_information import Received, SideInformation

__all__ = ["Aggregator", "Frame", "Header", "Received", "Receiver", "Sender", "SideInformation", "unpack"]
