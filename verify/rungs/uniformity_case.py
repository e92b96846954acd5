"""Uniformity of errors at several inputs, and their independence of covariates: for sampling and for runs."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verify.context import Context
from verify.errors import CheckError
from verify.outcome import ALPHA, Evidence
from verify.rungs.copies import require_fresh
from verify.rungs.real import require_real

BATCH = 4096
FEWEST = 16
"""Errors of a case: as many as refute, at the level of a test, that all of them are equal."""
OVERSHOOT = 1e-9
"""How far round-off may carry an error out of (-1/2, 1/2]; it is then taken modulo 1."""


@dataclass(frozen=True)
class UniformityCase:
    """Errors that should be uniform on (-1/2, 1/2], in several arms.

    The evidence is the mean of that of the arms, which is evidence again: one test for all of them.

    Args:
        sample: Maps (generator, m) to the arms: pairs of errors, any shape, and a covariate in [0, 1) of that
            shape, or None. An arm is always at the same place, with a covariate always or never.
        batches: Batches of `BATCH`, or of as many as `sample` makes of it.
    """

    sample: Callable[[Any, int], Sequence[tuple[Any, Any]]]
    batches: int = 12
    tests = 1

    def settings(self) -> Mapping[str, Any]:
        """Return how much is sampled: batches, arms, and which of these have a covariate."""
        import numpy as np

        arms = self.sample(np.random.Generator(np.random.Philox(0)), BATCH)
        return {"batches": self.batches, "arms": [covariate is not None for _, covariate in arms]}


def judge_uniformity(case: UniformityCase, context: Context) -> Evidence:
    """Sample in keyed batches and stop at the first crossing; uniformity itself cannot be proved.

    A mutant is rejected only with twice the evidence, so that another seed would reject it as well.
    """
    import numpy as np

    from verify.evidence.betting import log_mean_exp
    from verify.evidence.uniformity import UniformityTest

    needed = math.log(1 / ALPHA) * (2 if context.is_mutant else 1)
    tests: list[UniformityTest] = []
    samples, evidence = 0, 0.0
    first: dict[int, Any] = {}
    for batch in range(case.batches):
        arms = case.sample(context.stream(batch), BATCH)
        tests = tests or [UniformityTest(ALPHA) for _ in arms]
        for place, (test, (errors, covariate)) in enumerate(zip(tests, arms, strict=True)):
            require_real("errors", errors)
            values = 0.5 - np.asarray(errors, dtype=float).ravel()
            if not len(values) and not context.is_mutant:
                raise CheckError(f"arm {place} has no errors in batch {batch}; nothing can be told of none")
            outside = ~((values >= -OVERSHOOT) & (values < 1 + OVERSHOOT))
            if outside.any():
                return _outside(float(0.5 - values[outside][0]), place, batch, context)
            if batch == 1:
                require_fresh(first[place], values, context)
            first.setdefault(place, values.copy())
            test.update(_modulo_one(values), None if covariate is None else np.ravel(covariate))
            samples += len(values)
        evidence = log_mean_exp(np.array([test.log_evidence() for test in tests]))
        if evidence >= needed:
            break
    violated = evidence >= needed
    if samples < FEWEST and not violated and not context.is_mutant:
        raise CheckError(f"{samples} errors are too few to refute anything; sample at least {FEWEST}")
    worst = int(np.argmax([test.log_evidence() for test in tests]))
    return Evidence(
        "violated" if violated else "consistent",
        "guaranteed" if violated else "search",
        samples=samples,
        tests=1,
        witness={"batches": batch + 1, "seed": context.seed, "arm": worst},
        reason=(
            f"refuted at level {ALPHA:g} after {samples} errors: they are uniform; log-evidence "
            f"{evidence:.4g}, most of it in arm {worst}"
            if violated
            else f"{samples} errors in {len(tests)} arms are uniform as far as they tell"
        ),
    )


def _modulo_one(values: Any) -> Any:
    import numpy as np

    fractions = values - np.floor(values)
    return np.where(fractions < 1, fractions, 0.0)


def _outside(error: float, place: int, batch: int, context: Context) -> Evidence:
    return Evidence(
        "violated",
        "numerical",
        bound=0.5,
        value=abs(error),
        tests=1,
        witness={"batch": batch, "seed": context.seed, "arm": place, "error": repr(error)},
        reason=f"the error {error:.15g} in arm {place} lies outside of (-1/2, 1/2]",
    )
