"""Changes to the source of the kernel, each with a false derivation that must notice it."""

from __future__ import annotations

from definedness_sabotages import DEFINEDNESS
from place_sabotages import PLACES
from source_changes import Sabotage, change, drop

FORMS = {
    "powers shifted down": change(
        "normal.forms:exponent_parts",
        "max(0, shift.numerator // shift.denominator)",
        "shift.numerator // shift.denominator",
        "power_shifted_down",
    ),
    "dependent sums exchanged": change(
        "normal.sums:_opened",
        "and not any(last.free & indices for _, last in a.key[1])",
        "",
        "exchange_of_dependent_sums",
        "transposition_of_dependent_sums",
    ),
    "sign of a renamed sum lost": change(
        "normal.sums:_canonical",
        "multiplied(constant(sign), total)",
        "total",
        "opposite_of_a_sum_of_quotients",
    ),
    "sign of an opened sum lost": change(
        "normal.sums:_opened", "sign * turned", "sign", "opposite_of_a_sum_in_another_one"
    ),
    "sign of a random sum lost": drop(
        "normal.means:_open", "factors.append(num(sign))", "opposite_of_a_random_sum"
    ),
    "delta between any ranges": change(
        "normal.sums:_without_delta",
        "and ranges[first] == ranges[second]",
        "",
        "delta_between_ranges_of_two_lengths",
    ),
    "divisors on a diagonal": change(
        "normal.sums:_without_delta",
        "if _needed_without(joined, first) <= _needed_without(body, first, second):",
        "if True:",
        "divisor_hidden_on_a_diagonal",
        "divisor_hidden_in_roots_on_a_diagonal",
        "power_hidden_on_a_diagonal",
        "divisor_hidden_on_the_diagonal_of_a_second_moment",
    ),
    "variance between any places": change(
        "normal.means:_moment",
        "mul(*same, at(variance, first))",
        "at(variance, first)",
        "correlated_at_two_places",
        "variance_of_a_sum_is_n_squared_times_one",
    ),
    "capture of a name": change(
        "node:_bound_index",
        'if ("name", index) not in inserted:',
        "if True:",
        "capture_by_instantiation_of_a_name",
    ),
    "capture of a family": change(
        "node:_inserted",
        "for parameters, body in families.values():",
        "for parameters, body in ():",
        "capture_by_instantiation_of_a_family",
    ),
    "two symbols of one name": drop(
        "bridge:term", "_refuse_namesakes(expression)", "two_symbols_with_one_name"
    ),
    "numbers of any kind": change(
        "node:num",
        "if not type(made.numerator) is type(made.denominator) is int:",
        "if False:",
        "number_that_is_nothing",
    ),
    "names of any kind where terms are put in": change(
        "rules:Rules.instantiate",
        "names[key_of(key)]",
        "names[key.name]",
        "name_that_is_put_in_for_the_conclusion_alone",
    ),
    "relations of any kind": change(
        "kernel:Kernel.links",
        "type(relation) is not str or ",
        "",
        "relation_that_is_another_one_when_it_is_kept",
    ),
    "names of any kind": change(
        "bridge:_checked",
        "if type(written) is not str or not _NAME.match(written):",
        "if False:",
        "internal_name_of_a_bound_index",
        "internal_name_after_renaming",
    ),
    "a law with one index twice": change(
        "bridge:_term", "len(set(indices)) < len(indices) or", "", "law_with_one_index_twice"
    ),
}

SIGNS = {
    "squares are positive": change(
        "inequalities.signs:Signs._by_structure",
        "if strict or exponent < 0 else NONE",
        "if exponent < 0 else NONE",
        "square_is_positive",
    ),
    "roots are positive": change(
        "inequalities.form_signs:FormSigns._atom",
        'if kind == "root" and not strict:',
        'if kind == "root":',
        "root_is_positive",
    ),
    "floors are positive": change(
        "inequalities.form_signs:FormSigns._function",
        "added(arguments[0], constant(-1)) if strict else arguments[0]",
        "arguments[0]",
        "floor_is_positive",
    ),
    "sums are not empty": change(
        "inequalities.signs:Signs._sum_by_structure",
        "if strict else NONE",
        "if False else NONE",
        "strict_sign_of_a_sum_that_may_be_empty",
    ),
    "one name for two ranges": change(
        "inequalities.signs:Signs._fresh",
        "taken |= {other, ",
        "taken |= {",
        "shadowed_index_has_two_ranges",
        "shadowed_every_has_two_ranges",
    ),
    "inequalities turned round": change(
        "normal.keys:formula_key", "return (op, sign, form)", "return (op, form)", "order_turned_round"
    ),
    "two indices of an every are one": change(
        "inequalities.implication:implies",
        'name(f"@every{level}")',
        'name("@every")',
        "two_indices_of_an_every_exchanged",
    ),
}

