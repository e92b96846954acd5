"""The authors' protocol of the quadratics of arXiv 2401.05518, with their constants and with those of claims.

Read from public code (BlackSamorez/MiniFL at a687565): tridiagonal quadratics in 32 dimensions, equal
clients, one run of 400 rounds, squared gradient norm against uplink bits over the number of clients; the
probability of a whole gradient by a search from one half. Their runs are drawn unseeded: one of them is a
sample of ours.
"""

from typing import Any

import numpy as np

from verify.errors import UsageError
from verify.experiments.cq_marina.methods import FLOAT_BITS, Arrival, Method, with_noise
from verify.experiments.cq_marina.public_rand_k import kept, methods, parameters
from verify.experiments.cq_marina.quadratics import DIMENSION, quadratic_method

QUARTER = 0.25
"""What the code takes of the constants of the one-bit quantizers (`cq_marina/finding-quarter-constant`)."""
ONE_BIT_LENGTH = (FLOAT_BITS + DIMENSION) / (FLOAT_BITS * DIMENSION)
"""The length c of a message of every method but PermK."""


def public(n: int) -> dict[str, Method]:
    """Return the methods at the constants of the code; PermK needs none on equal clients."""
    noises = {"independent": QUARTER * DIMENSION / n, "correlated": QUARTER * DIMENSION / n**2}
    found = {name: _at(quadratic_method(n, name), noise) for name, noise in noises.items()}
    return {"rand_k": _rand_k(n)["public"], "perm_k": quadratic_method(n, "perm_k"), **found}


def proved(n: int) -> dict[str, Method]:
    """Return the same methods at the constants that are proved."""
    others = ("perm_k", "independent", "correlated")
    return {"rand_k": _rand_k(n)["corrected"], **{name: quadratic_method(n, name) for name in others}}


def kbits(method: Method, accuracy: float, rng: Any, *, rounds: int, replicates: int) -> Any:
    """Return the kbits of messages of a client until the squared gradient norm is `accuracy`, sorted, (R,).

    Raises:
        UsageError: A run does not get there within `rounds`.
    """
    run = method.run(rng, rounds=rounds, replicates=replicates)
    arrival = Arrival(run.gradient_norm_sq, accuracy, method)
    if not arrival.arrived.all():
        raise UsageError(f"rounds={rounds} are too few for accuracy={accuracy:g}; give more")
    return np.sort(run.bits[np.arange(replicates), arrival.rounds.astype(int)]) / 1000


def _rand_k(n: int) -> dict[str, Method]:
    return methods(n, parameters(DIMENSION / kept(n, DIMENSION) - 1, ONE_BIT_LENGTH))


def _at(method: Method, noise: float) -> Method:
    probability = parameters(noise, ONE_BIT_LENGTH).probability
    return with_noise(method, noise * method.constants.L_minus**2, probability=probability)
