"""The cache of compiled kernels: used again, rebuilt where damaged, refused where others may write to it."""

import os
import pickle
import subprocess
import sys

import pytest

from impl import tiers

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


def test_kernels_are_used_again_and_rebuilt_where_they_are_damaged(tmp_path):
    folder = tmp_path / "kernels"
    assert run(folder).stdout.split() == ["None", "0", "1"], run(folder).stderr
    assert run(folder).stdout.split() == ["None", "1", "0"]
    kept = {path: path.read_bytes() for path in files(folder)}
    assert {path.suffix for path in kept} == {".nbi", ".nbc"}
    assert all(path.parent.stat().st_mode & 0o077 == 0 for path in kept)

    class Payload:
        def __reduce__(self):
            return (open, (str(tmp_path / "unpickled"), "w"))

    damages = [
        (".nbi", lambda data: data[:-1]),
        (".nbc", lambda data: data[:50] + bytes([data[50] ^ 1]) + data[51:]),
        (".nbi", lambda data: pickle.dumps(Payload()) + data[-32:]),
        (".nbc", lambda data: pickle.dumps(Payload())),
    ]
    for suffix, damage in damages:
        for path, data in kept.items():
            path.write_bytes(damage(data) if path.suffix == suffix else data)
        assert run(folder).stdout.split() == ["None", "0", "1"], (suffix, run(folder).stderr)
    assert run(folder).stdout.split() == ["None", "1", "0"]
    assert not (tmp_path / "unpickled").exists()


def test_a_folder_that_others_can_write_to_is_not_used(tmp_path):
    assert run(tmp_path).returncode == 0
    (own,) = tmp_path.iterdir()
    own.chmod(0o777)
    found = run(tmp_path)
    assert "others can write to" in found.stderr
    assert "BOUNDCHECK_KERNELS" in found.stderr
    found = run(tmp_path, CODE.replace("error", "ignore"))
    assert found.stdout.split() == ["None", "0", "1"]  # compiled, though a kernel is there


def test_without_a_folder_kernels_are_compiled_with_one_warning(tmp_path):
    (tmp_path / "file").write_text("")
    code = """
import numpy as np
from impl.compressors import StochasticQuantizer
for _ in range(3):
    print(StochasticQuantizer(1).sample(np.ones(3), np.random.default_rng(1), tier="fused").tolist())
"""
    found = run(tmp_path / "file", code)
    assert found.returncode == 0, found.stderr
    assert len(set(found.stdout.splitlines())) == 1
    assert found.stderr.count("kernels are not cached") == 1


@pytest.mark.parametrize("broken", ["raise ImportError('no such version')", "raise AttributeError('moved')"])
def test_where_numba_is_of_no_use_numpy_draws_with_one_warning(tmp_path, broken):
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text(broken)
    code = """
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
    found = run(tmp_path / "cache", code, PYTHONPATH=str(tmp_path))
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
