"""The parser reads LaTeX as people write it."""

import pytest
from sympy import (
    E,
    Function,
    IndexedBase,
    Max,
    Min,
    Piecewise,
    Product,
    Rational,
    Sum,
    Symbol,
    binomial,
    ceiling,
    exp,
    floor,
    log,
    pi,
    sqrt,
    symbols,
)

from theory.claim import Claim, Part, Variable
from theory.extremum import MaxOver
from theory.latex.nodes import Unreadable, from_sympy, names_of, to_sympy
from theory.latex.parser import read
from theory.latex.vocabulary import Vocabulary
from theory.paper import Paper
from verify.statements.comparing.equality import Side, Sides
from verify.statements.comparing.names import indices, kinds

PAPER = Paper("sample", "Title", ("Ann Author",), 2024, "0000.00000", "Venue")
d, n, k, x, y, g, q, T, gamma, subject = symbols("d n k x y g q T gamma subject", real=True)
C = Symbol("C", real=True)
i, j, l = symbols("i j l", real=True)
a, h, D, s = (IndexedBase(name, real=True) for name in ("a", "h", "D", "s"))
phi = Function("phi")
VARIABLES = (
    Variable(d, "d", r"\mathbb N", ""),
    Variable(n, "n", r"\mathbb N", ""),
    Variable(k, "k", r"\mathbb N", ""),
    Variable(x, "x", r"\mathbb R", ""),
    Variable(y, "y", r"\mathbb R_{>0}", ""),
    Variable(g, r"\|g\|^2", r"\mathbb R_{>0}", ""),
    Variable(q, r"c_{\rm std}", r"\mathbb R_{>0}", ""),
    Variable(T, "T", r"\mathbb N", ""),
    Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "", aliases=(r"\bar e",)),
    Variable(C, "C(d)", r"\mathbb R_{>0}", ""),
    Variable(subject, r"\mathbb E\|Q(x)-x\|_{\mathbf L}^2", r"\mathbb R_{>0}", ""),
    Variable(a, "a", r"\mathbb R^d_{>0}", "", "(d,)"),
    Variable(h, r"h^\star", r"\mathbb R^d_{>0}", "", "(d,)"),
    Variable(D, "M", r"\mathbb R^{n\times d}_{>0}", "", "(n, d)", aliases=(r"\|B_{#1;#2#2}\|",)),
    Variable(s, "s", r"\mathbb R_{>0}", "", "(oo,)", first=0),
    Variable(phi, r"\varphi", "functions", ""),
)
CLAIM = Claim(
    id="sample/parser",
    kind="identity",
    provenance="derived",
    title="Parser",
    position=1,
    paper=PAPER,
    setting="",
    parts=(Part("a", "Nothing.", evidence=("proof",)),),
    variables=VARIABLES,
    notation={"Q": "quantizer"},
    ranges={"m": (1, n)},
)
VOCABULARY = Vocabulary(CLAIM, indices(CLAIM))
SIDES = Sides(kinds(CLAIM))


def over(term, index=j, low=0, high=d - 1):
    return Sum(term, (index, low, high))


READ = {
    r"\frac12x": x / 2,
    r"\frac1{2n}": 1 / (2 * n),
    r"\tfrac{1}{2}x": x / 2,
    r"10x^{2}": 10 * x**2,
    r"0.05\,x": x / 20,
    r"\sqrt d/y": sqrt(d) / y,
    r"\sqrt[3]{y}": y ** Rational(1, 3),
    r"T(T+1)": T * (T + 1),
    r"\gamma\Big(1-\frac{y\gamma}2\Big)\|g\|^2": gamma * (1 - y * gamma / 2) * g,
    r"\bar e y": gamma * y,
    r"2C(d)": 2 * C,
    r"d(y+1)": d * (y + 1),
    r"-c_{\rm std}+1": 1 - q,
    r"\mathbb{E}\|Q(x)-x\|_{\mathbf{L}}^{2}": subject,
    r"2^{-k}": Rational(1, 2) ** k,
    r"\sum_ja_j^2": over(a[j] ** 2),
    r"\sum_{j}a_j\cdot2": over(2 * a[j]),
    r"\sum_{j=1}^da_j": over(a[j]),
    r"\sum_{j=1}^{d}\frac{j}{d}": over((j + 1) / d),
    r"\sum_{j=2}^{d}a_{j-1}": over(a[j - 1], j, 1),
    r"a_1+a_d": a[0] + a[d - 1],
    r"\sum_{i<j}a_ia_j": (over(a[i], i) ** 2 - over(a[j] ** 2)) / 2,
    r"\sum_{i\ne j}a_ia_j": over(a[i], i) ** 2 - over(a[j] ** 2),
    r"\sum_{1\le i<j\le k}1": k * (k - 1) / 2,
    r"\sum_{i,j}a_ia_j": over(a[i], i) ** 2,
    r"\sum_{j:a_j\ge1}1": over(Piecewise((1, a[j] >= 1), (0, True))),
    r"\sum_iM_{ij}": Sum(D[i, j], (i, 0, n - 1)),
    r"\sum_i\|B_{i;jj}\|": Sum(D[i, j], (i, 0, n - 1)),
    r"\sum_m\frac ym": Sum(y / l, (l, 1, n)),
    r"\prod_{j}(1-a_j)": Product(1 - a[j], (j, 0, d - 1)),
    r"\sum_{k=0}^{T-1}s_k": Sum(s[l], (l, 0, T - 1)),
    r"(h_j^\star)^2+h^\star_j": h[j] ** 2 + h[j],
    r"(h_j^\star)^{-1}": 1 / h[j],
    r"\max\{x,y\}": Max(x, y),
    r"\min\Big\{\Big(\sum_ja_j^2\Big)^{1/2},\ y\Big\}": Min(sqrt(over(a[j] ** 2)), y),
    r"\max_ja_j": MaxOver(a[j], (j, 0, d - 1)),
    r"\max_{1\le j\le d}\{a_j\}": MaxOver(a[j], (j, 0, d - 1)),
    r"\sum_{0\le i<j\le d}s_is_j\prod_{i<a<j}(1-s_a)": Sum(
        s[i] * s[j] * Product(1 - s[l], (l, i + 1, j - 1)), (i, 0, j - 1), (j, 0, d)
    ),
    r"|x|": abs(x),
    r"\left|x-|y|\right|^2": (x - y) ** 2,
    r"\{y\}(1-\{y\})": (y - floor(y)) * (1 - y + floor(y)),
    r"\lfloor y\rfloor+\lceil y\rceil": floor(y) + ceiling(y),
    r"\log_2\frac yd": log(y / d, 2),
    r"\log y+\ln(2y)": log(y) + log(2 * y),
    r"e^{-y}+\exp(y)": exp(-y) + exp(y),
    r"\binom dk k!": binomial(d, k) * Function("factorial")(k),
    r"\pi y": pi * y,
    r"\varphi(y+1)": phi(y + 1),
    r"\left[1+y\right](2-\lbrace y\rbrace)": (1 + y) * (2 - y + floor(y)),
    r"a_{j}{+}1": a[j] + 1,
}


