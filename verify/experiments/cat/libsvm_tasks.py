"""Problems on LIBSVM sets for the figures of this paper, and their runs on one node.

Problems and runs are kept, as several figures of a notebook show them.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from verify.context import MASTER_SEED
from verify.experiments.cat.adaptive_runs import Comparison, CostedRun

SETS = ("phishing", "a9a", "w8a")
METHODS = ("gd", "top-8", "top-32", "cat_st", "cat_s", "cat_sq")
REPLICATES = 3
"""Of the random rule."""


@dataclass(frozen=True)
class Task:
    """A problem on one node and how far its runs go.

    Args:
        data: The LIBSVM set.
        squares: Whether the loss is the squared error instead of the logistic one.
        rounds: Most iterations; an iteration takes up to milliseconds.
        packet_rounds: Most of the random rule over packets, which takes milliseconds to choose.
    """

    data: str
    squares: bool
    rounds: int
    packet_rounds: int

    @property
    def label(self) -> str:
        """Return what stands beside the panels."""
        return f"{self.data}, {'least squares' if self.squares else 'logistic'}"


TASKS = {
    "phishing": Task("phishing", False, 2500, 400),
    "a9a": Task("a9a", False, 250, 250),
    "w8a": Task("w8a", False, 200, 100),
    "phishing-squares": Task("phishing", True, 2500, 400),
    "a9a-squares": Task("a9a", True, 1000, 250),
    "w8a-squares": Task("w8a", True, 1000, 150),
}


@cache
def rows(name: str) -> tuple[Any, Any]:
    """Return the features (N, d), a CSR matrix, and the labels (N,) of a set."""
    from impl.problems import load_libsvm

    return load_libsvm(name)


@cache
def problem(name: str) -> Any:
    """Return the problem of a task on one node, with the ridge 1/m."""
    from impl.problems import LeastSquares, Logistic, contiguous_split

    features, labels = rows(TASKS[name].data)
    parts, signs, counts = contiguous_split(features, labels, 1)
    made = LeastSquares if TASKS[name].squares else Logistic
    return made(parts, signs, 1 / features.shape[0], counts=counts)


@cache
def run(name: str, method: str, link: str) -> CostedRun:
    """Return the run of a method over a link, until the accuracy or as far as the task goes."""
    from impl.communication import PRESETS

    if method != "cat_st":
        return _comparison(name, TASKS[name].rounds).run(method, link)
    task = TASKS[name]
    most = task.rounds if PRESETS[link].is_affine else task.packet_rounds
    return _comparison(name, most).run(method, link, REPLICATES)


@cache
def node_problem(name: str, n: int, ridge: float | None = None) -> Any:
    """Return logistic regression on a set over n nodes, rows sorted by label so that the nodes differ.

    Args:
        name: The set.
        n: Number of nodes.
        ridge: 1/m if left out.
    """
    from impl.problems import Logistic, label_sorted_split

    features, labels = rows(name)
    parts, signs = label_sorted_split(features, labels, n)
    return Logistic(parts, signs, 1 / features.shape[0] if ridge is None else ridge)


@cache
def _comparison(name: str, most: int) -> Comparison:
    return Comparison(problem(name), MASTER_SEED, name, most)
