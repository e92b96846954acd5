"""Derivation of `squant/gain-block`: the ratio of the two bounds, and what makes it grow like n."""

from collections.abc import Mapping
from dataclasses import replace

from sympy import E, Expr, Integer, Symbol, log, sqrt, symbols

from theory.instance import instance
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.squant.bits_bound import worst_case_length
from theory.squant.bits_bound_derivation import REGIONS
from theory.squant.dcgd import OLD as DCGD
from theory.squant.dcgd_derivation import Lcal_max
from theory.squant.growing_families import H, V
from theory.squant.heterogeneity import largest, mu, nu_B, rho, smoothness
from theory.squant.nu import OLD as NU
from theory.squant.steps import OLD as STEPS
from theory.squant.steps_derivation import F, lambda_max, m
from theory.squant.symbols import B, beta, d, n

content = Symbol("b_0", positive=True)

_SIZE = 3
_Fs = symbols("F_1:4", nonnegative=True)
_r, _w = symbols("r w", positive=True)
_K, _T1, _TB = symbols("K b_1 b_n", positive=True)

_FEW = next(region for region in REGIONS if region.name == "few-nonzeros")
_BUDGET = {beta: d / n}


def condition(constant: Expr) -> Expr:
    """Return the condition number of DCGD+ with this largest variance constant."""
    return DCGD.formulas["condition"].xreplace({Lcal_max: constant})


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *_condition_numbers(stated),
        *_ratio(stated),
        *_content(stated),
        *_limits(stated),
        *_families(stated),
    )


