r"""`cq_marina/exp-logreg`: bits of four compressors on logistic regression (arXiv 2401.05518)."""

from typing import Any

from sympy import Integer, Max, Rational, Symbol, floor, log, sqrt, symbols

from theory.claim import Claim, Relation, Variable, WorstCase
from theory.cq_marina.paper import PAPER
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model
from theory.statement import statement

n, d, p, T, L_minus, L_plus, L_pm, X = symbols("n d p T L_minus L_plus L_pm X", real=True)
epsilon, message = symbols("epsilon message", real=True)
Delta_0, least, start, mean_square, unit = symbols("Delta_0 least start mean_square unit", real=True)
promised = Symbol("promised", real=True)

_ROOT = sqrt((1 - p) / p * X)
_BOUND = 2 * log(2) * (L_minus + _ROOT) / T
_COST = (p + (1 - p) * message / (32 * d)) * (1 + _ROOT / L_minus)
_ROUND = 32 * d * p + (1 - p) * message

# L_-, and the bounds on L_+ and L_pm, of the data sets with lambda = 0.1, by clients and dimension.
CONSTANTS = {
    ("phishing", 10): (68, "0.3625510767", "0.3655869973", "0.1493386844"),
    ("phishing", 50): (68, "0.3625500710", "0.3666721066", "0.1636703108"),
    ("w8a", 10): (300, "0.8612006468", "0.9370081578", "0.6812654234"),
    ("w8a", 50): (300, "0.8611955982", "1.0904906837", "0.9129176157"),
}
METHODS = ("perm_k", "correlated", "rand_k", "independent")
# Promised costs of these methods.
COSTS = {
    "phishing_10": ("0.425", "0.641", "0.720", "1"),
    "phishing_50": ("0.165", "0.307", "0.308", "0.566"),
    "w8a_10": ("0.641", "1", "0.774", "1"),
    "w8a_50": ("0.333", "1", "0.386", "1"),
}
_COSTS = {name: tuple(map(Rational, row)) for name, row in COSTS.items()}
_FACTORS = {
    "of_independent": Rational(3, 4),
    "of_correlated": Rational(4, 5),
    "fewer": Integer(1),
    "share": Rational(1, 2),
}


