"""What files of claims and of checks may not do: reach into the judge that judges them."""

import ast
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from verify.records.claim_files import files_of

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
_NAMES = {
    "theory": frozenset(
        (*_CALLS, "getattr", "compile", "locals", "open", "breakpoint", "input", "attrgetter", "methodcaller")
    ),
    "verify": frozenset(
        (*_CALLS, "compile", "locals", "__builtins__", "__loader__", "__match_args__", "__spec__", "__path__")
    ),
}
"""Names that are refused wherever they stand: another name for them does the same."""
_BY_NAME = ("attrgetter", "methodcaller")
_OPEN = ("builtins", "ctypes", "gc", "inspect")
"""Modules of Python that give access to the insides of objects."""
_CHANGES_OTHERS = ("_pytest", "marshal", "mock", "pickle", "pkgutil", "pytest", "runpy", "unittest")
"""Modules that replace parts of others, or run what no file says."""
_PUTS_IN = (
    *("enum.*", "enum.global_enum", "functools.*", "functools.singledispatch", "functools.update_wrapper"),
    "functools.wraps",
)
"""What sets attributes of other objects, or reads texts as code, under names that a text gives."""
_STANDARD = (
    "__future__",
    "collections",
    "dataclasses",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "itertools",
    "math",
    "operator",
    "textwrap",
    "typing",
)
_THEORY = (
    *("claim", "expectation", "facts", "formula", "hypotheses", "indicator", "paper", "proof"),
    *("public_constant", "round_seconds", "statement", "worst_cases"),
    *("cat", "cq_marina", "ndqsg", "squant"),
)
_THEORY_TOLD = "theory.claim, theory.facts and the like"
_TO_CLAIMS = (*_STANDARD, "sympy", "boundcheck", *(f"theory.{name}" for name in _THEORY))
"""All that files of theory may import beside their own package."""
_OTHERS = {
    "dataclasses": ("make_dataclass",),
    "enum": ("global_enum", "global_enum_repr", "global_str"),
    "functools": ("singledispatch", "singledispatchmethod", "total_ordering", "update_wrapper", "wraps"),
    "sympy": (
        *("codegen", "core", "external", "interactive", "lambdify", "parse_expr", "parsing", "plotting"),
        *("preview", "printing", "testing", "utilities"),
    ),
    "typing": ("ForwardRef", "get_type_hints"),
}
"""Names of allowed modules that run texts as code, or lead to such."""
_ELSEWHERE = sys.stdlib_module_names - frozenset(_STANDARD)
_BEHIND_OURS = (
    *("ast", "builtins", "importlib", "inspect", "io", "os", "pathlib", "re", "sys", "types", "warnings"),
)
"""Modules of Python that other modules imported: `dataclasses.sys`."""
_OF_SYS = ("meta_path", "modules", "path_hooks", "setprofile", "settrace")
_CHANGES = (
    *("add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault"),
    "update",
)
_INSIDES = (
    *("__bases__", "__builtins__", "__class__", "__closure__", "__code__", "__defaults__", "__dict__"),
    *("__func__", "__getattr__", "__getattribute__", "__globals__", "__kwdefaults__", "__loader__"),
    *("__mro__", "__reduce__", "__reduce_ex__", "__self__", "__setattr__", "__spec__", "__subclasses__"),
    *("__traceback__", "__wrapped__", "ag_frame", "cr_frame", "f_back", "f_builtins", "f_globals"),
    *("f_locals", "gi_frame", "tb_frame", "tb_next"),
)
_SPECIAL = ("__init__", "__name__", "__post_init__")
"""Special attributes that files of theory may ask for."""
_LEAVES = (ast.Name, ast.Constant, ast.Load, ast.Store, ast.Del, ast.alias)
"""Nodes in which nothing is forbidden but some names: what holds them is looked at."""
_OUR_PACKAGES = ("boundcheck", "impl", "theory", "verify")


def form_problems(claim: Any, sides: Collection[str] = ("theory", "above", "verify")) -> list[str]:
    """Return what the files of a claim do that no claim and no check may do, one line for each.

    Args:
        claim: The claim.
        sides: Whose files are looked at: those of its statement and proof, of packages above, of its checks.
    """
    return [
        f"{where}, line {line}: {told}"
        for where, path, theirs in files_of(claim)
        if theirs in sides
        for line, told in _forbidden(
            ast.parse(path.read_text(encoding="utf-8")),
            "verify" if theirs == "above" else theirs,
            _package(claim),
        )
    ]


