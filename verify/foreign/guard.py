"""Run what somebody else wrote: what it raises, prints or never finishes becomes one clear error."""

import io
import signal
import sys
import threading
import warnings
from types import FrameType, TracebackType
from typing import Any

from impl.errors import ArgumentError, MissingSideInfo
from verify.errors import UsageError

LONGEST_CALL = 60.0
"""Seconds that one call may take; a check with a shorter time limit waits no longer than that."""


class CompressorFault(UsageError):
    """A compressor does not do what any compressor must; the message names what, where, and the remedy.

    Args:
        kind: One word or two: `raises`, `hangs`, `memory`, `shape`, `dtype`, `device`, `complex`,
            `not finite`, `changes its input`, `prints`, `ignores its seed`, `decompress`.
        message: What was seen, and the remedy.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"compressor: {message}")
        self.kind, self.message = kind, message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.message)


class _TimeIsUpError(BaseException):
    """Not an `Exception`: a compressor that catches everything must not catch it."""


class guarded:  # read as a word of `with`, and entered for each call: no generator
    """Turn errors, output and endless loops inside into a `CompressorFault`; ours pass as they are.

    Args:
        what: What is called, for the message.
        seconds: Time limit. It needs the main thread of a POSIX process; elsewhere nothing is interrupted.
        at: With which input, for the end of the message; its text is made only where there is one.
    """

    def __init__(self, what: str, seconds: float = LONGEST_CALL, at: object = "") -> None:
        self._what, self._seconds, self._at = what, seconds, at

    def __enter__(self) -> None:
        self._stdout, self._printed = sys.stdout, io.StringIO()
        sys.stdout = self._printed
        # What a call warns of, such as 0/0, shows in what it returns.
        self._warnings = warnings.catch_warnings()
        self._warnings.__enter__()
        warnings.simplefilter("ignore")
        self._alarm = _has_alarms()
        if self._alarm:
            self._before = signal.signal(signal.SIGALRM, _interrupt)
            signal.setitimer(signal.ITIMER_REAL, max(self._seconds, 0.01))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._alarm:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except _TimeIsUpError as late:
            error = late
        if self._alarm:
            signal.signal(signal.SIGALRM, self._before)
        self._warnings.__exit__(kind, error, trace)
        sys.stdout = self._stdout
        if error is not None:
            self._raise(error)
            return
        if printed := self._printed.getvalue():
            raise CompressorFault(
                "prints",
                f"{self._what} printed {printed[:60]!r}; a call must not write to standard output{self._at}",
            )

    def _raise(self, error: BaseException) -> None:
        """Raise the fault that an error is, unless it is ours."""
        what, at = self._what, self._at
        if isinstance(error, UsageError | ArgumentError | MissingSideInfo | KeyboardInterrupt):
            return
        if isinstance(error, _TimeIsUpError):
            raise CompressorFault(
                "hangs",
                f"{what} did not return within {self._seconds:g} s; give a smaller d (-d), or a longer time "
                f"limit{at}",
            ) from None
        if isinstance(error, MemoryError):
            raise CompressorFault(
                "memory", f"{what} ran out of memory ({error}); give a smaller d (-d){at}"
            ) from error
        if isinstance(error, SystemExit):
            raise CompressorFault("raises", f"{what} left the program ({error!r}){at}") from error
        # Some raise what is no Exception.
        said = f"{what} raised {type(error).__name__}: {error}"
        if "'numpy.ndarray' object has no attribute" in said:
            said += "; a compressor of tensors is given them with framework= (--framework torch)"
        notes = "".join(f"; {note}" for note in getattr(error, "__notes__", ()))
        raise CompressorFault("raises", f"{said}{notes}{at}") from error


def _has_alarms() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise _TimeIsUpError
