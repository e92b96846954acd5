r"""`cat/finding-local-rule`: the best size of one node is not that of several (arXiv 2003.06377).

Each node that maximises its own $\omega/C$ ignores that the average divides the noise by n. For equal flat
gradients it sends everything as soon as messages have a fixed cost, and loses a factor of up to n.

Derivation: the efficiency of one node grows with T; the efficiency of all at its maximum, from
`cat/mn-joint-rule`, over that of whole gradients; Cauchy's inequality for the factor n.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, sqrt

from theory.cat.mn_joint_rule import CLAIM as JOINT
from theory.cat.mn_joint_rule import optimum_steps
from theory.cat.paper import PAPER
from theory.cat.symbols import DIMENSION, ENTRY_COST, FIXED_COST, NODES, SIZE, T, c_0, c_1, d, n
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

_EXACT = n * (c_0 + c_1 * d) / (sqrt(c_1 * d) + sqrt((n - 1) * c_0)) ** 2
_LOCAL = T / (d * (c_0 + c_1 * T))

# Roots of c_0, c_1 d and n - 1, so that all steps are polynomial.
_u, _v, _w = (Symbol(name, positive=True) for name in ("u", "v", "w"))
_more = Symbol("s", nonnegative=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    local = stated["local"]
    rooted = {c_0: _u**2, c_1: _v**2 / d, n: 1 + _w**2}
    whole = _u**2 + _v**2
    best = d * _u / (_v * _w)
    return (
        *optimum_steps(JOINT.expressions),
        Identity(
            "local",
            r"One node alone sees the stated efficiency, $\omega/C$ with $\omega=\frac Td$.",
            local * d * (c_0 + c_1 * T),
            T,
        ),
        Certificate(
            "local-grows",
            r"It grows with $T$, strictly for $c_0>0$, so one node picks $d$ (shown for $T$ and $T+s$).",
            local,
            local.subs(T, T + _more),
            (
                Term(
                    _more / (d * (c_0 + c_1 * T) * (c_0 + c_1 * (T + _more))),
                    c_0,
                    "nonnegative by definition",
                ),
            ),
        ),
        Identity(
            "optimum-in-roots",
            r"With $c_0=u^2$, $c_1d=v^2$, $n-1=w^2$ the optimum of all nodes is $\frac{du}{vw}$,",
            JOINT.expressions["optimum"].xreplace(rooted),
            best,
        ),
        Identity(
            "loss",
            r"where they gain the stated factor over whole gradients.",
            JOINT.expressions["gain"].xreplace(rooted).subs(T, best),
            stated["exact"].xreplace(rooted),
        ),
        Certificate(
            "at-most-n",
            r"It is at most $n$,",
            stated["exact"].xreplace(rooted),
            1 + _w**2,
            (
                Term(
                    (1 + _w**2) / (_v + _w * _u) ** 2,
                    (_v + _w * _u) ** 2 - whole,
                    "hypothesis: there are at least two nodes, so w is at least 1",
                ),
            ),
        ),
        Certificate(
            "at-least-one",
            r"and at least 1, with equality iff $c_0=(n-1)c_1d$.",
            Integer(1),
            stated["exact"].xreplace(rooted),
            (Term(1 / (_v + _w * _u) ** 2, (_w * _v - _u) ** 2, "square of a real number"),),
        ),
    )


_MUTANTS = (
    Mutant("one-node", r"Take $n=1$: nothing is lost there.", ("exact",)),
    Mutant(
        "local-agrees",
        r"Claim that the nodes' own choice is at most twice worse than the joint one.",
        ("exact",),
    ),
    Mutant(
        "large-fixed-cost",
        r"Take $c_0=(n-1)c_1d$: there $T^\circ=d$, and nothing is lost.",
        ("exact",),
    ),
    Mutant(
        "scaled-gradient",
        "Multiply the gradients by 8: no choice may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cat/finding-local-rule",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="The most efficient size of one node is not that of several",
    statement=(
        r"Read as a rule for $n$ nodes, each of which maximises its own $\omega_i/C$, tuning by guaranteed "
        r"decrease per cost does not maximise the decrease per cost of all of them. For equal flat gradients "
        r"the nodes' own efficiency $\frac T{d(c_0+c_1T)}$ grows with $T$, so each sends its whole gradient "
        r"for every $c_0>0$. The most efficient size of all is $T^\circ=\sqrt{c_0d/((n-1)c_1)}$ "
        r"(`cat/mn-joint-rule`), and there they would gain, as far as $T^\circ$ may be taken, $$\frac{n(c_0+"
        r"c_1d)}{\big(\sqrt{c_1d}+\sqrt{(n-1)c_0}\big)^2}\le n,$$ for $n=16$, $d=1024$, $c_0=10c_1$ the "
        r"factor 8.45 with 26 entries. What holds instead: the joint rule, which needs to know $n$ and the "
        r"noise of the other nodes; for $n=1$ both agree."
    ),
    variables=(DIMENSION, NODES, SIZE, FIXED_COST, ENTRY_COST),
    assumptions=(
        r"Equal nodes with entries of equal size, each of which keeps $T$ of its $d$ entries at random, in "
        r"the mean; a message costs $c_0+c_1T$.",
        r"$n\ge2$ and $T^\circ\in[1,d]$ where the loss is stated.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, {"local": _LOCAL})),
    worst_cases=(
        WorstCase(
            "five nodes, a fixed cost of one entry, d = 64: 3.25 at four entries",
            {"n": 5, "d": 64, "c_0": 1, "c_1": 1},
            Rational(13, 4),
        ),
        WorstCase(
            "efficiency of a node that sends 4 of 64 entries there",
            {"T": 4, "d": 64, "c_0": 1, "c_1": 1},
            Rational(1, 80),
        ),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas={"local": _LOCAL},
)
