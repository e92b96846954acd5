r"""`cat/alpha-dominates-omega`: on one node the largest entries guarantee the most (arXiv 2003.06377).

With $T$ expected entries no unbiased random sparsifier has a larger share than the $T$ largest entries:
$\omega_T\le\alpha(T)$.

Derivation: $\|g\|^2=\mathbb E\langle g,Q\rangle\le\mathbb E\big[\|Q\|\,\|g\|\sqrt{\alpha(N)}\big]$ with $N$
survivors, Cauchy-Schwarz, and Jensen's inequality for the concave $\alpha$.
"""

from collections.abc import Mapping
from itertools import combinations

from sympy import Expr, IndexedBase, Integer, Rational, Sum, Symbol, symbols

from theory.cat.paper import PAPER
from theory.cat.st_waterfill import OLD as WATERFILL
from theory.cat.st_waterfill import k
from theory.cat.symbols import DIMENSION, RANDOM_SHARE, SIZE, T, d, j, omega
from theory.cauchy_schwarz import CAUCHY_SCHWARZ
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term

s = IndexedBase("s", nonnegative=True)

_ENERGY = Sum(s[j] ** 2, (j, 0, d - 1))
_ALPHA = Sum(s[j] ** 2, (j, 0, T - 1)) / _ENERGY
_FORMULAS = {"omega": WATERFILL.expressions["exact"]}

_s = symbols("s_1:5", nonnegative=True)
_q = symbols("Q_1:3", real=True)
_G, _share = symbols("G alpha_bar", positive=True)
_low = Symbol("s_low", positive=True)
_gap = Symbol("u", nonnegative=True)
_real_size = Symbol("T", positive=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_one_outcome(stated), *_mean(stated), *_water_filling(stated))


