"""What a record shows as the parameters of a check must be what the check has."""

from collections.abc import Mapping
from numbers import Real
from typing import Any

from verify.errors import CheckError


def require_shown(claim_id: str, shown: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Refuse parameters of a record that are others than the arguments of the same names.

    Raises:
        CheckError: A number or a list of names is another one.
    """
    for name in shown.keys() & given.keys():
        if not _is_shown(shown[name], given[name]):
            raise CheckError(
                f"checks of {claim_id!r}: parameters show {name}={shown[name]!r}, and the check has "
                f"{given[name]!r}; show what it has, or take another name"
            )


def _is_shown(shown: Any, given: Any) -> bool:
    """Return whether a number or a list of names that a record shows is the argument, or one of its grid.

    Words may stand for anything else.
    """
    mine = [item for item in (given, *(given if isinstance(given, list) else ())) if _kind(item)]
    alike = [item for item in mine if _kind(item) == _kind(shown)]
    return not alike or any(
        list(shown) == list(item) if _kind(item) == "names" else bool(shown == item) for item in alike
    )


def _kind(item: Any) -> str:
    if isinstance(item, Real):
        return "number"
    named = isinstance(item, list | tuple) and item and all(isinstance(name, str) for name in item)
    return "names" if named else ""
