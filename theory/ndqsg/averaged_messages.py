r"""Steps that the rates share: the second moment of the average of the messages of $P$ workers."""

from sympy import Expr, Integer, Rational, Symbol, symbols

from theory.ndqsg.symbols import P, omega, sigma_sq
from theory.old_steps import Certificate, Identity, Step, Term
from theory.two_point_law import INDEPENDENCE, expectation

gradient_sq = Symbol("G", nonnegative=True)

_u = Symbol("u", real=True)
_errors = symbols("z_1:4", real=True)
_rho = Symbol("rho", positive=True)
_s, _E, _V = symbols("s E V", nonnegative=True)

AVERAGE = Identity(
    "average",
    r"Independent centred errors of the workers: $\mathbb E\|u+\frac1P\sum_pe_p\|^2=\|u\|^2+\frac1{P^2}\sum_p"
    r"\mathbb E\|e_p\|^2$ (three workers, one coordinate of two values $(1-\rho)z_p$, $-\rho z_p$).",
    expectation(
        lambda *ups: (_u + sum((up - _rho) * z for up, z in zip(ups, _errors, strict=True)) / 3) ** 2,
        *(_rho,) * 3,
    ),
    _u**2 + Rational(1, 9) * sum(expectation(lambda up, z=z: ((up - _rho) * z) ** 2, _rho) for z in _errors),
)


def averaged_messages(second_moment: Expr) -> tuple[Step, ...]:
    r"""Return the steps up to the stated bound on $\mathbb E\|\frac1P\sum_p\hat g_p\|^2$."""
    message = sigma_sq * (1 + omega) + omega * gradient_sq
    return (
        AVERAGE,
        INDEPENDENCE,
        Certificate(
            "message",
            r"A message has the variance $s+E\le\sigma^2(1+\omega)+\omega G$ about $\nabla f$: "
            r"$s\le\sigma^2$ of the gradient of the worker and $E\le\omega\,\mathbb E\|g_p\|^2=\omega(G+s)$ "
            r"of the quantizer, $G=\|\nabla f\|^2$.",
            _s + _E,
            message,
            (
                Term(
                    Integer(1),
                    omega * (gradient_sq + _s) - _E,
                    "hypothesis: a DQSG message has E |g^ - g|^2 <= omega |g|^2 (ndqsg/dqsg-variance)",
                ),
                Term(1 + omega, sigma_sq - _s, "hypothesis: the gradient of a worker has variance sigma^2"),
            ),
        ),
        Certificate(
            "second-moment",
            r"Hence $\mathbb E\|\frac1P\sum_p\hat g_p\|^2=G+\frac VP$ with $V$ the variance of a message is "
            r"at most as stated.",
            gradient_sq + _V / P,
            second_moment,
            (Term(1 / P, message - _V, "message"),),
        ),
    )
