"""`boundcheck plan`."""

import math
import sys
from typing import Any

import click

from verify.cli import INTERRUPTED, format_option, print_json, refuse_without_effect, tier_option
from verify.cli.answer import print_answer


@click.command("plan")
@click.option(
    "--problem",
    "problem_name",
    metavar="NAME",
    default="breast-cancer",
    show_default=True,
    help="breast-cancer, digits, quadratic:D, a LIBSVM set (see `boundcheck data list`) or the path of a "
    "LIBSVM file with two labels.",
)
@click.option(
    "--link",
    "link_name",
    metavar="LINK",
    default="affine",
    show_default=True,
    help="payload, affine, eth, eth-wire, 6lowpan, lora51, lora-airtime, or numbers, P payload bits: "
    "affine:C1,C0 (C1 P + C0), packet:PMAX,C1,C0 (C1 ceil(P / PMAX) + C0), wire:PMAX,H,C0 (P + H ceil(P / "
    "PMAX) + C0); C0 of these two may be left out. Or a real link, RATE[,DELAY][,uplink] such as 1Mbit,10ms: "
    "seconds, with computing on this machine.",
)
@click.option(
    "--loss",
    type=click.Choice(["logistic", "least-squares"]),
    default="logistic",
    show_default=True,
    help="Of a regression on data.",
)
@click.option(
    "--split",
    type=click.Choice(["contiguous", "label"]),
    default="contiguous",
    show_default=True,
    help="Rows in their order, or sorted by label first.",
)
@click.option("-n", "--nodes", type=click.IntRange(1), default=1, show_default=True, help="Number of nodes.")
@click.option(
    "--accuracy",
    type=float,
    default=1e-3,
    show_default=True,
    help="Part of f(0) - f* that may be left, between 0 and 1.",
)
@click.option(
    "--ridge", type=float, help="Strong convexity that is added.  [default: 1 / rows, 0.01 for quadratic]"
)
@click.option("--run", is_flag=True, help="Run the methods and show what they really cost.")
@click.option(
    "--engine",
    type=click.Choice(["inprocess", "tcp", "tun"]),
    default="inprocess",
    show_default=True,
    help="Of --run on a real link: tcp and tun run processes, the methods that arrived in their trial.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 10**7),
    default=20_000,
    show_default=True,
    help="Longest run with --run.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of --run.")
@tier_option
@format_option
def command(
    problem_name: str,
    link_name: str,
    loss: str,
    split: str,
    nodes: int,
    accuracy: float,
    ridge: float | None,
    run: bool,
    engine: str,
    rounds: int,
    seed: int,
    tier: str,
    chosen: str,
) -> None:
    """Rank the methods by what their verified bounds say that an accuracy costs over a link.

    Costs are those of a node, uplink. A bound holds for the worst problem with these constants, so that a
    method may cost far less; --run measures. With several nodes the rows are cut in their order.
    """
    from impl import tiers
    from verify.errors import UsageError
    from verify.planning.links import link
    from verify.planning.problems import QUADRATIC, problem
    from verify.planning.processes import require_engine
    from verify.planning.ranked import ranked
    from verify.planning.setting import FLOAT_BITS, Setting

    real = link(link_name).unit == "seconds"  # before the data are read
    require_engine(engine, run=run, real=real)
    if not run:
        refuse_without_effect("where nothing runs, without --run", "rounds", "seed", "tier")
    if real:
        refuse_without_effect("on a real link, where draws are keyed", "tier")
    if problem_name.partition(":")[0] == QUADRATIC:
        refuse_without_effect("for a quadratic, which has no rows", "loss", "split")
    made = problem(problem_name, nodes, ridge, loss, split)
    cost = link(link_name, FLOAT_BITS * made.d)
    setting = Setting(made, cost, accuracy, FLOAT_BITS)
    if not setting.price(FLOAT_BITS * made.d) > 0:
        raise UsageError(
            f"link={link_name!r} costs nothing, so that nothing can be ranked; give one with a rate or a "
            "delay, as 1Mbit,10ms"
        )

    def progress(message: str) -> None:
        click.echo(message, err=True)  # runs on large sets take minutes

    with tiers.tier(tier, "plan") as drawn:
        rows = ranked(
            setting,
            run=run,
            engine=engine,
            problem=problem_name,
            most_rounds=rounds,
            seed=seed,
            progress=progress,
        )
    _print(setting, rows, problem_name, cost, accuracy, chosen, drawn if run else "")
    if any(row.status == "interrupted" for row in rows):
        sys.exit(INTERRUPTED)


def _print(
    setting: Any, rows: Any, problem_name: str, cost: Any, accuracy: float, chosen: str, drawn: str
) -> None:
    """Print the ranking; the tier of the runs is empty where nothing ran."""
    if chosen == "json":
        print_json(
            {
                "problem": {
                    "name": problem_name,
                    "n": setting.n,
                    "d": setting.d,
                    "L": setting.L,
                    "mu": setting.mu,
                },
                "link": repr(cost),
                "unit": cost.unit,
                "accuracy": accuracy,
                "tier": drawn or None,
                "methods": [
                    {
                        "method": row.prediction.method,
                        "predicted_cost": None if row.prediction.cost == math.inf else row.prediction.cost,
                        "predicted_rounds": row.prediction.rounds,
                        "bits_per_round": row.prediction.bits,
                        "claims": list(row.prediction.claims),
                        "note": row.prediction.note,
                        "trial_cost": row.trial,
                        "trial_rounds": row.trial_rounds,
                        "measured_cost": row.cost,
                        "measured_rounds": row.rounds,
                        "status": row.status,
                    }
                    for row in rows
                ],
            }
        )
        return
    from verify.reporting.tables import Table, written

    heads: tuple[str, ...] = ("method", f"predicted {cost.unit}", "rounds", "bits a round", "claims", "note")
    table: list[tuple[str, ...]] = [
        (
            row.prediction.method,
            "no bound" if row.prediction.cost == math.inf else f"{row.prediction.cost:.4g}",
            "-" if row.prediction.rounds is None else str(row.prediction.rounds),
            "-" if row.prediction.bits is None else f"{row.prediction.bits:.5g}",
            " ".join(row.prediction.claims),
            row.prediction.note,
        )
        for row in rows
    ]
    if setting.on_a_real_link:
        heads = (heads[0], "seconds tried", "rounds tried", *heads[1:])
        table = [
            (
                line[0],
                "-" if row.trial is None else f"{row.trial:.4g}",
                "-" if row.trial_rounds is None else str(row.trial_rounds),
                *line[1:],
            )
            for line, row in zip(table, rows, strict=True)
        ]
    if drawn:
        heads = (*heads[:2], f"measured {cost.unit}", "measured rounds", *heads[2:])
        table = [
            (
                *line[:2],
                row.status if row.cost is None else f"{row.cost:.4g}",
                "-" if row.rounds is None else f"{row.rounds:.4g}",
                *line[2:],
            )
            for line, row in zip(table, rows, strict=True)
        ]
    print_answer(written(Table(heads, tuple(table)), chosen))
    if chosen != "table":
        return
    nodes_text = f"{setting.n} node{'s' * (setting.n > 1)}"
    click.echo(
        f"\nf(x) - f* <= {accuracy:g} (f(0) - f*) from x = 0, {nodes_text}, d = {setting.d}, "
        f"L = {setting.L:.4g}, mu = {setting.mu:.4g}; cost of a node, uplink"
        + ("; runs drew by the fused tier" if drawn == "fused" else "")
    )
