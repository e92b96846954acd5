"""Mutation testing of the implementation and of the engine: what would `verify` and the tests have noticed?

    python -m tools.mutation run --sample 250 --seed 1 --scope squant --seconds 3000
    python -m tools.mutation report --title "squant" > docs/power.md

Why our own: cosmic-ray runs one test command for all mutants of a session and knows only its exit code, and
mutmut runs one set of tests, picks them by called function and mutates function bodies only. Neither can ask
the claims first and the tests apart from them, nor pick a claim by the lines that its own checks execute.

* `operators`: the mutants of a source, as edits of its text.
* `lines`: which lines a piece of work executes.
* `killers`: a claim or a test file, run in a forked process; what it says of the honest tree and of a mutated
  one.
* `campaign`: sample, order of killers, state that is resumed, report.

Sources are copied first: the checkout is never edited, and editing it does not disturb a run.
"""
