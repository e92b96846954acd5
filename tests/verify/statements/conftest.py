"""Four claims as authors write them."""

from collections.abc import Callable

import pytest
from sympy import IndexedBase, Max, Min, Rational, Sum, Symbol, floor, oo, sqrt

from theory.claim import Claim, Hypothesis, Part, Relation, Variable
from theory.extremum import MaxOver
from theory.formula import IsInteger, eq, every, le, lt
from theory.paper import Paper

PAPER = Paper("sample", "Title", ("Ann Author",), 2024, "0000.00000", "Venue")


def symbol(name: str) -> Symbol:
    return Symbol(name, real=True)


def array(name: str) -> IndexedBase:
    return IndexedBase(name, real=True)


d, n, B, beta, gamma, mu, omega = map(symbol, ("d", "n", "B", "beta", "gamma", "mu", "omega"))
i, j, l, k = map(symbol, ("i", "j", "l", "k"))
h, L, x, u = map(array, ("h", "L", "x", "u"))
DIMENSION = Variable(d, "d", r"\mathbb N", "number of coordinates")
STEPS = Variable(h, "h", r"\mathbb R^d_{>0}", "steps", "(d,)")
DIAGONAL = Variable(L, "L", r"\mathbb R^d_{\ge0}", "diagonal", "(d,)", aliases=(r"\mathbf L_{#1#1}",))
BUDGET = Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget")


def coordinates(term):
    return Sum(term, (j, 0, d - 1))


def variance() -> Claim:
    error = symbol("error")
    p = array("p")
    exact = coordinates(L[j] * h[j] ** 2 * p[j] * (1 - p[j]))
    return Claim(
        id="sample/var",
        kind="identity",
        provenance="rederived",
        title="Variance",
        position=1,
        paper=PAPER,
        setting=r"Let $Q$ quantize with the steps $h\in\mathbb R^d_{>0}$, and let $p_j=\{u_j\}$ and "
        r"$\mathbf L\succeq0$.",
        parts=(
            Part(
                "a",
                r"For every $x$ and every $\mathbf L$, diagonal or not, "
                r"$$\mathbb E\|Q(x)-x\|_{\mathbf L}^2=\sum_j\mathbf L_{jj}h_j^2\,p_j(1-p_j).$$",
                says=("variance",),
                evidence=("proof",),
            ),
            Part(
                "b",
                r"It is at most $\frac14\sum_jL_jh_j^2$, that is "
                r"$$\mathbb E\|Q(x)-x\|_{\mathbf L}^2\le\frac14\sum_{j=1}^dL_jh_j^2,"
                r"\qquad\text{attained at }p_j=\tfrac12.$$",
                says=("quarter",),
                evidence=("proof",),
                pins={r"\text{attained at }p_j=\tfrac12": "exact/halves"},
            ),
        ),
        variables=(
            DIMENSION,
            STEPS,
            DIAGONAL,
            Variable(p, "p", "[0,1)^d", "probabilities", "(d,)"),
            Variable(u, "u", r"\mathbb R^d_{\ge0}", "levels", "(d,)"),
            Variable(error, r"\mathbb E\|Q(x)-x\|_{\mathbf L}^2", r"\mathbb R_{\ge0}", "variance"),
        ),
        notation={"Q": "quantizer", "x": "its input", r"\mathbf L": "weight matrix"},
        hypotheses={
            "fraction": Hypothesis(
                "definition", every(eq(p[j], u[j] - floor(u[j])), (j, 0, d - 1)), r"$p_j=\{u_j\}$"
            ),
            "size": Hypothesis("domain", (IsInteger(d), le(1, d)), r"$d\ge1$ is an integer"),
        },
        relations={
            "variance": Relation((error, exact), ("=",)),
            "quarter": Relation((error, coordinates(L[j] * h[j] ** 2) / 4), ("<=",)),
        },
        formulas={"exact": exact, "bound": coordinates(L[j] * h[j] ** 2) / 4},
    )


