"""Checks of `squant/finding-original-levels`: levels as the code takes them, variances over all outcomes."""

from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.compressors import StochasticQuantizer
from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.errors import UsageError
from verify.expectation.enumeration import enumerate_moments
from verify.experiments.squant import original
from verify.rungs.adversarial import AdversarialCase

INPUTS: dict[str, tuple[Any, ...]] = {
    "one": (F(3),),
    "two": (2, 1),
    "signs": (F(5, 2), -1, F(1, 3), 0),
    "flat": (1, 1, 1),
}

judge = checks_of(
    "squant/finding-original-levels",
    quantizer=lambda norm: StochasticQuantizer(F(1), norm=norm),
    norm="max",
    taken=original.levels_of,
    omega=original.omega_of,
)

judge.sabotage(
    "rounded-up at exact/levels: Round up. | levels = levels + 1",
    "half at exact/variance-two, exact/attained, adversarial/search: Claim half of the constant. "
    "| bound = bound / 2, exact = exact / 2",
    "half-used at exact/splice: Let the code take half of its constant. | used = used / 2",
    "whole at exact/splice: Call the larger constant the sharp one. | exact = 2 * exact + 1/2",
    "never-refused at exact/refused: Take one level where there is none.",
    {"taken": lambda d: max(1, int(d**0.5 / original.NODES))},
    "tighter at exact/splice: Take the smaller constant for the one in use.",
    {"omega": lambda steps: (len(steps) ** 0.5 - 1) / 2},
)


@judge.exact(nodes=original.NODES, d=[24, 35, 36, 60, 68, 123, 143, 144, 300])
def levels(law: Law, nodes: int, d: int) -> Comparisons:
    """The number of levels at dimensions around the squares, and as our protocol takes them."""
    stated = law("levels", n=nodes, d=d)
    yield eq("number of levels", max(s for s in range(d) if (s * nodes) ** 2 <= d), int(stated))
    if d >= nodes**2:
        yield eq("levels of our protocol", law.taken(d), int(stated))


@judge.exact(d=[22, 24, 30, 35])
def refused(law: Law, d: int) -> Comparisons:
    """Dimensions of svmguide3, german.numer and breast cancer, and the largest one: there is no baseline."""
    try:
        found = law.taken(d)
    except UsageError:
        found = 0
    yield eq("refused", found, 0)


@judge.exact(d=60)
def splice(law: Law, d: int) -> Comparisons:
    """Both constants with one level, and what our protocol takes."""
    used = law("used", d=d, s=1)
    yield eq("constant in use", law.omega(np.ones(d)), used, ROUND_OFF)
    yield le("splice", 2 * law("exact", d=d), used, ROUND_OFF)


@judge.exact(instances={f"variance-{name}": {"x": x} for name, x in INPUTS.items()})
def variance(law: Law, x: tuple[Any, ...]) -> Comparisons:
    """All outcomes against the constant; its root is rational or is bounded from above."""
    found = enumerate_moments(law.quantizer(law.norm), list(map(F, x)), (1,) * len(x)).second_moment
    squares = sum(F(item) ** 2 for item in x)
    yield le("variance", float(found), law("bound", d=len(x)) * float(squares), ROUND_OFF, witness={"x": x})


@judge.exact(d=[4, 9], M=[F(1), F(7, 3)])
def attained(law: Law, d: int, M: F) -> Comparisons:
    """All magnitudes but the largest are equal, at dimensions with rational roots."""
    root = {4: 2, 9: 3}[d]
    x = [M, *[(-1) ** j * M / (1 + root) for j in range(d - 1)]]
    found = enumerate_moments(law.quantizer(law.norm), x, (1,) * d).second_moment
    yield eq("attained", found, law.exactly("exact", d=d) * sum(item**2 for item in x), headline=True)


@judge.adversarial(label="largest variance", d=5)
def search(law: Law, d: int) -> AdversarialCase:
    """Search for the input with the largest variance."""
    quantizer, constant = law.quantizer(law.norm), law("bound", d=d)

    def value(inputs: Any) -> Any:
        return quantizer.variance(inputs)

    start = (1.0, *(1 / (1 + d**0.5),) * (d - 1))
    return AdversarialCase(
        value, lambda x: constant * (x**2).sum(axis=-1), d, starts=(start, (1.0,) * d), budget=500
    )
