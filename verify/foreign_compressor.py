"""Adapt what authors write to what the checks need: samples of C(x)."""

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from impl.errors import ArgumentError, MissingSideInfo
from verify.context import MASTER_SEED
from verify.errors import UsageError

JOINT_BUDGET, JOINT_SECONDS = 500, 10.0
"""Evaluations of the exact error of a joint compressor, fewer where it sums over many subsets of clients."""

SCALES: dict[str, tuple[float, ...]] = {
    "all": (1.0,),
    "powers of two": (1.0, 1.2, 4 / 3, 1.5, 1.75),
    "none": (1.0, 1.2, 4 / 3, 1.5, 2.0**-10, 2.0**-4, 2.0**-2, 2.0**2, 2.0**4, 2.0**10),
}
"""Scales at which inputs are tried, by the attribute `scale_equivariance` of a compressor.

The unit sphere alone would find only 0.97 of the supremum for rounding to powers of two.
"""


@dataclass(frozen=True)
class ForeignCompressor:
    """A compressor of another project.

    Args:
        sample_one: Maps (x, generator) to one C(x) of the same shape.
        sample_many: Maps (x, generator, m) to m of them in one call, None where only one at a time is known.
        variance: Maps x to the exact E||C(x) - x||^2, None where unknown.
        d: Dimension.
        n: Number of nodes of a joint compressor, None for an ordinary one.
        scale_equivariance: For which c > 0 the law of C(c x) is that of c C(x): "all", "powers of two" or
            "none"; the last where the compressor does not say.
    """

    sample_one: Callable[[Any, Any], Any]
    sample_many: Callable[[Any, Any, int], Any] | None
    variance: Callable[..., Any] | None
    d: int
    n: int | None
    scale_equivariance: str = "none"

    @property
    def scales(self) -> tuple[float, ...]:
        """Return the scales at which its inputs are tried, 1 first."""
        return SCALES[self.scale_equivariance]

    def samples(self, x: Any, rng: Any, size: int) -> Any:
        """Return independent samples, (size, d) or (size, n, d).

        Raises:
            UsageError: The compressor returned another shape or a value that is not finite, or needs side
                information.
        """
        try:
            return self._checked_samples(x, rng, size)
        except MissingSideInfo as error:
            raise UsageError(
                f"compressor: a nested codec cannot be checked alone, it is decoded beside side information "
                f"({error}); give a function that fixes it, lambda x, rng: codec.sample(x, rng, side=y), or "
                "check the codec without nesting"
            ) from error

    def _checked_samples(self, x: Any, rng: Any, size: int) -> Any:
        import numpy as np

        if self.sample_many is not None:
            found = np.asarray(self.sample_many(x, rng, size), dtype=float)
        else:
            # A copy, since a compressor may work in place.
            found = np.array([np.asarray(self.sample_one(x.copy(), rng), dtype=float) for _ in range(size)])
        if found.shape != (size, *x.shape):
            raise UsageError(
                f"compressor: C(x) has shape {found.shape[1:]} for x of shape {x.shape}; "
                "return the decompressed vector"
            )
        if not np.isfinite(found).all():
            index = tuple(int(i) for i in np.argwhere(~np.isfinite(found))[0])
            raise UsageError(
                f"compressor: C(x){list(index[1:])} = {found[index]} is not finite at x={x.tolist()}"
            )
        return found

    def states_its_error(self) -> bool:
        """Return whether the compressor states its exact error: of the mean over nodes for a joint one."""
        import numpy as np

        if self.variance is None:
            return False
        try:
            stated = self.variance(np.ones(self.d if self.n is None else (self.n, self.d)))
        except ArgumentError:  # it has none for this size: it is sampled instead
            return False
        return np.ndim(stated) == 0  # else one for each node

    def search_budget(self, x: Any) -> int:
        """Return how many evaluations of the exact joint error to spend, from the time of one."""
        import time

        start = time.process_time()
        if self.variance is not None:
            self.variance(x)
        return max(20, min(JOINT_BUDGET, int(JOINT_SECONDS / max(time.process_time() - start, 1e-6))))

    def directional_variance(self, x: Any, v: Any) -> float | None:
        """Return a bound on the variance of <C(x), v> from the compressor itself, None where it has none."""
        import numpy as np

        if self.variance is None or self.n is not None:
            return None  # a joint compressor states the error of its mean, not of one direction
        try:
            return float(self.variance(x, np.outer(v, v)))
        except TypeError:  # a variance without weights: the total one bounds that along any direction
            return float(self.variance(x))

    def squared_errors(self, x: Any, rng: Any, size: int) -> Any:
        """Return samples of the squared error, of the mean over nodes for a joint compressor, (size,)."""
        return (self.errors(x, rng, size) ** 2).sum(axis=1)

    def errors(self, x: Any, rng: Any, size: int) -> Any:
        """Return samples of C(x) - x, of the mean over nodes for a joint compressor, (size, d)."""
        error = self.samples(x, rng, size) - x
        return error if self.n is None else error.mean(axis=1)


