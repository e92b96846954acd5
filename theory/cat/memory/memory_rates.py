r"""`cat/memory-rates`: rates of gradient descent with memory (error feedback; arXiv 2003.06377, 1809.07599).

The rates are those of Stich and Karimireddy (arXiv 1909.05350) in kind; the constants are derived here.
"""

from typing import Any

from sympy import IndexedBase, Rational, Sum, oo, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.linear_recursion import linear_recursion
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import le
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

t, T, gamma, L, mu, r, B, Z, delta, Delta_0 = symbols("t T gamma L mu r B Z delta Delta_0", real=True)
G, psi, phi, gap, D, H = symbols("G psi phi gap D H", cls=IndexedBase, real=True)
EVER, RUN = (t, 0, oo), (t, 0, T - 1)

_NOISE = gamma**3 * L**2 * r**2 / (1 - r) ** 2
_FACTOR = 1 - gamma * mu
_AVERAGE = 4 * Delta_0 / (gamma * T) + 2 * gamma**2 * L**2 * r**2 * Z / (1 - r) ** 2
_RATE = _FACTOR**T * Delta_0 + gamma**2 * L**2 * r**2 * Z / ((1 - r) ** 2 * mu)
_OBJECTIVE = (1 - r) / (gamma * L) * _RATE
_STEP = (1 - r) / (2 * L)
_ALONE = 2 * (1 - (1 - r) * mu / (2 * L)) ** T * Delta_0
_MEAN_SQUARE = Sum(G[t], RUN) / T

