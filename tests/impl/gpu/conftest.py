"""Tests of kernels on a GPU: skipped where there is none; TRITON_INTERPRET=1 runs them on the CPU, slowly."""

import pytest

from impl.gpu.available import why_not


@pytest.fixture(scope="session")
def device():
    """Name the device of the tests."""
    reason = why_not()
    if reason is not None:
        pytest.skip(f"kernels on a GPU: {reason}")
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"
