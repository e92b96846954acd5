"""What the page on tests and CI hands to others: its snippets are valid, and their calls of pytest run."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "howto" / "tests-and-ci.md").read_text(encoding="utf-8")
BLOCKS = [
    yaml.safe_load(text) for text in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
]


def calls_of(block):
    """Yield the command lines of a workflow, a pipeline or a hook."""
    if isinstance(block, dict):
        for name, item in block.items():
            if name in ("run", "entry"):
                yield item
            elif name == "script":
                yield from item
            else:
                yield from calls_of(item)
    elif isinstance(block, list):
        for item in block:
            yield from calls_of(item)


def test_there_is_one_snippet_for_each_service():
    workflow, pipeline, hooks = BLOCKS
    # YAML 1.1 reads the key `on` as true.
    assert workflow[True] == ["push", "pull_request"]
    assert all(("uses" in step) != ("run" in step) for step in workflow["jobs"]["bounds"]["steps"])
    cache = next(s for s in workflow["jobs"]["bounds"]["steps"] if "actions/cache" in s.get("uses", ""))
    assert cache["with"]["path"] == ".boundcheck"
    assert ".boundcheck" in pipeline["bounds"]["cache"]["paths"]
    (hook,) = hooks["repos"][0]["hooks"]
    assert {"id", "name", "entry", "language"} <= set(hook)


def test_their_calls_of_pytest_run_and_keep_records(tmp_path):
    (example,) = re.findall(r"^```python\n# test_quantizer.py\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "test_quantizer.py").write_text(example)
    calls = [line for block in BLOCKS for line in calls_of(block) if "pytest" in line]
    assert len(calls) == len(BLOCKS) == 3
    times = []
    for line in dict.fromkeys(calls):
        python, *arguments = shlex.split(line)
        assert python == "python"
        done = subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "2 passed" in done.stdout
        times.append({path: path.stat().st_mtime_ns for path in (tmp_path / ".boundcheck").rglob("*.json")})
    # What the first call judged was not judged again.
    assert times[0]
    assert times[0] == times[-1]
    assert (tmp_path / "bounds.xml").is_file()


def test_the_image_is_made_of_what_is_there():
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    sources = [name for line in re.findall(r"^COPY (.*)$", text, re.MULTILINE) for name in line.split()[:-1]]
    assert {"theory", "impl", "verify", "pyproject.toml", "requirements/core.lock"} <= set(sources)
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert sent == set(sources)
    missing = [name for name in sources if not (ROOT / name).exists()]
    assert missing == []
