r"""`cq_marina/comm-scaling`: how the cost falls with the number of clients (arXiv 2401.05518).

At a fixed $p$ the excess $\frac1{\gamma L}-1$ falls like $n^{-1/2}$ for independent quantizers and like
$n^{-1}$ for correlated ones, exactly; at the best $p$ it is the message that limits the gain:
$\frac12\min\{1,2(c+\sqrt{cA})\}\le\psi(A,c)\le\min\{1,2(c+\sqrt{cA})\}$.

Derivation: $p=c$ gives the upper bound; below, $p\le\frac12$ and $p\ge\frac12$ apart. With $p=\frac1d$ and
messages of $\kappa$ floats the cost is $(1+\kappa)(1+\frac dn)$. The local exponent is that of the cost at
the minimiser, by the envelope theorem.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Min, Rational, Symbol, diff, sqrt

from theory.cq_marina.comm_ratio import CLAIM as RATIO
from theory.cq_marina.comm_ratio import MESSAGE, NOISE
from theory.cq_marina.comm_ratio_derivation import (
    cost_in_t,
    in_t,
    message,
    noise,
    psi_steps,
    root_of_odds,
    t,
)
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, DIMENSION, EXACT_REALS, PROBABILITY, d, n, p
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term

kappa = Symbol("kappa", positive=True)

_ORDER = 2 * (message + sqrt(message * noise))
_BOUND = Min(1, _ORDER)
_EXCESS = root_of_odds(p) * sqrt(noise)
_FORMULAS = {
    "order": _ORDER,
    "excess_iq": root_of_odds(p) * sqrt(d - 1) / sqrt(n),
    "excess_cq": root_of_odds(p) * sqrt(d) / n,
    "elasticity": _EXCESS / (2 * (1 + _EXCESS)),
    "floats_iq": (1 + kappa) * (1 + d / sqrt(n)),
    "floats_cq": (1 + kappa) * (1 + d / n),
    "floats_permk": 1 + d / n,
}

_s, _g, _r = (Symbol(name, positive=True) for name in ("s", "g", "r"))
_factor = Symbol("lambda", positive=True)
_u = Symbol("u", nonnegative=True)
_delta, _nu = Symbol("delta", positive=True), Symbol("nu", positive=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *psi_steps(RATIO.formulas),
        *_fixed_probability(stated),
        *_best_probability(stated),
        *_local_exponent(stated),
        *_float_messages(stated),
    )


def _fixed_probability(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    more = {n: _factor * n}
    odds = (1 - p) / p
    return (
        *(
            Identity(
                f"excess-{name}",
                rf"The stated excess is $\sqrt{{\frac{{1-p}}pA}}$ with the noise of {label} at zero Hessian "
                r"variance.",
                stated[f"excess_{name}"] ** 2,
                odds * value,
            )
            for name, label, value in (
                ("iq", "independent bits", (d - 1) / n),
                ("cq", "correlated bits", d / n**2),
            )
        ),
        Identity(
            "exponent-iq",
            r"With $\lambda$ times the clients the square of the excess of IQ is $\frac1\lambda$ of it: the "
            r"exponent is $-\frac12$.",
            _factor * stated["excess_iq"].xreplace(more) ** 2,
            stated["excess_iq"] ** 2,
        ),
        Identity(
            "exponent-cq",
            r"That of CQ itself is $\frac1\lambda$ of it: the exponent is $-1$.",
            _factor * stated["excess_cq"].xreplace(more),
            stated["excess_cq"],
        ),
    )


def _best_probability(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    half = Rational(1, 2)
    share = 1 / _r**2
    order = stated["order"].xreplace({message: _g**2, noise: _s**2})
    return (
        Identity(
            "branches", r"The bound is the smaller of 1 and the order.", stated["bound"], _smaller(stated)
        ),
        Certificate(
            "at-most",
            r"At $p=c=\frac1{r^2}$ the root of the odds is $t=\sqrt{r^2-1}\le r$, and the cost is at most "
            r"$2(c+\sqrt{cA})$.",
            (share + (1 - share) * share) * (1 + _s * t),
            stated["order"].xreplace({message: share, noise: _s**2}),
            (
                Term(share**2 + _s * t * share**2, Integer(1), "one"),
                Term(2 * _s * share, _r - t, "hypothesis: t^2 = r^2 - 1"),
            ),
        ),
        Certificate(
            "few-full-rounds",
            r"For $p\le\frac12$, that is $t\ge1$, the cost is at least $c+\sqrt{cA}$ ($c=g^2$).",
            order / 2,
            cost_in_t(_s, _g**2),
            (
                Term(1 / (1 + t**2), 1 - _g**2, "hypothesis: c is at most 1"),
                Term(_s * t / (1 + t**2), (1 - _g * t) ** 2, "square of a real number"),
                Term(_s * _g / (1 + t**2), t**2 - 1, "hypothesis: p is at most 1/2"),
            ),
        ),
        Certificate(
            "many-full-rounds",
            r"For $p\ge\frac12$ it is at least $\frac12$. So $\psi$ is at least half the bound.",
            half,
            cost_in_t(_s, message),
            (
                Term(1 / (2 * (1 + t**2)), 1 - t**2, "hypothesis: p is at least 1/2"),
                Term((message * t**2 + _s * t * (1 + message * t**2)) / (1 + t**2), Integer(1), "one"),
            ),
        ),
    )


def _smaller(stated: Mapping[str, Expr]) -> Expr:
    return Min(1, stated["order"])


def _local_exponent(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    cost = cost_in_t(_s, message)
    elasticity = in_t(stated["elasticity"].xreplace({noise: _s**2}))
    return (
        StandardFact(
            "envelope",
            "At an inner minimiser the derivative of a minimum over $p$ by $A$ is that of the function at "
            "the minimiser.",
            "P. Milgrom and I. Segal, Envelope theorems for arbitrary choice sets, Econometrica 70 (2002)",
        ),
        Identity(
            "elasticity",
            r"So $\sigma=\frac{d\ln\psi}{d\ln A}$ is the stated function at the best $p$ ($\frac{d\ln "
            r"s}{d\ln A}=\frac12$).",
            _s * diff(cost, _s) / 2,
            cost * elasticity,
        ),
        Certificate(
            "below-one-half",
            r"It is below $\frac12$, by $\frac1{2(1+st)}$: the exponents of $n$, $-\sigma$ for IQ and "
            r"$-2\sigma$ for CQ, never reach $-\frac12$ and $-1$.",
            elasticity,
            Rational(1, 2),
            (Term(1 / (2 * (1 + _s * t)), Integer(1), "one"),),
        ),
    )


def _float_messages(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    # d = delta^2, n = nu^2; u is the root of d - 1.
    sizes = {d: _delta**2, n: _nu**2}
    short = 1 + kappa * (1 - 1 / _delta**2)
    steps: list[Step] = []
    for name, root in (("iq", _delta / _nu), ("cq", _delta / _nu**2)):
        steps.append(
            Certificate(
                f"floats-{name}",
                r"With messages of $\kappa$ floats, $c=\frac\kappa d$, and $p=\frac1d$ the cost in floats, "
                r"$d$ times the stated one, is at most the stated order.",
                short * (1 + root * _u),
                stated[f"floats_{name}"].xreplace(sizes),
                (
                    Term(kappa / _delta**2 * (1 + root * _u), Integer(1), "one"),
                    Term((1 + kappa) * root, _delta - _u, "hypothesis: u is the root of d - 1"),
                ),
            )
        )
    return (
        *steps,
        Certificate(
            "permk-blocks",
            r"PermK has no noise there and sends $\max\{\frac dn,1\}$ floats: $\frac dn$ is at most the "
            r"stated value, by 1,",
            d / n,
            stated["floats_permk"],
            (Term(Integer(1), Integer(1), "one"),),
        ),
        Certificate(
            "permk-single",
            r"and so is 1, by $\frac dn$.",
            Integer(1),
            stated["floats_permk"],
            (Term(d / n, Integer(1), "one"),),
        ),
    )


_MUTANTS = (
    Mutant(
        "cq-exponent-for-iq",
        r"Expect the exponent $-1$ of CQ from the noise of independent thresholds.",
        ("exact",),
    ),
    Mutant(
        "fixed-hessian-variance",
        r"A family with $L_\pm=\frac12L_+$ at $d=100$: exponents about $-.51,-.01,-.01,-.50$ at $n=100,\dots,"
        r"800$ in place of $-1$.",
        ("exact",),
    ),
    Mutant(
        "half-is-reached",
        r"Claim the exponents $-\frac12$ and $-1$ at the best $p$, too: $\sigma$ is below $\frac12$ there.",
        ("exact",),
    ),
    Mutant(
        "another-probability",
        r"Another fixed $p$: the exponents do not depend on it.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cq_marina/comm-scaling",
    paper=PAPER,
    kind="scaling",
    provenance="rederived",
    title="The cost of correlated and independent quantizers as the number of clients grows",
    statement=(
        r"At zero Hessian variance and a fixed $p$ the excess $\frac1{\gamma L}-1=\sqrt{\frac{1-p}pA}$ of "
        r"MARINA falls with the exponent $-\frac12$ of $n$ for IQ ($A=\frac{d-1}n$) and $-1$ for CQ "
        r"($A=\frac d{n^2}$), exactly, for all $d\ge2$. With messages of $\kappa$ floats and $p=\frac1d$ the "
        r"cost in floats is at most $\frac{2\Delta_0L}{\varepsilon^2}$ times $(1+\kappa)(1+\frac d{\sqrt "
        r"n})$ "
        r"for IQ and $(1+\kappa)(1+\frac dn)$ for CQ; at $p=1$ it is $d$, so at the best $p$ at most the "
        r"smaller of the two. For messages of any length "
        r"$c$ $$\tfrac12\min\{1,2(c+\sqrt{cA})\}\le\psi(A,c)\le\min\{1,2(c+\sqrt{cA})\},$$ and the local "
        r"exponents of $n$ at the best $p$ are $-\sigma$ for IQ and $-2\sigma$ for CQ with "
        r"$\sigma=\frac{d\ln\psi}{d\ln A}=\frac E{2(1+E)}<\frac12$, $E=\sqrt{\frac{1-p}pA}$. PermK has no "
        r"noise there; its $\max\{\frac dn,1\}$ floats are at most $1+\frac dn$, too. What one-bit messages "
        r"make of this: `cq_marina/finding-message-size`."
    ),
    variables=(
        CLIENTS,
        DIMENSION,
        PROBABILITY,
        NOISE,
        MESSAGE,
        Variable(kappa, r"\mathbb R_{>0}", "floats of a message"),
    ),
    assumptions=(
        *RATIO.assumptions[:1],
        r"Costs in floats for each client, without rounding and the first full round; $\psi$ as in "
        r"`cq_marina/comm-ratio`.",
        r"Binary grid; its noise $\frac d{n^2}$ with correlated thresholds is the supremum over equal inputs "
        r"for even $n$ with $d\le n^2$ and $d\equiv n^2$ modulo 8 (`cq_marina/cq-equal-inputs`).",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase("no compression", {"A": 0, "c": 1}, Integer(1)),
        WorstCase(
            "noise one, one bit for 32",
            {"A": 1, "c": Rational(1, 32)},
            Rational(1, 16) + sqrt(2) / 4,
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
