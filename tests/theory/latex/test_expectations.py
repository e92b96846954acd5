"""Expectations in words of hypotheses: their brackets, and the law at the end of the sentence."""

import dataclasses

import pytest
from sympy import IndexedBase, Sum, floor, symbols

import theory
from theory.claim import Claim, Part, Variable
from theory.expectation import E, bernoulli
from theory.formula import eq, every, le
from theory.hypotheses import definition, model
from theory.paper import Paper

n, d, V, W, p, i, j, k, l = symbols("n d V W p i j k l", real=True)
e, b, v, q, x, a, z, c, m, s = (IndexedBase(name, real=True) for name in "ebvqxazcms")
ROWS, COORDINATES = (i, 0, n - 1), (j, 0, d - 1)
VARIABLES = (
    Variable(n, "n", r"\mathbb N", "clients"),
    Variable(d, "d", r"\mathbb N", "coordinates"),
    Variable(V, "V", r"\mathbb R", "a variance"),
    Variable(W, r"\mathbb E\|Q\|^2", r"\mathbb R", "a second moment, which text writes with the sign, too"),
    Variable(p, "p", "[0,1]", "a probability"),
    Variable(x, "x", r"\mathbb R^d", "a vector", "(d,)"),
    Variable(q, "q", r"[0,1]^d", "probabilities", "(d,)"),
    Variable(m, "m", r"\mathbb R^d", "means", "(d,)"),
    Variable(v, "v", r"\mathbb R^{n\times d}", "variances", "(n, d)"),
    Variable(s, "s", r"\mathbb R^n", "variances of clients, counted from 0", "(n,)", first=0),
    Variable(e, "e", r"\mathbb R^n", "errors", "(n,)"),
    Variable(a, "a", r"\mathbb R^{n\times d}", "errors of all coordinates", "(n, d)"),
    Variable(b, "b", r"\{0,1\}^d", "bits", "(d,)"),
    Variable(z, r"\xi", r"\mathbb R", "one number", "(1,)"),
    Variable(c, "c", r"\{0,1\}", "a coin", "(1,)"),
)
OF_E = r"over uncorrelated $e_i$, $1\le i\le n$, with mean $0$ and variance $v_{ij}$"
OF_B = r"over independent $b_j\sim\mathrm{Bernoulli}(q_j)$, $1\le j\le d$"


def read(words):
    said = Claim(
        id="sample/expectations",
        kind="identity",
        provenance="derived",
        title="Expectations",
        position=1,
        paper=Paper("sample", "Title", ("Ann Author",), 2024, "0000.00000", "Venue"),
        parts=(Part("a", "Nothing.", evidence=("proof",)),),
        variables=VARIABLES,
        hypotheses={"said": definition(words)},
    )
    return list(said.hypotheses["said"].formulas)


ERRORS = Sum(e[i], ROWS)
OUTER = {"mean": 0, "variance": v[i, j]}
READ = {
    rf"$V=\sum_j\mathbb E\bigl((x_j+\frac1n\sum_ie_i)^2\bigr)$, {OF_E}": [
        eq(V, Sum(E((x[j] + ERRORS / n) ** 2, e, ROWS, **OUTER), COORDINATES))
    ],
    rf"$V\le\sum_j\mathbb E[x_j\sum_ie_i]$, {OF_E}, since $x$ is smooth": [
        le(V, Sum(E(x[j] * ERRORS, e, ROWS, **OUTER), COORDINATES))
    ],
    rf"$m_j=\mathbb E(x_jb_j)$, {OF_B}": [
        every(eq(m[j], bernoulli(x[j] * b[j], b, COORDINATES, p=q[j])), COORDINATES)
    ],
    rf"$V=\mathbb E\Big(\sum_jb_j\Big)+1$, $\mathbb E\|Q\|^2=\mathbb E(b_1)\cdot2$, {OF_B}": [
        eq(V, bernoulli(Sum(b[j], COORDINATES), b, COORDINATES, p=q[j]) + 1),
        eq(W, 2 * bernoulli(b[0], b, COORDINATES, p=q[j])),
    ],
    r"$V=\mathbb E(\xi^2)$, over $\xi$ with mean $p$ and variance $\{d/2\}$": [
        eq(V, E(z[0] ** 2, z, (k, 0, 0), mean=p, variance=d / 2 - floor(d / 2)))
    ],
    r"$m_j=\mathbb E(\xi)$, over $\xi$ with mean $x_j$ and variance $v_{1j}$": [
        every(eq(m[j], E(z[0], z, (k, 0, 0), mean=x[j], variance=v[0, j])), COORDINATES)
    ],
    r"$V=\mathbb E\bigl((1-c)\mathbb E(\xi^2)\bigr)$, over $c\sim\mathrm{Bernoulli}(p)$ and over $\xi$ "
    "with mean $0$ and variance $p$": [
        eq(
            V,
            bernoulli((1 - c[0]) * E(z[0] ** 2, z, (k, 0, 0), mean=0, variance=p), c, (k, 0, 0), p=p),
        )
    ],
    r"$V=\mathbb E\bigl((\xi+c)^2\bigr)$, over $\xi$ with mean $0$ and variance $p$ and over "
    r"$c\sim\mathrm{Bernoulli}(p)$": [
        eq(V, E(bernoulli((z[0] + c[0]) ** 2, c, (k, 0, 0), p=p), z, (k, 0, 0), mean=0, variance=p))
    ],
    r"$V=\mathbb E\bigl((\sum_{i,j}a_{ij})^2\bigr)$, over uncorrelated $a_{ij}$, $1\le i\le n$, "
    r"$1\le j\le d$, with mean $x_j$ and variance $v_{ij}$": [
        eq(
            V,
            E(
                Sum(a[i, j], COORDINATES, ROWS) ** 2,
                a,
                ROWS,
                COORDINATES,
                mean=x[j],
                variance=v[i, j],
            ),
        )
    ],
    r"$V=\mathbb E(e_1)$, over uncorrelated $e_i$, $1\le i\le n$, with mean $s_{i-1}$ and variance $1$": [
        eq(V, E(e[0], e, ROWS, mean=s[i], variance=1))
    ],
    rf"$V=1$; $\mathbb E\|Q\|^2=\mathbb E(e_1)$, {OF_E.replace('v_{ij}', 'p')}; $p=0$": [
        eq(V, 1),
        eq(W, E(e[0], e, ROWS, mean=0, variance=p)),
        eq(p, 0),
    ],
}


