r"""`squant/finding-similar-nodes`: label-sorted nodes have nearly equal matrices (derived here)."""

from typing import Any

from sympy import Rational, Symbol

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.formula import eq, le, lt
from theory.squant.convergence.dcgd import CLAIM as DCGD
from theory.squant.convergence.dcgd import L, Lcal_max, mu, n
from theory.squant.paper import PAPER

L_max, rho, other = (Symbol(name, real=True) for name in ("L_max", "rho", "Lcal_other"))

_CONDITION = DCGD.formulas["condition"]
_SHARE = 2 * Lcal_max / (n * L)
_FACTOR = 1 + _SHARE
_SHARE_BY_RHO = 2 * rho * Lcal_max / L_max
_FACTORS = {
    "similar": Rational(3, 2),
    "noise_share": Rational(1, 4),
    "conditions": Rational(21, 20),
    "rounds": Rational(11, 10),
    "bits": Rational(2, 5),
}
_MEASURED = "run/medians of the costs"

CLAIM = Claim(
    id="squant/finding-similar-nodes",
    kind="finding",
    provenance="derived",
    title="Label-sorted nodes are similar: steps hardly matter, blocks lose bits",
    position=26,
    paper=PAPER,
    setting=(
        r"The abstract's comparison needs heterogeneous smoothness, which label-sorted splits of the data "
        r"sets of `squant/order` over six nodes do not have. Conditions are those of DCGD+ at its largest "
        r"step size (`squant/dcgd`), $\beta=\sqrt d$. A verdict covers the data sets of its records: "
        r"the quick profile has breast cancer alone."
    ),
    parts=(
        Part(
            "a",
            r"The conditions with any two compressors, of constants $\mathcal L_{\max}$ and "
            r"$\mathcal L'_{\max}$, differ at most by a factor that the noise term decides: "
            r"$$\frac{L+2\mathcal L_{\max}/n}\mu\le\Big(1+\frac{2\mathcal "
            r"L_{\max}}{nL}\Big)\frac{L+2\mathcal L'_{\max}/n}\mu.$$",
            says=("ratio",),
            evidence=("proof",),
        ),
        Part(
            "b",
            r"With $\rho=\frac{L_{\max}}{nL}$, $\frac{2\mathcal L_{\max}}{nL}=\frac{2\rho\mathcal "
            r"L_{\max}}{L_{\max}}$.",
            says=("share",),
            evidence=("proof",),
        ),
        Part(
            "c",
            r"If $\mathcal L_{\max}\le\frac{nL}8$, then $1+\frac{2\mathcal L_{\max}}{nL}\le\frac54$.",
            says=("small",),
            evidence=("proof",),
        ),
        Part(
            "d",
            r"Label-sorted splits have $\rho$ at most {value:similar} times $\frac1n$, and with varying "
            r"steps a noise term of at most {value:noise_share} of $L$.",
            evidence=("exact/rho of the nodes", "exact/share of the noise term", "exact/share by rho"),
            pins={
                r"$\rho$ at most {value:similar} times $\frac1n$": "exact/rho of the nodes",
                r"a noise term of at most {value:noise_share} of $L$": "exact/share of the noise term",
            },
        ),
        Part(
            "e",
            r"There the conditions of standard, block, varying and sparsified DCGD+ are at most "
            r"{value:conditions} times that of varying steps, and sparsification is not worse than varying "
            r"steps.",
            evidence=(
                "exact/condition over that of varying steps",
                "exact/ratio of conditions",
                "exact/sparsification against varying steps",
            ),
            pins={
                "sparsification is not worse than varying steps": "exact/sparsification against varying steps"
            },
        ),
        Part(
            "f",
            r"Measured for DIANA+ on breast cancer, phishing and mushrooms: varying and standard steps need "
            r"at most {value:rounds} times the rounds of each other, and varying steps less than "
            r"{value:bits} of the bits of $n$ blocks with a norm each.",
            evidence=(_MEASURED,),
            pins={
                r"Measured for DIANA+ on breast cancer, phishing and mushrooms": _MEASURED,
                r"$n$ blocks": _MEASURED,
            },
        ),
    ),
    variables=(
        *(item for item in DCGD.variables if item.symbol in {n, L, mu, Lcal_max}),
        Variable(L_max, r"L_{\max}", r"\mathbb R_{>0}", r"$\max_i\lambda_{\max}(\mathbf L_i)$"),
        Variable(other, r"\mathcal L'_{\max}", r"\mathbb R_{\ge0}", "the constant of another compressor"),
        Variable(rho, r"\rho", r"[\frac1n,1]", r"$L_{\max}/(nL)$"),
    ),
    hypotheses={
        "signs": Hypothesis(
            "domain",
            (lt(0, n), lt(0, L), lt(0, mu), lt(0, L_max), le(0, Lcal_max), le(0, other)),
            r"$n,L,\mu,L_{\max}>0$ and $\mathcal L_{\max},\mathcal L'_{\max}\ge0$",
        ),
        "rho": Hypothesis("definition", eq(rho, L_max / (n * L)), r"$\rho=\frac{L_{\max}}{nL}$"),
        "small": Hypothesis("parameter", le(Lcal_max, n * L / 8), r"$\mathcal L_{\max}\le\frac{nL}8$"),
    },
    relations={
        "ratio": Relation((_CONDITION, _FACTOR * _CONDITION.subs(Lcal_max, other)), ("<=",)),
        "share": Relation((_SHARE, _SHARE_BY_RHO), ("=",)),
        "small": Relation((_FACTOR, Rational(5, 4)), ("<=",), under=("small",)),
    },
    formulas={
        "bound": _FACTOR,
        "condition": _CONDITION,
        "share": _SHARE,
        "factor": _FACTOR,
        "share_by_rho": _SHARE_BY_RHO,
        **_FACTORS,
    },
    internal=dict.fromkeys(_FACTORS, "a factor of what is measured, said as a value"),
    values=_FACTORS,
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
    measured=True,
)


def derive(K: Any) -> None:
    """Prove the relations: any condition is at least L/mu."""
    K.show("ratio", (2 * _FACTOR / (n * mu), other))
    K.show("share", using=["rho"])
    K.show("small", "small")
