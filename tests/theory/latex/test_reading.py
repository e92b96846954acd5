"""Hypotheses without formulas: what their words say is read, what says more is refused."""

import dataclasses

import pytest
from sympy import Function, IndexedBase, KroneckerDelta, Max, Min, Sum, floor, sqrt, symbols

import theory
from theory.claim import Claim, Hypothesis, Part, Variable
from theory.formula import EveryFamily, IsInteger, eq, every, le, lt, ne
from theory.hypotheses import definition, domain, model, parameter
from theory.indicator import INDICATOR
from theory.paper import Paper
from verify.kernel.derive import run

PAPER = Paper("sample", "Title", ("Ann Author",), 2024, "0000.00000", "Venue")
n, d, k, b, beta, c, g, i, j, t, x, m = symbols("n d k b beta c g i j t x m", real=True)
L, p, h = (IndexedBase(name, real=True) for name in ("L", "p", "h"))
W, u, s, q = (IndexedBase(name, real=True) for name in ("W", "u", "s", "q"))
B, l = symbols("B l", real=True)
a, v, M = (IndexedBase(name, real=True) for name in ("a", "v", "M"))
phi = Function("phi")
ROWS, COORDINATES = (i, 0, n - 1), (j, 0, d - 1)
VARIABLES = (
    Variable(n, "n", r"\mathbb N", "clients"),
    Variable(d, "d", r"\mathbb N", "coordinates"),
    Variable(k, "k", r"\mathbb N", "a number"),
    Variable(b, r"b_0", r"\mathbb R", "bits"),
    Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget"),
    Variable(c, "c", r"\mathbb R_{\ge0}", "root"),
    Variable(x, "x", r"\mathbb R", "a number"),
    Variable(g, r"\|x\|^2", r"\mathbb R_{\ge0}", "squared norm"),
    Variable(m, r"\mu", r"\mathbb R_{>0}", "convexity, whose symbol is called like an index"),
    Variable(L, "L", r"\mathbb R^d", "weights", "(d,)", aliases=(r"\mathbf L_{#1#1}",)),
    Variable(p, "p", r"(0,1]^d", "probabilities", "(d,)"),
    Variable(h, "h", r"\mathbb R^d", "steps", "(d,)"),
    Variable(W, "W", r"\mathbb R^{n\times d}", "rows", "(n, d)"),
    Variable(u, "u", r"\mathbb R^n", "one of each client", "(n,)"),
    Variable(s, "s", r"\mathbb R", "a sequence", "(oo,)", first=0),
    Variable(B, "B", r"\mathbb N", "blocks"),
    Variable(q, "q", r"\mathbb R^B", "one of each block", "(B,)"),
    Variable(a, "a", r"\mathbb R^3", "three numbers", "(3,)"),
    Variable(v, "v", r"\mathbb R^1", "any number", "(1,)"),
    Variable(phi, r"\varphi", "functions", ""),
    Variable(
        M, "M", r"\mathbb R^{(d+1)\times d}", "rows from 0 on, columns from 1 on", "(d+1, d)", first=(0, 1)
    ),
    INDICATOR,
)


def claim(**hypotheses):
    return Claim(
        id="sample/words",
        kind="identity",
        provenance="derived",
        title="Words",
        position=1,
        paper=PAPER,
        parts=(Part("a", "Nothing.", evidence=("proof",)),),
        variables=VARIABLES,
        hypotheses={name.replace("_", "-"): item for name, item in hypotheses.items()},
        ranges={"t": (1, k)},
    )


def read(words):
    return claim(said=domain(words)).hypotheses["said"].formulas


def natural(*names):
    return [item for name in names for item in (IsInteger(name), le(1, name))]


def each(formula, *ranges):
    return every(formula, *ranges or (COORDINATES,))


