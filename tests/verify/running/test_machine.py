"""The machine in words: what a time depends on, no host name and no place."""

import json
import platform

import pytest

from verify.running import machine as module
from verify.running import runner


@pytest.fixture(autouse=True)
def forget():
    module.machine.cache_clear()
    yield
    module.machine.cache_clear()


def test_it_is_processor_cores_system_and_python(monkeypatch, tmp_path):
    info = tmp_path / "cpuinfo"
    info.write_text("processor\t: 0\nmodel name\t: A  Processor @ 3 GHz\nprocessor\t: 1\n")
    monkeypatch.setattr(module, "CPU_INFO", info)
    monkeypatch.setattr(module.os, "cpu_count", lambda: 3)
    expected = f"A Processor @ 3 GHz, 3 cores, {platform.system()} {platform.machine()}, Python "
    assert module.machine() == expected + platform.python_version()


def test_a_system_that_tells_no_processor_has_at_least_its_kind(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "CPU_INFO", tmp_path / "nothing")
    assert module.processor() == (platform.processor() or platform.machine())


def test_records_name_the_machine_that_judged(tmp_path):
    runner.verify("squant/bounds", out=tmp_path)
    found = [json.loads(path.read_text())["machine"] for path in tmp_path.rglob("records/**/*.json")]
    assert set(found) == {module.machine()}
