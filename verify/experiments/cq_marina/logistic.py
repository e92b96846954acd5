"""Logistic regression of the experiments: problems, methods on them, and what runs of them need."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from verify.cq_marina.fixtures.marina.logreg_data import Parts, load_parts, problem_of
from verify.experiments.cq_marina.methods import Arrival, Method, exactly, method_of, rounded_down
from verify.rungs.costs import Samples

RIDGE, ACCURACY = 0.1, 1e-5
EMBEDDED = "unit breast-cancer"
"""Rows of unit length: the regulariser then outweighs the data, as on phishing."""
NUMBERED = ("perm_k", "correlated", "rand_k", "independent")
"""Methods by the number of their random stream."""

# Rounds of the runs: about nine of ten replicates arrive; the others count as longer.
LONGEST: Mapping[tuple[str, int], Mapping[str, int]] = {
    (EMBEDDED, 10): {"perm_k": 25, "correlated": 65, "independent": 110},
    ("phishing", 50): {"perm_k": 30, "correlated": 80, "independent": 120},
    ("w8a", 10): {"perm_k": 80},
    ("w8a", 50): {"perm_k": 260},
}


@functools.cache
def parts_of(data: str, n: int) -> Parts:
    """Return a data set for n clients, in file order."""
    if data != EMBEDDED:
        return load_parts(data, n)
    given = load_parts("breast-cancer", n)
    return replace(given, rows=given.rows / np.linalg.norm(given.rows, axis=1, keepdims=True))


@functools.cache
def logistic(data: str, n: int, order: int = 1) -> Any:
    """Return the problem of a data set; order -1 numbers the clients in reverse (embedded data only)."""
    return problem_of(parts_of(data, n), RIDGE, order)


@functools.cache
def logistic_method(data: str, n: int, name: str, order: int = 1) -> Method:
    """Return a method on it with its theoretical parameters."""
    return method_of(logistic(data, n, order), name, rounded_down)


def samples_of(
    data: str, n: int, names: Sequence[str], replicates: int, stream: Callable[[int], Any]
) -> dict[str, Samples]:
    """Return the bits to the accuracy of runs, `METHOD at N`."""
    found = {}
    for name in names:
        method = logistic_method(data, n, name)
        # A method that is gradient descent has one run.
        alone = method.probability == 1.0
        rounds = 20 if alone else LONGEST[data, n][name]
        result = method.run(
            stream(NUMBERED.index(name)), rounds=rounds, replicates=1 if alone else replicates
        )
        bits = Arrival(result.gradient_norm_sq, ACCURACY, method).bits
        found[f"{name} at {n}"] = exactly(float(bits[1][0]), replicates) if alone else bits
    return found
