"""Every block of code that README and docs print runs as printed, page by page, in an empty folder.

Blocks marked `python` and `console` run; a comment before a block says otherwise: `<!-- not run: WHY -->`,
`<!-- exit 1 -->`, `<!-- needs LIBRARY -->` for one that may be missing, `<!-- as in PAGE -->` for one whose
lines that page runs. A Python block that begins with `# FILE.py` is saved under that name. Of `make TARGET`
only the target is looked up (these take minutes), and what sets up an environment (`python3 -m venv`,
`source`, `pip`) is not done again. Calls of `boundcheck` that are not run are read by its command line.
Each verb has its first call in a process of its own, the others in a fork of one that has imported.
"""

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from verify.cli import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*?) -->\n+)?^```(?P<kind>\w+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL
)
_SET_UP = re.compile(r"(python3? -m venv|source|pip install) ")
_CALL = re.compile(r"boundcheck ([a-z]+)[^|<>&;$]*")  # nothing that a shell has to do
_SECONDS = 150  # a block takes a few seconds on a quiet machine


@dataclass(frozen=True)
class Block:
    """A block of code: its language, what it says, its exit codes, why it is not run, who runs its lines."""

    kind: str
    code: str
    exits: tuple[int, ...] = (0,)
    not_run: str = ""
    elsewhere: str = ""

    def lines(self) -> list[str]:
        """Return the lines without comments."""
        return [line for text in self.code.splitlines() if (line := text.partition("#")[0].rstrip())]


def blocks_of(text: str) -> list[Block]:
    """Return the blocks of a page in their order."""
    found = []
    for match in _BLOCK.finditer(text):
        mark = match["mark"] or ""
        exits = tuple(int(code) for code in re.findall(r"\d+", mark)) if mark.startswith("exit ") else (0,)
        why = mark.removeprefix("not run:").strip() if mark.startswith("not run:") else ""
        library = mark.removeprefix("needs ") if mark.startswith("needs ") else ""
        if library and importlib.util.find_spec(library) is None:
            why = f"{library} is missing"
        elsewhere = mark.removeprefix("as in ") if mark.startswith("as in ") else ""
        found.append(Block(match["kind"], match["code"], exits, why or mark * bool(elsewhere), elsewhere))
    return found


def targets() -> set[str]:
    """Return the targets of the Makefile."""
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def to_run(code: str) -> str:
    """Return the lines of a console block that are run; look up the targets of the others."""
    kept = []
    for line in code.splitlines():
        if named := re.match(r"(?:[A-Z_]+=\S+ )*make (\w+)", line):
            assert named[1] in targets(), f"no such target: {line}"
        elif not _SET_UP.match(line):
            kept.append(line)
    return "\n".join(kept)


def environment_in(folder: Path) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BOUNDCHECK")}
    environment |= {name: os.environ[name] for name in ("BOUNDCHECK_KERNELS",) if name in os.environ}
    return environment | {
        "HOME": str(folder),
        # Kernels are compiled once for all tests.
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = environment_in(folder)
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_SECONDS
    )


RUNNABLE = [
    page
    for page in PAGES
    if any(b.kind in ("python", "console") and not b.not_run for b in blocks_of(page.read_text("utf-8")))
]


FIRST: dict[str, tuple[Path, str]] = {}
"""Where each verb is called first."""
for _page in RUNNABLE:
    for _block in blocks_of(_page.read_text("utf-8")):
        for _line in () if _block.not_run or _block.kind != "console" else _block.code.splitlines():
            if _call := _CALL.fullmatch(_line):
                FIRST.setdefault(_call[1], (_page, _line))


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_runs_as_printed(page, tmp_path, warm_boundcheck):
    def must(done, code, exits=(0,)):
        assert done.returncode in exits, f"{code}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"

    for block in blocks_of(page.read_text("utf-8")):
        if block.not_run:
            continue
        if block.kind == "python":
            if saved := re.match(r"# (\w+\.py)\n", block.code):
                (tmp_path / saved[1]).write_text(block.code, encoding="utf-8")
            else:
                must(
                    run([sys.executable, "-W", "error", "-c", block.code], tmp_path), block.code, block.exits
                )
        elif block.kind == "console" and (script := to_run(block.code).strip()):
            parts = [script] if "<<" in script else script.splitlines()
            for part in parts:
                if (call := _CALL.fullmatch(part)) and FIRST[call[1]] != (page, part):
                    words = shlex.split(part, comments=True)[1:]
                    done = warm_boundcheck(tmp_path, *words, environment=environment_in(tmp_path))
                else:
                    done = run(["bash", "-euc", part], tmp_path)
                must(done, part, block.exits if part == parts[-1] else (0,))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_is_not_run_is_run_elsewhere_or_can_be_read(page):
    for block in blocks_of(page.read_text("utf-8")):
        if block.elsewhere:
            run_there = blocks_of((ROOT / block.elsewhere).read_text("utf-8"))
            assert set(block.lines()) <= {line for b in run_there if not b.not_run for line in b.lines()}
        for line in block.lines() if block.kind == "console" and block.not_run else ():
            called(line)


def called(line: str) -> str:
    """Return the verb that a line calls, nothing where it calls none; it must have the options given."""
    words = shlex.split(line)
    if "boundcheck" not in words[:-1]:
        return ""
    _, *rest = words[words.index("boundcheck") :]
    if not rest[0].isalpha():  # the name of an image, not the command
        return ""
    command = main.get_command(click.Context(main), rest[0])
    assert command is not None, f"no such verb: {line}"
    while isinstance(command, click.Group):
        command, rest = command.commands[rest[1]], rest[1:]
    # Read alone: what options call would take packages into the index of this process.
    command.make_parser(click.Context(command)).parse_args(rest[1:])
    return rest[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_block_that_is_not_run_says_why(page):
    for block in blocks_of(page.read_text("utf-8")):
        if block.kind == "sh":
            to_run(block.code)
        assert block.kind in ("python", "console", "sh", "text", "toml", "bibtex", "latex", "yaml", "eval"), (
            block.kind
        )


def test_the_readme_has_two_commands_four_examples_and_at_most_8_kb():
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.encode()) <= 8 * 1024
    assert [block.kind for block in blocks_of(text)] == ["console", "python", "console", "console", "python"]


def test_what_is_marked_is_read():
    first, second = blocks_of(
        "<!-- exit 1 or 3 -->\n```console\nfalse\n```\n\n<!-- not run: long -->\n```python\nx\n```\n"
    )
    assert (first.exits, first.not_run, second.not_run) == ((1, 3), "", "long")
    present, missing = blocks_of(
        "<!-- needs re -->\n```python\nx\n```\n\n<!-- needs no_such_library -->\n```python\nx\n```\n"
    )
    assert (present.not_run, missing.not_run) == ("", "no_such_library is missing")
    (there,) = blocks_of("<!-- as in README.md -->\n```python\nx  # why\n```\n")
    assert (there.not_run, there.elsewhere, there.lines()) == ("as in README.md", "README.md", ["x"])
    with pytest.raises(AssertionError, match="no such target"):
        to_run("make nothing")
    assert called("mpiexec -n 7 python -m boundcheck run diana --engine mpi") == "run"
    with pytest.raises(AssertionError, match="no such verb"):
        called("boundcheck verfy x")
    with pytest.raises(click.UsageError, match="No such option"):
        called("boundcheck verify --backnd dask")


