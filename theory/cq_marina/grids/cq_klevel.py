r"""`cq_marina/cq-klevel`: correlated quantization on any grid, shifted or not (arXiv 2401.05518)."""

from typing import Any

from sympy import Abs, Rational, Sum, floor

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.grids.grid_variance import (
    APART,
    AVERAGED,
    AVERAGED_BOUND,
    BOUND,
    CLIENTS,
    DEVIATION,
    DISTANCE,
    EXACT,
    FIXED,
    INDEPENDENT,
    LEVEL,
    OTHERS,
    OVERLAP,
    SHIFTED,
    USED,
    U,
    V,
    W,
    apart,
    average,
    b,
    beta,
    bounded,
    compare_grids,
    cov,
    differences,
    fixed,
    i,
    kappa,
    l,
    levels,
    n,
    overlap,
    overlap_bound,
    pairwise_variance,
    s,
    shifted,
    sigma,
    tau,
    u,
    used_levels,
    width,
    x,
    y,
    z,
)
from theory.cq_marina.paper import PAPER
from theory.expectation import bernoulli
from theory.facts.rounding.rounding import variance_nonnegative
from theory.facts.rounding.rounding_differences import common_cell_below_quarter
from theory.facts.rounding.stratified_shares import within
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.indicator import INDICATOR
from theory.statement import statement
from theory.worst_cases import cases