def bounds() -> Claim:
    constant, largest, s = map(symbol, ("constant", "largest", "s"))
    F, T = array("F"), array("T")
    bound = Min(sqrt(coordinates(L[j] ** 2 * h[j] ** 2)), coordinates(L[j] * h[j] ** 2) / 4)
    standard = Min(sqrt(d) / s, d / (4 * s**2))
    return Claim(
        id="sample/bounds",
        kind="upper",
        provenance="rederived",
        title="Two branches",
        position=2,
        paper=PAPER,
        setting=r"$\mathcal L(Q_h,\mathbf L)$ is the smallest $\ell$ with "
        r"$\mathbb E\|Q(x)-x\|_{\mathbf L}^2\le\ell\|x\|^2$.",
        parts=(
            Part(
                "a",
                r"For one block, $$\mathcal L(Q_h,\mathbf L)\le\min\Big\{\Big(\sum_jL_j^2h_j^2\Big)^{1/2},\ "
                r"\frac14\sum_jL_jh_j^2\Big\}.$$",
                says=("bound",),
                evidence=("proof",),
            ),
            Part(
                "b",
                r"For the standard quantizer with $s$ levels, $\omega\le\min\{\sqrt d/s,\,d/(4s^2)\}$; "
                r"at $d={value:dimension}$ and the most levels it is {value:ratio} of the coarse branch, "
                r"about {value:ratio,3}.",
                says=("standard",),
                evidence=("proof",),
                pins={"at $d={value:dimension}$ and the most levels": "exact/levels"},
            ),
            Part(
                "c",
                r"For blocks, "
                r"$\Lambda\le\max_{1\le l\le B}"
                r"\min\{h_l\|D_{ll}\|_F,\ \frac14h_l^2\,\mathrm{tr}\,\mathbf L_{ll}\}$.",
                says=("blocks",),
                evidence=("proof",),
            ),
        ),
        variables=(
            DIMENSION,
            Variable(B, "B", r"\mathbb N", "blocks"),
            Variable(h, "h", r"\mathbb R^d_{>0}", "steps", "(d,)"),
            DIAGONAL,
            Variable(F, r"\|D_{#1#1}\|_F", r"\mathbb R^B_{\ge0}", "norms of blocks", "(B,)"),
            Variable(T, r"\mathrm{tr}\,\mathbf L_{#1#1}", r"\mathbb R^B_{\ge0}", "traces of blocks", "(B,)"),
            Variable(s, "s", r"\mathbb N", "levels"),
            Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "constant of the standard quantizer"),
            Variable(constant, r"\mathcal L(Q_h,\mathbf L)", r"\mathbb R_{\ge0}", "constant"),
            Variable(largest, r"\Lambda", r"\mathbb R_{\ge0}", "constant of all blocks"),
        ),
        relations={
            "bound": Relation((constant, bound), ("<=",)),
            "standard": Relation((omega, standard), ("<=",)),
            "blocks": Relation(
                (largest, MaxOver(Min(h[l] * F[l], h[l] ** 2 * T[l] / 4), (l, 0, B - 1))), ("<=",)
            ),
        },
        formulas={"bound": bound, "standard": standard, "coarse": bound.args[1], "dimension": d},
        values={"ratio": Rational(37, 38), "dimension": 16},
    )


