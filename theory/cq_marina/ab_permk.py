r"""`cq_marina/ab-permk`: PermK has $A=B=\theta$ with equality (arXiv 2401.05518).

$V=\theta(M-m)$ for all inputs; $\theta=1$ for $d\ge n$ and, for $n=sd+t>d$ with $0\le t<d$,
$\theta=\frac1{n-1}\big[n\big(\frac{d-t}{ds}+\frac t{d(s+1)}\big)-1\big]$, which is $\frac{d-1}{n-1}$ for
$t=0$.

Derivation: the owners of a coordinate are a simple random sample without replacement of $q$ clients, whose
mean has the variance $\frac{n-q}{q(n-1)}(M_j-m_j)$; it is averaged over the sizes $q\in\{s,s+1\}$ and added
up over the coordinates.
"""

import itertools
from collections.abc import Mapping, Sequence
from math import comb

from sympy import Add, Expr, Integer, Piecewise, Rational, Symbol, floor, symbols

from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, DIMENSION, EXACT_REALS, MEAN_SQUARE, SQUARED_MEAN, M, d, m, n
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Identity, StandardFact, Step
from theory.summation import SUMMATION

q = Symbol("q", integer=True, positive=True)
s = Symbol("s", integer=True, positive=True)
t = Symbol("t", integer=True, nonnegative=True)

_z = Symbol("z", integer=True, nonnegative=True)
_S, _T = Symbol("S", nonnegative=True), Symbol("T", real=True)

# n = s d + t clients on d < n coordinates: d - t of them have s owners, t of them s + 1.
_SMALLER = floor(n / d)
_REST = n - _SMALLER * d


def _from_sizes(smaller: Expr, rest: Expr) -> Expr:
    return (n * ((d - rest) / (d * smaller) + rest / (d * (smaller + 1))) - 1) / (n - 1)


THETA = Piecewise((Integer(1), d >= n), (_from_sizes(_SMALLER, _REST), True))
_SAMPLE = (n - q) / (q * (n - 1))
_EXACT = THETA * (M - m)
_FORMULAS = {
    "theta": THETA,
    "theta_sizes": _from_sizes(s, t),
    "theta_divisible": (d - 1) / (n - 1),
    "theta_sample": _SAMPLE,
}

SAMPLING = StandardFact(
    "inclusion",
    r"A simple random sample of $q$ of $n$ clients contains each client with probability $\frac qn$ and each "
    r"pair of clients with probability $\frac{q(q-1)}{n(n-1)}$.",
    "W. G. Cochran, Sampling Techniques, 3rd ed., sections 2.3 and 2.8",
)
TOTAL_VARIANCE = StandardFact(
    "total-variance",
    r"$\mathrm{Var}\,X=\mathbb E\,\mathrm{Var}(X\mid Y)+\mathrm{Var}\,\mathbb E(X\mid Y)$, coordinate by "
    r"coordinate.",
    "P. Billingsley, Probability and Measure, 3rd ed., section 34",
)

OWNERS = (
    r"PermK: for $d\ge n$ each coordinate is owned by exactly one client, uniformly distributed, which sends "
    r"$n$ times its entry; for $d<n$ each client sends one coordinate, coordinate $j$ is held by a uniformly "
    r"random set of $q_j\in\{\lfloor n/d\rfloor,\lceil n/d\rceil\}$ clients (the sizes are dealt at random) "
    r"and its estimate is the plain average of their entries."
)


def sample_variance(values: Sequence[Expr], size: int) -> Expr:
    """Return the variance of the mean of a uniformly random sample of `size` of the values."""
    mean, chance = Add(*values) / len(values), Rational(1, comb(len(values), size))
    samples = itertools.combinations(values, size)
    return Add(*(chance * (Add(*sample) / size - mean) ** 2 for sample in samples))


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_sample(stated), *_sizes(stated), *_total(stated))