CLAIM = Claim(
    id="cq_marina/cq-klevel",
    kind="upper",
    provenance="derived",
    title="Correlated quantization on any uniform grid, with and without a random shift",
    position=5,
    paper=PAPER,
    **statement(
        r"""
        On the grid $s+\beta\mathbb Z$ client $i$ of $n$, counted from 0, sends $Q_i=s+\beta(\lfloor
        t_i\rfloor+b_i)$ for $t_i=(x_i-s)/\beta$, where the bits $b_i$ have the probabilities $y_i=\{t_i\}$
        and stratified thresholds, as in `cq_marina/cq-1d-exact`.
        $\kappa_{il}=\min\{\alpha_i,\alpha_l\}(1-\max\{\alpha_i,\alpha_l\})$ with $\alpha_i=\{ny_i\}$ for
        levels with the same integer part, a common cell, and 0 for others. $\sigma_{md}$ is the mean of the
        $|x_i-\bar x|$; $V$ is the variance of the mean of the $Q_i$.
        (a: variance) For $n\ge2$ <<the mean is unbiased -> exact/mean>> and $$V=\frac{\beta^2}{2n^2(n-1)}\
          \sum_{i,l}\Big\{\frac{x_i-x_l}\beta\Big\}\Big(1-\Big\{\frac{x_i-x_l}\beta\Big\}\Big)+\
          \frac{\beta^2}{n^3(n-1)}\Big(\sum_{i,l}\kappa_{il}-\sum_i\kappa_{ii}\Big).$$ [proof;
          exact/enumerated variance; exact/oracle]
        (b: bound) The first term <<does not depend on the shift -> exact/enumerated variance>>, and
          $$V\le\frac{\beta\sigma_{md}}n+\frac{\beta^2}{4n^2}.$$ [proof; exact/bound; adversarial/three
          clients]
        (c: independent) With independent thresholds the variance is $$V_I=\frac{\beta^2}{n^2}\
          \sum_i\Big\{\frac{x_i-s}\beta\Big\}\Big(1-\Big\{\frac{x_i-s}\beta\Big\}\Big).$$ [proof;
          exact/independent thresholds]
        (d: averaged) Averaged over a uniformly random common shift the variance is
          $$W=\frac{\beta^2}{2n^2(n-1)}\sum_{i,l}\Big\{\frac{x_i-x_l}\beta\Big\}\Big(1\
          -\Big\{\frac{x_i-x_l}\beta\Big\}\Big)+\frac{\beta^2}{n^3(n-1)}\Big(\sum_{i,l}\lambda_{il}-\
          \sum_i\lambda_{ii}\Big).$$ [proof; exact/average over shifts; exact/average in floating point;
          montecarlo/random shift; montecarlo/coordinates share a permutation]
        (e: averaged-bound) Here $\lambda_{il}=\frac16\max\{0,1-\tau_{il}\}^3$ for the
          distance in cells
          $$\tau_{il}=n\min\Big\{\Big\{\frac{x_i-x_l}\beta\Big\},1-\Big\{\frac{x_i-x_l}\beta\Big\}\Big\},$$
          and with (d) $$W\le\frac{\beta\sigma_{md}}n+\frac{\beta^2}{6n^2}.$$ [proof; exact/bound of the
          average]
        (f: fixed-levels, shifted-levels) On an interval of length $w$ that begins
          at zero, a fixed grid with $\beta_f=\frac w{k-1}$ has $\lceil\frac w{\beta_f}\rceil+1=k$ levels,
          one shifted by $s$ with $\beta_s=\frac w{k-2}$ has
          $\lceil\frac{w-s}{\beta_s}\rceil-\lfloor\frac{-s}{\beta_s}\rfloor+1\le k$. [proof; exact/levels of
          a fixed grid; exact/levels of a shifted grid]
        (g: few-levels) For $k\le6$ the bound of the fixed grid is the smaller one,
          $$\frac{\beta_f\sigma_{md}}n+\frac{\beta_f^2}{4n^2}\le\frac{\beta_s\sigma_{md}}n+\
          \frac{\beta_s^2}{6n^2}.$$ [proof; exact/better grid for equal inputs]
        (h: many-levels) For $k\ge7$ and equal inputs that of the shifted grid is,
          $\frac{\beta_s^2}{6n^2}\le\frac{\beta_f^2}{4n^2}$. [proof; exact/better grid for equal inputs]
        (i: place) In (d) each pair of clients has one term at its place $u_{il}$ in a cell, which a
          uniformly random shift <<makes uniform -> exact/average over shifts>>: at every shift
          $$\kappa_{il}=u_{il}\max\{0,1-\tau_{il}-u_{il}\}.$$ [proof; exact/average over shifts]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N_{\ge2}", "number of clients"),
        Variable(x, "x", r"\mathbb R^n", "inputs, one coordinate", "(n,)", first=0),
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "step of the grid"),
        Variable(s, "s", r"\mathbb R", "shift of the grid, the same for all clients"),
        Variable(y, "y", "[0,1)^n", "probabilities of the bits", "(n,)", first=0),
        INDICATOR,
        Variable(cov, r"\mathrm{Cov}", r"\mathbb R^{n\times n}", "covariances of the bits", "(n,n)", first=0),
        Variable(
            kappa, r"\kappa", r"\mathbb R^{n\times n}_{\ge0}", "terms of common cells", "(n,n)", first=0
        ),
        Variable(
            apart,
            r"\lambda",
            r"\mathbb R^{n\times n}_{\ge0}",
            "their averages over the shift",
            "(n,n)",
            first=0,
        ),
        Variable(tau, r"\tau", r"\mathbb R^{n\times n}_{\ge0}", "distances in cells", "(n,n)", first=0),
        Variable(
            u, "u", r"[0,1)^{n\times n}", "place of the lower level of a pair in its cell", "(n,n)", first=0
        ),
        Variable(sigma, r"\sigma_{md}", r"\mathbb R_{\ge0}", "mean deviation of the inputs"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "variance of the mean"),
        Variable(W, "W", r"\mathbb R_{\ge0}", "its average over a random shift"),
        Variable(U, "V_I", r"\mathbb R_{\ge0}", "variance with independent thresholds"),
        Variable(levels, "k", r"\mathbb N_{\ge3}", "number of levels of a finite grid"),
        Variable(width, "w", r"\mathbb R_{>0}", "length of the range of the inputs"),
        Variable(fixed, r"\beta_f", r"\mathbb R_{>0}", "step of a fixed grid"),
        Variable(shifted, r"\beta_s", r"\mathbb R_{>0}", "step of a shifted grid"),
        Variable(b, "c", r"\{0,1\}^n", "which clients round up", "(n,)", first=0),
        Variable(
            z, "z", r"\mathbb R^{n\times n}", "$u_{il}$, or zero where it is too large", "(n, n)", first=0
        ),
    ),
    notation={"Q_{#1}": "what a client sends", "b_{#1}": "bits", "t_{#1}": "levels", r"\bar x": "the mean"},
    hypotheses={
        "sizes": domain(r"$n\ge2$ is an integer, $\beta,w>0$, $k\ge3$ is an integer, $\beta_f,\beta_s>0$"),
        "levels": definition(r"$y_i=\Big\{\frac{x_i-s}\beta\Big\}$"),
        "covariances": model(
            r"$\mathrm{Cov}_{il}=-\frac1{n-1}\Big(\min\{y_i,y_l\}(1-\max\{y_i,y_l\})-\frac1n\kappa_{il}\Big)$"
            r" for $l\ne i$",
            reference="cq_marina/cq-1d-exact",
        ),
        "within": definition(
            r"$\kappa_{il}=\mathbb I(\lfloor ny_i\rfloor,\lfloor ny_l\rfloor)\min\{\{ny_i\},\{ny_l\}\}"
            r"(1-\max\{\{ny_i\},\{ny_l\}\})$"
        ),
        "variance": definition(
            r"$V=\frac{\beta^2}{n^2}\Big(\sum_iy_i(1-y_i)+\sum_i\Big(\sum_{l=0}^{i-1}\mathrm{Cov}_{il}"
            r"+\sum_{l=i+1}^{n-1}\mathrm{Cov}_{il}\Big)\Big)$"
        ),
        "spread": definition(r"$\sigma_{md}=\frac1n\sum_i\Big|x_i-\frac1n\sum_lx_l\Big|$"),
        "independent": definition(
            r"$V_I=\mathbb E\bigl(\frac1{n^2}(\sum_i(\beta(\lfloor\frac{x_i-s}{\beta}\rfloor+c_i)+s"
            r"-x_i))^2\bigr)$, over independent $c_i\sim\mathrm{Bernoulli}(\{\frac{x_i-s}{\beta}\})$, "
            r"$0\le i\le n-1$"
        ),
        "overlap": definition(
            r"$\lambda_{il}=\frac16\max\{0,1-\tau_{il}\}^3$, "
            r"$\tau_{il}=n\min\Big\{\Big\{\frac{x_i-x_l}\beta\Big\}"
            r",1-\Big\{\frac{x_i-x_l}\beta\Big\}\Big\}$, $u_{il}=\{ny_l\}+(\{ny_i\}-\{ny_l\})"
            r"\Big\lfloor2\Big\{\frac{x_i-x_l}\beta\Big\}\Big\rfloor$"
        ),
        "shift": model(
            r"$W=\mathbb E\bigl(\frac{\beta^2}{2n^2(n-1)}\sum_{i,l}\{\frac{x_i-x_l}{\beta}\}(1-\{"
            r"\frac{x_i-x_l}{\beta}\})+\frac{\beta^2}{n^3(n-1)}(\sum_{i,l}z_{il}(\max(0,1-\tau_{il})"
            r"-z_{il})-\sum_iz_{ii}(\max(0,1-\tau_{ii})-z_{ii}))\bigr)$, over uncorrelated $z_{il}$, "
            r"$0\le i\le n-1$, $0\le l\le n-1$, with mean $\frac12\max(0,1-\tau_{il})^2$ and variance "
            r"$\frac13\max(0,1-\tau_{il})^3-\frac14\max(0,1-\tau_{il})^4$, since a uniformly random "
            "shift makes $u_{il}$ uniform"
        ),
        "grids": definition(r"$\beta_f=\frac w{k-1}$, $\beta_s=\frac w{k-2}$"),
        "few": parameter(r"$k\le6$"),
        "many": parameter(r"$k\ge7$"),
    },
    relations={
        "variance": Relation((V, EXACT), ("=",)),
        "bound": Relation((V, BOUND), ("<=",)),
        "independent": Relation((U, INDEPENDENT), ("=",)),
        "place": Relation((kappa[i, l], OVERLAP), ("=",), every=(OTHERS, CLIENTS)),
        "averaged": Relation((W, AVERAGED), ("=",), under=("shift",)),
        "averaged-bound": Relation((W, AVERAGED_BOUND), ("<=",), under=("shift",)),
        "fixed-levels": Relation((USED[0], levels), ("=",)),
        "shifted-levels": Relation((USED[1], levels), ("<=",)),
        "few-levels": Relation(
            (fixed * sigma / n + fixed**2 / (4 * n**2), shifted * sigma / n + shifted**2 / (6 * n**2)),
            ("<=",),
            under=("few",),
        ),
        "many-levels": Relation((shifted**2 / (6 * n**2), fixed**2 / (4 * n**2)), ("<=",), under=("many",)),
    },
    formulas={
        "exact": EXACT,
        "within": within(n * y[i], n * y[l]),
        "bound": BOUND,
        "averaged": AVERAGED,
        "overlap": APART,
        "distance": DISTANCE,
        "averaged_bound": AVERAGED_BOUND,
        "independent": INDEPENDENT,
        "mean_deviation": Sum(Abs(DEVIATION), CLIENTS) / n,
        "fixed_step": FIXED,
        "shifted_step": SHIFTED,
    },
    internal={
        "within": r"the definition of $\kappa_{il}$",
        "mean_deviation": r"the definition of $\sigma_{md}$",
        "overlap": r"the definition of $\lambda_{il}$ in part (e)",
        "distance": r"the definition of $\tau_{il}$ in part (e)",
        "fixed_step": r"the definition of $\beta_f$ in part (f)",
        "shifted_step": r"the definition of $\beta_s$ in part (f)",
    },
    worst_cases=cases(r"""
        four clients in three intervals, no shift | x = (1/10, 9/10, 17/10, 13/5), beta = 4/5, s = 0, n = 4
          | 3/320
        equal inputs in the middle of a cell: $\frac{\beta^2}{4n^2}$ is attained | x = 4 * (1/8,), beta = 1,
          s = 0, n = 4 | 1/64
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    half = Rational(1, 2)
    example = {
        n: 2,
        beta: 1,
        s: 0,
        x: (half, half),
        y: (half, half),
        kappa: ((0, 0),) * 2,
        sigma: 0,
        width: 1,
    }
    example |= {cov: ((-half / 2,) * 2,) * 2, apart: ((Rational(1, 6),) * 2,) * 2, tau: ((0,) * 2,) * 2}
    for number in (5, 8):
        K.example({**example, u: ((0,) * 2,) * 2, levels: number})
    K.index(CLIENTS, OTHERS)
    more = K.cert(lt(0, n - 1), (1, K.given("sizes", 1)))
    K.know(*(K.given("sizes", place) for place in range(4)), more)
    K.know(K.cert(lt(0, beta**2 * (n**2 - n)), (beta**2 * n, more)))
    variance = pairwise_variance(K)
    K.conclude("variance", variance)
    cell = K.cert(
        le(kappa[i, l], Rational(1, 4)),
        (1, K.at(K.given("within"), i, l)),
        (1, common_cell_below_quarter(K, n * y[i], n * y[l])),
    )
    spread = differences(K)
    K.conclude("bound", bounded(K, le(V, BOUND), variance, spread, cell))
    K.know(K.every(variance_nonnegative(K, LEVEL), CLIENTS))
    rounded = K.identity(
        bernoulli(
            (Sum(s + beta * (floor(LEVEL) + b[i]) - x[i], CLIENTS) / n) ** 2,
            b,
            CLIENTS,
            p=LEVEL - floor(LEVEL),
        ),
        INDEPENDENT,
    )
    K.conclude("independent", K.cert(eq(U, INDEPENDENT), (1, K.given("independent")), (1, rounded)))
    sixth = overlap_bound(K)
    mean = average(K)
    K.conclude("averaged", mean)
    K.conclude("averaged-bound", bounded(K, le(W, AVERAGED_BOUND), mean, spread, sixth))
    used_levels(K)
    compare_grids(K, *(CLAIM.relations[f"{name}-levels"].formulas[0] for name in ("few", "many")))
    K.conclude("place", K.every(overlap(K), OTHERS, CLIENTS))
