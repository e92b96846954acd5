r"""`cat/mn-strong`: unbiased entries from several nodes, strongly convex objectives (arXiv 2003.06377).

The server averages the messages of n independent nodes. Their noise is divided by n, and a step
$\gamma\le\frac1{L(1+2q/n)}$ goes linearly down to a level that the gradients at the solution set.

Derivation: the exact second moment of the average; $\|g_i\|^2\le2\|g_i-g_i^\star\|^2+2\|g_i^\star\|^2$ and
co-coercivity; the recursion of one round, which may have its own step, and its solution.
"""

from collections.abc import Mapping

from sympy import Expr, IndexedBase, Integer, Rational, Sum, Symbol, log, symbols

from theory.cat.paper import PAPER
from theory.cat.symbols import (
    ACCURACY,
    ITERATIONS,
    NODES,
    NOISE,
    K,
    L,
    epsilon,
    mu,
    n,
    q,
)
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, ScalarLemma, StandardFact, Step, Term
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE, expectation

gamma = Symbol("gamma", positive=True)
D_0 = Symbol("D_0", nonnegative=True)
sigma_sq = Symbol("sigma_sq", nonnegative=True)
G = Symbol("G", nonnegative=True)
i = Symbol("i", integer=True, nonnegative=True)
E = IndexedBase("E", nonnegative=True)
omega = IndexedBase("omega", positive=True)

_LEFT = 1 - gamma * mu
_BOUND = _LEFT**K * D_0 + 2 * gamma * q * sigma_sq / (n * mu) * (1 - _LEFT**K)
_TARGET = epsilon * mu * n / (4 * q * sigma_sq)
_FORMULAS = {
    "step": 1 / (L * (1 + 2 * q / n)),
    "noise": 2 * gamma**2 * q * sigma_sq / n,
    "second_moment": G + Sum((1 / omega[i] - 1) * E[i], (i, 0, n - 1)) / n**2,
    "target_step": _TARGET,
    "rounds": (L / mu * (1 + 2 * q / n) + 4 * q * sigma_sq / (mu**2 * n * epsilon)) * log(2 * D_0 / epsilon),
}

SECOND_MOMENT = _FORMULAS["second_moment"]

_NODES = 3
_gs = symbols("g_1:4", real=True)
_ws = symbols("omega_1:4", positive=True)
_Es = symbols("E_1:4", nonnegative=True)
_delta, _s = symbols("delta s", nonnegative=True)
_D, _D_next, _m, _S, _S_moved, _M = symbols("D D_+ m S S' M", real=True)
_gi, _gstar = symbols("g_i g_i^*", real=True)
_r = Symbol("r", nonnegative=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*moments(stated["second_moment"]), *_round(stated), *_unrolled(stated), *_accuracy(stated))


def moments(second_moment: Expr) -> tuple[Step, ...]:
    """Return the steps for the second moment of the average, and its bound by the largest noise q."""

    def average(nodes: int) -> Expr:
        def square(*kept: int) -> Expr:
            sent = (bit * g / w for bit, g, w in zip(kept, _gs, _ws, strict=False))
            return (sum(sent, Integer(0)) / nodes) ** 2

        return expectation(square, *_ws[:nodes])

    def at(nodes: int) -> Expr:
        mean = sum(_gs[:nodes], Integer(0)) / nodes
        squares = tuple(item**2 for item in _gs[:nodes])
        return instance(second_moment, {n: nodes, G: mean**2, E: squares, omega: _ws[:nodes]})

    return (
        *(
            Identity(
                f"second-moment-{nodes}",
                rf"$\mathbb E\|\hat g\|^2$ over all outcomes is the stated sum (shown for {nodes} nodes with "
                r"an entry each; for every number of entries by `summation`, of nodes by `independence`).",
                average(nodes),
                at(nodes),
            )
            for nodes in (1, 2, _NODES)
        ),
        INDEPENDENCE,
        SUMMATION,
        Certificate(
            "largest-noise",
            r"It is at most $\|\nabla F\|^2+\frac qnS$, $S=\frac1n\sum_i\|g_i\|^2$ (shown for three nodes; "
            r"for every number by `summation`).",
            instance(second_moment, {n: _NODES, E: _Es, omega: _ws}),
            G + q / _NODES * sum(_Es, Integer(0)) / _NODES,
            tuple(
                Term(
                    energy / _NODES**2,
                    q - (1 / w - 1),
                    "hypothesis: q is at least 1 / omega_i - 1 for each node",
                )
                for energy, w in zip(_Es, _ws, strict=True)
            ),
        ),
    )