@pytest.mark.parametrize("words", READ)
def test_an_expectation_is_read_with_its_law(words):
    said, meant = read(words), READ[words]
    assert len(said) == len(meant)
    for one, other in zip(said, meant, strict=True):
        assert one == other


SQUARE = r"$V=\mathbb E\bigl((\sum_ie_i)^2\bigr)$"
LAW = "over uncorrelated $e_i$, $1\\le i\\le n$, with mean $0$ and variance $1$"
ONE = "with mean $0$ and variance $1$"
SQUARED, OF_C = ONE.replace("0", "c^2"), ONE.replace("0", "c")
ASK = "write ‘over uncorrelated $e_i$"
WEAK = [
    LAW.replace("over", "over mostly"),
    LAW.replace("over", "over almost"),
    LAW.replace("over", "over some"),
    LAW.replace("over", "over all but one"),
    LAW.replace("uncorrelated", "pairwise uncorrelated"),
    LAW.replace("with mean", "with mean at most"),
    LAW.replace("variance", "variance about"),
    LAW.replace("and variance", "and a variance of at most"),
    LAW.replace("with mean", "with a typical mean"),
    LAW.replace("with mean $0$ and", "with"),
    LAW + " on average",
    LAW + " for most $i$",
    LAW + ", up to sign",
    "nearly " + LAW,
    "in the limit " + LAW,
    "over independent fair $b_j$, $1\\le j\\le d$",
]


@pytest.mark.parametrize("law", WEAK)
def test_words_that_weaken_a_law_are_not_read(law):
    with pytest.raises(ValueError, match="cannot read"):
        read(f"{SQUARE}, {law}")
    formula = eq(V, E(ERRORS**2, e, ROWS, mean=0, variance=1))
    beside = model(f"{SQUARE}, {law}", formula)
    assert beside.formulas == (formula,)  # prose, as any other words


