"""Command line: each verb is a thin layer over one Python function, in a module of its own.

A verb's module is imported only when the verb is run, so that `--help` stays cheap.
"""

import errno
import importlib
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NoReturn

import click

from verify.cli.answer import only_answers, output_descriptor, print_answer

# Verb: (module in this package, help line). The help lines are here so that `--help` imports no verb.
VERBS = {
    "list": ("claims.list_claims", "List claims with kind, provenance and last verdict."),
    "show": ("claims.show", "Show a claim: statement, assumptions, derivation, evidence."),
    "verify": ("runs.verify_claims", "Judge claims on every rung and write records."),
    "check": ("compressors.check", "Judge somebody else's compressor."),
    "audit": ("compressors.audit", "Judge lists of compressors of others, with what they claim."),
    "plan": ("compressors.plan", "Rank methods by what an accuracy costs over a link."),
    "run": ("compressors.run", "Run a method on real processes and links."),
    "prove": ("claims.prove", "Prove a claim again, alone, and list what it rests on."),
    "pin": ("claims.pin", "Pin the words of a statement once you have read them."),
    "diff": ("runs.diff", "Compare two runs: verdicts, grades, tightness, times."),
    "cite": ("claims.cite", "Print a sentence, BibTeX, LaTeX macros and the record identifier."),
    "replay": ("runs.replay_record", "Run the unit of a record again and show its witness."),
    "report": ("runs.report", "Write a static site of claims, evidence and figures."),
    "badge": ("runs.badge", "Write a small picture with the verdicts, for a README."),
    "export": ("runs.export", "Write records, figures and citation as an RO-Crate."),
    "figures": ("runs.figures", "Regenerate the figures of the papers, or check them."),
    "new": ("claims.new", "Write a small working paper, claim or compressor to begin with."),
    "data": ("data", "List, download or check the LIBSVM data sets."),
    "doctor": ("doctor", "Tell what is installed and which rungs can run."),
}


INTERRUPTED = 130
"""Exit code after Ctrl-C, as of a process that the signal ended."""
EVERY = ("*",)
"""Patterns of a verb that is given none."""
BROKEN = 70
"""Exit code after an error of our own, with its trace: Python's own is 1, which says "violated"."""


