"""How kernels are compiled: one thread, exact floating point, a cache on disk that is checked before use."""

import hashlib
import io
import os
import platform
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator

_DIGEST = hashlib.sha256().digest_size


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function at its first call, or take it from the cache.

    The folder is `BOUNDCHECK_KERNELS`, else one in the user's cache; its name tells the sources of all
    kernels and the versions that made it. Where it cannot be written, or others may write to it, every
    process compiles its kernels anew, and a warning says so once.
    """
    return _compiled(function, False)


def kernel_of_sums(function: Callable[..., Any]) -> Any:
    """Compile likewise, with sums in the order that suits the machine: other machines round differently."""
    return _compiled(function, {"reassoc", "nsz"})


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a part of kernels into each of them, never as a call: where a loop of few cycles needs it."""
    return numba.njit(function, error_model="numpy", nogil=True, forceinline=True)


def _compiled(function: Callable[..., Any], fastmath: Any) -> Any:
    # x / 0 is infinite, as in numpy.
    dispatcher = numba.njit(function, error_model="numpy", nogil=True, fastmath=fastmath)
    if _FOLDER is not None:
        dispatcher._cache = _Cache(function)
    return dispatcher


class _Locator(_CacheLocator):  # type: ignore[misc]  # numba has no types
    """All kernels are in one folder, whose name tells their sources."""

    def __init__(self, py_file: str) -> None:
        self._py_file = py_file

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":
        return cls(py_file)

    def get_cache_path(self) -> str:
        return str(_FOLDER)

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return Path(self._py_file).stem


class _Files(IndexDataCacheFile):  # type: ignore[misc]
    """Files with a digest at their end: what is damaged is never unpickled, but written anew."""

    def _load_index(self) -> Any:
        return super()._load_index() if _is_whole(self._index_path) else {}

    def _load_data(self, name: str) -> Any:
        if not _is_whole(self._data_path(name)):
            raise FileNotFoundError(name)  # as if it were not there
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        content = io.BytesIO()
        yield content
        with super()._open_for_write(filepath) as file:
            file.write(content.getvalue())
            file.write(hashlib.sha256(content.getvalue()).digest())  # behind the pickle, which ends by itself


def _is_whole(path: str) -> bool:
    try:
        data = Path(path).read_bytes()
    except OSError:
        return False
    return hashlib.sha256(data[:-_DIGEST]).digest() == data[-_DIGEST:]


class _Cache(FunctionCache):  # type: ignore[misc]
    class _impl_class(CompileResultCacheImpl):  # type: ignore[misc]  # numba's name
        _locator_classes = (_Locator,)

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, "")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever it was, a new kernel costs less than a second
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:  # a full disk: the kernel itself is there
            warnings.warn(f"kernels are not cached: {error}", RuntimeWarning, stacklevel=2)


def _cache_folder() -> Path | None:
    """Return a folder that is ours alone, made where it is missing; None with a warning otherwise."""
    sources = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py")))
    versions = f"{numba.__version__} {llvmlite.__version__} {platform.python_version()}".encode()
    named = os.environ.get("BOUNDCHECK_KERNELS")
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        base = Path(named) if named else home / "boundcheck" / "kernels"
        folder = base.absolute() / hashlib.sha256(sources + versions).hexdigest()[:16]
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.stat()
        if hasattr(os, "getuid") and (state.st_uid != os.getuid() or state.st_mode & 0o022):
            raise PermissionError(
                f"others can write to {folder}; set BOUNDCHECK_KERNELS to a folder of yours"
            )
        with tempfile.TemporaryFile(dir=folder):
            pass  # only whether a file can be written there
    except (OSError, RuntimeError) as error:  # RuntimeError: no home
        warnings.warn(f"kernels are not cached: {error}", RuntimeWarning, stacklevel=2)
        return None
    return folder


_FOLDER = _cache_folder()
