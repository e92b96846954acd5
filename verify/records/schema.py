"""The part of JSON Schema that the schema of records uses; the library takes a second to load."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

KEYWORDS = frozenset(
    [
        "$schema",
        "title",
        "type",
        "enum",
        "const",
        "pattern",
        "minimum",
        "maximum",
        "required",
        "properties",
        "additionalProperties",
        "items",
    ]
)

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "number": (int, float),
    "integer": (int,),
}


def schema_problems(
    value: Any, schema: Mapping[str, Any], path: tuple[str, ...] = ()
) -> Iterator[tuple[str, str]]:
    """Yield place and message of each thing in which a JSON value does not fit a schema.

    Raises:
        ValueError: The schema uses a keyword that is not known here.
    """
    unknown = schema.keys() - KEYWORDS
    if unknown:
        raise ValueError(f"keywords of JSON Schema that are not known: {', '.join(sorted(unknown))}")
    place = "/".join(path)
    allowed = schema.get("type", list(_TYPES))
    names = [allowed] if isinstance(allowed, str) else allowed
    if not any(_is(value, name) for name in names):
        yield place, f"{value!r} is not of type {', '.join(names)}"
        return
    if "enum" in schema and not any(_same(value, item) for item in schema["enum"]):
        yield place, f"{value!r} is not one of {schema['enum']!r}"
    if "const" in schema and not _same(value, schema["const"]):
        yield place, f"{schema['const']!r} was expected, not {value!r}"
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        yield place, f"{value!r} does not match {schema['pattern']!r}"
    if _is(value, "number") and value < schema.get("minimum", value):
        yield place, f"{value!r} is less than the minimum of {schema['minimum']!r}"
    if _is(value, "number") and value > schema.get("maximum", value):
        yield place, f"{value!r} is greater than the maximum of {schema['maximum']!r}"
    if isinstance(value, dict):
        yield from _object_problems(value, schema, path)
    if isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            yield from schema_problems(item, schema["items"], (*path, str(number)))


def _object_problems(
    value: dict[str, Any], schema: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    place = "/".join(path)
    for name in schema.get("required", ()):
        if name not in value:
            yield place, f"{name!r} is a required property"
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for name, item in value.items():
        if name in properties:
            yield from schema_problems(item, properties[name], (*path, name))
        elif others is False:
            yield place, f"{name!r} was unexpected"
        elif isinstance(others, Mapping):
            yield from schema_problems(item, others, (*path, name))


def _is(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[name])


def _same(value: Any, other: Any) -> bool:
    """Return whether two JSON values are equal; true is not 1."""
    return isinstance(value, bool) == isinstance(other, bool) and bool(value == other)
