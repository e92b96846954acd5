"""Adapt what authors write to what the checks need: samples of C(x)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from impl.errors import ArgumentError, MissingSideInfo
from verify.errors import UsageError
from verify.foreign.calls import calls_of, named
from verify.foreign.claims import is_count
from verify.foreign.frameworks import Framework, NumpyArrays
from verify.foreign.frameworks.framework import is_complex, other_dtype, other_type
from verify.foreign.guard import LONGEST_CALL, CompressorFault, guarded
from verify.foreign.inputs import SCALES, joint_inputs, named_inputs

JOINT_BUDGET, JOINT_SECONDS = 500, 10.0
"""Evaluations of the exact error of a joint compressor, fewer where it sums over many subsets of clients."""


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
        most: Maps x to a sure upper bound of ||C(x) - x||^2, None where the compressor states none.
        pack: Maps (x, generator) to the bytes that travel, None where it packs nothing.
        dtype: Type of the entries of x and of C(x).
        longest: Seconds that one call may take.
        untouched: Maps (x, generator) to whether a call drew no random number from anywhere that is known.
        draws_alike: Maps (x, generator, the same again) to whether `pack` draws nothing or what a call draws.
    """

    sample_one: Callable[[Any, Any], Any]
    sample_many: Callable[[Any, Any, int], Any] | None
    variance: Callable[..., Any] | None
    d: int
    n: int | None
    scale_equivariance: str = "none"
    most: Callable[[Any], Any] | None = None
    pack: Callable[[Any, Any], Any] | None = None
    dtype: str = "float64"
    longest: float = LONGEST_CALL
    untouched: Callable[[Any, Any], bool] | None = None
    draws_alike: Callable[[Any, Any, Any], bool] | None = None

    def alone(self) -> "ForeignCompressor":
        """Return the compressor with one call for each sample."""
        return replace(self, sample_many=None)

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of an input."""
        return (self.d,) if self.n is None else (self.n, self.d)

    def named_inputs(self) -> Iterator[tuple[str, Any]]:
        """Yield names and inputs of its shape: the structured ones, and those that look for one mistake."""
        return named_inputs(self.d) if self.n is None else joint_inputs(self.d, self.n)

    @property
    def scales(self) -> tuple[float, ...]:
        """Return the scales at which its inputs are tried, 1 first."""
        return SCALES[self.scale_equivariance]

    @property
    def round_off(self) -> float:
        """Return which part of the norm is rounding: some thousand units in the last place."""
        return 1e-12 if self.dtype == "float64" else 1e-4

    def samples(self, x: Any, rng: Any, size: int) -> Any:
        """Return independent samples, (size, d) or (size, n, d).

        Raises:
            UsageError: The compressor returned another shape or a value that is not finite, changed x, or
                needs side information.
        """
        import numpy as np

        x = np.asarray(x, dtype=self.dtype)
        try:
            found = self._drawn(x, rng, size)
        except MissingSideInfo as error:
            raise UsageError(
                f"compressor: a nested codec cannot be checked alone, it is decoded beside side information "
                f"({error}); give a function that fixes it, lambda x, rng: codec.sample(x, rng, side=y), or "
                "check the codec without nesting"
            ) from error
        # The sum is not finite where an entry is not, and seldom else.
        with np.errstate(over="ignore", invalid="ignore"):
            suspicious = not np.isfinite(found.sum())
        if suspicious and not np.isfinite(found).all():
            index = tuple(int(i) for i in np.argwhere(~np.isfinite(found))[0])
            raise CompressorFault(
                "not finite", f"C(x){list(index[1:])} = {found[index]} is not finite at x={shown(x)}"
            )
        return found

    def _drawn(self, x: Any, rng: Any, size: int) -> Any:
        import numpy as np

        with guarded("a call", self.longest, AtInput(x)):
            if self.sample_many is not None:
                return self._fitting(self.sample_many(x, rng, size), (size, *x.shape))
            given, found = x.copy(), np.empty((size, *x.shape))
            for row in range(size):
                one = self.sample_one(given, rng)
                if type(one) is not np.ndarray or one.shape != x.shape or one.dtype != x.dtype:
                    one = self._fitting(one, x.shape)
                found[row] = one
        if not np.array_equal(given, x):
            raise CompressorFault(
                "changes its input",
                f"a call changed its input x={shown(x)}; work on a copy (x = x.copy()), "
                "since the caller still needs the gradient for its error feedback",
            )
        return found

    def _fitting(self, returned: Any, shape: tuple[int, ...]) -> Any:
        """Return what a call returned as an array of doubles, or tell why it is no compressed vector."""
        import numpy as np

        # A number has another shape; what stands behind a mask would be read as if it were sent.
        if not isinstance(returned, np.ndarray | np.generic) or isinstance(returned, np.ma.MaskedArray):
            raise other_type(returned, "numpy.ndarray")
        found = np.asarray(returned)
        if np.iscomplexobj(found):
            raise is_complex()
        if found.shape != shape:
            raise CompressorFault(
                "shape",
                f"C(x) has shape {found.shape[len(shape) - len(self.shape) :]} for x of shape {self.shape}; "
                "return the decompressed vector",
            )
        if found.dtype != np.dtype(self.dtype):
            raise other_dtype(str(found.dtype), self.dtype)
        return found.astype(float)

    @cached_property
    def states_its_error(self) -> bool:
        """Return whether the compressor states its exact error: of the mean over nodes for a joint one."""
        import numpy as np

        if self.variance is None:
            return False
        try:
            stated = self.variance(np.ones(self.shape))
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

    def squared_errors(self, x: Any, rng: Any, size: int) -> Any:
        """Return samples of the squared error, of the mean over nodes for a joint compressor, (size,)."""
        return (self.errors(x, rng, size) ** 2).sum(axis=1)

    def errors(self, x: Any, rng: Any, size: int) -> Any:
        """Return samples of C(x) - x, of the mean over nodes for a joint compressor, (size, d)."""
        error = self.samples(x, rng, size)
        error -= x
        return error if self.n is None else error.mean(axis=1)


@dataclass(frozen=True)
class AtInput:
    """Names an input once somebody asks: the text of a long one takes milliseconds."""

    x: Any

    def __str__(self) -> str:
        return f"; at x={shown(self.x)}"


def shown(x: Any) -> str:
    """Return an input as text, cut where it is long."""
    entries = x.tolist()
    text = str(entries)
    return text if len(text) <= 300 else f"{text[:280]}... (shape {tuple(x.shape)})"


def adapt(
    compressor: Any,
    d: int,
    n: int | None,
    *,
    framework: Framework | None = None,
    seeded: bool = False,
    longest: float = LONGEST_CALL,
) -> ForeignCompressor:
    """Return the adapter of an object or function.

    Args:
        compressor: What is to be called, see `verify.check_compressor`.
        d: Dimension.
        n: Number of nodes of a joint compressor.
        framework: What its vectors are, arrays of numpy with doubles by default.
        seeded: Whether a function of x alone may draw from the global generators.
        longest: Seconds that one call may take.

    Raises:
        UsageError: It offers none of the known ways to compress, or d or n is no positive integer.
    """
    given: tuple[tuple[str, object], ...] = (("d", d), ("n", n))
    problems = [
        f"{name}={value!r} must be a positive integer"
        for name, value in given
        if not (value is None and name == "n") and not is_count(value)
    ]
    if isinstance(compressor, type):
        problems.append(
            f"compressor={compressor.__name__} is a class; give an instance, {compressor.__name__}(...)"
        )
    joint = hasattr(compressor, "aggregate") and hasattr(compressor, "draw")
    if joint and n is None and not isinstance(compressor, type):
        problems.append(f"compressor={named(compressor)} is a joint one; give the number of nodes, n= (-n)")
    equivariance = "none" if isinstance(compressor, type) else _scale_equivariance(compressor, problems)
    if problems:
        raise UsageError("check_compressor: " + "; ".join(problems))
    known = framework or NumpyArrays("float64", None)
    calls = calls_of(compressor, known, seeded or known.name != "numpy")
    return ForeignCompressor(
        calls.one,
        calls.many,
        calls.variance and guarded_variance(calls.variance, longest),
        int(d),
        n if n is None else int(n),
        equivariance,
        most=_sure_bound(compressor),
        pack=calls.pack,
        dtype=known.dtype,
        longest=longest,
        untouched=calls.untouched,
        draws_alike=calls.draws_alike,
    )


def guarded_variance(variance: Callable[..., Any], longest: float) -> Callable[..., Any]:
    """Return what gives numbers, one or one for each node, or a fault."""
    import numpy as np

    def stated(x: Any) -> Any:
        with guarded("variance(x)", longest, AtInput(x)):
            return np.asarray(variance(x), dtype=float)

    return stated


def _sure_bound(compressor: Any) -> Callable[[Any], Any] | None:
    """Return the sure upper bound of the squared error that a compressor of `impl` states."""
    moments = getattr(compressor, "moments", None)
    if moments is None:
        return None

    def most(x: Any) -> Any:
        try:
            return moments(x).upper
        except ArgumentError:
            return None

    return most


def _scale_equivariance(compressor: Any, problems: list[str]) -> str:
    """Return what the compressor says of itself; note a problem where that is none of the known words."""
    said = getattr(compressor, "scale_equivariance", "none")
    if isinstance(said, str) and said in SCALES:
        return said
    problems.append(f"scale_equivariance={said!r} must be one of {', '.join(map(repr, SCALES))}")
    return "none"