def steps() -> Claim:
    c = {name: symbol(f"c_{name}") for name in ("vary", "block", "plus", "std")}
    trace, norm, largest = map(symbol, ("trace", "norm", "largest"))
    m, F, star = map(array, ("m", "F", "star"))
    blocks = Sum(sqrt(m[l]) * F[l], (l, 0, B - 1))
    optimal = sqrt(trace) / (beta * sqrt(L[j]))
    return Claim(
        id="sample/steps",
        kind="upper",
        provenance="rederived",
        title="Optimal steps",
        position=3,
        paper=PAPER,
        setting=r"The steps have the budget $\beta=\|h^{-1}\|$, and "
        r"$h_j^\star=\frac{\sqrt{\mathrm{tr}\,\mathbf L}}{\beta\sqrt{L_j}}$.",
        parts=(
            Part(
                "a",
                r"If $d\ge3$, then $$\sum_j(h_j^\star)^{-2}=\beta^2,"
                r"\qquad\sum_jL_j^2(h_j^\star)^2=\frac{(\mathrm{tr}\,\mathbf L)^2}{\beta^2}.$$",
                says=("budget", "value"),
                evidence=("proof",),
            ),
            Part(
                "b",
                r"For every partition "
                r"$$c_{\rm vary}=\mathrm{tr}\,\mathbf L\le c_{\rm block}=\sum_l\sqrt{d_l}\|D_{ll}\|_F"
                r"\le c_{\rm plus}=\sqrt d\,\|D\|_F\le d\max_jL_j\le c_{\rm std}.$$",
                says=("chain",),
                evidence=("proof",),
            ),
            Part(
                "c",
                r"$\omega=h\sqrt d-1$ if $h\sqrt d\ge2$, else $\omega\le dh^2/4$.",
                says=("coarse", "fine"),
                evidence=("proof", "exact/regimes"),
                pins={"else": "exact/regimes"},
            ),
        ),
        variables=(
            DIMENSION,
            DIAGONAL,
            BUDGET,
            Variable(B, "B", r"\mathbb N", "blocks"),
            Variable(star, r"h^\star", r"\mathbb R^d_{>0}", "optimal steps", "(d,)"),
            Variable(m, "d", r"\mathbb N^B", "sizes of blocks", "(B,)"),
            Variable(F, r"\|D_{#1#1}\|_F", r"\mathbb R^B_{\ge0}", "norms of blocks", "(B,)"),
            Variable(trace, r"\mathrm{tr}\,\mathbf L", r"\mathbb R_{>0}", "trace"),
            Variable(norm, r"\|D\|_F", r"\mathbb R_{\ge0}", "norm of the diagonal"),
            Variable(largest, r"\max_jL_j", r"\mathbb R_{\ge0}", "largest entry"),
            Variable(symbol("step"), "h", r"\mathbb R_{>0}", "uniform step"),
            Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "constant"),
            *(
                Variable(item, rf"c_{{\rm {name}}}", r"\mathbb R_{\ge0}", "constant")
                for name, item in c.items()
            ),
        ),
        notation={r"\mathbf L": "matrix", r"\|h^{-1}\|": "norm of the inverse steps"},
        hypotheses={
            "optimal": Hypothesis(
                "definition",
                every(eq(star[j], optimal), (j, 0, d - 1)),
                r"$h_j^\star=\sqrt{\mathrm{tr}\,\mathbf L}/(\beta\sqrt{L_j})$",
            ),
            "wide": Hypothesis("parameter", le(3, d), r"$d\ge3$"),
            "coarse": Hypothesis("parameter", le(2, symbol("step") * sqrt(d)), r"$h\sqrt d\ge2$"),
            "fine": Hypothesis("parameter", lt(symbol("step") * sqrt(d), 2), r"$h\sqrt d<2$"),
        },
        relations={
            "budget": Relation((coordinates(star[j] ** -2), beta**2), ("=",), under=("wide",)),
            "value": Relation(
                (coordinates(L[j] ** 2 * star[j] ** 2), trace**2 / beta**2), ("=",), under=("wide",)
            ),
            "chain": Relation(
                (c["vary"], trace, c["block"], blocks, c["plus"], sqrt(d) * norm, d * largest, c["std"]),
                ("=", "<=", "=", "<=", "=", "<=", "<="),
            ),
            "coarse": Relation((omega, symbol("step") * sqrt(d) - 1), ("=",), under=("coarse",)),
            "fine": Relation((omega, d * symbol("step") ** 2 / 4), ("<=",)),
        },
        formulas={"block_value": blocks, "step": optimal, "value": trace / beta},
        internal={"value": "what checks evaluate: the root of the said value"},
    )


