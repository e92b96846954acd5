"""Whether matrices that are symmetric but for rounding stand for their symmetric parts."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from impl.matrix_roots import MatrixRoots
from impl.problems import Quadratic
from verify.authoring import Comparisons, eq
from verify.comparison import ROUND_OFF
from verify.conformance.node_functions import same

Judged = Callable[[Any], Any]
_SKEW = 2e-11  # of the largest entry: below the 1e-10 that are taken, far above what is compared


def _skewed(matrices: Any) -> Any:
    """Return matrices (..., d, d) with what is above the diagonal larger, and below it smaller."""
    d = matrices.shape[-1]
    size = np.abs(matrices).max(axis=(-1, -2), keepdims=True)
    return matrices + _SKEW * size * np.sign(np.arange(d) - np.arange(d)[:, None])


def skewed_matrices(judged: Judged, matrices: Any) -> Comparisons:
    """Compare quadratic problems and roots of skewed matrices with those of symmetric ones.

    Args:
        judged: `evaluated` or a mutant.
        matrices: Positive definite, (n, d, d), with condition numbers below 100.
    """
    n, d = matrices.shape[:2]
    x, skewed = np.cos(np.arange(1.0, n * d + 1)).reshape(n, d), _skewed(matrices)
    for name, options in {"convex": {}, "any": {"convex": False}}.items():
        found, wanted = (Quadratic(given, **options) for given in (skewed, matrices))
        for what in ("objectives", "gradients"):
            fast, own = (getattr(made, what)(x) for made in (found, wanted))
            yield same(f"symmetric {what}", judged(fast), own, ROUND_OFF, {"problem": name})
        yield same("symmetric Hessian", judged(found.hessian(x[0])), wanted.hessian(x[0]), ROUND_OFF, {})
    found_roots, roots = (MatrixRoots.of_nodes(given) for given in (skewed, matrices))
    for what in ("root", "pseudo_inverse_root", "projector", "lambda_max"):
        fast, own = (getattr(made, what) for made in (found_roots, roots))
        yield same("symmetric roots", judged(fast), own, ROUND_OFF, {"of": what})


def skewed_weights(judged: Judged, cases: Mapping[str, tuple[Any, ...]]) -> Comparisons:
    """Compare moments of errors in a skewed weight with those in a symmetric one, if it is a matrix.

    Args:
        judged: `stated` or a mutant.
        cases: As of `own_laws`.
    """
    for name, (compressor, numbers, weight, *known) in cases.items():
        W, x = np.array(weight, dtype=float), np.array(numbers, dtype=float)
        if W.ndim == 1:
            continue
        side = [np.array(row, dtype=float) for row in known]
        skewed, at = _skewed(W), {"case": name}
        given, wanted = (compressor.moments(x, item, *side) for item in (skewed, W))
        pairs = [(getattr(given, of), getattr(wanted, of)) for of in ("mean", "variance", "upper")]
        variances = [compressor.variance(x, item, None, *side) for item in (skewed, W)]
        for found, own in (*pairs, variances):
            if own is not None:
                yield eq(
                    "stated moments in a skewed weight",
                    judged(float(found)),
                    float(own),
                    ROUND_OFF,
                    witness=at,
                )
