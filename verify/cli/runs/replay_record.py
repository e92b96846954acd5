"""`boundcheck replay`."""

import json
import sys

import click

from verify.cli import claims_option, json_option, print_json
from verify.cli.record_folder import out_option


@click.command("replay")
@click.argument("record")
@out_option
@claims_option
@json_option
def command(record: str, out: str, as_json: bool) -> None:
    """Run the unit of RECORD (a file, or an identifier claim@hex) again, compare, and show its witness."""
    from verify.records.folder import record_id
    from verify.records.replay import replay

    replays = replay(record, out=out)
    if as_json:
        print_json(
            {
                "replays": [
                    {
                        "id": record_id(item.recorded),
                        "same": item.same,
                        "stale": item.stale,
                        "differences": list(item.differences),
                        "recorded": item.recorded,
                        "repeated": item.repeated,
                    }
                    for item in replays
                ]
            }
        )
    else:
        for item in replays:
            new = item.repeated
            click.echo(f"{record_id(item.recorded)} {new['rung']}/{new['instance']}")
            click.echo(f"  recorded: {item.recorded['verdict']}: {item.recorded['reason']}")
            click.echo(f"  now:      {new['verdict']}: {new['reason']}")
            click.echo(f"  witness:  {json.dumps(new['witness'], ensure_ascii=False)}")
            for mutant in new["mutants"]:
                state = "rejected" if mutant["rejected"] else "not rejected"
                click.echo(f"  mutant {mutant['name']}: {state}: {mutant['reason']}")
            click.echo("  same content" if item.same else f"  DIFFERS in {', '.join(item.differences)}")
            if item.stale:
                click.echo("  the sources have changed since the record was made")
    sys.exit(0 if all(item.same for item in replays) else 1)
