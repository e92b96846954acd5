"""What a proof proves is told by the formulas alone."""

from dataclasses import replace

import pytest

import theory
from verify.statements.proved_formulas import proved_formulas


def test_words_and_pins_of_a_part_are_left_out(samples):
    formulas = proved_formulas(samples["var"])
    exact = r"$\mathbb E\|Q(x)-x\|_{\mathbf L}^2=\sum_j\mathbf L_{jj}h_j^2\,p_j(1-p_j)$"
    assert formulas["a"] == {"variance": (exact,)}
    assert formulas["b"].keys() == {"quarter"}
    assert (
        formulas["b"]["quarter"][-1] == r"$\mathbb E\|Q(x)-x\|_{\mathbf L}^2\le\frac14\sum_{j=1}^dL_jh_j^2$"
    )
    assert not any("attained" in formula for formula in formulas["b"]["quarter"])


def test_a_part_without_proof_has_none(samples):
    claim = samples["var"]
    (part, *rest) = claim.parts
    assert "a" not in proved_formulas(
        replace(claim, parts=(replace(part, evidence=("exact/halves",)), *rest))
    )


@pytest.mark.parametrize(
    ("id", "label", "formula"),
    [
        # The reader leaves out the size of a first bracket, and the end of a last group.
        ("ndqsg/quad-adaptive", "g", r"$\Big((1-h)^2+\frac{h^2}{12M^2P}\Big)^2<\varphi$"),
        ("squant/finding-blocks-add-nothing", "a", r"$c_{\rm plus}\le\sqrt{d\nu_{\rm tr}}L_{\max}$"),
        # A relation that holds for some indices only has its range.
        ("cat/greedy-not-optimal", "a", r"$\frac T{T+1}\le\frac34$ for $T\le3$"),
    ],
)
def test_outer_brackets_stay_whole(id, label, formula):
    assert (formula,) in proved_formulas(theory.claim(id))[label].values()


def test_proved_parts_of_the_papers_have_formulas_that_latex_can_set():
    for entry in theory.entries()[::12]:
        claim = theory.claim(entry.id)
        said = {part.label: set(part.says) for part in claim.parts}
        for label, relations in proved_formulas(claim).items():
            assert relations.keys() == said[label], (entry.id, label)
            for formula in (formula for formulas in relations.values() for formula in formulas):
                assert formula.count("{") == formula.count("}"), (entry.id, label, formula)
                assert formula.count(r"\left") == formula.count(r"\right"), (entry.id, label, formula)
                assert "{value:" not in formula, (entry.id, label, formula)
