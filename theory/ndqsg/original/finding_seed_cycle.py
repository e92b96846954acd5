r"""`ndqsg/finding-seed-cycle`: dithers of public code repeat within a training (arXiv 1904.01197)."""

from typing import Any

from sympy import Abs, Eq, IndexedBase, Integer, Max, Piecewise, Rational, exp, log, oo, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.antisymmetry import antisymmetry
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.public_constant import PublicConstant, Words
from theory.statement import statement
from theory.worst_cases import cases

N, c, r, m, k, t, l, sigma_sq = symbols("N c r m k t l sigma_sq", real=True)
repeated, independent = symbols("repeated independent", real=True)
seed, fresh, e, u = symbols("s F e u", cls=IndexedBase, real=True)
ALWAYS, CYCLES, CYCLE = (0, oo), (l, 0, m - 1), (t, 0, c - 1)

_NONE_REPEATS = exp(-k * (k - 1) / (2 * N))
_STEPS = 1500

# Of the seeds in verify/experiments/ndqsg/seed_chain.py.
FIRST = tuple(map(Integer, (1838, 1082, 895, 925, 1600, 1785, 1683, 270, 882, 1234, 1078, 1755)))
CYCLE_LENGTH, OTHER_LENGTH, _OTHER = Integer(853), Integer(153), 7
_REPEATS = Piecewise(*((steps, Eq(k, place)) for place, steps in enumerate(FIRST)))
_CHAINS = {
    "first": _REPEATS,
    "first_default": _REPEATS.subs(k, 0),
    "cycle": Piecewise((OTHER_LENGTH, Eq(k, _OTHER)), (CYCLE_LENGTH, True)),
}


