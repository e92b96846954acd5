r"""`cq_marina/finding-sign-magnitude`: the sign must be inside the grid (arXiv 2401.05518).

If the shared thresholds are applied to $|a_j|/r$ and the sign is multiplied afterwards, two clients with
opposite inputs $a$ and $-a$, $r=\|a\|$, $\rho_j=\min(t_j,1-t_j)$, $t_j=|a_j|/r$, have
$$V=\frac{r^2}2\sum_j\rho_j,\qquad V_{IQ}=\frac{r^2}2\sum_j\rho_j(1-\rho_j),\qquad
V_{CQ}=\frac{r^2}2\sum_j\rho_j(1-2\rho_j).$$

Derivation: the coefficients of the bits are $r$ and $-r$, so the covariance of `cq_marina/cq-1d-exact`,
which is $\le0$, enters with the opposite sign.
"""

from collections.abc import Mapping

from sympy import Expr, IndexedBase, Integer, Min, Rational, Sum, Symbol, symbols

from theory.cq_marina.cq_1d_exact_cells import Cells
from theory.cq_marina.cq_1d_exact_formulas import EXACT
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import DIMENSION, EXACT_REALS, STRATIFIED, c, d, i, j, n, y
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.summation import SUMMATION

x = IndexedBase("x", real=True)
r = Symbol("r", positive=True)

_LEVEL = abs(x[j]) / r
_NEAREST = Min(_LEVEL, 1 - _LEVEL)


def _total(term: Expr) -> Expr:
    return r**2 / 2 * Sum(term, (j, 0, d - 1))


_EXACT = _total(_NEAREST)
_FORMULAS = {
    "independent": _total(_LEVEL * (1 - _LEVEL)),
    "correlated": _total(_NEAREST * (1 - 2 * _NEAREST)),
}

# Both clients have the level t, in cell 0 or 1 of two clients.
_BELOW, _ABOVE = Cells((0, 0)), Cells((1, 1))
_APART = Cells((0, 1))
_ps = symbols("p_1:3", nonnegative=True)


_INDEPENDENT = Sum(c[i] ** 2 * y[i] * (1 - y[i]), (i, 0, n - 1))


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    steps: list[Step] = []
    for name, cells in (("below", _BELOW), ("above", _ABOVE)):
        level = cells.inputs[0]
        opposite = {y: (level, level), c: (r, -r)}
        steps += [
            Identity(
                f"opposite-signs-{name}-half",
                r"With $U<|a_j|/r$ and the signs outside, the two bits have chance $t$ each and coefficients "
                rf"$\pm r$: a quarter of their variance is the stated one (level {name} one half).",
                cells.write_out(EXACT.formulas["pairwise"], opposite) / 4,
                _at(stated["exact"], (level,)),
            ),
            Identity(
                f"independent-{name}-half",
                r"Independent thresholds give the stated $V_{IQ}$, whatever the signs.",
                cells.write_out(_INDEPENDENT, opposite) / 4,
                _at(stated["independent"], (level,)),
            ),
        ]
    lower, _ = _APART.inputs
    above = {_APART.fractions[1]: 1 - _APART.fractions[0]}
    return (
        *steps,
        Identity(
            "sign-inside",
            r"With the sign inside the grid the levels are $0$, $r$ and $-r$, $0$ with the chances $t$ and "
            r"$1-t$, in different cells, and both coefficients are $r$: the stated $V_{CQ}$ (for "
            r"$t\le\frac12$, else the clients change places).",
            (_APART.write_out(EXACT.formulas["pairwise"], {c: (r, r)}) / 4).xreplace(above),
            _at(stated["correlated"], (lower,)),
        ),
        *(
            Certificate(
                name,
                rf"{text}: the difference is $\frac{{r^2}}2\sum_j\rho_j^2$ (shown for two coordinates, one "
                "level below and one above one half; in every dimension by `summation`).",
                _at(stated[smaller], _levels()),
                _at(stated[larger], _levels()),
                tuple(Term(r**2 / 2, nearest**2, "square of a real number") for nearest in _ps),
            )
            for name, text, smaller, larger in (
                ("worse-than-independent", r"$V_{IQ}\le V$", "independent", "exact"),
                ("better-with-the-sign-inside", r"$V_{CQ}\le V_{IQ}$", "correlated", "independent"),
            )
        ),
        SUMMATION,
    )


def _levels() -> tuple[Expr, ...]:
    """Return one level at the distance p below one half and one above it: 1 - p is the level there."""
    return _ps[0], 1 - _ps[1]


def _at(formula: Expr, levels: tuple[Expr, ...]) -> Expr:
    """Return a formula at the vector of these levels times r; which of t and 1 - t is smaller is known."""
    written = instance(formula, {x: tuple(r * t for t in levels), d: len(levels)})
    rules = {}
    for t in levels:
        # The levels below one half are p or alpha/2, those above it 1 - p or (1 + alpha)/2.
        below = t.subs({symbol: Rational(1, 4) for symbol in t.free_symbols}) < Rational(1, 2)
        rules[Min(t, 1 - t)] = t if below else 1 - t
    return written.xreplace({abs(t): t for t in levels}).xreplace(rules)


_ONES = {"x": (1,) * 4, "r": 2, "d": 4}

CLAIM = Claim(
    id="cq_marina/finding-sign-magnitude",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="With the sign outside the grid, correlated quantization is worse than independent",
    statement=(
        r"Read as sign and magnitude, with the shared threshold applied to $|a_j|/r$ and the sign multiplied "
        r"afterwards, correlated quantization on $\{-r,0,r\}$ can be worse than independent quantization: "
        r"the covariances of opposite signs become positive. Two clients with $a_1=-a_2=x$, $r=\|x\|$, have "
        r"with $t_j=|x_j|/r$, $\rho_j=\min(t_j,1-t_j)$ $$V=\frac{r^2}2\sum_j\rho_j\ \ge\ "
        r"V_{IQ}=\frac{r^2}2\sum_j\rho_j(1-\rho_j)\ \ge\ V_{CQ}=\frac{r^2}2\sum_j\rho_j(1-2\rho_j).$$ At "
        r"$x=(1,1,1,1)$ these are 4, 2 and 0. What holds instead: with the sign inside the grid, "
        r"$Q=r(\lfloor a_j/r\rfloor+\mathbf 1[U<\{a_j/r\}])$, correlated quantization is never worse "
        r"(`cq_marina/cq-dominates-iq`)."
    ),
    variables=(
        Variable(x, r"\mathbb R^d", r"input of the first client; the second has $-x$", "(d,)"),
        Variable(r, r"\mathbb R_{>0}", r"norm $r=\|x\|_2$"),
        DIMENSION,
    ),
    assumptions=(
        STRATIFIED,
        "Ternary grid; two clients in the formulas, more in the numbers checked.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("all ones against all minus ones: 4, twice the independent variance", _ONES, Integer(4)),
        WorstCase(
            "one coordinate carries all: no variance at all", {"x": (3, 0), "r": 3, "d": 2}, Integer(0)
        ),
    ),
    mutants=(
        Mutant(
            "sign-inside-grid",
            "Put the sign inside the grid, as the compressor is defined: no variance is left at all ones.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "equal-signs",
            "Give both clients the same input: then the covariances are negative again.",
            ("exact",),
        ),
        Mutant(
            "permuted-coordinates",
            "Take the coordinates in another order: nothing may change.",
            ("exact",),
            neutral=True,
        ),
    ),
    exact=_EXACT,
    formulas=_FORMULAS,
)
