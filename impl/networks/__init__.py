"""Networks for classification: losses and gradients, batched over replicates and workers."""

from impl.networks.contract import Network
from impl.networks.convolutional import Convolutional
from impl.networks.fully_connected import FullyConnected

__all__ = ["Convolutional", "FullyConnected", "Network"]
