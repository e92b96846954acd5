"""Derivation of `cq_marina/cq-optimal`: integer sums, two-point inputs, and how sharp both bounds are."""

from collections.abc import Mapping

from sympy import Abs, Add, Expr, Integer, Rational, Symbol, symbols

from theory.cq_marina.cq_klevel_cells import GAPS, beta, enumerated_variance
from theory.cq_marina.symbols import n, y
from theory.instance import instance
from theory.old_steps import Certificate, Identity, Step, Term
from theory.summation import SUMMATION
from theory.two_point_law import expectation

delta = Symbol("delta", positive=True)
c_2 = Symbol("c_2", positive=True)

_HALF = Rational(1, 2)
_SIZES = (2, 3)
_k = Symbol("k", integer=True, nonnegative=True)
_p, _T, _H, _v = symbols("p T H v", nonnegative=True)
_up, _down = symbols("p_plus p_minus", nonnegative=True)
_N = Symbol("N", integer=True, positive=True)
_u, _c1 = symbols("u c_1", positive=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_integer_sum(stated), *_two_points(stated), *_coefficients(stated), *_sharp(stated), SUMMATION)


def _integer_sum(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    at = {size: _at_sum(stated["integer_sum"], size) for size in _SIZES}
    consecutive = _T - (2 * _k + 1) * (_k + _p) + _k * (_k + 1)
    return tuple(
        Certificate(
            f"integer-sum-{size}",
            r"The sum $S$ of the bits is an integer with mean $m=n\bar y=k+p$, $0\le p<1$: "
            r"$\mathbb E(S-k)(S-k-1)\ge0$ gives $\mathrm{Var}\,S\ge p(1-p)$ (the stated value for "
            rf"${size}$ clients, $T=\mathbb ES^2$).",
            at[size],
            (_T - (_k + _p) ** 2) / size**2,
            (
                Term(
                    Rational(1, size**2),
                    consecutive,
                    "hypothesis: the sum of the bits is an integer, so that (S-k)(S-k-1) is never negative",
                ),
            ),
        )
        for size in _SIZES
    )


def _at_sum(formula: Expr, size: int) -> Expr:
    """Return a formula at equal inputs whose sum is k + p."""
    return instance(formula, {y: ((_k + _p) / size,) * size, n: Integer(size)}, (_p,))


def _two_points(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Certificate(
            "difference",
            r"$\Delta=Q(t)-Q(s)$ is 1, 0 or $-1$, with probabilities $p_+$ of 1 and $p_-$ of $-1$, and has "
            r"the mean $\delta=p_+-p_-$: $\mathrm{Var}\,\Delta=p_++p_--\delta^2\ge\delta(1-\delta)$.",
            (_up - _down) * (1 - (_up - _down)),
            _up + _down - (_up - _down) ** 2,
            (Term(Integer(2), _down, "a probability"),),
        ),
        *(_average_over_coins(size) for size in _SIZES),
        Certificate(
            "bound",
            r"With $H=\mathrm{Var}\sum_ih_i\ge0$ and the mean $v$ of the $\mathrm{Var}\,\Delta_i$ the "
            r"average is $\frac1{n^2}\big(H+\frac n4v\big)$, at least the stated bound.",
            stated["bound"],
            (_H + n * _v / 4) / n**2,
            (
                Term(1 / n**2, _H, "a variance"),
                Term(1 / (4 * n), _v - delta * (1 - delta), "difference, summation"),
            ),
        ),
    )


def _average_over_coins(size: int) -> Identity:
    """The average of the variance over the inputs, from arbitrary covariances of all h_i and Delta_i."""
    mixed = symbols(f"C_1:{size + 1}", real=True)
    pairs = [[Symbol(f"D_{min(i, j)}{max(i, j)}", real=True) for j in range(size)] for i in range(size)]

    def variance(*bits: int) -> Expr:
        coins = [2 * bit - 1 for bit in bits]
        linear = Add(*(coin * item for coin, item in zip(coins, mixed, strict=True)))
        square = Add(*(coins[i] * coins[j] * pairs[i][j] for i in range(size) for j in range(size)))
        return _H + linear + square / 4

    return Identity(
        f"average-{size}",
        r"With $h_i=\frac12(Q_i(s)+Q_i(t))$ and a fair coin $z_i=\pm1$ the bit is $h_i+\frac12z_i\Delta_i$. "
        r"Whatever their covariances, averaging over the coins leaves "
        rf"$\mathrm{{Var}}\sum_ih_i+\frac14\sum_i\mathrm{{Var}}\,\Delta_i$ (shown for ${size}$ clients).",
        expectation(variance, *(_HALF,) * size),
        _H + Add(*(pairs[i][i] for i in range(size))) / 4,
    )


def _coefficients(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    values = {n: 1 + _N, delta: 2 * _u}
    allowed = (_c1 * stated["mean_deviation"] / n).xreplace(values) + (1 + _N) * _u**2 / (1 + _N) ** 2
    return (
        *(
            Identity(
                f"mean-deviation-{size}",
                rf"The mean of $\sigma_{{md}}$ over the $2^{size}$ inputs.",
                expectation(lambda *bits: _deviation(bits), *(_HALF,) * size),
                stated["mean_deviation"].xreplace({n: Integer(size)}),
            )
            for size in (2, 3, 4)
        ),
        Identity(
            "mean-deviation",
            r"For every $n$: with $k$ of $n$ inputs at $t$ it is $\frac{2\delta}{n^2}k(n-k)$, and "
            r"$\mathbb Ek(n-k)=n(n-1)\cdot\frac14$, as $k(n-k)$ counts the ordered pairs at $t$ and $s$.",
            2 * delta / n**2 * n * (n - 1) / 4,
            stated["mean_deviation"],
        ),
        Identity(
            "coefficient",
            r"The stated bound is the stated multiple of $\mathbb E\sigma_{md}$: some input has at least "
            r"this multiple of its own $\sigma_{md}$ (a mean is no larger than the largest value).",
            stated["bound"],
            stated["coefficient"] * stated["mean_deviation"],
        ),
        Certificate(
            "c1-needed",
            r"A protocol with $\mathrm{Var}\le c_1\frac{\sigma_{md}}n+\frac{c_2}{n^2}$ on $[0,1]$ has, at "
            r"$\delta=2u$ with $u=\sqrt{c_2/n}\le\frac12$, at least the stated $c_1$ (for $u>\frac14$ that "
            r"is negative).",
            stated["c1_needed"].xreplace({c_2: n * _u**2}).xreplace({n: 1 + _N}),
            _c1,
            (
                Term(
                    (1 + _N) ** 2 / (_u * _N),
                    allowed - stated["bound"].xreplace(values),
                    "hypothesis: the protocol keeps c_1 sigma_md/n + c_2/n^2 at each of the two-point inputs",
                ),
            ),
        ),
    )


def _deviation(bits: tuple[int, ...]) -> Expr:
    mean = Rational(sum(bits), len(bits))
    return delta * Add(*(Abs(bit - mean) for bit in bits)) / len(bits)


def _sharp(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Correlated quantization attains (a) at equal inputs and (b) where ns and nt are integers."""
    one_cell = enumerated_variance((1, 1, 1)).xreplace(
        {beta: Integer(1), GAPS[0]: 0, GAPS[1]: 0, GAPS[2]: _p}
    )
    inside, across = (enumerated_variance(cells).xreplace({beta: Integer(1)}) for cells in ((0, 0), (1, 0)))
    return (
        Identity(
            "attained-by-equal-inputs",
            r"Correlated quantization of three equal inputs $y=\frac{1+p}3$ has exactly the stated least "
            r"variance.",
            one_cell,
            instance(stated["integer_sum"], {y: ((1 + _p) / 3,) * 3, n: Integer(3)}, (_p,)),
        ),
        Identity(
            "attained-by-two-points",
            r"Where $ns$ and $nt$ are integers its variance is $\frac{k(n-k)}{n^2(n-1)}\delta(1-\delta)$ "
            r"with $k$ inputs at $t$ (`cq_marina/cq-klevel`); on average, $\mathbb Ek(n-k)=\frac{n(n-1)}4$, "
            r"the bound.",
            n * (n - 1) / 4 * delta * (1 - delta) / (n**2 * (n - 1)),
            stated["bound"],
        ),
        Certificate(
            "two-clients-in-one-cell",
            r"For $n=2$ correlated quantization has at most the stated variance at every input: $c_1=0$, "
            r"$c_2=\frac14$ suffice there (one cell, places $q_1+q_2\ge q_2$; the order of the clients does "
            r"not matter).",
            inside,
            stated["two_clients"],
            (Term(Rational(1, 16), (1 - GAPS[0] - 2 * GAPS[1]) ** 2, "square of a real number"),),
        ),
        Certificate(
            "two-clients-in-two-cells",
            r"The same for two cells.",
            across,
            stated["two_clients"],
            (Term(Rational(1, 16), GAPS[0] ** 2, "square of a real number"),),
        ),
    )