def prose_of(page):
    """Return a page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page):
    """Return the places of a page that links name: its headings, in lower case with hyphens."""
    heads = re.findall(r"^#+ (.+)$", prose_of(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.strip().lower()).replace(" ", "-") for head in heads}


def broken_links(page):
    """Return the addresses of links in a page that lead to no file, or to no heading of it."""
    found = []
    for address in re.findall(r"\]\((?!https?:)([^)\s]+)\)", prose_of(page)):
        file, _, anchor = address.partition("#")
        target = page.parent / file if file else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            found.append(address)
    return found


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_links_lead_to_files_and_to_headings(page):
    assert broken_links(page) == []


def test_a_broken_link_is_found(tmp_path):
    page = tmp_path / "a.md"
    good = (
        "# A head: `code`, and more\n\n[a](#a-head-code-and-more) [b](b.md) [c](b.md#next) [d](https://d)\n"
    )
    (tmp_path / "b.md").write_text("## Next\n")
    page.write_text(good)
    assert broken_links(page) == []
    page.write_text(
        f"{good}[e](#nothing) [f](c.md)\n```text\n# not a head\n[x](x.md)\n```\n[g](b.md#not-a-head)"
    )
    assert broken_links(page) == ["#nothing", "c.md", "b.md#not-a-head"]