CLAIM = Claim(
    id="ndqsg/finding-seed-cycle",
    kind="finding",
    provenance="derived",
    title="Public code draws the next seed from the generator of the dither: seeds run into a cycle, dithers "
    "repeat",
    position=39,
    paper=PAPER,
    **statement(
        r"""
        In public code the dither of each step comes from a generator with the seed $s_t$; after the dither
        the same generator draws the seed $s_{t+1}$ of the next step, one of $N=999000$. So it is a function
        of the last one. $F_k$ is the probability that a chain whose seeds are drawn afresh until one
        repeats has no repeated one among $k$. The quick profile has two of the chains of (e).
        (a: repeats) Once a seed has come again, $s_r=s_{r+c}$, all later ones do: for every $k$
          $$s_{r+k}=s_{r+c+k}.$$ [proof; exact/later seeds]
        (b: fresh) For every $k$ $$F_k\le\exp\Big(-\frac{k(k-1)}{2N}\Big).$$ [proof; exact/no repeat]
        (c: training) So <<in a training of 1500 steps -> exact/no repeat in a training>> a repeat is to be
          expected: with $N=999000$ $$F_{1500}\le\frac25.$$ [proof; exact/no repeat in a training]
        (d: independent, repeated) The average error over $m$ cycles of $c$ steps of errors that are
          uncorrelated with mean zero and variance $\sigma^2$ has the variance $V=\frac{\sigma^2}{mc}$. Where
          the errors of one cycle repeat it is $V_c=\frac{\sigma^2}c$, however many cycles there are. [proof;
          montecarlo/repeated errors; montecarlo/fresh errors]
        (e) <<With the layers 784-300-100-10 the default seed and eleven drawn ones -> exact/first repeat>>
          first repeat after {value:first[0]}, {value:first[1]}, {value:first[2]}, {value:first[3]},
          {value:first[4]}, {value:first[5]}, {value:first[6]}, {value:first[7]}, {value:first[8]},
          {value:first[9]}, {value:first[10]}, {value:first[11]} steps. [exact/first repeat]
        (f) <<All of them but one -> exact/length of the cycle>> run into one cycle of {value:cycle} seeds,
          <<the other one -> exact/length of the cycle>> into one of {value:other}. [exact/length
          of the cycle]
        """
    ),
    variables=(
        Variable(N, "N", r"\mathbb N", "number of seeds"),
        Variable(seed, "s", r"\mathbb N_0", "seed of each step", "(oo,)", first=0),
        Variable(r, "r", r"\mathbb N_0", "first step whose seed comes again"),
        Variable(c, "c", r"\mathbb N", "steps of a cycle"),
        Variable(m, "m", r"\mathbb N", "number of cycles"),
        Variable(k, "k", r"\mathbb N_0", "number of steps"),
        Variable(fresh, "F", "[0,1]", "probability that none of $k$ repeats", "(oo,)", first=0),
        Variable(sigma_sq, r"\sigma^2", r"\mathbb R_{\ge0}", "variance of an error"),
        Variable(independent, "V", r"\mathbb R_{\ge0}", "variance of the average, fresh errors"),
        Variable(repeated, "V_c", r"\mathbb R_{\ge0}", "variance of the average, repeated errors"),
        Variable(e, "e", r"\mathbb R^c", "errors of a cycle", "(c,)"),
        Variable(u, "u", r"\mathbb R^{m\times c}", "errors", "(m, c)"),
    ),
    ranges={"l": (0, oo), "t": (0, oo)},
    hypotheses={
        "sizes": domain(r"$N\ge1$, $c\ge1$, $m\ge1$ and $r\ge0$ are integers"),
        "signs": domain(r"$\sigma^2\ge0$"),
        "function": model(
            r"$|s_{t+1}-s_{l+1}|\le N|s_t-s_l|$, since a seed below $N$ is a function of its predecessor"
        ),
        "again": parameter(r"$s_r=s_{r+c}$"),
        "fresh": definition(r"$F_0=1$, $F_{t+1}=F_t\max\{0,1-\frac tN\}$"),
        "training": parameter("$N=999000$"),
        "independent": definition(
            r"$V=\mathbb E\bigl(\frac1{c^2m^2}(\sum_{t=1}^c\sum_{l=1}^mu_{lt})^2\bigr)$, over "
            r"uncorrelated $u_{lt}$, $1\le l\le m$, $1\le t\le c$, with mean $0$ and variance "
            r"$\sigma^2$"
        ),
        "repeated": definition(
            r"$V_c=\mathbb E\bigl(\frac1{c^2}(\sum_{t=1}^ce_t)^2\bigr)$, over uncorrelated $e_t$, "
            r"$1\le t\le c$, with mean $0$ and variance $\sigma^2$"
        ),
    },
    relations={
        "repeats": Relation((seed[r + k], seed[r + c + k]), ("=",), every=((k, *ALWAYS),), under=("again",)),
        "fresh": Relation((fresh[k], _NONE_REPEATS), ("<=",), every=((k, *ALWAYS),), under=("fresh",)),
        "training": Relation((fresh[_STEPS], Rational(2, 5)), ("<=",), under=("fresh", "training")),
        "independent": Relation((independent, sigma_sq / (m * c)), ("=",)),
        "repeated": Relation((repeated, sigma_sq / c), ("=",)),
    },
    formulas={
        "bound": _NONE_REPEATS,
        "training": Rational(2, 5),
        "independent": sigma_sq / (m * c),
        "repeated": sigma_sq / c,
        **_CHAINS,
    },
    internal=dict.fromkeys(_CHAINS, "measured, said as a value; k is the place of the chain"),
    values={"cycle": CYCLE_LENGTH, "other": OTHER_LENGTH, "first": FIRST},
    worst_cases=cases("""
        no repeat in the first step | k = 1, N = 999000 | 1
    """),
    public=(
        PublicConstant(
            code="afshinabdi/DistributedTraining-CEO at 312b397",
            of="seeds of dithers until they repeat, from the default one",
            theirs="first_default",
            ours=Words("no repeat in the $2^{64}$ rounds of a key"),
            right="ours",
            part="e",
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    sizes = {N: 2, c: 1, m: 1, r: 0, k: 0}
    K.example({**sizes, seed: (1,) * 153, fresh: (1, 1, Rational(1, 2), *(0,) * 150)})
    start = K.cert(eq(seed[r], seed[r + c]), K.given("again"))
    _repeats(K, start)
    _training(K, _fresh(K))
    K.show("independent", "independent")
    K.show("repeated", "repeated")


def _repeats(K: Any, start: Any) -> None:
    """Equal seeds have equal next ones: their difference is at most N times none."""
    last = K.assume(eq(seed[r + k], seed[r + c + k]))
    difference = seed[r + k] - seed[r + c + k]
    none = K.discharge(K.axiom("abs-of-nonnegative", difference), K.cert(le(0, difference), (-1, last)))
    later = seed[r + k + 1] - seed[r + c + k + 1]
    size = K.cert(le(Abs(later), 0), (1, K.at("function", r + k, r + c + k)), (N, none), (N, last))
    low = K.cert(le(later, 0), (1, K.axiom("abs-above", later)), (1, size))
    high = K.cert(le(0, later), (1, K.axiom("abs-below", later)), (1, size))
    same = antisymmetry(K, later, Integer(0), low, high)
    step = K.cert(eq(seed[r + k + 1], seed[r + c + k + 1]), (1, same))
    K.conclude("repeats", K.induction(k, start, step))


def _fresh(K: Any) -> Any:
    def bound(steps: Any) -> Any:
        return _NONE_REPEATS.subs(k, steps)

    one = K.axiom("exp-above", Integer(0))
    base = K.cert(le(fresh[0], bound(0)), (1, K.given("fresh")), (1, one))
    factor = K.discharge(
        K.axiom("max-least", Integer(0), 1 - k / N, exp(-k / N)),
        K.cert(le(1 - k / N, exp(-k / N)), (1, K.axiom("exp-above", -k / N))),
    )
    total = K.axiom("exp-sum", -k * (k - 1) / (2 * N), -k / N)
    step = K.cert(
        le(fresh[k + 1], bound(k + 1)),
        (1, K.at(K.given("fresh", 1), k)),
        (Max(0, 1 - k / N), K.assume(le(fresh[k], bound(k)))),
        (bound(k), factor),
        (-1, total),
    )
    bounds = K.induction(k, base, step)
    K.conclude("fresh", bounds)
    return bounds


def _training(K: Any, bound: Any) -> None:
    """exp(-9/8) <= 2/5, since the fourth power of 41/32 is above 5/2."""
    root, goal = Rational(41, 32), Rational(5, 2)
    growth = K.cert(
        le(log(goal), Rational(9, 8)),
        (1, K.log(K.cert(le(goal, root**4)))),
        (1, K.axiom("log-power", root, Integer(4))),
        (4, K.axiom("log-below", root)),
    )
    below = K.exp(
        K.cert(le(Rational(-9, 8), log(1 / goal)), (1, growth), (-1, K.axiom("log-power", goal, Integer(-1))))
    )
    last = K.at(bound, Integer(_STEPS))
    exponent = K.exp(K.cert(le(_NONE_REPEATS.subs(k, _STEPS).args[0], Rational(-9, 8)), using=["training"]))
    K.show("training", last, exponent, below, K.axiom("exp-log", 1 / goal))
