"""Scalar lemmas by SMT solvers, with definedness and vacuity checked first (docs/evidence.md, section 8.1).

Both solvers read the same SMT-LIB 2 script over the reals. A solver takes 1/0 for an arbitrary number and
proves anything from contradictory hypotheses; so three kinds of queries are made, each in a fresh solver:
every denominator is nonzero and every radicand nonnegative under the hypotheses, innermost first; the
hypotheses can be satisfied; the hypotheses exclude the negated goal.
"""

import importlib.util
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from impl.errors import ArgumentError
from verify.evidence.smt_script import Script, Text, UnsupportedError

RLIMIT = 20_000_000
"""Resources of z3 for one query, about 5 s; unlike a time limit it gives the same answer on every machine."""

TIMEOUT = 60.0
"""Seconds after which one call is stopped whatever it does."""

Model = Mapping[str, Sequence[Any]]
"""Candidates for the value of each variable, from a rough rational to the exact number."""

Solver = Callable[[str, float], tuple[str, Model]]
"""Maps a script and the seconds left to `sat`, `unsat` or `unknown` and a model."""


def prove(hypotheses: Iterable[Any], goal: Any, *, rlimit: int = RLIMIT, timeout: float = TIMEOUT) -> str:
    """Ask z3 whether the hypotheses imply the goal for all real values of the variables.

    Args:
        hypotheses: sympy relations or Boolean combinations of them, exact numbers only. Sign assumptions of
            the symbols count as hypotheses; integer symbols range over the reals, which is a stronger claim.
        goal: sympy relation or Boolean combination.
        rlimit: Deterministic budget of each query.
        timeout: Seconds after which the call is stopped.

    Returns:
        `proved`; `refuted` (by a counter-model that was checked exactly); `undefined` if the hypotheses leave
        room for a division by zero or the root of a negative number; `vacuous` if they contradict each other;
        `unknown` otherwise, also for functions that a solver of polynomials cannot read, such as exp.

    Raises:
        ArgumentError: A relation contains a float, or is none.

    Example:
        >>> from sympy import Rational, symbols
        >>> p = symbols("p", real=True)
        >>> prove([p >= 0, p <= 1], p * (1 - p) <= Rational(1, 4))
        'proved'
    """

    def ask(script: str, seconds: float) -> tuple[str, Model]:
        return _ask_z3(script, seconds, rlimit)

    return _decide("prove", hypotheses, goal, ask, timeout, is_satisfiability_required=True)


def second_opinion(hypotheses: Iterable[Any], goal: Any, *, timeout: float = TIMEOUT) -> str:
    """Ask cvc5 the same question, for a lemma that z3 has proved already.

    Returns:
        `proved`, `refuted`, `unknown`, or `not_run` where cvc5 is not installed (extra `proof`). That the
        hypotheses can be satisfied is left to z3 if cvc5 cannot decide it.

    Raises:
        ArgumentError: A relation contains a float, or is none.
    """
    if importlib.util.find_spec("cvc5") is None:
        return "not_run"
    answer = _decide("second_opinion", hypotheses, goal, _ask_cvc5, timeout, is_satisfiability_required=False)
    return answer if answer in ("proved", "refuted") else "unknown"


def _decide(
    where: str,
    hypotheses: Iterable[Any],
    goal: Any,
    ask: Solver,
    timeout: float,
    *,
    is_satisfiability_required: bool,
) -> str:
    import sympy

    deadline = time.monotonic() + timeout
    given = [part for item in hypotheses for part in sympy.And.make_args(_formula(where, "hypothesis", item))]
    target = _formula(where, "goal", goal)
    _refuse_floats(where, [*given, target])
    script = Script()
    try:
        assumed = [script.formula(part) for part in given]
        claimed = script.formula(target)
    except UnsupportedError:
        return "unknown"

    def run(assertions: Iterable[str]) -> tuple[str, Model]:
        left = deadline - time.monotonic()
        return ask(script.text(assertions), left) if left > 0 else ("unknown", {})

    defined = _decide_definedness(script, assumed, run)
    if defined != "defined":
        return defined
    needed = sorted({i for part in assumed for i in part.needs})
    satisfiable, _ = run([*(script.partials[i].definition for i in needed), *(part.text for part in assumed)])
    if satisfiable == "unsat":
        return "vacuous"
    if satisfiable != "sat" and is_satisfiability_required:
        return "unknown"
    if target == sympy.false and satisfiable == "sat":
        return "refuted"
    facts = [*(partial.definition for partial in script.partials), *(part.text for part in assumed)]
    answer, model = run([*facts, f"(not {claimed.text})"])
    if answer == "unsat":
        return "proved"
    if answer == "sat" and _is_counter_model(script, model, given, target):
        return "refuted"
    return "unknown"


def _formula(where: str, name: str, item: Any) -> Any:
    import sympy
    from sympy.logic.boolalg import Boolean

    formula = sympy.sympify(item)
    if not isinstance(formula, Boolean) or formula.is_Symbol:
        raise ArgumentError(
            f"{where}: {name} {item!r} must be a relation such as x <= y, or And, Or, Not of them"
        )
    return formula


