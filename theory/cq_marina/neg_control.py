r"""`cq_marina/neg-control`: where correlation cannot help (arXiv 2401.05518).

$A_1=nLI$ and $A_i=0$ else: only one client has a nonzero difference, so correlated and independent quantizers
have the same law, and both rates the same $\mathcal X=(d-1)L^2$.

Derivation: the constants of the family; the second branch of $\mathcal X_{CQ}$ is never below $(d-1)L^2$;
with one nonzero input the thresholds of the others do not matter.
"""

from collections.abc import Mapping

from sympy import Expr, IndexedBase, Integer, Max, Min, Rational, Symbol, symbols

from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, DIMENSION, EXACT_REALS, L_plus, L_pm, d, n
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.two_point_law import expectation

L = Symbol("L", positive=True)
r = Symbol("r", nonnegative=True)
B = Symbol("B", nonnegative=True)
a = IndexedBase("a", real=True)

_a = symbols("a_1:4", real=True)
_y = Symbol("y", nonnegative=True)
# n = 2 + t, d = 1 + s: every n >= 2, d >= 1.
_t, _s = symbols("t s", nonnegative=True)
_SIZES = {n: 2 + _t, d: 1 + _s}
_u, _v, _x = symbols("u v x", real=True)

_INDEPENDENT = (d - 1) / n * L_plus**2
_CORRELATED = d / n**2 * L_plus**2 + B * L_pm**2
_B = Max((n - 2) / (2 * (n - 1)), d / n - 1 / (n - 1))
_EXACT = (d - 1) * r**2 / n**2
_FORMULAS = {
    "L_plus_sq": n * L**2,
    "L_pm_sq": (n - 1) * L**2,
    "B": _B,
    "X_independent": _INDEPENDENT,
    "X_correlated": Min(_INDEPENDENT, _CORRELATED),
    "X": (d - 1) * L**2,
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    squares = {L_plus: Symbol("P", nonnegative=True), L_pm: Symbol("Q", nonnegative=True)}
    values = {squares[L_plus] ** 2: stated["L_plus_sq"], squares[L_pm] ** 2: stated["L_pm_sq"]}
    branches = stated["X_correlated"].xreplace(squares).args
    (first,) = [branch for branch in branches if not branch.has(squares[L_pm])]
    (second,) = [branch for branch in branches if branch.has(squares[L_pm])]
    smaller_B, larger_B = sorted(stated["B"].args, key=lambda part: part.has(d))
    one_of_B = Symbol("B", nonnegative=True)
    return (
        Identity(
            "mean-square",
            r"$\frac1n\sum_i\|A_ix\|^2=\frac1n(nL)^2\|x\|^2$: the stated $L_+^2$ (one coordinate).",
            (n * L * _x) ** 2 / n,
            stated["L_plus_sq"] * _x**2,
        ),
        Identity(
            "hessian-variance",
            r"Less $\|\bar Ax\|^2=L^2\|x\|^2$: the stated $L_\pm^2$.",
            (n * L * _x) ** 2 / n - (L * _x) ** 2,
            stated["L_pm_sq"] * _x**2,
        ),
        Identity(
            "independent",
            r"$\mathcal X_{IQ}=\frac{d-1}nL_+^2$ is the stated $(d-1)L^2$.",
            stated["X_independent"].xreplace(squares).subs(values),
            stated["X"],
        ),
        Identity(
            "first-branch",
            r"So is the first branch of $\mathcal X_{CQ}$.",
            first.subs(values),
            stated["X"],
        ),
        Identity(
            "second-branch",
            r"With $B=\frac dn-\frac1{n-1}$ the second branch is $(d-1)L^2$, too.",
            second.subs(values).subs(one_of_B, larger_B),
            stated["X"],
        ),
        Identity(
            "third-branch",
            r"With $B=\frac{n-2}{2(n-1)}$ the second branch is $(\frac dn+\frac n2-1)L^2$.",
            second.subs(values).subs(one_of_B, smaller_B),
            (d / n + n / 2 - 1) * L**2,
        ),
        Certificate(
            "no-smaller-branch",
            r"As $B$ is the larger one of the two, the second branch is at least $(d-1)L^2$: $\mathcal "
            r"X_{CQ}=\mathcal X_{IQ}$ (shown with $n=2+t$, $d=1+s$).",
            stated["X"].subs(_SIZES),
            second.subs(values).subs(_SIZES),
            (
                Term(
                    ((n - 1) * L**2).subs(_SIZES),
                    (one_of_B - larger_B).subs(_SIZES),
                    "hypothesis: B is the larger one of its two branches",
                ),
            ),
        ),
        Identity(
            "one-bit",
            r"One nonzero client: its bit has the probability $y$ whatever permutation is drawn, since "
            r"$U$ is uniform, and the others send 0. Variance of $r(2b-1)/n$, with $2y-1=a/r$.",
            expectation(lambda bit: (r * (2 * bit - 1) / n - r * (2 * _y - 1) / n) ** 2, _y),
            (r**2 - (r * (2 * _y - 1)) ** 2) / n**2,
        ),
        Identity(
            "all-bits",
            r"Over the coordinates $\sum_j(r^2-a_j^2)=(d-1)r^2$ with $r^2=\sum_ja_j^2$: the stated variance "
            r"of both (shown for three coordinates; each adds the same terms).",
            sum((sum(b**2 for b in _a) - item**2) / n**2 for item in _a),
            stated["exact"].subs({d: 3, r**2: sum(b**2 for b in _a)}),
        ),
    )


_MUTANTS = (
    Mutant(
        "claimed-advantage",
        r"$V_{CQ}=\frac d{n^2}M$, the value for equal inputs, where only one client has an input.",
        ("exact",),
    ),
    Mutant(
        "zero-variance-step",
        r"The step for $\mathcal X=\frac d{n^2}L_-^2$, as if $L_\pm=0$: at $n=4$, $d=8$, $p=0.1$ the run "
        r"diverges, more than $10^6$ times the bound by $T=100$.",
        ("exact", "run"),
    ),
    Mutant(
        "equal-norms",
        r"Unit vectors in all directions: $L_\pm$ is as large, but correlation does help.",
        ("exact",),
    ),
    Mutant(
        "other-client",
        r"Another client is the one with the nonzero input: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cq_marina/neg-control",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="Negative control: one client with all the curvature, where correlation has no effect",
    statement=(
        r"Let $A_1=nLI$ and $A_i=0$ for $i\ge2$, $n\ge2$. Then $L_-=L$, $L_+^2=nL^2$, $L_\pm^2=(n-1)L^2$. "
        r"Only one client has a nonzero gradient difference, so correlated and independent one-bit "
        r"quantizers have the same law: with $r=\|a_1\|$ both have $\mathbb E\|\hat g-\bar "
        r"a\|^2=\frac{d-1}{n^2}r^2$. The constants of the rates agree as well, $$\mathcal "
        r"X_{CQ}=\min\Big\{\frac{d-1}nL_+^2,\frac d{n^2}L_+^2+BL_\pm^2\Big\}=\frac{d-1}nL_+^2=\mathcal "
        r"X_{IQ}=(d-1)L^2,\qquad B=\max\Big\{\frac{n-2}{2(n-1)},\frac dn-\frac1{n-1}\Big\}.$$ An advantage "
        r"of correlation that a check reports here is an error of that check. A large $L_\pm$ alone is no "
        r"such control: with equal norms correlation helps."
    ),
    variables=(
        CLIENTS,
        DIMENSION,
        Variable(L, r"\mathbb R_{>0}", r"$L_-$, the Lipschitz constant of $\nabla f$"),
        Variable(L_plus, r"\mathbb R_{\ge0}", r"$L_+$"),
        Variable(L_pm, r"\mathbb R_{\ge0}", r"$L_\pm$"),
        Variable(B, r"\mathbb R_{\ge0}", "the constant $B$ of the correlated quantizer"),
        Variable(r, r"\mathbb R_{\ge0}", r"norm of the only nonzero input $a_1$"),
    ),
    assumptions=(
        r"$n\ge2$; binary grid $\{-r,r\}$, a zero input is sent as zero.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"$n=4$, $d=8$, $L=1$: $\mathcal X=7$ for both, where $\frac d{n^2}L_-^2=\frac12$",
            {"n": 4, "d": 8, "L": 1},
            Integer(7),
        ),
        WorstCase(
            r"$n=3$, $a_1=(2,3,6)$, norm 7: variance $\frac{98}9$",
            {"n": 3, "d": 3, "r": 7},
            Rational(98, 9),
        ),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