def _condition_numbers(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    unaware = (STEPS.formulas["c_std"] / beta).xreplace({**_BUDGET, lambda_max: largest})
    blocks = {F: _Fs, m: (_r**2,) * _SIZE, B: _SIZE}
    node = instance(NU.formulas["nu_B_node"], {F: _Fs, B: _SIZE, d: _SIZE * _r**2})
    return (
        Identity(
            "unaware-constant",
            r"At $\beta=d/n$ the unaware single step has the constant $c_{\rm std}/\beta=nL_{\max}$.",
            unaware,
            n * largest,
        ),
        Certificate(
            "coarse-branch",
            r"For $n\ge4$ it is the smaller branch of `squant/bounds`: $h\sqrt d=n\le n^2/4=dh^2/4$ at "
            r"$h=\sqrt d/\beta$.",
            (sqrt(d) * STEPS.formulas["uniform_step"]).xreplace(_BUDGET),
            (d * STEPS.formulas["uniform_step"] ** 2 / 4).xreplace(_BUDGET),
            (Term(n / 4, n - 4, "hypothesis: there are at least four nodes"),),
        ),
        Identity(
            "unaware",
            r"The stated $K_{\rm std}$ is that of `squant/dcgd` with this constant, $\rho=L_{\max}/(nL)$.",
            condition(unaware),
            stated["K_std"].xreplace({rho: NU.formulas["rho"]}),
        ),
        Identity(
            "block-constant",
            r"With $n$ equal blocks $c_{\rm block}/\beta$ of a node is its part of $\nu_BL_{\max}$ (shown "
            r"for "
            rf"{_SIZE} blocks of length $r^2=d/n=\beta$).",
            instance(STEPS.formulas["c_block"], blocks) / _r**2,
            node * largest,
        ),
        Certificate(
            "block",
            r"The condition number with constants of at most $\nu_BL_{\max}$ is at most the stated $K_{\rm "
            r"block}$.",
            condition(Lcal_max),
            stated["K_block"].xreplace({rho: NU.formulas["rho"]}),
            (Term(2 / (n * mu), nu_B * largest - Lcal_max, "hypothesis: nu_B is the largest of all nodes"),),
        ),
    )


def _quotient(length: Expr) -> Expr:
    r"""Return the stated ratio where $b_0$ is `length`."""
    return (1 + 2 * n * rho) / (1 + 2 * nu_B * rho) * (32 + length) / (32 * n + length)


def _ratio(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    one, many = worst_case_length(d / n, d, Integer(1)), worst_case_length(d / n, d, n)
    return (
        Identity(
            "content",
            r"The stated $b_0$ is $b(d/n,d,1)$ of `squant/bits-bound` without its norm.",
            stated["b0"],
            one - 32,
        ),
        Identity(
            "ratio",
            r"The stated ratio is $K_{\rm std}\,b(d/n,d,1)$ over $K_{\rm block}\,b(d/n,d,n)$, both as "
            r"stated.",
            stated["bound"],
            stated["K_std"] * one / (stated["K_block"] * many),
        ),
        Identity(
            "ratio-form",
            r"It depends on the content of a message through $b_0$ only.",
            stated["bound"],
            _quotient(stated["b0"]),
        ),
        Certificate(
            "lower",
            r"A condition number $K$ of at most $K_{\rm block}$ makes the total cost of the blocks smaller "
            r"and the ratio larger ($b_1$, $b_n$: lengths with one norm and with $n$).",
            stated["K_std"] * _T1 / (stated["K_block"] * _TB),
            stated["K_std"] * _T1 / (_K * _TB),
            (Term(stated["K_std"] * _T1 / (_TB * _K * stated["K_block"]), stated["K_block"] - _K, "block"),),
        ),
    )


def _content(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    size = _FEW.values[d]
    budget = _FEW.values[beta]
    region = replace(_FEW, values={d: size, n: size / budget})
    (a,) = size.free_symbols - budget.free_symbols
    return (
        StandardFact(
            "e",
            r"$e<2\sqrt2$, so $\sqrt2/e\ge1/2$.",
            "W. Rudin, Principles of Mathematical Analysis, 3rd ed., definition 3.30 and the estimate after "
            "it",
        ),
        Certificate(
            "few-nonzeros",
            r"For $n\ge4$ and $d\ge2$ the budget $d/n$ is in the region of few nonzeros of "
            r"`squant/bits-bound`: $d/n+1\le(d+1)/2\le(d+1)\sqrt2/e$.",
            d / n + 1,
            (d + 1) / 2,
            (
                Term(d / (4 * n), n - 4, "hypothesis: there are at least four nodes"),
                Term(Integer(1) / 4, d - 2, "hypothesis: there are at least two coordinates"),
            ),
        ),
        Certificate(
            "content-at-least",
            rf"$2d/n\le b_0$: in that region, {_FEW.condition}.",
            region.write_out(stated["b0_lower"]),
            region.write_out(stated["b0"]),
            (
                Term(2 * (budget + 1) / log(2), 1 + a, "one and a nonnegative number"),
                Term(2 / (E * log(2)), budget, "budget"),
            ),
        ),
    )


def _limits(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    ratio = _quotient(content)
    steps, norms = 1 / (1 + 2 * nu_B * rho), (32 + content) / (32 * n + content)
    gain = 1 + 2 * n * rho
    fewer_norms = 32 * gain / (32 * n + content)
    return (
        Certificate(
            "grows-like-n",
            r"The ratio is at least the stated multiple of $n$: $b_0\ge2d/n$.",
            stated["linear_lower"],
            ratio,
            (
                Term(steps * norms, Integer(1), "one"),
                Term(64 * n * rho * steps / (32 * n + content), Integer(1), "one"),
                Term(
                    32 * n**3 * rho * steps / ((32 * n + content) * (16 * n**2 + d)),
                    content - stated["b0_lower"],
                    "content-at-least",
                ),
            ),
        ),
        Certificate(
            "needs-dominant-node",
            r"It is at most $1+2n\rho$: without $\rho=\Theta(1)$ it is not $\Theta(n)$.",
            ratio,
            stated["rho_limit"],
            (
                Term(fewer_norms, n - 1, "there is a node"),
                Term(gain * norms * 2 * nu_B * rho * steps, Integer(1), "one"),
            ),
        ),
        Certificate(
            "needs-few-heavy-blocks",
            r"It is at most $(1+2n\rho)/(2\nu_B\rho)$: with $\rho=\Theta(1)$ it needs $\nu_B=O(1)$.",
            ratio,
            stated["nu_limit"],
            (
                Term(gain * steps / (2 * nu_B * rho), Integer(1), "one"),
                Term(fewer_norms * steps, n - 1, "there is a node"),
            ),
        ),
        Certificate(
            "needs-high-dimension",
            r"It is at most $(1+2n\rho)(32+b_0)/(32n)$: it needs $b_0\gtrsim n$, that is $d\gtrsim n^2$ up "
            r"to the logarithm in $b_0$.",
            ratio,
            stated["norm_limit"],
            (
                Term(gain * norms * 2 * nu_B * rho * steps, Integer(1), "one"),
                Term(gain * (32 + content) / (32 * n * (32 * n + content)), content, "a length"),
            ),
        ),
    )


def _families(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    heavy = {F: (_r, _r * _w, _r * _w), m: (_r**2,) * _SIZE, B: _SIZE}
    steps: list[Step] = [
        Identity(
            "family-blocks",
            r"A node with 1 on one block and $w$ on the others has $c_{\rm block}/\beta=1+(n-1)w$ (shown for "
            rf"$n={_SIZE}$ blocks of length $r^2$).",
            instance(STEPS.formulas["c_block"], heavy) / _r**2,
            replace(V, rest=_w).nu_B.xreplace({n: Integer(_SIZE)}),
        )
    ]
    for name, family in (("V", V), ("H", H)):
        values = {rho: family.rho, nu_B: family.nu_B, smoothness: family.L, mu: family.mu}
        steps += [
            Identity(
                f"{name}-{method}",
                rf"The stated $K_{{\rm {method}}}$ of family {name}.",
                stated[f"{name}_K_{method}"],
                stated[f"K_{method}"].xreplace(values),
            )
            for method in ("std", "block")
        ]
        steps.append(
            Identity(
                f"{name}-ratio",
                rf"The stated ratio of the two in family {name}.",
                stated[f"{name}_ratio"],
                stated[f"{name}_K_std"] / stated[f"{name}_K_block"],
            )
        )
    return tuple(steps)
