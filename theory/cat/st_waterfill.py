r"""`cat/st-waterfill`: the best chances of a given expected size (arXiv 2003.06377).

Among all chances with $\sum p\le T$ the share $\omega(p)=\|g\|^2/\sum_jg_j^2/p_j$ is largest for
$p_j=\min(1,c|g_j|)$; with the $k$ largest entries kept surely it has a closed form.

Derivation: $g^2/q\ge2g/c-q/c^2$ entry by entry, and the tangent at $q=1$ for entries that are kept surely;
between breakpoints $\omega$ is a Möbius map of $T$, and value and slope agree at each breakpoint.
"""

from collections.abc import Mapping

from sympy import Expr, IndexedBase, Rational, Sum, Symbol

from theory.cat.paper import PAPER
from theory.cat.st_waterfill_derivation import steps
from theory.cat.symbols import DIMENSION, d, j
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Step

k = Symbol("k", integer=True, nonnegative=True)
T = Symbol("T", positive=True)
s = IndexedBase("s", nonnegative=True)

_ENERGY = Sum(s[j] ** 2, (j, 0, d - 1))
_SURE = Sum(s[j] ** 2, (j, 0, k - 1))
_TAIL = Sum(s[j], (j, k, d - 1))
_EXACT = _ENERGY / (_SURE + _TAIL**2 / (T - k))
_FORMULAS = {
    "level": (T - k) / _TAIL,
    "slope": _ENERGY * _TAIL**2 / (_SURE * (T - k) + _TAIL**2) ** 2,
    "linear": T * _ENERGY / Sum(s[j], (j, 0, d - 1)) ** 2,
    "knee": Sum(s[j], (j, 0, d - 1)) / s[0],
}
_BOUND = T / d


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return steps(stated, s, k, T)


_MUTANTS = (
    Mutant(
        "squared-magnitudes",
        r"Take $p_j$ in proportion to $g_j^2$: at (3, -1, 4, 1, -5, 9, 2, -6) with $T=1$ the share is 1/8 "
        r"instead of 173/961.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "clipped-only",
        r"Take $\min(1,T|g_j|/\|g\|_1)$ and do not give away what is clipped: $\sum p<T$.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "equal-chances",
        r"Call equal chances of the nonzero entries the best ones: their sum is $T$, their share smaller.",
        ("exact",),
    ),
    Mutant(
        "convex-share",
        r"Claim that $\omega_T$ is convex in $T$: the slopes the wrong way round.",
        ("exact",),
    ),
    Mutant(
        "permuted-entries", "Reverse the order of the entries: nothing may change.", ("exact",), neutral=True
    ),
)

_GI = (9, 6, 5, 4, 3, 2, 1, 1)

OLD = Claim(
    id="cat/st-waterfill",
    paper=PAPER,
    kind="tight",
    provenance="rederived",
    title="Best chances of a given expected size: water filling",
    statement=(
        r"Let $0<T\le$ the number of nonzeros, $|g|_{(1)}\ge|g|_{(2)}\ge\dots$ the sorted magnitudes, $A_k$ "
        r"and $S_k$ the sums of the $k$ largest squares and magnitudes, and $k$ the least integer with "
        r"$|g|_{(k+1)}(T-k)\le S_d-S_k$. Among all $p\in[0,1]^d$ with $\sum p\le T$ the share "
        r"$\|g\|^2/\sum_jg_j^2/p_j$ (terms with $g_j=0$ are 0) is largest for "
        r"$p_j=\min(1,c|g_j|)$, $c=(T-k)/(S_d-S_k)$, where it is "
        r"$$\omega_T=\frac{A_d}{A_k+(S_d-S_k)^2/(T-k)}\ge\frac Td,$$ and no unbiased random sparsifier with "
        r"$T$ expected entries has a larger one. $T\mapsto\omega_T$ is nondecreasing, concave and "
        r"continuously differentiable below the number of nonzeros, and $\omega_T=TA_d/S_d^2$ up to "
        r"$T_c=\|g\|_1/\|g\|_\infty$. Hence $\omega_T/C$ is unimodal for affine costs $C=c_0+c_1T$; all real "
        r"$T\le T_c$ tie for $c_0=0$, and for $c_0>0$ the best real $T$ is at least $T_c$, the best whole "
        r"one at least $\lfloor T_c\rfloor$."
    ),
    variables=(
        DIMENSION,
        Variable(k, r"\mathbb N_0", "number of entries that are kept surely"),
        Variable(T, r"\mathbb R_{>0}", "expected number of entries that are kept"),
        Variable(s, r"\mathbb R^d_{\ge0}", "sorted magnitudes, largest first", "(d,)"),
    ),
    assumptions=(
        r"$g\ne0$; $T$ is at most its number of nonzeros.",
        r"$k$ is the least integer with $|g|_{(k+1)}(T-k)\le S_d-S_k$.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("flat: the share is T / d", {"s": (1,) * 4, "d": 4, "k": 0, "T": 3}, Rational(3, 4)),
        WorstCase("one sure entry", {"s": _GI, "d": 8, "k": 1, "T": 4}, Rational(519, 727)),
        WorstCase("four sure entries", {"s": _GI, "d": 8, "k": 4, "T": 6}, Rational(346, 365)),
        WorstCase("end of the linear part", {"s": _GI, "d": 8}, Rational(31, 9)),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    exact=_EXACT,
    formulas=_FORMULAS,
)