REFUSED = {
    SQUARE: "has no random name in its brackets; the end of the sentence says the law",
    rf"$V=\mathbb E\sum_ie_i$, {LAW}": r"write brackets around all that is expected: \mathbb E\bigl",
    rf"$V=\mathbb E(\sum_ie_i)^2$, {LAW}": "is ‘^’ behind the brackets",
    rf"$V=\mathbb E(p)(\sum_ie_i)$, {LAW}": "is ‘(’ behind the brackets",
    rf"$V=\mathbb E(e_1)p$, {LAW}": "is ‘p’ behind the brackets",
    rf"$V=\mathbb E(e_1+e_2$, {LAW}": "is missing before",
    rf"$V=\mathbb E(p)$, {LAW}": "has no random name in its brackets",
    rf"$V=p$, {LAW}": "the random ‘e _ i’ stands in no expectation: leave its law out",
    rf"$V=\mathbb E(e_1)+e_2$, {LAW}": "the random ‘e _ i’ stands outside of the brackets",
    rf"$V=\mathbb E(e_1)$, $p\ge e_1$, {LAW}": "the random ‘e _ i’ stands outside of the brackets",
    rf"$V=\mathbb E(e_1)$, {LAW}; $e_1=0$": "the random e stands outside of its expectation, too",
    rf"$e_1=p$; $V=\mathbb E(e_1)$, {LAW}": "the random e stands outside of its expectation, too",
    rf"$V=\mathbb E(e_1)$, {LAW}, $p=1$": "begin a new sentence",
    rf"$V=\mathbb E(e_1)$, {LAW} and {LAW}": "the random ‘e _ i’ has two laws",
    rf"$V=\mathbb E(e_1)$, {LAW} and {OF_B}": "the random ‘b _ j’ stands in no expectation",
    rf"$V=\mathbb E(e_1)$, {LAW.replace('le n', 'le n-1')}": "is not the range of the random ‘e _ i’",
    rf"$V=\mathbb E(e_1)$, {LAW.replace('1', '0', 1)}": "is not the range of the random ‘e _ i’",
    rf"$V=\mathbb E(e_1)$, {LAW.replace('le i', 'le j')}": "is no range of the index i of the random",
    rf"$V=\mathbb E(e_1)$, {LAW.replace('e_i', 'e_1')}": "must be letters of their own",
    rf"$V=\mathbb E(e_1)$, {LAW.replace('e_i', 'e')}": "is an array and needs its indices",
    rf"$V=\mathbb E(e_1)$, {LAW.replace('e_i', 'V')}": "is no array of the variables",
    rf"$V=\mathbb E(e_1)$, {LAW.replace('mean $0', 'mean $e_i')}": "stands outside of the brackets",
    rf"$V=\mathbb E(e_1)$, {LAW.replace('variance $1', 'variance $x_l')}": "what is l?",
    r"$V=\mathbb E(e_1)$, over $e_i$ with mean $0$ and variance $1$": f"has indices: {ASK}",
    r"$V=\mathbb E(\xi)$, over uncorrelated $\xi$, $1\le i\le1$, with mean $0$ and variance $p$": "is one",
    r"$V=\mathbb E(c)$, over $c\sim\mathrm{Uniform}(p)$": "is no law",
    r"$V=\mathbb E(c)$, over $c\sim\mathrm{Bernoulli}(p)^2$": "is no law",
    r"$V=\mathbb E(c)$, over $c$": "is no law",
    rf"$V=\mathbb E(e_1\mathbb E(e_1b_1))$, {LAW} and {OF_B}": "‘e _ i’ stands in another expectation inside",
    rf"$V=\mathbb E(\mathbb E(e_1b_1)+b_1)$, {LAW} and {OF_B}": "‘b _ j’ stands in another expectation",
    rf"$V=\mathbb E(c\mathbb E(\xi))$, over $c$ {ONE} and over $\xi$ {SQUARED}": "or in a law there",
    rf"$V=\mathbb E(e_1^2e_2)$, {LAW}": "must be a polynomial of degree 2 at most in the random e _ i",
    rf"$V=\mathbb E(c\xi^2)$, over $c$ {ONE} and over $\xi$ {ONE}": "at most in the random c, \\xi",
    rf"$V=\mathbb E(\xi^2)$, over $c$ {ONE} and over $\xi$ {SQUARED}": "stands outside",
    rf"$V=\mathbb E(c+\xi^2)$, over $c$ {ONE} and over $\xi$ {SQUARED}": "degree 2 at most",
    rf"$V=\mathbb E(c+\xi)$, over $\xi$ {OF_C} and over $c$ {ONE}": "needs an index",
    rf"$V=\mathbb E(1/e_1)$, {LAW}": "must be a polynomial of degree 2",
    rf"$V=\mathbb E(\max(e_1,0))$, {LAW}": "must be a polynomial of degree 2",
    rf"$V=\mathbb E(|e_1|)$, {LAW}": "must be a polynomial of degree 2",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_could_be_read_otherwise_is_refused(words):
    with pytest.raises(ValueError, match="hypothesis 'said'") as told:
        read(words)
    assert REFUSED[words] in str(told.value)


def test_another_mean_variance_or_range_is_another_formula():
    words = rf"$V=\mathbb E\bigl((\sum_ie_i)^2\bigr)$, {LAW}"
    (said,) = read(words)
    for old, new in (("mean $0", "mean $1"), ("variance $1", "variance $p"), (")^2", ")")):
        (other,) = read(words.replace(old, new))
        assert other != said


def test_names_without_a_law_are_not_random():
    (said,) = read(rf"$V=\mathbb E(e_1b_1)$, {LAW}")
    assert said == eq(V, E(e[0] * b[0], e, ROWS, mean=0, variance=1))


def test_a_law_of_a_claim_gives_its_formula():
    claim = theory.claim("cat/mn-strong")
    assert dataclasses.replace(claim).hypotheses == claim.hypotheses
    item = claim.hypotheses["average"]
    edited = dataclasses.replace(item, words=item.words.replace("mean $0$", "mean $1$"), formula=())
    other = dataclasses.replace(claim, hypotheses={**claim.hypotheses, "average": edited})
    assert other.hypotheses["average"].formulas != item.formulas
