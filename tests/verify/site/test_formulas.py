"""Formulas as MathML, and what the kernel prints as LaTeX."""

import re

import pytest

from verify.site.mathematics.kernel_formula import UnreadableFormula, kernel_tex
from verify.site.mathematics.prose import plain, prose


def letters(html):
    return re.sub(r"<[^>]*>", "", html)


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"$\mathbb E[e_j]$", "𝔼[ej]"),
        (r"$\mathbb R^d$", "ℝd"),
        (r"$\lVert x\rVert^2\le\frac{1}{n}$", "‖x‖2≤1n"),
        (r"$\mathcal L_{\max}$", "ℒmax"),
        (r"$[l,r]^n$", "[l,r]n"),
        (r"$\sqrt{d}\,\omega$", "dω"),
    ],
)
def test_characters_of_formulas(tex, shown):
    html = prose(tex)
    assert "<math" in html
    assert letters(html).replace("\u2009", "").replace("\u2062", "") == shown


def test_text_is_escaped_and_code_is_kept():
    assert prose("a < b & <script>x</script>") == "a &lt; b &amp; &lt;script&gt;x&lt;/script&gt;"
    assert prose("`a<b`") == "<code>a&lt;b</code>"
    assert prose("$a<b$").count("<script") == 0
    assert "&lt;" in prose("$a<b$")


def test_code_that_names_a_page_is_a_link():
    html = prose("see `squant/var` and `pip`", lambda code: "x.html" if code == "squant/var" else None)
    assert html == 'see <a href="x.html"><code>squant/var</code></a> and <code>pip</code>'


def test_the_search_index_has_no_commands():
    assert plain(r"Rate of $\mathbb E\,\frac{x}{n}$ with `squant/var`") == "rate of e , x n with squant/var"


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("-1 + d <= x", r"d-1\le x"),
        ("a - (b + c) <= 0", r"a-\left(b+c\right)\le 0"),
        ("-(b + c) <= 0", r"-\left(b+c\right)\le 0"),
        ("(a + b)*c <= 0", r"\left(a+b\right)c\le 0"),
        ("-a <= 0", r"-a\le 0"),
    ],
)
def test_what_the_kernel_prints(text, tex):
    assert kernel_tex(text, {}).replace(" ", "") == tex.replace(" ", "")


def test_what_cannot_be_read_is_no_formula():
    with pytest.raises(UnreadableFormula):
        kernel_tex("a <= b )", {})
