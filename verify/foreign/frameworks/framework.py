"""What a check needs of a framework: inputs, randomness, and results as arrays of numpy."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from verify.foreign.frameworks.global_generators import global_states, seed_global_generators
from verify.foreign.guard import CompressorFault

DTYPES = ("float64", "float32")
"""Types of the entries of inputs."""


class Framework(ABC):
    """Converts explicitly, and tells where dtype, device or type of a result are not those of the input.

    Args:
        dtype: Type of the entries, "float64" or "float32".
        device: Where vectors lie, None for the default.
    """

    name: str

    def __init__(self, dtype: str, device: str | None) -> None:
        self.dtype, self.device = dtype, device

    @abstractmethod
    def given(self, x: Any) -> Any:
        """Return a fresh vector of the framework with the entries of x."""

    @abstractmethod
    def read(self, found: Any) -> Any:
        """Return a vector of the framework as an array of numpy."""

    @abstractmethod
    def faults(self, found: Any, given: Any) -> None:
        """Raise `CompressorFault` where a result is no vector like the given one."""

    def random(self, rng: Any) -> Any:
        """Return what a call takes as its randomness, seeded from a generator of numpy."""
        return rng

    def state(self, random: Any) -> Any:
        """Return what changes when a number is drawn from `random`, None where that cannot be told."""
        spawned = getattr(getattr(random.bit_generator, "seed_seq", None), "n_children_spawned", 0)
        return _comparable([random.bit_generator.state, spawned])

    def batched(self, call: Callable[[Any, Any], Any]) -> Callable[[Any, Any, int], Any] | None:
        """Return a function (x, rng, m) that makes m calls at once, None where there is none."""
        return None

    def seed(self, rng: Any) -> None:
        """Seed the global generators from a generator of numpy."""
        seed_global_generators(int(rng.integers(2**32)))

    def returned(self, found: Any, given: Any, x: Any) -> Any:
        """Return a result as an array of numpy.

        Raises:
            CompressorFault: Its type, dtype or device is not that of the input, or the input was changed.
        """
        import numpy as np

        self.faults(found, given)
        if not np.array_equal(self.read(given), x):
            raise CompressorFault(
                "changes its input", "a call changed its input; work on a copy, the caller still needs it"
            )
        return self.read(found)

    def untouched(self, call: Callable[..., Any], x: Any, rng: Any) -> bool:
        """Return whether a call draws no number from what it is given, nor from global generators."""
        states = self.drawn(call, x, rng)
        return states is not None and states[0] == states[1]

    def drawn(self, call: Callable[..., Any], x: Any, rng: Any) -> tuple[Any, Any] | None:
        """Return the states of all that a call may draw from, before and after it; None where unknown.

        Args:
            call: Takes a vector of the framework and its randomness, the vector alone where rng is None.
            x: The vector, an array of numpy.
            rng: Generator of numpy, or None.
        """
        given = [self.random(rng)] if rng is not None else []
        before = ([self.state(random) for random in given], global_states())
        if None in before[0]:
            return None
        call(self.given(x), *given)
        return before, ([self.state(random) for random in given], global_states())


def _comparable(state: Any) -> Any:
    """Return a state with arrays as bytes: they compare as a whole, and their text would take longer."""
    if isinstance(state, dict):
        return {name: _comparable(item) for name, item in state.items()}
    if isinstance(state, list | tuple):
        return [_comparable(item) for item in state]
    return state.tobytes() if hasattr(state, "tobytes") else state


def is_complex() -> CompressorFault:
    """Return the fault that C(x) is complex."""
    return CompressorFault("complex", "C(x) is complex; return real numbers of the dtype of x")


def other_type(found: Any, wanted: str) -> CompressorFault:
    """Return the fault that C(x) is no vector of the framework."""
    kind = type(found).__name__
    if found is None:
        return CompressorFault("type", f"C(x) is None; return the vector, a {wanted}")
    if type(found).__module__ == "builtins":
        article = "an" if kind[0] in "aeio" else "a"
        return CompressorFault("type", f"C(x) is {article} {kind}; return the vector, a {wanted}")
    return CompressorFault(
        "type", f"C(x) is {type(found).__module__}.{kind} for x a {wanted}; return a {wanted}"
    )


def other_dtype(found: str, wanted: str) -> CompressorFault:
    """Return the fault that C(x) has another dtype than x."""
    remedy = "return the dtype of x"
    if found in DTYPES:
        remedy += f", or check it with inputs of its own (dtype={found!r}, --dtype {found})"
    return CompressorFault("dtype", f"C(x) has dtype {found} for x of dtype {wanted}; {remedy}")


def other_device(found: Any, wanted: Any) -> CompressorFault:
    """Return the fault that C(x) lies elsewhere than x."""
    return CompressorFault("device", f"C(x) lies on {found} for x on {wanted}; return it to the device of x")