RULES = {
    "facts lose their hypotheses": change(
        "rules:Rules._made",
        "own += [item for fact in used for item in fact.hypotheses]",
        "pass",
        "fact_known_under_a_hypothesis",
    ),
    "strict from weak": change(
        "rules:Rules.cert",
        'if aim.op == "lt" and not strict and value == 0:',
        "if False:",
        "strict_from_weak",
    ),
    "vanishing multipliers": Sabotage(
        "rules:Rules.cert",
        (
            ("and self._decider.decide(positive) is not None", ""),
            ("signs.append(positive)", 'signs.append(Node("le", ZERO, factor))'),
        ),
        ("strict_by_a_vanishing_multiplier",),
    ),
    "multipliers of any sign": Sabotage(
        "rules:Rules.cert",
        (("for item in signs:", "for item in ():"), ("[*signs, *needed]", "needed")),
        ("multiplier_of_unknown_sign", "negative_multiplier"),
    ),
    "a rest below zero": change(
        "rules:Rules.cert",
        "value is None or value < 0 or",
        "value is None or",
        "certificate_with_a_rest_below_zero",
    ),
    "equations from inequalities": change(
        "rules:Rules.cert",
        'if aim.op == "eq":\n            raise',
        "if False:\n            raise",
        "equation_from_an_inequality",
    ),
    "slacks of any sign": Sabotage(
        "rules:Rules._slack_of",
        (
            ("if self._decider.decide(item) is None:", "if False:"),
            ("needed += [item, *obligations(slack)]", "pass"),
        ),
        ("slack_as_a_bare_expression",),
    ),
    "identities of unequal terms": change(
        "rules:Rules.identity", "if not difference.is_zero:", "if False:", "wrong_constant_in_a_sum"
    ),
    "places of no integers": change(
        "rules:Rules._at",
        '[Node("int", spot), Node("le", low, spot)]',
        '[Node("le", low, spot)]',
        "place_that_is_no_integer",
    ),
    "places before the range": change(
        "rules:Rules._at", ', Node("le", low, spot)]', "]", "induction_with_a_place_from_one"
    ),
    "places after the range": drop(
        "rules:Rules._at",
        'needed.append(Node("le", spot, high))',
        "place_outside_of_the_range",
        "place_in_an_empty_range",
    ),
    "an index in its own range": change(
        "rules:Rules._span",
        "if any(",
        "if False and any(",
        "index_in_its_own_bounds",
        "index_in_its_own_range_of_every",
    ),
    "one index for all": change(
        "rules:Rules._closed",
        'found[Node("every", *span, item)] = None',
        "found[item] = None",
        "one_index_used_as_all",
        "one_index_added_up",
    ),
    "strict sums of no terms": drop(
        "rules:Rules._sum_over",
        'hypotheses.append(Node("le", span[1], span[2]))',
        "strict_sum_over_an_empty_range",
    ),
    "any base of an induction": change(
        "rules:Rules.induction",
        "if formula_key(first) != formula_key(base.conclusion):",
        "if False:",
        "induction_with_a_wrong_base",
    ),
    "any hypothesis of an induction": change(
        "rules:Rules.induction",
        "if formula_key(item) == wanted:",
        'if item.op == "le":',
        "induction_with_another_hypothesis",
    ),
    "steps of an induction lose their hypotheses": drop(
        "rules:Rules.induction",
        "hypotheses += self._closed([item], span)",
        "induction_with_a_step_from_one",
        "induction_with_a_step_for_small_indices",
    ),
    "cases with any conclusions": change(
        "rules:Rules.cases",
        "if formula_key(at_most_zero.conclusion) != formula_key(positive.conclusion):",
        "if False:",
        "cases_with_different_conclusions",
    ),
    "cases lose their hypotheses": change(
        "rules:Rules.cases",
        "[h for h in at_most_zero.hypotheses if not implies(below, h)]",
        "[]",
        "cases_that_leave_something_out",
        "cases_without_the_border",
    ),
    "proofs lose their hypotheses": drop(
        "rules:Rules.discharge", "gained += list(proof.hypotheses)", "discharge_in_a_circle"
    ),
    "powers of any sign": change(
        "analysis:Analysis.power",
        '[Node("le" if rises else "lt", ZERO, left)]',
        "[]",
        "power_of_an_inequality_of_unknown_sign",
    ),
    "rewriting under binders": change(
        "analysis:_replaced", 'and ("name", parent.args[0]) in names', "and False", "rewriting_under_a_binder"
    ),
    "citations of anything": change(
        "analysis:Analysis.cite", "if problem:", "if False:", "wrong_cited_formula", "cited_model_relation"
    ),
    "citations are tried at small numbers only": change(
        "instances.attack:refuted",
        ", (60, WideSource)):",
        ",):",
        "cited_formula_that_is_wrong_far_out",
        "cited_formula_that_is_wrong_close_to_zero",
    ),
    "citations lose their hypotheses": change(
        "analysis:Analysis.cite", "(*own, *left)", "()", "citation_used_outside_its_hypotheses"
    ),
    "gaps of reals": change(
        "axioms:axiom",
        "return AXIOMS[name](*arguments)",
        "return (), AXIOMS[name](*arguments)[1]",
        "gap_of_integers_for_reals",
        "floor_is_a_real",
        "absolute_value_is_the_number",
    ),
}

