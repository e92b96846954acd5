r"""`cq_marina/finding-idle-clients`: PermK with idle clients has the constant 1 (arXiv 2401.05518).

Derivation: with one owner for each coordinate, uniform over the clients, the error is $\theta_1(M-m)=M-m$ of
`cq_marina/ab-permk`; the balanced constant $\theta$ is smaller than 1 as soon as some coordinate has two
owners.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, symbols

from theory.cq_marina.ab_permk import CLAIM as PERMK
from theory.cq_marina.ab_permk import THETA, TOTAL_VARIANCE, q, sample_variance
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, DIMENSION, EXACT_REALS, MEAN_SQUARE, SQUARED_MEAN, M, d, m, n
from theory.instance import instance
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.summation import SUMMATION

_FORMULAS = {"balanced": THETA * (M - m), "factor": (n - 1) / (d - 1)}
_EXACT = M - m

_z = Symbol("z", integer=True, nonnegative=True)


def _divisible(coordinates: int) -> dict[Symbol, Expr]:
    """Return sizes with a multiple of the coordinates as clients, at least twice as many."""
    return {n: (_z + 2) * coordinates, d: Integer(coordinates)}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    sample = PERMK.formulas["theta_sample"]
    values = symbols("x_1:4", real=True)
    square, mean = sum(item**2 for item in values) / 3, sum(values) / 3
    return (
        Identity(
            "one-owner",
            r"With one owner for each coordinate the constant of `cq_marina/ab-permk` is $\theta_1=1$.",
            sample.xreplace({q: Integer(1)}) * (M - m),
            stated["exact"],
        ),
        Identity(
            "one-of-three",
            r"The same over all owners of one coordinate, for three clients.",
            sample_variance(values, 1),
            stated["exact"].xreplace({M: square, m: mean**2}),
        ),
        Identity(
            "balanced",
            r"The stated balanced error is that of `cq_marina/ab-permk` (shown for $n=5$, $d=3$: "
            r"$\theta=\frac7{12}$).",
            instance(stated["balanced"], {n: 5, d: 3}),
            Rational(7, 12) * (M - m),
        ),
        Identity(
            "balanced-two-owners",
            r"The same for $n=7$, $d=3$: $\theta=\frac{19}{54}$.",
            instance(stated["balanced"], {n: 7, d: 3}),
            Rational(19, 54) * (M - m),
        ),
        Identity(
            "balanced-large-dimension",
            r"For $d\ge n$ no client is idle and both are the same.",
            instance(stated["balanced"], {d: n + _z}),
            stated["exact"],
        ),
        *(
            Identity(
                f"factor-{coordinates}",
                rf"For $d\mid n$ the error is the stated $\frac{{n-1}}{{d-1}}$ times the balanced one (shown "
                rf"for $d={coordinates}$).",
                instance(stated["factor"], _divisible(coordinates))
                * instance(stated["balanced"], _divisible(coordinates)),
                stated["exact"],
            )
            for coordinates in (2, 3)
        ),
        Certificate(
            "larger",
            r"$\theta_q\le1$ for $q\ge1$ of $n=z+2$ clients: with $M-m=1$ the balanced error is never "
            r"larger.",
            sample.xreplace({n: _z + 2}),
            stated["exact"].xreplace({M: Integer(1), m: Integer(0)}),
            (Term((_z + 2) / (q * (_z + 1)), q - 1, "hypothesis: a coordinate has an owner"),),
        ),
        TOTAL_VARIANCE,
        SUMMATION,
    )


_MUTANTS = (
    Mutant(
        "balanced-constant",
        r"Claim that the variant with idle clients has the error $\theta(M-m)$ of the balanced one: it is "
        r"exceeded by $\frac{12}7$ at $n=5$, $d=3$ and by $\frac52$ at $n=6$, $d=3$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "busy-clients",
        r"Let the surplus clients share coordinates, as `cq_marina/ab-permk` does: the error is smaller than "
        r"$M-m$.",
        ("exact",),
    ),
    Mutant(
        "permuted-clients",
        "Number the clients and the coordinates in the reverse order: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cq_marina/finding-idle-clients",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="PermK with idle clients has the constant 1, not the balanced one",
    statement=(
        r"For fewer coordinates than clients, $d<n$, PermK may be read as giving each coordinate to one "
        r"client, while the other $n-d$ clients of the round stay idle. Under this reading the constant "
        r"$\frac{d-1}{n-1}$ of `cq_marina/ab-permk` fails: for all inputs $$V=M-m,$$ so $A=B=1$ for all $n$ "
        r"and $d$. At $n=5$, $d=3$ this is $\frac{12}7$ times $\theta(M-m)$, and for $d\mid n$ it is "
        r"$\frac{n-1}{d-1}$ times as much. What holds instead: with every client employed, the numbers of "
        r"owners as equal as possible and plain averages over them, $V=\theta(M-m)$."
    ),
    variables=(CLIENTS, DIMENSION, MEAN_SQUARE, SQUARED_MEAN),
    assumptions=(
        r"Each coordinate is owned by one client, uniformly distributed, which sends $n$ times its entry; "
        r"clients without a coordinate send nothing.",
        r"$n\ge2$; the factor $\frac{n-1}{d-1}$ needs $d\ge2$ and $d\mid n$.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "grid(5,3;2,5,1,11,5,2) of the specification",
            {"n": 5, "d": 3, "M": 7, "m": Rational(13, 50)},
            Rational(337, 50),
        ),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