def rate() -> Claim:
    sigma, top = symbol("sigma"), symbol("top")
    Lip, at_start, Lcal, s = symbol("Lip"), symbol("at_start"), array("Lcal"), array("s")
    distance = array("distance")
    bound = (1 - gamma * mu) ** k * at_start + 2 * gamma * sigma / (mu * n)
    limit = 1 / (Lip + 2 * top / n)
    neighbourhood = Sum(Lcal[i] * s[i], (i, 0, n - 1)) / n
    return Claim(
        id="sample/dcgd",
        kind="rate",
        provenance="rederived",
        title="Rate",
        position=4,
        paper=PAPER,
        setting=r"Minimise $f+R$ with $\gamma\le\frac1{L+2\mathcal L_{\max}/n}$, and put "
        r"$\sigma_\star^2=\frac1n\sum_i\mathcal L_i\|\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2$.",
        parts=(
            Part(
                "a",
                r"After $k$ rounds "
                r"$$\mathbb E\|x^k-x^\star\|^2\le(1-\gamma\mu)^k\|x^0-x^\star\|^2"
                r"+\frac{2\gamma\sigma_\star^2}{\mu n}.$$",
                says=("rate",),
                evidence=("proof",),
            ),
            Part(
                "b",
                r"One step satisfies "
                r"$\mathbb E\|x^{k+1}-x^\star\|^2\le(1-\gamma\mu)\,\mathbb E\|x^k-x^\star\|^2"
                r"+2\gamma^2\sigma_\star^2/n$ for every $k$, "
                r"with a factor $\max\{1-\gamma\mu,\,1-\gamma/2\}\in[0,1]$.",
                says=("step", "factor"),
                evidence=("proof",),
            ),
        ),
        variables=(
            Variable(n, "n", r"\mathbb N", "nodes"),
            Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
            Variable(mu, r"\mu", r"\mathbb R_{>0}", "strong convexity"),
            Variable(Lip, "L", r"\mathbb R_{>0}", "smoothness"),
            Variable(top, r"\mathcal L_{\max}", r"\mathbb R_{\ge0}", "largest constant"),
            Variable(Lcal, r"\mathcal L", r"\mathbb R^n_{\ge0}", "constants", "(n,)"),
            Variable(
                s, r"\|\nabla f_{#1}(x^\star)\|_{\mathbf L_{#1}^+}^2", r"\mathbb R^n_{\ge0}", "norms", "(n,)"
            ),
            Variable(sigma, r"\sigma_\star^2", r"\mathbb R_{\ge0}", "noise"),
            Variable(at_start, r"\|x^0-x^\star\|^2", r"\mathbb R_{\ge0}", "distance at the start"),
            Variable(
                distance, r"\mathbb E\|x^{#1}-x^\star\|^2", r"\mathbb R_{\ge0}", "distance", "(oo,)", first=0
            ),
        ),
        hypotheses={
            "step": Hypothesis("parameter", le(gamma, limit), r"$\gamma\le1/(L+2\mathcal L_{\max}/n)$"),
            "noise": Hypothesis(
                "definition", eq(sigma, neighbourhood), r"$\sigma_\star^2$ is the noise at $x^\star$"
            ),
        },
        relations={
            "rate": Relation((distance[k], bound), ("<=",), every=((k, 0, oo),)),
            "step": Relation(
                (distance[k + 1], (1 - gamma * mu) * distance[k] + 2 * gamma**2 * sigma / n),
                ("<=",),
                every=((k, 0, oo),),
            ),
            "factor": Relation((0, Max(1 - gamma * mu, 1 - gamma / 2), 1), ("<=", "<=")),
        },
        formulas={
            "bound": bound,
            "step_size": limit,
            "sigma_star": neighbourhood,
            "noise": 2 * gamma * sigma / (mu * n),
        },
    )


SAMPLES: dict[str, Callable[[], Claim]] = {"var": variance, "bounds": bounds, "steps": steps, "dcgd": rate}


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> Claim:
    return SAMPLES[request.param]()


@pytest.fixture
def samples() -> dict[str, Claim]:
    return {name: make() for name, make in SAMPLES.items()}
