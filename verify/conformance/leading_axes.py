"""Whether what takes any leading axes, also of no vectors, gives for each part what that gives alone."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np

from impl.compressors.contract import Compressor, Draws
from impl.compressors.joint.joint_contract import JointCompressor
from impl.hadamard import hadamard
from impl.matrix_roots import MatrixRoots
from verify.authoring import Comparisons, eq
from verify.comparison import ROUND_OFF

Judged = Callable[[Any], Any]
Calls = Mapping[str, tuple[Callable[..., Any], Sequence[Any]]]
_LEAD = (2, 3)
"""Two axes before those of one input, so that the last axis is neither the first nor the second one."""
_PLACES = ((0, 2), (1, 0))
"""Parts that are looked at alone."""


def leading_axes(judged: Judged, calls: Calls, at: Mapping[str, Any]) -> Comparisons:
    """Compare calls with inputs of leading axes (2, 3) with parts alone, no part, and another layout.

    A call may not change its inputs.

    Args:
        judged: What is made of each number: `stated`, `evaluated`, `scored` or a mutant.
        calls: Name to a function of arrays, or draws, and these, (2, 3, ...).
        at: What the witness names beside the call.
    """
    for name, (call, given) in calls.items():
        before, where = [_each(item, np.array) for item in given], {**at, "of": name}
        found = np.asarray(call(*given))
        parts = [[_each(item, itemgetter(place)) for item in given] for place in _PLACES]
        alone = [np.asarray(call(*part)) for part in parts]
        fits = found.shape == _LEAD + alone[0].shape and {found.dtype} == {item.dtype for item in alone}
        for lead in ((0,), (2, 0)):
            nothing = [_each(item, partial(_nothing, lead)) for item in given]
            fits &= np.shape(call(*nothing)) == lead + alone[0].shape
        yield eq("arrays of their shape and type", float(judged(float(fits))), 1.0, ROUND_OFF, witness=where)
        again = call(*(_each(item, np.asfortranarray) for item in given))
        off = _far(np.stack([found[place] for place in _PLACES]), np.stack(alone)) if fits else 1.0
        off += _far(found, np.asarray(again)) + _changes(before, given)
        yield eq("numbers of each part", float(judged(1 + off)), 1.0, ROUND_OFF, witness=where)


def _each(item: Any, of: Callable[[Any], Any]) -> Any:
    """Return what is made of an array, or of all arrays of draws."""
    if isinstance(item, Draws):
        return Draws(_each(item.shared, of), _each(item.private, of))
    if isinstance(item, tuple):
        return tuple(_each(part, of) for part in item)
    return item if item is None else of(np.asarray(item))


def _nothing(lead: tuple[int, ...], part: Any) -> Any:
    return np.zeros((*lead, *part.shape[len(_LEAD) :]), part.dtype)


def _far(found: Any, own: Any) -> float:
    """Return the largest difference, relative to the largest number where that is above 1."""
    size = max(1.0, float(np.abs(own).max(initial=0)))
    return float(np.abs(found.astype(float) - own.astype(float)).max(initial=0)) / size


def _changes(before: Any, after: Any) -> int:
    """Return how many numbers of inputs a call has changed."""
    found = 0
    for one, other in zip(before, after, strict=True):
        parts = [(one.shared, other.shared), (one.private, other.private)] if isinstance(one, Draws) else []
        for old, new in parts or [(one, other)]:
            pairs = zip(old, new, strict=True) if isinstance(old, tuple) else [(old, new)]
            found += sum(int((np.asarray(a) != np.asarray(b)).sum()) for a, b in pairs if a is not None)
    return found


def axes_of_clients(judged: Judged, cases: Mapping[str, tuple[Any, ...]], seed: int) -> Comparisons:
    """Compare what compressors of one client make of several vectors, and say of them, with each alone.

    Args:
        judged: `stated` or a mutant.
        cases: As of `own_laws`; side information is beside the inputs.
        seed: Of the streams.
    """
    for name, (compressor, numbers, _, *known) in cases.items():
        d = len(numbers)
        for kind in (np.float64, np.float32):
            x = np.sin(np.arange(1.0, 6 * d + 1)).reshape(*_LEAD, d).astype(kind)
            draws = compressor.draw(np.random.Generator(np.random.Philox(seed)), x.shape, kind)
            side = [0.75 * x.astype(float)] * bool(known)
            at = {"case": name, "kind": np.dtype(kind).name}
            calls = _of_laws(compressor, x, side) if kind == np.float64 else {}
            yield from leading_axes(judged, calls | _of_messages(compressor, x, draws, side), at)


def _of_messages(compressor: Compressor, x: Any, draws: Draws, side: Sequence[Any]) -> Any:
    def in_transit(x: Any, draws: Draws, *side: Any) -> Any:
        return compressor.decode(compressor.encode(x, draws), draws.shared, None, *side)

    return {
        "what is received": (compressor.compress, (x, draws, *side)),
        "what arrives": (in_transit, (x, draws, *side)),
        "bits": (lambda x, draws: compressor.message(x, draws).bits, (x, draws)),
    }


def _of_laws(compressor: Compressor, x: Any, side: Sequence[Any]) -> Any:
    d = x.shape[-1]
    diagonal, rows = 1 + np.arange(1.0, d + 1), np.cos(np.arange(9.0 * d * d)).reshape(9, d, d)
    matrices = rows @ np.swapaxes(rows, -1, -2) + np.eye(d)

    def moments(x: Any, *side: Any, weight: Any) -> Any:
        found = compressor.moments(x, weight, *side)
        return np.stack([part for part in vars(found).values() if part is not None], axis=-1)

    def variance(x: Any, *side: Any, **weight: Any) -> Any:
        return compressor.variance(x, **weight, **({"side": side[0]} if side else {}))

    found: dict[str, Any] = {"expected bits": (compressor.expected_bits, (x,))}
    for name, weight in {"none": None, "diagonal": diagonal, "matrix": matrices[0]}.items():
        found[f"variance, {name}"] = (partial(variance, weight=weight), (x, *side))
        found[f"moments of the error, {name}"] = (partial(moments, weight=weight), (x, *side))
    nodes = [np.stack([item, -item, item / 2], axis=-2) for item in (x, *side)]
    of_nodes = {"diagonal": np.stack([diagonal, 1 / diagonal, 2 * diagonal]), "matrix": matrices[:3]}
    for name, weight in of_nodes.items():
        found[f"variance of nodes, {name}"] = (partial(variance, node_weight=weight), nodes)
    return found


def axes_of_joint(
    judged: Judged, cases: Mapping[str, tuple[JointCompressor, Any, Any]], seed: int
) -> Comparisons:
    """Compare what joint compressors make of several inputs (n, d), and say of them, with each alone.

    Args:
        judged: `stated` or a mutant.
        cases: As of `own_joint_laws`.
        seed: Of the streams.
    """
    for name, (compressor, rows, weight) in cases.items():
        n, d = np.shape(rows)
        x = np.sin(np.arange(1.0, 6 * n * d + 1)).reshape(*_LEAD, n, d)
        draws = compressor.draw(np.random.Generator(np.random.Philox(seed)), x.shape)
        calls: Calls = {
            "what is received": (compressor.compress, (x, draws)),
            "bits": (compressor.bits, (x, draws)),
            "estimates": (compressor.estimate, (x, draws)),
            "expected bits": (compressor.expected_bits, (x,)),
            "variances of coordinates": (compressor.coordinate_variances, (x,)),
            "variance": (compressor.variance, (x,)),
            "variance, diagonal": (partial(compressor.variance, weight=np.array(weight, dtype=float)), (x,)),
        }
        yield from leading_axes(judged, calls, {"case": name})


def many_long_clients(judged: Judged, compressor: JointCompressor, n: int, d: int) -> Comparisons:
    """Compare variances of coordinates of two long inputs of many clients, made in parts, with each alone.

    Args:
        judged: `stated` or a mutant.
        compressor: A joint one.
        n: Clients.
        d: Coordinates.
    """
    x = np.sin(np.arange(1.0, 2 * n * d + 1)).reshape(2, n, d)
    both = compressor.coordinate_variances(x)
    off = _far(both, np.stack([compressor.coordinate_variances(part) for part in x]))
    yield eq("numbers of each part", float(judged(1 + off)), 1.0, ROUND_OFF, witness={"n": n, "d": d})


def axes_of_problems(judged: Judged, problems: Mapping[str, Any]) -> Comparisons:
    """Compare what problems are at several points with each alone, and their steps to a penalty.

    Args:
        judged: `evaluated` or a mutant.
        problems: Some, by name.
    """
    for name, problem in problems.items():
        x = np.sin(np.arange(1.0, 6 * problem.d + 1)).reshape(*_LEAD, problem.d)
        y = np.cos(x)
        calls: Calls = {
            "values of nodes": (problem.objectives, (x,)),
            "value": (problem.objective, (x,)),
            "slopes of nodes": (problem.gradients, (x,)),
            "slope": (problem.gradient, (x,)),
            "value with slopes": (lambda x, of=problem: of.evaluate(x)[0], (x,)),
            "slopes with a value": (lambda x, of=problem: of.evaluate(x)[1], (x,)),
            "divergences": (problem.bregman, (x, y)),
            "steps to a penalty": (partial(problem.prox, step_size=0.3), (x,)),
        }
        yield from leading_axes(judged, calls, {"problem": name})


def axes_of_roots(judged: Judged, matrices: Any) -> Comparisons:
    """Compare roots of several matrices, what they do to vectors, and Hadamard transforms with each alone.

    Args:
        judged: `evaluated` or a mutant.
        matrices: Symmetric ones, (2, 3, d, d), d a power of two, some of low rank.
    """
    diagonals = np.diagonal(matrices, axis1=-2, axis2=-1)
    calls: dict[str, Any] = {"transform": (hadamard, (matrices,))}
    for of in ("root", "pseudo_inverse_root", "projector", "diagonal", "lambda_max", "rank"):
        dense: Any = lambda given, of=of: getattr(MatrixRoots.from_dense(given), of)  # noqa: E731
        flat: Any = lambda given, of=of: getattr(MatrixRoots.from_diagonals(given), of)  # noqa: E731
        calls |= {f"{of}, dense": (dense, (matrices,)), f"{of}, diagonal": (flat, (diagonals,))}
    none = MatrixRoots.from_dense(matrices[:, :0])
    calls["no matrices"] = (none.apply_root, (np.zeros((*_LEAD, *none.diagonal.shape)),))
    x = np.stack([matrices, -matrices[..., ::-1]], axis=-3)[..., 0, :]
    for name, roots in {"dense": matrices[0, :2], "diagonal": diagonals[0, :2]}.items():
        made = MatrixRoots.of_nodes(roots)
        for what in ("apply_root", "apply_pseudo_inverse_root", "project"):
            calls[f"{what}, {name}"] = (getattr(made, what), (x,))
    yield from leading_axes(judged, calls, {"roots": "several"})
