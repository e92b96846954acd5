"""Distributed SGD and MARINA with one quantizer on quadratics with shifts and noise, each at its own step."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from impl.compressors import CorrelatedQuantizer
from impl.optimizers import dcgd
from verify.authoring.law import formulas_of
from verify.experiments.cq_marina.methods import FLOAT_BITS, Arrival, Method
from verify.experiments.cq_marina.quadratics import quadratic, quadratic_method
from verify.formulas.evaluation import evaluate
from verify.rungs.costs import Samples

OFFSET, NOISE = 0.2, 0.002
"""How far the clients are shifted (`tridiagonal`), and the mean square of the noise of their gradients."""


@dataclass(frozen=True)
class Setting:
    """What keeps distributed SGD from the solution.

    Args:
        offset: How far the clients are shifted.
        noise: Mean square of the noise of a gradient.
    """

    offset: float
    noise: float


SETTINGS: Mapping[str, Setting] = {
    "shifted": Setting(OFFSET, 0.0),
    "sampled": Setting(OFFSET, NOISE),
    "alike": Setting(0.0, NOISE),
    "equal": Setting(0.0, 0.0),
}


class NoisyClients:
    """A joint compressor behind stochastic gradients: normal noise is added to what the clients compress.

    Args:
        compressor: The joint compressor.
        mean_square: Expected squared norm of the noise of a client.
    """

    def __init__(self, compressor: Any, mean_square: float) -> None:
        self.compressor, self.mean_square = compressor, mean_square

    def draw(self, rng: Any, shape: tuple[int, ...]) -> Any:
        """Return noise, and the draws of the compressor."""
        deviation = (self.mean_square / shape[-1]) ** 0.5
        return deviation * rng.standard_normal(shape), self.compressor.draw(rng, shape)

    def compress_counted(self, x: Any, draws: Any) -> Any:
        """Compress the noisy vectors."""
        noise, own = draws
        return self.compressor.compress_counted(x + noise, own)


@dataclass(frozen=True)
class Pair:
    """Both methods with correlated quantizers at n clients in a setting.

    Args:
        n: Number of clients.
        setting: Shifts and noise.
        law: The formulas of the claim.
    """

    n: int
    setting: Setting
    law: Any

    @cached_property
    def marina(self) -> Method:
        """Return MARINA at its best probability and its step."""
        return quadratic_method(self.n, "correlated", 0.0, self.setting.offset)

    @cached_property
    def constants(self) -> dict[str, float]:
        """Return the names of the formulas: A, B, a, c, S_sq, noise_sq, Psi."""
        gradients = quadratic(self.n, 0.0, self.setting.offset).gradients(np.zeros(self.marina.problem.d))
        spread = float(((gradients - gradients.mean(axis=0)) ** 2).sum(axis=-1).mean())
        pair = formulas_of("cq_marina/ab-cq")
        A, B = (evaluate(pair[name], {"n": self.n, "d": self.marina.problem.d}) for name in ("A", "B"))
        p, c = self.marina.probability, self.marina.share
        return {
            **{"n": self.n, "A": A, "B": B, "a": A - B, "c": c, "S_sq": spread},
            "noise_sq": self.setting.noise,
            "Psi": self.law("marina", p=p, c=c, a=A - B),
        }

    @cached_property
    def staying(self) -> float:
        """Return the error that stays at the solution."""
        return float(
            self.law("sigma_sq", **{k: self.constants[k] for k in ("A", "B", "n", "S_sq", "noise_sq")})
        )

    @property
    def crossover(self) -> float:
        """Return the squared gradient at which the prices agree."""
        a, c, Psi = (self.constants[name] for name in ("a", "c", "Psi"))
        if Psi >= 2 * c * (1 + a):
            return self.staying / float(self.law("crossover_fine", Psi=Psi, c=c))
        return self.staying / float(self.law("crossover_coarse", Psi=Psi, c=c, a=a))

    def step_size(self, accuracy: float) -> float:
        """Return the step of distributed SGD with the lowest price to an accuracy."""
        a, rho = self.constants["a"], self.staying / accuracy
        L = self.marina.constants.L_minus
        # Without an error that stays only the largest step is left.
        return float(self.law("step", a=a, rho=max(rho, 1e-300))) / L

    def bits_of_sgd(self, accuracy: float, rng: Any, rounds: int, replicates: int) -> Samples:
        """Return the bits of a client of distributed SGD to an accuracy."""
        quantizer: Any = CorrelatedQuantizer("binary", norm_bits=FLOAT_BITS)
        if self.setting.noise:
            quantizer = NoisyClients(quantizer, self.setting.noise)
        result = dcgd(
            self.marina.problem,
            quantizer,
            step_size=self.step_size(accuracy),
            rounds=rounds,
            rng=rng,
            replicates=replicates,
            gradient_until=float(accuracy),
        )
        found = Arrival(result.gradient_norm_sq, accuracy, self.marina)
        return found.samples(found.rounds * self.marina.message_bits)

    def bits_of_marina(self, accuracy: float, rng: Any, rounds: int, replicates: int) -> Samples:
        """Return those of MARINA."""
        result = self.marina.run(rng, rounds=rounds, replicates=replicates, accuracy=float(accuracy))
        return Arrival(result.gradient_norm_sq, accuracy, self.marina).bits
