"""LaTeX as Unicode: what is printed, and that nothing of any claim is swallowed or left over."""

import pytest

import theory
from theory.latex.tokens import fragments
from verify.reporting.unicode_math import unicode_math, unicode_text
from verify.statements import render_part

BRACKETS = ("()", "[]", "{}", "⟨⟩", "⌊⌋", "⌈⌉")


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\frac{n-2}{2(n-1)}(M-m)", "((n − 2)/(2(n − 1)))(M − m)"),
        (r"\frac d{n^2}M", "(d/n²)M"),
        (r"\frac12\|x\|^2", "½‖x‖²"),
        (r"2\cdot\frac12", "2 · ½"),
        (r"3\frac12", "3·½"),
        (r"\mathbb E\|Q(x)-x\|_{\mathbf L}^2\le\omega", "𝔼‖Q(x) − x‖_𝐋² ≤ ω"),
        (r"\mathbb E[e_j]", "𝔼[eⱼ]"),
        ("[l,r]^n", "[l, r]ⁿ"),
        (r"\sum_{i=1}^n\sqrt{L_i}", "∑ᵢ₌₁ⁿ √Lᵢ"),
        (r"\sqrt[3]{a+b}", "∛(a + b)"),
        (r"\nabla f_i(x^\star)", "∇fᵢ(x*)"),
        (r"x^\top\mathbf Lx", "xᵀ𝐋x"),
        ("(1-p)^T", "(1 − p)^T"),
        (r"\mathbf L^{+1/2}y", "𝐋^(+1/2) y"),
        (r"\binom nk", "binom(n, k)"),
        (r"\hat g-\bar{A}", "ĝ − Ā"),
        (r"\{t\}\left(1-\{t\}\right)", "{t}(1 − {t})"),
        (r"a\bmod b\equiv c\pmod m", "a mod b ≡ c (mod m)"),
        (r"K_{\rm std}/n", "K_std/n"),
        (r"\log_2M+n\ln n", "log₂ M + n ln n"),
        (r"-x,\ -y", "−x, −y"),
        (r"\max_j|x_j|", "maxⱼ |xⱼ|"),
        (r"\begin{cases}1&x>0\\0&\text{else}\end{cases}", "{1, x > 0; 0, else}"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "[1, 2; 3, 4]"),
        (r"\mystery x", "mystery x"),
        (r"x'^2", "x′²"),
        ("10{,}000", "10,000"),
        ("", ""),
    ],
)
def test_prints(latex, expected):
    assert unicode_math(latex) == expected


def test_text_keeps_code_and_unescapes_words():
    text = r"In `squant/dcgd$` the \emph{mean} $\mathbb E x$ is at most 5~\% -- or so."
    assert unicode_text(text) == "In `squant/dcgd$` the mean 𝔼x is at most 5 % – or so."


@pytest.mark.parametrize(
    "broken", ["{", "}", "^", "_", r"\frac", r"\frac1", r"\sqrt[", r"\begin{a}", r"\left", "x^"]
)
def test_damaged_latex_is_printed_somehow(broken):
    assert "\\" not in unicode_math(broken)


def texts_of(claim):
    yield claim.setting
    yield from (render_part(claim, part.label) for part in claim.parts)
    yield from (item.words for item in claim.hypotheses.values())
    yield from (item.description for item in claim.worst_cases)
    for item in claim.variables:
        yield from (item.domain, item.meaning, f"${item.tex.replace('#1', 'i')}$")


def test_every_formula_of_every_claim_is_printed():
    found = 0
    for claim in theory.claims():
        for text in texts_of(claim):
            printed = unicode_text(text)
            assert not set(printed) & {"\\", "$"}, (claim.id, text, printed)
            for piece in fragments(text):
                formula = unicode_math(piece.inside)
                assert formula, (claim.id, piece.inside)
                half_open = piece.inside.count("(") != piece.inside.count(")")  # (0, 1]
                for left, right in BRACKETS:
                    same = formula.count(left) == formula.count(right)
                    assert same or (half_open and left in "(["), (claim.id, piece.inside, formula)
                found += 1
    assert found > 5000
