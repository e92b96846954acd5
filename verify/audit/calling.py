"""From an entry of a suite to a compressor: import it, set it up, and call it as its project does."""

import copy
import importlib
import operator
from collections.abc import Callable
from typing import Any

from verify.audit.suite import Entry
from verify.errors import UsageError


class MissingCodeError(Exception):
    """What an entry names is not installed or not below the folder of the peers."""


def compressor_of(entry: Entry) -> tuple[Any, dict[str, Any]]:
    """Return the compressor and the claims, those that the object states itself put in.

    Raises:
        MissingCodeError: Its module or object is not there.
        UsageError: It cannot be made with the arguments of the entry.
    """
    target = load(entry.object)
    if ":" in entry.restore:
        load(entry.restore)  # what is missing is told before the first call
    if entry.adapter:
        made = _make(load(entry.adapter), {"target": target, **entry.arguments}, entry)
        return made, _claims(entry, made)
    instance = _instance(target, entry, 0, 0)
    for argument in ("call", "restore"):
        method = getattr(entry, argument)
        if method and ":" not in method and not hasattr(instance, method):
            raise UsageError(
                f"{entry.name}: {argument}={method!r} is no method of {type(instance).__name__}; name one of "
                "its methods, or leave it out"
            )
    claims = _claims(entry, instance)
    if entry.memory:
        memory = _make(load(entry.memory), dict(entry.memory_arguments), entry)
        return WithMemory(instance, memory, entry.kept), claims
    if entry.seed or entry.rank:
        return Fresh(target, entry), claims
    if entry.call or entry.restore:
        return Called(instance, entry), claims
    return instance, claims


def load(name: str) -> Any:
    """Return the OBJECT of MODULE:OBJECT, whose parts are joined by dots.

    Raises:
        MissingCodeError: It is not there.
        UsageError: It is not there, and would be a part of boundcheck.
    """
    module, _, attribute = name.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:  # whatever a module of others does when it is imported
        reason = f"{name} is not there ({type(error).__name__}: {error})"
        if module.partition(".")[0] == __name__.partition(".")[0]:
            raise UsageError(f"{reason}; it would be a part of boundcheck: correct its name") from error
        raise MissingCodeError(reason) from error
    return found


class Called:
    """A method of an instance as a function of x alone.

    Args:
        instance: The instance.
        entry: How it is called.
    """

    def __init__(self, instance: Any, entry: Entry) -> None:
        self._instance, self._entry = instance, entry

    def __call__(self, x: Any) -> Any:
        import numpy as np

        for name in self._entry.generators:
            seed = int(np.random.randint(2**31))  # noqa: NPY002  # the check seeds it before each call
            operator.attrgetter(name)(self._instance).manual_seed(seed)
        return _vector(self._instance, self._entry, x)


class Fresh:
    """A new instance for every call, with a seed, one for each node where there are several.

    Args:
        target: The class.
        entry: How it is made and called.
    """

    def __init__(self, target: Any, entry: Entry) -> None:
        self._target, self._entry = target, entry

    def __call__(self, x: Any) -> Any:
        import numpy as np

        seed = int(np.random.randint(2**31))  # noqa: NPY002  # the check seeds it before each call
        if x.ndim == 1:
            return _vector(_instance(self._target, self._entry, seed, 0), self._entry, x)
        apart = 0 if self._entry.rank else 1  # nodes without a rank have seeds of their own
        rows = [
            _vector(_instance(self._target, self._entry, seed + apart * rank, rank), self._entry, row)
            for rank, row in enumerate(x)
        ]
        return importlib.import_module(type(x).__module__.partition(".")[0]).stack(rows)


class WithMemory:
    """A compressor and a memory with `compensate` and `update`, in the order of GRACE.

    Args:
        compressor: It has `compress(tensor, name)` and `decompress(tensors, ctx)`.
        memory: The memory.
        kept: Attribute of the memory that maps names to what is kept.
    """

    def __init__(self, compressor: Any, memory: Any, kept: str = "residuals") -> None:
        self._compressor, self._memory, self._kept = compressor, memory, kept

    def compress(self, tensor: Any, name: str) -> Any:
        tensor = self._memory.compensate(tensor, name)
        tensors, ctx = self._compressor.compress(tensor, name)
        self._memory.update(tensor, name, self._compressor, tensors, ctx)
        return tensors, ctx

    def decompress(self, tensors: Any, ctx: Any) -> Any:
        return self._compressor.decompress(tensors, ctx)

    def memory(self, name: str) -> Any:
        return getattr(self._memory, self._kept).get(name)


def _instance(target: Any, entry: Entry, seed: int, rank: int) -> Any:
    if not isinstance(target, type):
        return target
    given = dict(entry.arguments)
    given |= {entry.seed: seed} if entry.seed else {}
    given |= {entry.rank: rank} if entry.rank else {}
    made = _make(target, given, entry)
    try:
        for method, arguments in entry.then.items():
            getattr(made, method)(*arguments)
    except Exception as error:  # whatever a method of others raises
        raise UsageError(f"{entry.name}: then= cannot be done ({type(error).__name__}: {error})") from error
    return made


def _make(target: Callable[..., Any], arguments: dict[str, Any], entry: Entry) -> Any:
    try:
        return target(**copy.deepcopy(arguments) if "target" not in arguments else arguments)
    except MissingCodeError:
        raise
    except Exception as error:  # whatever the constructor of others raises
        raise UsageError(
            f"{entry.name}: {getattr(target, '__name__', target)} cannot be made "
            f"({type(error).__name__}: {error})"
        ) from error


def _vector(instance: Any, entry: Entry, x: Any) -> Any:
    found = getattr(instance, entry.call)(x) if entry.call else instance(x)
    if entry.result is not None:
        found = found[entry.result] if isinstance(entry.result, int) else getattr(found, entry.result)
    if entry.restore:
        restore = load(entry.restore) if ":" in entry.restore else getattr(instance, entry.restore)
        found = restore(*found) if isinstance(found, tuple) else restore(found)
    return found


def _plain(value: Any) -> Any:
    """Return numbers of numpy as numbers of Python, sequences as tuples."""
    if isinstance(value, list | tuple):
        return tuple(_plain(item) for item in value)
    return value.item() if hasattr(value, "item") else value


def _claims(entry: Entry, instance: Any) -> dict[str, Any]:
    """Return the claims, with what methods of the instance return in place of their names."""
    found = {}
    for name, value in entry.claims.items():
        if isinstance(value, str) and name not in ("scale_equivariant",):
            try:
                value = getattr(instance, value)
                value = value() if callable(value) else value
            except Exception as error:  # whatever a method of others raises
                raise UsageError(
                    f"{entry.name}: claims.{name}={entry.claims[name]!r} is what it states itself, and "
                    f"cannot be had ({type(error).__name__}: {error})"
                ) from error
        found[name] = _plain(value)
    return found
