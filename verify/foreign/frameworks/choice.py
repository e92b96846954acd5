"""Which framework a compressor is written in: what it is told, what it says, or what its code names."""

import importlib
import inspect
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from verify.errors import UsageError
from verify.foreign.frameworks.foreign_arrays import ForeignArrays
from verify.foreign.frameworks.framework import DTYPES, Framework
from verify.foreign.frameworks.numpy_arrays import NumpyArrays

_KNOWN = ("torch", "jax")
_ENTRIES = ("sample", "compress", "__call__")


def framework_of(
    compressor: Any, framework: str | ModuleType | Any | None, dtype: str | None, device: str | None
) -> Framework:
    """Return the framework, with the dtype that it takes by default where none is given.

    Args:
        compressor: The compressor.
        framework: Its name, "numpy", "torch", "jax" or that of a module; a module or an object like one; None
            to find out.
        dtype: "float64", "float32" or None.
        device: Device of torch or jax, None for the default.

    Raises:
        UsageError: The framework is not there, or cannot do this.
    """
    if dtype not in (None, *DTYPES):
        raise UsageError(f"check_compressor: dtype={dtype!r} must be 'float64' or 'float32'")
    if framework == "":
        raise UsageError(f"check_compressor: framework={framework!r} must be numpy, torch, jax, or a module")
    if framework is None:
        framework = getattr(compressor, "framework", None) or detected(compressor)
    name = framework if isinstance(framework, str) else getattr(framework, "__name__", None)
    if name == "numpy":
        if device is not None:
            raise UsageError(
                f"check_compressor: device={device!r} needs a framework with devices, not numpy; give "
                "framework='torch' or 'jax', or leave it out"
            )
        return NumpyArrays(dtype or "float64", None)
    if name in _KNOWN:
        _load(name)
        if name == "torch":
            from verify.foreign.frameworks.torch_tensors import TorchTensors

            return TorchTensors(dtype or "float64", device)
        from verify.foreign.frameworks.jax_arrays import JaxArrays

        return JaxArrays(dtype or "float32", device)
    module = _load(framework) if isinstance(framework, str) else framework
    return ForeignArrays(module, dtype or "float64", device)


def detected(compressor: Any) -> str:
    """Return the one of torch and jax that the code or the annotations of a compressor name, else numpy."""
    named = {name for function in _functions(compressor) for name in _modules(function)}
    found = [name for name in _KNOWN if name in named]
    return found[0] if len(found) == 1 else "numpy"


def _functions(compressor: Any) -> list[FunctionType]:
    found = [getattr(type(compressor), name, None) for name in _ENTRIES]
    candidates = [
        compressor,
        getattr(compressor, "__func__", None),
        getattr(compressor, "func", None),
        *found,
    ]
    return [item for item in map(inspect.unwrap, filter(callable, candidates)) if inspect.isfunction(item)]


def _modules(function: FunctionType) -> set[str]:
    """Return the tops of the modules that a function names in its code and annotations."""
    named = [function.__globals__.get(name) for name in _names(function.__code__)]
    named += [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
    tops = {item.__name__.partition(".")[0] for item in named if isinstance(item, ModuleType)}
    for item in function.__annotations__.values():
        text = item if isinstance(item, str) else getattr(item, "__module__", "")
        tops.add(text.partition(".")[0])
    return tops


def _is_filled(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:  # a name that is not given a value yet
        return False


def _names(code: CodeType) -> set[str]:
    inner = [_names(item) for item in code.co_consts if isinstance(item, CodeType)]
    return set(code.co_names).union(*inner)


def _load(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise UsageError(
            f"check_compressor: framework={name!r} cannot be imported ({error}); install it, or give a "
            "function of numpy arrays"
        ) from error
