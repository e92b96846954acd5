"""What may be claimed of a compressor, and whether it can be checked."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any

from verify.errors import UsageError

ROUNDING = 1e-13
"""Part of the terms of a difference that is rounding: where they cancel, nothing is allowed."""


@dataclass(frozen=True)
class Claims:
    """What is claimed of a compressor; see `verify.check_compressor`."""

    unbiased: bool | None = None
    omega: float | None = None
    ab: tuple[float, float] | None = None
    omega_sharp: bool = False
    contraction: float | None = None
    variance: Callable[[Any], Any] | None = None
    bits: float | tuple[float | None, float | None] | None = None
    scale_equivariant: bool | str = False
    unbiased_given: Callable[[Any], Any] | None = None
    lossless: bool = False
    claims: Sequence[str] = ()

    @property
    def bounds_error(self) -> bool:
        """Return whether the mean squared error is bounded."""
        return self.omega is not None or self.ab is not None or self.contraction is not None

    def bounds_at(self, x: Any) -> dict[str, float]:
        """Return the claimed bounds on the mean squared error at an input (d,), or (n, d) for n nodes."""
        found = {}
        square = float((x**2).sum()) / (1 if x.ndim == 1 else len(x))
        if self.omega is not None:
            found[f"omega={self.omega:g}"] = self.omega * square
        if self.ab is not None:
            mean = x.mean(axis=0)
            bound = self.ab[0] * square - self.ab[1] * float(mean @ mean)
            rounding = ROUNDING * (abs(self.ab[0]) + abs(self.ab[1])) * square
            found[f"ab={self.ab}"] = 0.0 if abs(bound) <= rounding else bound
        if self.contraction is not None:
            found[f"contraction={self.contraction:g}"] = (1 - self.contraction) * square
        return found

    def expected_and_worst_bits(self) -> tuple[float | None, float | None]:
        """Return the claimed expectation and maximum of the bits of a message."""
        if isinstance(self.bits, tuple | list):
            return self.bits[0], self.bits[1]
        return self.bits, None

    def require_valid(self, n: int | None, rng: Any, *, empty: bool = False) -> None:
        """Refuse claims that are malformed or contradict each other, all problems at once.

        Args:
            n: Number of nodes.
            rng: The generator of the check.
            empty: Whether nothing may be claimed.

        Raises:
            UsageError: Some are.
        """
        problems = [*self._malformed(n)]
        if rng is not None and not hasattr(rng, "integers"):
            problems.insert(
                0, f"rng={rng!r} must be a numpy.random.Generator, such as numpy.random.default_rng(1)"
            )
        if (
            not problems
            and not empty
            and not any(_is_claimed(getattr(self, item.name)) for item in fields(self))
        ):
            problems.append(
                "nothing to check; give at least one of unbiased=True, omega=, ab=, contraction=, variance=, "
                "bits=, scale_equivariant=, unbiased_given=, lossless=True, claims="
            )
        if problems:
            raise UsageError("check_compressor: " + "; ".join(problems))

    def _malformed(self, n: int | None) -> Iterable[str]:
        if self.omega is not None and not (is_number(self.omega) and self.omega >= 0):
            yield f"omega={self.omega!r} must be finite and not negative"
        if self.ab is not None and (n is None or not _is_pair(self.ab)):
            yield f"ab={self.ab!r} must be two finite constants, together with the number of nodes n"
        if self.ab is not None and self.omega is not None:
            yield f"omega={self.omega!r} and ab={self.ab!r} claim the same thing; give one of them"
        if self.unbiased not in (None, True, False):
            yield f"unbiased={self.unbiased!r} must be True, False or None"
        if self.contraction is not None and not (is_number(self.contraction) and 0 < self.contraction <= 1):
            yield f"contraction={self.contraction!r} must be a number in (0, 1]"
        if self.omega_sharp not in (True, False):
            yield f"omega_sharp={self.omega_sharp!r} must be True or False"
        elif self.omega_sharp and not self.omega:
            yield "omega_sharp=True needs omega= above 0: it says that this constant is attained"
        for name in ("variance", "unbiased_given"):
            value = getattr(self, name)
            if value is not None and not callable(value):
                yield f"{name}={value!r} must be a function of x"
        if self.bits is not None and not _are_bits(self.bits):
            yield f"bits={self.bits!r} must be a number, or a pair (expected, worst) where one may be None"
        if self.scale_equivariant not in (False, True, "all", "powers of two"):
            yield f"scale_equivariant={self.scale_equivariant!r} must be True, 'all' or 'powers of two'"
        if self.lossless not in (True, False):
            yield f"lossless={self.lossless!r} must be True or False"
        claims: Any = self.claims
        if isinstance(claims, str) or not isinstance(claims, Iterable):
            yield f"claims={self.claims!r} must be a sequence of ids, ({self.claims!r},)"


def is_number(value: object) -> bool:
    """Return whether a value is a finite real number, and no truth value."""
    return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)


def is_count(value: object) -> bool:
    """Return whether a value is a positive integer, and no truth value."""
    return not isinstance(value, bool) and isinstance(value, Integral) and int(value) >= 1


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple | list) and len(value) == 2 and all(is_number(item) for item in value)


def _are_bits(value: object) -> bool:
    if not isinstance(value, tuple | list):
        return is_number(value) and value >= 0  # type: ignore[operator]
    given = [item for item in value if item is not None]
    return len(value) == 2 and bool(given) and all(is_number(item) and item >= 0 for item in given)


def _is_claimed(value: Any) -> bool:
    return not (value is None or value is False or (isinstance(value, tuple | list) and not value))
