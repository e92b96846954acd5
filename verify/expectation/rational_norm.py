"""The Euclidean norm of rational vectors that have a rational one."""

from fractions import Fraction
from math import isqrt
from typing import Any


def rational_norm(block: Any) -> Fraction:
    """Return the Euclidean norm of a rational vector whose norm is rational.

    Raises:
        ValueError: The norm is irrational.
    """
    square = sum((Fraction(item) ** 2 for item in block), start=Fraction(0))
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    if root * root != square:
        raise ValueError(f"x={list(map(str, block))} has an irrational norm; choose a Pythagorean vector")
    return root


def block_norms(x: Any, lengths: Any) -> list[Fraction]:
    """Return the rational norm of the block of each coordinate."""
    norms: list[Fraction] = []
    for length in lengths:
        norms += [rational_norm(x[len(norms) : len(norms) + length])] * length
    return norms
