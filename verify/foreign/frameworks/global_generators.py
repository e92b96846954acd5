"""The generators that a process shares, from which many compressors of others draw."""

import contextlib
import random
import sys
from collections.abc import Iterator
from typing import Any


def seed_global_generators(seed: int) -> None:
    """Seed those of random, numpy and torch, the last where it is loaded."""
    import numpy as np

    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002  # where others draw from
    torch = sys.modules.get("torch")
    if torch is not None:  # torch.manual_seed takes a hundred times as long
        torch.default_generator.manual_seed(seed)
        if torch.cuda.is_initialized():
            torch.cuda.manual_seed_all(seed)


def global_states() -> list[Any]:
    """Return what changes when a number is drawn from one of them."""
    import numpy as np

    world = np.random.get_state(legacy=False)  # noqa: NPY002  # where others draw from
    found = [(world["state"]["pos"], world["state"]["key"].tobytes()), random.getstate()]
    if "torch" in sys.modules:
        found.append(sys.modules["torch"].get_rng_state().numpy().tobytes())
    return found


@contextlib.contextmanager
def kept_global_generators() -> Iterator[None]:
    """Give them back as they were: a check seeds them, and leaves no trace."""
    import numpy as np

    state, world = random.getstate(), np.random.get_state()  # noqa: NPY002  # where others draw from
    torch = sys.modules.get("torch")
    drawn = torch.get_rng_state() if torch is not None else None
    try:
        yield
    finally:
        random.setstate(state)
        np.random.set_state(world)  # noqa: NPY002  # where others draw from
        if torch is not None:
            torch.set_rng_state(drawn)
