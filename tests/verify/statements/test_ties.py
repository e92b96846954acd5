"""Texts that differ from formulas are found, and authors are told how."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from sympy import IndexedBase, Integral, Piecewise, Rational, Sum, Symbol, sqrt

from theory.claim import Hypothesis, Part, Relation
from theory.formula import eq, le
from theory.latex.nodes import from_sympy
from verify.statements import check, hashes, render
from verify.statements.comparing import digits, values
from verify.statements.comparing.equality import Side, Sides
from verify.statements.comparing.long_sums import some
from verify.statements.refusals.restated import restated as restated_by
from verify.statements.said import told


def edited(claim, old, new):
    parts = tuple(replace(part, text=part.text.replace(old, new)) for part in claim.parts)
    assert parts != claim.parts
    return replace(claim, parts=parts)


def problems(claim):
    """Return the problems of a claim whose words were pinned as they are."""
    return [str(problem) for problem in check(claim, hashes(claim))]


def test_samples_are_tied(sample):
    assert problems(sample) == []


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("var", "(1-p_j)", "(1+p_j)"),
        ("var", r"\sum_j\mathbf", r"\sum_i\mathbf"),
        ("var", r"\frac14\sum_{j=1}^d", r"\frac14\sum_{j=2}^d"),
        ("bounds", "d/(4s^2)", "d/(2s^2)"),
        ("bounds", r"^{1/2}", r"^{1/3}"),
        ("bounds", r"\max_{1\le l\le B}\min", r"\min_{1\le l\le B}\min"),
        ("steps", r"\le c_{\rm plus}", r"\ge c_{\rm plus}"),
        ("steps", r"c_{\rm vary}", r"c_{\rm std}"),
        ("steps", r"h\sqrt d\ge2", r"h\sqrt d\ge3"),
        ("steps", r"d\ge3", r"d>3"),
        ("dcgd", r"{\mu n}", r"{\mu n^2}"),
        ("dcgd", r"(1-\gamma\mu)^k", r"(1-\gamma\mu)^n"),
        ("dcgd", r"\in[0,1]", r"\in[0,1)"),
        ("dcgd", r"x^{k+1}", r"x^{k+2}"),
    ],
)
def test_planted_mathematics_is_found_though_pinned(samples, name, old, new):
    assert problems(edited(samples[name], old, new))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("var", "every", "some"), ("var", "at most", "at least"), ("bounds", "most levels", "fewest levels")],
)
def test_edited_words_are_found(samples, name, old, new):
    claim = samples[name]
    found = [str(problem) for problem in check(edited(claim, old, new), hashes(claim))]
    assert any(f"boundcheck pin {claim.id}" in problem for problem in found)


def test_message_shows_reading_and_nearest_relation(samples):
    (found,) = [x for x in problems(edited(samples["bounds"], "4s^2", "2s^2")) if "read as" in x]
    assert r"‘\omega\le\min\{\sqrt d/s,\,d/(2s^2)\}’" in found
    assert "read as omega <= Min(sqrt(d)/s, d/(2*s**2))" in found
    assert "nearest is relation standard" in found
    assert r"\min\left(\frac{\sqrt{d}}{s}, \frac{d}{4 s^{2}}\right)" in found


def test_relation_must_be_said(samples):
    claim = samples["bounds"]
    part = replace(claim.parts[1], says=("standard", "bound"))
    found = problems(replace(claim, parts=(claim.parts[0], part, claim.parts[2])))
    assert any("does not say its relation 'bound'" in x for x in found)


def test_relation_of_another_part_must_be_named(samples):
    claim = samples["steps"]
    part = replace(claim.parts[0], says=("budget",))
    other = replace(claim.parts[1], says=("chain", "value"))
    found = problems(replace(claim, parts=(part, other, claim.parts[2])))
    assert any("it says the relation 'value': name it in `says`" in x for x in found)


def test_formula_must_be_said(samples):
    claim = samples["bounds"]
    d = Symbol("d", real=True)
    found = problems(replace(claim, formulas={**claim.formulas, "new": d**2 + 1}))
    assert any("no relation contains the formula 'new'" in x for x in found)
    assert problems(replace(claim, formulas={**claim.formulas, "new": d**2 + 1}, internal={"new": "a"})) == []
    # A constant inside of a side says nothing: 1/4 alone is no formula of the quarter bound.
    assert problems(replace(samples["var"], formulas={**samples["var"].formulas, "new": Rational(1, 4)}))


def test_condition_of_a_relation_must_be_said(samples):
    found = problems(edited(samples["steps"], r"If $d\ge3$, then ", ""))
    assert any("holds under 'wide'" in x for x in found)


def test_numbers_in_words_are_slots(samples):
    found = problems(
        edited(samples["bounds"], "For one block", "For one block of 16 entries, as in `squant/2`")
    )
    assert [x for x in found if "‘16’: a number in words is a value slot" in x]
    assert not any("‘2’" in x for x in found)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{value:ratio}", "{value:rato}", "no value 'rato'"),
        (
            "For one block",
            r"For $h\propto L$ and one block",
            r"\\propto is in no formula: make the sentence a pin",
        ),
        ("For one block", r"For $B=1$", "no relation that this part says and no hypothesis"),
        ("For one block", r"For $\sqrt d/s$", "no side of a relation"),
        ("and the most levels", "and most levels", "this pin is not in the text"),
        ("For one block", r"For $x\in\mathbb R^d$", "domain|vocabulary"),
    ],
)
def test_refused(samples, old, new, message):
    import re

    assert any(re.search(message, x) for x in problems(edited(samples["bounds"], old, new)))


def test_a_printed_value_is_the_formula_of_its_name(samples):
    claim = samples["bounds"]
    (name,) = [name for name in claim.values if name == "ratio"]
    same = replace(claim, formulas={**claim.formulas, name: claim.values[name]})
    other = replace(claim, formulas={**claim.formulas, name: claim.values[name] + 1})
    assert not any("is not the formula" in x for x in problems(same))
    assert any("is not the formula" in x for x in problems(other))


def test_render_fills_slots(samples):
    text = render(samples["bounds"])
    assert "at $d=16$ and the most levels it is 37/38 of the coarse branch, about 0.974." in text
    assert "{value" not in text
    assert r"(b) " in text


def test_cases_of_a_formula_are_said_one_by_one(samples):
    claim = samples["steps"]
    d, step = Symbol("d", real=True), Symbol("step", real=True)
    coarse, fine = step * sqrt(d) - 1, d * step**2 / 4
    both = Piecewise((coarse, step * sqrt(d) >= 2), (fine, True))
    assert problems(replace(claim, formulas={**claim.formulas, "both": both})) == []
    both = Piecewise((coarse - 5, step * sqrt(d) >= 2), (fine, True))
    assert problems(replace(claim, formulas={**claim.formulas, "both": both}))


def test_what_no_statement_can_say_is_a_problem_not_a_crash(samples):
    claim = samples["var"]
    d = Symbol("d", real=True)
    new = replace(claim, relations={**claim.relations, "quarter": Relation((d, Integral(d, d)), ("=",))})
    assert hashes(new) == {}
    (found,) = check(new)
    assert "a statement cannot say Integral" in found.message


def test_render_leaves_a_wrong_slot(samples):
    assert "{value:rato}" in render(edited(samples["bounds"], "{value:ratio}", "{value:rato}"))


def test_a_slot_that_would_print_zero_is_refused(samples):
    claim = samples["bounds"]
    small = replace(claim, values={**claim.values, "ratio": Rational(4, 10**4)})
    (found,) = [item for item in problems(small) if "as zero" in item]
    assert "{value:ratio,3}: 0.0004" in found
    assert "give more decimals or another unit" in found
    longer = edited(small, "{value:ratio,3}", "{value:ratio,4}")
    assert not any("as zero" in item for item in problems(longer))


def test_slots_are_exact_in_relations(samples):
    claim = samples["bounds"]
    d, omega = (Symbol(name, real=True) for name in ("d", "omega"))
    relation = Relation((omega, Rational(37, 38) * d), ("<=",))
    parts = (
        *claim.parts,
        replace(claim.parts[0], label="d", text=r"$\omega\le{value:ratio}\,d$.", says=("new",)),
    )
    new = replace(claim, parts=parts, relations={**claim.relations, "new": relation})
    assert problems(new) == []
    assert problems(replace(new, values={**claim.values, "ratio": Rational(36, 38)}))


def test_words_of_hypotheses_are_tied(samples):
    claim = samples["dcgd"]
    hypothesis = claim.hypotheses["step"]
    wrong = replace(hypothesis, words=hypothesis.words.replace("2", "3"))
    assert problems(replace(claim, hypotheses={**claim.hypotheses, "step": wrong}))
    gamma = Symbol("gamma", real=True)
    loose = Hypothesis("parameter", le(gamma, 1), hypothesis.words)
    assert problems(replace(claim, hypotheses={**claim.hypotheses, "step": loose}))


def test_changed_formula_needs_new_pins(samples):
    claim = samples["var"]
    before = hashes(claim)
    part = replace(claim.parts[1], pins={r"\text{attained at }p_j=\tfrac12": "exact/other"})
    found = check(replace(claim, parts=(claim.parts[0], part)), before)
    assert [problem.part for problem in found] == ["b"]


def test_a_name_has_one_definition_under_a_relation(samples):
    claim = samples["dcgd"]
    (noise,) = claim.hypotheses["noise"].formulas
    again = Hypothesis("definition", eq(noise.left, noise.right / 2), "another noise")
    more = {**claim.hypotheses, "again": again}
    assert any("is defined by 'noise', too" in x for x in problems(replace(claim, hypotheses=more)))
    # Two relations may name it by two cases, and the same name at other places of an array is another one.
    names = list(claim.relations)
    apart = {
        name: replace(item, under=(*item.under, "again" if name == names[0] else "noise"))
        for name, item in claim.relations.items()
    }
    assert not any("too; define" in x for x in problems(replace(claim, hypotheses=more, relations=apart)))


def test_a_proved_relation_may_not_be_a_model_hypothesis_with_its_terms_moved():
    v, w = Symbol("v", real=True), Symbol("w", real=True)
    claim = SimpleNamespace(
        hypotheses={"given": Hypothesis("model", le(20 * v, 2 * w + 4), "words")},
        relations={"main": Relation((v, (w + 2) / 10), ("<=",))},
        parts=(Part("a", "", says=("main",), evidence=("proof",)),),
    )
    assert "with terms moved or multiplied" in restated_by(claim)[0]
    claim.parts = (Part("a", "", says=("main",), evidence=("exact/it",)),)
    assert restated_by(claim) == []
    claim.parts, claim.hypotheses = (
        (Part("a", "", says=("main",), evidence=("proof",)),),
        {"given": Hypothesis("definition", le(20 * v, 2 * w + 4), "words")},
    )
    assert restated_by(claim) == []


def test_a_relation_that_is_a_hypothesis_proves_nothing(samples):
    claim = samples["dcgd"]
    name, relation = next(iter(claim.relations.items()))
    assert not any("as it stands" in x or "both sides" in x for x in problems(claim))
    given = Hypothesis("definition", relation.formulas[0], "as the part says")
    restated = replace(claim, hypotheses={**claim.hypotheses, "given": given})
    assert any(f"relation {name!r} is hypothesis 'given' as it stands" in x for x in problems(restated))
    first, *rest = claim.parts
    parts = (replace(first, says=(*first.says, "other")), *rest)
    more = {**claim.relations, "other": replace(relation, under=("given",))}
    elsewhere = replace(restated, relations=more, parts=parts)  # then `given` is for the other one only
    assert not any(f"relation {name!r} is hypothesis" in x for x in problems(elsewhere))


def test_a_relation_between_a_thing_and_itself_says_nothing(samples):
    claim = samples["dcgd"]
    left = next(iter(claim.relations.values())).sides[0]
    first, *rest = claim.parts
    parts = (replace(first, says=(*first.says, "empty")), *rest)
    more = {**claim.relations, "empty": Relation((left, left), ("=",))}
    empty = replace(claim, relations=more, parts=parts)
    assert any("both sides of relation 'empty'" in x for x in problems(empty))


def test_what_a_pin_would_mend_is_told_in_one_line_behind_the_rest(samples):
    claim = edited(samples["var"], "(1-p_j)", "(1+p_j)")
    *others, last = told(check(claim, {}))
    assert last.startswith(f"{claim.id}: not pinned, or not as it is now (title, symbols and texts, ")
    assert last.endswith(
        f"mend what stands above, read the text against the evidence, then run `boundcheck pin {claim.id}`"
    )
    assert others
    assert not any("boundcheck pin" in line for line in others)


def test_one_thing_that_a_pin_would_mend_is_told_as_it_is(samples):
    claim = replace(samples["var"], title="Another title")
    found = check(claim, hashes(samples["var"]))
    assert told(found) == [str(item) for item in found]


def test_evidence_cannot_move_to_another_label(samples):
    claim = samples["var"]
    part = replace(claim.parts[1], evidence=("exact/other",))
    found = check(replace(claim, parts=(claim.parts[0], part)), hashes(claim))
    assert [problem.part for problem in found] == ["b"]


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "Another title"},
        {"kind": "lower"},
        {"provenance": "derived"},
        {"measured": True},
        {"notation": {"Q": "another map"}},
    ],
)
def test_what_a_reader_is_told_beside_the_parts_is_pinned(samples, changes):
    claim = samples["var"]
    lines = [str(problem) for problem in check(replace(claim, **changes), hashes(claim))]
    assert any(
        "title, kind, provenance, symbols, formulas, worst cases or its paper are not the pinned ones" in one
        for one in lines
    )


@pytest.mark.parametrize("name", ["domain", "meaning"])
def test_what_a_symbol_means_is_pinned(samples, name):
    claim = samples["var"]
    first, *others = claim.variables
    changed = replace(first, **{name: getattr(first, name) + "'"})
    found = check(replace(claim, variables=(changed, *others)), hashes(claim))
    assert any("symbols" in str(problem) for problem in found)


def test_the_kind_of_a_hypothesis_is_pinned(samples):
    claim = samples["dcgd"]
    name, item = next(iter(claim.hypotheses.items()))
    other = "model" if item.kind == "definition" else "definition"
    changed = replace(claim, hypotheses={**claim.hypotheses, name: replace(item, kind=other)})
    assert any(problem.part == f"hypothesis {name}" for problem in check(changed, hashes(claim)))


def test_the_value_of_a_slot_is_pinned(samples):
    claim = samples["bounds"]
    text, pins = claim.parts[0].text + " It is {value:times}.", {"It is": "exact/times"}
    part = replace(claim.parts[0], text=text, pins={**claim.parts[0].pins, **pins})
    three, five = (
        replace(claim, parts=(part, *claim.parts[1:]), values={**claim.values, "times": number})
        for number in (Rational(3), Rational(5))
    )
    assert not any("pinned" in str(problem) for problem in check(three, hashes(three)))
    assert [problem.part for problem in check(five, hashes(three))] == [part.label]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("var", r"\frac14\sum", r"\frac1{4\lceil d/1000\rceil}\sum"),
        ("bounds", "d/(4s^2)", r"d/(4s^2\lceil d/5000\rceil)"),
    ],
)
def test_a_formula_that_differs_beyond_all_usual_sizes_is_found(samples, name, old, new):
    assert problems(edited(samples[name], old, new))


def test_a_formula_written_in_another_way_is_read_again(samples):
    claim = edited(samples["bounds"], "d/(4s^2)", r"\frac{d}{4s^2}")
    assert problems(claim) == []
    told = [str(problem) for problem in check(claim, hashes(samples["bounds"]))]
    assert len(told) == 1
    assert "its texts are not written as the pinned ones" in told[0]


def test_a_part_that_is_taken_out_is_told(samples):
    claim = samples["bounds"]
    pins = {**hashes(claim), "z": "0" * 32}
    (told,) = [str(problem) for problem in check(claim, pins)]
    assert "z is pinned and not there any more" in told


def test_numbers_that_differ_in_the_fortieth_digit_do_not_agree():
    ten = digits.CONTEXT.mpf(10)
    assert digits.agree(ten, ten + ten**-45)
    assert not digits.agree(ten, ten + ten**-30)
    assert not digits.agree(ten**-20, 2 * ten**-20)


def test_sums_that_are_the_same_are_the_same_at_very_large_sizes():
    """Linear, quadratic and with a polynomial in the index: of a long sum only some terms are taken."""
    n, i = Symbol("n", real=True), Symbol("i", real=True)
    a = IndexedBase("a", real=True)
    whole = (i, 0, n - 1)
    mean = Sum(a[i], whole) / n
    pairs = [
        (Sum(a[i] + 1, whole), Sum(a[i], whole) + n),
        (Sum(a[i] + i, whole), Sum(a[i], whole) + n * (n - 1) / 2),
        (Sum((a[i] - mean.subs(i, Symbol("k", real=True))) ** 2, whole), Sum(a[i] ** 2, whole) - n * mean**2),
    ]
    sides = Sides(values.Kinds(integers=frozenset({"n"}), sizes=("n",)))
    for one, other in pairs:
        first, second = Side(from_sympy(one)), Side(from_sympy(other))
        assert sides.same(first, second), one
        assert not sides.same(first, Side(from_sympy(other + 1)))


@pytest.mark.parametrize("count", [62, 1000, 10**6 + 1])
def test_some_places_sum_polynomials_exactly(count):
    for power in range(8):
        exact = sum(place**power for place in range(count)) if count <= 1000 else None
        found = sum(weight * place**power for place, weight in some(count))
        assert exact is None or found == exact
    assert sum(weight for _, weight in some(count)) == count
