"""Other libraries, where they are at hand: torch, fht_cpu, and GRACE by the path of a checkout.

GRACE (github.com/sands-lab/grace) is run for comparison only, and never copied: `BOUNDCHECK_GRACE` names the
folder that has its package `grace_dl`.
"""

import importlib
import os
import sys
from typing import Any

import numpy as np
from cases import Member, has


def single_threaded_torch() -> Any:
    """Return torch, on one thread, None where it is not installed."""
    if not has("torch"):
        return None
    import torch

    torch.set_num_threads(1)
    return torch


def torch_top_k(x: Any, k: int) -> dict[str, Member]:
    """Return `torch.topk` of magnitudes: values and indices, without the dense result that ours is."""
    torch = single_threaded_torch()
    if torch is None:
        return {}
    tensor = torch.from_numpy(x)
    return {"peer torch": lambda: torch.topk(tensor.abs(), k)}


def torch_correlated(x: Any) -> dict[str, Member]:
    """Return the correlated quantizer by torch, with all outputs, and its float32 argsort alone."""
    torch = single_threaded_torch()
    if torch is None:
        return {}
    tensor = torch.from_numpy(x)

    def whole() -> Any:
        strata = torch.argsort(torch.rand(x.shape, dtype=tensor.dtype), dim=0)
        thresholds = (strata + torch.rand(x.shape, dtype=tensor.dtype)) / len(x)
        norms = torch.linalg.norm(tensor, dim=1, keepdim=True)
        return torch.where(thresholds < (1 + tensor / norms) / 2, norms, -norms)

    return {
        "peer torch": whole,
        "peer torch argsort": lambda: torch.argsort(torch.rand(x.shape), dim=0),
    }


def grace(module: str, name: str, *parameters: Any) -> Any:
    """Return a compressor of GRACE for torch, None where GRACE or torch is not at hand."""
    folder = os.environ.get("BOUNDCHECK_GRACE")
    if not folder or single_threaded_torch() is None:
        return None
    if not os.path.isdir(os.path.join(folder, "grace_dl", "torch", "compressor")):
        raise SystemExit(f"BOUNDCHECK_GRACE={folder} has no grace_dl/torch/compressor")
    if folder not in sys.path:
        sys.path.append(folder)
    return getattr(importlib.import_module(f"grace_dl.torch.compressor.{module}"), name)(*parameters)


def grace_member(x: Any, compressor: Any) -> dict[str, Member]:
    """Return x compressed and decompressed by GRACE."""
    if compressor is None:
        return {}
    tensor = single_threaded_torch().from_numpy(x)

    def call() -> Any:
        return compressor.decompress(*compressor.compress(tensor, "x"))

    return {"peer GRACE": call}


def fht_cpu(work: Any) -> dict[str, Member]:
    """Return the Hadamard transform in place by fht_cpu."""
    if not has("fht_cpu"):
        return {}
    from fht_cpu import fht

    example = np.arange(8.0)
    fht(example)
    assert np.array_equal(example, [28, -4, -8, 0, -16, 0, 0, 0]), "fht_cpu does another transform"
    return {"peer fht_cpu": lambda: fht(work)}
