"""How kernels are compiled: parts cannot be called from Python; what is slow to compile is not written."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import impl.kernels

SOURCES = sorted(Path(impl.kernels.__file__).parent.rglob("*.py"))
DECORATORS = ("kernel", "kernel_with_memory", "kernel_part", "kernel_of_sums", "inlined")


def kernels(decorators=DECORATORS):
    """Yield the functions that are compiled, with their file."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(item, ast.Name) and item.id in decorators for item in node.decorator_list
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


def test_kernels_that_make_arrays_leave_loops_to_their_parts():
    # There the uses of every view are counted, by locked additions: as slow as a row of 68 numbers.
    found = list(kernels(("kernel_with_memory",)))
    assert len(found) > 10
    for path, function in found:
        loops = [node for node in ast.walk(function) if isinstance(node, ast.For | ast.While)]
        assert not loops, f"{path.name}:{function.lineno}: move its loops to a part"


def test_no_use_of_an_array_is_counted_in_a_digit_of_the_range_coder(tmp_path):
    # Compiled here, since a kernel of the cache has no text.
    program = (
        "import numpy as np\n"
        "from impl.kernels.coders.range_coder import encode_by_ends as encode\n"
        "encode(np.array([1, 0]), np.array([0, 2**23, 2**24]), np.empty(6, np.uint32))\n"
        "text = next(iter(encode.inspect_llvm().values()))\n"
        "body = text[text.index('encode_by_ends'):].split('\\n}', 1)[0]\n"
        "assert 'br i1' in body\n"
        "print(body.count('NRT_'))\n"
    )
    told = os.environ | {"BOUNDCHECK_KERNELS": str(tmp_path / "kernels")}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=told, check=False
    )
    assert (done.stdout.strip(), done.returncode) == ("0", 0), done.stderr


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