def _sample(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    one, pair = q / n, q * (q - 1) / (n * (n - 1))
    steps: list[Step] = [
        SAMPLING,
        Identity(
            "mean",
            r"The mean of $q$ sampled entries is unbiased: each of the $n$ entries counts $\frac1q$ with "
            r"probability $\frac qn$ ($T$: sum of the entries).",
            one * _T / q,
            _T / n,
        ),
        Identity(
            "sample",
            r"Its variance is the stated $\frac{n-q}{q(n-1)}(M_j-m_j)$, where $S=nM_j$ is the sum of the "
            r"squared entries and $T^2=n^2m_j$ that of all products.",
            (one * _S + pair * (_T**2 - _S)) / q**2 - (_T / n) ** 2,
            stated["theta_sample"] * (_S / n - (_T / n) ** 2),
        ),
    ]
    for clients, size in ((2, 1), (3, 2), (4, 2), (3, 3)):
        values = symbols(f"x_1:{clients + 1}", real=True)
        square, mean = Add(*(item**2 for item in values)) / clients, Add(*values) / clients
        steps.append(
            Identity(
                f"sample-{size}-of-{clients}",
                rf"The same over all samples of {size} of {clients} entries.",
                sample_variance(values, size),
                instance(stated["theta_sample"], {n: clients, q: size}) * (square - mean**2),
            )
        )
    return tuple(steps)


def _sizes(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    owned = {n: s * d + t}
    averaged = (d - t) / d * _SAMPLE.xreplace({q: s}) + t / d * _SAMPLE.xreplace({q: s + 1})
    steps: list[Step] = [
        TOTAL_VARIANCE,
        Identity(
            "owners",
            r"$d-t$ coordinates with $s$ owners and $t$ with $s+1$ employ all $n=sd+t$ clients.",
            (d - t) * s + t * (s + 1),
            n.xreplace(owned),
        ),
        Identity(
            "sizes",
            r"A coordinate has $s$ owners with probability $\frac{d-t}d$, else $s+1$; whatever the size, the "
            r"conditional mean is $\bar a_j$, so the variance is the average over the sizes.",
            averaged.xreplace(owned),
            stated["theta_sizes"].xreplace(owned),
        ),
        Identity(
            "divisible",
            r"For $t=0$ it is $\frac{d-1}{n-1}=1-\frac{n-d}{n-1}$.",
            stated["theta_sizes"].subs(t, 0).xreplace({n: s * d}),
            stated["theta_divisible"].xreplace({n: s * d}),
        ),
        Identity(
            "one-owner",
            r"For $d\ge n$ each coordinate has one owner: $\theta=1$, whatever the remainder.",
            instance(stated["theta"], {d: n + _z}),
            stated["theta_sample"].xreplace({q: Integer(1)}),
        ),
    ]
    for coordinates, rest in ((1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)):
        smaller = _z + (1 if rest else 2)
        clients = smaller * coordinates + rest
        steps.append(
            Identity(
                f"theta-{coordinates}-{rest}",
                rf"The stated $\theta$ has $s=\lfloor n/d\rfloor$ and $t=n-sd$ (shown for $d={coordinates}$ "
                rf"and $n=sd+{rest}>d$).",
                instance(stated["theta"], {n: clients, d: coordinates}),
                instance(stated["theta_sizes"], {n: clients, d: coordinates, s: smaller, t: rest}),
            )
        )
    return tuple(steps)


def _total(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    squares, means = symbols("M_1:4", nonnegative=True), symbols("m_1:4", nonnegative=True)
    steps: list[Step] = []
    for clients in (3, 7):
        sizes = {n: clients, d: 3}
        factor = instance(THETA, sizes)
        steps.append(
            Identity(
                f"total-{clients}",
                rf"$V=\sum_j\theta(M_j-m_j)=\theta(M-m)$ with $M=\sum_jM_j$ and $m=\sum_jm_j$ (shown for "
                rf"$d=3$, $n={clients}$).",
                Add(*(factor * (square - mean) for square, mean in zip(squares, means, strict=True))),
                instance(stated["exact"], {**sizes, M: Add(*squares), m: Add(*means)}),
            )
        )
    return (*steps, SUMMATION)


_MUTANTS = (
    Mutant(
        "theta-over-n",
        r"$n$ for $n-1$ in the divisor: $\frac{d-1}n$ for $t=0$, below the error.",
        ("exact",),
    ),
    Mutant(
        "missing-scale",
        r"The owner sends its entry without the factor $n/q_j$: biased towards zero.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "idle-clients",
        r"Surplus clients stay idle for $d<n$: each coordinate has one owner and the error is $M-m$, above "
        r"the stated $\theta(M-m)$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "permuted-clients",
        "Number the clients and the coordinates in the reverse order: nothing may change.",
        ("exact",),
        neutral=True,
    ),
    Mutant(
        "common-draws",
        r"All coordinates have one owner: no coordinate alone shows it.",
        ("montecarlo",),
    ),
)

CLAIM = Claim(
    id="cq_marina/ab-permk",
    paper=PAPER,
    kind="identity",
    provenance="rederived",
    title="PermK: exact error and AB constants for any number of clients and coordinates",
    statement=(
        r"For all inputs the error of PermK is $$V=\theta(M-m),$$ so $A=B=\theta$, with equality. $\theta=1$ "
        r"for $d\ge n$, whatever the remainder. For $d<n$ and $n=sd+t$ with $0\le t<d$, $$\theta=\frac1{n-1}"
        r"\Big[n\Big(\frac{d-t}{ds}+\frac t{d(s+1)}\Big)-1\Big],$$ which is $\frac{d-1}{n-1}$ for $t=0$. If "
        r"a coordinate has $q$ owners, $\theta_q=\frac{n-q}{q(n-1)}$."
    ),
    variables=(
        CLIENTS,
        DIMENSION,
        MEAN_SQUARE,
        SQUARED_MEAN,
        Variable(q, r"\{1,\dots,n\}", "number of owners of a coordinate"),
        Variable(s, r"\mathbb N", r"$s=\lfloor n/d\rfloor$, the smaller number of owners"),
        Variable(t, r"\{0,\dots,d-1\}", r"$t=n-sd$, the number of coordinates with $s+1$ owners"),
    ),
    assumptions=(OWNERS, r"$n\ge2$.", EXACT_REALS),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("twice as many clients as coordinates", {"n": 6, "d": 3, "M": 1, "m": 0}, Rational(2, 5)),
        WorstCase("a remainder of one", {"n": 7, "d": 3, "M": 1, "m": 0}, Rational(19, 54)),
        WorstCase("five clients on two coordinates", {"n": 5, "d": 2, "M": 1, "m": 0}, Rational(13, 48)),
        WorstCase("a remainder for $d>n$", {"n": 3, "d": 4, "M": 1, "m": 0}, Integer(1)),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