SUM = Sum(L[j] / (L[j] + c), COORDINATES)
READ = {
    r"$\beta>0$": [lt(0, beta)],
    r"$0<c\le1$": [lt(0, c), le(c, 1)],
    r"$n\ge d\ge1$": [le(d, n), le(1, d)],
    r"$c\in(0,1]$": [lt(0, c), le(c, 1)],
    r"$x,c\in[0,1]$": [le(0, x), le(x, 1), le(0, c), le(c, 1)],
    r"$c\ne0$": [ne(c, 0)],
    r"$\sum_j\frac{L_j}{L_j+c}=\beta$, $c\ge0$": [eq(SUM, beta), le(0, c)],
    r"$\beta=\sum_j\frac{L_j}{L_j+c}$ with $c\ge0$.": [eq(beta, SUM), le(0, c)],
    r"$L_j>0$": [each(lt(0, L[j]))],
    r"$0<p_j\le1$": [each(lt(0, p[j])), each(le(p[j], 1))],
    r"$W_{ij}=L_ju_i$": [each(eq(W[i, j], L[j] * u[i]), COORDINATES, ROWS)],
    r"$\mathbf L_{jj}=1$": [each(eq(L[j], 1))],
    r"$h_1=L_d$": [eq(h[0], L[d - 1])],
    r"$s_0=1$": [eq(s[0], 1)],
    r"$h_j=\frac jd$": [each(eq(h[j], (j + 1) / d))],
    r"$x=\sum_tt$": [eq(x, Sum(t, (t, 1, k)))],
    r"$h_j=\sqrt{\sum_iu_i^2}$": [each(eq(h[j], sqrt(Sum(u[i] ** 2, ROWS))))],
    r"$x=\{\frac\beta2\}$": [eq(x, beta / 2 - floor(beta / 2))],
    r"$x=\max\{0,\min\{1,c\}\}$": [eq(x, Max(0, Min(1, c)))],
    r"$x=\varphi(c)$": [eq(x, phi(c))],
    r"$x=\frac12(c+\beta)k$": [eq(x, k * (c + beta) / 2)],
    r"$b_0\ge0$, $\mu>0$": [le(0, b), lt(0, m)],
    r"$\beta,c>0$": [lt(0, beta), lt(0, c)],
    r"$L_j,h_j\ge0$": [each(le(0, L[j])), each(le(0, h[j]))],
    r"$n\ge1$ is an integer": natural(n),
    r"$n,d\ge1$ are integers": natural(n, d),
    r"$n\ge1$ and $d\ge1$ are integers, $c>0$": [*natural(n, d), lt(0, c)],
    r"$c>0$, $n\ge1$ is an integer": [lt(0, c), *natural(n)],
    r"$k\ge1$ is an integer, $n\ge1$ and $d\ge1$ are integers": natural(k, n, d),
    r"$c>0$; $n\ge1$, $d\ge1$ are integers": [lt(0, c), *natural(n, d)],
    r"$n$, $d$ and $k$ are positive integers": natural(n, d, k),
    r"$n$ is a positive integer": natural(n),
    r"$1\le k\le d$ are integers": [IsInteger(k), IsInteger(d), le(1, k), le(k, d)],
    r"$1\le k\le d$ is an integer": [IsInteger(k), le(1, k), le(k, d)],
    r"$k$ is an integer from 0 to $d-1$": [IsInteger(k), le(0, k), le(k, d - 1)],
    r"$k$ is an integer from $0$ to $d-1$": [IsInteger(k), le(0, k), le(k, d - 1)],
    r"$n,k$ are integers from 1 to $d$": [*natural(n), le(n, d), *natural(k), le(k, d)],
    r"$k$ is an integer from 0 on": [IsInteger(k), le(0, k)],
    r"$n=2k$ with an integer $k$": [IsInteger(k), eq(n, 2 * k)],
    r"$p_j\ge0$ are integers": [each(IsInteger(p[j])), each(le(0, p[j]))],
    r"$L_j\le c$ for each $j$": [each(le(L[j], c))],
    r"$L_j\le c$ for all coordinates": [each(le(L[j], c))],
    r"$q_l=1$ in each block": [each(eq(q[l], 1), (l, 0, B - 1))],
    r"$u_i\ge0$ for each node": [each(le(0, u[i]), ROWS)],
    r"$W_{ij}\ge0$ for all $i$": [each(le(0, W[i, j]), COORDINATES, ROWS)],
    r"$c\le\beta$ (A1 and A2)": [le(c, beta)],
    r"A2: $c\le\beta$": [le(c, beta)],
    r"$\sum_jL_j=1$: $x$ has unit norm": [eq(Sum(L[j], COORDINATES), 1)],
    r"the code is uniquely decodable: $\sum_jL_j\le1$": [le(Sum(L[j], COORDINATES), 1)],
    r"$c\le\beta$ (`squant/dcgd`)": [le(c, beta)],
    r"$k\in[n,d]$ is an integer": [IsInteger(k), le(n, k), le(k, d)],
    r"$0\le k\le d$ is an integer": [IsInteger(k), le(0, k), le(k, d)],
    r"$c>0$ with integers $n<k$": [IsInteger(n), IsInteger(k), lt(n, k), lt(0, c)],
    r"$d\ge1$, $n\ge0$ are integers": [*natural(d), IsInteger(n), le(0, n)],
    r"$n,d>0$ are integers": [IsInteger(n), lt(0, n), IsInteger(d), lt(0, d)],
    r"$h_j=a_3$ with $c>0$": [each(eq(h[j], a[2])), lt(0, c)],
    r"$h_j=a_3$ where $c=1$": [each(eq(h[j], a[2])), eq(c, 1)],
    r"$s_t=\sqrt t$": [every(eq(s[t], sqrt(t)), (t, 1, k))],
    r"$c\le\beta$, since $x$ is smooth": [le(c, beta)],
    r"$L_j\le c$ for $j\le k$": [every(le(L[j], c), (j, 0, k - 1))],
    r"$L_j\le c$, for every $j<k$": [every(le(L[j], c), (j, 0, k - 2))],
    r"$L_j,h_j>0$ for $j>k$; $c>0$": [*(every(lt(0, item[j]), (j, k, d - 1)) for item in (L, h)), lt(0, c)],
    r"$L_j>0$ for $1\le j\le k$": [every(lt(0, L[j]), (j, 0, k - 1))],
    r"$L_j>0$ for all $k<j<d$": [every(lt(0, L[j]), (j, k, d - 2))],
    r"$L_j>0$ for $d\ge j\ge k$": [every(lt(0, L[j]), (j, k - 1, d - 1))],
    r"$L_j=0$ for $j\ne k$": [every(eq(L[j], 0), (j, 0, k - 2)), every(eq(L[j], 0), (j, k, d - 1))],
    r"$L_j\ge L_l$ for $j\le l$": [every(le(L[l], L[j]), (j, 0, l), (l, 0, d - 1))],
    r"$u_iu_l=0$ for $i\ne l$": [
        every(eq(u[i] * u[l], 0), (i, 0, l - 1), (l, 0, n - 1)),
        every(eq(u[i] * u[l], 0), (i, l + 1, n - 1), (l, 0, n - 1)),
    ],
    r"$s_t\le1$ for $1\le t\le d$": [every(le(s[t], 1), (t, 1, d))],
    r"$u_iu_l=0$ for $1\le i<l$": [every(eq(u[i] * u[l], 0), (i, 0, l - 1), (l, 0, n - 1))],
    r"$L_{j+1}\ge L_j$ for $1\le j<d$": [every(le(L[j], L[j + 1]), (j, 0, d - 2))],
    r"$L_{j-1}\ge L_j$ for $d\ge j>1$": [every(le(L[j], L[j - 1]), (j, 1, d - 1))],
    r"$s_{j+1}=s_j+L_{j+1}$ for $0\le j\le d-1$": [every(eq(s[j + 1], s[j] + L[j]), (j, 0, d - 1))],
    r"$L_{j+1}W_{ij}=0$ for $2\le j\le k$": [every(eq(L[j + 1] * W[i, j], 0), (j, 1, k - 1), ROWS)],
    r"$xv_1\le v_1^2$ for all real $v_1$; $c>0$": [EveryFamily(v, le(x * v[0], v[0] ** 2)), lt(0, c)],
    r"$v_1L_j\le v_1^2$ for all real $v_1$": [each(EveryFamily(v, le(v[0] * L[j], v[0] ** 2)))],
    # Vectors.
    r"$\sum_jh_j\le c$ for every vector $h$": [EveryFamily(h, le(Sum(h[j], COORDINATES), c))],
    r"$u_i\le\sum_jh_j$ for every vector $h$": [each(EveryFamily(h, le(u[i], Sum(h[j], COORDINATES))), ROWS)],
    # Two indices.
    r"$L_j\le h_i$ for $1\le i\le j\le d$": [every(le(L[j], h[i]), (i, 0, j), COORDINATES)],
    r"$L_j\le h_i$ for $1\le i<j\le d$": [every(le(L[j], h[i]), (i, 0, j - 1), COORDINATES)],
    r"$L_j\le h_{l+1}$ for $1\le l\le j<d$": [every(le(L[j], h[l + 1]), (l, 0, j), (j, 0, d - 2))],
    r"$s_i\le s_j$ for $0\le i<j\le k$": [every(le(s[i], s[j]), (i, 0, j - 1), (j, 0, k))],
    # Arrays that text counts from 0 in one index and from 1 in another.
    r"$M_{0j}=1$": [each(eq(M[0, j], 1))],
    r"$M_{lj}=h_j$": [every(eq(M[l, j], h[j]), (l, 0, d), COORDINATES)],
    r"$M_{l+1,j}=M_{lj}$ for $0\le l<d$": [every(eq(M[l + 1, j], M[l, j]), (l, 0, d - 1), COORDINATES)],
    r"$M_{l1}=h_l$ for $1\le l\le d$": [every(eq(M[l, 0], h[l - 1]), (l, 1, d))],
    # What is 1 for equal numbers, at indices as formulas count them.
    r"$h_j=\mathbb I(j,1)$": [each(eq(h[j], KroneckerDelta(j, 0)))],
    r"$W_{ij}=\mathbb I(i,j)$": [each(eq(W[i, j], KroneckerDelta(i, j)), COORDINATES, ROWS)],
    r"$h_j=\mathbb I(j,k)$": [each(eq(h[j], KroneckerDelta(j, k - 1)))],
    r"$c=\mathbb I(x,\beta)$": [eq(c, KroneckerDelta(x, beta))],
}


