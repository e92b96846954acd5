"""How kernels are compiled: parts cannot be called from Python; what is slow to compile is not written."""

import ast
from pathlib import Path

import pytest

import impl.kernels

SOURCES = sorted(Path(impl.kernels.__file__).parent.rglob("*.py"))
DECORATORS = ("kernel", "kernel_part", "kernel_of_sums", "inlined")


def kernels():
    """Yield the functions that are compiled, with their file."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(item, ast.Name) and item.id in DECORATORS for item in node.decorator_list
            ):
                yield path, node


def test_a_part_is_not_called_from_python():
    # It would be a jump to nowhere.
    from impl.kernels.coders.adaptive_coder import _part
    from impl.kernels.error_sums import _chosen
    from impl.kernels.strata import block_width

    for part in (block_width, _part, _chosen):
        with pytest.raises(TypeError, match=rf"{part.py_func.__name__} is a part of kernels; call it from a"):
            part(16)
    assert block_width.py_func(16) == 512


def test_no_kernel_assigns_a_slice_or_makes_ones():
    # Numba compiles its error messages for either, words and all: up to four seconds each.
    found = list(kernels())
    assert len(found) > 50
    for path, function in found:
        for node in ast.walk(function):
            targets = node.targets if isinstance(node, ast.Assign) else ()
            sliced = [
                item
                for target in targets
                for item in ast.walk(target)
                if isinstance(item, ast.Slice) and isinstance(target, ast.Subscript)
            ]
            assert not sliced, f"{path.name}:{node.lineno}: write entry by entry"
            if isinstance(node, ast.Attribute):
                assert node.attr != "ones", f"{path.name}:{node.lineno}: fill np.empty"
