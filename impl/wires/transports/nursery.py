"""Workers as copies of a process that has imported what they need, so that it is imported once for all.

`python -m impl.wires.transports.nursery` reads a request in each line, as JSON, and answers each in one line,
`[ID, ANSWER]`: `[ID, "ready"]` with `true`, `[ID, "spawn", NUMBER, PORT, HOST, TOKEN]` with the process
number of a new worker, `[ID, "poll", PROCESS]` with its exit code and CPU seconds, or `null` while it runs.
It ends with its standard input.
"""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Any, NoReturn, Self

HOST = "127.0.0.1"
LOST = 255
"""Exit code of a worker whose parent has ended: it ends by itself, since its connection does."""
_ENDED = "the process that starts workers has ended; start the run again"
_GRACE = 2.0  # seconds for it to end by itself


class Copy:
    """A worker that was copied, with those parts of `subprocess.Popen` that runs need.

    Args:
        nursery: Its parent.
        pid: Its number among the processes.
    """

    def __init__(self, nursery: "Nursery", pid: int) -> None:
        self._nursery, self.pid = nursery, pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return its exit code, if it has ended; `LOST` where its parent has, which nobody can ask."""
        if self.returncode is None:
            try:
                found = self._nursery.ask("poll", self.pid)
            except OSError:
                found = LOST, 0.0
            if found is not None:
                self.returncode, seconds = found
                self._nursery.cpu += seconds
        return self.returncode

    def wait(self, timeout: float) -> int:
        """Return its exit code once it has ended.

        Raises:
            subprocess.TimeoutExpired: It has not within so many seconds.
        """
        deadline, pause = time.monotonic() + timeout, 0.0005
        while (code := self.poll()) is None:
            if time.monotonic() >= deadline:
                raise subprocess.TimeoutExpired(f"worker process {self.pid}", timeout)
            time.sleep(pause)
            pause = min(2 * pause, 0.02)
        return code

    def terminate(self) -> None:
        """Ask it to end."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self._send(signal.SIGKILL)

    def _send(self, number: int) -> None:
        # Its number is its own until the nursery was told of its end by `poll`.
        if self.poll() is None:
            os.kill(self.pid, number)


class Nursery:
    """A process of which workers are copies; to be used with `with`, or closed.

    Attributes:
        cpu: CPU seconds of workers that have ended, as far as they were polled since.
    """

    def __init__(self) -> None:
        words = [sys.executable, "-m", __name__]
        self.cpu, self._asked = 0.0, 0
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    @staticmethod
    def is_safe() -> bool:
        """Return whether processes can be copied here."""
        return sys.platform == "linux"

    def spawn(self, place: int, port: int, token: str) -> Copy:
        """Start a worker on this machine; see `tcp.Spawn`. It is to be polled until it has ended.

        Raises:
            OSError: It cannot be had.
        """
        return Copy(self, self.ask("spawn", place, port, HOST, token))

    @property
    def lives(self) -> bool:
        """Return whether the process runs."""
        return self._process.poll() is None

    def wait_until_ready(self) -> None:
        """Wait until it has imported what workers need.

        Raises:
            OSError: It has ended.
        """
        self.ask("ready")

    def ask(self, *request: Any) -> Any:
        """Return what the process answers.

        Raises:
            OSError: It cannot do it, or has ended.
        """
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        self._asked += 1
        try:
            requests.write(json.dumps([self._asked, *request]).encode() + b"\n")
            requests.flush()
        except BrokenPipeError:
            raise ChildProcessError(errno.ECHILD, _ENDED) from None
        number = 0
        while number != self._asked:  # that to a request which a signal interrupted is still to be read
            line = answers.readline()
            if not line:
                raise ChildProcessError(errno.ECHILD, _ENDED)
            number, answer = json.loads(line)
        if isinstance(answer, dict):
            raise OSError(answer["errno"], answer["error"])
        return answer

    def close(self) -> None:
        """End the process; workers that it started go on."""
        with suppress(BrokenPipeError):
            try:
                self._process.communicate(timeout=_GRACE)
            except subprocess.TimeoutExpired:  # it hangs, or a copy of this process holds its input open
                self._process.kill()
                self._process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _answer(request: list[Any]) -> Any:
    what, *rest = request
    if what == "ready":
        return True
    if what == "spawn":
        pid = os.fork()
        if not pid:
            _worker(*rest)
        return pid
    pid, status, usage = os.wait4(rest[0], os.WNOHANG)
    return [os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime] if pid else None


def _worker(place: int, port: int, host: str, token: str) -> NoReturn:
    """Work for one run, in the copy; nothing of the nursery is left open, and nothing of it goes on."""
    from impl.wires.transports.worker_process import worked

    code = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        code = worked(place, port, host, token)
    except BaseException:  # whatever it is: it is told, and never reaches the loop of the nursery
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(code)


def main() -> None:
    """Answer requests until there are none."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # at a terminal it is for the run; workers take it
    import gc

    import impl.wires.transports.worker_process  # noqa: F401  # what copies are to have

    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        number, *request = json.loads(line)
        try:
            answer = _answer(request)
        except OSError as error:
            answer = {"errno": error.errno, "error": error.strerror}
        sys.stdout.write(json.dumps([number, answer]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
