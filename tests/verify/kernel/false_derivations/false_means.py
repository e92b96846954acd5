"""False derivations: expectations and citations."""

from __future__ import annotations

from claims import concludes, families, refused, symbols
from sympy import KroneckerDelta, Rational, Sum, log, oo

from theory.expectation import E, bernoulli
from theory.formula import IsInteger, eq, every, le, lt

x, y, z, n, m, p, i, j, k, gamma, mu, L = symbols("x y z n m p i j k gamma mu L")
a, b, e, v = families("a b e v")
NODES = (i, 0, n - 1)
N = (IsInteger(n), le(1, n))
VARIANCES = every(le(0, v[i]), NODES)


def _law(body, family=b, mean=0, variance=None):
    return E(body, family, NODES, mean=mean, variance=v[i] if variance is None else variance)


@refused("a moment of degree 4 does not follow")
def fourth_moment_from_two():
    concludes(
        eq(_law(b[0] ** 4), 3 * v[0] ** 2),
        lambda K: K.identity(_law(b[0] ** 4), 3 * v[0] ** 2),
        n=N,
        v=VARIANCES,
    )


@refused("a moment of degree 4 does not follow")
def square_of_a_sum_of_squares_from_two_moments():
    total = Sum(b[i] ** 2, NODES) ** 2
    concludes(eq(_law(total), n**2), lambda K: K.identity(_law(total, variance=1), n**2), n=N)


@refused("divides by a random variable")
def inverse_from_two_moments():
    concludes(
        eq(_law(1 / b[0], mean=1), 1 + v[0]), lambda K: K.identity(_law(1 / b[0], mean=1), 1 + v[0]), n=N
    )


@refused("is no polynomial in the random variables")
def inverses_added_up_from_two_moments():
    total = Sum(1 / (1 + b[i] ** 2), NODES)
    concludes(le(_law(total), n), lambda K: K.sign(le(0, n - _law(total))), n=N)


@refused("is no polynomial in the random variables")
def logarithm_from_two_moments():
    body = log(1 + b[0] ** 2)
    concludes(eq(_law(body), 0), lambda K: K.identity(_law(body), 0), n=N)


@refused("rests on what is not stated")
def random_quotient_that_cancels():
    body = (b[0] ** 2 - 1) / (b[0] - 1)
    concludes(eq(_law(body), 1), lambda K: K.identity(_law(body), 1), n=N, v=VARIANCES)


@refused("the sides differ by")
def shared_noise_as_independent():
    """Two nodes that share b[0] do not have the variance of two that draw for themselves."""
    shared = (b[0] / 2 + b[0] / 2) ** 2
    concludes(eq(_law(shared), v[0] / 2), lambda K: K.identity(_law(shared), v[0] / 2), n=N, v=VARIANCES)


@refused("the sides differ by")
def shared_noise_in_a_mean_of_n():
    shared = (Sum(b[0], NODES) / n) ** 2
    concludes(eq(_law(shared), v[0] / n), lambda K: K.identity(_law(shared), v[0] / n), n=N, v=VARIANCES)


@refused("the sides differ by")
def variance_of_a_sum_is_n_squared_times_one():
    total = _law(Sum(b[i], NODES) ** 2, variance=x)
    concludes(eq(total, n**2 * x), lambda K: K.identity(total, n**2 * x), n=N, x=le(0, x))


@refused("rests on what is not stated")
def probability_outside_of_the_unit_interval():
    body = bernoulli((b[0] / p - 1) ** 2, b, NODES, p=p)
    concludes(eq(body, 1 / p - 1), lambda K: K.identity(body, 1 / p - 1), n=N, p=lt(0, p))


@refused("rests on what is not stated: for i = 0..-1 + n: 0 <= v[i]")
def variance_of_unknown_sign():
    concludes(eq(_law(b[0] ** 2), v[0]), lambda K: K.identity(_law(b[0] ** 2), v[0]), n=N)


