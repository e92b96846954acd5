import dataclasses

import pytest
from sympy import Indexed, IndexedBase, latex

import theory
from theory.old_form import Claim, ImplicitValue, Mutant
from theory.old_steps import StandardFact
from verify.evaluation import names

CLAIMS = [theory.claim(entry.id) for entry in theory.entries("*") if entry.form == "old"]
IDS = [claim.id for claim in CLAIMS]


def formulas_of(claim: Claim):
    named = [("bound", claim.bound), ("exact", claim.exact), *claim.formulas.items()]
    for name, formula in named:
        if isinstance(formula, ImplicitValue):
            yield f"{name}.expression", formula.expression
            yield f"{name}.equation", formula.equation
        elif formula is not None:
            yield name, formula


@pytest.mark.parametrize("claim", CLAIMS, ids=IDS)
def test_claim_is_complete(claim):
    assert all((claim.title, claim.statement, claim.variables, claim.assumptions))
    assert claim.bound is not None or claim.exact is not None
    assert claim.worst_cases
    assert any(mutant.neutral for mutant in claim.mutants)
    assert any(not mutant.neutral for mutant in claim.mutants)


@pytest.mark.parametrize("claim", CLAIMS, ids=IDS)
def test_texts_are_balanced_latex(claim):
    # LaTeX that does not balance would break the pages and the citation of every claim.
    steps = [step.statement for step in claim.derivation]
    notes = [case.description for case in claim.worst_cases]
    mutants = [mutant.description for mutant in claim.mutants]
    variables = [f"${variable.domain}$ {variable.meaning}" for variable in claim.variables]
    for text in (claim.statement, *claim.assumptions, *steps, *notes, *mutants, *variables):
        assert text.count("$") % 2 == 0, text
        bare = text.replace(r"\{", "").replace(r"\}", "")
        assert bare.count("{") == bare.count("}"), text
        assert bare.count(r"\left") == bare.count(r"\right"), text
        assert "  " not in text, text


@pytest.mark.parametrize("claim", CLAIMS, ids=IDS)
def test_formulas_use_declared_variables_and_print(claim):
    declared = {str(variable.symbol) for variable in claim.variables}
    for name, formula in formulas_of(claim):
        assert latex(formula)
        for argument in names(formula):
            # Beside the variables only an index may be free, in a formula of one coordinate or block.
            assert argument in declared | {"i", "j"}, (claim.id, name, argument)


@pytest.mark.parametrize("claim", CLAIMS, ids=IDS)
def test_vectors_declare_their_shape(claim):
    for variable in claim.variables:
        assert bool(variable.shape) == isinstance(variable.symbol, IndexedBase | Indexed), variable


@pytest.mark.parametrize("claim", CLAIMS, ids=IDS)
def test_step_names_are_unique_and_something_is_discharged(claim):
    found = [step.name for step in claim.derivation]
    assert len(set(found)) == len(found)
    assert any(not isinstance(step, StandardFact) for step in claim.derivation)


@pytest.mark.parametrize("claim", CLAIMS, ids=IDS)
def test_module_says_what_it_states_and_where_it_is_from(claim):
    import importlib

    module = importlib.import_module(theory.entry(claim.id).module)
    assert f"`{claim.id}`" in module.__doc__
    assert claim.paper.arxiv in module.__doc__
    assert "Derivation:" in module.__doc__


def test_claim_collects_all_problems():
    claim = next(theory.claim(item.id) for item in theory.entries() if item.form == "old")
    twice = Mutant("twice", "", ("exact",))
    with pytest.raises(ValueError, match="not well formed") as caught:
        dataclasses.replace(
            claim,
            id="other/var",
            kind="guess",
            mutants=(twice, twice, Mutant("blind", "", ("eyes",))),
        )
    for part in ("must start with", "kind='guess'", "'twice' is used twice", "mutant 'blind'"):
        assert part in str(caught.value)
