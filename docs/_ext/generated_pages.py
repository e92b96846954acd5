"""Parts of pages that are made from the code: verbs with their options, the fields of a record."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from sphinx.application import Sphinx

from verify.cli import VERBS, main

_MEASURED = Path(__file__).parents[1] / "planner.jsonl"
_SCHEMA = Path(__file__).parents[2] / "verify" / "records" / "record.schema.json"


def commands() -> Iterator[str]:
    """Yield every verb with its help, arguments and options, and the exit codes of the command."""
    context = click.Context(main, info_name="boundcheck")
    yield from _help_of(main)
    yield from ("", "| verb | what it does |", "|---|---|")
    for verb, (_, text) in VERBS.items():
        yield f"| [`{verb}`](#{verb}) | {text} |"
    for verb in VERBS:
        found = main.get_command(context, verb)
        assert found is not None
        yield from _verb(found, context, verb, 2)


def _verb(command: click.Command, parent: click.Context, name: str, level: int) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    yield from ("", f"{'#' * level} {name}", "")
    yield from ("```text", command.get_usage(context).removeprefix("Usage: "), "```", "")
    yield from _help_of(command)
    rows = [record for item in command.get_params(context) if (record := item.get_help_record(context))]
    if rows:
        yield from ("", "| option | |", "|---|---|")
        yield from (f"| `{_cell(option)}` | {_words(text)} |" for option, text in rows)
    if isinstance(command, click.Group):
        for sub in command.list_commands(context):
            found = command.get_command(context, sub)
            assert found is not None
            yield from _verb(found, context, sub, level + 1)


def _help_of(command: click.Command) -> Iterator[str]:
    for line in (command.help or "").replace("\b\n", "").splitlines():
        yield _words(line)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def _words(text: str) -> str:
    for sign in "\\*_<[|":
        text = text.replace(sign, "\\" + sign)
    return text


def records() -> Iterator[str]:
    """Yield the fields of a record with their types."""
    schema = json.loads(_SCHEMA.read_text(encoding="utf-8"))
    yield from ("| field | |", "|---|---|")
    yield from _fields(schema, "")


def _fields(schema: dict[str, Any], inside: str) -> Iterator[str]:
    for name, field in schema.get("properties", {}).items():
        place = f"{inside}{name}"
        yield f"| `{place}` | {_words(_type(field))} |"
        if isinstance(field.get("items"), dict):
            yield from _fields(field["items"], f"{place}[].")
        if isinstance(field.get("additionalProperties"), dict):
            yield from _fields(field["additionalProperties"], f"{place}.NAME.")
        yield from _fields(field, f"{place}.")


def _type(field: dict[str, Any]) -> str:
    if "const" in field:
        return json.dumps(field["const"])
    if "enum" in field:
        return ", ".join(json.dumps(value) for value in field["enum"])
    kind = field.get("type", "any")
    words = kind if isinstance(kind, str) else " or ".join(kind)
    limits = [f"{limit} {field[limit]}" for limit in ("minimum", "maximum", "pattern") if limit in field]
    return ", ".join([words, *limits])


def constants() -> Iterator[str]:
    """Yield the table of constants of public code, from the claims that are about them."""
    from verify.reporting.public_constants import rows

    yield from (
        "| code | constant | theirs | ours | who is right | at | claim |",
        "|---|---|---|---|---|---|---|",
    )
    yield from ("| " + " | ".join(map(_cell, row)) + " |" for row in rows())


def planner() -> Iterator[str]:
    """Yield what the planner chose, and what was fastest when it was measured."""
    from verify.planning.judged import page

    yield from page(_MEASURED.read_text(encoding="utf-8").splitlines())


_PARTS = {"commands": commands, "constants": constants, "planner": planner, "records": records}


def fill(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Put the generated part where a page asks for it, `<!-- generated: NAME -->`."""
    for name, lines in _PARTS.items():
        mark = f"<!-- generated: {name} -->"
        if mark in source[0]:
            source[0] = source[0].replace(mark, "\n".join(lines()))


def setup(app: Sphinx) -> dict[str, bool]:
    """Fill pages as they are read."""
    app.connect("source-read", fill)
    return {"parallel_read_safe": True}