@refused("rests on what is not stated: 3 <= -1 + n")
def random_entry_out_of_range():
    concludes(eq(_law(b[3] ** 2), v[3]), lambda K: K.identity(_law(b[3] ** 2), v[3]), n=N, v=VARIANCES)


@refused("rests on what is not stated: 3 <= -1 + n")
def random_entry_out_of_range_that_cancels():
    body = ((x + 1) ** 2 - x**2 - 2 * x - 1) * b[3]
    concludes(eq(_law(body), 0), lambda K: K.identity(_law(body), 0), n=N, v=VARIANCES)


@refused("rests on what is not stated: for i~1 = 0..m: i~1 <= -1 + n")
def random_entry_out_of_range_under_the_same_index_that_cancels():
    total = ((x + 1) ** 2 - x**2 - 2 * x - 1) * Sum(Sum(b[i], (i, 0, m)), NODES)
    concludes(
        eq(_law(total), 0), lambda K: K.identity(_law(total), 0), n=N, v=VARIANCES, m=(IsInteger(m), le(0, m))
    )


@refused("rests on what is not stated: for i~1 = 0..m: i~1 <= -1 + n")
def random_entry_out_of_range_under_the_same_index():
    total = Sum(Sum(b[i], (i, 0, m)), NODES)
    concludes(
        eq(_law(total), 0), lambda K: K.identity(_law(total), 0), n=N, v=VARIANCES, m=(IsInteger(m), le(0, m))
    )


@refused("rests on what is not stated: for n~1 = 0..m: for i = 0..-1 + n~1: i <= -1 + n")
def random_entry_out_of_range_where_the_bound_is_bound():
    total = Sum(Sum(b[i], NODES), (n, 0, m))
    concludes(
        eq(_law(total), 0), lambda K: K.identity(_law(total), 0), n=N, v=VARIANCES, m=(IsInteger(m), le(0, m))
    )


@refused("rests on what is not stated: for k = 0..m: k <= -1 + n")
def random_entry_out_of_range_in_an_inner_law():
    inner = E(Sum(e[k], (k, 0, m)), e, (k, 0, m), mean=b[k], variance=1)
    concludes(
        eq(_law(inner), 0), lambda K: K.identity(_law(inner), 0), n=N, v=VARIANCES, m=(IsInteger(m), le(0, m))
    )


@refused("its law 1")
def random_entry_with_another_number_of_indices():
    concludes(eq(_law(b[0, 0]), 0), lambda K: K.identity(_law(b[0, 0]), 0), n=N, v=VARIANCES)


@refused("needs indices of its own")
def law_with_one_index_twice():
    double = E(b[0, 1] ** 2, b, (i, 0, 0), (i, 0, 1), mean=0, variance=1 - 2 * i)
    concludes(eq(double, -1), lambda K: K.identity(double, -1))


@refused("has a random index")
def random_index():
    concludes(eq(_law(b[b[0]]), 0), lambda K: K.identity(_law(b[b[0]]), 0), n=N, v=VARIANCES)


@refused("the sides differ by")
def mean_of_a_square_is_the_square_of_the_mean():
    concludes(
        eq(_law(b[0] ** 2, mean=a[i]), a[0] ** 2),
        lambda K: K.identity(_law(b[0] ** 2, mean=a[i]), a[0] ** 2),
        n=N,
        v=VARIANCES,
    )


@refused("the sides differ by")
def uncorrelated_at_places_that_may_be_one():
    body = _law(b[j] * b[k])
    concludes(eq(body, 0), lambda K: K.identity(body, 0), n=N, v=VARIANCES)


@refused("the sides differ by")
def correlated_at_two_places():
    body = _law(b[0] * b[1])
    concludes(eq(body, v[0]), lambda K: K.identity(body, v[0]), n=N, v=VARIANCES)


# ---------------------------------------------------------------- citations


