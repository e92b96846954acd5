"""`boundcheck run`."""

import sys
from pathlib import Path
from typing import Any

import click

from verify.cli import format_option, print_json, refuse_without_effect
from verify.cli.answer import print_answer

_EXIT = {"reached": 0, "not reached": 1, "diverged": 1}
_FAILED = 3
_UNWRITTEN = 2


@click.command("run")
@click.argument("method")
@click.option(
    "--problem",
    "problem_name",
    metavar="NAME",
    default="breast-cancer",
    show_default=True,
    help="As of `plan`: breast-cancer, digits, quadratic:D, a LIBSVM set or the path of a LIBSVM file.",
)
@click.option(
    "--link",
    "link_name",
    metavar="LINK",
    default="loopback",
    show_default=True,
    help="Of each worker: RATE[,DELAY][,uplink] such as 1Mbit,10ms, where uplink holds up no message of the "
    "server; loopback holds up none.",
)
@click.option(
    "--engine",
    type=click.Choice(["inprocess", "tcp", "tun", "mpi"]),
    default="tcp",
    show_default=True,
    help="tun: packets between network namespaces, for root, else tcp; mpi: start it by `mpiexec -n N+1 "
    "python -m boundcheck run ...`.",
)
@click.option(
    "-n", "--nodes", type=click.IntRange(1), default=6, show_default=True, help="Number of workers."
)
@click.option(
    "--split",
    type=click.Choice(["contiguous", "label"]),
    default="contiguous",
    show_default=True,
    help="Rows in their order, or sorted by label first.",
)
@click.option(
    "--loss",
    type=click.Choice(["logistic", "least-squares"]),
    default="logistic",
    show_default=True,
    help="Of a regression on data.",
)
@click.option("--ridge", type=float, help="As of `plan`.")
@click.option(
    "--accuracy", type=float, default=1e-3, show_default=True, help="Part of f(0) - f* that may be left."
)
@click.option("--rounds", type=click.IntRange(1), default=5000, show_default=True, help="At most so many.")
@click.option(
    "--levels",
    type=float,
    default=1.0,
    show_default=True,
    help="beta / sqrt(d) of DCGD and DIANA, M of dithered quantizers.",
)
@click.option("--probability", type=float, help="Of whole gradients of MARINA.  [default: by the bits]")
@click.option(
    "--float-bits",
    type=click.Choice(["32", "64"]),
    default="32",
    show_default=True,
    help="Of a number that travels as it is.",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Of all draws.")
@click.option(
    "--timeout", type=float, default=30.0, show_default=True, help="Seconds for which any message is awaited."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="Of tcp; 0 for any."
)
@click.option(
    "--out", default=".boundcheck/runs", show_default=True, metavar="DIR", help="Folder of the trace."
)
@format_option
def command(chosen: str, **given: Any) -> None:
    """Run METHOD on real processes, a server and workers that hold their own part of the data only.

    METHOD: gd, dcgd, diana (or :natural, :tern_grad, :rand_k), dcgd_plus or diana_plus (:varying, :block,
    :sparsification), averaged_gd (:natural, :tern_grad, :rand_k), marina (:perm_k, :correlated, :independent,
    :natural, :tern_grad, :rand_k), memory_gd (:top_k, :one_bit), dqsg, ndqsg. Messages are the packed bytes.
    Exit codes: 0 the accuracy is reached, 1 it is not, or the run diverged, 2 usage error, or the trace
    could not be written to its end, 3 a process or a message failed.
    """
    communicator = None
    if given["engine"] == "mpi":
        communicator = _ranks(given["nodes"], given["link_name"])
        if communicator.Get_rank():
            from verify.wires.running import work_as_rank

            sys.exit(work_as_rank(communicator, _patience(given["timeout"])))
    try:
        result = _run(given, communicator)
    except BaseException as error:
        if communicator is not None:
            _dismiss(communicator, str(error) or type(error).__name__)
        raise
    _print(result, chosen)
    if communicator is not None and result.status in ("failed", "interrupted"):
        _abort(communicator)
    sys.exit(_UNWRITTEN if result.trace_problem else _EXIT.get(result.status, _FAILED))


def _patience(timeout: float) -> float:
    """Return how long ranks wait for the set-up: rank 0 loads the data and runs alone first."""
    return 600.0 + timeout


def _ranks(nodes: int, link_name: str) -> Any:
    from impl.wires.transports.mpi import communicator, machines
    from verify.errors import UsageError
    from verify.wires.links import real_link

    found = communicator(nodes)
    count = machines(found)
    if real_link(link_name).is_paced and count > 1:
        raise UsageError(
            f"link={link_name!r} holds messages up by the clock of one machine, the ranks are on {count}; "
            "leave it out"
        )
    return found


def _run(given: dict[str, Any], communicator: Any) -> Any:
    from impl.communication import PRESETS
    from verify.errors import UsageError
    from verify.planning.problems import QUADRATIC, problem
    from verify.planning.setting import Setting
    from verify.wires.links import real_link
    from verify.wires.methods import FORMS, choice
    from verify.wires.running import Task, run

    link = real_link(given["link_name"])
    if given["problem_name"].partition(":")[0] == QUADRATIC:
        refuse_without_effect("for a quadratic, which has no rows", "loss", "split")
    if given["engine"] == "inprocess" and link.is_paced:
        refuse_without_effect("with --engine inprocess, which sends nothing over a link", "link_name")
    if given["engine"] in ("inprocess", "mpi"):
        refuse_without_effect(f"with --engine {given['engine']}, which listens at no port", "port")
    family = given["method"].partition(":")[0]
    if family == "gd":
        refuse_without_effect("for gd, which sends whole gradients", "levels")
    if family in FORMS and family != "marina":
        refuse_without_effect(f"for {family}: only marina sends whole gradients at times", "probability")
    bits = int(given["float_bits"])
    method = choice(
        given["method"], levels=given["levels"], probability=given["probability"], float_bits=bits
    )
    if not 0 < given["timeout"] < float("inf"):
        raise UsageError(f"timeout={given['timeout']!r} must be a positive finite number of seconds")
    made = problem(given["problem_name"], given["nodes"], given["ridge"], given["loss"], given["split"])
    return run(
        Task(
            setting=Setting(made, PRESETS["payload"], given["accuracy"], bits),
            problem=given["problem_name"],
            chosen=method,
            engine=given["engine"],
            link=link,
            rounds=given["rounds"],
            seed=given["seed"],
            limit=given["timeout"],
            port=given["port"],
            folder=Path(given["out"]),
        ),
        communicator,
    )


def _dismiss(communicator: Any, reason: str) -> None:
    """Tell ranks that still wait for the set-up that there is no run."""
    from impl.wires.transports.mpi import MpiChannel
    from verify.wires.running import NO_RUN

    channels = [MpiChannel(f"worker {i - 1}", communicator, i) for i in range(1, communicator.Get_size())]
    for channel in channels:
        channel.tell(stop=f"{NO_RUN}: {reason}")
    for channel in channels:
        channel.finish(1.0)


def _abort(communicator: Any) -> None:
    """End all ranks: one that is gone would let the others wait at the end."""
    import time

    sys.stdout.flush()
    time.sleep(1.0)  # for the others to say why they stop
    communicator.Abort(_FAILED)


def _print(result: Any, chosen: str) -> None:
    document = result.document()
    if result.note:
        click.echo(result.note, err=True)
    if result.trace_problem:
        click.echo(f"Error: the trace is cut: {result.trace_problem}", err=True)
    if chosen == "json":
        print_json(document)
        return
    from verify.reporting.tables import Table, written

    rounds = max(1, document["rounds"])
    heads = ("method", "engine", "rounds", "seconds", "ms a round", "bytes up", "bytes down", "gap", "status")
    rows: list[tuple[str, ...]] = [
        (
            document["method"],
            document["engine"],
            str(document["rounds"]),
            f"{document['seconds']:.4g}",
            f"{1e3 * document['seconds'] / rounds:.3g}",
            str(document["bytes_up"]),
            str(document["bytes_down"]),
            f"{result.gap:.3g}",
            result.status,
        )
    ]
    print_answer(written(Table(heads, tuple(rows)), chosen))
    if chosen == "table":
        click.echo(f"\ngap: f(x) - f* over f(0) - f*; bytes: frames of all workers; trace: {result.trace}")
    if result.reason:
        click.echo(f"{result.status}: {result.reason}", err=True)
