"""Checks of `ndqsg/side-information`: enumerated and sampled messages of the first group, and the rule."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction as F
from functools import partial
from typing import Any

import numpy as np

import theory
from impl.compressors import DitheredQuantizer
from impl.compressors.contract import Draws
from impl.compressors.dither_stream import draw_dither
from verify.binding import Check, Lazy
from verify.comparison import ROUND_OFF, Comparison, rational
from verify.evaluation import evaluate, evaluate_exact
from verify.ndqsg.nested_average import Group
from verify.ndqsg.nested_links import grid
from verify.ndqsg.nested_overload_oracle import moments
from verify.ndqsg.ratio_rule import sub_gaussian_ratio
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase
from verify.rungs.symbolic import SymbolicCase

ID = "ndqsg/side-information"
COPIES = 16
NOISE = 0.25
"""A worker's noise is plus or minus this, in fine steps: the golden variance 1/16."""


@dataclass(frozen=True)
class Style:
    """How side information and its variance are formed.

    Args:
        raw: Sabotage: y is the mean of raw gradients.
        divisor_m: Sabotage: the sample variance has the divisor m.
        reverse: Number the first group the other way round.
    """

    raw: bool = False
    divisor_m: bool = False
    reverse: bool = False

    def observed(self, noises: Any, dithers: Any, own: Any) -> tuple[Any, Any]:
        """Return innovations and mean squared deviations in the first group, each (..., d).

        Args:
            noises: Noises of the first group, (m, ..., d); the true gradient is 0.
            dithers: Its dithers.
            own: Noise of the worker that is predicted, (..., d).
        """
        noises, dithers = (np.asarray(part)[:: -1 if self.reverse else 1] for part in (noises, dithers))
        decoded = DitheredQuantizer(1, scale=1.0).compress(noises, Draws(shared=dithers))
        y = (noises if self.raw else decoded).mean(axis=0)
        return own - y, decoded.var(axis=0)

    def correction(self, m: int) -> F:
        """Return the factor that makes sample variances of mean squared deviations."""
        return F(1) if self.divisor_m else F(m, m - 1)


SABOTAGED = {"raw-mean": Style(raw=True), "divisor-m": Style(divisor_m=True)}
FORMULAS = ("exact-messages", "quantization-not-subtracted")


def checks() -> tuple[Check, ...]:
    """Return the checks of the claim."""
    claim = theory.claim(ID)
    return (
        Check("symbolic", "derivation", SymbolicCase(claim.derivation), {}, seconds=0.1),
        _enumerated(2, 32),
        _enumerated(4, 4),
        Check("exact", "average", ExactCase(compare_average), {"P": [2, 4]}, seconds=0.1),
        Check("exact", "ratio", ExactCase(compare_ratio), {"epsilon": ["1/100", "1/10000"]}, seconds=0.1),
        _sampled_innovation(1),
        _sampled_innovation(4, sabotaged=True),
        _sampled_estimate(4),
    )


def stated(name: str, m: int, fine: F, claimed: str = "stated") -> F:
    """Return a formula of the claim at the noise used here, exactly, or that of a mutant."""
    values: dict[str, Any] = {"sigma_n_sq": F(NOISE) ** 2, "D": fine, "m": m}
    expressions = theory.claim(ID).expressions
    if name == "exact" and claimed == "exact-messages":
        values["D"] = F(0)
    if name == "estimate":
        values["sample_sq"] = stated("message", m, fine)
        if claimed == "quantization-not-subtracted":
            values["D"] = F(0)
    needed = {symbol.name for symbol in expressions[name].free_symbols}
    # A variance of zero is no positive symbol, but a value like any other.
    return F(rational(evaluate_exact(expressions[name], {key: values[key] for key in needed})))


def _enumerated(m: int, points: int) -> Check:
    def case(style: Style, claimed: str = "stated") -> ExactCase:
        return ExactCase(partial(compare, m, points, style, claimed))

    mutants = {key: case(style) for key, style in SABOTAGED.items()}
    mutants |= {key: case(Style(), key) for key in FORMULAS} | {"other-order": case(Style(reverse=True))}
    parameters = {"m": m, "N": points, "sigma_n_sq": "1/16"}
    return Check("exact", f"messages-{m}", case(Style()), parameters, mutants, seconds=0.1)


