"""The small validator agrees with the library on good records and on spoiled ones."""

import functools
import json
from pathlib import Path

import pytest

from verify.records import folder as records
from verify.records.schema import schema_problems

SCHEMA = json.loads(Path(records.__file__).with_name("record.schema.json").read_text(encoding="utf-8"))
VALUES = (None, True, 0, 1, -1, 0.5, 2.0, "", "holds", "0" * 64, "exact", [], [1], {}, {"a": 1}, [{}], [None])


@functools.cache
def library():
    """Return the validator of the library; its import takes seconds, which every worker would spend."""
    from jsonschema import Draft202012Validator

    return Draft202012Validator(SCHEMA)


def agree(document):
    mine, theirs = list(schema_problems(document, SCHEMA)), list(library().iter_errors(document))
    assert bool(mine) == bool(theirs), (mine, theirs)


def test_every_field_with_every_value(make_record):
    record = make_record()
    agree(record)
    for name in [*record, "brand-new"]:
        for value in VALUES:
            agree({**record, name: value})
        agree({key: item for key, item in record.items() if key != name})


def test_every_field_of_a_mutant_with_every_value(make_record, make_mutant_entry):
    mutant = make_mutant_entry("wrong")
    for name in [*mutant, "brand-new"]:
        for value in VALUES:
            agree(make_record(mutants=[{**mutant, name: value}]))
        agree(make_record(mutants=[{key: item for key, item in mutant.items() if key != name}]))


def test_a_keyword_that_is_not_known_is_refused():
    with pytest.raises(ValueError, match="oneOf"):
        list(schema_problems(1, {"oneOf": []}))


def test_the_place_is_told(make_record, make_mutant_entry):
    spoiled = make_record(mutants=[make_mutant_entry("wrong") | {"rejected": "yes"}])
    assert [place for place, _ in schema_problems(spoiled, SCHEMA)] == ["mutants/0/rejected"]


@pytest.mark.parametrize("paper", ["ef21", "cq_marina", "a1_b2"])
def test_every_name_of_a_paper_that_can_be_written_fits(make_record, paper):
    """`boundcheck new paper` takes small letters, digits and underscores."""
    agree(make_record() | {"claim": f"{paper}/quarter-2", "paper": paper})
    assert not list(schema_problems(f"{paper}/quarter-2", SCHEMA["properties"]["claim"]))
    assert not list(schema_problems(paper, SCHEMA["properties"]["paper"]))
    assert list(schema_problems("21ef", SCHEMA["properties"]["paper"]))
