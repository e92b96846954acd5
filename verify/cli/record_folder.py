"""Options that name the folder of records."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click


def out_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--out DIR` to a verb."""
    return _option(function, "--out")


def records_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--records DIR` to a verb that writes something else."""
    return _option(function, "--records")


def _option(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    return click.option(
        name,
        default=".boundcheck",
        show_default=True,
        metavar="DIR",
        callback=_folder,
        help="Folder of the records.",
    )(function)


def _folder(_ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    """Refuse what is no name of a folder, which would be taken for one without records.

    Raises:
        UsageError: It is empty, or a file is there.
    """
    from verify.errors import OutputFolderError, UsageError

    if not value:
        raise UsageError(f"{parameter.name}={value!r} must name a folder, with {parameter.opts[0]} DIR")
    place = Path(value)
    there = next((item for item in (place, *place.parents) if os.path.exists(item)), Path())
    if not os.path.isdir(there):
        raise OutputFolderError(
            f"{parameter.name}={value!r} must be a folder, but {str(there)!r} is a file; "
            f"choose another one with {parameter.opts[0]} DIR"
        )
    return value
