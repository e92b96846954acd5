"""Work on code of others in a process of its own, so that what ends that process is told."""

import contextlib
import os
import pickle
import select
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

from impl.errors import ArgumentError
from verify.errors import UsageError
from verify.running.processes import end_with

WAIT = 0.05
"""Seconds between two looks at whether the copy is still there."""


def apart(work: Callable[[], Any], what: str) -> Any:
    """Return what the work returns, done in a copy of this process where the system can make one.

    Args:
        work: Returns what can be pickled; its errors are raised here.
        what: Whose code it runs, for the message.

    Raises:
        UsageError: The copy ended before the work was done.
    """
    if not hasattr(os, "fork"):
        return work()
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        end_with(parent)
        os.close(reading)
        _answer(work, writing)
    os.close(writing)
    try:
        said, status = _heard(reading, child)
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        raise
    finally:
        os.close(reading)
    if not said:
        raise UsageError(f"{what} ended the process ({_spoken(status)}) before the check was done")
    error, found = pickle.loads(said)
    if error is not None:
        raise error
    return found


def _heard(reading: int, child: int) -> tuple[bytes, int]:
    """Return what the copy wrote and its status; processes that it started may keep the pipe open."""
    said = b""
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        while select.select([reading], [], [], 0 if ended else WAIT)[0]:
            part = os.read(reading, 1 << 16)
            if not part:
                break
            said += part
        if ended:
            return said, os.waitstatus_to_exitcode(status)


def _answer(work: Callable[[], Any], writing: int) -> None:
    """Do the work in the copy, write what came of it, and end the copy."""
    try:
        try:
            said = pickle.dumps((None, work()))
        except BaseException as error:
            said = _pickled(error)
        sys.stdout.flush()
        sys.stderr.flush()
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(said)
    finally:
        os._exit(0)


def _pickled(error: BaseException) -> bytes:
    """Return an error for the parent: one of ours as it is or with its words, any other with its trace.

    What somebody else's exception does when it is made again is not found out in the parent.
    """
    try:
        ours = type(error).__module__.partition(".")[0] in ("verify", "impl", "theory")
        if ours or isinstance(error, KeyboardInterrupt):
            said = pickle.dumps((error, None))
            if type(pickle.loads(said)[0]) is type(error):
                return said
    except BaseException:
        pass  # it cannot be made again: its words are kept
    if isinstance(error, UsageError | ArgumentError):
        return pickle.dumps((UsageError(str(error)), None))
    trace = "".join(traceback.format_exception(error))
    return pickle.dumps((RuntimeError(f"in the process of the check:\n{trace}"), None))


def _spoken(status: int) -> str:
    if status >= 0:
        return f"exit code {status}; a call of os._exit does that"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = str(-status)
    killed = "the system does that when memory runs out" if name == "SIGKILL" else "compiled code failed"
    return f"signal {name}; {killed}"
