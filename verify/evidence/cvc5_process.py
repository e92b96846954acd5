"""Answer one SMT-LIB 2 script with cvc5, in a process of its own; run by `verify.evidence.smt_solver`.

cvc5 does not look at its time limit within one step of cylindrical coverings, and only a process can be
stopped for certain. The script comes on standard input; what goes to standard output is a JSON object with
`answer` (`sat`, `unsat` or `unknown`) and `model` (rational values by name).
"""

import json
import sys

RLIMIT = 20_000_000
"""Deterministic budget in cvc5's own units."""


def answer(script: str) -> dict[str, object]:
    """Return the answer of cvc5 and the rational part of its model."""
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setLogic("QF_NRA")
    solver.setOption("produce-models", "true")
    solver.setOption("rlimit-per", str(RLIMIT))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "lemma")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, symbols)
    result = solver.checkSat()
    if not result.isSat():
        return {"answer": "unsat" if result.isUnsat() else "unknown", "model": {}}
    model = {}
    for term in symbols.getDeclaredTerms():
        value = solver.getValue(term)
        if value.isRealValue():
            model[str(term)] = str(value.getRealValue())
    return {"answer": "sat", "model": model}


if __name__ == "__main__":
    json.dump(answer(sys.stdin.read()), sys.stdout)
