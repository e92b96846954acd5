r"""`cat/finding-local-topk-diverges`: CAT-S on every node can diverge for every step (arXiv 2003.06377).

CAT-S tunes the largest entries on one node. Used on each of several nodes, with a plain mean at the server,
it has no guarantee: on three quadratics it runs away from the solution for every step size, while gradient
descent and unbiased entries (CAT-ST, `cat/mn-strong`) converge.

Derivation: the growth of `cat/mn-topk-diverges`; the objective is a multiple of the square of the point.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, symbols

from theory.cat.mn_topk_diverges import CLAIM as DIVERGES
from theory.cat.mn_topk_diverges import NODES_OF_EXAMPLE, growth_steps, threshold_steps
from theory.cat.paper import PAPER
from theory.cat.symbols import ITERATIONS, STEP_SIZE, K, gamma
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

_EXACT = (1 + Rational(11, 6) * gamma) ** (2 * K)
_FORMULAS = {"threshold": Rational(40, 81), "gradient_descent": (1 - Rational(7, 6) * gamma) ** (2 * K)}

_t = Symbol("t", positive=True)
_x = symbols("x_1:4", real=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    point = DIVERGES.expressions["exact"]

    def objective(length: Expr) -> Expr:
        nodes = (
            (sum((a * length * _t for a in vector), Integer(0))) ** 2 + 3 * (length * _t) ** 2 / 4
            for vector in NODES_OF_EXAMPLE
        )
        return sum(nodes, Integer(0)) / 3

    rounds = tuple(
        Identity(
            f"objective-{name}",
            r"$F(st\mathbf 1)=\frac74s^2t^2$, so the objective is multiplied by the square of what the point "
            r"is multiplied by: the stated factor (shown for one round).",
            objective(factor),
            stated[name].subs(K, 1) * objective(Integer(1)),
        )
        for name, factor in (("exact", point.subs(K, 1)), ("gradient_descent", 1 - Rational(7, 6) * gamma))
    )
    return (
        *growth_steps(DIVERGES.expressions),
        *threshold_steps(stated),
        *rounds,
        Certificate(
            "for-every-step",
            r"Whatever the step, it grows by $1+\frac{11}3\gamma$ at least in a round.",
            1 + Rational(11, 3) * gamma,
            stated["exact"].subs(K, 1),
            (Term(Rational(121, 36), gamma**2, "square of a real number"),),
        ),
    )


_MUTANTS = (
    Mutant(
        "unbiased-entries",
        r"Let the nodes keep entries at random, CAT-ST: no growth.",
        ("exact", "run"),
    ),
    Mutant(
        "large-fixed-cost",
        r"Raise the fixed cost to $\frac34$ of that of an entry, above $\frac{40}{81}$: all entries are "
        r"sent, and it is gradient descent.",
        ("exact", "run"),
    ),
    Mutant(
        "largest-fall",
        r"Claim that the largest entries fall with the short step, where random ones do.",
        ("exact",),
    ),
    Mutant(
        "largest-as-whole",
        r"Claim the first round of gradient descent for the largest entries.",
        ("exact",),
    ),
    Mutant(
        "scaled-start",
        "Multiply the start by 4: nothing may change.",
        ("exact", "run"),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cat/finding-local-topk-diverges",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="CAT-S on every node can diverge for every step",
    statement=(
        r"Read as a rule for several nodes, each of which sends its most efficient number of largest entries "
        r"to a server that takes the mean, CAT-S has no guarantee. For three nodes with $f_i=\langle "
        r"a_i,x\rangle^2+\frac14\|x\|^2$, $a_i$ the permutations of $(-3,2,2)$ with $-3$ in place $i$, a "
        r"start $x_0=t\mathbf 1$ and $\frac{c_0}{c_1}\le\frac{40}{81}$ every node sends one entry in every "
        r"round and $$F(x_K)=(1+\tfrac{11}6\gamma)^{2K}F(x_0),$$ whatever the step $\gamma>0$: shorter steps "
        r"or more rounds do not help. What holds instead: on one node CAT-S decreases (`cat/s-descent`); on "
        r"several nodes unbiased entries do in the mean, CAT-ST (`cat/mn-strong`), and so does gradient "
        r"descent, $F(x_K)=(1-\frac76\gamma)^{2K}F(x_0)$ here, which CAT-S is for "
        r"$\frac{c_0}{c_1}>\frac{40}{81}$."
    ),
    variables=(ITERATIONS, STEP_SIZE),
    assumptions=(
        "Every node applies CAT-S to its own gradient, without memory of what it left out, and the server "
        "takes the plain mean.",
        "Among equal efficiencies the smallest number of entries is taken.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"the step $\frac1L=\frac6{103}$: the objective grows by 1.225 in a round",
            {"gamma": Rational(6, 103), "K": 1},
            Rational(114, 103) ** 2,
        ),
        WorstCase("a step of 1 percent of it, a hundred rounds", {"gamma": Rational(6, 10300), "K": 100}),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
