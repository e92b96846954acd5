"""The claim on coded sizes is judged with the library and without it."""

import sys

import numpy as np
import pytest

import theory
from verify.binding import checks_of
from verify.context import Context
from verify.ndqsg import coded_size
from verify.ndqsg.coding_rule import RULES, STATED
from verify.rungs import judge

CLAIM = theory.claim("ndqsg/coded-size")


def streams():
    (check,) = [check for check in checks_of(CLAIM) if check.rung == "run"]
    return check


def judged(case):
    return judge("run", case, Context(CLAIM.id, "run", "streams"))


def test_without_the_library_streams_go_through_the_literal_coder(monkeypatch):
    monkeypatch.setitem(sys.modules, "constriction", None)
    check = streams()
    assert check.parameters["range coder"] == "literal"
    found = judged(check.base)
    assert found.verdict == "consistent"
    assert all(judged(case).rejects for case in check.mutants.values())


@pytest.mark.parametrize("error", [ImportError, OSError, AttributeError])
def test_a_broken_library_is_no_library(monkeypatch, tmp_path, error):
    (tmp_path / "constriction.py").write_text(f"raise {error.__name__}('undefined symbol')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "constriction", raising=False)
    assert coded_size.range_coder() == "literal"
    assert judged(streams().base).verdict == "consistent"


def test_with_the_library_streams_go_through_it(monkeypatch):
    pytest.importorskip("constriction")
    assert streams().parameters["range coder"] == "constriction"
    with_library = judged(streams().base).samples
    monkeypatch.setitem(sys.modules, "constriction", None)
    # Two comparisons more for each of 8 messages: its bytes, and the digits that come back.
    assert with_library == judged(streams().base).samples + 2 * 8


def test_a_library_that_writes_other_bytes_is_noticed(monkeypatch):
    pytest.importorskip("constriction")

    honest = coded_size.RangeCoder

    class Other(honest):
        def encode(self, digits):
            return super().encode(np.asarray(digits)[::-1])

        def decode(self, data, count):
            return honest(self.alphabet).decode(data, count)[::-1]

    monkeypatch.setattr(coded_size, "RangeCoder", Other)
    assert "literal code" in judged(streams().base).reason


def test_every_mutant_of_the_claim_is_a_rule_with_one_fault():
    assert set(RULES) == {mutant.name for mutant in CLAIM.mutants}
    for rule in RULES.values():
        changed = [name for name in vars(rule) if getattr(rule, name) != getattr(STATED, name)]
        assert len(changed) == 1


def test_mutants_are_seen_by_the_comparison_meant_for_them():
    def fails(items):
        return {item.label.split(":")[0].split(",")[0] for item in items if item.excess > 0}

    assert fails(coded_size.compare_short(RULES["half-ending"])) == {
        "range coder",
        "fixed chances",
        "adaptive coder",
    }
    assert fails(coded_size.compare_codes(RULES["no-ending"])) >= {
        "range coder",
        "fixed chances",
        "adaptive coder",
    }
    assert not fails(coded_size.compare_codes(STATED))
