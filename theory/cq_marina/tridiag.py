r"""`cq_marina/tridiag`: quadratics with adjustable Hessian variance (arXiv 2401.05518).

$A_i=\frac{\nu_i}4T+sI$ with $T=\mathrm{tridiag}(-1,2,-1)$ and $s=\mu-\tau_1$ has the eigenvalues
$\nu_i\tau_k+s$, so $L_\pm=\lambda\sqrt{\frac{n^2-1}{3n^2}}\,\tau_d$. With weights proportional to $L_i$
almost nothing is left of it: the clients are nearly multiples of each other.

Derivation: all $A_i$ commute; mean and variance of the $\nu_i$ over the clients, eigenvector by eigenvector.
"""

import functools
from collections.abc import Mapping
from typing import Any

from sympy import Add, Expr, Integer, Rational, Sum, Symbol, collect, pi, sin, sqrt, summation

from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, DIMENSION, d, i, j, k, n
from theory.eigenvalue_order import RAYLEIGH, ROOT_MONOTONE
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

lam = Symbol("lam", nonnegative=True)
mu = Symbol("mu", nonnegative=True)

_QUARTER = Rational(1, 4)  # tau_1 at d = 2, where tau_2 = 3/4
_HALF = Rational(1, 2)
_nu = Symbol("nu", positive=True)
_smallest = Symbol("tau_1", nonnegative=True)
_u, _t = Symbol("u", nonnegative=True), Symbol("t", nonnegative=True)
_variance = Symbol("v", nonnegative=True)
_S, _C, _half_sine, _sine = (Symbol(name, real=True) for name in ("S", "C", "s_half", "s_theta"))


def _tau(place: Expr) -> Expr:
    """Return the eigenvalue of T/4 at a place, counted from 0."""
    return sin((place + 1) * pi / (2 * (d + 1))) ** 2


def _factor(place: Expr) -> Expr:
    return 1 + lam * ((2 * place + 1) / n - 1)


_LAST, _FIRST = _tau(d - 1), _tau(Integer(0))
_L_MINUS = mu + _LAST - _FIRST
_VARIANCE = lam**2 * (n**2 - 1) / (3 * n**2)
_EXACT = lam * sqrt((n**2 - 1) / (3 * n**2)) * _LAST
_FORMULAS = {
    "factor": _factor(i),
    "tau": _tau(j),
    "eigenvalue": _factor(i) * _tau(j) + mu - _FIRST,
    "variance": _VARIANCE,
    "L_minus": _L_MINUS,
    "L_plus": sqrt(_L_MINUS**2 + _VARIANCE * _LAST**2),
    "L_client": _factor(i) * _LAST + mu - _FIRST,
    "weighted_square": (_LAST - _FIRST) ** 2
    * (mu - _FIRST) ** 2
    / (n * _L_MINUS)
    * Sum((_factor(k) - 1) ** 2 / (_factor(k) * _LAST + mu - _FIRST), (k, 0, n - 1)),
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_spectrum(stated), *_constants(stated), *_clients(stated), *_weighted(stated))


def _plane(formula: Expr, **places: Any) -> Expr:
    r"""Write a formula out in the plane, where $\tau_1=1/4$ and $\tau_2=3/4$."""
    named = {"i": i, "j": j, "n": n}
    return instance(formula, {d: 2, **{named[name]: place for name, place in places.items()}})


def _mean(formula: Expr) -> Expr:
    """Return the mean over the clients, for every number of them, of a polynomial in the place."""
    powers = collect(formula.expand(), i, evaluate=False)
    return Add(*(coefficient * _mean_power(power) for power, coefficient in powers.items()))


@functools.cache
def _mean_power(power: Expr) -> Expr:
    return summation(power, (i, 0, n - 1)) / n


