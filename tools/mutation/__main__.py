"""Command line: `python -m tools.mutation coverage|run|report|show|explain`."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from tools.mutation.campaign import REPEATED, Settings, append, latest, prepared, run, sampled, scoped
from tools.mutation.killers import Tree
from tools.mutation.report import markdown

FOLDER = Path(".boundcheck")
OPTIONS = (
    click.option("--root", type=Path, default=Path(), help="Checkout that is judged [default: this folder]."),
    click.option("--state", type=Path, default=FOLDER / "mutation.jsonl", show_default=True),
    click.option("--coverage", type=Path, default=FOLDER / "mutation-coverage.jsonl", show_default=True),
    click.option(
        "--scope",
        default="squant",
        show_default=True,
        help="PAPER (its impl and the engine), PAPER-impl, engine, paths; separated by commas.",
    ),
    click.option("--sample", default=250, show_default=True, help="Mutants to draw, 0 for all."),
    click.option("--seed", default=1, show_default=True),
    click.option("--by", type=click.Choice(["file", "function"]), default="file", show_default=True),
    click.option("--claims", multiple=True, help="Patterns of the claims that kill [default: by scope]."),
    click.option("--tests", multiple=True, default=("tests/**",), help="Patterns of test files that kill."),
    click.option("--without", multiple=True, default=REPEATED, help="Patterns of test files left out."),
    click.option("--budget", default=0.0, help="Seconds of tests after which a mutant survives, 0 for all."),
    click.option("--limit", default=0, help="Stop after so many mutants."),
    click.option("--seconds", default=0.0, help="Begin nothing after so many seconds."),
    click.option("--jobs", default=1, show_default=True, help="Processes."),
    click.option("--again", is_flag=True, help="Also judge survivors without a reason once more."),
)


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def _settings(options: dict[str, Any]) -> Settings:
    paths = {name: options[name].resolve() for name in ("root", "state", "coverage")}
    return Settings(**(options | paths))


def _say(text: str) -> None:
    print(text, flush=True)


@click.group(help=__doc__)
def main() -> None:
    """Command line."""


@main.command("coverage")
@_options
def coverage_command(**options: Any) -> None:
    """Measure which lines each claim and each test file executes."""
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        found = prepared(_settings(options), Path(folder), _say)
    raise SystemExit(0 if found is not None else 3)


@main.command("run")
@_options
def run_command(**options: Any) -> None:
    """Judge mutants; exit code 3 where some of the sample are still to be judged."""
    raise SystemExit(0 if run(_settings(options), _say) else 3)


@main.command("show")
@_options
def show_command(**options: Any) -> None:
    """List the mutants of the sample."""
    settings = _settings(options)
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        killers = prepared(settings, Path(folder), _say)
        everything = scoped(settings, Tree(Path(folder)), killers or ())
    for item in sampled(everything, settings.sample, settings.seed):
        print(f"{item.id} {item.file}:{item.line} {item.operator}: {item.before!r} -> {item.after!r}")


@main.command("report")
@click.option("--state", type=Path, default=FOLDER / "mutation.jsonl", show_default=True)
@click.option("--title", default="the suite", show_default=True)
def report_command(state: Path, title: str) -> None:
    """Print figures and survivors as Markdown."""
    print(markdown(latest(state).values(), title), end="")


@main.command("explain")
@click.option("--state", type=Path, default=FOLDER / "mutation.jsonl", show_default=True)
@click.argument("name")
@click.argument("reason")
def explain_command(state: Path, name: str, reason: str) -> None:
    """Note why the survivor with this id is equivalent."""
    if name not in latest(state):
        raise click.UsageError(f"{state} has no mutant {name}")
    append(state, json.dumps({"id": name, "reason": reason}))


main()
