"""Errors that users of the implementations can cause."""

from collections.abc import Iterator
from contextlib import contextmanager


class ArgumentError(ValueError):
    """One or more arguments are invalid; the message names each, its value, the bound and the remedy."""

    found: tuple[str, ...] = ()  # the problems one by one, where there are several


class RangeError(ArgumentError):
    """A gradient leaves the range of its smoothness matrix: the aware methods would lose part of it (A3)."""


class MessageError(ValueError):
    """A received message is truncated, corrupted or meant for another compressor, round or key."""


class NonFiniteError(ArgumentError):
    """A gradient or side information holds NaN or infinity; the message names the first coordinate."""


class ScaleOverflow(ArgumentError):
    """A scale exceeds half the largest number of the format in which it is sent or decoded."""


class MissingSideInfo(ArgumentError):
    """A nested message is to be decoded before anything else of its round was."""


class DesyncError(MessageError):
    """Sender and receiver disagree on seed, worker, tensor or iteration: their dithers differ."""


class CorruptMessage(MessageError):
    """A message is truncated, damaged or holds values that no sender writes."""


class OverloadError(MessageError):
    """The decoded fine indices are not the sender's (safe mode): ask for a plain message instead."""


class Problems:
    """Collect what is wrong with the arguments of one call, then raise once.

    Example:
        >>> problems = Problems("RandK")
        >>> problems.require(False, "k=0 must be at least 1; give the number of kept coordinates")
        >>> problems.raise_if_any()
        Traceback (most recent call last):
        ...
        impl.errors.ArgumentError: RandK: k=0 must be at least 1; give the number of kept coordinates
    """

    def __init__(self, where: str) -> None:
        self._where = where
        self._found: list[str] = []

    def require(self, condition: object, message: str) -> None:
        """Remember `message` unless `condition` is true."""
        if not condition:
            self._found.append(message)

    @property
    def found(self) -> tuple[str, ...]:
        """Return what was remembered so far."""
        return tuple(self._found)

    @contextmanager
    def collect(self) -> Iterator[None]:
        """Remember an `ArgumentError` that is raised inside and go on behind."""
        try:
            yield
        except ArgumentError as error:
            self._found += error.found or [str(error).removeprefix(f"{self._where}: ")]

    def raise_if_any(self) -> None:
        """Raise one `ArgumentError` with everything that was found."""
        if len(self._found) == 1:
            raise ArgumentError(f"{self._where}: {self._found[0]}")
        if self._found:
            error = ArgumentError(f"{self._where}: " + "".join(f"\n  - {item}" for item in self._found))
            error.found = tuple(self._found)
            raise error
