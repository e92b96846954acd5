"""The cache of compiled kernels: used again, rebuilt where damaged or foreign; numpy draws without one."""

import os
import pickle
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from impl import tiers

types = pytest.importorskip("numba").types

CODE = """
import warnings
warnings.simplefilter("error", RuntimeWarning)
from impl.kernels.philox import fill_words, try_it
print(try_it(), sum(fill_words.stats.cache_hits.values()), sum(fill_words.stats.cache_misses.values()))
"""


def run(folder, code=CODE, **environment):
    environment = {**os.environ, "BOUNDCHECK_KERNELS": str(folder), **environment}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the kernel that another process compiled."""
    folder = tmp_path_factory.mktemp("cache") / "kernels"
    found = run(folder)
    assert found.stdout.split() == ["None", "0", "1"], found.stderr
    return folder


@pytest.fixture
def called(monkeypatch):
    """Return a function that calls a kernel with a folder as if it had not been called in this process.

    It returns how many of its signatures were found there, and how many were compiled.
    """
    from impl.kernels import kernel_cache, philox
    from impl.kernels.compiled import kernel, kernel_with_memory

    def calling(folder, name, call):
        monkeypatch.setattr(kernel_cache, "FOLDER", folder)
        compiled = kernel_with_memory if name == "fill_uniforms" else kernel
        fresh = compiled(getattr(philox, name).py_func)
        monkeypatch.setattr(philox, name, fresh)
        call(philox)
        return sum(fresh.stats.cache_hits.values()), sum(fresh.stats.cache_misses.values())

    return calling


def test_kernels_are_used_again_and_rebuilt_where_they_are_damaged(tmp_path, folder, called):
    assert run(folder).stdout.split() == ["None", "1", "0"]
    kept = {path: path.read_bytes() for path in files(folder)}
    assert len(kept) == 1
    (own,) = {path.parent for path in kept}
    assert own.stat().st_mode & 0o077 == 0

    def tried(philox):
        assert philox.try_it() is None

    assert called(own, "fill_words", tried) == (1, 0)

    class Payload:
        def __reduce__(self):
            return (open, (str(tmp_path / "unpickled"), "w"))

    damages = [
        lambda data: data[:-1],
        lambda data: data[:50] + bytes([data[50] ^ 1]) + data[51:],
        lambda data: pickle.dumps(Payload()) + data[-32:],
        lambda data: pickle.dumps(Payload()),
        lambda data: b"",
    ]
    for damage in damages:
        for path, data in kept.items():
            path.write_bytes(damage(data))
        assert called(own, "fill_words", tried) == (0, 1)
    assert called(own, "fill_words", tried) == (1, 0)
    assert not (tmp_path / "unpickled").exists()


def _fill_both(philox):
    for dtype in ("float32", "float64"):
        found = np.empty(4, dtype)
        philox.fill_uniforms(found, np.uint64(0), np.zeros(4, np.uint32))
        assert round(float(found[0]), 5) == 0.39905


def test_a_kernel_in_the_place_of_another_is_compiled_anew(tmp_path, called):
    assert called(tmp_path, "fill_uniforms", _fill_both) == (0, 2)
    assert called(tmp_path, "fill_uniforms", _fill_both) == (2, 0)
    one, other = (path for path in files(tmp_path) if "fill_uniforms" in path.name)
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    assert called(tmp_path, "fill_uniforms", _fill_both) == (0, 2)
    assert called(tmp_path, "fill_uniforms", _fill_both) == (2, 0)


class _Compiled:
    """What a kernel of a function is to its cache."""

    def __init__(self, function, args):
        self.fndesc = SimpleNamespace(modname=function.__module__, qualname=function.__qualname__)
        self.signature = SimpleNamespace(args=args)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Return a cache in an empty folder, and a function that puts what it is to hold there."""
    from numba.core.registry import cpu_target

    from impl.kernels import kernel_cache
    from impl.kernels.philox import fill_words

    monkeypatch.setattr(kernel_cache, "FOLDER", tmp_path)
    made = kernel_cache.KernelCache(fill_words.py_func)

    def put(signature, content):
        key = made._index_key(signature, cpu_target.target_context.codegen())
        path = made._cache_file._path(key)
        path.write_bytes(content + kernel_cache._digest(path, key, content))
        return made.load_overload(signature, cpu_target.target_context)

    return made, put


