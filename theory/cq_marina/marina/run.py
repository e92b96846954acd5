r"""A run of MARINA, as the claims on its rates share it: from one round to the average over $T$ rounds."""

from typing import Any

from sympy import IndexedBase, Sum, symbols

from theory.claim import Hypothesis, Variable
from theory.cq_marina.marina.round import FOREVER, gamma
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import le
from theory.hypotheses import definition, model

T, Delta_0, E_0, t, mean_square = symbols("T Delta_0 E_0 t mean_square", real=True)
gap, error, square = symbols("gap error square", cls=IndexedBase, real=True)
ALWAYS, RUN = (t, 0, FOREVER), (t, 0, T - 1)

ROUNDS = Variable(T, "T", r"\mathbb N", "number of rounds")
FIRST_GAP = Variable(Delta_0, r"\Delta_0", r"\mathbb R_{\ge0}", r"$f(x^0)-f^\star$")
FIRST_ERROR = Variable(E_0, "E_0", r"\mathbb R_{\ge0}", r"$\mathbb E\|g^0-\nabla f(x^0)\|^2$")
AVERAGE = Variable(
    mean_square,
    r"\frac1T\sum_{k<T}\mathbb E\|\nabla f(x^k)\|^2",
    r"\mathbb R_{\ge0}",
    "average of the expected squared gradients",
)
GAP, ERROR = r"\mathbb Ef(x^{#1})-f^\star", r"\mathbb E\|g^{#1}-\nabla f(x^{#1})\|^2"
GAPS = Variable(gap, GAP, r"\mathbb R_{\ge0}", "after so many rounds", "(oo,)", first=0)
ERRORS = Variable(error, ERROR, r"\mathbb R_{\ge0}", "errors of the estimate", "(oo,)", first=0)
SQUARES = Variable(
    square,
    r"\mathbb E\|\nabla f(x^{#1})\|^2",
    r"\mathbb R_{\ge0}",
    "expected squared gradients",
    "(oo,)",
    first=0,
)
RANGES = {"t": (0, FOREVER)}
EXAMPLE = {gap: (2,) * 152, error: (1,) * 152, square: (0,) * 152, mean_square: 0, Delta_0: 2, T: 3}


def hypotheses(weight: str, first_error: str, part: str, errors: str = ERROR) -> dict[str, Hypothesis]:
    """Return the average and the fall of the potential gap + weight * error in every round, by a part.

    Args:
        weight: Of the error in the potential, as words write it.
        first_error: Its value at the start, as words write it.
        part: The part on one round.
        errors: The error after `#1` rounds, as words write it.
    """

    def potential(rounds: str) -> str:
        return GAP.replace("#1", rounds) + "+" + weight + errors.replace("#1", rounds)

    squared = r"\mathbb E\|\nabla f(x^t)\|^2"
    return {
        "average": definition(
            rf"$\frac1T\sum_{{k<T}}\mathbb E\|\nabla f(x^k)\|^2=\frac1T\sum_{{t=0}}^{{T-1}}{squared}$"
        ),
        "tower": model(
            rf"$\mathbb Ef(x^0)-f^\star=\Delta_0$, ${errors.replace('#1', '0')}={first_error}$, "
            rf"$\mathbb Ef(x^t)-f^\star\ge0$, ${errors.replace('#1', 't')}\ge0$; "
            rf"${potential('t+1')}\le{potential('t')}-\frac\gamma2{squared}$, since the tower property "
            f"carries part {part} to the rounds of a run"
        ),
    }


def average(K: Any, weight: Any, first_error: Any) -> Any:
    """Return the bound on the average: the potential pays for half the step times the squared gradients."""
    tower = [K.given("tower", k) for k in range(5)]
    summed = K.cert(
        le(gamma / 2 * Sum(square[t], RUN), Delta_0 + weight * first_error),
        (1, K.sum_over(K.at(tower[4], t), RUN)),
        (-1, telescoping_sum(K, gap[t] + weight * error[t], t, T)),
        (1, tower[0]),
        (weight, tower[1]),
        (1, K.at(tower[2], T)),
        (weight, K.at(tower[3], T)),
    )
    goal = le(mean_square, 2 * (Delta_0 + weight * first_error) / (gamma * T))
    return K.cert(goal, (1, K.given("average")), (2 / (gamma * T), summed))
