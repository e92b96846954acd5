r"""`squant/gain-diana`: a gain over DIANA needs bad conditioning (derived; about arXiv 2106.03524).

At $\beta=d/n$ the rate of DIANA+ contains $2(1+\omega)$ with $\omega\ge n$ whatever the steps. With steps
for a mixture both $\omega$ and $\mathcal L/(n\mu)$ are at most $w=n+\nu\rho L/\mu$. So the bounds on the
rounds of DIANA and DIANA+ have a ratio of order $n$ only if $L/\mu$ is at least of order $n$.

Derivation: with $w_j=1+\frac{L_j}{n\mu}$ and $W=\sum_jw_j$ the steps $h_j=\sqrt W/(\beta\sqrt{w_j})$ have
budget $\beta$; $w_j\ge1$ and $w_j\ge\frac{L_j}{n\mu}$ give both bounds, block by block likewise. The ratio is
at least that of the gradient terms over $L/\mu+6w+2$, and at most $\max(3L/\mu,1)$ since $\rho\le1$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Max, Rational, Symbol, sqrt, symbols

from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.squant.dcgd_derivation import L, Lcal_max, mu
from theory.squant.diana import OLD as DIANA
from theory.squant.diana_derivation import omega_max
from theory.squant.gain_vary import OLD as VARY
from theory.squant.gain_vary import rho, trace
from theory.squant.paper import PAPER
from theory.squant.steps import OLD as STEPS
from theory.squant.steps_derivation import F, m
from theory.squant.symbols import B, beta, d, n
from theory.squant.symbols import L as diagonal
from theory.summation import SUMMATION

chi = Symbol("chi", positive=True)
nu = Symbol("nu", positive=True)
L_j = Symbol("L_j", nonnegative=True)
c_block = Symbol("c_block", positive=True)
d_l = Symbol("d_l", positive=True)
F_l = Symbol("F_l", nonnegative=True)

_SIZE = 3
_Ls = symbols("L_1:4", positive=True)
_Fs = symbols("F_1:4", positive=True)
_rs = symbols("r_1:4", positive=True)
_t = Symbol("t", nonnegative=True)
_OF_STEPS = ("optimal-value", "block-lower-term", "block-lower")
_SHOWN = f"(shown for {_SIZE} coordinates; in every dimension by `summation`)"
_SHOWN_BLOCKS = f"(shown for {_SIZE} blocks; for every number by `summation`)"

_VARY = d + trace / (n * mu)
_BLOCK = d + c_block / (n * mu)
_MIXED = n + nu * rho * chi
_CONDITION = Max((L + 6 * Lcal_max / n) / mu, 2 * (1 + omega_max))
_UPPER = Max(3 * chi, 1)
_LOWER = chi * (1 + 6 * n * rho) / (chi * (1 + 6 * nu * rho) + 6 * n + 2)
_FORMULAS = {
    "vary_step": sqrt(_VARY) / (beta * sqrt(1 + L_j / (n * mu))),
    "vary_bound": _VARY / beta,
    "block_step": _BLOCK / (beta * (sqrt(d_l) + F_l / (n * mu))),
    "block_bound": _BLOCK / beta,
    "condition": _CONDITION,
    "std_gradient": chi * (1 + 6 * n * rho),
    "std_shifts": 2 * (1 + n),
    "mixed_gradient": chi + 6 * _MIXED,
    "mixed_shifts": 2 * (1 + _MIXED),
    "lower": _LOWER,
    "upper": _UPPER,
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_vary_steps(stated), *_block_steps(stated), SUMMATION, *_conditions(stated), *_order(stated))


def _vary_steps(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    at = {d: _SIZE, trace: sum(_Ls)}
    steps = [stated["vary_step"].subs(at).subs(L_j, item) for item in _Ls]
    # Squares: of the stated bound, and W and w_j of the mixture.
    bound, total = stated["vary_bound"].subs(at) ** 2, _VARY.subs(at)
    weights = [1 + item / (n * mu) for item in _Ls]
    return (
        Identity(
            "vary-budget",
            rf"$\sum_jh_j^{{-2}}=\beta^2$ at the stated varying steps {_SHOWN}.",
            sum(1 / step**2 for step in steps),
            beta**2,
        ),
        Certificate(
            "vary-omega",
            r"$\omega^2\le\sum_jh_j^2$ is at most the square of the stated bound $W/\beta$, since $w_j\ge1$ "
            rf"{_SHOWN}.",
            sum(step**2 for step in steps),
            bound,
            tuple(
                Term(total * (weight + 1) / (beta**2 * weight), item / (n * mu), "nonnegative by its form")
                for weight, item in zip(weights, _Ls, strict=True)
            ),
        ),
        Certificate(
            "vary-noise",
            r"$\mathcal L^2/(n\mu)^2\le\sum_jL_j^2h_j^2/(n\mu)^2$ is at most the square of the stated bound, "
            r"since "
            rf"$w_j\ge L_j/(n\mu)$ {_SHOWN}.",
            sum((item * step / (n * mu)) ** 2 for item, step in zip(_Ls, steps, strict=True)),
            bound,
            tuple(
                Term(total / (beta**2 * weight), 1 + 2 * item / (n * mu), "nonnegative by its form")
                for weight, item in zip(weights, _Ls, strict=True)
            ),
        ),
    )


def _block_steps(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    blocks = tuple(zip(_rs, _Fs, strict=True))
    at = {d: sum(root**2 for root in _rs), c_block: sum(root * norm for root, norm in blocks)}
    steps = [stated["block_step"].subs(at).subs({d_l: root**2, F_l: norm}) for root, norm in blocks]
    bound, total = stated["block_bound"].subs(at), _BLOCK.subs(at)
    (root, norm), step = blocks[0], steps[0]
    weight = root + norm / (n * mu)
    return (
        Identity(
            "block-budget",
            rf"$\sum_l\sqrt{{d_l}}/h_l=\beta$ at the stated block steps, $r_l=\sqrt{{d_l}}$ {_SHOWN_BLOCKS}.",
            sum(root / step for (root, _), step in zip(blocks, steps, strict=True)),
            beta,
        ),
        Certificate(
            "block-omega",
            r"$\omega\le\max_lh_l\sqrt{d_l}$ is at most the stated bound (shown for one of 3 blocks).",
            step * root,
            bound,
            (Term(total / (beta * weight), norm / (n * mu), "nonnegative by its form"),),
        ),
        Certificate(
            "block-noise",
            r"$\mathcal L/(n\mu)\le\max_lh_lF_l/(n\mu)$ is at most the stated bound (shown for one of 3 "
            r"blocks).",
            step * norm / (n * mu),
            bound,
            (Term(total / (beta * weight), root, "nonnegative by its form"),),
        ),
    )


def _conditions(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    largest = rho * n * chi * mu
    matched = {beta: d / n}
    bounds = {
        "vary": stated["vary_bound"].subs(trace, nu * largest * d / n).subs(matched),
        "block": stated["block_bound"].subs(c_block, nu * largest * d / n).subs(matched),
    }
    return (
        Identity(
            "condition",
            r"The stated $K$ is that of `squant/diana`.",
            stated["condition"],
            DIANA.formulas["condition"],
        ),
        *(step for step in STEPS.derivation if step.name in _OF_STEPS),
        Identity(
            "omega-at-least-n",
            r"For $L_j=1$ the smallest value of `squant/steps` at $\beta=d/n$ is $\omega=n$: no varying "
            r"steps "
            rf"have less {_SHOWN}.",
            instance(STEPS.formulas["value"], {diagonal: (Integer(1),) * _SIZE, d: _SIZE}).subs(
                beta, Rational(_SIZE) / n
            ),
            stated["std_shifts"] / 2 - 1,
        ),
        Identity(
            "omega-at-least-n-blocks",
            r"Nor has any choice of block steps: for $F_l=\sqrt{d_l}$ the smallest value is $d/\beta$ too "
            rf"{_SHOWN_BLOCKS}.",
            instance(STEPS.formulas["block_value"], {m: tuple(r**2 for r in _rs), F: _rs, B: _SIZE}).subs(
                beta, sum(r**2 for r in _rs) / n
            ),
            stated["std_shifts"] / 2 - 1,
        ),
        Identity(
            "std-gradient",
            r"First part of $K$ of DIANA: $(L+6\omega L_{\max}/n)/\mu$ with $\omega=n$, $L=\chi\mu$ and "
            r"$L_{\max}=\rho nL$.",
            stated["std_gradient"],
            (chi * mu + 6 * n * largest / n) / mu,
        ),
        *(
            step
            for name, bound in bounds.items()
            for step in (
                Identity(
                    f"mixed-gradient-{name}",
                    r"First part of $K$ of DIANA+ at $\beta=d/n$, with $\mathcal L/(n\mu)$ at the stated "
                    r"bound and $\nu=\nu_{\rm tr}/\beta$ or $\nu_B$.",
                    stated["mixed_gradient"],
                    chi + 6 * bound,
                ),
                Identity(
                    f"mixed-shifts-{name}",
                    r"Second part of $K$ of DIANA+, $2(1+\omega)$ with $\omega$ at the stated bound.",
                    stated["mixed_shifts"],
                    2 * (1 + bound),
                ),
            )
        ),
    )


def _order(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    gradient, shifts = chi * (1 + 6 * n * rho), 2 * (1 + n)
    denominator = chi + 6 * _MIXED + 2
    most = "hypothesis: rho is at most 1 (L_max is at most n L)"
    large, small = {chi: (1 + _t) / 3}, {chi: (1 - _t) / 3}
    return (
        Certificate(
            "lower-gradient",
            r"The stated lower bound, where the first part of $K$ of DIANA+ is the larger one.",
            stated["lower"],
            stated["std_gradient"] / stated["mixed_gradient"],
            (Term(2 * gradient / (denominator * (denominator - 2)), Integer(1), "one is positive"),),
        ),
        Certificate(
            "lower-shifts",
            r"The stated lower bound, where the second part is the larger one.",
            stated["lower"],
            stated["std_gradient"] / stated["mixed_shifts"],
            (
                Term(
                    gradient / (denominator * 2 * (1 + _MIXED)),
                    chi + 4 * _MIXED,
                    "nonnegative by its form",
                ),
            ),
        ),
        *(
            step
            for name, upper in (("upper", stated["upper"]), ("bound", stated["bound"]))
            for step in (
                Certificate(
                    f"{name}-gradient",
                    r"The first part of $K$ of DIANA is at most the stated bound times $2(1+n)$, which no "
                    r"method undercuts: $\chi=\frac{1+t}3$, $t\ge0$.",
                    stated["std_gradient"].subs(large),
                    (upper * stated["std_shifts"]).subs(large),
                    (
                        Term(Rational(5, 3) * (1 + _t), Integer(1), "one is positive"),
                        Term(2 * n * (1 + _t), 1 - rho, most),
                    ),
                ),
                Certificate(
                    f"{name}-gradient-small",
                    r"The same for $\chi=\frac{1-t}3$, $t\ge0$.",
                    stated["std_gradient"].subs(small),
                    (upper * stated["std_shifts"]).subs(small),
                    (
                        Term(Rational(5, 3), Integer(1), "one is positive"),
                        Term(2 * n, 1 - rho, most),
                        Term((1 + 6 * n * rho) / 3, _t, "nonnegative by its form"),
                    ),
                ),
                Certificate(
                    f"{name}-shifts",
                    r"The second part of $K$ of DIANA is at most the stated bound times $2(1+n)$: "
                    r"$\chi=\frac{1+t}3$, $t\ge0$ (at smaller $\chi$ with equality).",
                    stated["std_shifts"],
                    (upper * stated["std_shifts"]).subs(large),
                    (Term(shifts, _t, "nonnegative by its form"),),
                ),
            )
        ),
    )


_MUTANTS = (
    Mutant(
        "omitted-omega",
        r"Leave out $2(1+\omega)$: at $\mu=1/n$ varying steps then seem to gain a factor that grows with "
        r"$n$.",
        ("exact",),
    ),
    Mutant(
        "gain-whatever-condition",
        r"Claim the growth of $\mu=n^{-3}$ at $\mu=1/n$ as well.",
        ("exact",),
    ),
    Mutant(
        "steps-without-one",
        r"$w_j=L_j/(n\mu)$ without the 1 in the steps.",
        ("exact",),
    ),
    Mutant("scaled-functions", r"Multiply all $f_i$ by 7: $K$ has no unit.", ("exact",), True),
)

_TABLE = (
    (4, "412, 181.6, 188.376470588235"),
    (16, "25072, 3387.29411764706, 3473.19587015301"),
    (64, "1580992, 56523.8153846154, 56897.4194938492"),
    (256, "100794112, 914187.953307393, 915713.479587900"),
)

CLAIM = Claim(
    id="squant/gain-diana",
    paper=PAPER,
    kind="scaling",
    provenance="derived",
    title="A gain of order n over DIANA needs a condition number of order n",
    statement=(
        r"All methods at $\beta=d/n$ with the coarse branches, $K$ of `squant/diana`, $\chi=L/\mu$, "
        r"$\rho=L_{\max}/(nL)$. Any steps have $\omega\ge n$. DIANA (uniform step) has "
        r"$K=\max\{\chi(1+6n\rho),2(1+n)\}$. DIANA+ takes steps for a mixture of $\mathbf L_i$ and $n\mu I$: "
        r"$h_j=\sqrt W/(\beta\sqrt{w_j})$ with $w_j=1+\frac{L_j}{n\mu}$, $W=\sum_jw_j$, or on $n$ equal "
        r"blocks $h_l=S/(\beta G_l)$ with $G_l=\sqrt{d_l}+\frac{\|D_{ll}\|_F}{n\mu}$, "
        r"$S=\sum_l\sqrt{d_l}G_l$. Then $\omega$ and $\mathcal L/(n\mu)$ are at most $w=n+\nu\rho\chi$, "
        r"where $\nu$ is $\nu_{\rm tr}/\beta$ or $\nu_B$, and "
        r"$$\frac{\chi(1+6n\rho)}{\chi(1+6\nu\rho)+6n+2}\le\frac{K_{\rm DIANA}}{K_{\rm "
        r"DIANA+}},\qquad\frac{K_{\rm DIANA}}{K}\le\max\{3\chi,1\}$$ for every method with "
        r"$K\ge2(1+\omega)$: a gain of order $n$ is reached for $\chi\ge n$, $\rho=\Theta(1)$, $\nu=O(1)$, "
        r"and impossible for $\chi=o(n)$."
    ),
    variables=(
        *(v for v in DIANA.variables if v.symbol in {n, L, mu, Lcal_max, omega_max}),
        Variable(beta, r"\mathbb R_{>0}", "budget"),
        Variable(chi, r"[1,\infty)", r"$L/\mu$"),
        *(v for v in VARY.variables if v.symbol in {d, rho}),
        Variable(nu, r"\mathbb R_{>0}", r"$\nu_{\rm tr}/\beta$ for varying steps, $\nu_B$ for blocks"),
        Variable(trace, r"\mathbb R_{>0}", r"$\mathrm{tr}\,\mathbf L$ of a node"),
        Variable(L_j, r"\mathbb R_{\ge0}", r"a diagonal entry of $\mathbf L$"),
        Variable(c_block, r"\mathbb R_{>0}", r"$\sum_l\sqrt{d_l}\|D_{ll}\|_F$"),
        Variable(d_l, r"\mathbb R_{>0}", "length of a block"),
        Variable(F_l, r"\mathbb R_{\ge0}", r"$\|D_{ll}\|_F$ of a block"),
    ),
    assumptions=(
        r"A1-A3 of `squant/diana`; step size and learning rate are the largest allowed by the bounds.",
        r"The coarse branch of `squant/bounds` stands for $\omega$ and $\mathcal L_i$.",
    ),
    derivation=lambda: derivation(expressions(_UPPER, None, _FORMULAS)),
    worst_cases=tuple(
        WorstCase(
            rf"family V with $d=8n^2$, $\mu=n^{{-3}}$, $n={nodes}$, $K$ of DIANA, of blocks and of varying "
            rf"steps: {values}",
            {
                "n": nodes,
                "d": 8 * nodes**2,
                "mu": Rational(1, nodes**3),
                "rho": Rational(nodes, 2 * nodes - 1),
            },
        )
        for nodes, values in _TABLE
    ),
    mutants=_MUTANTS,
    bound=_UPPER,
    formulas=_FORMULAS,
)
