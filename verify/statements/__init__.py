"""Tie the statement that people read to the formulas that are proved and checked."""

from theory.latex.nodes import Unreadable
from verify.statements.pins import kept, pins_file
from verify.statements.rendering import render, render_part
from verify.statements.said import Problem
from verify.statements.ties import Checker, check, hashes

__all__ = [
    "Checker",
    "Problem",
    "Unreadable",
    "check",
    "hashes",
    "kept",
    "pins_file",
    "render",
    "render_part",
]
