"""One input of a check: its samples, and every test that they serve."""

import math
import time
from typing import Any

from verify.context import Context
from verify.errors import UsageError
from verify.foreign.adapter import AtInput, ForeignCompressor, guarded_variance
from verify.foreign.bias import BiasTest
from verify.foreign.claims import Claims
from verify.foreign.clock import Clock
from verify.foreign.guard import CompressorFault, guarded
from verify.foreign.second_moment import BoundTest, StatedTest
from verify.outcome import Evidence, json_ready
from verify.reporting.compressor_report import NamedEvidence

REACH = 2.0
"""Without a statement of its own a compressor is taken to stay within REACH (1 + omega) ||x|| of x.

Unbiased sparsifiers, quantizers, natural and ternary ones stay within (1 + omega) ||x||; a compressor that is
seen beyond is judged by the variance that is claimed alone.
"""

ENTRIES = 2**17
"""Entries of one batch of samples: it stays in the cache."""

FIRST = 32
"""Samples of the first look; it takes fewer where calls are slow."""

ROWS, SLOW_ROWS, SLOW = 2048, 4, 0.02
"""Most samples of one batch, those of a compressor whose call is slow, and the seconds from which it is."""


_TIMING = 10**9
"""Number of the stream of a call that is only timed."""


class Arm:
    """An input with the tests of what is claimed there; all of them see the same samples.

    Args:
        name: Name of the input.
        x: The input, (d,), or (n, d) for several nodes.
        foreign: The compressor.
        claims: What is claimed of it.
        seed: Master seed of the check.
    """

    def __init__(self, name: str, x: Any, foreign: ForeignCompressor, claims: Claims, seed: int) -> None:
        import numpy as np

        self.name, self.foreign, self.claims, self.seed = name, foreign, claims, seed
        self.x = np.asarray(x, dtype=foreign.dtype).astype(float)
        self.flat = self.x if foreign.n is None else self.x.mean(axis=0)
        self.square = float((self.x**2).sum()) / (foreign.n or 1)
        self.norm = self._scale = math.sqrt(self.square)  # the scale is the length of the claimed mean
        self._offset: Any = None
        self.samples, self._batches, self.rows = 0, 0, 1
        self.sure: list[NamedEvidence] = []
        self.deterministic = False
        self.bias: BiasTest | None = None
        self.bounds: list[BoundTest] = []
        self.stated: list[tuple[str, StatedTest]] = []
        self.largest = 0.0  # mean squared error over ||x||^2 so far
        self._context = Context("check", "montecarlo", name, seed=seed)

    # ---------------------------------------------------------------- first look

    def open(self, first: int = FIRST) -> Any:
        """Return the errors of a first look, (m, d), of so many samples or fewer."""
        foreign = self.foreign
        rng = self._context.stream(0)
        start = time.monotonic()
        if foreign.untouched is not None:
            with guarded("a call", foreign.longest, AtInput(self.x)):
                self.deterministic = foreign.untouched(self.x.astype(foreign.dtype), rng)
        slow = time.monotonic() - start > SLOW
        if slow:  # the first call may import
            start = time.monotonic()
            foreign.samples(self.x, self._context.stream(_TIMING), 1)
            slow = time.monotonic() - start > SLOW
        self.rows = max(1, min(SLOW_ROWS if slow else ROWS, ENTRIES // self.x.size))
        errors = self._errors(2 if self.deterministic else SLOW_ROWS if slow else first)
        self.deterministic &= bool((errors == errors[0]).all())
        self._offset = self._claimed_offset()
        from_mean = errors if self._offset is None else errors - self._offset
        self.largest = float((from_mean**2).sum(axis=1).mean()) / max(self._scale**2, 1e-300)
        return errors

    def prepare(self, errors: Any, omega: float) -> None:
        """Set up the tests, with the largest constant that is known or was seen, and enter the first look."""
        floor = self.foreign.round_off * self.norm
        for claim, bound in self.claims.bounds_at(self.x).items():
            if bound < 0:
                self.sure.append(NamedEvidence(f"{claim} at {self.name}", self._negative(bound)))
            elif self.deterministic:
                self._decide_bound(claim, bound, float((errors[0] ** 2).sum()))
            else:
                slack = 1.0 if self.foreign.dtype == "float64" else 1 + 1e-5
                self.bounds.append(BoundTest(claim, max(bound * slack, floor**2, 1e-300)))
        if self.claims.unbiased or self.claims.unbiased_given is not None:
            self._set_up_bias(errors, omega, floor)
        self._set_up_stated(floor, errors)
        self.enter(errors)

    def _set_up_bias(self, errors: Any, omega: float, floor: float) -> None:
        import numpy as np

        offset = np.zeros_like(self.flat) if self._offset is None else self._offset
        if self.deterministic:
            error = errors[0] - offset
            length = math.sqrt(float(error @ error))
            if length > floor * 100:
                self.sure.append(NamedEvidence(f"unbiased at {self.name}", self._not_identity(error, length)))
            return
        most = None
        if self.foreign.most is not None and self.foreign.n is None:
            most = self.foreign.most(self.x)
        shift = math.sqrt(float(offset @ offset))
        reach = REACH * (1 + omega) * (self._scale if not self.claims.bounds_error else self.norm + shift)
        if most is not None:
            reach = min(reach, math.sqrt(float(most)) * (1 + 1e-9) + shift)
        bounds = [bound for claim, bound in self.claims.bounds_at(self.x).items() if bound >= 0]
        variance = min(bounds) if bounds else None
        self.bias = BiasTest(self.flat, reach, variance if not shift else None, floor)

    def _set_up_stated(self, floor: float, errors: Any) -> None:
        claimed = self.claims.variance
        for name, oracle in (
            ("own exact variance", self.foreign.variance if self.foreign.states_its_error else None),
            ("variance", claimed and guarded_variance(claimed, self.foreign.longest)),
        ):
            if oracle is None:
                continue
            stated = self._one_number(oracle(self.x.copy()))
            if not math.isfinite(stated) or stated < 0:
                raise CompressorFault("variance", f"variance(x) = {stated} at {self.name}; it must be finite")
            if stated <= floor**2 or self.deterministic:
                self._decide_stated(name, stated, errors, floor)
                continue
            most = 2 * (self.norm + stated / self.norm) ** 2
            if self.foreign.most is not None and self.foreign.n is None:
                sure = self.foreign.most(self.x)
                most = most if sure is None else min(most, float(sure) * (1 + 1e-9))
            self.stated.append((name, StatedTest(stated, most)))

    def _one_number(self, found: Any) -> float:
        if found.shape:
            raise CompressorFault("shape", f"variance(x) has shape {found.shape}; it must be one number")
        return float(found)

    # ---------------------------------------------------------------- sampling

    def sample(self, size: int, clock: Clock) -> None:
        """Take so many fresh samples into account, fewer where the time is over."""
        while size > 0 and not clock.over():
            rows = min(size, self.rows)
            self.enter(self._errors(rows))
            size -= rows

    def _errors(self, size: int) -> Any:
        self._batches += 1
        size = min(size, self.rows)
        self.samples += size
        return self.foreign.errors(self.x, self._context.stream(self._batches), size)

    def enter(self, errors: Any) -> None:
        """Enter errors C(x) - x, (m, d), into every test."""
        import numpy as np

        if self.bias is not None:
            self.bias.update(errors if self._offset is None else errors - self._offset)
        if self.bounds or self.stated:
            squares = np.einsum("ij,ij->i", errors, errors)
            for test in self.moment_tests:
                test.update(squares)

    def _claimed_offset(self) -> Any:
        """Return E C(x) - x as `unbiased_given` says, None where it is 0."""
        import numpy as np

        if self.claims.unbiased_given is None:
            return None
        with guarded("unbiased_given(x)", self.foreign.longest):
            target = np.asarray(self.claims.unbiased_given(self.x.copy()), dtype=float)
        if target.shape != self.x.shape:
            raise UsageError(
                f"check_compressor: unbiased_given(x) has shape {target.shape} for x of shape {self.x.shape}"
            )
        self._scale = math.sqrt(float((target**2).sum()) / (self.foreign.n or 1))
        return target - self.x if self.foreign.n is None else (target - self.x).mean(axis=0)

    # ---------------------------------------------------------------- what was found

    @property
    def moment_tests(self) -> list[BoundTest | StatedTest]:
        """Return the tests of the mean squared error."""
        return [*self.bounds, *(test for _, test in self.stated)]

    @property
    def refuted(self) -> bool:
        """Return whether something claimed is refuted here."""
        if any(item.evidence.verdict == "violated" for item in self.sure):
            return True
        tests = self.moment_tests
        return (self.bias is not None and self.bias.refuted) or any(test.refuted for test in tests)

    def promise_of_bias(self) -> float:
        """Return how far a mean error is from 0, in standard errors."""
        return self.bias.promise() if self.bias is not None else -math.inf

    def promise(self) -> float:
        """Return how far anything is on the wrong side, in standard errors."""
        return max(self.promise_of_bias(), self.promise_of_moment())

    def growth(self) -> float:
        """Return the evidence that a sample adds, by the best bet so far."""
        best = [test.best() for test in self.moment_tests]
        if self.bias is not None:
            best.append(self.bias.best())
        return max(best, default=0.0) / max(self.samples, 1)

    def promise_of_moment(self) -> float:
        """Return how far a mean squared error is on the wrong side, in standard errors."""
        tests = self.moment_tests
        return max((test.promise() for test in tests), default=-math.inf)

    def settled(self, resolution: float) -> bool:
        """Return whether the resolution is reached here for everything that is claimed."""
        if self.bias is not None and self.bias.detectable() > resolution * self.allowed():
            return False
        tests = self.moment_tests
        return all(test.settled(resolution) for test in tests)

    def unresolved_above(self, resolution: float) -> bool:
        """Return whether a mean squared error lies above its bound here and is not decided."""
        return any(test.unresolved_above(resolution) for test in self.bounds)

    def needed(self, resolution: float) -> float:
        """Return about how many samples the resolution takes here."""
        tests = self.moment_tests
        counts = [test.needed(resolution) for test in tests]
        if self.bias is not None:
            counts.append(self.bias.needed(resolution * self.allowed()))
        return max(counts, default=0.0)

    def allowed(self) -> float:
        """Return the length of an error that the claims allow here, of the mean where they bound none."""
        bounds = [bound for bound in self.claims.bounds_at(self.x).values() if bound > 0]
        return math.sqrt(min(bounds)) if bounds else self._scale

    def evidence(self) -> list[NamedEvidence]:
        """Return what each test says here."""
        found = list(self.sure)
        for test in self.bounds:
            found.append(
                NamedEvidence(
                    f"mean squared error, {test.claim}, at {self.name}", test.evidence(self.x, self.seed)
                )
            )
        for name, stated in self.stated:
            found.append(NamedEvidence(f"{name} at {self.name}", stated.evidence(self.x, self.seed)))
        if self.bias is not None:
            item = self.bias.evidence(self.x, self.seed, self.norm)
            found.append(NamedEvidence(f"unbiased at {self.name}", item))
        return found

    def _decide_bound(self, claim: str, bound: float, value: float) -> None:
        """Decide a bound at an input where nothing is random."""
        floor = (self.foreign.round_off * self.norm) ** 2
        slack = 1e-9 if self.foreign.dtype == "float64" else 1e-5
        above = value > max(bound * (1 + slack), floor)
        evidence = Evidence(
            "violated" if above else "consistent",
            "numerical" if above else "search",
            bound=bound,
            value=value,
            samples=self.samples,
            witness=json_ready({"x": self.x, "seed": self.seed, "samples": self.samples}),
            reason=f"C(x) is not random here: ||C(x) - x||^2 = {value:.9g}, {claim} allows {bound:.9g}",
        )
        self.sure.append(NamedEvidence(f"mean squared error, {claim}, at {self.name}", evidence))

    def _decide_stated(self, name: str, stated: float, errors: Any, floor: float) -> None:
        value = float((errors**2).sum(axis=1).max())
        wrong = abs(value - stated) > 1e-6 * stated + (100 * floor) ** 2
        evidence = Evidence(
            "violated" if wrong else "consistent",
            "numerical" if wrong else "search",
            bound=stated,
            value=value,
            samples=self.samples,
            witness=json_ready({"x": self.x, "seed": self.seed, "samples": self.samples}),
            reason=f"{stated:.6g} is stated, and ||C(x) - x||^2 = {value:.6g} is seen",
        )
        self.sure.append(NamedEvidence(f"{name} at {self.name}", evidence))

    def _negative(self, bound: float) -> Evidence:
        """Refute a claimed bound on a mean square that is negative."""
        reason = f"the claimed bound is {bound:.6g} at this input, but a mean square is not negative"
        return Evidence(
            "violated",
            "numerical",
            bound=bound,
            value=0.0,
            witness=json_ready({"x": self.x}),
            reason=reason,
        )

    def _not_identity(self, error: Any, length: float) -> Evidence:
        """Refute unbiasedness of a compressor that draws nothing and changes its input."""
        return Evidence(
            "violated",
            "numerical",
            samples=self.samples,
            witness=json_ready({"x": self.x, "direction": error / length, "bias": length, "seed": self.seed}),
            reason=f"C draws no random number and C(x) is not x: ||C(x) - x|| = {length:.6g}, "
            f"{length / self.norm if self.norm else math.inf:.3g} times the norm",
        )
