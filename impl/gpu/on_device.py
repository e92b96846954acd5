"""Which compressors there are on a device."""

from typing import Any

from impl.errors import ArgumentError
from impl.gpu.available import why_not


def on_device(compressor: Any, *, checked: bool = True) -> Any:
    """Return a compressor for CUDA tensors.

    Args:
        compressor: A StochasticQuantizer, DitheredQuantizer, TopK or CorrelatedQuantizer.
        checked: Whether calls wait for the device, to refuse vectors that are not finite; without that these
            become NaN.

    Raises:
        ArgumentError: There is no kernel for it; torch, Triton or a GPU is missing.
    """
    reason = why_not()
    if reason is not None:
        raise ArgumentError(f"on_device: {reason}")
    from impl.compressors import CorrelatedQuantizer, DitheredQuantizer, StochasticQuantizer, TopK
    from impl.gpu.correlated_quantizer import DeviceCorrelatedQuantizer
    from impl.gpu.dithered_quantizer import DeviceDitheredQuantizer
    from impl.gpu.stochastic_quantizer import DeviceStochasticQuantizer
    from impl.gpu.top_k import DeviceTopK

    kinds: dict[type, Any] = {
        StochasticQuantizer: DeviceStochasticQuantizer,
        DitheredQuantizer: DeviceDitheredQuantizer,
        TopK: DeviceTopK,
        CorrelatedQuantizer: DeviceCorrelatedQuantizer,
    }
    if type(compressor) not in kinds:
        names = ", ".join(kind.__name__ for kind in kinds)
        raise ArgumentError(
            f"on_device: there is no kernel for {compressor!r}; there are ones for {names}, and `transform` "
            "in impl.gpu.hadamard"
        )
    return kinds[type(compressor)](compressor, checked=checked)
