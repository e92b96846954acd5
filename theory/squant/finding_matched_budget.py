r"""`squant/finding-matched-budget`: the gain of order min(n, d) is an artefact of the matched budget.

About arXiv 2106.03524 (derived here). With each method at its own best budget varying steps gain
$$\Big(\frac{\sqrt{32}+\sqrt{2\kappa d\rho}}{\sqrt{32}+\sqrt{2\kappa\nu_{\rm tr}\rho}}\Big)^2=\Theta(d)$$
whatever $n$; $n$ blocks gain of order $\min(n,d/n)$; similar nodes ($\rho=1/n$) allow $O(\max(1,d/n))$.

Derivation: the ratios are those of the best costs of `squant/gain-optimal` at $c=dL_{\max}$, $\nu_{\rm
tr}L_{\max}$ and $\nu_BL_{\max}d/n$. Each bound is a difference of squares, or drops a nonnegative term.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, sqrt, symbols

from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.squant.dcgd_derivation import L
from theory.squant.gain_optimal import OLD as OPTIMAL
from theory.squant.gain_optimal import a, c, kappa
from theory.squant.gain_vary import OLD as VARY
from theory.squant.gain_vary import nu_tr, rho
from theory.squant.paper import PAPER
from theory.squant.symbols import d, n

nu_B = Symbol("nu_B", positive=True)

# Square roots: of d, n, the nu and L, and r with r^2 = 2 kappa rho.
_e, _m, _v, _r, _ell = symbols("q_d q_n q_nu r q_L", positive=True)
_SQUARES = {d: _e**2, n: _m**2, nu_tr: _v**2, nu_B: _v**2, kappa: _r**2 / (2 * rho)}
_s = sqrt(32)
_STD, _VARY, _BLOCK = _s + _r * _e, _s + _r * _v, _s * _m + _r * _v * _e / _m

_NUMERATOR = sqrt(32) + sqrt(2 * kappa * d * rho)
_GAIN = (_NUMERATOR / (sqrt(32) + sqrt(2 * kappa * nu_tr * rho))) ** 2
_FORMULAS = {
    "gain_vary": _GAIN,
    "gain_block": (_NUMERATOR / (sqrt(32 * n) + sqrt(2 * kappa * nu_B * rho * d / n))) ** 2,
    "vary_lower": 2 * kappa * rho * d / (sqrt(32) + sqrt(2 * kappa * nu_tr * rho)) ** 2,
    "vary_upper": d,
    "similar_upper": 2 + kappa * d / (8 * n),
    "block_lower_wide": 2 * kappa * rho * n / (sqrt(32) + sqrt(2 * kappa * nu_B * rho)) ** 2,
    "block_lower_narrow": 2 * kappa * rho * (d / n) / (sqrt(32) + sqrt(2 * kappa * nu_B * rho)) ** 2,
    "block_upper_norms": _NUMERATOR**2 / (32 * n),
    "block_upper_steps": n * _NUMERATOR**2 / (2 * kappa * nu_B * rho * d),
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_gains(stated), *_vary(stated), *_block(stated))


def _at_squares(expression: Expr, *more: tuple[Symbol, Expr]) -> Expr:
    for old, new in (*more, *_SQUARES.items()):
        expression = expression.subs(old, new)
    return expression


def _gains(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    best, largest = OPTIMAL.formulas["best_cost"], rho * n * L

    def cost(norms: Expr, constant: Expr) -> Expr:
        return _at_squares(best, (a, 32 * norms), (c, constant), (L, _ell**2))

    std = cost(Integer(1), d * largest)
    return (
        *(
            Identity(
                name,
                r"The stated gain is the ratio of the best costs with one norm each, $c_{\rm std}=dL_{\max}$ "
                r"and $c_{\rm vary}=\nu_{\rm tr}L_{\max}$, $L_{\max}=\rho nL$ (all quantities written as "
                r"squares, $2\kappa\rho=r^2$).",
                _at_squares(stated[key]),
                std / cost(Integer(1), nu_tr * largest),
            )
            for name, key in (("gain-vary", "gain_vary"), ("exact", "exact"))
        ),
        Identity(
            "gain-block",
            r"The stated gain is the ratio of the best costs with one norm and $n$ norms, $c_{\rm "
            r"block}=\nu_BL_{\max}d/n$.",
            _at_squares(stated["gain_block"]),
            std / cost(n, nu_B * largest * d / n),
        ),
    )


def _vary(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    gain = _at_squares(stated["gain_vary"])
    factor = (_e * _VARY + _STD) / _VARY**2
    similar = {rho: 1 / n}
    root = {kappa: n * _r**2 / 2}
    return (
        Certificate(
            "vary-lower",
            r"The gain is at least the stated multiple of $d$: drop $\sqrt{32}$ in the numerator.",
            _at_squares(stated["vary_lower"]),
            gain,
            (Term(1 / _VARY**2, _s**2 + 2 * _s * _r * _e, "nonnegative by its form"),),
        ),
        Certificate(
            "vary-upper",
            r"The gain is at most the stated $d$, since $\nu_{\rm tr}\ge1$ and $d\ge1$.",
            gain,
            _at_squares(stated["vary_upper"]),
            (
                Term(factor * _s, _e - 1, "hypothesis: d is at least 1, and so is its root"),
                Term(factor * _r * _e, _v - 1, "hypothesis: nu_tr is at least 1, and so is its root"),
            ),
        ),
        Certificate(
            "similar-upper",
            r"For $\rho=1/n$ the gain is at most the stated bound: drop the second term of the denominator, "
            r"and $(1+y)^2\le2+2y^2$.",
            _at_squares(stated["gain_vary"].subs(similar).subs(root)),
            _at_squares(stated["similar_upper"].subs(root)),
            (
                Term(Integer(1), (1 - _r * _e / _s) ** 2, "square of a real number"),
                Term(
                    _STD**2 / (_s * _VARY) ** 2,
                    2 * _s * _r * _v + _r**2 * _v**2,
                    "nonnegative by its form",
                ),
            ),
        ),
    )


def _block(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    gain = _at_squares(stated["gain_block"])
    # Differences of squares: the sum of both roots over both denominators.
    wide = (_STD * _VARY + _r * _m * _BLOCK) / (_BLOCK * _VARY) ** 2
    narrow = (_STD * _VARY + _r * _e / _m * _BLOCK) / (_BLOCK * _VARY) ** 2
    rest = _s**2 + _s * _r * _v
    return (
        Certificate(
            "block-lower-wide",
            r"For $d\ge n^2$ the gain is at least the stated multiple of $n$.",
            _at_squares(stated["block_lower_wide"]),
            gain,
            (
                Term(wide, rest, "nonnegative by its form"),
                Term(wide * _r * _s, _e - _m**2, "hypothesis: d is at least n^2"),
            ),
        ),
        Certificate(
            "block-lower-narrow",
            r"For $d\le n^2$ the gain is at least the stated multiple of $d/n$.",
            _at_squares(stated["block_lower_narrow"]),
            gain,
            (
                Term(narrow, rest, "nonnegative by its form"),
                Term(narrow * _r**2 * _v * _e / _m**2, _m**2 - _e, "hypothesis: d is at most n^2"),
            ),
        ),
        Certificate(
            "block-upper-norms",
            r"The norms alone cost $\sqrt{32n}$: the gain is at most the stated bound, $O(d/n)$.",
            gain,
            _at_squares(stated["block_upper_norms"]),
            (
                Term(
                    _STD**2 / (_s * _m * _BLOCK) ** 2,
                    (_r * _v * _e / _m) ** 2 + 2 * _s * _r * _v * _e,
                    "nonnegative by its form",
                ),
            ),
        ),
        Certificate(
            "block-upper-steps",
            r"The rounding alone costs the second root: the gain is at most the stated bound, $O(n/\nu_B)$.",
            gain,
            _at_squares(stated["block_upper_steps"]),
            (
                Term(
                    _STD**2 * _m**2 / (_r * _v * _e * _BLOCK) ** 2,
                    (_s * _m) ** 2 + 2 * _s * _r * _v * _e,
                    "nonnegative by its form",
                ),
            ),
        ),
    )


_MUTANTS = (
    Mutant(
        "matched-is-best",
        r"Claim that the gain at best budgets grows with $n$ as at the matched budget.",
        ("exact",),
    ),
    Mutant(
        "blocks-gain-n",
        r"Claim that $n$ blocks at their best budget gain of order $n$ also for $d=8n$.",
        ("exact",),
    ),
    Mutant(
        "similar-nodes-gain-d",
        r"Claim a gain of order $d$ also for statistically similar nodes, $\rho=1/n$.",
        ("exact",),
    ),
    Mutant(
        "permuted-coordinates", "Permute the coordinates: the gains depend on traces only.", ("exact",), True
    ),
)

CLAIM = Claim(
    id="squant/finding-matched-budget",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="At best budgets the gain of varying steps is of order d, whatever n",
    statement=(
        r"The abstract's gains $O(n)$ and $O(\min(n,d))$ can be confirmed where both methods use the same "
        r"budget (`squant/gain-vary`). With each method at its own best budget (`squant/gain-optimal`, bits "
        r"$32B+\kappa\beta$, coarse branches) the gains in bits are others. Varying steps: "
        r"$$\frac{T^\star_{\rm std}}{T^\star_{\rm vary}}=\Big(\frac{\sqrt{32}+\sqrt{2\kappa "
        r"d\rho}}{\sqrt{32}+\sqrt{2\kappa\nu_{\rm tr}\rho}}\Big)^2\le d,$$ and at least $2\kappa\rho "
        r"d/(\sqrt{32}+\sqrt{2\kappa\nu_{\rm tr}\rho})^2$: of order $d$ for $\rho=\Theta(1)$, $\nu_{\rm "
        r"tr}=O(1)$, whatever $n$, up to $\log d$ in $\kappa$. With $n$ blocks and $\nu_B=O(1)$ the gain is "
        r"at least of order $\min(n,d/n)$; it is at most of order $d/n$, and of order $n/\nu_B$. For "
        r"statistically similar nodes, $\rho=1/n$, no gain exceeds $2+\kappa d/(8n)$."
    ),
    variables=(
        *(variable for variable in OPTIMAL.variables if variable.symbol == kappa),
        *(variable for variable in VARY.variables if variable.symbol in {n, d, rho, nu_tr}),
        Variable(
            nu_B,
            r"\mathbb R_{>0}",
            r"$\max_i\frac Bdc_{\rm block}(\mathbf L_i)/L_{\max}$ at $B=n$ equal blocks",
        ),
    ),
    assumptions=(
        r"A1-A3 of `squant/dcgd`; the coarse branches stand for $\omega$ and $\mathcal L_i$.",
        r"A message with $B$ norms has $32B+\kappa\beta$ bits, with the same $\kappa$ for all methods.",
    ),
    derivation=lambda: derivation(expressions(None, _GAIN, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"one node dominates, $d=64$, $\kappa=8$: the gain is 11.0784271247462 for every $n$",
            {"kappa": 8, "d": 64, "rho": 1, "nu_tr": 2},
        ),
        WorstCase(
            r"$d=8n$, $\nu_B=2$, $n=1024$: $n$ blocks gain 1.85078691002758 only",
            {"kappa": 8, "d": 8192, "n": 1024, "rho": Rational(1, 2), "nu_B": 2},
        ),
        WorstCase(
            r"similar nodes, $n=d=1024$: the bound is 3",
            {"kappa": 8, "d": 1024, "n": 1024, "rho": Rational(1, 1024), "nu_tr": 1},
            Integer(3),
        ),
    ),
    mutants=_MUTANTS,
    exact=_GAIN,
    formulas=_FORMULAS,
)
