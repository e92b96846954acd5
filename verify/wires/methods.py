"""Methods by words, with the halves and step sizes that the theory gives them on a problem."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from verify.errors import UsageError

if TYPE_CHECKING:
    from impl.wires.halves import Server, Worker
    from verify.planning.setting import Setting

FORMS: dict[str, tuple[str, ...]] = {
    "gd": (),
    "dcgd": (),
    "dcgd_plus": ("varying", "block", "sparsification"),
    "diana": ("", "natural", "tern_grad", "rand_k"),
    "diana_plus": ("varying", "block", "sparsification"),
    "averaged_gd": ("natural", "tern_grad", "rand_k"),
    "memory_gd": ("top_k", "one_bit"),
    "marina": ("perm_k", "correlated", "independent", "natural", "tern_grad", "rand_k"),
    "dqsg": (),
    "ndqsg": (),
}
"""Forms of each method after a colon; the first one is taken where none is given, for DIANA that of QSGD."""

ENTRIES = {"top_k": "largest entries", "rand_k": "random entries"}
"""Forms whose levels are a number of entries."""

RATIO = 3
"""Coarse over fine step of nested messages."""


@dataclass(frozen=True)
class Choice:
    """A method with its free parameters.

    Args:
        name: One of `FORMS`.
        form: One of its forms, or nothing.
        levels: beta / sqrt(d) of DCGD and DIANA, M of dithered quantizers, numbers of entries.
        probability: Of whole gradients of MARINA; None for the bits of a message over those of a gradient.
        float_bits: Of numbers that travel as they are, 32 or 64.
    """

    name: str
    form: str
    levels: float = 1.0
    probability: float | None = None
    float_bits: int = 32

    @property
    def words(self) -> str:
        """Return the method as it is given on the command line."""
        return self.name + (f":{self.form}" if self.form else "")


def choice(text: str, **options: Any) -> Choice:
    """Return a method by words, `NAME` or `NAME:FORM`.

    Raises:
        UsageError: An unknown name or form, or options out of range; all problems in one message.
    """
    name, colon, form = text.partition(":")
    problems = []
    if name not in FORMS:
        known = ", ".join(_known(key) for key in FORMS)
        problems.append(f"METHOD={text!r} is unknown; choose one of {known}")
    elif colon and (not form or form not in FORMS[name]):
        forms = ", ".join(f"{name}:{item}" for item in FORMS[name] if item) or f"{name} alone"
        problems.append(f"METHOD={text!r} has an unknown form; choose {forms}")
    found = Choice(name, form or next(iter(FORMS.get(name, ())), ""), **options)
    if not 0 < found.levels < math.inf:
        problems.append(f"levels={found.levels!r} must be positive and finite, such as 1")
    elif name in ("dqsg", "ndqsg") and found.levels != int(found.levels):
        problems.append(f"levels={found.levels!r} of a dithered quantizer must be a whole number")
    elif found.form in ENTRIES and found.levels != int(found.levels):
        entries = ENTRIES[found.form]
        problems.append(f"levels={found.levels!r}, the number of {entries}, must be a whole number")
    if found.probability is not None and not 0 < found.probability <= 1:
        problems.append(f"probability={found.probability!r} must be in (0, 1]")
    if problems:
        raise UsageError("; ".join(problems))
    return found


def _known(name: str) -> str:
    forms = "|".join(form for form in FORMS[name] if form)
    if not forms:
        return name
    return f"{name}[:{forms}]" if "" in FORMS[name] else f"{name}:{forms}"


@dataclass(frozen=True)
class Halves:
    """What runs.

    Attributes:
        server: Its half, at the start.
        workers: Theirs, each with its own part of the data.
        step_size: gamma.
    """

    server: Server
    workers: list[Worker]
    step_size: float


def halves(setting: Setting, chosen: Choice, seed: tuple[int, int]) -> Halves:
    """Return fresh halves of a method, from zero.

    Args:
        setting: Problem and accuracy; its step sizes are those of the claims.
        chosen: The method.
        seed: Two words that all ends hold.
    """
    if chosen.form in ENTRIES and chosen.levels > setting.d:
        raise UsageError(
            f"METHOD={chosen.words!r} sends levels={chosen.levels:g} entries of d={setting.d}; give at most "
            f"{setting.d}"
        )
    make: Callable[[Setting, Choice, tuple[int, int]], Halves]
    if chosen.name == "gd":
        make = _descent
    elif chosen.name == "marina":
        make = _marina
    elif chosen.name == "averaged_gd":
        make = _averaged
    elif chosen.name == "diana" and chosen.form:
        make = _shifted
    elif chosen.name == "memory_gd":
        make = _with_memory
    elif chosen.name in ("dqsg", "ndqsg"):
        make = _dithered
    else:
        make = _smoothness_aware
    return make(setting, chosen, seed)


def _server_options(step_size: float, chosen: Choice) -> dict[str, Any]:
    return {"step_size": step_size, "point_bits": chosen.float_bits}


def _descent(setting: Setting, chosen: Choice, _seed: tuple[int, int]) -> Halves:
    from impl.wires.halves import MeanServer, MeanWorker, Plain

    codec, step = Plain(setting.d, chosen.float_bits), 1 / setting.L
    workers: list[Worker] = [MeanWorker(setting.problem.part(i), codec) for i in range(setting.n)]
    server = MeanServer(np.zeros(setting.d), [codec] * setting.n, **_server_options(step, chosen))
    return Halves(server, workers, step)


def _alone(compressors: Sequence[Any], setting: Setting, seed: tuple[int, int]) -> list[Any]:
    from impl.wires.halves import Alone

    return [Alone(item, d=setting.d, seed=seed, worker=i) for i, item in enumerate(compressors)]


def _smoothness_aware(setting: Setting, chosen: Choice, seed: tuple[int, int]) -> Halves:
    from impl.wires.halves import MeanServer, MeanWorker, ShiftedServer, ShiftedWorker
    from verify.experiments.squant.methods import method_of
    from verify.planning.methods.smoothness_aware import step_size

    roots = setting.roots if chosen.name.endswith("plus") else None
    beta = chosen.levels * math.sqrt(setting.d)
    method = method_of(setting.problem, chosen.name, chosen.form or "standard", beta, roots, "paper")
    codecs = _alone([_of_node(method.compression.compressor, i) for i in range(setting.n)], setting, seed)
    step = step_size(setting, method)
    start, options = np.zeros(setting.d), _server_options(step, chosen)
    parts = [setting.problem.part(i) for i in range(setting.n)]
    own = [None if roots is None else roots.node(i) for i in range(setting.n)]
    workers: list[Worker]
    if method.learning_rate is None:
        workers = [MeanWorker(*item) for item in zip(parts, codecs, own, strict=True)]
        return Halves(MeanServer(start, codecs, roots, **options), workers, step)
    alpha = method.learning_rate
    workers = [
        ShiftedWorker(part, codec, learning_rate=alpha, roots=root)
        for part, codec, root in zip(parts, codecs, own, strict=True)
    ]
    server = ShiftedServer(start, codecs, learning_rate=alpha, roots=roots, **options)
    return Halves(server, workers, step)


def _of_node(compressor: Any, i: int) -> Any:
    """Return the compressor of one node, from one with a row of parameters for each."""
    from impl.compressors import BernoulliSparsifier, StochasticQuantizer

    if isinstance(compressor, BernoulliSparsifier):
        return BernoulliSparsifier(compressor.probabilities[i], value_bits=compressor.value_bits)
    if np.ndim(compressor.steps) == 0:
        return compressor
    return StochasticQuantizer(
        compressor.steps[i], blocks=compressor.blocks, norm_bits=compressor.norm_bits, code=compressor.code
    )


def _averaged(setting: Setting, chosen: Choice, seed: tuple[int, int]) -> Halves:
    from impl.wires.halves import MeanServer, MeanWorker
    from verify.planning.methods.unbiased import of_form, step_and_rounds

    messages = of_form(setting, chosen.form, int(chosen.levels))
    codecs = _alone([messages.compressor] * setting.n, setting, seed)
    step, _ = step_and_rounds(setting, messages.q)
    workers: list[Worker] = [MeanWorker(setting.problem.part(i), codecs[i]) for i in range(setting.n)]
    return Halves(MeanServer(np.zeros(setting.d), codecs, **_server_options(step, chosen)), workers, step)


def _shifted(setting: Setting, chosen: Choice, seed: tuple[int, int]) -> Halves:
    from impl.wires.halves import ShiftedServer, ShiftedWorker
    from verify.planning.methods.shifted import step_sizes
    from verify.planning.methods.unbiased import of_form

    messages = of_form(setting, chosen.form, int(chosen.levels))
    codecs = _alone([messages.compressor] * setting.n, setting, seed)
    step, alpha = step_sizes(setting, messages.q)
    workers: list[Worker] = [
        ShiftedWorker(setting.problem.part(i), codecs[i], learning_rate=alpha) for i in range(setting.n)
    ]
    options = {"learning_rate": alpha, **_server_options(step, chosen)}
    return Halves(ShiftedServer(np.zeros(setting.d), codecs, **options), workers, step)


def _with_memory(setting: Setting, chosen: Choice, seed: tuple[int, int]) -> Halves:
    from impl.compressors import OneBit, TopK
    from impl.wires.halves import MeanServer, MemoryWorker
    from verify.planning.methods.with_memory import lost_by_entries, lost_by_signs, step_size

    k, d = int(chosen.levels), setting.d
    entries = chosen.form == "top_k"
    compressor: Any = (
        TopK(k, value_bits=chosen.float_bits) if entries else OneBit(norm_bits=chosen.float_bits)
    )
    step = step_size(setting, lost_by_entries(k, d) if entries else lost_by_signs(d))
    codecs = _alone([compressor] * setting.n, setting, seed)
    workers: list[Worker] = [MemoryWorker(setting.problem.part(i), codecs[i]) for i in range(setting.n)]
    return Halves(MeanServer(np.zeros(d), codecs, **_server_options(step, chosen)), workers, step)


def _marina(setting: Setting, chosen: Choice, seed: tuple[int, int]) -> Halves:
    from impl.wires.halves import MarinaServer, MarinaWorker
    from impl.wires.halves.marina import Coins
    from verify.planning.methods.correlated import joint_of, step_size

    joint, bits = joint_of(setting, chosen.form, int(chosen.levels)), chosen.float_bits
    if joint is None:
        raise UsageError(f"METHOD='marina:{chosen.form}' needs at least two workers; give -n 2")
    probability = chosen.probability or min(1.0, joint.bits / (bits * setting.d))
    gamma = step_size(setting, joint, probability)
    coins = Coins(seed, probability)
    workers: list[Worker] = [
        MarinaWorker(setting.problem.part(i), joint.compressor, coins, worker=i, n=setting.n, bits=bits)
        for i in range(setting.n)
    ]
    server = MarinaServer(
        np.zeros(setting.d), joint.compressor, coins, bits=bits, **_server_options(gamma, chosen)
    )
    return Halves(server, workers, gamma)


def _dithered(setting: Setting, chosen: Choice, seed: tuple[int, int]) -> Halves:
    from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer
    from impl.wires.halves import MeanServer, MeanWorker
    from verify.planning.methods.dithered import step_size

    M, n = int(chosen.levels), setting.n
    plain, nested = DitheredQuantizer(M, norm_bits=32), []
    compressors: list[Any] = [plain] * n
    if chosen.name == "ndqsg":
        if n < 2:
            raise UsageError("METHOD='ndqsg' needs at least two workers; give -n 2")
        nested = list(range(n - n // 2, n))
        compressors[n - n // 2 :] = [NestedDitheredQuantizer(M, min(RATIO, 2 * M), norm_bits=32)] * (n // 2)
    codecs, step = _alone(compressors, setting, seed), step_size(setting, M)
    workers: list[Worker] = [MeanWorker(setting.problem.part(i), codecs[i]) for i in range(n)]
    server = MeanServer(np.zeros(setting.d), codecs, nested=nested, **_server_options(step, chosen))
    return Halves(server, workers, step)
