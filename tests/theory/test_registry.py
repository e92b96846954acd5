import os
import subprocess
import sys

import pytest

import theory

SLICE = (
    "squant/var",
    "squant/bounds",
    "squant/sup",
    "squant/sparse",
    "squant/steps",
    "squant/bits",
    "squant/range",
    "squant/dcgd",
)


def test_paper_is_found_with_its_entry():
    (paper,) = [paper for paper in theory.papers() if paper.name == "squant"]
    assert paper.arxiv == "2106.03524"
    assert paper.bibtex_key == "wang2022squant"
    assert "eprint = {2106.03524}" in paper.bibtex()


def test_claims_come_in_the_order_of_the_paper():
    found = [claim.id for claim in theory.claims("squant/*")]
    assert [id for id in found if id in SLICE] == list(SLICE)


@pytest.mark.parametrize("id", SLICE)
def test_claim_is_found_by_id(id):
    assert theory.claim(id).id == id
    assert theory.claims(id) == (theory.claim(id),)


@pytest.mark.parametrize("lookup", [theory.claim, theory.claims])
def test_unknown_id_lists_near_ones(lookup):
    with pytest.raises(KeyError, match=r"unknown claim 'squant/vars'; did you mean .*squant/var"):
        lookup("squant/vars")


def test_import_of_theory_does_not_import_sympy():
    # The command line imports theory before it knows whether a claim is needed.
    code = "import sys, theory; raise SystemExit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(("given", "kept"), [(None, "50000"), ("7", "7")])
def test_sympy_keeps_more_formulas_unless_the_user_says_otherwise(given, kept):
    environment = {name: value for name, value in os.environ.items() if name != "SYMPY_CACHE_SIZE"}
    environment |= {"SYMPY_CACHE_SIZE": given} if given else {}
    code = "import theory; theory.claim('squant/var'); import sympy; print(sympy.core.cache.SYMPY_CACHE_SIZE)"
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert found.stdout.strip() == kept, found.stderr
