r"""`squant/finding-similar-nodes`: label-sorted nodes have nearly equal matrices (derived here)."""

from typing import Any

from sympy import Rational, symbols

from theory.claim import Claim, Relation, Variable
from theory.hypotheses import definition, domain, parameter
from theory.squant.convergence.dcgd import CLAIM as DCGD
from theory.squant.convergence.dcgd import L, Lcal_max, mu, n
from theory.squant.paper import PAPER
from theory.statement import statement

L_max, rho, other = symbols("L_max rho Lcal_other", real=True)

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

CLAIM = Claim(
    id="squant/finding-similar-nodes",
    kind="finding",
    provenance="derived",
    title="Label-sorted nodes of these data sets are similar: steps hardly matter, blocks lose bits",
    position=26,
    paper=PAPER,
    **statement(
        r"""
        The abstract's comparison needs heterogeneous smoothness, which label-sorted splits of the data sets
        of `squant/order` over six nodes do not have. Conditions are those of DCGD+ at its largest step size
        (`squant/dcgd`), $\beta=\sqrt d$. A verdict covers the data sets of its records: the quick profile
        has breast cancer alone.
        (a: ratio) The conditions with any two compressors, of constants $\mathcal L_{\max}$ and $\mathcal
          L'_{\max}$, differ at most by a factor that the noise term decides: $$\frac{L+2\mathcal
          L_{\max}/n}\mu\le\Big(1+\frac{2\mathcal L_{\max}}{nL}\Big)\frac{L+2\mathcal L'_{\max}/n}\mu.$$
          [proof]
        (b: share) With $\rho=\frac{L_{\max}}{nL}$, $\frac{2\mathcal L_{\max}}{nL}=\frac{2\rho\mathcal
          L_{\max}}{L_{\max}}$. [proof]
        (c: small) If $\mathcal L_{\max}\le\frac{nL}8$, then $1+\frac{2\mathcal L_{\max}}{nL}\le\frac54$.
          [proof]
        (d) These splits have <<$\rho$ at most {value:similar} times $\frac1n$ -> exact/rho of the
          nodes>>, and with varying steps <<a noise term of at most {value:noise_share} of $L$ ->
          exact/share of the noise term>>. [exact/rho of the nodes; exact/share of the noise term;
          exact/share by rho]
        (e) There the conditions of standard, block, varying and sparsified DCGD+ are at most
          {value:conditions} times that of varying steps, and <<that of sparsification is not larger than
          it -> exact/sparsification against varying steps>>. [exact/condition over that of varying
          steps; exact/ratio of conditions; exact/sparsification against varying steps]
        (f) <<Measured for DIANA+ on breast cancer, phishing and mushrooms -> run/medians of the costs>>:
          in medians over repeated runs, varying and standard steps need at most {value:rounds} times the
          rounds of each other, and varying steps less than {value:bits} of the bits of <<$n$ blocks ->
          run/medians of the costs>> with a norm each. [run/medians of the costs]
        """
    ),
    variables=(
        *(item for item in DCGD.variables if item.symbol in {n, L, mu, Lcal_max}),
        Variable(L_max, r"L_{\max}", r"\mathbb R_{>0}", r"$\max_i\lambda_{\max}(\mathbf L_i)$"),
        Variable(other, r"\mathcal L'_{\max}", r"\mathbb R_{\ge0}", "the constant of another compressor"),
        Variable(rho, r"\rho", r"[\frac1n,1]", r"$L_{\max}/(nL)$"),
    ),
    hypotheses={
        "signs": domain(r"$n,L,\mu,L_{\max}>0$ and $\mathcal L_{\max},\mathcal L'_{\max}\ge0$"),
        "rho": definition(r"$\rho=\frac{L_{\max}}{nL}$"),
        "small": parameter(r"$\mathcal L_{\max}\le\frac{nL}8$"),
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
    measured=True,
)


def derive(K: Any) -> None:
    """Prove the relations: any condition is at least L/mu."""
    K.show("ratio", (2 * _FACTOR / (n * mu), other))
    K.show("share", using=["rho"])
    K.show("small", "small")