CLAIM = Claim(
    id="cat/memory-rates",
    kind="rate",
    provenance="derived",
    title="Rates of gradient descent with memory",
    position=37,
    paper=PAPER,
    **statement(
        r"""
        Gradient descent with memories that are empty at the start and the step $\gamma$, on $f$, the mean of
        the nodes, that is $L$-smooth; $\Delta_0$ is the gap at the start, $B$, $\zeta^2$ and $r$ are as in
        `cat/memory-descent`, the step is at most $4\gamma^2L^2B\le(1-r)^2$, and $T\ge1$.
        (a: average) In all rounds on average $$\frac1T\sum_{t<T}\mathbb E\|\nabla
          f(x_t)\|^2\le\frac{4\Delta_0}{\gamma T}+\frac{2\gamma^2L^2r^2\zeta^2}{(1-r)^2}.$$ [proof;
          exact/average; run/average]
        (b: rate) Under the Polyak-Łojasiewicz inequality, where $\mu\le L$, the potential of
          `cat/memory-descent` (e) is at most
          $$\Phi_T\le(1-\gamma\mu)^T\Delta_0+\frac{\gamma^2L^2r^2\zeta^2}{(1-r)^2\mu}.$$ [proof;
          exact/potential; run/potential]
        (c: objective) So at the points themselves $$\mathbb E[f(x_T)-f^\star]\le\frac{1-r}{\gamma
          L}\Big((1-\gamma\mu)^T\Delta_0+\frac{\gamma^2L^2r^2\zeta^2}{(1-r)^2\mu}\Big).$$ [proof; exact/gap;
          run/gap; exact/numbers *; exact/traces of the literal run; exact/replicates beyond the range;
          exact/round at which it stops; exact/arguments *]
        (d: alone-average) One node, $B=1$ and $\zeta^2=0$, at $\gamma=\frac{1-r}{2L}$:
          $$\frac1T\sum_{t<T}\mathbb E\|\nabla f(x_t)\|^2\le\frac{8L\Delta_0}{(1-r)T}.$$ [proof; exact/average
          of one node; run/average of one node]
        (e: alone) There, under the Polyak-Łojasiewicz inequality, $$\mathbb
          E[f(x_T)-f^\star]\le2\Big(1-\frac{(1-r)\mu}{2L}\Big)^T\Delta_0.$$ [proof; exact/gap of one node;
          run/gap of one node]
        (f: shares) <<This step is that of gradient descent over the factor -> exact/step of gradient
          descent>>
          $$\frac2{1-r}\le\frac4\delta,\qquad r^2=1-\delta.$$ [proof; exact/shares; exact/step of gradient
          descent]
        """
    ),
    variables=(
        Variable(T, "T", r"\mathbb N", "number of rounds"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(L, "L", r"\mathbb R_{>0}", "smoothness constant of $f$"),
        Variable(mu, r"\mu", r"\mathbb R_{>0}", "constant of the Polyak-Łojasiewicz inequality"),
        Variable(r, "r", "[0,1)", r"$\sqrt{1-\delta}$"),
        Variable(delta, r"\delta", "(0,1]", "share that the contraction does not lose"),
        Variable(B, "B", r"\mathbb R_{\ge1}", "dissimilarity of the nodes, in proportion to the gradient"),
        Variable(Z, r"\zeta^2", r"\mathbb R_{\ge0}", "dissimilarity of the nodes, everywhere"),
        Variable(Delta_0, r"\Delta_0", r"\mathbb R_{\ge0}", "gap at the start"),
        Variable(G, r"\mathbb E\|\nabla f(x_{#1})\|^2", r"\mathbb R_{\ge0}", "", "(oo,)", first=0),
        Variable(psi, r"\Psi_{#1}", r"\mathbb R_{\ge0}", "with half of the weight", "(oo,)", first=0),
        Variable(phi, r"\Phi_{#1}", r"\mathbb R_{\ge0}", "expected potentials", "(oo,)", first=0),
        Variable(D, "D_{#1}", r"\mathbb R_{\ge0}", "expected gaps of virtual points", "(oo,)", first=0),
        Variable(H, "H_{#1}", r"\mathbb R_{\ge0}", "expected squares of memories", "(oo,)", first=0),
        Variable(gap, r"\mathbb E[f(x_{#1})-f^\star]", r"\mathbb R_{\ge0}", "gaps", "(oo,)", first=0),
    ),
    notation={"f": "the objective", "x_{#1}": "points"},
    ranges={"t": (0, oo)},
    hypotheses={
        "sizes": domain(r"$T\ge1$ is an integer"),
        "signs": domain(r"$\gamma,L,\mu,\delta>0$, $0\le r<1$, $B\ge1$, $\zeta^2,\Delta_0\ge0$"),
        "step": parameter(r"$4\gamma^2L^2B\le(1-r)^2$"),
        "falls": model(
            r"$\Psi_{t+1}\le\Psi_t-\frac\gamma4\mathbb E\|\nabla f(x_t)\|^2"
            r"+\frac{\gamma^3L^2r^2}{2(1-r)^2}\zeta^2$, $\Psi_t\ge0$, $\Psi_0=\Delta_0$, "
            "since a round is bounded given those before",
            reference="cat/memory-descent (d)",
        ),
        "contracts": model(
            r"$\Phi_{t+1}\le(1-\gamma\mu)\Phi_t+\frac{\gamma^3L^2r^2}{(1-r)^2}\zeta^2$, $\Phi_0=\Delta_0$, "
            r"since $f$ satisfies the Polyak-Łojasiewicz inequality",
            reference="cat/memory-descent (e)",
        ),
        "order": parameter(r"$\mu\le L$"),
        "near": model(
            r"$\Phi_t=D_t+\frac{\gamma^3L^2}{1-r}H_t$, $\mathbb E[f(x_t)-f^\star]\le2D_t+L\gamma^2H_t$, "
            r"$D_t\ge0$, since $f$ is $L$-smooth",
            reference="cat/memory-descent (f)",
        ),
        "one": model(r"$B=1$, $\zeta^2=0$"),
        "largest": parameter(r"$\gamma=\frac{1-r}{2L}$"),
        "root": definition(r"$r^2=1-\delta$"),
    },
    relations={
        "average": Relation((_MEAN_SQUARE, _AVERAGE), ("<=",), under=("step", "falls")),
        "rate": Relation((phi[T], _RATE), ("<=",), under=("step", "contracts", "order")),
        "objective": Relation((gap[T], _OBJECTIVE), ("<=",), under=("step", "contracts", "order", "near")),
        "alone-average": Relation(
            (_MEAN_SQUARE, 8 * L * Delta_0 / ((1 - r) * T)),
            ("<=",),
            under=("step", "falls", "one", "largest"),
        ),
        "alone": Relation(
            (gap[T], _ALONE), ("<=",), under=("step", "contracts", "order", "near", "one", "largest")
        ),
        "shares": Relation((2 / (1 - r), 4 / delta), ("<=",), under=("root",)),
    },
    formulas={
        "bound": _OBJECTIVE,
        "average": _AVERAGE,
        "rate": _RATE,
        "step": _STEP,
        "alone": _ALONE,
        "alone_average": 8 * L * Delta_0 / ((1 - r) * T),
        "shares": 2 / (1 - r),
    },
    worst_cases=cases(r"""
        one node, three of four equal entries, two rounds | L = 1, r = 1/2, mu = 1, T = 2, Delta_0 = 8 | 9
        nothing is lost: half a step, twice the gap | L = 1, r = 0, mu = 1, T = 1, Delta_0 = 1 | 1
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    half = Rational(1, 2)
    K.example(
        {T: 1, gamma: half**2, L: 1, mu: 1, r: half, delta: 3 * half**2, B: 1, Z: 0, Delta_0: half,
         psi: (half,) + (0,) * 151, G: (1,) + (0,) * 151, phi: (half,) + (0,) * 151,
         D: (half,) + (0,) * 151, H: (0,) * 152, gap: (half,) + (0,) * 151}
    )  # fmt: skip
    K.index(EVER)
    below, dominated = K.given("step"), K.given("order")
    room = K.cert(
        le(2 * gamma * L, 1 - r), (1, below), (4 * gamma**2 * L**2, K.given("signs", 6)), squared=True
    )
    _shares(K)
    average = _average(K)
    shrinks = (half, room), (gamma, dominated), (1, (1 + r) / 2)
    K.know(K.cert(le(0, _FACTOR), *shrinks))
    objective = _objective(K, room)
    for relation, general in (("alone-average", average), ("alone", objective)):
        alone = K.rewrite(K.rewrite(general, K.given("one", 1)), K.given("largest"))
        K.show(relation, (1, alone))


def _average(K: Any) -> Any:
    """Add the rounds up."""
    weight = 4 / (gamma * T)
    return K.show(
        "average",
        (weight, K.sum_over(K.at(K.given("falls"), t), RUN)),
        (-weight, telescoping_sum(K, psi[t], t, T)),
        (weight, K.at(K.given("falls", 1), T)),
        (weight, K.given("falls", 2)),
    )


def _objective(K: Any, room: Any) -> Any:
    """A linear recursion; the gap of the point is at most a multiple of the potential."""
    step = K.at(K.given("contracts"), t)
    found = K.at(linear_recursion(K, phi, t, _FACTOR, _NOISE * Z, step), T)
    rate = K.show("rate", (1, found), (_FACTOR**T, K.given("contracts", 1)))
    multiple = (1 - r) / (gamma * L)
    K.know(K.at(K.given("near", 2), T))
    return K.show(
        "objective",
        (multiple, rate),
        (1, K.at(K.given("near", 1), T)),
        (-multiple, K.at(K.given("near"), T)),
        (D[T] / (gamma * L), room),
    )


def _shares(K: Any) -> None:
    """1 - r times 1 + r is delta, and 1 + r is at most 2."""
    K.show("shares", (2 / ((1 - r) * delta), (1 - r) * (1 - r)), (2 / ((1 - r) * delta), K.given("root")))
