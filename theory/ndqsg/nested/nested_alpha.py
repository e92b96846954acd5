r"""`ndqsg/nested-alpha`: the gain that is best for one message (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Symbol, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

a, alpha, beta, D, sigma_z_sq = symbols("a alpha beta D sigma_z_sq", real=True)
g, y, mean, square, other, own, centre, spread = symbols("g y mean square other own centre spread", real=True)
j = Symbol("j", real=True)
# Error of the fine step and innovation, both in absolute units.
r, x = IndexedBase("r", real=True), IndexedBase("x", real=True)


_EXACT = a * D + (1 - a) ** 2 * sigma_z_sq
_LOWER, _BEST = 1 - D / sigma_z_sq, 1 - D / (2 * sigma_z_sq)
_LEAST = D - D**2 / (4 * sigma_z_sq)
_UNTIED = (1 - alpha * beta) ** 2 * sigma_z_sq + beta**2 * D
_GAIN = alpha * sigma_z_sq / (alpha**2 * sigma_z_sq + D)
_UNTIED_LEAST = sigma_z_sq * D / (alpha**2 * sigma_z_sq + D)

CLAIM = Claim(
    id="ndqsg/nested-alpha",
    kind="upper",
    provenance="rederived",
    title="Gains that do not increase the error of one message, and the best one",
    position=30,
    paper=PAPER,
    **statement(
        r"""
        A nested message as in `ndqsg/nested-decoding`, inside its margin, with the gain $\alpha$,
        $a=\alpha^2$. $D$ is the error variance of the fine step and $\sigma_z^2=\mathbb E(g-y)^2$, both in
        absolute units.
        (a: exact) $$\mathbb E(\hat g-g)^2=aD+(1-a)^2\sigma_z^2.$$ [proof; exact/mean square;
          montecarlo/mean square]
        (b: range, lower-end) For $1-\frac D{\sigma_z^2}\le a\le1$ this is at most $D$, its value without a
          gain: $$aD+(1-a)^2\sigma_z^2\le D.$$ At $a=1-\frac D{\sigma_z^2}$ it is $D$ again:
          $aD+(1-a)^2\sigma_z^2=D$. [proof; exact/against D; adversarial/gains and variances]
        (c: least, attained, possible) <<For every $a$ -> proof>> $$D-\frac{D^2}{4\sigma_z^2}\le
          aD+(1-a)^2\sigma_z^2.$$ At $a=1-\frac D{2\sigma_z^2}$ <<this is attained -> proof>>,
          $aD+(1-a)^2\sigma_z^2=D-\frac{D^2}{4\sigma_z^2}$; if $D\le2\sigma_z^2$, $0\le1-\frac
          D{2\sigma_z^2}$. [proof; exact/least; adversarial/gains and variances]
        (d: zero) If $2\sigma_z^2\le D$, <<the gain 0, that is the side information alone, is best ->
          proof>>: $\sigma_z^2\le aD+(1-a)^2\sigma_z^2$. [proof; exact/gain 0]
        (e: untied, untied-attained) A decoder with a gain $\beta$ of its own in place of $\alpha$ <<does no
          worse with the best one -> proof>>: $$\mathbb E(\hat
          g'-g)^2=(1-\alpha\beta)^2\sigma_z^2+\beta^2D\ge\frac{\sigma_z^2D}{\alpha^2\sigma_z^2+D};$$ at
          $\beta=\frac{\alpha\sigma_z^2}{\alpha^2\sigma_z^2+D}$
          $$(1-\alpha\beta)^2\sigma_z^2+\beta^2D=\frac{\sigma_z^2D}{\alpha^2\sigma_z^2+D}.$$ [proof;
          exact/untied gain; exact/least at untied gains]
        (f: pull) <<For $a<1$ the message is biased towards $y$ -> exact/pull towards y>>: $$\mathbb E[\hat
          g\mid g,y]=g-(1-a)(g-y).$$ [proof; exact/pull towards y]
        """
    ),
    variables=(
        Variable(a, "a", r"[0,1]", r"$\alpha^2$, the square of the gain"),
        Variable(alpha, r"\alpha", "(0,1]", "gain of the nested quantizer"),
        Variable(D, "D", r"\mathbb R_{>0}", r"$\delta^2/12$, the error variance of the fine step"),
        Variable(
            sigma_z_sq, r"\sigma_z^2", r"\mathbb R_{>0}", "mean square of the innovation, absolute units"
        ),
        Variable(beta, r"\beta", r"\mathbb R", r"gain of the decoder where it is not tied to $\alpha$"),
        Variable(g, "g", r"\mathbb R", "gradient"),
        Variable(y, "y", r"\mathbb R", "side information"),
        Variable(mean, r"\mathbb E[\hat g\mid g,y]", r"\mathbb R", "expectation of the message"),
        Variable(square, r"\mathbb E(\hat g-g)^2", r"\mathbb R_{\ge0}", "mean square error"),
        Variable(own, r"\mathbb E(\hat g'-g)^2", r"\mathbb R_{\ge0}", r"mean square error with $\beta$"),
        Variable(other, r"\mathbb E(g-y)^2", r"\mathbb R_{>0}", "mean square of the innovation, written out"),
        Variable(r, "r", r"\mathbb R", "error of the fine step", "(1,)"),
        Variable(x, "x", r"\mathbb R", "the innovation in the average over gradients", "(1,)"),
        Variable(centre, r"\mu_z", r"\mathbb R", "mean of the innovation"),
        Variable(spread, "v_z", r"\mathbb R_{\ge0}", "variance of the innovation"),
    ),
    notation={r"\hat g": "the decoded gradient", r"\hat g'": "that of another decoder"},
    hypotheses={
        "signs": domain(r"$D>0$, $\sigma_z^2>0$, $0<\alpha\le1$"),
        "gain": definition(r"$a=\alpha^2$"),
        "innovation": definition(
            r"$\sigma_z^2=\mathbb E(g-y)^2$; $\mathbb E(g-y)^2=\mathbb E\bigl(x^2\bigr)$, over $x$ "
            r"with mean $\mu_z$ and variance $v_z$; $0\le v_z$"
        ),
        "message": model(
            r"$\mathbb E[\hat g\mid g,y]=\mathbb E\bigl(\alpha r+g-(1-\alpha^2)(g-y)\bigr)$, over $r$ "
            r"with mean $0$ and variance $D$; $\mathbb E(\hat "
            r"g-g)^2=\mathbb E\bigl((\alpha r-x(1-\alpha^2))^2\bigr)$, $\mathbb E(\hat "
            r"g'-g)^2=\mathbb E\bigl((\beta r-x(1-\alpha\beta))^2\bigr)$, over $x$ with mean $\mu_z$ "
            "and variance $v_z$ and over $r$ with mean $0$ and variance $D$",
            reference="claims `ndqsg/nested-decoding` and `ndqsg/dq-uniform-error`",
        ),
        "range": parameter(r"$1-\frac D{\sigma_z^2}\le a\le1$"),
        "lower-end": parameter(r"$a=1-\frac D{\sigma_z^2}$"),
        "best": parameter(r"$a=1-\frac D{2\sigma_z^2}$"),
        "fine": parameter(r"$D\le2\sigma_z^2$"),
        "coarse": parameter(r"$2\sigma_z^2\le D$"),
        "own-gain": parameter(r"$\beta=\frac{\alpha\sigma_z^2}{\alpha^2\sigma_z^2+D}$"),
    },
    relations={
        "exact": Relation((square, _EXACT), ("=",), under=("message",)),
        "range": Relation((_EXACT, D), ("<=",), under=("range",)),
        "lower-end": Relation((_EXACT, D), ("=",), under=("lower-end",)),
        "least": Relation((_LEAST, _EXACT), ("<=",)),
        "attained": Relation((_EXACT, _LEAST), ("=",), under=("best",)),
        "possible": Relation((Integer(0), _BEST), ("<=",), under=("fine",)),
        "zero": Relation((sigma_z_sq, _EXACT), ("<=",), under=("coarse",)),
        "untied": Relation((own, _UNTIED, _UNTIED_LEAST), ("=", ">="), under=("message",)),
        "untied-attained": Relation((_UNTIED, _UNTIED_LEAST), ("=",), under=("own-gain",)),
        "pull": Relation((mean, g - (1 - a) * (g - y)), ("=",), under=("message",)),
    },
    formulas={
        "bound": D,
        "exact": _EXACT,
        "smallest": _LOWER,
        "best": _BEST,
        "least": _LEAST,
        "untied": _UNTIED,
        "untied_gain": _GAIN,
        "untied_least": _UNTIED_LEAST,
        "pull": 1 - a,
    },
    internal=dict.fromkeys(("smallest", "untied_gain"), "a gain at which a part is said"),
    worst_cases=cases(r"""
        the upper end $\alpha=1$, where nothing is saved | a = 1, D = 1/12, sigma_z_sq = 1/4 | 1/12
        the best gain for three times the fine variance | a = 5/6, D = 1/12, sigma_z_sq = 1/4 | 11/144
        the best gain for $\sigma_z^2=\frac1{10}$ | a = 7/12, D = 1/12, sigma_z_sq = 1/10 | 19/288
        innovation far below the fine step: the side information alone is best | a = 0, D = 1/12,
          sigma_z_sq = 1/30 | 1/30
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: moments of two independent errors, and completed squares."""
    base = {alpha: Rational(1, 2), D: Rational(3, 2), sigma_z_sq: 2, centre: 1, spread: 1, other: 2}
    K.example({**base, beta: 3, g: 5, y: 2})
    K.example({**base, D: 5, beta: 3, g: 5, y: 2})
    K.example({**base, beta: Rational(1, 2), g: 5, y: 2})
    K.example({**base, alpha: 1, beta: 1, g: 5, y: 2})
    K.example({**base, D: 3, beta: 1, g: 5, y: 2})
    squared = K.given("gain")
    K.know(K.cert(le(a, 1), (1, squared), (1 + alpha, K.given("signs", 3))))
    innovation = (K.given("innovation"), K.given("innovation", 1))
    weight = (alpha**2 + a - 2) * sigma_z_sq + D

    def over_innovation(factor: Any) -> Any:
        """Return the terms that put the mean square of the innovation in."""
        return tuple((-factor, item) for item in innovation)

    message = K.given("message", 1)
    found = K.cert(
        eq(square, _EXACT), (1, message), *over_innovation((1 - alpha**2) ** 2), (-weight, squared)
    )
    K.conclude("exact", found)
    K.conclude("range", K.cert(le(_EXACT, D), (sigma_z_sq * (1 - a), K.given("range"))))
    K.conclude("lower-end", K.cert(eq(_EXACT, D), (-sigma_z_sq * (1 - a), K.given("lower-end"))))
    K.conclude("least", K.cert(le(_LEAST, _EXACT), (sigma_z_sq, (a - _BEST) ** 2)))
    K.conclude("attained", K.cert(eq(_EXACT, _LEAST), (sigma_z_sq * (a - _BEST), K.given("best"))))
    K.conclude("possible", K.cert(le(0, _BEST), (1 / (2 * sigma_z_sq), K.given("fine"))))
    K.know(K.cert(le(0, a), (1, alpha**2), (-1, squared)))
    K.conclude("zero", K.cert(le(sigma_z_sq, _EXACT), (a, K.given("coarse")), (sigma_z_sq, a**2)))
    untied = K.cert(eq(own, _UNTIED), (1, K.given("message", 2)), *over_innovation((1 - alpha * beta) ** 2))
    scale = alpha**2 * sigma_z_sq + D
    K.conclude("untied", untied, K.cert(le(_UNTIED_LEAST, _UNTIED), (scale, (beta - _GAIN) ** 2)))
    own_gain = K.given("own-gain")
    K.conclude("untied-attained", K.cert(eq(_UNTIED, _UNTIED_LEAST), (scale * (beta - _GAIN), own_gain)))
    K.conclude("pull", K.cert(eq(mean, g - (1 - a) * (g - y)), (1, K.given("message")), (y - g, squared)))
