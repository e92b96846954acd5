r"""`squant/finding-similar-nodes`: label-sorted nodes have nearly equal matrices (arXiv 2106.03524).

Then $\rho\approx1/n$, $L$ dominates the condition of DCGD+, and what the compressor does with its steps
hardly counts: the conditions of any two compressors differ by the share of the noise term at most.

Derivation: $K=(L+2\mathcal L_{\max}/n)/\mu\ge L/\mu$, so $K_a\le(1+\frac{2\mathcal L_a}{nL})K_b$.
"""

from collections.abc import Mapping

from sympy import Expr, Rational, Symbol

from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.squant.dcgd import OLD as DCGD
from theory.squant.paper import PAPER
from theory.squant.symbols import n

L, mu = Symbol("L", positive=True), Symbol("mu", positive=True)
L_max = Symbol("L_max", positive=True)
rho = Symbol("rho", positive=True)
Lcal_max = Symbol("Lcal_max", nonnegative=True)

_other = Symbol("B", nonnegative=True)

_FACTOR = 1 + 2 * Lcal_max / (n * L)
_FORMULAS = {
    "condition": (L + 2 * Lcal_max / n) / mu,
    "share": 2 * Lcal_max / (n * L),
    "factor": _FACTOR,
    "share_by_rho": 2 * rho * Lcal_max / L_max,
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    condition = stated["condition"]
    dcgd = DCGD.formulas["condition"]
    named = {item.name: item for item in (L, mu, Lcal_max, n)}
    same = {item: named[item.name] for item in dcgd.free_symbols}
    return (
        Identity(
            "condition",
            r"The stated condition is that of `squant/dcgd`.",
            condition,
            dcgd.xreplace(same),
        ),
        Identity(
            "factor", r"The stated factor is one and the stated share.", stated["factor"], 1 + stated["share"]
        ),
        *(
            Certificate(
                name,
                r"$K_a\le(1+\frac{2\mathcal L_a}{nL})K_b$ for any constants $\mathcal L_a,\mathcal L_b\ge0$.",
                condition,
                stated[key] * condition.subs(Lcal_max, _other),
                (
                    Term(
                        2 / (n * mu) * (1 + 2 * Lcal_max / (n * L)),
                        _other,
                        "hypothesis: a variance constant is nonnegative",
                    ),
                ),
            )
            for name, key in (("factor-bounds", "factor"), ("bound", "bound"))
        ),
        Identity(
            "share-by-rho",
            r"With $\rho=L_{\max}/(nL)$ the share is $2\rho\mathcal L_{\max}/L_{\max}$: small if $\rho$ is.",
            stated["share_by_rho"].subs(rho, L_max / (n * L)),
            stated["share"],
        ),
    )


_MUTANTS = (
    Mutant(
        "dominant-node", "Split the data with dominant nodes: then the nodes are not similar.", ("exact",)
    ),
    Mutant(
        "steps-matter",
        "Claim that varying steps need at most 0.8 times the rounds of the standard quantizer.",
        ("run",),
    ),
    Mutant("blocks-win", "Claim that blocks with a norm each need fewer bits than varying steps.", ("run",)),
    Mutant("permuted-nodes", "Number the nodes differently: nothing may change.", ("exact",), neutral=True),
)

CLAIM = Claim(
    id="squant/finding-similar-nodes",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="Label-sorted nodes are similar: steps hardly matter, blocks lose bits",
    statement=(
        r"The abstract's comparison needs heterogeneous smoothness. Label-sorted splits of the six data sets "
        r"(those of `squant/order`) do not have it: $\rho\le\frac32\cdot\frac1n$, so $L$ dominates $K$, and "
        r"the conditions of DCGD+ with any two compressors differ at most by the factor "
        r"$1+\frac{2\mathcal L_{\max}}{nL}\le\frac54$. At $\beta=\sqrt d$ standard, block, varying and "
        r"sparsified DCGD+ are within 5 \%, and sparsification is not worse than varying steps. Measured for "
        r"DIANA+ on breast cancer, phishing and mushrooms: varying and standard steps differ by less than "
        r"10 \% in rounds, and $n$ blocks with a norm each lose a factor of more than 2.5 in bits, as $32n$ "
        r"bits of norms outweigh the levels. What holds instead: awareness itself gains (`squant/order`), "
        r"because it replaces $\omega L_{\max}$ by $\mathcal L_{\max}$."
    ),
    variables=(
        Variable(L, r"\mathbb R_{>0}", r"$\lambda_{\max}$ of the mean smoothness matrix"),
        Variable(L_max, r"\mathbb R_{>0}", r"$\max_i\lambda_{\max}(\mathbf L_i)$"),
        Variable(Lcal_max, r"\mathbb R_{\ge0}", r"variance constant of the compressor"),
        Variable(mu, r"\mathbb R_{>0}", "strong convexity"),
        Variable(n, r"\mathbb N", "number of nodes"),
        Variable(rho, r"[\frac1n,1]", r"$L_{\max}/(nL)$"),
    ),
    assumptions=(
        r"Conditions are those of DCGD+ at its largest step size, as in `squant/dcgd`.",
        "A verdict covers the data sets of its records: the quick profile has breast cancer alone.",
        r"Data: six nodes, rows sorted by label, ridge as listed with the checks, $\beta=\sqrt d$.",
    ),
    derivation=lambda: derivation(expressions(_FACTOR, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"phishing, label-sorted, varying steps at $\beta=\sqrt d$: $\rho=0.178$, a share of 0.13",
            {
                "L": Rational("0.16755251212"),
                "L_max": Rational("0.17851076999"),
                "n": 6,
                "mu": Rational(1, 200),
            },
        ),
    ),
    mutants=_MUTANTS,
    bound=_FACTOR,
    formulas=_FORMULAS,
    measured=True,
)
