r"""`cat/finding-distance-grows`: the distance to the solution may grow, and its rate fail (arXiv 2003.06377).

In the convex rate of `cat/s-rates` the radius $R$ of the level set cannot be replaced by the initial distance
$R_0$: $\|x_k-x^\star\|^2$ grows to more than $8R_0^2$ under top-1 steps, and a slow last phase then exceeds
$2LR_0^2/(\Sigma_K+4)$.

Derivation: closed forms of one step in the plane, of the kernel of the slow problem and of gradient descent
on a Huber function; for one iteration $\delta_0\le R_0\|g\|-\|g\|^2/(2L)$ and a square.
"""

from sympy import Integer, Rational, Sum, sqrt

from theory.cat.finding_distance_grows_derivation import R_0, N, derivation, eta, f, i, tau, u, z
from theory.cat.paper import PAPER
from theory.cat.symbols import SHARE, SMOOTH, SMOOTHNESS, TIES, TOTAL_SHARE, L, Sigma, alpha, j
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

_BOUND = L * R_0**2 / (2 * (1 + alpha))
_FORMULAS = {
    "rate": 2 * L * R_0**2 / (Sigma + 4),
    "top": 3 + sqrt(5),
    "grown": (9 - 3 * sqrt(5)) / 2,
    "plane_limit": 1 + 1 / (1 + eta) ** 2,
    "next_entry": Sum(z[i], (i, 0, j)) / (1 + eta),
    "gap": f * (u - tau / 2 - N * f / L),
    "half_way": u * L / (2 * f),
    "ratio": u * (u - tau) / (8 * R_0**2),
}

_MUTANTS = (
    Mutant(
        "all-entries",
        r"Send all entries in the first phase: the distance falls, and no rate is exceeded.",
        ("exact", "run"),
    ),
    Mutant(
        "no-first-phase",
        r"Leave the first phase out: $u^2$ is at most $R_0^2$, an eighth of what is needed.",
        ("exact",),
    ),
    Mutant(
        "share-twice",
        r"$1+2\alpha$ in the bound for one iteration: exceeded on $\frac12\|x\|^2$, flat, $d=64$.",
        ("symbolic", "exact"),
    ),
    Mutant(
        "mirrored",
        "Change the signs of some coordinates: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cat/finding-distance-grows",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="Top-T steps can move away from the solution, and the rate from the initial distance fails",
    statement=(
        r"One may read the convex rate of `cat/s-rates` with the initial distance $R_0=\|x_0-x^\star\|$ for "
        r"the radius $R$ of the level set, as for gradient descent. (a) That proof breaks: the distance may "
        r"grow. $H=\begin{pmatrix}4&2\\2&2\end{pmatrix}$, $x_0=(0,1)$, $T=1$, $\gamma=1/L$, $L=3+\sqrt5$: "
        r"its square grows from 1 to $\frac{9-3\sqrt5}2=1.1459$; for $\frac12(r^\top x)^2$, $r=(-1,1+\eta)$, "
        r"from $(1,0)$ to $1+(1+\eta)^{-2}$, near 2. (b) The rate itself fails. Let $F=\frac12x^\top "
        r"Mx+c\,h_\tau(v^\top x)$, $c\le L=\lambda_{\max}(M)$, $h_\tau(t)=\frac{t^2}2$ for $|t|\le\tau$ and "
        r"$\tau|t|-\frac{\tau^2}2$ beyond (Huber), $M=\sum_{j<d-1}q^jr_jr_j^\top$ with "
        r"$r_j=(-1,\dots,-1,1+\eta,0,\dots)$ ($j+1$ times $-1$), $v=z/\|z\|$, $z_0=1$, "
        r"$z_{j+1}=\sum_{i\le j}z_i/(1+\eta)$, so that $Mv=0$, and $x_0=e_1$, $R_0=1$. With $T=1$ the "
        r"coordinate $u=v^\top x$ grows: to $u^2=12.29$ for $d=5$, $q=0.01$, $\eta=0.4$ after $3\cdot10^7$ "
        r"steps ($c\tau=10^{-9}$), to 9.98 for $d=4$, $q=0.001$, $\eta=0.2$ after $1.5\cdot10^7$ steps "
        r"($c\tau=10^{-12}$). Then let $T=d$: $u$ decouples and falls by $c\tau/L$ a step, and after "
        r"$\frac{uL}{2c\tau}$ steps $$\delta_K\cdot\frac{\Sigma_K+4}{2LR_0^2}\ge\frac{u(u-\tau)}{8R_0^2},$$ "
        r"1.53 and 1.24. What holds instead: the rate with $R$; and with $R_0$ for one iteration, "
        r"$\delta_1\le\frac{LR_0^2}{2(1+\alpha_0)}$."
    ),
    variables=(
        SMOOTHNESS,
        SHARE,
        TOTAL_SHARE,
        Variable(R_0, r"\mathbb R_{>0}", r"$\|x_0-x^\star\|$"),
        Variable(u, r"\mathbb R_{>0}", r"$v^\top x$ at the end of the first phase"),
        Variable(tau, r"\mathbb R_{>0}", "width of the Huber function"),
        Variable(f, r"\mathbb R_{>0}", r"$c\tau$, slope of the Huber term far from 0"),
        Variable(N, r"\mathbb R_{\ge0}", "iterations of the second phase"),
        Variable(eta, r"\mathbb R_{>0}", r"excess of the last entry of $r_j$"),
        Variable(z, r"\mathbb R_{>0}^d", r"entries of the kernel of $M$", "(d,)"),
    ),
    assumptions=(
        SMOOTH,
        r"$F$ is convex with a solution $x^\star$; $\gamma=1/L$.",
        r"In (b) $u\ge2\tau$, so that the second phase stays where the Huber function is linear.",
        "The numbers of (b) are those of float64 runs of the first phase; in the quick profile repeated "
        "steps on one coordinate are taken at once, in the full one each step is taken.",
        TIES,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"$u^2=10$, half of the way, a narrow Huber function: $\frac54$ of the rate and a little less",
            {"u": sqrt(10), "tau": sqrt(10) / 1000, "R_0": 1},
            Rational(999, 800),
        ),
        WorstCase(
            r"$\frac12\|x\|^2$ with one of 64 equal entries sent",
            {"L": 1, "R_0": 8, "alpha": Rational(1, 64)},
            Integer(2048) / 65,
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
    measured=True,
)
