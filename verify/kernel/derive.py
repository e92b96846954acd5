"""Run the derivation of a claim, and say what it has concluded."""

from __future__ import annotations

import importlib
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from theory.claim import Claim, Relation
from verify.kernel.bridge import formula
from verify.kernel.inequalities.implication import implies
from verify.kernel.kernel import Concluded, Kernel
from verify.kernel.node import KernelError
from verify.kernel.outline import OutlineStep, outline
from verify.kernel.text import text
from verify.kernel.theorem import Theorem

_CONCLUDED: dict[str, Mapping[str, Concluded]] = {}
"""What the last run of each claim has concluded."""

SECONDS = 120.0
"""Longest time that one derivation may take."""


@dataclass(frozen=True)
class Conclusion:
    """One relation of a claim that the kernel has concluded.

    Args:
        grade: `proof`, or `numerical` where one solver alone decided a step.
        cited: (formula, reference) of each cited formula on which it rests.
        hypotheses: The hypotheses of the claim on which it rests, by name.
        theorem: The theorems as text, one line for each link.
        instance: An exact instance that satisfies the hypotheses.
        steps: Number of theorems on which it rests.
    """

    grade: str
    cited: tuple[tuple[str, str], ...]
    hypotheses: tuple[str, ...]
    theorem: str
    instance: Mapping[str, str]
    steps: int


@dataclass(frozen=True)
class DerivationReport:
    """What a derivation has concluded.

    Args:
        conclusions: By relation.
        failed: Relation, or '' for the derivation itself, to the reason.
        seconds: CPU seconds.
        theorems: All theorems that were made, for attacks.
        outline: The steps that a reader follows, where they were asked for.
    """

    conclusions: Mapping[str, Conclusion]
    failed: Mapping[str, str]
    seconds: float
    theorems: tuple[Theorem, ...] = field(default=(), repr=False)
    outline: tuple[OutlineStep, ...] = field(default=(), repr=False)


def derivation_of(claim: Claim) -> Callable[[Any], None] | None:
    """Return the function `derive` of the claim's module, None where it has none."""
    import theory.reading.index

    module = importlib.import_module(theory.reading.index.entry(claim.id).module)
    return getattr(module, "derive", None)


def run(
    claim: Claim,
    derive: Callable[[Any], None] | None = None,
    *,
    seconds: float = SECONDS,
    outlined: bool = False,
) -> DerivationReport:
    """Run the derivation of a claim; what it raises is its failure, and what it had concluded stays."""
    start = time.process_time()
    failed: dict[str, str] = {}
    kernel: Kernel | None = None
    prove = None
    try:
        kernel = Kernel(claim)
        prove = derive or derivation_of(claim)
        if prove is not None:
            with _limited(seconds):
                prove(kernel)
    except KernelError as error:
        failed[""] = str(error)
    except TimeoutError:
        failed[""] = f"the derivation took more than {seconds:g} s"
    except RecursionError:
        failed[""] = "the derivation recurses without end"
    except (Exception, SystemExit) as error:
        failed[""] = f"the derivation raises {type(error).__name__}: {error}{_place(error, prove)}"
    concluded = {} if kernel is None else kernel.concluded
    _CONCLUDED[claim.id] = concluded
    wanted = {name for part in claim.parts if "proof" in part.evidence for name in part.says}
    for name in claim.relations:
        if name not in concluded and name in wanted:
            failed.setdefault(name, failed.get("", "no theorem concludes it"))
    conclusions = {name: _conclusion(item) for name, item in concluded.items()}
    theorems = () if kernel is None else kernel._register.theorems()
    steps = outline(claim, concluded) if outlined else ()
    return DerivationReport(conclusions, failed, time.process_time() - start, theorems, steps)


def refuses(claim: Claim, relation: str, changed: Relation) -> bool:
    """Return whether what the last run concluded for a relation is refused for a changed one."""
    item = _CONCLUDED.get(claim.id, {}).get(relation)
    if item is None:
        raise KernelError(f"relation {relation!r} of {claim.id} was not concluded")
    links = list(map(formula, changed.formulas))
    if len(links) != len(item.theorems):
        return True
    return not all(
        implies(theorem.conclusion, link) for theorem, link in zip(item.theorems, links, strict=True)
    )


def _conclusion(item: Any) -> Conclusion:
    cited = {(text(c.formula), c.reference): None for theorem in item.theorems for c in theorem.cited}
    numerical = any(theorem.numerical for theorem in item.theorems)
    return Conclusion(
        "numerical" if numerical else "proof",
        tuple(cited),
        item.rests,
        "\n".join(text(theorem.conclusion) for theorem in item.theorems),
        item.instance,
        len(_ancestors(item.theorems)),
    )


def _ancestors(theorems: tuple[Theorem, ...]) -> set[int]:
    found: set[int] = set()
    stack = list(theorems)
    while stack:
        theorem = stack.pop()
        if id(theorem) not in found:
            found.add(id(theorem))
            stack += theorem.parents
    return found


def _place(error: BaseException, prove: Callable[[Any], None] | None) -> str:
    """Return where in the file of the derivation an error arose, '' where it did elsewhere."""
    file = getattr(getattr(prove, "__code__", None), "co_filename", None)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Stop after a time where that is possible: in the main thread of a process."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
