"""What is said where kernels on a GPU cannot run."""

import importlib.util

import pytest

from impl.compressors import StochasticQuantizer
from impl.errors import ArgumentError
from impl.gpu import available, on_device


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ({"torch"}, r"torch not installed; pip install 'boundcheck\[gpu\]'"),
        ({"torch", "triton"}, r"torch and triton not installed; pip install 'boundcheck\[gpu\]'"),
    ],
)
def test_missing_libraries_are_named_with_their_extra(monkeypatch, missing, told):
    find = importlib.util.find_spec
    monkeypatch.setattr(available, "find_spec", lambda name: None if name in missing else find("json"))
    with pytest.raises(ArgumentError, match=f"on_device: {told}"):
        on_device(StochasticQuantizer(1))
    with pytest.raises(ArgumentError, match=f"transform: {told}"):
        available.require_tensor([1.0], "transform")


def test_a_machine_without_a_gpu_says_so(monkeypatch, device):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(available, "interpreted", lambda: False)
    with pytest.raises(ArgumentError, match="torch sees no CUDA device"):
        on_device(StochasticQuantizer(1))