def _round(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    noise = stated["noise"]
    return (
        Certificate(
            "at-the-solution",
            r"$\|g_i\|^2\le2\|g_i-g_i^\star\|^2+2\|g_i^\star\|^2$, $g_i^\star=\nabla f_i(x^\star)$ (shown "
            r"for one entry; for every number by `summation`).",
            _gi**2,
            2 * (_gi - _gstar) ** 2 + 2 * _gstar**2,
            (Term(Integer(1), (_gi - 2 * _gstar) ** 2, "square of a real number"),),
        ),
        StandardFact(
            "co-coercivity",
            r"For convex $L$-smooth $f_i$ with mean $F$ and its minimiser $x^\star$: $\frac1n\sum_i\|g_i-"
            r"g_i^\star\|^2\le2L(F(x)-F^\star)$; in particular $\|\nabla F\|^2\le2L(F(x)-F^\star)$.",
            "Y. Nesterov, Lectures on Convex Optimization, 2nd ed., theorem 2.1.5",
        ),
        StandardFact(
            "strong-convexity",
            r"$\langle\nabla F(x),x-x^\star\rangle\ge F(x)-F^\star+\frac\mu2\|x-x^\star\|^2$ for "
            r"$\mu$-strongly convex $F$.",
            "Y. Nesterov, Lectures on Convex Optimization, 2nd ed., definition 2.1.3",
        ),
        Certificate(
            "round",
            r"$\mathbb E D_+=D-2\gamma m+\gamma^2M$ with $m=\langle\nabla F,x-x^\star\rangle$ and "
            r"$M=\mathbb E\|\hat g\|^2$ is at most $(1-\gamma\mu)D$ and the stated noise, for every step "
            r"below the stated one; so each round may have its own $\gamma_k$ and $q_k$.",
            _D - 2 * gamma * _m + gamma**2 * _M,
            (1 - gamma * mu) * _D + noise,
            (
                Term(2 * gamma, _m - _delta - mu / 2 * _D, "strong-convexity"),
                Term(gamma**2, G + q / n * _S - _M, "largest-noise"),
                Term(gamma**2, 2 * L * _delta - G, "co-coercivity"),
                Term(gamma**2 * q / n, 2 * _S_moved + 2 * sigma_sq - _S, "at-the-solution"),
                Term(2 * gamma**2 * q / n, 2 * L * _delta - _S_moved, "co-coercivity"),
                Term(
                    2 * gamma * _delta * L * (1 + 2 * q / n),
                    stated["step"] - gamma,
                    "hypothesis: the step is at most the stated one",
                ),
            ),
        ),
        _lemma(),
    )


def _lemma() -> ScalarLemma:
    step, slope = gamma * L * (1 + 2 * _r), 2 * L * (1 + 2 * _r) * _delta
    return ScalarLemma(
        "round-lemma",
        r"What the step has to make up for, $r=q/n$, for a solver.",
        (step <= 1,),
        -2 * gamma * _delta + gamma**2 * (slope + 2 * _r * _s) <= 2 * gamma**2 * _r * _s,
        (Term(2 * gamma * _delta, 1 - step, "the hypothesis"),),
    )


def _unrolled(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def after(rounds: int) -> Expr:
        return stated["bound"].subs(K, rounds)

    return (
        Identity("no-round", r"The stated bound begins at $D_0$,", after(0), D_0),
        *(
            Identity(
                f"round-{rounds}",
                rf"and round {rounds} does to it what one round does to $D$.",
                after(rounds),
                (1 - gamma * mu) * after(rounds - 1) + stated["noise"],
            )
            for rounds in (1, 2, 3)
        ),
        Certificate(
            "step-below-one",
            r"$1-\gamma\mu\ge0$, as $\gamma\mu\le\gamma L\le1$: the recursion may be applied to bounds.",
            gamma * mu,
            Integer(1),
            (
                Term(gamma, L - mu, "hypothesis: mu is at most L"),
                Term(gamma * 2 * q / n, L, "positive by its symbol"),
                Term(
                    L * (1 + 2 * q / n),
                    stated["step"] - gamma,
                    "hypothesis: the step is at most the stated one",
                ),
            ),
        ),
    )


def _accuracy(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    left = Symbol("P", nonnegative=True)
    length = log(2 * D_0 / epsilon)
    return (
        Certificate(
            "floor",
            r"With the second step the noise adds at most $\frac\epsilon2$ ($P=(1-\gamma\mu)^K$ of the "
            r"bound).",
            (stated["bound"] - (1 - gamma * mu) ** K * D_0)
            .subs((1 - gamma * mu) ** K, left)
            .subs(gamma, stated["target_step"]),
            epsilon / 2,
            (Term(epsilon / 2, left, "nonnegative by its symbol"),),
        ),
        Identity(
            "rounds",
            r"$K\ge\frac1{\gamma\mu}\log\frac{2D_0}\epsilon$ rounds take $(1-\gamma\mu)^KD_0$ below "
            r"$\frac\epsilon2$; for the smaller of the two steps $\frac1{\gamma\mu}$ is at most the sum of "
            r"both.",
            stated["rounds"],
            (1 / (mu * stated["step"]) + 1 / (mu * stated["target_step"])) * length,
        ),
        StandardFact(
            "exponential",
            r"$1-t\le e^{-t}$ for all real $t$.",
            "W. Rudin, Principles of Mathematical Analysis, 3rd ed., section 8.6",
        ),
    )


_MUTANTS = (
    Mutant(
        "drop-noise",
        r"Leave out the noise: from $x^\star$ the bound is 0.",
        ("exact", "run"),
    ),
    Mutant(
        "noise-over-n-squared",
        r"Divide the noise by $n^2$: at the middle of four corners half of what is there.",
        ("exact", "run"),
    ),
    Mutant(
        "common-mask",
        r"Draw the same entries on all nodes: with equal nodes the variance is $n$ times as large.",
        ("exact",),
    ),
    Mutant(
        "missing-node",
        r"Leave the noise of one node out of the second moment of the mean.",
        ("exact",),
    ),
    Mutant(
        "half-rounds",
        r"Claim the accuracy after half of the rounds, at the stated step.",
        ("exact",),
    ),
    Mutant(
        "noiseless-step",
        r"Run with the step $1/L$, without $2q_k/n$ for the noise of the messages.",
        ("run",),
    ),
    Mutant("permuted-nodes", "Reverse the order of the nodes: nothing may change.", ("exact",), neutral=True),
    Mutant("mean-noise", r"$q_k$ is the mean over the nodes in place of the largest.", ("exact",)),
    Mutant("charged-at-the-mean", "Each message is charged with the expected number of entries.", ("exact",)),
    Mutant("summed-charges", "Bits and costs are sums over the nodes in place of means.", ("exact",)),
)

CLAIM = Claim(
    id="cat/mn-strong",
    paper=PAPER,
    kind="rate",
    provenance="derived",
    title="Unbiased entries from several nodes: strongly convex objectives",
    statement=(
        r"Let $\hat g$ be the mean of the messages of $n$ independent unbiased nodes with shares "
        r"$\omega_i^k$. Then $\mathbb E\|\hat g\|^2=\|\nabla F\|^2+\frac1{n^2}\sum_i(\frac1{\omega_i}-1)"
        r"\|g_i\|^2$, and for $q\ge\frac1{\omega_i^k}-1$, $\sigma_\star^2=\frac1n\sum_i\|\nabla "
        r"f_i(x^\star)\|^2$ and $\gamma\le\frac1{L(1+2q/n)}$ $$\mathbb E\|x_K-x^\star\|^2\le(1-\gamma\mu)^K"
        r"\|x_0-x^\star\|^2+\frac{2\gamma q\sigma_\star^2}{n\mu}\big(1-(1-\gamma\mu)^K\big).$$ Steps "
        r"$\gamma_k=\frac1{L(1+2q_k/n)}$, $q_k=\max_i(\frac1{\omega_i^k}-1)$, may change from round to "
        r"round, with $\mathbb E D_{k+1}\le(1-\gamma_k\mu)D_k+\frac{2\gamma_k^2q_k\sigma_\star^2}n$. For "
        r"$\gamma=\min\{\frac1{L(1+2q/n)},\frac{\epsilon\mu n}{4q\sigma_\star^2}\}$ the accuracy $\epsilon$ "
        r"is reached for $K\ge\big[\kappa(1+\frac{2q}n)+\frac{4q\sigma_\star^2}{\mu^2n\epsilon}\big]\log"
        r"\frac{2\|x_0-x^\star\|^2}\epsilon$, $\kappa=\frac L\mu$."
    ),
    variables=(
        ITERATIONS,
        NODES,
        NOISE,
        ACCURACY,
        Variable(gamma, r"\mathbb R_{>0}", "step size"),
        Variable(L, r"\mathbb R_{>0}", r"smoothness constant of every $f_i$, $\max_iL_i$"),
        Variable(mu, r"\mathbb R_{>0}", r"strong convexity of $F$"),
        Variable(D_0, r"\mathbb R_{\ge0}", r"$\|x_0-x^\star\|^2$"),
        Variable(sigma_sq, r"\mathbb R_{\ge0}", r"$\sigma_\star^2$, mean of $\|\nabla f_i(x^\star)\|^2$"),
        Variable(G, r"\mathbb R_{\ge0}", r"$\|\nabla F(x)\|^2$"),
        Variable(E, r"\mathbb R^n_{\ge0}", r"$\|g_i\|^2$, $g_i=\nabla f_i(x)$", "(n,)"),
        Variable(omega, r"(0,1]^n", r"shares $\omega_i$ of the nodes", "(n,)"),
    ),
    assumptions=(
        r"$F=\frac1n\sum_if_i$ is $\mu$-strongly convex, each $f_i$ convex and $L$-smooth.",
        "The nodes draw independently of each other; chances depend on the point only.",
        r"A node with $g_i=0$ sends nothing and counts as $\frac1{\omega_i}-1=0$; for $q\sigma_\star^2=0$ "
        r"the second step is infinite and its term in $K$ is 0.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"four corners, from the middle: $\gamma^2$, twice the $\gamma^2/2$ that is there",
            {"gamma": Rational(1, 5), "q": 1, "sigma_sq": 2, "n": 4},
            Rational(1, 25),
        ),
        WorstCase(
            "two nodes, three rounds",
            {
                "gamma": Rational(1, 10),
                "mu": Rational(4, 3),
                "q": 1,
                "sigma_sq": Rational(13, 4),
                "n": 2,
                "K": 3,
                "D_0": 5,
            },
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