def adapt(compressor: Any, d: int, n: int | None) -> ForeignCompressor:
    """Return the adapter of an object or function.

    Raises:
        UsageError: It offers none of the known ways to compress, or d or n is no positive integer.
    """
    given: tuple[tuple[str, object], ...] = (("d", d), ("n", n))
    problems = [
        f"{name}={value!r} must be a positive integer"
        for name, value in given
        if not (value is None and name == "n") and not _is_count(value)
    ]
    if isinstance(compressor, type):
        problems.append(
            f"compressor={compressor.__name__} is a class; give an instance, {compressor.__name__}(...)"
        )
    if hasattr(compressor, "aggregate") and n is None and not isinstance(compressor, type):
        problems.append(f"compressor={compressor!r} is a joint one; give the number of nodes, n= (-n)")
    equivariance = "none" if isinstance(compressor, type) else _scale_equivariance(compressor, problems)
    if problems:
        raise UsageError("check_compressor: " + "; ".join(problems))
    variance = getattr(compressor, "variance", None)
    if hasattr(compressor, "draw") and hasattr(compressor, "compress"):
        return ForeignCompressor(
            lambda x, rng: compressor.compress(x, compressor.draw(rng, x.shape)),
            lambda x, rng, size: compressor.compress(
                _stacked(x, size), compressor.draw(rng, (size, *x.shape))
            ),
            variance,
            d,
            n,
            equivariance,
        )
    if hasattr(compressor, "sample"):
        return ForeignCompressor(lambda x, rng: compressor.sample(x, rng), None, variance, d, n, equivariance)
    if callable(compressor):
        _require_generator(compressor)
        return ForeignCompressor(lambda x, rng: compressor(x, rng), None, variance, d, n, equivariance)
    raise UsageError(
        f"compressor={compressor!r} must have sample(x, rng), or draw and compress, "
        "or be a function (x, rng) -> C(x)"
    )


def structured_inputs(d: int) -> tuple[Any, ...]:
    """Return inputs at which compressors of the field are near their worst, each (d,)."""
    import numpy as np

    index = np.arange(1, d + 1)
    generic = np.random.Generator(np.random.Philox(MASTER_SEED)).standard_normal((2, d))
    inputs = [
        np.ones(d),
        np.where(index % 2, 1.0, -1.0),
        np.eye(d)[0],
        index / d,
        0.9 ** np.minimum(index, 600.0),
        np.where(index <= max(1, d // 4), 1.0, 0.0),
        np.where(index == 1, 1.0, 1 / (1 + math.sqrt(d))),
    ]
    return (*inputs, *generic)


def check_inputs(foreign: ForeignCompressor) -> list[Any]:
    """Return inputs of the compressor's shape: equal, spread and generic ones for several nodes.

    A generic one follows at each further scale, where the law depends on it.
    """
    import numpy as np

    singles = structured_inputs(foreign.d)
    if foreign.n is None:
        return [*singles, *(scale * singles[-1] for scale in foreign.scales[1:])]
    generic = np.random.Generator(np.random.Philox(MASTER_SEED + 1)).standard_normal((foreign.n, foreign.d))
    equal = [np.tile(x, (foreign.n, 1)) for x in singles]
    scaled = [np.outer(np.linspace(-1, 1, foreign.n), x) for x in singles]
    return [*equal, *scaled, generic, *(scale * generic for scale in foreign.scales[1:])]


def _stacked(x: Any, size: int) -> Any:
    import numpy as np

    return np.broadcast_to(x, (size, *x.shape))


def _scale_equivariance(compressor: Any, problems: list[str]) -> str:
    """Return what the compressor says of itself; note a problem where that is none of the known words."""
    said = getattr(compressor, "scale_equivariance", "none")
    if isinstance(said, str) and said in SCALES:
        return said
    problems.append(f"scale_equivariance={said!r} must be one of {', '.join(map(repr, SCALES))}")
    return "none"


def _is_count(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, Integral) and int(value) >= 1


def _require_generator(function: Callable[..., Any]) -> None:
    """Refuse a function of x alone: its randomness would be out of control."""
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        raise UsageError(
            f"compressor={function!r} must take (x, rng) and use that generator only; "
            "for a deterministic one write lambda x, rng: f(x)"
        ) from None
    except ValueError:  # a builtin without signature: the call itself will tell
        return
