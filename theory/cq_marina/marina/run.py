r"""A run of MARINA, as the claims on its rates share it: from one round to the average over $T$ rounds."""

from typing import Any

from sympy import IndexedBase, Sum, symbols

from theory.claim import Hypothesis, Variable
from theory.cq_marina.marina.round import FOREVER, gamma
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import eq, every, le
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
EXAMPLE = {gap: (2,) * 152, error: (1,) * 152, square: (0,) * 152, mean_square: 0, Delta_0: 2, T: 3}


def hypotheses(weight: Any, first_error: Any, part: str) -> dict[str, Hypothesis]:
    """Return the average and the fall of the potential gap + weight * error in every round, by a part."""
    fall = le(
        gap[t + 1] + weight * error[t + 1],
        gap[t] + weight * error[t] - gamma / 2 * square[t],
    )
    nonnegative = (every(le(0, gap[t]), ALWAYS), every(le(0, error[t]), ALWAYS))
    return {
        "average": definition(
            "the average over the first $T$ iterates", eq(mean_square, Sum(square[t], RUN) / T)
        ),
        "tower": model(
            f"part ({part}) in expectation over the iterate and the estimate of each round (tower property), "
            "from the gap and the error of the start on; in each round both are at least 0",
            eq(gap[0], Delta_0),
            eq(error[0], first_error),
            *nonnegative,
            every(fall, ALWAYS),
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