def _package(claim: Any) -> str:
    """Return the package of the paper of a claim, empty where no file of it is known."""
    from theory.reading.index import read_index

    entry = read_index().entries.get(claim.id)
    return entry.module.partition(".")[0] if entry is not None else ""


def _forbidden(tree: ast.AST, side: str, package: str = "theory") -> Iterator[tuple[int, str]]:
    nodes = list(_walked(tree, side))
    known = dict(pair for node in nodes for pair in _imported_as(node))
    known = {name: known[name] for name in known.keys() - _arguments(nodes)}
    literal = {id(node.func) for node in nodes if isinstance(node, ast.Call) and _imports_a_library(node)}
    for node in nodes:
        if isinstance(node, ast.Attribute):
            yield from _attribute(node, side)
            if id(node) not in literal:
                yield from _of_module(node, side, known)
        elif isinstance(node, ast.Name):
            yield node.lineno, f"{node.id} may change the judge, under any name; do without it"
        elif isinstance(node, ast.Call):
            yield from _call(node, side, known)
        elif isinstance(node, ast.MatchClass):
            for name in node.kwd_attrs:
                if name.startswith("_") or name in _INSIDES:
                    yield node.lineno, f"a pattern takes {name} of an object; ask it by a public name"
        elif isinstance(node, ast.Subscript):
            yield from _entry_of_ours(node, known)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            wrong = _wrong_import(node, side, package)
            if wrong:
                yield node.lineno, wrong


def _wrong_import(node: ast.Import | ast.ImportFrom, side: str, package: str) -> str:
    """Return what is wrong with an import, empty where it is allowed."""
    if isinstance(node, ast.ImportFrom) and node.level:
        return ""  # of its own package
    names = (
        [item.name for item in node.names]
        if isinstance(node, ast.Import)
        else [node.module or "", *(f"{node.module}.{item.name}" for item in node.names)]
    )
    if side == "theory":
        allowed = _TO_CLAIMS if package in ("", "theory", "verify") else (*_TO_CLAIMS, package)
        modules = names[:1] if isinstance(node, ast.ImportFrom) and node.module != "theory" else names
        modules = modules[1:] if modules[0] == "theory" and len(modules) > 1 else modules
        wrong = [name for name in modules if not _within(name, allowed)]
        wrong += [name for name in names if _leads_out(name) or re.search(r"(?:^|\.)_(?!_future__)", name)]
        wrong += [name for name in names if name.endswith(".*")]
        if not wrong:
            return ""
        return (
            f"{wrong[0]} is imported, which no file of theory may: allowed are boundcheck, sympy (its names, "
            f"no modules of it), what claims of ours take of theory ({_THEORY_TOLD}), {', '.join(_STANDARD)}"
            " and the paper's own package; write into the file what it needs, or put it into a check"
        )
    wrong = [name for name in names if _within(name, (*_OPEN, *_CHANGES_OTHERS, *_PUTS_IN, *JUDGE))]
    wrong = wrong or [name for name in names if name in {f"sys.{item}" for item in _OF_SYS}]
    wrong = wrong or [name for name in names if name.startswith("importlib.")]
    return f"{wrong[0]} is imported, which no file of verify may" if wrong else ""


def _within(name: str, packages: tuple[str, ...]) -> bool:
    return any(f"{name}.".startswith(f"{own}.") for own in packages)


def _leads_out(name: str) -> bool:
    """Return whether a dotted name leads from an allowed module to one that is not, or runs texts."""
    top, *rest = name.split(".")
    if not rest:
        return False
    if top in ("boundcheck", "theory"):
        return rest[-1] in _BEHIND_OURS or (top == "theory" and not _within(name, _TO_CLAIMS))
    if top not in (*_STANDARD, "sympy"):
        return False
    return rest[0] in _OTHERS.get(top, ()) or any(item in _ELSEWHERE for item in rest if item != "abc")


