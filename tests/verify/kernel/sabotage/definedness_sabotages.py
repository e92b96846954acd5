"""Changes to what the kernel asks for so that terms have a meaning, and that of their form."""

from __future__ import annotations

from source_changes import Sabotage, change, drop

DEFINEDNESS = {
    "a product is not 0 where one factor is not": change(
        "inequalities.form_signs:FormSigns.nonzero",
        "for factor, _ in factors])",
        "for factor, _ in factors[:1]])",
        "divisor_of_which_one_factor_may_be_zero",
    ),
    "no obligation for division": drop(
        "inequalities.definedness:_of_power",
        'yield Node("ne", base, ZERO)',
        "x_over_x_is_one",
        "quotient_with_a_common_factor",
    ),
    "no obligation for roots": drop(
        "inequalities.definedness:_of_power",
        'yield Node("le" if value > 0 else "lt", ZERO, base)',
        "square_of_a_root",
    ),
    "no obligation for powers": drop(
        "inequalities.definedness:_of_power",
        'yield Node("power", base, exponent_parts(form)[1].node)',
        "power_with_a_real_exponent",
    ),
    "no obligation for logarithms": drop(
        "inequalities.definedness:_obligations",
        'yield Node("lt", ZERO, args[1])',
        "logarithm_that_may_be_undefined",
    ),
    "bounds of any kind": drop(
        "inequalities.definedness:_of_range", 'yield Node("int", high)', "number_of_terms_that_is_no_integer"
    ),
    "any number of terms": drop(
        "inequalities.definedness:_of_range",
        'yield Node("le", ZERO, add(minus(high, low), ONE))',
        "number_of_terms_that_may_be_negative",
    ),
    "no divisor outside of sums": drop(
        "inequalities.definedness:_of_form",
        "yield from pulled_out(index, body)",
        "divisor_hidden_by_an_empty_sum",
        "power_hidden_by_an_empty_sum",
    ),
    "no divisor in roots with the index": change(
        "normal.sums:pulled_out",
        "_inside(form.atoms)",
        "_inside(a for a in form.atoms if not _has(a, index))",
        "divisor_hidden_in_roots_of_pairs",
    ),
    "no divisor in roots": drop(
        "normal.sums:_inside",
        "yield _not_zero(Form(dict(base.den), {(): Fraction(1)}))",
        "divisor_hidden_in_a_root",
    ),
    "no divisor in roots of roots": drop(
        "normal.sums:_inside", "yield from _inside(base.atoms)", "divisor_hidden_in_a_root_in_a_root"
    ),
    "no power outside of sums": drop(
        "normal.sums:_inside",
        'yield Node("power", base.node, a.key[2].node)',
        "power_hidden_by_an_empty_sum",
    ),
    "no divisor in terms that are written out": change(
        "inequalities.definedness:_of_form",
        "for item in written_out(node) or ():",
        "for item in ():",
        "divisor_hidden_in_a_sum_that_is_written_out",
    ),
    "no divisor in moments": drop(
        "inequalities.definedness:_of_form",
        "yield from of_form(moment)",
        "divisor_hidden_in_a_mean_at_a_place",
    ),
    "moments outside of their law": drop(
        "inequalities.definedness:_of_form",
        "yield from _places(form.node, new, ranges, ())",
        "moment_hidden_at_a_place",
    ),
    "no divisor of what is put in": drop(
        "rules:Rules.cert", "needed += of_form(solved)", "divisor_hidden_by_an_equation"
    ),
    "no sum in what is put in": drop(
        "rules:Rules.cert", "needed += of_folds(slack.node)", "power_hidden_until_terms_are_counted"
    ),
    "no maximum in what is put in": change(
        "inequalities.definedness:of_folds", '("max", "min")', "()", "divisor_hidden_in_a_maximum_of_equals"
    ),
    "no divisor of what is said at an entry": change(
        "inequalities.form_signs:FormSigns._specialise",
        "*map(self.decide, of_form(said))",
        "",
        "divisor_hidden_at_an_entry",
    ),
    "no divisor of a range at an entry": change(
        "inequalities.form_signs:FormSigns._inside",
        "if end is not None for item in of_form(end)",
        "for item in ()",
        "divisor_hidden_in_a_range_at_an_entry",
    ),
    "no divisor of the base of an induction": change(
        "rules:Rules.induction",
        "[*base.hypotheses, *of_form(first)]",
        "list(base.hypotheses)",
        "divisor_hidden_in_the_base_of_an_induction",
    ),
    "no divisor of what is stated": Sabotage(
        "kernel:Kernel._supported",
        (("pending += of_form(found[1])", "pass"), ("found[1] in hidden", "False")),
        ("divisor_hidden_in_what_is_stated",),
    ),
    "any variance": change(
        "inequalities.definedness:_of_mean",
        'item = Node("le", ZERO, variance)\n',
        'item = Node("le", ZERO, ZERO)\n',
        "variance_of_unknown_sign",
        "probability_outside_of_the_unit_interval",
    ),
    "entries outside of their law": drop(
        "inequalities.definedness:_of_mean",
        "yield from _places(body, family, ranges, ())",
        "random_entry_out_of_range_that_cancels",
    ),
    "binders of a law not renamed": change(
        "inequalities.definedness:_binder",
        "if index in taken:",
        "if False:",
        "random_entry_out_of_range_under_the_same_index_that_cancels",
    ),
}
