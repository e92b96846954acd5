"""Examples in docstrings (`>>>`) give what they say."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = [
    ".".join(file.relative_to(ROOT).with_suffix("").parts)
    for package in ("theory", "impl", "verify")
    for file in sorted((ROOT / package).rglob("*.py"))
    if re.search(r"^ +>>> ", file.read_text("utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("module", MODULES)
def test_examples_give_what_they_say(module):
    found = doctest.testmod(importlib.import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 0
    assert found.failed == 0