def _imported_as(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield names that an import binds, each with the full name of what it is."""
    if isinstance(node, ast.Import):
        for item in node.names:
            yield (item.asname, item.name) if item.asname else (item.name.partition(".")[0],) * 2
    elif isinstance(node, ast.ImportFrom) and not node.level:
        for item in node.names:
            yield item.asname or item.name, f"{node.module}.{item.name}"


def _arguments(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """Return the names of arguments of functions, and of lists that are made there."""
    made = (node for node in nodes if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None)
    fresh = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
    return frozenset(
        (
            *(node.arg for node in nodes if isinstance(node, ast.arg)),
            *(
                target.id
                for node in made
                if isinstance(node.value, fresh)
                for target in (node.targets if isinstance(node, ast.Assign) else (node.target,))
                if isinstance(target, ast.Name)
            ),
        )
    )


def _full_name(node: ast.AST, known: Mapping[str, str]) -> str:
    """Return the full name of an imported object that a dotted name stands for, empty for others."""
    below = []
    while isinstance(node, ast.Attribute):
        below.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in known:
        return ""
    return ".".join((known[node.id], *reversed(below)))


def _of_module(node: ast.Attribute, side: str, known: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Yield what is wrong with an attribute of something that is imported."""
    name = _full_name(node, known)
    if not name:
        return
    if side == "theory":
        if _leads_out(name):
            yield node.lineno, f"{name} leads out of what files of theory may import; do without it"
    elif _within(name, ("importlib", *_PUTS_IN, *JUDGE, *(f"sys.{item}" for item in _OF_SYS))):
        yield node.lineno, f"{name} leads to the judge; a file of checks takes what it imports by its name"


def _imports_a_library(call: ast.Call) -> bool:
    """Return whether a call is `importlib.import_module("LIBRARY")` of a library that is not ours."""
    if ast.unparse(call.func) != "importlib.import_module" or len(call.args) != 1 or call.keywords:
        return False
    (name,) = call.args
    refused = ("boundcheck", "impl", "importlib", "sys", "theory", "verify", *_OPEN, *_CHANGES_OTHERS)
    return isinstance(name, ast.Constant) and not _within(str(name.value), refused)


def _call(node: ast.Call, side: str, known: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    if _asks_by_name(node, side):
        yield node.lineno, f"{ast.unparse(node)} asks by a name that nobody sees; write it as an attribute"
    if isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
        name = _full_name(node.func.value, known)
        if _within(name, _OUR_PACKAGES):
            yield node.lineno, f"{ast.unparse(node.func)}() changes {name}, which belongs to us; copy it"


def _entry_of_ours(node: ast.Subscript, known: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    name = _full_name(node.value, known)
    if not isinstance(node.ctx, ast.Load) and _within(name, _OUR_PACKAGES):
        yield node.lineno, f"an entry of {name} is assigned to, which belongs to us; copy it"


def _asks_by_name(call: ast.Call, side: str) -> bool:
    """Return whether a call takes an attribute by a text: any in files of theory, in checks a private one."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in _BY_NAME:
        return True
    if name != "getattr" or len(call.args) < 2:
        return False
    asked = call.args[1]
    return side == "theory" or (isinstance(asked, ast.Constant) and str(asked.value).startswith("_"))


def _walked(tree: ast.AST, side: str) -> Iterator[ast.AST]:
    """Yield what `ast.walk` does, in the same order, of names only those refused, in a third of the time."""
    found = [tree]
    for node in found:
        yield node
        for name in node._fields:
            item = getattr(node, name, None)
            for one in item if type(item) is list else (item,):
                if not isinstance(one, ast.AST):
                    continue
                if type(one) not in _LEAVES or (type(one) is ast.Name and _refused(one.id, side)):
                    found.append(one)


def _refused(name: str, side: str) -> bool:
    special = name.startswith("__") and name not in ("__all__", "__name__")
    return name in _NAMES[side] or (side == "theory" and special)


def _attribute(node: ast.Attribute, side: str) -> Iterator[tuple[int, str]]:
    own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
    above = isinstance(node.value, ast.Call) and ast.unparse(node.value) == "super()"
    inside = node.attr in _INSIDES
    special = node.attr.startswith("__") and (node.attr in _SPECIAL if side == "theory" else not inside)
    private = node.attr.startswith("_") and not (own or above or special) and node.attr != "_replace"
    if node.attr == "limit_denominator":
        yield node.lineno, "limit_denominator rounds what is compared; compare with a tolerance of the list"
    if private or inside:
        yield node.lineno, f"{ast.unparse(node)} belongs to another object; ask it by a public name"
    elif not isinstance(node.ctx, ast.Load) and not own:
        yield (
            node.lineno,
            f"{ast.unparse(node)} is assigned to; files of claims and checks set attributes of self only",
        )
