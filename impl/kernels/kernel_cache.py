"""The cache of compiled kernels on disk: what it holds is checked before it is unpickled, and again after.

Every kernel has one file for each signature, whose name tells both, so that processes that compile at once
never write to one file for two kernels. A digest at its end is of its content, of its name and of the
signature: what is damaged, or in the wrong place, is compiled anew and written over.
"""

import hashlib
import os
import platform
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.serialize import dumps, pickle

_DIGEST = hashlib.sha256().digest_size


class _Locator(_CacheLocator):  # type: ignore[misc]  # numba has no types
    """All kernels are in one folder, whose name tells their sources."""

    def __init__(self, py_file: str) -> None:
        self._py_file = py_file

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":
        return cls(py_file)

    def get_cache_path(self) -> str:
        return str(FOLDER)

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return Path(self._py_file).stem


class _Files:
    """The files of one kernel; numba's own have numbers, which two processes may take at once.

    Args:
        folder: Where they are.
        base: With what their names begin.
    """

    def __init__(self, folder: Path, base: str) -> None:
        self._folder, self._base = folder, base

    def load(self, key: Any) -> Any:
        """Return what was saved, None where it is not there or not whole."""
        path = self._path(key)
        try:
            held = path.read_bytes()
        except OSError:
            return None
        content, digest = held[:-_DIGEST], held[-_DIGEST:]
        return pickle.loads(content) if digest == _digest(path, key, content) else None

    def save(self, key: Any, data: Any) -> None:
        """Write the file of a key at once: others see the old one or the new one."""
        path, content = self._path(key), dumps(data)
        with tempfile.NamedTemporaryFile(
            dir=self._folder, prefix=f"{path.name}.", suffix=".tmp", delete=False
        ) as file:
            try:
                file.write(content + _digest(path, key, content))
                file.close()  # Windows replaces no open file
                os.replace(file.name, path)
            except BaseException:
                file.close()
                os.unlink(file.name)
                raise

    def flush(self) -> None:
        """Remove the files of the kernel."""
        for path in self._folder.glob(f"{self._base}.*.nbc"):
            path.unlink(missing_ok=True)

    def _path(self, key: Any) -> Path:
        return self._folder / f"{self._base}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"


def _digest(path: Path, key: Any, content: bytes) -> bytes:
    # A key tells signature, machine and bytecode, but not the constants of a function: so its name, too.
    return hashlib.sha256(f"{path.name}\n{key!r}\n".encode() + content).digest()


class KernelCache(FunctionCache):  # type: ignore[misc]
    """The cache of one kernel."""

    class _impl_class(CompileResultCacheImpl):  # type: ignore[misc]  # numba's name
        _locator_classes = (_Locator,)

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _Files(Path(self._cache_path), self._impl.filename_base)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled kernel of a signature, None where it has to be compiled anew."""
        try:
            found = super().load_overload(sig, target_context)
            return found if found is None or self._is_of(found, sig) else None
        except Exception:  # whatever it was, a new kernel costs less than a second
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel, or warn why it cannot be kept."""
        try:
            super().save_overload(sig, data)
        except OSError as error:  # a full disk: the kernel itself is there
            warnings.warn(f"kernels are not cached: {error}", RuntimeWarning, stacklevel=2)

    def _is_of(self, compiled: Any, sig: Any) -> bool:
        """Tell whether a kernel is of this function and signature: a right digest alone does not say so."""
        function, made = self._py_func, compiled.fndesc
        same = (made.modname, made.qualname) == (function.__module__, function.__qualname__)
        return bool(same and compiled.signature.args == tuple(sig))


def _cache_folder() -> tuple[Path | None, str | None]:
    """Return a folder that is ours alone, made where it is missing; otherwise why there is none."""
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
            raise PermissionError(f"others can write to {folder}")
        with tempfile.TemporaryFile(dir=folder):
            pass  # only whether a file can be written there
    except (OSError, RuntimeError) as error:  # RuntimeError: no home
        remedy = "set BOUNDCHECK_KERNELS to a folder that only you can write to"
        return None, f"no folder keeps compiled kernels ({error}); {remedy}"
    return folder, None


FOLDER, NO_FOLDER = _cache_folder()
"""Where compiled kernels are kept; why there is no such folder."""
