"""The machine of this process in words: processor, cores, system, Python; no host name, no place."""

import functools
import os
import platform
from pathlib import Path

CPU_INFO = Path("/proc/cpuinfo")


@functools.cache
def machine() -> str:
    """Return the machine of this process, `PROCESSOR, 2 cores, Linux x86_64, Python 3.11.7`."""
    system = f"{platform.system()} {platform.machine()}"
    return f"{processor()}, {os.cpu_count()} cores, {system}, Python {platform.python_version()}"


def processor() -> str:
    """Return the model of the processor as far as the system tells it."""
    try:
        lines = CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2] for line in lines if line.startswith("model name"))
    return " ".join(next(models, "").split()) or platform.processor() or platform.machine() or "unknown"