@pytest.mark.parametrize("content", [b"junk", b"", pickle.dumps(5), pickle.dumps(("", {"a": "b"}))])
def test_what_is_no_kernel_is_compiled_anew_though_its_digest_is_right(cache, content):
    _, put = cache
    assert put((types.int64,), content) is None


def test_a_kernel_of_another_signature_or_function_is_compiled_anew(cache, monkeypatch):
    from impl.kernels import philox

    made, put = cache
    own, asked = philox.fill_words.py_func, (types.int64,)
    for function, args, taken in (
        (own, asked, True),
        (own, (types.int32,), False),
        (philox.fill_block.py_func, asked, False),
    ):
        loaded = _Compiled(function, args)
        monkeypatch.setattr(made._impl, "rebuild", lambda context, data, loaded=loaded: loaded)
        assert (put(asked, pickle.dumps(())) is loaded) == taken


def test_two_signatures_that_are_saved_at_once_have_a_file_each(cache):
    # Two processes, neither of which saw the file of the other.
    made, _ = cache
    for key in ("float32", "float64"):
        made._cache_file.save(key, key)
    assert [made._cache_file.load(key) for key in ("float32", "float64")] == ["float32", "float64"]
    made.flush()
    assert made._cache_file.load("float32") is None


def test_a_folder_that_others_can_write_to_is_not_used(folder):
    (own,) = folder.iterdir()
    own.chmod(0o777)
    try:
        found = run(folder, SAMPLES + CODE)
    finally:
        own.chmod(0o700)
    assert found.returncode == 0, found.stderr
    assert found.stdout.split() == ["None", "0", "1"]  # compiled, though a kernel is there
    assert f"others can write to {own}" in found.stderr


SAMPLES = """
import numpy as np
from impl import tiers
from impl.compressors import StochasticQuantizer
quantizer = StochasticQuantizer(1)
for _ in range(3):
    found = quantizer.sample(np.ones(300), np.random.default_rng(1), tier="fused")
    assert np.array_equal(found, quantizer.sample(np.ones(300), np.random.default_rng(1), tier="numpy"))
with tiers.tier("fused") as name:
    assert name == tiers.current() == "numpy"
"""


def test_without_a_folder_numpy_draws_with_one_warning_that_names_the_remedy(tmp_path):
    (tmp_path / "file").write_text("")
    found = run(tmp_path / "file", SAMPLES)
    assert found.returncode == 0, found.stderr
    assert found.stderr.count("numpy draws instead of fused kernels: no folder keeps compiled kernels") == 1
    assert str(tmp_path / "file") in found.stderr
    assert "set BOUNDCHECK_KERNELS to a folder that only you can write to" in found.stderr


@pytest.mark.parametrize("broken", ["raise ImportError('no such version')", "raise AttributeError('moved')"])
def test_where_numba_is_of_no_use_numpy_draws_with_one_warning(tmp_path, broken):
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text(broken)
    found = run(tmp_path / "cache", SAMPLES, PYTHONPATH=str(tmp_path))
    assert found.returncode == 0, found.stderr
    assert found.stderr.count("numpy draws instead of fused kernels") == 1
    assert not (tmp_path / "cache").exists()


def test_a_kernel_that_computes_wrongly_is_not_used(monkeypatch):
    from impl.kernels import philox

    monkeypatch.setattr(philox, "fill_words", lambda words, counter, stream: words.fill(1))
    assert "wrongly" in philox.try_it()
    tiers.why_not.cache_clear()
    with pytest.warns(RuntimeWarning, match="numpy draws instead"):
        assert tiers.chosen("fused", "here") == "numpy"
    tiers.why_not.cache_clear()