def compare(m: int, points: int, style: Style, claimed: str) -> Iterable[Comparison]:
    """Compare innovation and sample variance over all noises and dithers with the stated values.

    The noises are multiples of the spacing of the dithers, so the errors have the mean zero and the variance
    (1 - N^-2) / 12 exactly; all numbers are dyadic.
    """
    values = [np.array([-NOISE, NOISE]), grid(points)]
    axes = np.meshgrid(*(values[0],) * m, *(values[1],) * m, indexing="ij")
    rows = np.stack([axis.reshape(-1, 1) for axis in axes])
    fine = F(1, 12) * (1 - F(1, points**2))
    squares, samples = [], []
    for own in (-NOISE, NOISE):
        innovation, deviation = style.observed(rows[:m], rows[m:], own)
        squares.append(F(float((innovation**2).sum())) / len(innovation))
        samples.append(style.correction(m) * F(float(deviation.sum())) / len(deviation))
    found = (squares[0] + squares[1]) / 2
    witness = {"m": m, "N": points}
    innovation_variance = stated("exact", m, fine, claimed)
    yield Comparison("innovation", "eq", found, innovation_variance, witness=witness, headline=True)
    mean = stated("message", m, fine)
    yield Comparison("mean of the sample variance", "eq", samples[0], mean, witness=witness)
    rule = stated("estimate", m, fine, claimed)
    yield Comparison("estimate at that mean", "eq", rule, found, witness=witness)
    # No number of messages takes it below a worker's own noise.
    yield Comparison("own noise", "le", F(NOISE) ** 2, found, witness=witness)


def compare_average() -> Iterable[Comparison]:
    """Compare the enumerated average of all messages at gain 1 with the stated variance."""
    for m, points in ((1, 16), (2, 8)):
        fine = F(1, 12) * (1 - F(1, points**2))
        group = Group(m, 1.0)
        formula = theory.claim(ID).formulas["average"]
        value = evaluate_exact(formula, {"sigma_n_sq": F(group.noise) ** 2, "D": fine, "P": 2 * m})
        yield Comparison(f"average of {2 * m}", "eq", group.enumerated(points), value, headline=True)


def compare_ratio() -> Iterable[Comparison]:
    """Hold the exact overload of a Gaussian innovation at the stated ratio against its probability."""
    formula = theory.claim(ID).formulas["ratio"]
    for probability in (0.01, 0.0001):
        for sigma in (0.25, 0.5, 1.0, 3.0):
            ratio = sub_gaussian_ratio(sigma, probability)
            least = evaluate(formula, {"sigma": sigma, "epsilon": probability})
            witness = {"sigma": sigma, "epsilon": probability, "k": ratio}
            yield Comparison("stated ratio", "le", least, max(ratio, 2), ROUND_OFF, witness)
            overload = moments(sigma, ratio).overload
            yield Comparison("overload", "le", overload, probability, ROUND_OFF, witness, headline=True)


def _drawn(rng: np.random.Generator, m: int, size: int) -> tuple[Any, Any, Any]:
    """Return noises (m, size, COPIES), dithers of this shape and the noise of one more worker."""
    noises = NOISE * (2.0 * rng.integers(0, 2, (m + 1, size, COPIES)) - 1)
    return noises[:m], draw_dither(rng, (m, size, COPIES)), noises[m]


def _sampled_innovation(m: int, sabotaged: bool = False) -> Check:
    def case(style: Style, claimed: str = "stated") -> MonteCarloCase:
        def sample(rng: np.random.Generator, size: int) -> Any:
            return (style.observed(*_drawn(rng, m, size))[0] ** 2).mean(axis=-1)

        value = float(stated("exact", m, F(1, 12), claimed))
        return MonteCarloCase("eq", sample, value, upper=(2 * NOISE + 0.5) ** 2)

    mutants = {
        "raw-mean": Lazy(partial(case, SABOTAGED["raw-mean"]), tests=1),
        "exact-messages": Lazy(partial(case, Style(), "exact-messages"), tests=1),
    }
    parameters = {"m": m, "sigma_n_sq": "1/16", "D": "1/12"}
    base = Lazy(partial(case, Style()), tests=1)
    shown = mutants if sabotaged else {}
    return Check("montecarlo", f"innovation-{m}", base, parameters, shown, seconds=0.3)


def _sampled_estimate(m: int) -> Check:
    """The estimate from the sample variance, without its cut at zero, against the innovation."""

    def case(style: Style, claimed: str = "stated") -> MonteCarloCase:
        subtracted = 0.0 if claimed == "quantization-not-subtracted" else 1 / 12

        def sample(rng: np.random.Generator, size: int) -> Any:
            deviations = style.observed(*_drawn(rng, m, size))[1].mean(axis=-1)
            variances = float(style.correction(m)) * deviations
            return variances - subtracted + variances / m

        value = float(stated("exact", m, F(1, 12)))
        # m messages lie within half a step and a noise of zero.
        most = (NOISE + 0.5) ** 2 * m / (m - 1)
        upper = most * (1 + 1 / m) - subtracted
        return MonteCarloCase("eq", sample, value, lower=-subtracted, upper=upper)

    mutants = {
        "quantization-not-subtracted": Lazy(partial(case, Style(), "quantization-not-subtracted"), tests=1),
        "divisor-m": Lazy(partial(case, SABOTAGED["divisor-m"]), tests=1),
    }
    parameters = {"m": m, "sigma_n_sq": "1/16", "D": "1/12"}
    base = Lazy(partial(case, Style()), tests=1)
    return Check("montecarlo", f"estimate-{m}", base, parameters, mutants, seconds=0.5)
