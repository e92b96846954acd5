"""Roots of rational squares, and Euclidean norms of rational vectors that have a rational one."""

from fractions import Fraction
from math import isqrt
from typing import Any


def rational_root(square: Any) -> Fraction:
    """Return the root of the square of a rational number.

    Raises:
        ValueError: The root is irrational.
    """
    found = Fraction(square)
    root = Fraction(isqrt(found.numerator), isqrt(found.denominator))
    if root * root != found:
        raise ValueError(f"{found} is not the square of a rational number; choose one that is")
    return root


def rational_norm(block: Any) -> Fraction:
    """Return the Euclidean norm of a rational vector whose norm is rational.

    Raises:
        ValueError: The norm is irrational.
    """
    square = sum((Fraction(item) ** 2 for item in block), start=Fraction(0))
    try:
        return rational_root(square)
    except ValueError:
        raise ValueError(
            f"x={list(map(str, block))} has an irrational norm; choose a Pythagorean vector"
        ) from None


def block_norms(x: Any, lengths: Any) -> list[Fraction]:
    """Return the rational norm of the block of each coordinate."""
    norms: list[Fraction] = []
    for length in lengths:
        norms += [rational_norm(x[len(norms) : len(norms) + length])] * length
    return norms