def _decide_definedness(
    script: Script, assumed: Sequence[Text], run: Callable[[Iterable[str]], tuple[str, Model]]
) -> str:
    """Return `defined`, `undefined` or `unknown`.

    A hypothesis may be used as soon as its own operations are known to be defined, so the order of the
    hypotheses does not matter.
    """
    pending = list(range(len(script.partials)))
    while pending:
        answers: dict[int, str] = {}
        for i in pending:
            known = [partial for j, partial in enumerate(script.partials) if j not in pending]
            usable = [part.text for part in assumed if part.needs.isdisjoint(pending)]
            condition = script.partials[i].condition
            answers[i], _ = run([*(partial.definition for partial in known), *usable, f"(not {condition})"])
            if answers[i] == "unsat":
                break
        solved = [i for i, answer in answers.items() if answer == "unsat"]
        if not solved:
            return "unknown" if "unknown" in answers.values() else "undefined"
        pending.remove(solved[0])
    return "defined"


def _is_counter_model(script: Script, model: Model, hypotheses: Sequence[Any], goal: Any) -> bool:
    """Check exactly, with sympy, that the model satisfies the hypotheses and not the goal."""
    import sympy

    # A variable that the solver left out may take any value.
    choices = {atom: model.get(name, [sympy.S.Zero]) for atom, name in script.names.items()}
    for stage in range(max((len(candidates) for candidates in choices.values()), default=1)):
        values = {atom: candidates[min(stage, len(candidates) - 1)] for atom, candidates in choices.items()}
        try:
            if (
                all(_fits_assumptions(atom, value) for atom, value in values.items())
                and all(part.xreplace(values) == sympy.true for part in hypotheses)
                and goal.xreplace(values) == sympy.false
            ):
                return True
        except (TypeError, ValueError, ArithmeticError):  # comparison of what is no real number
            continue
    return False


def _fits_assumptions(atom: Any, value: Any) -> bool:
    """Return whether the value contradicts no assumption of the symbol, such as being an integer."""
    assumed = atom.assumptions0 if atom.is_Symbol else {"integer": True} if atom.is_integer else {}
    return not any(getattr(value, f"is_{name}") is (not truth) for name, truth in assumed.items())


def _ask_z3(script: str, seconds: float, rlimit: int) -> tuple[str, Model]:
    import z3

    context = z3.Context()
    solver = z3.SolverFor("QF_NRA", ctx=context)
    solver.set("rlimit", rlimit)
    solver.add(z3.parse_smt2_string(script, ctx=context))
    done = threading.Event()

    def stop() -> None:
        # One interrupt may come before the solver listens, so it is repeated.
        wait = seconds
        while not done.wait(wait):
            context.interrupt()
            wait = 0.5

    watchdog = threading.Thread(target=stop, daemon=True)
    watchdog.start()
    try:
        answer = str(solver.check())
    except z3.Z3Exception:  # an interrupt may surface as an exception
        answer = "unknown"
    finally:
        done.set()
        watchdog.join()
    if answer != "sat":
        return answer, {}
    model = solver.model()
    constants = [entry for entry in model.decls() if entry.arity() == 0]  # z3 adds a function for x/0
    return answer, {str(entry.name()): _z3_candidates(model[entry]) for entry in constants}


def _z3_candidates(value: Any) -> list[Any]:
    import sympy
    import z3

    if isinstance(value, z3.AlgebraicNumRef):
        rough = [value.approx(digits) for digits in (5, 30)]
        coefficients = [_z3_candidates(c)[0] for c in value.poly()]
        roots = sympy.Poly(coefficients[::-1], sympy.Dummy("x")).real_roots(multiple=True)
        distinct = sorted(set(roots), key=float)
        return [*(_z3_candidates(r)[0] for r in rough), distinct[value.index() - 1]]
    return [sympy.Rational(value.numerator_as_long(), value.denominator_as_long())]


def _ask_cvc5(script: str, seconds: float) -> tuple[str, Model]:
    import sympy

    # -P keeps the modules beside the file from being found as top-level ones.
    command = [sys.executable, "-P", str(Path(__file__).with_name("cvc5_process.py"))]
    try:
        done = subprocess.run(
            command, input=script, capture_output=True, text=True, timeout=seconds, check=True
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):  # a crash is no opinion either
        return "unknown", {}
    reply = json.loads(done.stdout)
    return reply["answer"], {name: [sympy.Rational(value)] for name, value in reply["model"].items()}


def _refuse_floats(where: str, expressions: Iterable[Any]) -> None:
    """Raise where an expression holds a floating-point number, which sympy and solvers read differently.

    Raises:
        ArgumentError: Names the first such number and its remedy.
    """
    import sympy

    for expression in expressions:
        for number in sorted(expression.atoms(sympy.Float), key=str):
            raise ArgumentError(
                f"{where}: {expression} contains the float {number}, which is not an exact number; "
                f'write sympy.Rational("{float(number)!r}") or a fraction of integers'
            )
