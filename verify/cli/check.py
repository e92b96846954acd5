"""`boundcheck check`."""

import importlib
import os
import sys
from typing import Any

import click

from verify.cli import json_option, print_json


@click.command("check")
@click.argument("target", metavar="MODULE:OBJECT")
@click.option(
    "-d", "--dimension", "d", type=click.IntRange(1), required=True, help="Dimension of the inputs."
)
@click.option("-n", "--nodes", "n", type=click.IntRange(1), help="Number of nodes of a joint compressor.")
@click.option("--unbiased/--biased", default=None, help="What is claimed of the mean.")
@click.option("--omega", type=float, help="Claimed constant: E||C(x)-x||^2 <= omega ||x||^2.")
@click.option(
    "--ab",
    type=(float, float),
    metavar="A B",
    help="Claimed constants of a joint compressor: error of the mean <= A mean ||x_i||^2 - B ||mean x_i||^2.",
)
@click.option("--seed", type=click.IntRange(0), help="Seed.  [default: fixed]")
@json_option
def command(
    target: str,
    d: int,
    n: int | None,
    unbiased: bool | None,
    omega: float | None,
    ab: tuple[float, float] | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Judge the compressor OBJECT of MODULE; the working folder is searched last."""
    import numpy as np

    from verify.compressor_check import check_compressor

    rng = None if seed is None else np.random.Generator(np.random.Philox(seed))
    report = check_compressor(_load(target), d=d, n=n, unbiased=unbiased, omega=omega, ab=ab, rng=rng)
    if as_json:
        print_json(report.document())
    else:
        click.echo(str(report))
    sys.exit({"holds": 0, "consistent": 0, "violated": 1}.get(report.verdict, 3))


def _load(target: str) -> Any:
    from verify.errors import UsageError

    module_name, colon, attribute = target.partition(":")
    if not colon or not module_name or not attribute:
        raise UsageError(f"target={target!r} must be MODULE:OBJECT, for example my_compressors:topk")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        found: Any = importlib.import_module(module_name)
    except Exception as error:  # whatever the user's module does when it is imported
        problem = f"{type(error).__name__}: {error}"
        raise UsageError(
            f"target={target!r}: module {module_name!r} cannot be imported ({problem})"
        ) from error
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise UsageError(f"target={target!r}: {part!r} is not in {module_name!r}; it has {_names(found)}")
        found = getattr(found, part)
    if not isinstance(found, type):
        return found
    try:
        return found()
    except TypeError as error:
        raise UsageError(
            f"target={target!r} is a class that needs arguments ({error}); "
            f"name an instance of it in {module_name!r}"
        ) from error


def _names(found: Any) -> str:
    return ", ".join(name for name in dir(found) if not name.startswith("_")) or "no public names"
