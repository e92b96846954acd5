r"""`cq_marina/logreg`: smoothness constants of the logistic problems (arXiv 2401.05518).

With $S_i=\frac1{4N_i}\sum_ja_ja_j^\top$ and the nonconvex regulariser of weight $\lambda$:
$L_-=\lambda_{\max}(\bar S)+2\lambda$, exactly, and
$L_\pm^2\le\frac1n\sum_i\max\big(\frac{n-1}n\|S_i\|,\|\bar S-\frac1nS_i\|\big)^2$.

Derivation: the logistic loss has curvature at most $\frac14$, attained at 0, and so has the regulariser with
$2\lambda$. It cancels in $L_\pm$, where the mean Hessians $D_i$ of the data between two points obey
$0\preceq D_i\preceq S_i$.
"""

from collections.abc import Mapping

from sympy import Expr, IndexedBase, Integer, Max, Rational, Sum, Symbol, diff, exp, log, symbols

from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, i, n
from theory.eigenvalue_order import RAYLEIGH
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.summation import SUMMATION

lam = Symbol("lam", nonnegative=True)
S_mean = Symbol("S_mean", nonnegative=True)
S = IndexedBase("S", nonnegative=True)
R = IndexedBase("R", nonnegative=True)
L = IndexedBase("L", nonnegative=True)

_SIZE = 3
_z, _x = Symbol("z", real=True), Symbol("x", real=True)
_e = Symbol("e", positive=True)
_square = Symbol("q", nonnegative=True)
_r = Symbol("r", nonnegative=True)
_forms = symbols("D_1:4", nonnegative=True)
_tops = symbols("S_1:4", nonnegative=True)
_rest = symbols("R_1:4", nonnegative=True)
_more = symbols("u_1:4", nonnegative=True)
_Ls = symbols("L_1:4", nonnegative=True)
_lengths = symbols("v_1:4", nonnegative=True)

_BOUND = Sum(Max((n - 1) * S[i] / n, R[i]) ** 2, (i, 0, n - 1)) / n
_FORMULAS = {
    "loss_curvature": Rational(1, 4),
    "penalty_upper": 2 * lam,
    "penalty_lower": -lam / 2,
    "L_minus": S_mean + 2 * lam,
    "L_client": S[i] + 2 * lam,
    "L_plus_square": Sum(L[i] ** 2, (i, 0, n - 1)) / n,
    "start": log(2),
}

BETWEEN = StandardFact(
    "norm-between",
    r"A symmetric matrix $H$ with $-P\preceq H\preceq Q$ for semidefinite $P,Q$ has "
    r"$\|H\|\le\max(\|P\|,\|Q\|)$.",
    "R. A. Horn and C. R. Johnson, Matrix Analysis, 2nd ed., theorem 4.2.2 and corollary 7.7.4",
)
MEAN_VALUE = StandardFact(
    "mean-value",
    r"$\nabla f(x)-\nabla f(y)=\int_0^1\nabla^2f(y+t(x-y))\,dt\,(x-y)$; the mean Hessian obeys every bound "
    r"on the Hessians, and the quotient tends to the Hessian as $x,y\to0$.",
    "W. Rudin, Principles of Mathematical Analysis, 3rd ed., theorem 5.19 and section 6.23",
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_curvatures(stated), *_smoothness(stated), *_variance(stated), *_start(stated))