CLAIM = Claim(
    id="cq_marina/exp-logreg",
    kind="ordering",
    provenance="rederived",
    title="On phishing over 50 clients correlated bits cost less than independent ones, and PermK still less",
    position=34,
    paper=PAPER,
    **statement(
        r"""
        MARINA on $f_i(x)=\frac1{N_i}\sum_j\log(1+e^{-y_ja_j^\top x})+\lambda\sum_k\frac{x_k^2}{1+x_k^2}$,
        $\lambda=0.1$, $x^0=0$, rows in file order, steps of `cq_marina/marina-rate` with the constants of
        `cq_marina/logreg` (upper bounds on $L_+$ and $L_\pm$), $p=\arg\min\psi$ (for PermK one over the
        number of clients); RandK keeps the integer part of coordinates over clients, at least one; IQ and
        CQ send one bit for each. Measured are medians over runs of the expected bits of the rounds that a
        run needs to $\|\nabla f\|^2\le10^{-5}$. A verdict covers the data of its records: the quick profile
        has the stated constants, and in place of phishing and w8a breast cancer with rows of unit length
        over 3, 10 and 20 clients; there CQ and IQ are measured over 10 clients and without a factor.
        (a: rate) As $f^\star\ge0$ and $f(0)\le\log2$, the rate of MARINA at its step gives
          $$\frac1T\sum_{k<T}\mathbb E\|\nabla
          f(x^k)\|^2\le\frac{2\log2}T\Big(L_-+\sqrt{\tfrac{1-p}p\mathcal X}\Big).$$ [proof; run/averages of
          the squared gradient; run/noise of a round]
        (b: cost) The bits that this promises to the accuracy $\varepsilon$, $(32dp+(1-p)b)T_\varepsilon$
          with messages of $b$ bits, are those of gradient descent, $B$, times a factor:
          $$(32dp+(1-p)b)T_\varepsilon=\Big(p+(1-p)\frac b{32d}\Big)\Big(1+\frac{\sqrt{\frac{1-p}p\mathcal
          X}}{L_-}\Big)B.$$ [proof]
        (c) By the constants the factor is on <<phishing over 10 clients -> exact/promised cost of *>>
          {value:phishing_10[0],3} for PermK, {value:phishing_10[1],3} for CQ, {value:phishing_10[2],3} for
          RandK and {value:phishing_10[3],3} for IQ. [exact/promised cost of *]
        (d) On <<phishing over 50 clients -> exact/promised cost of *>> it is {value:phishing_50[0],3} for
          PermK, {value:phishing_50[1],3} for CQ, {value:phishing_50[2],3} for RandK and
          {value:phishing_50[3],3} for IQ. [exact/promised cost of *]
        (e) On <<w8a over 10 and 50 clients -> exact/promised cost of *>> it is {value:w8a_10[0],3} and
          {value:w8a_50[0],3} for PermK, {value:w8a_10[2],3} and {value:w8a_50[2],3} for RandK, and for CQ
          and IQ {value:w8a_10[1]}: <<they are gradient descent there -> exact/noise from which on full
          rounds are the best>>. [exact/promised cost of *; exact/noise from which on full rounds are the
          best]
        (f) With the constants of the data the order is PermK, CQ, RandK, IQ <<on breast cancer over 10 and
          20 clients and phishing over 10 and 50 -> exact/order of the promised costs>>, and PermK, RandK on
          w8a. <<On breast cancer over 3 clients -> exact/cost of gradient descent>> CQ and IQ are gradient
          descent, and PermK costs no more. [exact/order of the promised costs; exact/cost of gradient
          descent]
        (g) Measured on <<phishing over 50 clients -> run/medians of the bits>> CQ needs at most
          {value:of_independent} of the bits of IQ, and PermK at most {value:of_correlated} of those of CQ;
          <<on w8a -> run/medians of the bits>> PermK needs fewer than both. [run/medians of the bits]
        (h) No gain of CQ over IQ wherever there are many coordinates is asserted: <<over 10 clients of
          phishing -> exact/share of the Hessian variance>> the bound on $L_\pm$ is more than {value:share}
          of $\mathcal X$ of CQ, and <<on w8a both -> exact/noise from which on full rounds are the best>>
          are gradient descent. [exact/share of the Hessian variance; exact/noise from which on full rounds
          are the best]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(p, "p", "(0,1]", "probability of a round with full gradients"),
        Variable(T, "T", r"\mathbb N", "number of rounds of the average"),
        Variable(
            promised,
            r"T_\varepsilon",
            r"\mathbb R_{\ge0}",
            r"rounds after which the bound is $\varepsilon^2$",
        ),
        Variable(unit, "B", r"\mathbb R_{\ge0}", "bits of gradient descent"),
        Variable(message, "b", r"\mathbb R_{>0}", "expected bits of a compressed message"),
        Variable(L_minus, "L_-", r"\mathbb R_{>0}", r"Lipschitz constant of $\nabla f$"),
        Variable(L_plus, "L_+", r"\mathbb R_{\ge0}", "bound on that of the gradients of the clients"),
        Variable(L_pm, r"L_\pm", r"\mathbb R_{\ge0}", "bound on the Hessian variance"),
        Variable(X, r"\mathcal X", r"\mathbb R_{\ge0}", r"$(A-B)L_+^2+BL_\pm^2$"),
        Variable(epsilon, r"\varepsilon", r"\mathbb R_{>0}", r"accuracy of $\|\nabla f\|$"),
        Variable(Delta_0, r"\Delta_0", r"\mathbb R_{\ge0}", "gap at the start"),
        Variable(start, "f(0)", r"\mathbb R_{\ge0}", "objective at the start"),
        Variable(least, r"f^\star", r"\mathbb R_{\ge0}", "infimum of the objective"),
        Variable(
            mean_square,
            r"\frac1T\sum_{k<T}\mathbb E\|\nabla f(x^k)\|^2",
            r"\mathbb R_{\ge0}",
            "average of the expected squared gradients",
        ),
    ),
    notation={r"\psi": "the smallest cost", "f": "the objective"},
    hypotheses={
        "signs": domain(r"$0<p\le1$, $T,d,L_->0$, $\mathcal X\ge0$, $\varepsilon>0$"),
        "gap": definition(r"$\Delta_0=f(0)-f^\star$"),
        "start": model(
            r"$f(0)\le\log2$, $f^\star\ge0$",
            reference="cq_marina/logreg",
        ),
        "rate": model(
            r"$\frac1T\sum_{k<T}\mathbb E\|\nabla f(x^k)\|^2\le"
            r"\frac{2\Delta_0(L_-+\sqrt{\frac{1-p}p\mathcal X})}T$",
            reference="cq_marina/marina-rate",
        ),
        "counts": definition(
            r"$T_\varepsilon=\frac{2\Delta_0(L_-+\sqrt{\frac{1-p}p\mathcal X})}{\varepsilon^2}$, "
            r"$B=32d\frac{2\Delta_0L_-}{\varepsilon^2}$"
        ),
    },
    relations={
        "rate": Relation((mean_square, _BOUND), ("<=",), under=("start", "rate")),
        "cost": Relation((_ROUND * promised, _COST * unit), ("=",)),
    },
    formulas={
        "bound": _BOUND,
        "cost": _COST,
        "kept": Max(Integer(1), floor(d / n)),
        "X_perm_k": L_pm**2,
        "threshold": (1 - message / (32 * d)) ** 2 / (4 * message / (32 * d)),
        **{
            f"{name}_{row}": value
            for row, values in _COSTS.items()
            for name, value in zip(METHODS, values, strict=True)
        },
        **_FACTORS,
    },
    internal={
        "kept": "coordinates that RandK keeps, said in the setting",
        "X_perm_k": r"PermK has $A=B=1$ where $d\ge n$ (`cq_marina/ab-permk`)",
        "threshold": "`cq_marina/exp-quadratic`, part (e)",
        **{f"{name}_{row}": "promised costs, said as values" for row in _COSTS for name in METHODS},
        **dict.fromkeys(_FACTORS, "a factor that is measured or promised, said as a value"),
    },
    values={**_COSTS, **_FACTORS},
    worst_cases=tuple(
        WorstCase(
            rf"{name} over {clients} clients: the constants at $\lambda=0.1$",
            {
                "n": clients,
                "d": constants[0],
                **dict(zip(("L_minus", "L_plus", "L_pm"), map(Rational, constants[1:]), strict=True)),
            },
        )
        for (name, clients), constants in CONSTANTS.items()
    ),
    measured=True,
)


def derive(K: Any) -> None:
    """Prove the relations."""
    half = Rational(1, 2)
    K.example({start: half, least: 0, Delta_0: half, mean_square: 1, p: half, T: 1, L_minus: 1, X: 1})
    K.example(
        {p: half, T: 1, d: 1, L_minus: 1, X: 1, epsilon: 1, Delta_0: 1, promised: 4, unit: 64, message: 4}
    )
    rate = K.cert(
        le(mean_square, _BOUND),
        (1, K.given("rate")),
        (2 * (L_minus + _ROOT) / T, K.given("start", 1)),
        (2 * (L_minus + _ROOT) / T, K.given("start")),
        using=[K.given("gap")],
    )
    K.conclude("rate", rate)
    cost = K.cert(eq(_ROUND * promised, _COST * unit), using=[K.given("counts"), K.given("counts", 1)])
    K.conclude("cost", cost)
