r"""`ndqsg/side-information`: how well messages of others predict a gradient (arXiv 1904.01197)."""

from typing import Any

from sympy import Eq, IndexedBase, Integer, Max, Piecewise, Rational, Symbol, log, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

m, P, D, sigma, sigma_n_sq, sigma_z_sq = symbols("m P D sigma sigma_n_sq sigma_z_sq", real=True)
sample_sq, epsilon, k, p, q = symbols("sample_sq epsilon k p q", real=True)
gradient_variance, correlation, average = symbols("gradient_variance correlation average", real=True)
overload = Symbol("overload", real=True)
# Noises of the workers, errors of their messages, noise of the worker that is predicted, a gradient.
n, r, w, f, own, noise, error = symbols("n r w f own noise error", cls=IndexedBase, real=True)


_EXACT = sigma_n_sq * (1 + 1 / m) + D / m
_MESSAGE = sigma_n_sq + D
_ESTIMATE = Max(0, sample_sq - D) + sample_sq / m
_ROOT = sqrt(2 * log(2 / epsilon))
_RATIO = 1 + 2 * sigma * _ROOT
_CORRELATION = gradient_variance / (gradient_variance + sigma_n_sq)

# Smallest ratios, any and odd, by the deviation of a Gaussian innovation, for an excess of 1 per cent.
_TABLED = tuple(map(Rational, ("1/10", "1/5", "1/4", "3/10", "1/2", "3/4", "1", "3/2", "2", "4")))
_SMALLEST = {
    "smallest": tuple(map(Integer, (2, 3, 3, 3, 5, 7, 10, 15, 20, 41))),
    "smallest_odd": tuple(map(Integer, (3, 3, 3, 3, 5, 7, 11, 15, 21, 41))),
}


_TOLERATED = Integer(1)