def _one_outcome(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    energy = sum((item**2 for item in _s[:3]), Integer(0))
    alpha = instance(stated["bound"], {s: _s[:3], d: 3, T: 2})
    # Of three entries the first and the third survive; the largest two are the first and the second.
    survivors = (_s[0], _s[2])
    product = sum((a * b for a, b in zip(survivors, _q, strict=True)), Integer(0))
    received = sum((item**2 for item in _q), Integer(0))
    return (
        Certificate(
            "one-outcome",
            r"$\langle g,Q\rangle^2\le\|Q\|^2\|g\|^2\alpha(N)$: Cauchy-Schwarz over the $N$ survivors, whose "
            r"energy is at most that of the $N$ largest entries (shown for the first and the third of three "
            r"sorted entries).",
            product**2,
            received * energy * alpha,
            (
                *(
                    Term(Integer(1), (a * y - b * x) ** 2, "square of a real number")
                    for (a, x), (b, y) in combinations(zip(survivors, _q, strict=True), 2)
                ),
                Term(received, _s[1] ** 2 - _s[2] ** 2, "hypothesis: the magnitudes s are sorted"),
            ),
        ),
        CAUCHY_SCHWARZ,
    )


def _mean(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def alpha(size: int) -> Expr:
        return instance(stated["bound"], {s: _s, d: 4, T: size})

    energy = sum((item**2 for item in _s), Integer(0))
    steps: list[Step] = [
        Certificate(
            "mean",
            r"In the mean $\|g\|^4\le\mathbb E\|Q\|^2\|g\|^2\,\mathbb E\alpha(N)$ with $\mathbb "
            r"E\|Q\|^2=\|g\|^2/\omega$: so $\omega\le\mathbb E\alpha(N)$.",
            omega,
            _share,
            (Term(omega / _G**2, _G / omega * _G * _share - _G**2, "cauchy-schwarz, one-outcome"),),
        )
    ]
    for size in (1, 2, 3):
        steps.append(
            Identity(
                f"increment-{size}",
                rf"$\alpha({size + 1})-\alpha({size})=|g|_{{({size + 1})}}^2/\|g\|^2$, which does not grow "
                r"(shown for four entries): $\alpha$ is concave.",
                alpha(size + 1) - alpha(size),
                _s[size] ** 2 / energy,
            )
        )
    steps.append(
        StandardFact(
            "jensen",
            r"$\mathbb E\varphi(N)\le\varphi(\mathbb EN)$ for a concave $\varphi$; a concave sequence is "
            r"concave after linear interpolation.",
            "J. M. Steele, The Cauchy-Schwarz Master Class, chapter 6",
        )
    )
    return tuple(steps)


def _water_filling(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    first = _low + _gap
    energy = first**2 + _low**2

    def both(name: str, size: int, sure: int) -> Expr:
        values = {s: (first, _low), d: 2, k: sure, T: size, _real_size: Integer(size)}
        return instance(stated[name], values)

    sum_ = first + _low
    flat = {s: (1, 1, 1, 1), d: 4, k: 0, T: 3, _real_size: Integer(3)}
    return (
        Certificate(
            "two-entries",
            r"Directly for two entries $a+u\ge a$ and $T=1$: $\omega_1\le\alpha(1)$, with equality for "
            r"$u=0$.",
            both("omega", 1, 0),
            both("bound", 1, 0),
            (
                Term(
                    _low * (first * sum_ + energy) / (energy * sum_**2),
                    _gap,
                    "nonnegative by its symbol",
                ),
            ),
        ),
        Identity(
            "two-of-two",
            r"With all entries both shares are 1.",
            both("omega", 2, 1),
            both("bound", 2, 1),
        ),
        Identity(
            "flat",
            r"Equal entries: both shares are $T/d$ (shown for three of four entries).",
            instance(stated["omega"], flat),
            instance(stated["bound"], flat),
        ),
    )


_MUTANTS = (
    Mutant(
        "one-entry-fewer",
        r"Claim $\omega_T\le\alpha(T-1)$: equal entries exceed it by the factor $T/(T-1)$.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "sign-share",
        r"Claim $\omega_T\le\beta(T)$: at (3, -1, 4, 1, -5, 9, 2, -6) with $T=6$ it is 346/365 against "
        r"841/1038.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "rounded-down",
        r"Claim $\mathbb E\alpha(N)\le\alpha(\lfloor\mathbb EN\rfloor)$: four equal entries, 77/60 of them "
        r"kept in the mean, exceed it.",
        ("exact",),
    ),
    Mutant("scaled-gradient", "Multiply the gradient by -7/3: nothing may change.", ("exact",), neutral=True),
)

CLAIM = Claim(
    id="cat/alpha-dominates-omega",
    paper=PAPER,
    kind="ordering",
    provenance="derived",
    title="On one node the largest entries beat random ones",
    statement=(
        r"For every $g\ne0$ and $T$: $\omega_T\le\alpha(T)$, with equality where all magnitudes are equal. "
        r"More generally let $Q$ be random with $\mathbb EQ=g$ and $N$ nonzero entries, and "
        r"$\omega=\|g\|^2/\mathbb E\|Q\|^2$. Then $$\omega\le\mathbb E\alpha(N)\le\alpha(\mathbb EN),$$ "
        r"$\alpha$ interpolated linearly. So on one node the largest entries never guarantee less than "
        r"unbiased random ones of the same expected number; unbiasedness pays with several nodes only."
    ),
    variables=(
        DIMENSION,
        SIZE,
        RANDOM_SHARE,
        Variable(k, r"\mathbb N_0", "number of entries that are kept surely"),
        Variable(s, r"\mathbb R^d_{\ge0}", "sorted magnitudes, largest first", "(d,)"),
    ),
    assumptions=(r"$g\ne0$, $T$ at most its number of nonzeros; one node.", "$Q$ has a second moment."),
    derivation=lambda: derivation(expressions(_ALPHA, None, _FORMULAS)),
    worst_cases=(
        WorstCase("equal magnitudes: equality", {"s": (1,) * 4, "d": 4, "T": 3, "k": 0}, Rational(3, 4)),
        WorstCase(
            "top 3 of (9, 6, 5, 4, 3, 2, 1, 1)",
            {"s": (9, 6, 5, 4, 3, 2, 1, 1), "d": 8, "T": 3},
            Rational(142, 173),
        ),
    ),
    mutants=_MUTANTS,
    bound=_ALPHA,
    formulas=_FORMULAS,
)
