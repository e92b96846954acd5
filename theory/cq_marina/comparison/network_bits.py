r"""`cq_marina/network-bits`: MARINA with four compressors on networks (arXiv 2401.05518, abstract)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Symbol, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.cost.whole_gradients import promised, whole_gradients
from theory.cq_marina.paper import PAPER
from theory.formula import le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

A, B, V, M, m, n, d, p, c, l = symbols("A B V M m n d p c l", real=True)
count = Symbol("N", real=True)
errors, squares, means = symbols("errors squares means", cls=IndexedBase, real=True)
BLOCKS = (l, 0, count - 1)

INDEPENDENT, CORRELATED = (d - 1) / n, d / n**2
LENGTH = (32 + d) / (32 * d)

# The largest ratios L_-, L_+, L_pm along gradient descent from one start.
CONSTANTS = {"digits": ("2.05", "2.21", "1.06"), "mnist": ("4.30", "4.45", "1.17")}
# What a method needs of the bits of the next one, at most.
SHARES = {"perm_k": Rational(4, 5), "correlated": Rational(19, 20), "rand_k": Rational(9, 10)}
_CONSTANTS = {name: tuple(map(Rational, row)) for name, row in CONSTANTS.items()}
_NAMED = {
    f"{constant}_{data}": value
    for data, row in _CONSTANTS.items()
    for constant, value in zip(("L_minus", "L_plus", "L_pm"), row, strict=True)
}
_VALUES = {
    **SHARES,
    "accuracy": Rational(1, 10),
    "coarse": Rational(1, 5),
    "share": Rational(3, 4),
    "seeds": Integer(5),
}

CLAIM = Claim(
    id="cq_marina/network-bits",
    kind="ordering",
    provenance="abstract",
    title="MARINA on networks: bits of four compressors to a squared gradient",
    position=38,
    paper=PAPER,
    **statement(
        r"""
        A network with one hidden layer of rectified units, the mean cross-entropy of the training rows, full
        local gradients of 20 clients with equally many rows in file order. On the digits of scikit-learn,
        1400 rows, it has 1360 parameters; on MNIST, the first 19 000 rows, 784-26-10 with 20 680.
        Quantizers (IQ, CQ) are one-bit with a norm of 32 bits for each of $N$ blocks of 40 entries; RandK
        and PermK send a 20th of the entries. MARINA has the step of `cq_marina/marina-rate` for constants
        $L_-$, $L_+$, $L_\pm$ that are measured, and the best $p$, for PermK one in 20.
        (a: blocks) Blocks keep the constants of one of them: if $V_l\le AM_l-Bm_l$ for each block, then
          $$V\le AM-Bm.$$ [proof; exact/error of blocks]
        (b: whole-independent) <<With one norm for all entries -> proof>> IQ promises nothing on the larger
          network, $n=20$, $d=20680$: whole gradients are the best,
          $$1\le(p+(1-p)c)\Big(1+\sqrt{\tfrac{1-p}p\frac{d-1}n}\Big).$$ [proof; exact/promise of one norm]
        (c: whole-correlated) Nor does CQ there, <<even for equal differences of all clients -> proof>>:
          $$1\le(p+(1-p)c)\Big(1+\sqrt{\tfrac{1-p}p\frac d{n^2}}\Big).$$ [proof; exact/promise of one norm]
        (d) <<Along gradient descent from one start the largest ratios of differences of gradients to those of
          points -> exact/ratios along gradient descent>> are {value:digits[0],3}, {value:digits[1],3} and
          {value:digits[2],3} on the digits, {value:mnist[0],3}, {value:mnist[1],3} and {value:mnist[2],3}
          on MNIST. No guarantee follows from them elsewhere. [exact/ratios along gradient descent]
        (e) On the digits, <<in each run -> exact/bits in each run>> from {value:seeds} random starts, PermK
          needs to a squared gradient of {value:accuracy} at most {value:perm_k} of the bits of CQ, CQ at most
          {value:correlated} of those of RandK, RandK at most {value:rand_k} of those of IQ. [exact/bits in
          each run]
        (f) On MNIST, <<in each run -> exact/bits in each run>>, each needs to a squared gradient of
          {value:coarse} at most {value:share} of the bits of the next one in this order. [exact/bits in each
          run]
        (g) On both, <<in each run -> exact/bits of whole gradients>>, none of them needs more bits than
          gradient descent with the inverse of the first ratio as its step. [exact/bits of whole gradients]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of parameters"),
        Variable(count, "N", r"\mathbb N", "number of blocks"),
        Variable(p, "p", "(0,1]", "probability of a round with full gradients"),
        Variable(c, "c", "(0,1]", "length of a compressed message relative to an uncompressed one"),
        Variable(A, "A", r"\mathbb R_{\ge0}", "first constant of the quantizer"),
        Variable(B, "B", r"\mathbb R_{\ge0}", "second constant"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "error of the mean of the messages"),
        Variable(errors, "V", r"\mathbb R^N_{\ge0}", "that of a block", "(N,)"),
        Variable(M, "M", r"\mathbb R_{\ge0}", "mean of the squared norms of the inputs"),
        Variable(squares, "M", r"\mathbb R^N_{\ge0}", "that of a block", "(N,)"),
        Variable(m, "m", r"\mathbb R_{\ge0}", "squared norm of their mean"),
        Variable(means, "m", r"\mathbb R^N_{\ge0}", "that of a block", "(N,)"),
    ),
    notation={
        "L_-": "Lipschitz constant of the gradient",
        "L_+": "of the gradients in the mean square",
        r"L_\pm": "Hessian variance",
    },
    hypotheses={
        "sizes": domain(r"$n,N,d$ are positive integers"),
        "signs": domain(r"$0<p\le1$"),
        "parts": definition(r"$V=\sum_lV_l$, $M=\sum_lM_l$, $m=\sum_lm_l$"),
        "block": model(
            r"$V_l\le AM_l-Bm_l$",
            reference="cq_marina/ab-cq",
        ),
        "network": parameter(r"$n=20$, $d=20680$"),
        "length": definition(r"$c=\frac{32+d}{32d}$"),
    },
    relations={
        "blocks": Relation((V, A * M - B * m), ("<=",)),
        "whole-independent": Relation((1, promised(p, c, INDEPENDENT)), ("<=",), under=("network",)),
        "whole-correlated": Relation((1, promised(p, c, CORRELATED)), ("<=",), under=("network",)),
    },
    formulas={
        "bound": A * M - B * m,
        "independent_price": promised(p, c, INDEPENDENT),
        "correlated_price": promised(p, c, CORRELATED),
        "length": LENGTH,
        **_NAMED,
        **_VALUES,
    },
    internal={
        "length": "the definition of $c$",
        **dict.fromkeys(_NAMED, "measured, said as a value"),
        **dict.fromkeys(_VALUES, "a number of (e) to (g), said as a value"),
    },
    values={**_VALUES, **_CONSTANTS},
    worst_cases=cases("""
        whole gradients only | p = 1, c = 20712/661760, n = 20, d = 20680 | 1
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(BLOCKS)
    K.example(
        {
            n: 1,
            count: 1,
            d: 1,
            A: 2,
            B: 1,
            errors: (1,),
            squares: (1,),
            means: (1,),
            V: 1,
            M: 1,
            m: 1,
            p: 1,
            c: 1,
        }
    )
    K.example({n: 20, count: 517, d: 20680, p: Rational(1, 2), c: Rational(20712, 661760)})
    K.show(
        "blocks",
        (1, K.given("parts")),
        (1, K.sum_over("block", BLOCKS)),
        (-A, K.given("parts", 1)),
        (B, K.given("parts", 2)),
    )
    where = [K.given("length"), K.given("network"), K.given("network", 1)]
    K.know(K.cert(lt(0, c), using=where), K.cert(le(c, 1), using=where))
    for name, noise in (("whole-independent", INDEPENDENT), ("whole-correlated", CORRELATED)):
        K.know(K.cert(lt(0, noise), using=where))
        K.conclude(
            name, whole_gradients(K, p, c, noise, K.cert(le((1 - c) ** 2 / (4 * c), noise), using=where))
        )