def _spectrum(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    cosine = 1 - 2 * _half_sine**2
    before, after = _S * cosine - _C * _sine, _S * cosine + _C * _sine
    shift = mu - _QUARTER
    return (
        Identity(
            "eigenvectors",
            r"$T$ maps $v_j=\sin j\theta$, $\theta=\frac{k\pi}{d+1}$, to $2v_j-v_{j-1}-v_{j+1}="
            r"4\sin^2\frac\theta2\,v_j$ (addition theorems with $S=\sin j\theta$, $C=\cos j\theta$, "
            r"$\cos\theta=1-2\sin^2\frac\theta2$); $v_0=v_{d+1}=0$.",
            2 * _S - before - after,
            4 * _half_sine**2 * _S,
        ),
        *(
            Identity(
                f"tau-{place + 1}",
                r"In the plane $T$ has the eigenvalues 1 and 3, four times the stated ones.",
                4 * _plane(stated["tau"], j=place),
                Integer(2 * place + 1),
            )
            for place in range(2)
        ),
        *(
            Identity(
                f"eigenvalue-{place + 1}",
                r"$A_i=\frac{\nu_i}4T+sI$ with $s=\mu-\tau_1$ has the stated eigenvalues (shown in the "
                r"plane, for each client).",
                stated["factor"] * (2 * place + 1) / 4 + shift,
                _plane(stated["eigenvalue"], j=place),
            )
            for place in range(2)
        ),
        Identity(
            "mean-factor",
            r"The $\nu_i$ have the mean 1, for any number of clients.",
            _mean(stated["factor"]),
            Integer(1),
        ),
        Identity(
            "variance",
            r"Their variance is the stated one, for any number of clients.",
            _mean((stated["factor"] - 1) ** 2),
            stated["variance"],
        ),
        RAYLEIGH,
    )


def _constants(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    first, last = (_plane(stated["eigenvalue"], j=place) for place in range(2))
    tau = _smallest + _u
    at_tau = stated["factor"] * tau + mu - _smallest
    larger = _smallest + _u + _t
    return (
        Identity(
            "smallest", r"The mean matrix has the smallest eigenvalue $\mu$ (in the plane).", _mean(first), mu
        ),
        Identity(
            "L-minus",
            r"Its largest eigenvalue is the stated $L_-$; all lie between $\mu\ge0$ and it.",
            _mean(last),
            _plane(stated["L_minus"]),
        ),
        Identity(
            "L-plus",
            r"The mean square of the largest eigenvalues of the $A_i$ is $L_+^2$, (in the plane).",
            _mean(last**2),
            _plane(stated["L_plus"]) ** 2,
        ),
        Certificate(
            "L-plus-at-the-last",
            r"$(\tau_k+s)^2+v\tau_k^2$, $s=\mu-\tau_1$, is largest at the largest $\tau_k$ "
            r"($\tau_k=\tau_1+u$, the largest $t$ above it).",
            (mu + _u) ** 2 + _variance * tau**2,
            (mu + _u + _t) ** 2 + _variance * larger**2,
            (
                Term(_t, 2 * mu + 2 * _u + _t, "sum of nonnegative numbers"),
                Term(_variance * _t, 2 * _smallest + 2 * _u + _t, "sum of nonnegative numbers"),
            ),
        ),
        Identity(
            "variance-at-tau",
            r"On the eigenvectors of $\tau_k$ the $A_i$ have the variance $\mathrm{var}(\nu)\tau_k^2$ (every "
            r"dimension).",
            _mean(at_tau**2) - _mean(at_tau) ** 2,
            stated["variance"] * tau**2,
        ),
        Identity(
            "L-pm",
            r"The variance of the largest eigenvalues of the $A_i$ is the stated $L_\pm^2$ (in the plane).",
            _mean(last**2) - _mean(last) ** 2,
            _plane(stated["exact"]) ** 2,
        ),
        Certificate(
            "L-pm-at-the-last",
            r"$v\tau_k^2$ is largest at the largest $\tau_k$.",
            _variance * tau**2,
            _variance * larger**2,
            (Term(_variance * _t, 2 * _smallest + 2 * _u + _t, "sum of nonnegative numbers"),),
        ),
        ROOT_MONOTONE,
    )


def _clients(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    eigenvalue = _nu * (_smallest + _u) + mu - _smallest
    return (
        Identity(
            "L-client",
            r"The stated $L_i$ is the last eigenvalue of $A_i$ (in the plane).",
            _plane(stated["eigenvalue"], j=1),
            _plane(stated["L_client"]),
        ),
        Certificate(
            "L-client-above",
            r"No other eigenvalue is above it, as $\nu_i>0$.",
            eigenvalue,
            _nu * (_smallest + _u + _t) + mu - _smallest,
            (Term(_nu, _t, "nonnegative by definition"),),
        ),
        Certificate(
            "L-client-below",
            r"Nor is one below its negative: $\tau_d=1-\tau_1$, as $\sin^2+\cos^2=1$.",
            -eigenvalue,
            _nu * (1 - _smallest) + mu - _smallest,
            (
                Term(Integer(1), _nu + 2 * mu - 2 * _smallest, "hypothesis: nu_i is at least 2 (tau_1 - mu)"),
                Term(_nu, _u, "nonnegative by definition"),
            ),
        ),
        Identity(
            "extremes-add-up",
            r"$\tau_1+\tau_d=1$ (in the plane).",
            _plane(stated["tau"], j=0) + _plane(stated["tau"], j=1),
            Integer(1),
        ),
    )


def _weighted(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    size = 3
    largest = [_plane(stated["L_client"], i=place, n=size) for place in range(size)]
    smallest = [_plane(stated["eigenvalue"], i=place, j=0, n=size) for place in range(size)]
    total = _plane(stated["L_minus"])
    shift, x, D = mu - _smallest, _smallest + _u, _smallest + _u + _t
    client, mean = _nu * D + shift, D + shift
    return (
        Identity(
            "L-weighted",
            r"The mean of the $L_i$ is $L_-$ (every number of clients, in the plane); so with $w_i\propto "
            r"L_i$, $L_-\le L_{+,w}\le\frac1n\sum_iL_i=L_-$ by `cq_marina/hv-relations`.",
            _mean(_plane(stated["L_client"])),
            total,
        ),
        Identity(
            "deviation",
            r"With $nw_i=L_i/L_-$ the scaled eigenvalue differs from the mean one by "
            r"$-s(\nu_i-1)(\tau_d-\tau_k)/L_i$: zero at $k=d$, largest at $k=1$, and small with $s$.",
            (_nu * x + shift) * mean / client - (x + shift),
            -shift * (_nu - 1) * (D - x) / client,
        ),
        Identity(
            "weighted",
            r"Their variance with these weights at $k=1$ is the stated $L_{\pm,w}^2$ (three clients in the "
            r"plane).",
            sum(
                constant / (size * total) * (own * total / constant - mu) ** 2
                for constant, own in zip(largest, smallest, strict=True)
            ),
            _plane(stated["weighted_square"], n=size),
        ),
    )


_MUTANTS = (
    Mutant(
        "no-square-root",
        r"$L_\pm=\lambda\frac{n^2-1}{3n^2}\tau_d$: too small, 0.574 and 0.566 of the value.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "sample-variance",
        r"Divide by $n-1$ in $\mathrm{var}(\nu)$: 1.054 and 1.118 times the value.",
        ("exact",),
    ),
    Mutant(
        "weights-not-inverted",
        r"Weigh the squares with $w_i$ instead of $\frac1{nw_i}$: $L_{+,w}$ 1.117 and 1.292 times too large.",
        ("exact",),
    ),
    Mutant(
        "equal-weights",
        r"Claim the small $L_{\pm,w}$ of $w_i\propto L_i$ for equal weights: exceeded 406 and 18.8 times.",
        ("exact", "adversarial"),
    ),
    Mutant("permuted-clients", "Number the clients in reverse order.", ("exact",), neutral=True),
    Mutant("swapped-functions", "The clients in the reverse order, their gradients not.", ("exact",)),
)

CLAIM = Claim(
    id="cq_marina/tridiag",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="Smoothness constants of the tridiagonal quadratics, and how weights remove their variance",
    statement=(
        r"Let $\nu_i=1+\lambda(\frac{2i-1}n-1)$, $i=1,\dots,n$, $T=\mathrm{tridiag}(-1,2,-1)\in\mathbb "
        r"R^{d\times d}$, $\tau_k=\sin^2\frac{k\pi}{2(d+1)}$, $s=\mu-\tau_1$, $A_i=\frac{\nu_i}4T+sI$ and "
        r"$f_i=\frac12x^\top A_ix-b_i^\top x$, $b_i=\frac{\nu_i}4(-1+\lambda_b(\nu_{n+1-i}-1)/\lambda)e_1$. "
        r"The $A_i$ commute, with eigenvalues $\nu_i\tau_k+s$, and $$L_-=\mu+\tau_d-\tau_1,\quad "
        r"L_+^2=L_-^2+\mathrm{var}(\nu)\tau_d^2,\quad L_\pm=\lambda\sqrt{\tfrac{n^2-1}{3n^2}}\,\tau_d,\quad "
        r"\lambda_{\min}(\bar A)=\mu,$$ with $\mathrm{var}(\nu)=\lambda^2\frac{n^2-1}{3n^2}$ and "
        r"$L_i=\nu_i\tau_d+s$ if all $\nu_i\ge2(\tau_1-\mu)$. Finding: then the weights $w_i\propto L_i$ "
        r"give $L_{+,w}=L_-$ and $$L_{\pm,w}^2=\frac{s^2(\tau_d-\tau_1)^2}{nL_-}\sum_i\frac{(\nu_i-1)^2}"
        r"{L_i},$$ nearly 0: on $(n,d,\lambda,\mu)=(10,32,\frac12,10^{-6})$ and $(5,6,\frac45,10^{-2})$ "
        r"weighting takes $L_\pm$ down by the factors 406 and 18.8, as the clients are nearly multiples of "
        r"each other."
    ),
    variables=(
        CLIENTS,
        DIMENSION,
        Variable(lam, r"[0,1)", r"$\lambda$: how much the clients differ"),
        Variable(mu, r"\mathbb R_{\ge0}", "smallest eigenvalue of the mean matrix"),
    ),
    assumptions=(
        r"$0\le\lambda<1$ and $\mu\ge0$; clients are numbered from 0 in the formulas.",
        r"For the $L_i$ and the weighted constants: $\nu_i\ge2(\tau_1-\mu)$ for all $i$, that is "
        r"$\lambda(1-\frac1n)\le1-2(\tau_1-\mu)$.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"two clients in the plane: $\nu=(\frac34,\frac54)$, $\tau=(\frac14,\frac34)$",
            {"n": 2, "d": 2, "lam": _HALF, "mu": _QUARTER},
            Rational(3, 16),
        ),
        WorstCase(
            "five clients in the plane",
            {"n": 5, "d": 2, "lam": _HALF, "mu": _HALF},
            3 * sqrt(2) / 20,
        ),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
