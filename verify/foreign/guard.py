"""Run what somebody else wrote: what it raises, prints or never finishes becomes one clear error."""

import contextlib
import io
import signal
import threading
import warnings
from collections.abc import Iterator
from types import FrameType
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


@contextlib.contextmanager
def guarded(what: str, seconds: float = LONGEST_CALL, at: object = "") -> Iterator[None]:
    """Turn errors, output and endless loops inside into a `CompressorFault`; ours pass as they are.

    Args:
        what: What is called, for the message.
        seconds: Time limit. It needs the main thread of a POSIX process; elsewhere nothing is interrupted.
        at: With which input, for the end of the message; its text is made only where there is one.
    """
    printed = io.StringIO()
    try:
        # What a call warns of, such as 0/0, shows in what it returns.
        with contextlib.redirect_stdout(printed), warnings.catch_warnings(), _alarm(seconds):
            warnings.simplefilter("ignore")
            yield
    except (UsageError, ArgumentError, MissingSideInfo):
        raise
    except _TimeIsUpError:
        raise CompressorFault(
            "hangs",
            f"{what} did not return within {seconds:g} s; give a smaller d (-d), or a longer time limit{at}",
        ) from None
    except MemoryError as error:
        raise CompressorFault(
            "memory", f"{what} ran out of memory ({error}); give a smaller d (-d){at}"
        ) from error
    except SystemExit as error:
        raise CompressorFault("raises", f"{what} left the program ({error!r}){at}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # some raise what is no Exception
        said = f"{what} raised {type(error).__name__}: {error}"
        if "'numpy.ndarray' object has no attribute" in said:
            said += "; a compressor of tensors is given them with framework= (--framework torch)"
        notes = "".join(f"; {note}" for note in getattr(error, "__notes__", ()))
        raise CompressorFault("raises", f"{said}{notes}{at}") from error
    if printed.getvalue():
        raise CompressorFault(
            "prints",
            f"{what} printed {printed.getvalue()[:60]!r}; a call must not write to standard output{at}",
        )


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Interrupt the main thread after so many seconds."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise _TimeIsUpError

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.01))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