CLAIM = Claim(
    id="ndqsg/side-information",
    kind="identity",
    provenance="abstract",
    title="Variance of the innovation, and the rule for the ratio",
    position=35,
    paper=PAPER,
    **statement(
        r"""
        The workers have gradients $g_p=\nabla f+n_p$ with independent centred noises of variance
        $\sigma_n^2$ in each coordinate; $y$ is the mean of $m$ decoded messages, with independent errors of
        variance $D$, of which no receiver knows the raw gradients. In (a) to (e) and in (h)
        no innovation leaves the margin.
        (a: innovation) The innovation $g_p-y$ of another worker has the variance
          $$\sigma_z^2=\sigma_n^2\Big(1+\frac1m\Big)+\frac Dm.$$ [proof; exact/innovation;
          montecarlo/innovation]
        (b: falls, floor) <<It never rises in $m$ -> proof>>, $\sigma_n^2(1+\frac1{m+1})+\frac
          D{m+1}\le\sigma_n^2(1+\frac1m)+\frac Dm$, and stays above a worker's own noise or at it:
          $\sigma_n^2\le\sigma_n^2(1+\frac1m)+\frac Dm$. [proof; exact/own noise]
        (c: average) <<At $\alpha=1$ -> exact/average>> the errors of all messages are uncorrelated, and the
          average of $P$ of them has $$\mathrm{Var}\Big(\frac1P\sum_p\hat g_p\Big)=\frac{\sigma_n^2+D}P.$$
          [proof; exact/average]
        (d: sample) The sample variance $\hat s^2$ of $2\le m$ messages, <<divided by $m-1$ -> exact/mean of
          the sample variance>>, has $\mathbb E\hat s^2=\sigma_n^2+D$. [proof; exact/mean of the sample
          variance; montecarlo/estimate]
        (e: estimate) So $\sigma_z^2$ is estimated by <<$\max(0,\hat s^2-D)+\hat s^2/m$ -> exact/estimate at
          that mean>>, which is right at the mean of $\hat s^2$: $$\max(0,\mathbb E\hat s^2-D)+\frac{\mathbb
          E\hat s^2}m=\sigma_n^2\Big(1+\frac1m\Big)+\frac Dm.$$ <<The mean of the estimates is not below
          that, by the cut at zero -> exact/mean of the estimates>>. [proof; exact/estimate at that mean;
          exact/mean of the estimates; montecarlo/estimate]
        (f: ratio) <<For a sub-Gaussian innovation of parameter $\sigma$ fine steps -> proof>> every ratio
          $1+2\sigma\sqrt{2\log(2/\epsilon)}\le k$ overloads a coordinate with probability
          $\Pr(j\ne0)\le\epsilon$. [proof; exact/stated ratio; exact/overload]
        (g: correlation) Over the coordinates, where $\nabla f$ has the variance $V$, two raw gradients have
          the correlation $\rho=\frac V{V+\sigma_n^2}$. [proof]
        (h) <<In sequential mode $y$ is the mean of all messages decoded before, nested ones too. At
          $\alpha=1$, with one or two dithered workers, two nested ones after them and noises of two values,
          the innovation has the variance in (a) with their number $m$ -> exact/sequential innovation>>,
          <<less for the later one -> exact/later innovation>>, <<the errors of the workers are uncorrelated
          -> exact/sequential errors>> and <<the average has the variance in (c) -> exact/sequential
          average>>. [exact/sequential innovation; exact/later innovation; exact/sequential errors;
          exact/sequential average]
        (i) With a normal innovation <<of deviation 0.1, 0.2, 0.25, 0.3, 0.5, 0.75, 1, 1.5, 2 and 4 fine steps
          -> exact/smallest ratio>> the smallest ratio <<at which the mean square error exceeds $D$ by at most
          -> exact/excess at the smallest ratio>> {value:tolerated} per cent is {value:smallest[0]},
          {value:smallest[1]}, {value:smallest[2]}, {value:smallest[3]}, {value:smallest[4]},
          {value:smallest[5]}, {value:smallest[6]}, {value:smallest[7]}, {value:smallest[8]} and
          {value:smallest[9]}. [exact/smallest ratio; exact/excess at the smallest ratio; exact/excess below
          the smallest ratio; exact/decoded at the smallest ratio; exact/decoded below the smallest ratio]
        (j) The smallest odd ratio is, <<for the same innovations and error -> exact/excess at the smallest
          odd ratio>>, {value:smallest_odd[0]}, {value:smallest_odd[1]}, {value:smallest_odd[2]},
          {value:smallest_odd[3]}, {value:smallest_odd[4]}, {value:smallest_odd[5]},
          {value:smallest_odd[6]}, {value:smallest_odd[7]}, {value:smallest_odd[8]} and
          {value:smallest_odd[9]}. [exact/smallest odd ratio; exact/excess at the smallest odd ratio;
          exact/excess below the smallest odd ratio; exact/decoded at the smallest odd ratio; exact/decoded
          below the smallest odd ratio]
        """
    ),
    variables=(
        Variable(sigma_n_sq, r"\sigma_n^2", r"\mathbb R_{\ge0}", "variance of a noise in one coordinate"),
        Variable(D, "D", r"\mathbb R_{>0}", r"$\delta^2/12$, the error variance of the fine step"),
        Variable(m, "m", r"\mathbb N", "number of messages of which the side information is the mean"),
        Variable(P, "P", r"\mathbb N", "number of workers"),
        Variable(sigma_z_sq, r"\sigma_z^2", r"\mathbb R_{\ge0}", "variance of the innovation"),
        Variable(sample_sq, r"\mathbb E\hat s^2", r"\mathbb R_{\ge0}", "expected sample variance"),
        Variable(
            average, r"\mathrm{Var}(\frac1P\sum_p\hat g_p)", r"\mathbb R_{\ge0}", "variance of the average"
        ),
        Variable(sigma, r"\sigma", r"\mathbb R_{>0}", "parameter of the innovation in fine steps"),
        Variable(epsilon, r"\epsilon", "(0,1)", "largest overload probability of a coordinate"),
        Variable(k, "k", r"\{2,3,\dots\}", "ratio"),
        Variable(overload, r"\Pr(j\ne0)", "[0,1]", "overload probability"),
        Variable(gradient_variance, "V", r"\mathbb R_{>0}", r"variance of $\nabla f$ over its coordinates"),
        Variable(correlation, r"\rho", "[0,1]", "correlation of two gradients"),
        Variable(n, r"\varepsilon", r"\mathbb R^P", "noises of the workers", "(P,)"),
        Variable(r, "e", r"\mathbb R^P", "errors of the messages", "(P,)"),
        Variable(error, r"\vartheta", r"\mathbb R^m", "errors of their messages", "(m,)"),
        Variable(noise, r"\nu", r"\mathbb R^m", "noises of the workers that are averaged", "(m,)"),
        Variable(w, "w", r"\mathbb R", "noise of a worker", "(1,)"),
        Variable(f, r"\zeta", r"\mathbb R", "common gradient", "(1,)"),
        Variable(own, r"\eta", r"\mathbb R", "noise of a worker", "(1,)"),
    ),
    notation={
        "g_{#1}": "gradient of a worker",
        r"\nabla f": "the gradient",
        "n_{#1}": "noise of a worker",
        "y": "side information",
        r"\alpha": "gain",
        r"\hat s^2": "sample variance",
        "g_p-y": "the innovation",
    },
    hypotheses={
        "domain": domain(r"$m\ge1$ and $P\ge1$ are integers, $D>0$, $\sigma_n^2\ge0$"),
        "innovation": definition(
            r"$\sigma_z^2=\mathbb E\bigl((w-\frac1m\sum_q(\vartheta_q+\nu_q))^2\bigr)$, over $w$ with "
            r"mean $0$ and variance $\sigma_n^2$ and over uncorrelated $\vartheta_p$, $1\le p\le m$, "
            r"with mean $0$ and variance $D$ and over uncorrelated $\nu_p$, $1\le p\le m$, with mean "
            r"$0$ and variance $\sigma_n^2$"
        ),
        "average": model(
            r"$\mathrm{Var}(\frac1P\sum_p\hat "
            r"g_p)=\mathbb E\bigl(\frac1{P^2}(\sum_p(\varepsilon_p+e_p))^2\bigr)$, over uncorrelated "
            r"$e_p$, $1\le p\le P$, with mean $0$ and variance $D$ and over uncorrelated "
            r"$\varepsilon_p$, $1\le p\le P$, with mean $0$ and variance $\sigma_n^2$",
            reference="claims `ndqsg/nested-decoding` and `ndqsg/dqsg-conditional-independence`",
        ),
        "two": parameter(r"$2\le m$"),
        "sample": definition(
            r"$\mathbb E\hat "
            r"s^2=\mathbb E\Bigl(\frac1{m-1}\sum_p\Bigl(\nu_p+\vartheta_p-\frac1m\sum_q(\nu_q"
            r"+\vartheta_q)\Bigr)^2\Bigr)$, over uncorrelated $\vartheta_p$, $1\le p\le m$, with mean "
            r"$0$ and variance $D$ and over uncorrelated $\nu_p$, $1\le p\le m$, with mean $0$ and "
            r"variance $\sigma_n^2$"
        ),
        "deviation": domain(r"$\sigma>0$, $0<\epsilon\le1$, $V>0$"),
        "ratio": parameter(r"$1+2\sigma\sqrt{2\log(2/\epsilon)}\le k$"),
        "sub-gaussian": model(
            r"$\Pr(j\ne0)\le2\exp\Big(-\frac{(k-1)^2}{8\sigma^2}\Big)$, since the innovation is sub-Gaussian",
            reference="claim `ndqsg/nested-overload`",
        ),
        "correlation": definition(
            r"$\rho=\frac{\mathbb E\bigl((\zeta+\eta)(\zeta+w)\bigr)}{\mathbb E\bigl((\zeta"
            r"+\eta)^2\bigr)}$, over $w$ with mean $0$ and variance $\sigma_n^2$ and over $\eta$ with "
            r"mean $0$ and variance $\sigma_n^2$ and over $\zeta$ with mean $0$ and variance $V$"
        ),
    },
    relations={
        "innovation": Relation((sigma_z_sq, _EXACT), ("=",), under=("innovation",)),
        "falls": Relation((_EXACT.subs(m, m + 1), _EXACT), ("<=",)),
        "floor": Relation((sigma_n_sq, _EXACT), ("<=",)),
        "average": Relation((average, _MESSAGE / P), ("=",), under=("average",)),
        "sample": Relation((sample_sq, _MESSAGE), ("=",), under=("two", "sample")),
        "estimate": Relation((_ESTIMATE, _EXACT), ("=",), under=("two", "sample")),
        "ratio": Relation((overload, epsilon), ("<=",), under=("ratio", "sub-gaussian")),
        "correlation": Relation((correlation, _CORRELATION), ("=",), under=("correlation",)),
    },
    formulas={
        "exact": _EXACT,
        "message": _MESSAGE,
        "average": _MESSAGE / P,
        "estimate": _ESTIMATE,
        "ratio": _RATIO,
        "correlation": _CORRELATION,
        **{
            name: Piecewise(*((k, Eq(sigma, z)) for k, z in zip(ratios, _TABLED, strict=True)))
            for name, ratios in _SMALLEST.items()
        },
        "tolerated": _TOLERATED,
    },
    internal={
        "ratio": "the hypothesis of part (f)",
        **dict.fromkeys(_SMALLEST, "said as values"),
        "tolerated": "said as a value of part (i), in per cent",
    },
    values={**_SMALLEST, "tolerated": _TOLERATED},
    worst_cases=cases("""
        one message | m = 1, sigma_n_sq = 1/16, D = 1/12 | 5/24
        four messages | m = 4, sigma_n_sq = 1/16, D = 1/12 | 19/192
        seven messages: as small as $D$ | m = 7, sigma_n_sq = 1/16, D = 1/12 | 1/12
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: second moments of sums, and an exponential bound turned round."""
    K.example(
        {m: 3, P: 4, D: Rational(1, 3), sigma_n_sq: 2, gradient_variance: 5, sigma: 1, epsilon: 1, k: 4}
    )
    K.conclude("innovation", K.cert(eq(sigma_z_sq, _EXACT), (1, K.given("innovation"))))
    fewer = K.cert(le(_EXACT.subs(m, m + 1), _EXACT), (1 / (m * (m + 1)), _MESSAGE))
    K.conclude("falls", fewer)
    K.conclude("floor", K.cert(le(sigma_n_sq, _EXACT), (1 / m, _MESSAGE)))
    K.conclude("average", K.cert(eq(average, _MESSAGE / P), (1, K.given("average"))))
    K.conclude("correlation", K.cert(eq(correlation, _CORRELATION), (1, K.given("correlation"))))
    _ratio(K)
    K.know(K.given("two"))
    sample = K.cert(eq(sample_sq, _MESSAGE), (1, K.given("sample")))
    K.conclude("sample", sample)
    positive = K.cert(le(0, sample_sq - D), (1, sigma_n_sq), (-1, sample))
    largest = K.discharge(K.axiom("max-is-right", Integer(0), sample_sq - D), positive)
    K.conclude("estimate", K.cert(eq(_ESTIMATE, _EXACT), (1, largest), (1 + 1 / m, sample)))


def _ratio(K: Any) -> None:
    """Conclude the bound on the overload probability at the stated ratio."""
    inner = 2 / epsilon
    K.know(K.cert(le(1, inner), (1 / epsilon, K.given("deviation", 2)), (1 / epsilon, Integer(1))))
    K.know(K.log(K.sign(le(1, inner))))
    stated = K.given("ratio")
    squared = K.cert(
        le(4 * sigma**2 * _ROOT**2, (k - 1) ** 2), (1, (k - _RATIO) ** 2), (4 * sigma * _ROOT, stated)
    )
    half = epsilon / 2
    exponent = K.cert(
        le(-((k - 1) ** 2) / (8 * sigma**2), log(half)),
        (1 / (8 * sigma**2), squared),
        (-1, K.axiom("log-power", inner, Integer(-1))),
    )
    terms = ((1, K.given("sub-gaussian")), (2, K.exp(exponent)), (2, K.axiom("exp-log", half)))
    K.conclude("ratio", K.cert(le(overload, epsilon), *terms))
