r"""`ndqsg/finding-gain-below-one`: the best gain of a message is bad for the average (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq, lt
from theory.hypotheses import domain, model, parameter
from theory.ndqsg.nested.nested_alpha import CLAIM as MESSAGE
from theory.ndqsg.nested.nested_alpha_aggregate import CLAIM as AVERAGE
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

a, m, D, sigma_n_sq, sigma_z_sq, p = symbols("a m D sigma_n_sq sigma_z_sq p", real=True)
n, r, w = symbols("n r w", cls=IndexedBase, real=True)


_INNOVATION = sigma_n_sq * (1 + 1 / m) + D / m
_GAIN = MESSAGE.formulas["best"]
_SAVED = D**2 / (4 * sigma_z_sq)
_LOST = D**2 * (2 * sigma_n_sq + 2 * sigma_z_sq + D) / (16 * m * sigma_z_sq**2)
_DIFFERENCE = AVERAGE.formulas["exact"] - AVERAGE.formulas["at_one"]

CLAIM = Claim(
    id="ndqsg/finding-gain-below-one",
    kind="finding",
    provenance="derived",
    title="The gain below one that is best for each nested message hurts the average",
    position=32,
    paper=PAPER,
    **statement(
        r"""
        $m$ dithered and $m$ nested messages, $y$ the mean of the former, as in
        `ndqsg/nested-alpha-aggregate`; $a$ is the square of the gain $\alpha$, $\sigma_z^2$ the mean square
        of $g-y$ in one coordinate, $\sigma_n^2$ the variance of a worker's own noise and $D$ that of the
        fine step.
        (a: saved) Read as a statement about one message, a gain below one lowers <<the error
          $aD+(1-a)^2\sigma_z^2$ -> exact/saving of a message>> of `ndqsg/nested-alpha`: if
          $D\le2\sigma_z^2$, at $a=1-\frac D{2\sigma_z^2}$
          $$D-(aD+(1-a)^2\sigma_z^2)=\frac{D^2}{4\sigma_z^2}>0.$$ [proof; exact/saving of a message;
          exact/error of a message]
        (b: lost) <<What is trained on is the average of all messages -> exact/variance of the average>>,
          and there it fails: at this $a$ $$\frac{[(2-a)^2+a^2]\sigma_n^2+[(2-a)^2+a]D}{4m}-\
          \frac{\sigma_n^2+D}{2m}=\frac{D^2(2\sigma_n^2+2\sigma_z^2+D)}{16m(\sigma_z^2)^2}>0,$$ <<more than
          at $\alpha=1$ -> exact/the average is worse>>. [proof; exact/loss of the average; exact/the
          average is worse; exact/variance of the average; montecarlo/variance of the average]
        (c: innovation) Here $$\sigma_z^2=\sigma_n^2\Big(1+\frac1m\Big)+\frac Dm.$$ [proof; exact/loss of
          the average]
        """
    ),
    variables=(
        Variable(a, "a", "[0,1]", r"$\alpha^2$, the square of the gain"),
        Variable(m, "m", r"\mathbb N", "number of messages of which the side information is the mean"),
        Variable(
            sigma_n_sq,
            r"\sigma_n^2",
            r"\mathbb R_{\ge0}",
            "variance of a worker's noise in one coordinate",
        ),
        Variable(D, "D", r"\mathbb R_{>0}", r"$\delta^2/12$, the error variance of the fine step"),
        Variable(
            sigma_z_sq,
            r"\sigma_z^2",
            r"\mathbb R_{>0}",
            "mean square of the innovation in one coordinate",
        ),
        Variable(n, "e", r"\mathbb R^m", "noises of the side information", "(m,)"),
        Variable(r, "r", r"\mathbb R^m", "errors of the side information", "(m,)"),
        Variable(w, "w", r"\mathbb R", "noise of the worker", "(1,)"),
    ),
    notation={r"\alpha": "gain", "y": "side information", "g": "gradient"},
    hypotheses={
        "signs": domain(r"$m\ge1$ is an integer, $D>0$, $\sigma_n^2\ge0$, $\sigma_z^2>0$"),
        "fine": parameter(r"$D\le2\sigma_z^2$"),
        "best": parameter(r"$a=1-\frac D{2\sigma_z^2}$"),
        "innovation": model(
            r"$\sigma_z^2=\mathbb E\bigl((w-\frac1m\sum_p(e_p+r_p))^2\bigr)$, over uncorrelated "
            r"$r_p$, $1\le p\le m$, with mean $0$ and variance $D$ and over uncorrelated $e_p$, $1\le "
            r"p\le m$, with mean $0$ and variance $\sigma_n^2$ and over $w$ with mean $0$ and "
            r"variance $\sigma_n^2$"
        ),
    },
    relations={
        "saved": Relation((D - MESSAGE.exact, _SAVED, Integer(0)), ("=", ">"), under=("fine", "best")),
        "lost": Relation((_DIFFERENCE, _LOST, Integer(0)), ("=", ">"), under=("fine", "best")),
        "innovation": Relation((sigma_z_sq, _INNOVATION), ("=",), under=("innovation",)),
    },
    formulas={"exact": _LOST, "innovation": _INNOVATION, "gain": _GAIN, "saved": _SAVED},
    internal={"gain": "the hypothesis of parts (a) and (b)"},
    worst_cases=cases(r"""
        $\sigma_n^2=\frac14$, $D=\frac1{12}$, four workers | sigma_n_sq = 1/4, D = 1/12, m = 2,
          sigma_z_sq = 5/12 | 17/9600
        no noise of the workers, two workers: each nested message saves a quarter of its error, the average
          loses three eighths of its own | sigma_n_sq = 0, D = 1, m = 1, sigma_z_sq = 1 | 3/16
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: the formulas of message and average at this gain, and the moments of g - y."""
    best = K.given("best")
    message = K.cert(eq(D - MESSAGE.exact, _SAVED), using=[best])
    K.conclude("saved", message, K.sign(lt(0, _SAVED)))
    average = K.cert(eq(_DIFFERENCE, _LOST), using=[best])
    K.conclude("lost", average, K.sign(lt(0, _LOST)))
    K.conclude("innovation", K.cert(eq(sigma_z_sq, _INNOVATION), (1, K.given("innovation"))))
