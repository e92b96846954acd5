"""Communication hooks of torch's DistributedDataParallel, on a group of one process."""

import contextlib
import datetime
from collections.abc import Iterator
from typing import Any


class Bucket:
    """What a hook reads of `torch.distributed.GradBucket`, which only DistributedDataParallel makes.

    Args:
        tensor: The flattened gradient.
        index: Number of the bucket.
    """

    def __init__(self, tensor: Any, index: int) -> None:
        self._tensor, self._index = tensor, index

    def buffer(self) -> Any:
        return self._tensor

    def set_buffer(self, tensor: Any) -> None:
        self._tensor = tensor

    def gradients(self) -> list[Any]:
        return [self._tensor.view(rows(self._tensor.numel()), -1)]

    def parameters(self) -> list[Any]:
        return self.gradients()

    def index(self) -> int:
        return self._index

    def is_last(self) -> bool:
        return True


class Hook:
    """A hook without a state of its own as a function of x.

    Args:
        target: The hook, (process group, bucket) -> future.
        stacked: Whether its futures of `all_gather` hold one stacked tensor, as those of NCCL do and those of
            gloo do not: some hooks index it.
    """

    def __init__(self, target: Any, stacked: bool = False) -> None:
        self._hook, self._stacked = target, stacked

    def __call__(self, x: Any) -> Any:
        join_group()
        with stacked_gathers() if self._stacked else contextlib.nullcontext():
            found = self._hook(None, Bucket(x.clone(), 0)).wait()
        return found[0] if isinstance(found, list) else found


class PowerSGD:
    """The hook of PowerSGD with its error memory.

    Args:
        target: `powerSGD_hook`.
        rank: Rank of the approximation.
        start: Step from which it compresses.
        epsilon: What is added to lengths that it divides by.
    """

    def __init__(self, target: Any, rank: int = 1, start: int = 2, epsilon: float = 0.0) -> None:
        from torch.distributed.algorithms.ddp_comm_hooks import powerSGD_hook

        join_group()
        self._hook, self._given = target, (rank, start, epsilon)
        self._state = powerSGD_hook.PowerSGDState(
            None,
            matrix_approximation_rank=rank,
            start_powerSGD_iter=start,
            min_compression_rate=0.5,
            orthogonalization_epsilon=epsilon,
        )
        self._names: dict[str, int] = {}

    def __deepcopy__(self, memo: Any) -> "PowerSGD":
        return PowerSGD(self._hook, *self._given)

    def compress(self, tensor: Any, name: str) -> Any:
        index = self._names.setdefault(name, len(self._names))
        found = self._hook(self._state, Bucket(tensor.clone(), index)).wait()
        return [found[0] if isinstance(found, list) else found], None

    def decompress(self, tensors: Any, ctx: Any) -> Any:
        return tensors[0]

    def memory(self, name: str) -> Any:
        index = self._names.get(name)
        return None if index is None else self._state.error_dict.get(index)


@contextlib.contextmanager
def stacked_gathers() -> Iterator[None]:
    """Give futures of `torch.distributed.all_gather` that hold one stacked tensor."""
    import torch

    gather = torch.distributed.all_gather

    class Work:
        def __init__(self, tensors: Any) -> None:
            self._tensors = tensors

        def get_future(self) -> Any:
            future: Any = torch.futures.Future()
            future.set_result([torch.stack(self._tensors)])
            return future

    def gathered(tensors: Any, own: Any, group: Any = None, async_op: bool = False) -> Any:
        gather(tensors, own, group=group)
        return Work(tensors)

    torch.distributed.all_gather = gathered
    try:
        yield
    finally:
        torch.distributed.all_gather = gather


def in_group(
    target: Any, options: dict[str, Any], memory: str, memory_options: dict[str, Any], kept: str = "residuals"
) -> Any:
    """Return a compressor with its memory, for code that calls a group of processes: this one alone.

    Args:
        target: The class of the compressor.
        options: Its keyword arguments.
        memory: MODULE:OBJECT of the memory.
        memory_options: Its keyword arguments.
        kept: Attribute of the memory that maps names to what is kept.
    """
    from verify.audit.calling import WithMemory, load

    join_group()
    return WithMemory(target(**options), load(memory)(**memory_options), kept)


def rows(count: int) -> int:
    """Return the number of rows of the most nearly square matrix with so many entries."""
    return max(row for row in range(1, int(count**0.5) + 1) if count % row == 0)


def join_group() -> None:
    """Make a group of this process alone, once."""
    from torch import distributed

    if not distributed.is_initialized():
        distributed.init_process_group(
            "gloo",
            store=distributed.HashStore(),
            rank=0,
            world_size=1,
            timeout=datetime.timedelta(seconds=60),
        )
