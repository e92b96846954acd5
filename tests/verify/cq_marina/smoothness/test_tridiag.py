"""Golden numbers of section 3, `tridiag`, from the formulas of the claim alone."""

import numpy as np
import pytest

import theory
from verify.evaluation import evaluate, names

CLAIM = theory.claim("cq_marina/tridiag")
# 13 digits are given, of the small weighted constant too.
DIGITS = 1e-12
INSTANCES = {
    "10-32": {"n": 10, "d": 32, "lam": 0.5, "mu": 1e-6},
    "5-6": {"n": 5, "d": 6, "lam": 0.8, "mu": 1e-2},
}


def value(name, instance, **places):
    formula, values = CLAIM.formulas[name], {**INSTANCES[instance], **places}
    return evaluate(formula, {key: values[key] for key in names(formula)})


@pytest.mark.parametrize(
    ("instance", "L_minus", "L_plus", "L_pm", "weighted"),
    [
        ("10-32", 0.9954729225731, 1.035902117033, 0.2865778367157, 0.0007056289356882),
        ("5-6", 0.9109688679024, 1.007414924094, 0.4301401527419, 0.02284826632291),
    ],
)
def test_golden_constants(instance, L_minus, L_plus, L_pm, weighted):
    assert value("L_minus", instance) == pytest.approx(L_minus, rel=DIGITS)
    assert value("L_plus", instance) == pytest.approx(L_plus, rel=DIGITS)
    assert value("exact", instance) == pytest.approx(L_pm, rel=DIGITS)
    assert value("weighted_square", instance) ** 0.5 == pytest.approx(weighted, rel=DIGITS)


@pytest.mark.parametrize("instance", INSTANCES)
def test_relations_of_the_constants(instance):
    n = INSTANCES[instance]["n"]
    squares = value("L_minus", instance) ** 2 + value("exact", instance) ** 2
    assert value("L_plus", instance) ** 2 == pytest.approx(squares, rel=1e-14)
    constants = [value("L_client", instance, i=i) for i in range(n)]
    # With w_i proportional to L_i: L_{+,w} = mean of the L_i = L_-.
    assert np.mean(constants) == pytest.approx(value("L_minus", instance), rel=1e-14)
    assert min(constants) > 0
    # The assumption behind the L_i: nu_i >= 2 (tau_1 - mu).
    factors = [value("factor", instance, i=i) for i in range(n)]
    assert min(factors) >= 2 * (value("tau", instance, j=0) - INSTANCES[instance]["mu"])


def test_golden_weights():
    constants = np.array([value("L_client", "5-6", i=i) for i in range(5)])
    stated = [0.066447678, 0.133223839, 0.2, 0.266776161, 0.333552322]
    np.testing.assert_allclose(constants / constants.sum(), stated, atol=5e-10)  # nine decimals are given


def test_weighting_takes_the_variance_down_by_19_to_400():
    gains = [value("exact", name) / value("weighted_square", name) ** 0.5 for name in INSTANCES]
    assert gains == pytest.approx([406.13, 18.826], rel=1e-4)  # five digits


def test_sizes_of_the_mutants():
    for name, root, sample in (("10-32", 0.574, 1.054), ("5-6", 0.566, 1.118)):
        n = INSTANCES[name]["n"]
        without_root = (
            INSTANCES[name]["lam"] * (n**2 - 1) / (3 * n**2) * value("tau", name, j=INSTANCES[name]["d"] - 1)
        )
        assert without_root / value("exact", name) == pytest.approx(root, abs=5e-4)  # three decimals
        assert (n / (n - 1)) ** 0.5 == pytest.approx(sample, abs=5e-4)
        variance = value("variance", name)
        factors = [value("factor", name, i=i) for i in range(n)]
        assert np.var(factors) == pytest.approx(variance, rel=1e-13)
        assert np.var(factors, ddof=1) / variance == pytest.approx(n / (n - 1), rel=1e-13)


def test_one_client_and_one_dimension():
    single = {"n": 1, "d": 1, "lam": 0.3, "mu": 0.7}
    formulas = CLAIM.formulas
    assert evaluate(formulas["exact"], {key: single[key] for key in ("n", "d", "lam")}) == 0.0
    assert evaluate(formulas["L_minus"], {"d": 1, "mu": 0.7}) == pytest.approx(0.7, rel=1e-15)