class LazyGroup(click.Group):
    """A group that imports a verb when it is used and turns users' errors into exit code 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order in which they are usually needed."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a verb."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"verify.cli.{VERBS[cmd_name][0]}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a verb; for a mistyped one name those that are like it, for a claim how it is shown."""
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            raise click.UsageError(f"no verb {args[0]!r}; {_instead(args[0])}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(verb, text) for verb, (_, text) in VERBS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a verb; what the user can mend becomes one line and exit code 2, or that of the error."""
        if sys.stdout is None:  # closed by who started us: the exit code is all that is asked for
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the end
        try:
            from verify.cli.defaults import defaults

            ctx.default_map = defaults()
            return super().invoke(ctx)
        except click.exceptions.NoArgsIsHelpError:
            raise
        except KeyboardInterrupt:
            again = "; what is finished is kept by `--resume`" if ctx.invoked_subcommand == "verify" else ""
            click.echo(f"Interrupted{again}", err=True)
            sys.exit(INTERRUPTED)  # click would exit with 1, which says that something is violated
        except click.ClickException as error:
            _fail(_in_one_line(error), sys.argv)
        except Exception as error:
            if isinstance(error, click.exceptions.Exit | click.Abort):
                raise
            if isinstance(error, OSError) and error.errno in _UNWRITABLE and _is_of_output(error):
                _give_up_output(error)
            if isinstance(error, OSError) and error.errno in _FULL:
                place = f"{error.filename!r}" if error.filename else "a file"
                _fail(
                    f"{place} cannot be written ({error.strerror}); make room, or give another folder",
                    sys.argv,
                )
            if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
                name = str(error.filename)
                told = repr(name if len(name) <= 60 else f"{name[:40]}...{name[-17:]}")
                _fail(
                    f"{told} has {len(name)} characters, too many for a file (255 in a name, 4095 with its "
                    "folders); give a shorter one",
                    sys.argv,
                )
            if not _is_users(error):
                traceback.print_exc()
                sys.exit(BROKEN)
            _fail(str(error), sys.argv, getattr(error, "exit_code", 2))


_UNWRITABLE = (errno.EPIPE, errno.ENOSPC, errno.EIO, errno.EBADF)
"""Errors of a stream that is written."""
_FULL = (errno.ENOSPC, errno.EDQUOT)
"""Errors of a disk that takes nothing more, where the verb has no better words."""
CLOSED = 141
"""Exit code where nobody reads on, `boundcheck list | head`, as of a process that SIGPIPE ended."""


def _is_of_output(error: OSError) -> bool:
    """Tell whether standard output takes nothing more: another file or pipe raises the same errors."""
    if error.filename is not None:
        return False
    try:
        os.write(output_descriptor(), b"\n")
    except OSError as again:
        return again.errno == error.errno
    return False


def _give_up_output(error: OSError) -> NoReturn:
    """End where standard output takes nothing more: in silence where its reader is gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, output_descriptor())  # what is still held back must not fail once more at the end
    if error.errno == errno.EPIPE:
        sys.exit(CLOSED)
    click.echo(f"Error: standard output cannot be written ({error.strerror})", err=True)
    sys.exit(2)


def _instead(word: str) -> str:
    """Return what a word that is no verb may have meant."""
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), VERBS, n=3)
    if near:
        return f"did you mean {', '.join(near)}?"
    if "/" in word:
        return f"did you mean `boundcheck show {word.lower()}`?"
    return f"verbs: {', '.join(VERBS)}"


_MEANT = {"--alpha": "--contraction", "--delta": "--contraction", "--variance": "--omega"}
"""Options by the names that papers give to their numbers."""


def _in_one_line(error: click.ClickException) -> str:
    """Return what click says, in one line; where arguments are missing or too many, with the usage."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        meant = _MEANT.get(error.option_name, "")
        if any(meant in parameter.opts for parameter in error.ctx.command.params):
            return f"{error.message} Did you mean {meant!r}?"
        if not error.possibilities or error.possibilities == ["--help"]:
            verb = error.ctx.command_path.removeprefix(error.ctx.find_root().command_path)
            return f"{error.message} `boundcheck{verb} --help` lists the options."
    message = error.format_message()
    for kind, told in (("integer range", "integer"), ("float range", "number"), ("float", "number")):
        message = message.replace(f"is not a valid {kind}.", f"is no {told}.")
    if not isinstance(error, click.UsageError) or error.ctx is None:
        return message
    is_missing = isinstance(error, click.MissingParameter)
    if not is_missing and not message.startswith("Got unexpected extra argument"):
        return message
    taken = " ".join(error.ctx.get_usage().split()).removeprefix("Usage: ")
    return f"{message.partition(' Choose from')[0].rstrip('.')}; usage: {taken}"


def _is_users(error: Exception) -> bool:
    from impl.errors import ArgumentError
    from theory.errors import ClaimFileError, UnknownClaimError
    from verify.errors import UsageError

    return isinstance(error, UsageError | ArgumentError | ClaimFileError | UnknownClaimError)


def _fail(message: str, arguments: list[str], code: int = 2) -> None:
    spelled = " ".join(arguments)
    if "--json" in arguments or "--format json" in spelled or "--format=json" in spelled:
        print_json({"error": message})
    click.echo(f"Error: {message}", err=True)
    sys.exit(code)


def print_json(document: Any) -> None:
    """Print one document on standard output."""
    print_answer(json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False))


