"""Quantizers on CUDA tensors of torch, by Triton kernels (extra `gpu`).

`on_device(compressor)` returns the same compressor for tensors: it draws from the Philox streams of the
fused tier (`impl.kernels.philox`), so that both make the same uniforms, bit for bit. Messages and estimates
stay on the device; `DeviceMessage.to_host` gives the message that the compressor itself would have made.
"""

from impl.gpu.on_device import on_device

__all__ = ["on_device"]
