"""A claim of the new form with two formulas, and ways to judge checks of it."""

from types import SimpleNamespace

import pytest
from sympy import Symbol

from theory.claim import Claim, Part, Relation
from theory.paper import Paper
from verify import binding
from verify.authoring import checks_of, eq
from verify.authoring import judge as judge_module
from verify.binding import Unit
from verify.judging.judgement import judge_unit
from verify.judging.verdicts import judge_claim
from verify.records import sources

FAKE = Paper("fake", "A Paper", ("Ada Lovelace",), 2021, "2101.00001", "Venue")
x, y = Symbol("x", real=True), Symbol("y", real=True)
FORMULAS = {"bound": x**2 + y / 4, "other": 3 * x}


@pytest.fixture
def make_claim():
    """Return a claim whose parts are (label, says, evidence)."""

    def make(*parts, **changes):
        parts = parts or (("a", (), ("exact/square",)),)
        said = {name for _, says, _ in parts for name in says}
        return Claim(
            **{
                "id": "fake/new",
                "kind": "upper",
                "provenance": "derived",
                "title": "New",
                "position": 1,
                "paper": FAKE,
                "setting": "",
                "parts": tuple(Part(label, "text", says, evidence) for label, says, evidence in parts),
                "relations": {name: Relation((x, x + 1), ("<=",)) for name in sorted(said)},
                "formulas": FORMULAS,
                **changes,
            }
        )

    return make


@pytest.fixture
def bench(monkeypatch, make_claim):
    """Return a judge with implementations `square` and `double`, and what judges its checks."""
    claim = make_claim()
    judge = checks_of("fake/new", square=lambda value: value * value, double=lambda value: 2 * value)
    monkeypatch.setattr(judge_module, "formulas_of", lambda claim_id: claim.formulas)
    monkeypatch.setattr(binding, "_checks_module", lambda claim_id: SimpleNamespace(judge=judge))
    monkeypatch.setattr(binding, "_derivation", lambda claim: ())
    monkeypatch.setattr(sources, "source_sha256", lambda claim_id: "0" * 64)

    def records(profile="quick", seed=7):
        return [judge_unit(Unit(claim, check), profile, seed) for check in judge.checks()]

    def record(profile="quick"):
        (found,) = records(profile)
        return found

    def result(*parts, profile="quick", found=None, pins=None, conditions=None, **changes):
        made = make_claim(*parts, **changes)
        found = records(profile) if found is None else found
        return judge_claim(made, found, profile, problems=[], pins=pins, conditions=conditions)

    def square_check(**changes):
        @judge.exact(x=[1, 2, 3], y=4, **changes)
        def against_the_formula(law, x, y):
            yield eq("square", law.square(x) + 1, law.exactly("bound", x=x, y=y), headline=True)

    return SimpleNamespace(
        judge=judge, claim=claim, records=records, record=record, result=result, square_check=square_check
    )
