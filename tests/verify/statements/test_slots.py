"""How slots are filled: as mathematics inside of formulas, as numbers in words."""

from dataclasses import replace

import pytest
from sympy import Rational, sqrt

from verify.statements.slots import filled


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"$x={value:third}$, as {value:third}.", r"$x=\frac{1}{3}$, as 1/3."),
        (r"$x$ is {value:third}, so $x={value:third}$.", r"$x$ is 1/3, so $x=\frac{1}{3}$."),
        (r"It is {value:root}, $x={value:root}$.", r"It is $\sqrt{2}$, $x=\sqrt{2}$."),
        (r"$x\le{value:root,3}$ or {value:root,3}.", r"$x\le1.414$ or 1.414."),
        (r"{value:unknown} is not known.", r"{value:unknown} is not known."),
    ],
)
def test_a_slot_is_printed_as_what_stands_around_it(samples, text, shown):
    claim = replace(samples["var"], values={"third": Rational(1, 3), "root": sqrt(2)})
    assert filled(claim, text) == shown