def _curvatures(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    loss = diff(log(1 + exp(-_z)), _z, 2)
    penalty = lam * diff(_x**2 / (1 + _x**2), _x, 2)
    at_exponential = loss.subs(exp(-_z), _e).subs(exp(-2 * _z), _e**2)
    at_square = lam * 2 * (1 - 3 * _square) / (1 + _square) ** 3
    return (
        Certificate(
            "loss",
            r"The second derivative of $\log(1+e^{-z})$ is at most the stated curvature ($e=e^{-z}$).",
            at_exponential,
            stated["loss_curvature"],
            (Term(1 / (4 * (1 + _e) ** 2), (1 - _e) ** 2, "square of a real number"),),
        ),
        Identity("loss-at-0", r"It is attained at $z=0$.", loss.subs(_z, 0), stated["loss_curvature"]),
        Identity(
            "penalty",
            r"$\lambda\frac{x^2}{1+x^2}$ has the second derivative $2\lambda\frac{1-3q}{(1+q)^3}$, "
            r"$q=x^2$.",
            penalty,
            at_square.subs(_square, _x**2),
        ),
        Certificate(
            "penalty-upper",
            r"It is at most the stated upper value.",
            at_square,
            stated["penalty_upper"],
            (Term(lam / (1 + _square) ** 3, 12 * _square + 6 * _square**2 + 2 * _square**3, "nonnegative"),),
        ),
        Certificate(
            "penalty-lower",
            r"It is at least the stated lower value.",
            stated["penalty_lower"],
            at_square,
            (Term(lam * (5 + _square) / (2 * (1 + _square) ** 3), (1 - _square) ** 2, "square"),),
        ),
        Identity(
            "penalty-at-0", r"The upper one is attained at 0.", penalty.subs(_x, 0), stated["penalty_upper"]
        ),
        Identity(
            "penalty-at-1", r"The lower one is attained at 1.", penalty.subs(_x, 1), stated["penalty_lower"]
        ),
    )


def _smoothness(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    data, penalty = symbols("H P", real=True)
    return (
        MEAN_VALUE,
        RAYLEIGH,
        *(
            Certificate(
                name,
                r"$h^\top\nabla^2f\,h$ for a unit $h$: the data have at most $\lambda_{\max}(S)$, the "
                r"regulariser at most its upper curvature; with equality at 0 for a top eigenvector.",
                data + penalty,
                formula,
                (
                    Term(Integer(1), top - data, "hypothesis: H is at most the largest eigenvalue of S"),
                    Term(Integer(1), stated["penalty_upper"] - penalty, "penalty-upper"),
                ),
            )
            for name, formula, top in (
                ("L-minus", stated["L_minus"], S_mean),
                ("L-client", instance(stated["L_client"], {i: 0, S: _tops}), _tops[0]),
            )
        ),
        Certificate(
            "curvature-below",
            r"From below: the data have none, the regulariser at least $-\frac\lambda2$, which is above "
            r"$-L_-$.",
            -stated["L_minus"],
            data + penalty,
            (
                Term(Integer(1), data, "hypothesis: H is nonnegative"),
                Term(Integer(1), penalty - stated["penalty_lower"], "penalty-lower"),
                Term(Integer(1), S_mean + Rational(3, 2) * lam, "nonnegative"),
            ),
        ),
        Certificate(
            "L-plus",
            r"$\frac1n\sum_i\|\Delta_i\|^2$ with $\|\Delta_i\|\le L_i\|x-y\|$ (shown for three clients).",
            sum(item**2 for item in _lengths) / Integer(_SIZE),
            instance(stated["L_plus_square"], {n: _SIZE, L: _Ls}) * _r**2,
            tuple(
                Term(
                    Rational(1, _SIZE),
                    top**2 * _r**2 - length**2,
                    "hypothesis: L_i bounds the gradient of f_i",
                )
                for top, length in zip(_Ls, _lengths, strict=True)
            ),
        ),
        SUMMATION,
    )


def _variance(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    mean = sum(_forms) / Integer(_SIZE)
    within = [
        Term(Rational(1, _SIZE), top - form, "hypothesis: D_i is at most S_i")
        for top, form in zip(_tops, _forms, strict=True)
    ]
    own = Term(Rational(_SIZE - 1, _SIZE), _tops[0] - _forms[0], "hypothesis: D_i is at most S_i")
    others = [Term(Rational(1, _SIZE), form, "nonnegative by definition") for form in _forms[1:]]
    share = Rational(_SIZE - 1, _SIZE)
    return (
        Certificate(
            "deviation-above",
            r"$D_1-\bar D\preceq\frac{n-1}nS_1$, as quadratic forms (shown for three clients).",
            _forms[0] - mean,
            share * _tops[0],
            (own, *others),
        ),
        Certificate(
            "deviation-below",
            r"$\bar D-D_1\preceq\bar S-\frac1nS_1$.",
            mean - _forms[0],
            sum(_tops) / Integer(_SIZE) - _tops[0] / Integer(_SIZE),
            (*within[1:], Term(share, _forms[0], "nonnegative by definition")),
        ),
        BETWEEN,
        *(_summed(stated, name, which) for name, which in (("bound-own", 0), ("bound-others", 1))),
    )


def _summed(stated: Mapping[str, Expr], name: str, which: int) -> Certificate:
    """Return the sum over the clients, where the first or the second norm is the larger one for all."""
    share = Rational(_SIZE - 1, _SIZE)
    if which == 0:
        tops, rest = [(r + u) / share for r, u in zip(_rest, _more, strict=True)], list(_rest)
        norms = [r + u for r, u in zip(_rest, _more, strict=True)]
    else:
        tops = list(_tops)
        rest = norms = [share * top + u for top, u in zip(_tops, _more, strict=True)]
    return Certificate(
        name,
        r"$L_\pm^2$ bounds $\frac1n\sum_i\|(D_i-\bar D)h\|^2$; each norm is at most the larger of "
        r"$\frac{n-1}n\|S_i\|$ and $R_i=\|\bar S-\frac1nS_i\|$ by `norm-between` (three clients, the "
        + (r"first" if which == 0 else r"second")
        + r" one larger).",
        sum(item**2 for item in _lengths) / Integer(_SIZE),
        instance(stated["bound"], {n: _SIZE, S: tops, R: rest}) * _r**2,
        tuple(
            Term(
                Rational(1, _SIZE),
                norm**2 * _r**2 - length**2,
                "hypothesis: the norm of D_i minus its mean is at most the larger one",
            )
            for norm, length in zip(norms, _lengths, strict=True)
        ),
    )


def _start(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Identity(
            "start",
            r"$f(0)=\log2$, whatever the data; $f\ge0$, so $\Delta_0=f(0)-f^*\le\log2$.",
            log(1 + exp(-_z)).subs(_z, 0) + lam * (_x**2 / (1 + _x**2)).subs(_x, 0),
            stated["start"],
        ),
    )


_MUTANTS = (
    Mutant(
        "half-penalty",
        r"$\lambda$ instead of $2\lambda$ for the curvature of the regulariser: $L_-$ too small by 1.381 "
        r"(phishing) and 1.131 (w8a).",
        ("exact", "adversarial"),
    ),
    Mutant(
        "eighth",
        r"$\frac18$ instead of $\frac14$ for the curvature of the loss: $L_-$ too small by 1.289 and 1.623.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "others-alone",
        r"Leave out $\frac{n-1}n\|S_i\|$ in the bound on $L_\pm$: it fails where one client has almost all "
        r"the curvature.",
        ("exact", "adversarial"),
    ),
    Mutant("permuted-clients", "Number the clients in reverse order.", ("exact",), neutral=True),
    Mutant("half-regulariser", "Half of the regulariser in the functions of the clients.", ("exact",)),
    Mutant("padding-counts", "Rows of zeros that fill up a client count in its mean.", ("exact",)),
    Mutant("swapped-functions", "The clients in the reverse order, their gradients not.", ("exact",)),
)

CLAIM = Claim(
    id="cq_marina/logreg",
    paper=PAPER,
    kind="upper",
    provenance="derived",
    title="Smoothness constants of logistic regression with the nonconvex regulariser",
    statement=(
        r"Let $f_i(x)=\frac1{N_i}\sum_j\log(1+e^{-y_ja_j^\top x})+\lambda\sum_k\frac{x_k^2}{1+x_k^2}$, "
        r"$f=\frac1n\sum_if_i$ and $S_i=\frac1{4N_i}\sum_ja_ja_j^\top$. The regulariser has curvatures in "
        r"$[-\frac\lambda2,2\lambda]$. Then $L_-=\lambda_{\max}(\bar S)+2\lambda$ and "
        r"$L_i=\lambda_{\max}(S_i)+2\lambda$, both attained at $x=0$; $L_+^2\le\frac1n\sum_iL_i^2$; and "
        r"$$\lambda_{\max}\Big(\frac1n\sum_iS_i^2-\bar S^2\Big)\le L_\pm^2\le\frac1n\sum_i\max\Big("
        r"\frac{n-1}n\|S_i\|,\big\|\bar S-\tfrac1nS_i\big\|\Big)^2.$$ At $x^0=0$: $\Delta_0\le\log2$."
    ),
    variables=(
        CLIENTS,
        Variable(lam, r"\mathbb R_{\ge0}", r"weight $\lambda$ of the regulariser"),
        Variable(S_mean, r"\mathbb R_{\ge0}", r"$\lambda_{\max}(\bar S)$"),
        Variable(S, r"\mathbb R^n_{\ge0}", r"$\lambda_{\max}(S_i)=\|S_i\|$", "(n,)"),
        Variable(R, r"\mathbb R^n_{\ge0}", r"$\|\bar S-\frac1nS_i\|$", "(n,)"),
        Variable(L, r"\mathbb R^n_{\ge0}", r"$L_i$", "(n,)"),
    ),
    assumptions=(
        r"Labels $y_j=\pm1$; each $f_i$ is the mean over its own $N_i$ rows, and no intercept is added.",
        r"Data sets are split in file order: client $i=0,\dots,n-1$ has the rows $\lfloor iN/n\rfloor$ to "
        r"$\lfloor(i+1)N/n\rfloor-1$.",
        r"The lower bound on $L_\pm$ is that of `cq_marina/hv-relations` for the Hessians at 0.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"two clients on the line, one with features 0: $S=(1,0)$, where $L_\pm=\frac12$ is the bound",
            {"S": (1, 0), "R": (0, Rational(1, 2)), "n": 2},
            Rational(1, 4),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
