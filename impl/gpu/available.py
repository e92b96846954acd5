"""Whether there is what kernels on a GPU need."""

from importlib.util import find_spec
from typing import Any

from impl.errors import ArgumentError


def why_not() -> str | None:
    """Return what is missing for kernels on a GPU, None where all is there."""
    missing = [name for name in ("torch", "triton") if find_spec(name) is None]
    if missing:
        return f"{' and '.join(missing)} not installed; pip install 'boundcheck[gpu]'"
    import torch

    if not torch.cuda.is_available() and not interpreted():
        return "torch sees no CUDA device"
    return None


def interpreted() -> bool:
    """Return whether Triton interprets its kernels on the CPU (TRITON_INTERPRET=1): slow, for tests."""
    import triton

    return bool(triton.knobs.runtime.interpret)


def require_tensor(x: Any, where: str) -> None:
    """Refuse what is no tensor of vectors on a device of kernels.

    Raises:
        ArgumentError: torch, Triton or a GPU is missing; x is no float32 tensor (..., d) on it.
    """
    reason = why_not()
    if reason is not None:
        raise ArgumentError(f"{where}: {reason}")
    import torch

    if not isinstance(x, torch.Tensor):
        raise ArgumentError(f"{where}: x is {type(x).__name__}; give a torch tensor, x.to('cuda')")
    if x.dtype != torch.float32:
        raise ArgumentError(f"{where}: x has dtype {x.dtype}; kernels take float32, x.float()")
    if not x.is_cuda and not interpreted():
        raise ArgumentError(
            f"{where}: x is on {x.device}; move it, x.to('cuda'), or use the compressor itself"
        )
    if not x.ndim or not x.numel():
        raise ArgumentError(
            f"{where}: x has shape {tuple(x.shape)}; give vectors (..., d) that are not empty"
        )
