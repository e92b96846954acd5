"""Errors of users of the judge; the command line turns them into one line and exit code 2."""

BUSY = "the machine is busy"
"""How the reason of a record begins for which nothing was measured on this account."""


class UsageError(ValueError):
    """An argument or option is invalid; the message names it, its value, the bound and the remedy."""

    exit_code = 2
    """Exit code of the command line."""


class CheckError(UsageError):
    """A check is not of the form that can decide anything; the message names comparison and remedy."""


class NotMeasuredError(UsageError):
    """What is to be measured cannot be here and now; the check is `not_run`, with this as its reason."""


class BusyError(NotMeasuredError):
    """The machine computes for others; in the quick profile that does not change the exit code."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{BUSY}: {reason}")
        self.reason = reason

    def __reduce__(self) -> tuple[type["BusyError"], tuple[str]]:
        return type(self), (self.reason,)


class BudgetError(UsageError):
    """A run would contain more statistical tests than the error budget allows."""


class BackendError(UsageError):
    """Workers cannot be had: no library, no scheduler, other versions; nothing is judged by them."""


class DamagedRecordError(UsageError):
    """A record file is cut, malformed or does not fit the schema; `verify --resume` makes it again."""


class OutputFolderError(UsageError):
    """The folder for records or figures cannot be written; choose another one."""


class NotCitableError(UsageError):
    """A claim neither holds nor is consistent: there is nothing to cite."""

    exit_code = 3


class UnknownRecordError(UsageError):
    """No record has this path or identifier; `boundcheck show --full CLAIM` lists them."""
