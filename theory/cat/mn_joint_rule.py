r"""`cat/mn-joint-rule`: how many entries n nodes should send, chosen for all of them (arXiv 2003.06377).

With the best step the guaranteed decrease is $\|\nabla F\|^4/(2LV)$, $V$ the second moment of the average. It
is not a sum over the nodes: for equal flat gradients the most efficient number of entries is about
$\sqrt{c_0d/((n-1)c_1)}$.

Derivation: the smoothness inequality, maximised over the step; the second moment of `cat/mn-strong` for equal
nodes with $\omega=T/d$; the reciprocal of the efficiency is a square in $T-T^\circ$ above its value at
$T^\circ$.
"""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Integer, Rational, Symbol, diff, sqrt

from theory.cat.mn_strong import SECOND_MOMENT, E, moments, omega
from theory.cat.mn_strong import G as SQUARE
from theory.cat.paper import PAPER
from theory.cat.symbols import (
    DIMENSION,
    ENTRY_COST,
    FIXED_COST,
    NODES,
    SIZE,
    SMOOTH,
    SMOOTHNESS,
    L,
    T,
    c_0,
    c_1,
    d,
    n,
)
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

G = Symbol("G", positive=True)
V = Symbol("V", positive=True)

_BOUND = G**2 / (2 * L * V)
_SHARE = n * T / (d + (n - 1) * T)
_EFFICIENCY = T / ((d + (n - 1) * T) * (c_0 + c_1 * T))
_FORMULAS = {
    "step": G / (L * V),
    "share": _SHARE,
    "efficiency": _EFFICIENCY,
    "optimum": sqrt(c_0 * d / ((n - 1) * c_1)),
    "gain": n * T * (c_0 + c_1 * d) / ((d + (n - 1) * T) * (c_0 + c_1 * T)),
}

_gamma = Symbol("gamma", nonnegative=True)
_F, _F_next = Symbol("F", real=True), Symbol("F_+", real=True)
_best = Symbol("T_o", positive=True)
_others = Symbol("m", positive=True)
_NODES = 3


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_decrease(stated), *moments(SECOND_MOMENT), *_flat(stated), *optimum_steps(stated))


def _decrease(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Certificate(
            "best-step",
            r"$\mathbb EF_+\le F-\gamma\|\nabla F\|^2+\frac{L\gamma^2}2V$; no step guarantees more than the "
            r"stated decrease,",
            _gamma * G - L * _gamma**2 / 2 * V,
            stated["bound"],
            (Term(1 / (2 * L * V), (G - L * V * _gamma) ** 2, "square of a real number"),),
        ),
        Certificate(
            "decrease",
            r"and the stated step guarantees it.",
            _F_next,
            _F - stated["bound"],
            (
                Term(
                    Integer(1),
                    _F - stated["step"] * G + L * stated["step"] ** 2 / 2 * V - _F_next,
                    "hypothesis: F is L-smooth, V is the second moment of an unbiased average",
                ),
            ),
        ),
    )


