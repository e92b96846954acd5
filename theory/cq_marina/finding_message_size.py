r"""`cq_marina/finding-message-size`: the order of the cost needs messages of a few floats (arXiv 2401.05518).

Derivation: no cost is below the length of a message (`at-least-c` of `cq_marina/comm-ratio`), and an honest
one-bit message is $1+\frac d{32}$ floats long.
"""

from collections.abc import Mapping

from sympy import Expr, Integer

from theory.cq_marina.comm_ratio import CLAIM as RATIO
from theory.cq_marina.comm_ratio_derivation import beta, psi_steps
from theory.cq_marina.comm_scaling import CLAIM as SCALING
from theory.cq_marina.comm_scaling import kappa
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, DIMENSION, EXACT_REALS, d, n
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

_BOUND = 1 + d / 32
_FORMULAS = {
    "overshoot": (32 + n) / 128,
    "largest_gain": 32 * d / (32 + d),
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *psi_steps(RATIO.formulas),
        Identity(
            "length",
            r"A message of $32+d$ bits is the stated number of floats, $dc$ with $\beta=1$; so $d\psi\ge "
            r"dc$ is at least that, whatever $n$.",
            d * RATIO.formulas["message"].xreplace({beta: Integer(1)}),
            stated["bound"],
        ),
        Identity(
            "overshoot",
            r"At $d=n$ this is the stated multiple of $2(1+\frac dn)=4$, the order for messages of one float "
            r"($\kappa=1$).",
            stated["overshoot"] * SCALING.formulas["floats_cq"].xreplace({kappa: Integer(1), d: n}),
            stated["bound"].xreplace({d: n}),
        ),
        Identity(
            "gain",
            r"Against $d$ floats without compression the gain is at most the stated one,",
            stated["largest_gain"] * stated["bound"],
            d,
        ),
        Certificate(
            "at-most-32",
            r"which is below 32.",
            stated["largest_gain"],
            Integer(32),
            (Term(1024 / (32 + d), Integer(1), "one"),),
        ),
    )


_MUTANTS = (
    Mutant(
        "one-float-messages",
        r"Take one-bit messages for single floats, $c=\frac1d$: the cost seems to fall below $\frac d{32}$.",
        ("exact",),
    ),
    Mutant(
        "claimed-order",
        r"Claim $2(1+\frac dn)$ floats for one-bit messages: exceeded 78 times at $d=n=10^4$.",
        ("exact",),
    ),
    Mutant("bytes", "Count messages in bytes: nothing may change.", ("exact",), neutral=True),
)

CLAIM = Claim(
    id="cq_marina/finding-message-size",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="The order 1 + d/n of the cost needs messages of a few floats",
    statement=(
        r"Read as a statement on one-bit quantizers, the order $\min\{d,1+\frac dn\}$ of the cost in floats "
        r"fails: it holds for messages of $O(1)$ floats (`cq_marina/comm-scaling`), but $d$ bits and a norm "
        r"are $1+\frac d{32}$ floats, and for every $n$ and $p$ $$d\,\psi\ge1+\frac d{32}.$$ At $d=n$ this "
        r"exceeds $2(1+\frac dn)$ by the factor $\frac{32+n}{128}$, which has no bound. What holds instead: "
        r"up to a factor 2 the cost is $\min\{d,2d(c+\sqrt{cA})\}$ with $c=\frac1d+\frac1{32}$; so the "
        r"gain over uncompressed rounds is below 32 whatever $n$."
    ),
    variables=(CLIENTS, DIMENSION),
    assumptions=(
        *SCALING.assumptions[:2],
        "One bit for each coordinate and a norm of 32 bits; an uncompressed float has 32 bits.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase("ten thousand coordinates and clients", {"n": 10**4, "d": 10**4}, Integer(10**4) / 32 + 1),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
