"""What files of claims and of checks may not do: reach into the judge that judges them.

The text of checks is known by its hash, which `conditions.json` keeps.
"""

import ast
import functools
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

JUDGE = (
    "verify.cli",
    "verify.judging",
    "verify.kernel",
    "verify.records",
    "verify.reporting",
    "verify.running",
    "verify.statements",
)
"""Modules that make verdicts: no check needs them."""
_CALLS = ("setattr", "delattr", "globals", "vars", "exec", "eval", "__import__", "import_module")
_BY_NAME = ("attrgetter", "methodcaller")
_OPEN = ("builtins", "ctypes", "gc", "inspect")
"""Modules of Python that give access to the insides of objects."""
_OPEN_TO_CHECKS = ("importlib", "sys")
"""Those that checks may import, and files of theory may not."""
_INSIDES = (
    "__builtins__",
    "__class__",
    "__code__",
    "__defaults__",
    "__dict__",
    "__globals__",
    "__kwdefaults__",
    "__setattr__",
    "__wrapped__",
)
_LEAVES = (ast.Name, ast.Constant, ast.Load, ast.Store, ast.Del, ast.alias)
"""Nodes in which nothing is forbidden: what holds them is looked at."""
_OURS = re.compile(r"^\s*(?:from|import)\s+(?:boundcheck|theory|verify)\b", re.MULTILINE)
_COMMENT = re.compile(r"^\s*#.*$|\s+$", re.MULTILINE)


def form_problems(claim: Any) -> list[str]:
    """Return what the files of a claim do that no claim and no check may do, one line for each."""
    return [
        f"{where}, line {line}: {told}"
        for where, path, theirs in _files(claim)
        for line, told in _forbidden(ast.parse(path.read_text(encoding="utf-8")), theirs)
    ]


def text_sha256(claim: Any) -> str:
    """Return the hash of the text of the checks of a claim, comments on lines of their own apart.

    It is that of the file of its checks with what they share: contracts, fixtures and helpers of its paper.
    """
    texts = [path for _, path, theirs in _files(claim) if theirs == "verify"]
    if not texts:
        return ""
    whole = hashlib.sha256()
    # Once each: helpers of a paper of one's own that import of us are among the texts already.
    for path in dict.fromkeys((*texts, *_shared(claim))):
        whole.update(_text_digest(path, path.stat().st_mtime_ns))
    return whole.hexdigest()[:32]


@functools.cache
def _text_digest(path: Path, _time: int) -> bytes:
    lines = _COMMENT.sub("", path.read_text(encoding="utf-8")).splitlines()
    return hashlib.sha256("\n".join(line for line in lines if line).encode()).digest()


def _shared(claim: Any) -> Iterator[Path]:
    """Yield the files that checks import of their folder, or own package, and of the contracts."""
    from theory.reading.index import read_index
    from verify.records.sources import source_files

    module = read_index().entries[claim.id].verify_module
    package = module.partition(".")[0]
    own = ".".join(module.split(".")[:2]) if package == "verify" else package
    folders = ("verify.conformance.", f"{own}.") if package == "verify" else (f"{own}.",)
    for name, path in sorted(source_files((module,)).items()):
        if name.startswith(folders) and not name.startswith(f"{package}.theory.") and name != module:
            yield path


def _files(claim: Any) -> Iterator[tuple[str, Path, str]]:
    """Yield name, path and side (`theory` or `verify`) of the files of a claim that there are."""
    from importlib.util import find_spec

    from theory.reading.index import read_index

    entry = read_index().entries.get(claim.id)
    if entry is None:
        return
    yield entry.where, entry.path, "theory"
    yield from _helpers(entry.module, "theory")
    try:
        found = find_spec(entry.verify_module)
    except ModuleNotFoundError:
        return
    if found is not None and found.origin is not None:
        yield f"{entry.verify_module.replace('.', '/')}.py", Path(found.origin), "verify"
        yield from _helpers(entry.verify_module, "verify")


def _helpers(module: str, side: str) -> Iterator[tuple[str, Path, str]]:
    """Yield what a file of a paper of one's own imports of its package; tests look at files of ours.

    What checks import may be an implementation, whose code is its own affair, unless it imports of us.
    """
    from verify.records.sources import source_files

    package = module.partition(".")[0]
    if package in ("theory", "verify"):
        return
    for name, path in sorted(source_files((module,)).items()):
        own = name.startswith(f"{package}.") and name != module
        if own and (side == "theory" or _OURS.search(path.read_text(encoding="utf-8"))):
            yield f"{name.replace('.', '/')}.py", path, side


def _forbidden(tree: ast.AST, side: str) -> Iterator[tuple[int, str]]:
    for node in _walked(tree):
        if isinstance(node, ast.Attribute):
            yield from _attribute(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS:
            yield node.lineno, f"{node.func.id}() may change the judge; do without it"
        elif isinstance(node, ast.Call) and _asks_by_name(node, side):
            yield (
                node.lineno,
                f"{ast.unparse(node)} asks by a name that nobody sees; write it as an attribute",
            )
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = (
                [item.name for item in node.names]
                if isinstance(node, ast.Import)
                else [node.module or "", *(f"{node.module}.{item.name}" for item in node.names)]
            )
            taken = (*_OPEN, *(("verify", "impl", *_OPEN_TO_CHECKS) if side == "theory" else JUDGE))
            wrong = [name for name in names if any(f"{name}.".startswith(f"{own}.") for own in taken)]
            if wrong:
                yield node.lineno, f"{wrong[0]} is imported, which no file of {side} may"


def _asks_by_name(call: ast.Call, side: str) -> bool:
    """Return whether a call takes an attribute by a text: any in files of theory, in checks a private one."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in _BY_NAME:
        return True
    if name != "getattr" or len(call.args) < 2:
        return False
    asked = call.args[1]
    return side == "theory" or (isinstance(asked, ast.Constant) and str(asked.value).startswith("_"))


def _walked(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what `ast.walk` does, in the same order, without names and constants, in a third of the time."""
    found = [tree]
    for node in found:
        yield node
        for name in node._fields:
            item = getattr(node, name, None)
            if type(item) is list:
                found += [one for one in item if isinstance(one, ast.AST) and type(one) not in _LEAVES]
            elif isinstance(item, ast.AST) and type(item) not in _LEAVES:
                found.append(item)


def _attribute(node: ast.Attribute) -> Iterator[tuple[int, str]]:
    own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
    above = isinstance(node.value, ast.Call) and ast.unparse(node.value) == "super()"
    special = node.attr.startswith("__") and node.attr not in _INSIDES
    private = node.attr.startswith("_") and not (own or above or special) and node.attr != "_replace"
    if private:
        yield node.lineno, f"{ast.unparse(node)} belongs to another object; ask it by a public name"
    elif not isinstance(node.ctx, ast.Load) and not own:
        yield (
            node.lineno,
            f"{ast.unparse(node)} is assigned to; files of claims and checks set attributes of self only",
        )
