"""Tests of a claimed mean with finite-sample error bounds, valid at every look (docs/evidence.md, E1, E2)."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from impl.errors import ArgumentError, Problems
from verify.evidence.betting import BETS, HUGE, Array, betting_sums, log_mean_exp
from verify.evidence.catoni import catoni_sums

ROUND_OFF = 1e-12
"""Relative excess over a declared bound that counts as round-off of double precision."""

Kind = Literal["le", "eq", "ratio"]
Process = Callable[[Array, Array], Array]
"""Maps batches of Z and X (empty unless the kind is `ratio`) to 14 sums of logarithms."""


@dataclass(frozen=True)
class MeanState:
    """Mergeable state: what is tested, samples so far, whether an impossible value came, 14 sums each."""

    test: tuple[Any, ...]
    samples: int
    impossible: bool
    sums: tuple[tuple[float, ...], ...]


class MeanTest:
    """Test a claim about the mean of independent samples Z of a known range.

    The evidence depends on the samples only, not on their order or batches, and one may look at any time: the
    probability of `violated` although the claim is true is at most alpha, and so is that of `holds` although
    the mean exceeds the bound by more than the resolution.

    Args:
        kind: `le` for E Z <= b; `eq` for E Z = b within a tolerance t; `ratio` for E Z / E X <= b.
        bound: b.
        lower: Sure lower bound of Z; 0 for a ratio. For unbiasedness (`eq` with b = 0) give it explicitly.
        upper: Sure upper bound B of Z, None if there is none; for a ratio the pair (B_X, B_Z), one may be
                None.
        variance: Upper bound of Var Z from an exact oracle, None if unknown; not for a ratio.
        alpha: Probability of each of the two errors.
        resolution: `holds` means E Z < b + resolution * |b|, or equality within as much.
        tolerance: Absolute distance t that replaces resolution * |b|; needed for `eq` with b = 0.

    Raises:
        ArgumentError: Arguments contradict each other; the message lists all problems.

    Example:
        >>> test = MeanTest("le", 1.0, upper=1.5)
        >>> test.update([0.5] * 100)
        >>> test.verdict()
        'holds'
    """

    def __init__(
        self,
        kind: Kind | str,
        bound: float,
        *,
        lower: float = 0.0,
        upper: float | tuple[float | None, float | None] | None = None,
        variance: float | None = None,
        alpha: float = 1e-9,
        resolution: float = 0.01,
        tolerance: float | None = None,
    ) -> None:
        _require_numbers(kind, bound, lower, variance, alpha, resolution, tolerance)
        self.kind, self.bound, self.lower, self.alpha = kind, float(bound), float(lower), float(alpha)
        self.upper, self.upper_x = _split_upper(kind, self.lower, upper)
        self.slack = resolution * abs(self.bound) if tolerance is None else float(tolerance)
        self.variance = None if variance is None else self._positive_variance(float(variance))
        self._require_room()
        self._processes: dict[str, list[Process]] = {}
        self._prepare()
        self._sums = {side: np.zeros((len(ps), len(BETS))) for side, ps in self._processes.items()}
        self._samples = 0
        self._impossible = False

    def __repr__(self) -> str:
        return (
            f"MeanTest({self.kind!r}, {self.bound}, lower={self.lower}, upper={self.upper}, "
            f"alpha={self.alpha}) with {self._samples} samples: {self.verdict()}"
        )

    @property
    def samples(self) -> int:
        """Return the number of samples taken into account."""
        return self._samples

    @property
    def trivial(self) -> bool:
        """Return whether the declared range alone implies `holds`, without any sample."""
        return self.kind == "le" and self._never_above

    @property
    def _never_above(self) -> bool:
        return self.kind != "ratio" and self.upper is not None and self.upper <= self.bound + self.slack

    def update(self, z: npt.ArrayLike, x: npt.ArrayLike | None = None) -> None:
        """Take samples into account; a refused batch leaves the test as it was.

        Args:
            z: Samples of Z, any shape.
            x: Samples of X that belong to them, for the kind `ratio` only.

        Raises:
            ArgumentError: A sample is NaN or infinite, or lies outside the declared range: then the range is
                wrong, which is a finding and not noise.
        """
        values = np.asarray(z, dtype=float).ravel()
        partners = np.empty(0) if x is None else np.asarray(x, dtype=float).ravel()
        problems = Problems("MeanTest.update")
        if self.kind == "ratio":
            problems.require(x is not None, "x is missing; the kind 'ratio' needs the samples of X as well")
            problems.require(
                x is None or len(partners) == len(values), "z and x must have equally many samples"
            )
            partners = self._inside(problems, "x", partners, 0.0, self.upper_x)
        else:
            problems.require(x is None, f"x is for the kind 'ratio' only, this test is of kind {self.kind!r}")
        values = self._inside(problems, "z", values, self.lower, self.upper)
        problems.raise_if_any()
        if len(values) == 0:
            return
        self._impossible |= self._leaves_no_room(values)
        for side, processes in self._processes.items():
            for sums, process in zip(self._sums[side], processes, strict=True):
                sums += process(values, partners)
        self._samples += len(values)

    def log_evidence(self) -> dict[str, float]:
        """Return ln E for `violated` and for `holds`; 0 is no evidence, infinity certainty."""
        sides = {side: self._side(side) for side in self._processes}
        against = [logs for side in ("higher", "lower") for logs in [sides[side]] if logs is not None]
        violated = log_mean_exp(np.array(against)) if against else 0.0
        holds = min(sides[side] or 0.0 for side in ("below", "above") if side in sides)
        return {"violated": math.inf if self._impossible else violated, "holds": holds}

    def verdict(self) -> str:
        """Return `violated`, else `holds`, else `inconclusive`; a function of the state."""
        needed = math.log(1 / self.alpha)
        evidence = self.log_evidence()
        if evidence["violated"] >= needed:
            return "violated"
        return "holds" if evidence["holds"] >= needed else "inconclusive"

    def state(self) -> MeanState:
        """Return the state, to be merged into another test of the same claim."""
        sums = tuple(tuple(row.tolist()) for rows in self._sums.values() for row in rows)
        return MeanState(self._identity(), self._samples, self._impossible, sums)

    def merge(self, state: MeanState) -> None:
        """Add the samples behind another test's state.

        Raises:
            ArgumentError: The state belongs to a test with other arguments.
        """
        if state.test != self._identity():
            raise ArgumentError(
                f"MeanTest.merge: state belongs to another test, {state.test}; this one is {self._identity()}"
            )
        rows = iter(state.sums)
        for sums in self._sums.values():
            for row in sums:
                row += np.array(next(rows))
        self._samples += state.samples
        self._impossible |= state.impossible

    def _identity(self) -> tuple[Any, ...]:
        return (
            self.kind,
            self.bound,
            self.lower,
            self.upper,
            self.upper_x,
            self.variance,
            self.alpha,
            self.slack,
        )

    def _positive_variance(self, variance: float) -> float:
        """Return a positive bound: for a deterministic Z any larger variance is a bound as well."""
        scale = min(max(abs(self.bound), abs(self.lower), abs(self.upper or 0.0)), 1e150)
        return max(variance, (1e-9 * scale) ** 2, 1e-300)

    def _require_room(self) -> None:
        problems = Problems("MeanTest")
        if self.kind == "eq":
            problems.require(
                self.slack > 0,
                f"tolerance must be positive for kind 'eq' with bound={self.bound}; give an absolute one, "
                "such as a fraction of the quantization step",
            )
            problems.require(
                self.lower < self.bound - self.slack,
                f"lower={self.lower} must be below bound - tolerance={self.bound - self.slack} (kind 'eq'); "
                "give the true lower end of the range of Z, or a smaller tolerance",
            )
        if self.kind == "ratio":
            problems.require(
                self.lower == 0, f"lower={self.lower} must be 0 for kind 'ratio': it needs Z >= 0"
            )
            problems.require(self.bound >= 0, f"bound={self.bound} must be at least 0 for kind 'ratio'")
            problems.require(self.variance is None, "variance cannot be used by kind 'ratio'; leave it out")
        problems.raise_if_any()

    def _prepare(self) -> None:
        """Choose the e-processes (table of E1): `higher`, `lower` against the claim, the others for it."""
        b, lo, up, t = self.bound, self.lower, self.upper, self.slack
        against_higher: list[Process] = []
        against_lower: list[Process] = []
        below: list[Process] = []
        above: list[Process] = []
        if self.kind == "ratio":
            if self.upper_x is not None and b > 0:
                against_higher.append(_ratio_bet(1.0, b, b * self.upper_x))
            if up is not None:
                below.append(_ratio_bet(-1.0, b + t, up))
        else:
            if b > lo:
                against_higher.append(_bet(lo, b))
            if up is not None and up > b + t:
                below.append(_bet(up, b + t))
            if self.variance is not None:
                below.append(_catoni(1.0, b + t, self.variance))
        if self.kind == "eq":
            if up is not None and up > b:
                against_lower.append(_bet(up, b))
            if up is None and self.variance is not None:
                against_lower.append(_catoni(1.0, b, self.variance))
            above.append(_bet(lo, b - t))
            if self.variance is not None:
                above.append(_catoni(-1.0, b - t, self.variance))
        self._processes = {"higher": against_higher, "lower": against_lower, "below": below}
        if self.kind == "eq":
            self._processes["above"] = above

    def _side(self, side: str) -> float | None:
        """Return ln of the average e-value of one side, None if it has none, infinity if it is certain."""
        if side == "below" and self._never_above:
            return math.inf
        sums = self._sums[side]
        return log_mean_exp(sums) if len(sums) else None

    def _inside(
        self, problems: Problems, name: str, values: Array, lower: float, upper: float | None
    ) -> Array:
        """Return the values clipped to their range, after complaints about what lies outside."""
        finite = np.isfinite(values)
        if not finite.all():
            i = int(np.flatnonzero(~finite)[0])
            problems.require(
                False, f"{name}[{i}]={values[i]} must be a finite number; the sampler is at fault"
            )
            return values
        scale = max(abs(lower), abs(self.bound if upper is None else upper))
        top = math.inf if upper is None else upper
        outside = (values < lower - ROUND_OFF * scale) | (values > top + ROUND_OFF * scale)
        if outside.any():
            i = int(np.flatnonzero(outside)[0])
            problems.require(
                False,
                f"{name}[{i}]={values[i]} lies outside the declared range [{lower}, {upper}]; "
                "the range is wrong: that is a finding, not noise",
            )
        return np.clip(values, lower, top)

    def _leaves_no_room(self, values: Array) -> bool:
        """Return whether a value exceeds a bound that equals the end of the range of Z, beyond round-off."""
        scale = np.maximum(np.abs(values), max(abs(self.lower), abs(self.upper or 0.0), abs(self.bound)))
        if self.kind == "ratio":
            return self.bound == 0 and bool(np.any(values > ROUND_OFF * scale))
        if self.kind == "le":
            return self.bound <= self.lower and bool(np.any(values > self.bound + ROUND_OFF * scale))
        too_low = self.upper is not None and self.upper <= self.bound
        return too_low and bool(np.any(values < self.bound - ROUND_OFF * scale))


def _bet(end: float, null: float) -> Process:
    """Bet with y = (z - end) / (null - end), where z lies on the same side of `end` as the null."""

    def process(z: Array, x: Array) -> Array:
        with np.errstate(over="ignore"):
            return betting_sums(np.maximum((z - end) / (null - end), 0))

    return process


def _ratio_bet(sign: float, bound: float, scale: float) -> Process:
    """Bet with y = 1 + sign * (z - bound x) / scale."""

    def process(z: Array, x: Array) -> Array:
        with np.errstate(over="ignore"):
            return betting_sums(np.maximum(1 + sign * (z - bound * x) / scale, 0))

    return process


def _catoni(sign: float, null: float, variance: float) -> Process:
    """Bet against E Z >= null (sign 1) or E Z <= null (sign -1) under a bound on the variance."""

    def process(z: Array, x: Array) -> Array:
        return catoni_sums(sign * np.minimum(z, HUGE), sign * null, variance)

    return process


def _require_numbers(
    kind: str,
    bound: float,
    lower: float,
    variance: float | None,
    alpha: float,
    resolution: float,
    tolerance: float | None,
) -> None:
    problems = Problems("MeanTest")
    problems.require(kind in ("le", "eq", "ratio"), f"kind={kind!r} must be 'le', 'eq' or 'ratio'")
    problems.require(math.isfinite(bound), f"bound={bound} must be finite")
    problems.require(math.isfinite(lower), f"lower={lower} must be finite; the test needs a sure lower bound")
    problems.require(
        variance is None or 0 <= variance < math.inf,
        f"variance={variance} must be finite and at least 0; leave it out where it is unknown",
    )
    problems.require(0 < alpha < 1, f"alpha={alpha} must lie in (0, 1)")
    problems.require(0 <= resolution < math.inf, f"resolution={resolution} must be finite and at least 0")
    problems.require(
        tolerance is None or 0 < tolerance < math.inf, f"tolerance={tolerance} must be finite and positive"
    )
    problems.raise_if_any()


def _split_upper(kind: str, lower: float, upper: Any) -> tuple[float | None, float | None]:
    """Return the sure upper bounds of Z and of X."""
    problems = Problems("MeanTest")
    if kind != "ratio":
        problems.require(
            upper is None or (np.ndim(upper) == 0 and lower <= upper < math.inf),
            f"upper={upper} must be one finite number, at least lower={lower}; None where Z is unbounded",
        )
        problems.raise_if_any()
        return (None if upper is None else float(upper)), None
    pair = isinstance(upper, tuple | list) and len(upper) == 2 and any(end is not None for end in upper)
    problems.require(
        pair, f"upper={upper} must be the pair (B_X, B_Z) for kind 'ratio', at most one of them None"
    )
    problems.raise_if_any()
    for name, value in zip(("B_X", "B_Z"), upper, strict=True):
        problems.require(
            value is None or 0 < value < math.inf,
            f"{name}={value} in upper must be finite and positive, or None",
        )
    problems.raise_if_any()
    return tuple(None if value is None else float(value) for value in (upper[1], upper[0]))  # type: ignore[return-value]  # two entries