def same(tex: str, expression) -> bool:
    node = read(tex, VOCABULARY)
    free = (("j", "j", 1),) if "j" in names_of(node) else ()
    theirs = tuple((name, name, 0) for name, _, _ in free)
    return SIDES.same(Side(node, free), Side(from_sympy(expression), theirs))


@pytest.mark.parametrize("tex", READ)
def test_reads(tex):
    assert same(tex, READ[tex])
    assert not same(tex, READ[tex] + Rational(1, 1000))


@pytest.mark.parametrize(
    ("tex", "message"),
    [
        ("1/2y", "write brackets"),
        (r"\log dy", "write brackets"),
        (r"\sigma", "vocabulary"),
        ("Q", "notation"),
        ("a+1", "index"),
        (r"\sum_jy", "no array tells the range"),
        (r"\sum_ma_m", "less of the index m than an array that it counts"),
        (r"\sum_{a}y", "no array tells|list of indices"),
        ("x+", "too early"),
        ("(x", "missing"),
        (r"\frac1", "too early"),
        ("x_2", "cannot read on"),
        (r"\sum y", "needs an index"),
        (r"10\,000y", "digits with a gap"),
        ("1 2", "digits with a gap"),
        (r"\max\{x\}", "a single term"),
    ],
)
def test_says_what_it_cannot_read(tex, message):
    with pytest.raises(Unreadable, match=message):
        read(tex, VOCABULARY)


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (Min(x, y, d), Min(x, y), False),
        (Min(y, y**2 / 4), Min(y, y**2 / 5), False),
        (Max(2 * x, 2 * y), 2 * Max(x, y), True),
        (Min(y / 10**9, y), Min(y / 10**9, y + 1), False),  # no point takes the second branch
        (Max(y + 1, 0), Max(y + 1, -1), False),
        (sqrt(y**2), y, True),
        (sqrt(x**2), x, False),
        (Min(d, n), d, False),
    ],
)
def test_every_branch_counts(left, right, equal):
    """An extremum with a branch that no point takes is not declared equal to another one by its value."""
    found = SIDES.same(Side(from_sympy(left)), Side(from_sympy(right)))
    assert found == equal


@pytest.mark.parametrize(
    "expression",
    [
        Rational(-2, 3) + x * sqrt(y) + E + pi,
        a[i] + h[i + 1] ** 2,
        Sum(a[i] * D[j], (i, 0, j), (j, 1, n - 1)) + Product(a[i], (i, 1, n)),
        MaxOver(a[i], (i, 0, n - 1)),
        Piecewise((x, x < y), (y, (T <= 3) & (x > 1)), (0, True)),
        Max(x, y, 2) + Min(x, 1) + floor(x) + ceiling(y) + binomial(n, k) + log(y) + phi(x, y),
    ],
)
def test_nodes_are_written_as_the_expression_they_are_read_from(expression):
    assert to_sympy(from_sympy(expression)) == expression
    indices_and_names = {str(item) for item in expression.free_symbols if not hasattr(item, "indices")}
    assert names_of(from_sympy(expression)) == indices_and_names - {"a", "h", "D"}
