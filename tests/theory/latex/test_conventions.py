"""Signs of texts that readers take in several ways are told."""

import pytest

from theory.latex.conventions import FRACTIONAL_PART, NATURAL, conventions


@pytest.mark.parametrize(
    "text",
    [
        r"Then $x=\{u_j\}(1-\{u_j\})$.",
        r"$$L\Big\{\frac1h\Big\}\Big(1-\Big\{\frac1h\Big\}\Big)$$",
        r"at $\max_j\{x_j\}\{y\}$",
        r"for $t\in\{\{u\},1\}$",
        r"$\max_{i\in S}x\{y\}$",
    ],
)
def test_fractional_parts(text):
    assert conventions(["Nothing.", text]) == (FRACTIONAL_PART,)


@pytest.mark.parametrize(
    "text",
    [
        r"$b_j\in\{0,1\}$ and $S\subseteq\{1,\dots,d\}$",
        r"$\max\{x\}$, $\max_j^{n}\{x_j\}$, $\min_{i}\{x_i,y\}$",
        r"$x\in\{p\}$, $\{i:x_i>0\}$",
        r"in code, `\{t\}` and `\log`",
        r"{t} and log outside of mathematics",
        r"$\log_2x+\ln y$",
    ],
)
def test_sets_extrema_and_other_logarithms_are_none(text):
    assert conventions([text]) == ()


def test_logarithms_without_a_base():
    assert conventions([r"$\log n$", r"$\{t\}\log_2n$", r"$\log(x)$"]) == (FRACTIONAL_PART, NATURAL)
