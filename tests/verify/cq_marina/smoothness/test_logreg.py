"""The norms of the LIBSVM sets give the constants that `cq_marina/exp-logreg` prints, to ten decimals."""

import pytest

import theory
from verify.cq_marina.fixtures.marina.logreg_data import constants_of, load_parts
from verify.formulas.evaluation import evaluate

FORMULAS = theory.claim("cq_marina/logreg").formulas
PRINTED = theory.claim("cq_marina/exp-logreg").worst_cases


@pytest.mark.usefixtures("libsvm")
@pytest.mark.parametrize("case", PRINTED, ids=lambda case: case.description)
def test_constants_of_the_data(case):
    name, n, lam = case.description.split()[0], int(case.values["n"]), 0.1
    S = constants_of(load_parts(name, n))
    L = [evaluate(FORMULAS["L_client"], {"S": S.own, "lam": lam, "i": i}) for i in range(n)]
    found = {
        "L_minus": evaluate(FORMULAS["L_minus"], {"S_mean": S.mean, "lam": lam}),
        "L_plus": evaluate(FORMULAS["L_plus_square"], {"L": L, "n": n}) ** 0.5,
        "L_pm": evaluate(FORMULAS["bound"], {"S": S.own, "R": S.others, "n": n}) ** 0.5,
    }
    assert found == pytest.approx({key: float(case.values[key]) for key in found}, abs=5.1e-11)
