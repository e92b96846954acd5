"""pytest's own fixture for testing plugins, how often garbage is collected, commands in a warm process."""

import gc
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest_plugins = ["pytester"]


def pytest_configure():
    """Look for cycles rarely, as `verify` does: formulas are trees of many small objects that live long."""
    gc.set_threshold(200_000, 20, 20)


# It imports what most commands do, judges nothing, and becomes each of them by a fork.
_WARM = """
import gc, importlib, json, os, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
from verify.cli import main
from verify.records.sources import source_sha256
source_sha256("squant/range")  # what is read of our files is kept as long as they stay as they are
gc.freeze()
for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if child:
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    for descriptor, path in enumerate(asked["streams"]):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC), descriptor)
    sys.path[0], sys.argv = asked["folder"], ["boundcheck", *asked["arguments"]]
    sys.exit(main())
"""
_IMPORTED = (
    *("sympy", "sympy.tensor.tensor", "scipy.special", "joblib", "rich.table"),
    *("verify.running.runner", "verify.reporting.citation", "verify.cli.runs.verify_claims"),
)


@pytest.fixture(scope="session")
def warm_boundcheck(tmp_path_factory):
    """Return a function that runs `boundcheck ARGUMENTS` in a folder, without the seconds of its imports.

    What a process imports for itself is not seen: each verb is run in a process of its own somewhere, too.
    """
    if not sys.platform.startswith("linux"):  # frameworks of macOS do not survive a fork
        yield lambda folder, *arguments, environment: subprocess.run(
            [sys.executable, "-m", "boundcheck", *arguments],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return
    streams = ["/dev/null", *(str(tmp_path_factory.mktemp("warm") / name) for name in ("out", "err"))]
    with subprocess.Popen(
        [sys.executable, "-c", _WARM, *_IMPORTED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def run(folder, *arguments, environment):
            asked = {"folder": str(folder), "arguments": arguments, "environment": environment}
            process.stdin.write(json.dumps({**asked, "streams": streams}) + "\n")
            process.stdin.flush()
            code = int(process.stdout.readline())
            out, err = (Path(path).read_text("utf-8") for path in streams[1:])
            return SimpleNamespace(returncode=code, stdout=out, stderr=err)

        yield run
        process.stdin.close()
