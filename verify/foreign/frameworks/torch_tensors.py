"""Tensors of torch on any device."""

from typing import Any

from verify.errors import UsageError
from verify.foreign.frameworks.framework import Framework, is_complex, other_device, other_dtype, other_type


class TorchTensors(Framework):
    """Tensors, randomness by `torch.Generator` on their device."""

    name = "torch"

    def __init__(self, dtype: str, device: str | None) -> None:
        import torch

        super().__init__(dtype, device)
        self._torch = torch
        try:
            self._device = torch.zeros(1, device=device or "cpu").device
        except (RuntimeError, AssertionError) as error:
            problem = str(error).splitlines()[0]
            raise UsageError(f"check_compressor: device={device!r} is not there ({problem})") from error

    def given(self, x: Any) -> Any:
        import numpy as np

        return self._torch.from_numpy(np.array(x, dtype=self.dtype)).to(self._device)

    def read(self, found: Any) -> Any:
        found = found.detach()
        if found.layout != self._torch.strided:
            found = found.to_dense()
        return found.cpu().resolve_conj().resolve_neg().numpy()

    def faults(self, found: Any, given: Any) -> None:
        if not isinstance(found, self._torch.Tensor):
            raise other_type(found, "torch.Tensor")
        if found.is_complex():
            raise is_complex()
        if found.dtype != given.dtype:
            raise other_dtype(str(found.dtype).removeprefix("torch."), self.dtype)
        if found.device != given.device:
            raise other_device(found.device, given.device)

    def random(self, rng: Any) -> Any:
        generator = self._torch.Generator(device=self._device)
        generator.manual_seed(int(rng.integers(2**63)))
        return generator

    def state(self, random: Any) -> Any:
        return random.get_state().numpy().tobytes()