def json_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--json` to a verb."""

    def keep(ctx: click.Context, _parameter: click.Parameter, value: bool) -> bool:
        if value:
            ctx.find_root().with_resource(only_answers())
        return value

    return click.option(
        "--json", "as_json", is_flag=True, callback=keep, help="Print one JSON document and nothing else."
    )(function)


def format_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--format` to a verb that prints a table, and `--json` for the document; the verb gets `chosen`."""

    def as_json(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
        if value:
            ctx.params["chosen"] = "json"

    def choose(ctx: click.Context, _parameter: click.Parameter, value: str) -> str:
        form = str(ctx.params.get("chosen", value))
        if form != "table":
            ctx.find_root().with_resource(only_answers())
        return form

    flag = click.option(
        "--json",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=as_json,
        help="The same as --format json.",
    )
    choice = click.option(
        "--format",
        "chosen",
        type=click.Choice(["table", "json", "csv", "markdown", "latex"]),
        default="table",
        show_default=True,
        callback=choose,
        help="What is printed; json is one document with everything.",
    )
    return choice(flag(function))


def require_given_folders(**folders: str) -> None:
    """Refuse folders that the command line names and that are not there; a default may be missing.

    Raises:
        UsageError: One is not there.
    """
    from verify.errors import UsageError

    source = click.get_current_context().get_parameter_source
    for name, folder in folders.items():
        if source(name) is click.core.ParameterSource.COMMANDLINE and not Path(folder).is_dir():
            raise UsageError(
                f"{name}={folder!r} is not there; name a folder with --{name} DIR, or leave it out"
            )


def refuse_without_effect(why: str, *names: str) -> None:
    """Refuse options that the command line gives and that change nothing, as `why` says.

    Raises:
        UsageError: There is one.
    """
    from verify.errors import UsageError

    ctx = click.get_current_context()
    spelled = {item.name: item.opts[-1] for item in ctx.command.params}
    given = [
        spelled[name]
        for name in names
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    ]
    if given:
        raise UsageError(f"{', '.join(given)} changes nothing {why}; leave it out")


def tier_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--tier` to a verb that draws samples."""
    return click.option(
        "--tier",
        type=click.Choice(["numpy", "fused"]),
        default="numpy",
        show_default=True,
        help="Who draws samples: numpy, or compiled kernels where there are some (extra `fast`).",
    )(function)


def claims_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--claims PACKAGE` to a verb: papers of other people, found before the verb runs.

    A package that cannot be used is a usage error, before anything is judged or listed without it.
    """

    def name(_ctx: click.Context, _parameter: click.Parameter, packages: tuple[str, ...]) -> None:
        if packages:
            from theory.reading.roots import unusable, use

            problems = unusable(packages)
            if problems:
                raise click.UsageError(f"--claims: {'; '.join(problems)}")
            use(packages)

    return click.option(
        "--claims",
        "packages",
        multiple=True,
        metavar="PACKAGE",
        callback=name,
        expose_value=False,
        is_eager=True,
        help="Package with a paper of your own; may be repeated.",
    )(function)


def tell_problems(lines: Iterable[str]) -> None:
    """Print what is wrong with files of claims, one line each, on standard error."""
    for line in lines:
        click.echo(f"Error: {line}", err=True)


def _print_version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from verify.version import VERSION

        click.echo(f"boundcheck {VERSION}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    callback=_print_version,
    expose_value=False,
    is_eager=True,
    help="Print the version.",
)
def main() -> None:
    """Is this bound true, how tight is it, and what is the evidence?

    Claims of papers on communication-compressed distributed optimization, judged by
    symbolic proofs, exact enumeration, adversarial search, Monte Carlo and full runs.

    Exit codes: 0 every claim holds or is consistent, 1 one is violated or untested,
    2 usage error, 3 one is undecided or a required rung did not run
    (in the quick profile, a busy machine that measures no seconds does not count),
    70 an error of the program itself, 130 interrupted, 141 nobody reads the output.
    """
