"""Rows of the table: rounds of MARINA on phishing and w8a."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from cases import Case, both
from data import libsvm_folder

import impl
from impl.compressors import CorrelatedQuantizer, Independent, JointCompressor, RandK
from impl.optimizers import marina
from impl.problems import Logistic, label_sorted_split, load_libsvm

ROUNDS, NODES, RIDGE = 20, 20, 0.1


def method_cases() -> Iterator[Case]:
    """Yield all rows of this module; without the data there is nothing to run."""
    folder = libsvm_folder()
    rows: list[tuple[str, str, JointCompressor, float]] = [
        ("MARINA, correlated", "phishing", CorrelatedQuantizer("binary"), 0.5),
        ("MARINA, Rand-15", "w8a", Independent(RandK(15)), 2.2),
    ]
    for mechanism, name, compressor, wanted in rows:
        if folder is None:
            yield Case(mechanism, f"{name}, a round", {}, lambda: None, {"ms": wanted})
            continue
        split = label_sorted_split(*load_libsvm(name, folder), NODES)
        problem = Logistic(*split, RIDGE, regulariser="nonconvex")

        def call(
            tier: str, rounds: int = ROUNDS, problem: Any = problem, compressor: Any = compressor
        ) -> Any:
            rng, given = np.random.default_rng(0), {"step_size": 0.5, "probability": 0.05}
            with impl.tier(tier):
                return marina(problem, compressor, rng=rng, rounds=rounds, **given)

        def check(call: Any = call) -> None:
            for tier in both(str):
                traced = call(tier, 100).gradient_norm_sq[0]
                assert traced[-1] < 1e-2 * traced[0]

        rows_of_data = np.asarray(getattr(split[0], "data", split[0]))
        target = np.empty_like(rows_of_data)

        def copy(source: Any = rows_of_data, target: Any = target) -> None:
            for _ in range(ROUNDS):
                np.copyto(target, source)

        members = {**both(call), "copy": copy}
        yield Case(mechanism, f"{name}, a round", members, check, {"ms": wanted}, ROUNDS)
