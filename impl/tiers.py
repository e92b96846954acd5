"""Who draws samples, and evaluates gradients and variances: numpy, or fused kernels; the caller chooses."""

import functools
import warnings
from contextvars import ContextVar, Token
from importlib.util import find_spec
from types import TracebackType
from typing import Any

from impl.errors import ArgumentError

TIERS = ("numpy", "fused")

_around: ContextVar[str] = ContextVar("tier", default="numpy")


class tier:  # reads as `with impl.tier("fused"):`
    """Draw with this tier inside a `with` block: by compiled kernels wherever there is one, else by numpy.

    Both tiers have the same law; the fused one has streams of its own, and rounds gradients and variances in
    its own way, so results depend on the choice, never on what is installed. It holds for this thread or
    task, not for processes started inside.

    Args:
        name: `numpy`, or `fused` for kernels (extra `fast`). Where numba is there but cannot compile, or no
            folder can keep what it compiles, it is numpy, with one warning. None changes nothing.
        where: Name for error messages.

    Raises:
        ArgumentError: An unknown name, or numba is missing.
    """

    def __init__(self, name: str | None, where: str = "impl.tier") -> None:
        self.name = chosen(name, where)
        self._token: Token[str] | None = None

    def __enter__(self) -> str:
        self._token = _around.set(self.name)
        return self.name

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._token is not None:
            _around.reset(self._token)


def current() -> str:
    """Return the tier of the `with` block around, `numpy` without one."""
    return _around.get()


def chosen(name: Any, where: str) -> str:
    """Return the tier of a call: its argument, or for None that of the `with` block around it."""
    if name is None:
        return _around.get()
    if not isinstance(name, str) or name not in TIERS:
        raise ArgumentError(f"{where}: tier={name!r} is unknown; choose one of {', '.join(TIERS)}")
    if name == "numpy":
        return name
    if not is_installed():
        raise ArgumentError(
            f"{where}: tier='fused' needs numba, which is not installed; pip install 'boundcheck[fast]'"
        )
    return name if why_not() is None else "numpy"


def is_known(name: Any) -> bool:
    """Tell whether `chosen` knows a name, or None; where numba is missing it may refuse it all the same."""
    return name is None or (isinstance(name, str) and name in TIERS)


def is_installed() -> bool:
    """Tell whether numba is there, without importing it."""
    return find_spec("numba") is not None


@functools.cache
def why_not() -> str | None:
    """Return why kernels cannot be made or kept here, with a remedy, None where they can; it warns once."""
    again = "pip install 'boundcheck[fast]' again"
    try:
        from impl.kernels.kernel_cache import NO_FOLDER
        from impl.kernels.philox import try_it
    except (ImportError, AttributeError) as error:  # a numba that is made otherwise than those we know
        found: str | None = f"{error}; {again}"
    else:
        found = NO_FOLDER
        if found is None and (wrong := try_it()) is not None:
            found = f"{wrong}; {again}"
    if found is not None:
        warnings.warn(f"numpy draws instead of fused kernels: {found}", RuntimeWarning, stacklevel=3)
    return found
