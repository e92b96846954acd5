import itertools

import pytest
import sympy
from sympy import Rational, sqrt, symbols

from impl.errors import ArgumentError
from verify.evidence import certificate

a, b, c, g, r, x, y = symbols("a b c g r x y", positive=True)
n, p, L, mu, omega, gamma, alpha = symbols("n p L mu omega gamma alpha", positive=True)
R, R1, D, G, V, A, H, H1, Q, E1, v, sigma, Lt = symbols("R R1 D G V A H H1 Q E1 v sigma Lt", nonnegative=True)
W, I, f0, f1 = symbols("W I f0 f1", real=True)


def step(change=1):
    u = 1 - g * (r + change * b)
    return 1 - r**2 * g**2 - b * g, [(1, u), (r * g, u), (r * g, b * g)]


def young(change=1):
    return a**2 / (2 * c) + c * b**2 / 2 - a * b, [(change / (2 * c), (a - c * b) ** 2)]


def cauchy_schwarz(change=1, d=8):
    xs, ys = symbols(f"x:{d}", real=True), symbols(f"y:{d}", real=True)
    difference = (
        sum(i**2 for i in xs) * sum(j**2 for j in ys) - sum(i * j for i, j in zip(xs, ys, strict=True)) ** 2
    )
    pairs = itertools.combinations(range(d), 2)
    return difference, [(change, (xs[i] * ys[j] - xs[j] * ys[i]) ** 2) for i, j in pairs]


def amgm3(change=1):
    squares = (a - b) ** 2 + (b - c) ** 2 + change * (c - a) ** 2
    return a**3 + b**3 + c**3 - 3 * a * b * c, [((a + b + c) / 2, squares)]


def marina(change=1):
    weight = change * gamma / (2 * p)
    error = V - 2 * W + G
    s1 = f0 - gamma * W + L / 2 * gamma**2 * V - f1
    s2 = (1 - p) * error + (1 - p) * omega * L**2 / n * gamma**2 * V - E1
    s3 = 1 - gamma * L - (1 - p) * omega / (p * n) * L**2 * gamma**2
    difference = f0 + weight * error - gamma / 2 * G - f1 - weight * E1
    return difference, [(1, s1), (weight, s2), (gamma / 2 * V, s3)]


def dcgdplus(change=2):
    difference = (1 - gamma * mu) * R + change * gamma**2 * Lt * sigma / n - R1
    return difference, [
        (1, R - 2 * gamma * I + gamma**2 * (G + v) - R1),
        (2 * gamma, I - D - mu / 2 * R),
        (gamma**2, 2 * L * D - G),
        (gamma**2, Lt / n * (2 * A + 2 * sigma) - v),
        (2 * gamma**2 * Lt / n, 2 * D - A),
        (2 * gamma * D, 1 - gamma * (L + 2 * Lt / n)),
    ]


def diana_shift(change=1):
    # With d = grad - h and e = h - g*: |grad - g*|^2 = hh + 2 <e, d> + dd.
    hh, dd, cross = symbols("hh dd cross", real=True)
    target = hh + 2 * cross + dd
    reached = hh + 2 * alpha * cross + alpha**2 * (dd + v)
    difference = (1 - alpha) * hh + alpha * target - reached
    return difference, [(alpha**2, omega * dd - v), (alpha * dd, 1 - alpha * (change + omega))]


def diana(change=6):
    weight = 4 * omega / (n * alpha)
    difference = (1 - gamma * mu) * R + (1 - alpha / 2) * weight * gamma**2 * H - R1 - weight * gamma**2 * H1
    return difference, [
        (1, R - 2 * gamma * I + gamma**2 * Q - R1),
        (2 * gamma, I - D - mu / 2 * R),
        (gamma**2, G + omega / n * (2 * A + 2 * H) - Q),
        (gamma**2, A - G),
        (gamma**2 * (1 + 2 * omega / n) + weight * gamma**2 * alpha, 2 * L * D - A),
        (weight * gamma**2, (1 - alpha) * H + alpha * A - H1),
        (2 * gamma * D, 1 - gamma * L * (1 + change * omega / n)),
    ]


CERTIFICATES = [step, young, cauchy_schwarz, amgm3, marina, dcgdplus, diana_shift, diana]


@pytest.mark.parametrize("proof", CERTIFICATES)
def test_known_proofs(proof):
    assert certificate(*proof())


@pytest.mark.parametrize(
    ("proof", "change"),
    [
        (step, 2),
        (young, 2),
        (cauchy_schwarz, Rational(99, 100)),
        (amgm3, 2),
        (marina, 2),
        (dcgdplus, 3),
        (dcgdplus, Rational(19, 10)),
        (diana_shift, 2),
        (diana, 5),
        (diana, Rational(59, 10)),
    ],
)
def test_mutants_leave_a_remainder(proof, change):
    assert not certificate(*proof(change))


@pytest.mark.parametrize("proof", CERTIFICATES)
def test_every_term_is_needed(proof):
    difference, terms = proof(d=3) if proof is cauchy_schwarz else proof()
    for i in range(len(terms)):
        assert not certificate(difference, terms[:i] + terms[i + 1 :])


def test_identities_with_radicals_and_fractions():
    assert certificate((sqrt(x) + sqrt(y)) ** 2 - x - y - 2 * sqrt(x) * sqrt(y), [])
    assert certificate(1 / (sqrt(x) + 1) - (sqrt(x) - 1) / (x - 1), [])
    assert certificate(sqrt(x + y) * (sqrt(x + y) + 1) - x - y - sqrt(x + y), [])
    assert not certificate(sqrt(x) - x, [])


def test_numbers():
    assert certificate(0, [])
    assert certificate(Rational(1, 3), [(1, Rational(1, 3))])
    assert not certificate(Rational(1, 3), [])


def test_nothing_follows_from_a_division_by_zero():
    assert not certificate(sympy.zoo, [])
    assert not certificate(sympy.nan, [])
    zero, another_zero = (x + 1) ** 2 - x**2 - 2 * x - 1, (x + 2) ** 2 - x**2 - 4 * x - 4
    assert certificate(zero, [])
    assert not certificate(1 / zero, [])
    assert not certificate(another_zero / zero, [])


@pytest.mark.parametrize("arguments", [(0.1 * x, []), (x, [(0.5, x)]), (x, [(1, x + 0.25)])])
def test_floats_are_refused_with_the_remedy(arguments):
    with pytest.raises(ArgumentError, match=r"float 0\.\d+.*sympy\.Rational"):
        certificate(*arguments)
