"""Squared errors of samples, for means over many of them: the samples themselves are not kept."""

from typing import Any

import numpy as np

from impl import tiers
from impl.compressors.checked_input import as_axes, as_weight, require_generator
from impl.compressors.contract import Array, Compressor, Tier
from impl.compressors.joint.correlated.correlated_quantizer import CorrelatedQuantizer
from impl.compressors.joint.joint_contract import JointCompressor
from impl.compressors.philox_draws import PhiloxUniforms
from impl.compressors.rounding.stochastic_quantizer import StochasticQuantizer
from impl.compressors.rounding.tern_grad import TernGrad
from impl.errors import ArgumentError, Problems

_WHERE = "squared_errors"


def squared_errors(
    compressor: Compressor | JointCompressor,
    x: Any,
    rng: np.random.Generator,
    size: int,
    weight: Any = None,
    *,
    tier: Tier = None,
) -> Array:
    """Return independent values of ||C(x) - x||^2_W, (size,), or of the estimate of a mean, for a joint one.

    The fused tier makes no array of samples for the stochastic quantizer, TernGrad without clipping and the
    correlated quantizer; all others are sampled in chunks of about a megabyte.

    Args:
        compressor: Of either kind.
        x: One vector, (d,), or one input of a joint compressor, (n, d).
        rng: Generator, advanced.
        size: Number of values.
        weight: W, (d,) or (d, d), positive semidefinite, diagonal for a joint compressor; the identity by
            default.
        tier: As of `Compressor.sample`.

    Raises:
        ArgumentError: An argument does not fit.
    """
    problems, joint, w = Problems(_WHERE), isinstance(compressor, JointCompressor), None
    known = isinstance(compressor, Compressor | JointCompressor)
    problems.require(known, f"compressor={compressor!r} must be one of impl.compressors")
    with problems.collect():
        require_generator(rng, _WHERE)
    with problems.collect():
        (size,) = as_axes((size,), "size", _WHERE)
    with problems.collect():
        tier = tiers.chosen(tier, _WHERE)
    problems.raise_if_any()
    member: Any = compressor
    x = member._inputs(x) if joint else member._vectors(x)
    if x.ndim != (2 if joint else 1):
        raise ArgumentError(
            f"{_WHERE}: x has shape {x.shape}; give one {'input (n, d)' if joint else 'vector (d,)'}"
        )
    w = as_weight(x.shape[-1:], weight, None, _WHERE)
    if joint and w is not None and w.ndim == 2:
        raise ArgumentError(f"{_WHERE}: weight must be diagonal, ({len(w)},); give its diagonal")
    with tiers.tier(tier):
        if tier == "fused" and size and (w is None or w.ndim == 1):
            found = _by_kernel(member, x, rng, size, np.ones(x.shape[-1]) if w is None else w)
            if found is not None:
                return found
        truth = x.mean(axis=0) if joint else x
        values = [_squares(chunk - truth, w) for chunk in member.sample_chunks(x, rng, size)]
    return np.concatenate(values) if values else np.empty(0)


def _squares(error: Array, w: Array | None) -> Array:
    error = error.astype(np.float64, copy=False)
    if w is None:
        return np.asarray(np.einsum("rd,rd->r", error, error))
    if w.ndim == 1:
        return np.asarray(np.einsum("rd,d,rd->r", error, w, error))
    return np.asarray(np.einsum("rd,rd->r", error @ w, error))


def _by_kernel(member: Any, x: Array, rng: np.random.Generator, size: int, w: Array) -> Array | None:
    """Return the values, None where there is no kernel: also for subclasses, whose changes must show."""
    if type(member) is CorrelatedQuantizer:
        return member.squared_errors_by_kernel(x, rng, size, w)
    if type(member) is StochasticQuantizer and x.dtype == np.float64:
        spacing, _, p = member._law(x)
    elif type(member) is TernGrad and member.clip is None and x.dtype == np.float64:
        _, scale, p = member._law(x)
        spacing = np.broadcast_to(scale, p.shape)
    else:
        return None
    with np.errstate(over="ignore"):
        up, down = w * np.square(spacing * (1 - p)), w * np.square(spacing * p)
    if not (np.isfinite(up).all() and np.isfinite(down).all()):
        return None
    from impl.kernels.error_sums import two_point_sums  # numba, where it is asked for

    sums, uniforms = np.empty(size), PhiloxUniforms(rng, (size, len(x)), np.float64)
    two_point_sums(p, up - down, float(down.sum()), uniforms.stream, sums)
    return sums
