r"""`cat/scaling`: the gain of tuning grows with the dimension only for steep gradients (arXiv 2003.06377).

For flat gradients and messages with a fixed cost the best size is d, with no gain at any dimension. For
squares $\rho^j$ the best size does not depend on d, so the gain over whole gradients is linear in d.

Derivation: the efficiency $(1-\rho^T)/(r+T)$ is stationary where $\rho^T(1+\lambda(T+r))=1$,
$\lambda=-\ln\rho$; the left side falls in T. With $y=1+\lambda(T+r)$ it reads $ye^{-y}=e^{-1-\lambda r}$, so
$-y$ is the branch $W_{-1}$ of Lambert's function, as $y>1$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, LambertW, Rational, Symbol, diff, exp, log

from theory.cat.paper import PAPER
from theory.cat.symbols import DIMENSION, ENTRY_COST, FIXED_COST, SIZE, T, c_0, c_1, d
from theory.old_form import Claim, ImplicitValue, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term

rho = Symbol("rho", positive=True)
decay = Symbol("decay", positive=True)
r = Symbol("r", positive=True)
T_c = Symbol("T_c", positive=True)

_EXACT = ImplicitValue(T_c, T_c, rho**T_c * (1 - log(rho) * (T_c + r)) - 1)
_FORMULAS = {
    "flat": T / (d * (c_0 + c_1 * T)),
    "efficiency": (1 - rho**T) / ((1 - rho**d) * (r + T)),
    "maximiser": (-1 - LambertW(-exp(-1 - decay * r), -1)) / decay - r,
    "gain": (r + d) * (1 - rho**T) / ((r + T) * (1 - rho**d)),
}

_t = Symbol("t", positive=True)
_y = Symbol("y", positive=True)
_more = Symbol("s", nonnegative=True)
_size = Symbol("T", positive=True)
_SHOWN = (2, 5)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_flat(stated), *_geometric(stated), *_stationary(stated), *_lambert(stated))


def _flat(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    flat = stated["flat"]
    return (
        Identity(
            "flat",
            r"A flat gradient has $\alpha(T)=\frac Td$, so the efficiency is the stated one.",
            flat * (c_0 + c_1 * T),
            T / d,
        ),
        Certificate(
            "flat-grows",
            r"It grows with $T$, strictly for $c_0>0$: the best size is $d$, the gain 1 (shown for $T$ and "
            r"$T+s$).",
            flat,
            flat.subs(T, T + _more),
            (
                Term(
                    _more / (d * (c_0 + c_1 * T) * (c_0 + c_1 * (T + _more))),
                    c_0,
                    "nonnegative by definition",
                ),
            ),
        ),
    )


def _geometric(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    size, entries = _SHOWN
    shown = {T: Integer(size), d: Integer(entries)}
    share = [sum((rho**place for place in range(count)), Integer(0)) for count in _SHOWN]
    return (
        Identity(
            "geometric",
            rf"Squares $\rho^j$ have $\alpha(T)=\frac{{1-\rho^T}}{{1-\rho^d}}$ (shown for $T={size}$, "
            rf"$d={entries}$): per cost $r+T$ that is the stated efficiency.",
            stated["efficiency"].subs(shown) * (r + size),
            share[0] / share[1],
        ),
        Identity(
            "gain",
            r"The gain is the efficiency over that of whole gradients; $d$ enters by $\frac{r+d}{1-\rho^d}$.",
            stated["gain"],
            stated["efficiency"] / stated["efficiency"].subs(T, d),
        ),
    )


def _stationary(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    # rho = e^(-lambda), so that powers are exponentials in both.
    exponential = {rho: exp(-decay)}
    efficiency = (1 - exp(-decay * _size)) / (r + _size)
    sign = exp(-decay * _size) * (1 + decay * (_size + r)) - 1
    return (
        Identity(
            "implicit",
            r"The stated equation is $\rho^T(1+\lambda(T+r))=1$,",
            stated["exact.equation"].subs(rho, exp(-decay)).subs(T_c, _size),
            sign,
        ),
        Identity("unknown", r"for the maximiser itself.", stated["exact.expression"], T_c),
        Identity(
            "stationary",
            r"The derivative of the efficiency is its left side less 1, over $(r+T)^2$ (up to $1-\rho^d$).",
            diff(efficiency, _size) * (r + _size) ** 2,
            sign,
        ),
        Identity(
            "efficiency",
            r"This is the stated efficiency but for $1-\rho^d$.",
            (stated["efficiency"] * (1 - rho**d)).subs(exponential).subs(T, 3),
            efficiency.subs(_size, 3),
        ),
        Identity(
            "falls",
            r"Its sign changes once: the left side has the derivative $-\lambda^2(T+r)\rho^T<0$, it begins "
            r"above 1 and tends to 0. So the efficiency rises up to the maximiser and falls from there, and "
            r"the best whole number is one of its two neighbours.",
            diff(sign, _size),
            -(decay**2) * (_size + r) * exp(-decay * _size),
        ),
        Identity("begins", r"At $T=0$ it is $1+\lambda r$.", sign.subs(_size, 0), decay * r),
    )


def _lambert(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    maximiser = stated["maximiser"]
    (branch,) = maximiser.atoms(LambertW)
    inserted = maximiser.subs(branch, -_y)
    # A product at which the function has a value in closed form: W_{-1}(-2 e^{-2}) = -2.
    known = (1 - log(2)) / decay
    return (
        StandardFact(
            "lambert",
            r"$we^w=z$ for $-\frac1e\le z<0$ has two real solutions, $W_0(z)\ge-1$ and $W_{-1}(z)\le-1$.",
            "R. M. Corless et al., On the Lambert W function, Adv. Comput. Math. 5 (1996), section 2",
        ),
        Identity(
            "substitution",
            r"With $-y$ for the value of Lambert's function the stated maximiser has $1+\lambda(T+r)=y$,",
            1 + decay * (inserted + r),
            _y,
        ),
        Identity(
            "argument",
            r"so that $\rho^Ty=1$ reads $-ye^{-y}=-e^{-1-\lambda r}$: its argument;",
            branch.args[0] * exp(1 + decay * (_t + r)) * exp(-decay * _t),
            Integer(-1),
        ),
        Identity(
            "branch",
            r"and $y>1$ is the branch $W_{-1}$.",
            branch.args[1],
            Integer(-1),
        ),
        Identity(
            "known-value",
            r"At $\lambda r=1-\ln2$ the maximiser is $\frac{\ln2}\lambda$, where $\rho^T=\frac12$ and $y=2$.",
            maximiser.subs(r, known),
            log(2) / decay,
        ),
    )


_MUTANTS = (
    Mutant(
        "branch-zero",
        r"Take the branch $W_0$: a maximiser below 0, clipped to one entry, up to 7.5 times less efficient.",
        ("exact",),
    ),
    Mutant("omit-r", r"Leave out $-r$: 5, 21 and 125 entries for 4, 11 and 25.", ("exact",)),
    Mutant("gain-when-flat", r"Claim the gain of steep gradients for flat ones.", ("exact",)),
    Mutant("r-for-d", r"Put $r$ for $d$ in the gain: it would not grow with the dimension.", ("exact",)),
    Mutant(
        "through-the-origin",
        r"Claim a gain in proportion to $d$, without the $r$ of $r+d$: 1.7 percent off at $d=500$.",
        ("exact",),
    ),
    Mutant(
        "scaled-gradient",
        "Multiply the gradient by 1024: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cat/scaling",
    paper=PAPER,
    kind="scaling",
    provenance="derived",
    title="Tuning gains in proportion to the dimension for steep gradients, nothing for flat ones",
    statement=(
        r"(a) Flat gradients have the efficiency $\frac T{d(c_0+c_1T)}$; for $c_0>0$ the best size is $T=d$, "
        r"and the gain over whole gradients is 1 at every $d$. (b) For $g_j^2=\rho^j$, $j=0,\dots,d-1$, $0<"
        r"\rho<1$, $\lambda=-\ln\rho$ and costs $r+T$ the efficiency $\frac{1-\rho^T}{(1-\rho^d)(r+T)}$ has "
        r"the continuous maximiser $$T_c=\frac{-1-W_{-1}(-e^{-1-\lambda "
        r"r})}\lambda-r,\qquad\rho^{T_c}(1+\lambda(T_c+r))=1,$$ and the best whole $T$ is $\lfloor "
        r"T_c\rfloor$ or $\lceil T_c\rceil$, at least 1 and at most $d$. For $d\ge T_c+1$ it does not depend "
        r"on $d$, and its gain $\frac{(r+d)(1-\rho^T)}{(r+T)(1-\rho^d)}$ over whole gradients is linear in "
        r"$d$ up to $\rho^d$."
    ),
    variables=(
        DIMENSION,
        SIZE,
        FIXED_COST,
        ENTRY_COST,
        Variable(rho, r"(0,1)", "ratio of squares of neighbouring entries"),
        Variable(decay, r"\mathbb R_{>0}", r"$\lambda=-\ln\rho$"),
        Variable(r, r"\mathbb R_{>0}", "cost of a message besides its entries, in entries"),
        Variable(T_c, r"\mathbb R_{>0}", "continuous maximiser of the efficiency"),
    ),
    assumptions=(
        r"CAT-S: the share $\alpha(T)$ of the largest entries.",
        "Whole gradients are charged like the other messages, with their indices.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "one of two flat entries at a fixed cost of 1",
            {"T": 1, "d": 2, "c_0": 1, "c_1": 1},
            Rational(1, 4),
        ),
        WorstCase(
            "squares 1, 1/2, 1/4: one entry at a fixed cost of 1",
            {"rho": Rational(1, 2), "T": 1, "d": 3, "r": 1},
            Rational(2, 7),
        ),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