def _flat(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    equal: dict[Any, Any] = {n: _NODES, SQUARE: G, E: (G,) * _NODES, omega: (T / d,) * _NODES}
    return (
        Identity(
            "share",
            r"For equal nodes with the shares $\omega=\frac Td$ of flat gradients the decrease is the stated "
            r"part of $\frac1{2L}\|\nabla F\|^2$ (shown for three nodes),",
            stated["bound"].subs(V, instance(SECOND_MOMENT, equal)),
            stated["share"].subs(n, _NODES) * G / (2 * L),
        ),
        Identity(
            "efficiency",
            r"which is the stated efficiency per cost $n(c_0+c_1T)$ of all messages.",
            stated["share"] / (n * (c_0 + c_1 * T)),
            stated["efficiency"],
        ),
    )


def optimum_steps(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps for the most efficient number of entries."""
    # n - 1 = m > 0 other nodes; the fixed cost at which T_o is the optimum.
    fixed = {n: 1 + _others, c_0: _others * c_1 * _best**2 / d}
    efficiency = stated["efficiency"].subs(fixed)
    return (
        Identity(
            "stationary",
            r"The efficiency is stationary where $dc_0=(n-1)c_1T^2$:",
            diff(stated["efficiency"], T) * ((d + (n - 1) * T) * (c_0 + c_1 * T)) ** 2,
            d * c_0 - (n - 1) * c_1 * T**2,
        ),
        Identity(
            "optimum",
            r"that is at the stated optimum ($n=m+1$).",
            stated["optimum"].subs(n, 1 + _others) ** 2 * _others * c_1,
            d * c_0,
        ),
        Certificate(
            "largest",
            r"No other $T>0$ is more efficient: the reciprocal is a square above its value there "
            r"($c_0=(n-1)c_1T_o^2/d$, $n=m+1$).",
            1 / efficiency.subs(T, _best),
            1 / efficiency,
            (Term(_others * c_1 / T, (T - _best) ** 2, "square of a real number"),),
        ),
        Identity(
            "one-node",
            r"For $n=1$ the efficiency is that of one node, which grows with $T$ for $c_0>0$.",
            stated["efficiency"].subs(n, 1),
            T / (d * (c_0 + c_1 * T)),
        ),
        Identity(
            "gain",
            r"Against whole gradients it is better by the stated gain.",
            stated["efficiency"] / stated["efficiency"].subs(T, d),
            stated["gain"],
        ),
    )


_MUTANTS = (
    Mutant(
        "n-for-n-minus-one",
        r"Put $n$ for $n-1$ in the share and the optimum: 72 for 101 at $n=2$, $d=1024$, $c_0=10$.",
        ("exact",),
    ),
    Mutant(
        "local-as-joint",
        r"Take the best size of one node, $d$, for that of all nodes.",
        ("exact",),
    ),
    Mutant(
        "half-step",
        r"Take the step $\frac G{2LV}$ for $\frac G{LV}$: three quarters of the decrease.",
        ("exact",),
    ),
    Mutant(
        "no-half",
        r"Claim $\frac{G^2}{LV}$ for the decrease, twice what there is.",
        ("exact",),
    ),
    Mutant(
        "scaled-costs",
        "Multiply both costs by 3: no choice may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cat/mn-joint-rule",
    paper=PAPER,
    kind="tight",
    provenance="derived",
    title="How many entries several nodes should send",
    statement=(
        r"Let $\hat g$ be unbiased with $V=\mathbb E\|\hat g\|^2$. The step $\gamma=\frac{\|\nabla "
        r"F\|^2}{LV}$ guarantees $$F(x)-\mathbb EF(x-\gamma\hat g)\ge\frac{\|\nabla F\|^4}{2LV},$$ with "
        r"equality on $\frac L2\|x\|^2$, and no step guarantees more. For $n$ equal nodes with flat "
        r"gradients that keep $T$ of $d$ entries this is $\frac{nT}{d+(n-1)T}\cdot\frac{\|\nabla "
        r"F\|^2}{2L}$; at the cost $n(c_0+c_1T)$ it is most efficient at "
        r"$T^\circ=\sqrt{\frac{c_0d}{(n-1)c_1}}$, so the best whole number of entries is one of the two next "
        r"to $T^\circ$, at least 1 and at most $d$ (and $d$ for $n=1$, $c_0>0$)."
    ),
    variables=(
        DIMENSION,
        NODES,
        SIZE,
        SMOOTHNESS,
        FIXED_COST,
        ENTRY_COST,
        Variable(G, r"\mathbb R_{>0}", r"$\|\nabla F(x)\|^2$"),
        Variable(V, r"\mathbb R_{>0}", r"second moment $\mathbb E\|\hat g\|^2$"),
    ),
    assumptions=(
        SMOOTH,
        r"The nodes draw independently; equal nodes have $\nabla f_i=\nabla F$ with entries of equal size.",
        r"Every node pays $c_0+c_1T$.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "two nodes, d = 2, one entry: two thirds of the decrease of whole gradients",
            {"n": 2, "T": 1, "d": 2},
            Rational(2, 3),
        ),
        WorstCase(
            "sixteen nodes, d = 1024, a fixed cost of ten entries: 26 entries gain 8.45",
            {"n": 16, "T": 26, "d": 1024, "c_0": 10, "c_1": 1},
            Rational(16 * 26 * 1034, 1414 * 36),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