@refused("the cited formula x <= x^2 is refused")
def wrong_cited_formula():
    concludes(le(x, x**2), lambda K: K.cite(le(x, x**2), "A Book, Theorem 1"))


@refused("no instance satisfies its hypotheses")
def unsatisfiable_cited_formula():
    concludes(le(x, y), lambda K: K.cite(le(x, y), "A Book", under=[le(1, z), le(z, 0)]))


@refused("is refused: log(x) <= -2 + x is false")
def cited_formula_that_is_wrong_somewhere():
    concludes(le(log(x), x - 2), lambda K: K.cite(le(log(x), x - 2), "A Book", under=[lt(0, x)]), x=lt(0, x))


@refused("is refused: log(x) <= 100 is false")
def cited_formula_that_is_wrong_far_out():
    concludes(le(log(x), 100), lambda K: K.cite(le(log(x), 100), "A Book", under=[lt(0, x)]), x=lt(0, x))


@refused("is refused: 1/1000000000 <= x is false")
def cited_formula_that_is_wrong_close_to_zero():
    least = le(Rational(1, 10**9), x)
    concludes(least, lambda K: K.cite(least, "A Book", under=[lt(0, x)]), x=lt(0, x))


@refused("is refused")
def cited_formula_without_its_hypotheses():
    concludes(le(x * y, x * z), lambda K: K.cite(le(x * y, x * z), "A Book"), x=le(0, x), y=le(y, z))


@refused("is refused")
def cited_model_relation():
    """The prox step does not increase the distance: a hypothesis of the model, no universal formula."""
    concludes(
        le(a[1], (1 - gamma * mu) * a[0]), lambda K: K.cite(le(a[1], (1 - gamma * mu) * a[0]), "A Paper, (7)")
    )


@refused("is refused")
def cited_model_relation_under_the_step_size():
    under = [lt(0, gamma), le(gamma * L, 1)]
    concludes(
        le(a[1], a[0]),
        lambda K: K.cite(le(a[1], a[0]), "A Paper, (7)", under),
        g=lt(0, gamma),
        s=le(gamma * L, 1),
    )


@refused("a citation needs a reference")
def citation_without_reference():
    concludes(le(0, x**2), lambda K: K.cite(le(0, x**2), " "))


@refused("is no formula of theory.formula")
def citation_by_words():
    concludes(le(x, y), lambda K: K.cite("the prox is nonexpansive", "A Book"))


@refused("rests on what is not stated: y <= z")
def citation_used_outside_its_hypotheses():
    formula = le(x * y, x * z)
    concludes(formula, lambda K: K.cite(formula, "A Book", under=[le(0, x), le(y, z)]), x=le(0, x))


@refused("is refused")
def cited_recursion_without_its_step():
    rate = every(le(a[k], a[0]), (k, 0, oo))
    concludes(le(a[5], a[0]), lambda K: K.at(K.cite(rate, "A Book"), 5))


@refused("is refused")
def cited_sum_for_every_dimension():
    total = Sum(a[i] ** 2, NODES)
    concludes(le(total, a[0] ** 2), lambda K: K.cite(le(total, a[0] ** 2), "A Book", under=N), n=N)


@refused("is refused")
def cited_delta_of_reals():
    total = Sum(KroneckerDelta(i, x), NODES)
    concludes(
        eq(total, 1),
        lambda K: K.cite(eq(total, 1), "A Book", under=[*N, le(0, x), le(x, n - Rational(1))]),
        n=N,
    )


@refused("rests on what is not stated: n != 0")
def divisor_hidden_by_an_empty_law():
    left = E(Sum(b[i], NODES), b, NODES, mean=(a[i] + 1) / (n * a[i] + n), variance=1)
    hypotheses = {"n": (IsInteger(n), le(0, n)), "a": every(lt(0, (a[i] + 1) * n), NODES)}
    concludes(eq(left, 1), lambda K: K.identity(left, 1), **hypotheses)
