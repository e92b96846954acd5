"""`boundcheck check`."""

import contextlib
import importlib
import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from verify.cli import json_option, print_json, tier_option


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
@click.option(
    "--omega-sharp",
    is_flag=True,
    help="Claim that omega is attained within 1 %; inconclusive if it is at no input that was tried.",
)
@click.option(
    "--contraction", type=float, metavar="DELTA", help="Claim E||C(x)-x||^2 <= (1 - DELTA) ||x||^2."
)
@click.option(
    "--bits",
    type=click.FloatRange(0),
    help="Claimed expected length of a message in bits.  Messages are bytes: 7 bits more are allowed.",
)
@click.option(
    "--most-bits",
    type=click.FloatRange(0),
    help="Claimed largest length of a message in bits, rounded up to whole bytes.",
)
@click.option(
    "--scale-equivariant",
    type=click.Choice(["all", "powers of two"]),
    help="Claim C(c x) = c C(x) for these scales c, with the same random numbers.",
)
@click.option("--lossless", is_flag=True, help="Claim C(x) = x.")
@click.option("--dtype", type=click.Choice(["float64", "float32"]), help="Type of the inputs.")
@click.option("--framework", help="What vectors are: numpy, torch, jax, or a module.  [default: found out]")
@click.option("--device", help="Device of torch or jax.")
@click.option(
    "--resolution",
    type=float,
    help="Fault, relative to what the claim allows, that ends the check when it would have been seen.  "
    "[default: 0.01]",
)
@click.option("--time-limit", type=float, metavar="SECONDS", help="End the check then.  [default: 20]")
@click.option("--samples", type=click.IntRange(1), help="Most samples at one input.  [default: 1048576]")
@click.option("--seed", type=click.IntRange(0), help="Seed.  [default: fixed]")
@tier_option
@json_option
def command(
    target: str,
    d: int,
    n: int | None,
    bits: float | None,
    most_bits: float | None,
    seed: int | None,
    tier: str,
    **given: Any,
) -> None:
    """Judge the compressor OBJECT of MODULE or of FILE.py; the working folder is searched last.

    Exit codes: 0 consistent, 1 violated, 3 inconclusive, 2 a usage error, or a compressor that is none: it
    cannot be imported or made, raises, hangs, prints, changes its input, ignores its seed, or returns another
    shape or dtype or numbers that are not finite. --json prints {"error": ...} then.
    """
    import numpy as np

    from impl import tiers
    from verify.cli.compressors.apart import apart
    from verify.compressor_check import check_compressor
    from verify.foreign.state.memory import limited_memory

    as_json, contained = given.pop("as_json"), given.pop("scale_equivariant")
    _require_claim(given, bits, most_bits, contained)
    given |= {
        "bits": bits if most_bits is None else (bits, most_bits),
        "scale_equivariant": contained or False,
    }
    rng = None if seed is None else np.random.Generator(np.random.Philox(seed))

    def judged() -> tuple[str, dict[str, Any], str]:
        with tiers.tier(tier, "check") as drawn, _progress(as_json) as progress, limited_memory():
            report = check_compressor(_load(target), d=d, n=n, rng=rng, progress=progress, **given)
        note = "" if drawn == "numpy" else f"\n  compressors of boundcheck drew by the {drawn} tier"
        return report.verdict, {**report.document(), "tier": drawn}, str(report) + note

    with _in_options():
        verdict, document, text = apart(judged, f"target={target!r}")
    if as_json:
        print_json(document)
    else:
        from verify.reporting.tables import folded

        click.echo(folded(text))
    sys.exit({"holds": 0, "consistent": 0, "violated": 1}.get(verdict, 3))


@contextlib.contextmanager
def _in_options() -> Iterator[None]:
    """Name arguments of `check_compressor` in errors as the command line does: `--time-limit 0.0 must be`.

    Raises:
        UsageError: As before, in these words.
    """
    from verify.errors import UsageError

    try:
        yield
    except UsageError as error:
        whole = str(error)
        told = whole.removeprefix("check_compressor: ")
        if told == whole:
            raise
        for option in click.get_current_context().command.params:
            if isinstance(option, click.Option) and option.name and len(option.name) > 1:
                spelled = option.opts[-1]
                told = re.sub(rf"(?<![\w.]){option.name}=True\b", spelled, told)
                told = re.sub(rf"(?<![\w.]){option.name}=(?=[ ,;])", spelled, told)
                told = re.sub(rf"(?<![\w.]){option.name}=(?=\S)", f"{spelled} ", told)
        error.args = (told,)
        raise


def _require_claim(given: Mapping[str, Any], *others: object) -> None:
    """Refuse a check of nothing, in the words of the command line.

    Raises:
        UsageError: No option claims anything.
    """
    from verify.errors import UsageError

    names = ("unbiased", "omega", "ab", "contraction")
    claimed = [given[name] for name in names] + list(others)
    flags = given["lossless"] or given["omega_sharp"]
    if not flags and all(item is None for item in claimed):
        raise UsageError(
            "nothing to check; give at least one of --unbiased, --omega, --ab, --contraction, --bits, "
            "--most-bits, --scale-equivariant, --lossless"
        )


@contextlib.contextmanager
def _progress(as_json: bool) -> Iterator[Callable[[str], None] | None]:
    """Yield what shows a line of progress on a terminal and clears it in the end; None elsewhere."""
    if as_json or not sys.stderr.isatty():
        yield None
        return
    width = shutil.get_terminal_size().columns - 1
    try:
        yield lambda text: click.echo("\r" + text[:width].ljust(width), nl=False, err=True)
    finally:
        click.echo("\r" + " " * width + "\r", nl=False, err=True)


def _load(target: str) -> Any:
    from verify.errors import UsageError

    module_name, colon, attribute = target.rpartition(":")
    if not colon or not module_name or not attribute:
        raise UsageError(f"target={target!r} must be MODULE:OBJECT, for example my_compressors:topk")
    if not module_name.endswith(".py") and not all(map(str.isidentifier, module_name.split("."))):
        file = f"{module_name}.py"
        remedy = f"a file is named with its ending: {file}:{attribute}"
        if not Path(file).is_file():
            remedy = "name MODULE:OBJECT, or FILE.py:OBJECT with the path of a file"
        raise UsageError(f"target={target!r}: {module_name!r} is no name of a module; {remedy}")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        found: Any = _module(module_name)
    except (Exception, SystemExit) as error:  # whatever the user's module does when it is imported
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
    except (Exception, SystemExit) as error:  # whatever the constructor of others does
        raise UsageError(
            f"target={target!r} cannot be made ({type(error).__name__}: {error}); "
            f"name an instance of it in {module_name!r}"
        ) from error


def _module(name: str) -> Any:
    """Import a module by name, or a file that ends in .py by its path."""
    if not name.endswith(".py"):
        return importlib.import_module(name)
    path = Path(name)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {name}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{name} is no Python file")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def _names(found: Any) -> str:
    return ", ".join(name for name in dir(found) if not name.startswith("_")) or "no public names"