CONCLUSIONS = {
    "theorems made by hand": Sabotage(
        "theorem:Register.check",
        (
            ("type(item) is not Theorem or known is None or known[0] is not item", "False"),
            ("known[1] != self._content(item)", "False"),
        ),
        ("hand_made_theorem", "duck_typed_theorem", "theorem_of_another_kernel"),
    ),
    "theorems changed": change(
        "theorem:Register.check",
        "if known[1] != self._content(item):",
        "if False:",
        "mutated_theorem",
        "mutated_theorem_in_a_certificate",
    ),
    "any theorem for the claim": change(
        "kernel:Kernel.conclude",
        "if not implies(theorem.conclusion, link):",
        "if False:",
        "last_step_is_not_the_claim",
        "changed_constant_in_the_stated_formula",
    ),
    "claims undefined somewhere": change(
        "kernel:Kernel._rests",
        "[*theorem.hypotheses, *obligations(link)]",
        "[*theorem.hypotheses]",
        "stated_formula_undefined_somewhere",
    ),
    "hypotheses that nobody stated": change(
        "kernel:Kernel._supported",
        "if support is None:",
        "if support is None:\n            continue\n        if False:",
        "lemma_used_outside_its_hypotheses",
    ),
    "hypotheses of other relations": change(
        "kernel:Kernel.allowed",
        "if name not in special or name in own",
        "if True",
        "hypothesis_of_another_relation",
    ),
    "contradictory hypotheses": change(
        "kernel:Kernel._satisfied",
        "formulas = [item for name in rests for item in self._stated[name]]",
        "formulas = []",
        "contradictory_hypotheses",
        "anything_from_a_contradiction",
    ),
    "theorems that are false at the instance": change(
        "kernel:_refute", "for theorem in suspects:", "for theorem in ():", "contradiction_at_one_integer"
    ),
    "a relation that is false at the instance": change(
        "kernel:_false_at",
        "(link for link in links if holds(link, at) is False)",
        "iter(())",
        "a_family_that_no_draw_meets",
        "an_entry_that_one_integer_contradicts",
        "a_gap_that_falls_for_ever",
    ),
    "a hypothesis that fails where the derivation uses it": change(
        "kernel:_fails_at",
        "places.false_at(at)",
        "None",
        "an_entry_that_one_integer_contradicts_where_the_bound_is_true",
        "a_family_that_no_draw_meets_where_the_bound_is_true",
    ),
    "a relation that is said of nothing at the instance": change(
        "kernel:_empty_at",
        "for index, low, high in ranges:",
        "for index, low, high in ():",
        "relation_over_a_range_that_is_empty_for_all_sizes",
    ),
    "hypotheses satisfied nearby": change(
        "instances.truth:_places",
        "if high is None and at.far:",
        "if False:",
        "hypothesis_that_fails_far_out",
    ),
}

SABOTAGES = DEFINEDNESS | FORMS | SIGNS | RULES | CONCLUSIONS | PLACES