@pytest.mark.parametrize("words", READ)
def test_formulas_of_words(words):
    assert read(words) == tuple(READ[words])


REFUSED = {
    "steps are positive": "steps are positive",
    r"the variance is $c$": "the variance is",
    r"$c\le\beta$ unless $n=1$": "unless",
    r"$c\le\beta$ (if $n$ is large)": "is no remark that claims may have",
    r"in expectation: $c\le\beta$": "is no remark that claims may have",
    r"$c\le\beta$ (where $x>0$)": "no remark",
    r"$c\le\beta$, since $x>0$": "no remark: it has the relation",
    r"the root ($c>0$): $c\le\beta$": "no remark",
    # Words and signs in mathematics.
    r"$c\le\beta\text{ if }x>0$": "stands in the mathematics",
    r"$c\le\beta\text{ or }x>0$": "stands in the mathematics",
    r"$c\le\beta\mbox{ if }x>0$": "stands in the mathematics",
    r"$c\le\beta\iff x>0$": "stands in the mathematics",
    r"$c\le\beta\implies x>0$": "stands in the mathematics",
    r"$c\le\beta\Rightarrow x>0$": "stands in the mathematics",
    r"$c\le\beta\Leftrightarrow x>0$": "stands in the mathematics",
    r"$c\le\beta\tag{if x}$": "stands in the mathematics",
    r"$k$ is an integer from 0 to $d\text{ or }n$": "stands in the mathematics",
    # What restricts.
    r"$L_j\le c$ where $p_j>0$": "for which indices",
    r"$c\ge0$ where $x\ge\beta$": "could be the condition",
    r"$c\ge0$ where $W_{ij}\ge0$": "could be the condition",
    r"$L_j\le c$ with $h_j=0$": "for which indices",
    r"$L_j\le c$, so that $h_j=0$": "for which indices",
    r"$L_j\le c$ with $x>0$ and $p_j>0$": "for which indices",
    r"where $p_j>0$, $L_j\le c$": "for which indices",
    r"$s_t\le c$, $t\ge2$": "the index t counts no array",
    r"$L_t\le c$": "less of the index t than an array that it counts",
    # Which names are integers.
    r"$\beta k\le d$ is an integer": "no name of which",
    r"$k+1\le d$ is an integer": "no name of which",
    r"$2k=d$ is an integer": "no name of which",
    r"$n<k<d$ is an integer": "no name of which",
    r"$1\le n\le k\le d$ is an integer": "no name of which",
    r"$n,k\ge1$ is an integer": "said of a list",
    r"$c>0$, $n,d\ge1$ are integers": "of which relations is ‘are integers’ said",
    r"$c\ge0$, $n,d\ge1$ are integers": "of which relations is ‘are integers’ said",
    r"$c>0$, $n\ge1$ are integers": "of which relations is ‘are integers’ said",
    r"$k\le\beta$ are integers": "of which names is ‘are integers’ said",
    r"$k\in[n,d]$ are integers": "no name of which",
    r"$1\le2k\le d$ are integers": "no name of which",
    r"$n=2k$ with integers $k$ and $c>0$": "begin a new sentence",
    r"$p_j\ge0$ for each $j$ are integers": "no name of which",
    # Remarks.
    r"$c\le\beta$ (for large $n$)": "is no remark that claims may have",
    r"at the limit: $c\le\beta$": "is no remark that claims may have",
    r"$c\le\beta$: roughly": "is no remark that claims may have",
    r"$c\le\beta$ (A3)": "is no remark that claims may have",
    r"$c\le\beta$, since n > 3": "is no remark: it says ‘>’",
    r"$c\le\beta$, since $x$ is odd": "is no remark: it says ‘odd’",
    r"$c\le\beta$, since $\{x>0\}$ holds": "is no remark: it has the relation",
    r"$c\le\beta$, since $x$ is smooth and $k$ is an integer": "is no remark: it says",
    # Quantifiers and indices.
    r"$L_j=1$ in each block": "needs one index that goes up to B",
    r"$L_j=1$ for each node": "needs one index that goes up to n",
    r"$W_{ij}=1$ for all coordinates": "needs one index that goes up to d",
    r"$W_{ij}=1$ for every $i,j$": "is not one expression",
    r"$k$ is an integer from 0 to $d,n$": "is not one expression",
    r"$L_K\ge0$": "cannot read on at ‘K’",
    r"$L_e\ge0$": "is a constant",
    r"$L_\pi\ge0$": "is a constant",
    r"$L_{2e}\ge0$": "is a constant",
    r"$L_{j+1}\ge L_j$": "the index j is shifted: write both ends behind the relation, as in for $1\\le j<d$",
    r"$L_{j+1}\ge L_j$ for $j<d$": "the index j is shifted",
    r"$L_{j+1}\ge L_j$ for $1\le j<i$": "the index j is shifted",
    r"$L_{j+1}\ge L_j$ for each $j$": "the index j is shifted",
    r"$L_{j+1}\ge L_j$ for $1\le j\le d$": "L has no entry at d + 1",
    r"$L_{j+1}\ge L_j$ for $0\le j<d$": "L has no entry at 0",
    r"$L_j\ge s_{j-1}$ for $0\le j<d$": "has no entry at",
    r"$L_{j+1}\ge L_j$ for $1\le j<d$, $c>0$": "of what is ‘for",
    r"$x\le v_1$ for all real $v_1$, $c>0$": "of what is ‘for",
    r"for all real $v_1$, $x\le v_1$": "of what is ‘for",
    r"$x\le c$ for all real $v_1$": "names no number of the relation",
    r"$x\le v_1$, $x\le c$ for all real $v_1$": "of what is ‘for",
    r"$x\le L_1$ for all real $L_1$": "names no entry of an array of one",
    r"$x\le c$ for all real $x$": "names no entry of an array of one",
    r"$x\le v_1$ for all real $v_1$ and $c>0$": "of what is ‘for",
    r"$\sum_jh_j\le c$ for every vector $h$, $c>0$": "of what is ‘for",
    r"$\sum_jh_j\le c$ for every vector $x$": "names no array of one index",
    r"$\sum_jW_{ij}\le c$ for every vector $W$": "names no array of one index",
    r"$\sum_jh_j\le c$ for every vector $h_j$": "names no array of one index",
    r"$\sum_jh_j\le c$ for every vector $L$": "names no number of the relation",
    r"$\sum_jh_j\le c$ for every $h$": "has no index that is free",
    r"$L_j\le h_i$ for $1\le i\le k\le d$": "names no index that is free",
    r"$L_j\le h_i$ for $1\le i\le j\le d\le n$": "no range of an index",
    r"$L_j\le h_i$ for $d\ge i\ge j\ge1$": "no range of an index",
    r"$L_j\le h_i$ for $1\le i\ne j\le d$": "no range of an index",
    r"$L_j\le h_j$ for $1\le j\le j\le d$": "bounds the index j by itself",
    r"$L_j\le a_j$ for $1\le j\le d$": "arrays of different sizes",
    r"$M_{-1,j}=1$": "M has no entry at -1",
    r"$M_{l0}=1$": "M has no entry at 0",
    r"$M_{l,d+1}=1$": "M has no entry at d + 1",
    r"$M_{l+1,j}=M_{lj}$ for $0\le l\le d$": "M has no entry at d + 1",
    r"$h_0=1$": "h has no entry at 0",
    r"$s_{-1}=1$": "s has no entry at -1",
    r"$a_4=1$": "a has no entry at 4",
    r"$h_{d+1}=1$": "h has no entry at d + 1",
    r"$h_{1/2}=1$": "h has no entry at 1/2",
    r"$L_j=0$ for all coordinates but $k$": "but",
    r"$c>0$ for all coordinates": "no index that is free",
    r"$c>0$ for $n\ge2$": "names no index that is free in what stands before it; where n is a variable",
    r"$L_j>0$ for $k\ge2$": "names no index that is free",
    r"$L_j,c>0$ for $j\le k$": "not free in each relation",
    r"$L_j>0$ for $j+1\le k$": "names no index that is free",
    r"$L_j>0$ for $j=k$": "no range of an index",
    r"$L_j>0$ for $j\in[1,k]$": "no index that is free",
    r"$L_j>0$ for $j\le0\le k$": "names no index that is free",
    r"$L_j>0$ for $j\le L_j$": "bounds the index j by itself",
    r"$L_j>0$ for $j\le\infty$": "no number|cannot read",
    r"$L_j>0$ for $j\le t$": "what is t",
    r"$L_j>0$, since $j$ runs over the good ones": "no remark: it says",
    r"$L_j>0$ for $j\ge0$": "beyond the entries that there are",
    r"$L_j>0$ for $j\le d+1$": "beyond the entries that there are",
    r"$c>0$, $L_j>0$ for $j\le k$": "of what is ‘for",
    r"$c>0$ and $L_j>0$ for $j\le k$": "of what is ‘for",
    r"$L_j>0$ for $j\le k$, $c>0$": "of what is ‘for",
    r"for $j\le k$, $L_j>0$": "of what is ‘for",
    r"$L_j>0$ for $j\le k$ for each $j$": "begin a new sentence",
    r"$u_iu_l=0$ for $i\le l$ and for $l\le i$": "begin a new sentence",
    r"$p_j\ge0$ are integers for $j\le k$": "of what is ‘for",
    r"$L_j>0$ for the first $k$ coordinates": "for the first",
    r"$L_j>0$ if $j\le k$": "if",
    r"$L_j>0$ for each $i$": "no index that is free",
    r"$c$, $x\ge0$": "of which nothing is said",
    r"$c,x$": "of which nothing is said",
    r"$L_j+1$": "is no relation",
    r"$2c>0$ is an integer": "no name of which ‘is an integer’ is said",
    "is an integer": "no name of which",
    r"$h_m=1$": "‘m’ is the name of a symbol that is written otherwise",
    r"$z=1$": "cannot read on at ‘z’",
    r"$c\sim\beta$": "cannot read on",
    r"$c\in\mathbb N$": "is no interval",
    r"$L_j=u_j$": "arrays of different sizes",
    r"$c={value:best}$": "has no place in a hypothesis",
    r"$\sum_{j:L_j\ge1}1=1$": "written as a formula",
    r"$L=1$": "needs an index",
    r"$\frac=1$": "not complete|ends too early",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_says_more_is_refused(words):
    with pytest.raises(ValueError, match="not well formed") as error:
        read(words)
    assert str(error.value).startswith(
        "claim 'sample/words' is not well formed: hypothesis 'said': write it in mathematics; cannot read"
    )
    assert any(part in str(error.value) for part in REFUSED[words].split("|"))


def test_every_hypothesis_that_cannot_be_read_is_named():
    with pytest.raises(ValueError, match=r"hypothesis 'first': .*; hypothesis 'third': "):
        claim(first=domain("one"), second=domain("$c>0$"), third=parameter("three", reference="a book"))


def test_written_formulas_stay():
    said = claim(steps=model("steps are positive", lt(0, h[j])), root=definition(r"$c=\beta$", eq(beta, c)))
    assert said.hypotheses["steps"].formula == lt(0, h[j])
    assert said.hypotheses["root"].formula == eq(beta, c)


def test_kind_words_and_reference_stay():
    item = claim(said=parameter(r"$c\le\beta$", reference="a book")).hypotheses["said"]
    assert item == Hypothesis("parameter", le(c, beta), r"$c\le\beta$", "a book")


# ---------------------------------------------------------------- hypotheses that have formulas in code


# ---------------------------------------------------------------- a claim whose words are edited


def edited(name, words):
    """`squant/sparse` with other words of one hypothesis, read again."""
    honest = theory.claim("squant/sparse")
    item = dataclasses.replace(honest.hypotheses[name], words=words, formula=())
    return dataclasses.replace(honest, hypotheses={**honest.hypotheses, name: item})


def test_read_again_the_words_give_the_same_claim():
    honest = theory.claim("squant/sparse")
    for name in ("probabilities", "diagonal", "norm", "largest", "spent", "optimal"):
        assert edited(name, honest.hypotheses[name].words).hypotheses == honest.hypotheses


@pytest.mark.parametrize(
    ("name", "words", "unproved"),
    [
        ("optimal", r"$p_j=\frac{2L_j}{L_j+c}$", {"optimum", "budget"}),
        ("spent", r"$\sum_jp_j\le2\tau$", {"lower"}),
        ("largest", r"$L_j(\frac1{p_j}-2)\le M$ for each $j$", {"constant", "lower"}),
    ],
)
def test_the_derivation_fails_under_an_edited_constant(name, words, unproved):
    assert unproved <= set(run(edited(name, words)).failed)


def test_the_derivation_of_the_honest_words():
    assert not run(theory.claim("squant/sparse")).failed


def test_an_array_counts_each_of_its_indices():
    assert [item.firsts for item in VARIABLES if item.symbol in (M, W, s, c)] == [(), (1, 1), (0,), (0, 1)]
    with pytest.raises(ValueError, match=r"first=\(0,\) needs an integer for each size of \(d, d\)"):
        _ = Variable(M, "M", r"\mathbb R^{d\times d}", "rows", "(d, d)", first=(0,)).firsts
