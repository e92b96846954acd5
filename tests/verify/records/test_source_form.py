"""Files of claims and checks may not reach into the judge."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest

import theory
from verify.records import claim_files, source_form
from verify.records.claim_files import text_sha256
from verify.records.source_form import form_problems

ROOT = Path(source_form.__file__).parents[2]
PAPERS = ("cat", "cq_marina", "ndqsg", "squant")


@pytest.mark.parametrize(
    ("side", "code", "told"),
    [
        (
            "theory",
            "def derive(K):\n K.conclude('x', K._register.make('certificate'))",
            "K._register belongs to",
        ),
        ("theory", "import verify.judging.parts", "verify.judging.parts is imported"),
        ("theory", "from impl.compressors import TopK", "impl.compressors is imported"),
        ("verify", "import verify.judging.parts", "verify.judging.parts is imported"),
        ("verify", "from verify import judging", "verify.judging is imported"),
        ("verify", "import numpy\nnumpy.add = None", "numpy.add is assigned to"),
        ("verify", "import verify.rungs.exact as r\nr.judge, x = None, 1", "r.judge is assigned to"),
        ("verify", "setattr(object, 'x', 1)", "setattr may change the judge"),
        ("verify", "def f(law):\n return law._trace", "law._trace belongs to"),
        ("verify", "def f(law):\n return getattr(law, '_trace')", "asks by a name that nobody sees"),
        ("verify", "from operator import attrgetter\nattrgetter('_stated')(K)", "asks by a name"),
        ("theory", "import operator\noperator.attrgetter('_stated')(K)", "asks by a name"),
        ("theory", "import sys", "sys is imported"),
        ("theory", "from functools import update_wrapper", "functools.update_wrapper is imported"),
        ("theory", "import functools as f\nf.wraps(A, assigned=('links',))(K)", "functools.wraps leads out"),
        ("theory", "from functools import *", "functools.* is imported"),
        ("theory", "from functools import singledispatch", "functools.singledispatch is imported"),
        ("theory", "from enum import global_enum", "enum.global_enum is imported"),
        ("verify", "import functools\nfunctools.update_wrapper(law, A)", "update_wrapper leads to the judge"),
        ("verify", "from enum import global_enum", "enum.global_enum is imported"),
        ("verify", "from functools import *", "functools.* is imported"),
        ("verify", "import functools as f\nf.wraps(A, updated=())(law)", "functools.wraps leads to"),
        ("verify", "import gc", "gc is imported"),
        ("verify", "exact('x', 'eq', F(x).limit_denominator(9), 1)", "limit_denominator rounds"),
        ("theory", "ask = getattr", "getattr may change the judge, under any name"),
        ("theory", "def derive(K):\n getattr(K, NAME).clear()", "getattr may change the judge"),
        ("theory", "X = int(open('number').read())", "open may change the judge"),
        ("theory", "X = __builtins__['getattr']", "__builtins__ may change the judge"),
        ("theory", "class X:\n __match_args__ = ('_register',)", "__match_args__ may change"),
        ("verify", "class X:\n __match_args__ = ('_trace',)", "__match_args__ may change"),
        ("theory", "match K:\n case object(_register=r): r.make()", "a pattern takes _register"),
        ("verify", "match law:\n case object(_trace=r): pass", "a pattern takes _trace"),
        ("theory", "object.__getattribute__(K, NAME)", "object.__getattribute__ belongs to another"),
        ("verify", "X = error.__traceback__", "error.__traceback__ belongs to another object"),
        ("theory", "X = frame.f_globals", "frame.f_globals belongs to another object"),
        ("theory", "from builtins import getattr as ask", "builtins is imported"),
        ("theory", "from unittest import mock", "unittest is imported, which no file of theory may"),
        ("theory", "from theory.latex.extents import SIGNS", "theory.latex.extents is imported"),
        ("theory", "from theory import latex", "theory.latex is imported"),
        ("theory", "import helpers_of_mine", "helpers_of_mine is imported"),
        ("theory", "from pathlib import Path", "pathlib is imported"),
        ("theory", "import numpy", "numpy is imported"),
        ("theory", "from dataclasses import sys", "dataclasses.sys is imported"),
        ("theory", "import dataclasses\nX = dataclasses.sys.modules", "dataclasses.sys"),
        ("theory", "from sympy.external import import_module", "sympy.external is imported"),
        ("theory", "import sympy\nX = sympy.parsing.sympy_parser", "sympy.parsing"),
        ("theory", "from theory.formula import TABLE\nTABLE['x'] = 1", "an entry of theory.formula.TABLE"),
        ("verify", "from unittest import mock", "unittest is imported, which no file of verify may"),
        ("verify", "import unittest.mock as m", "unittest.mock is imported"),
        ("verify", "from importlib import import_module", "importlib.import_module is imported"),
        ("verify", "import importlib\nload = importlib.import_module", "importlib.import_module leads"),
        ("verify", "import importlib as i\ni.import_module(X)", "importlib.import_module leads"),
        ("verify", "import importlib\nimportlib.import_module('verify.records')", "leads to the judge"),
        ("verify", "import importlib\nimportlib.import_module(NAME)", "leads to the judge"),
        ("verify", "import sys\nX = sys.modules", "sys.modules leads to the judge"),
        ("verify", "from verify.outcome import T\nT.update(x=1)", "T.update() changes verify.outcome.T"),
    ],
)
def test_what_is_forbidden(side, code, told):
    found = [text for _, text in source_form._forbidden(ast.parse(code), side)]
    assert any(told in text for text in found), found


def test_what_is_allowed():
    code = "class A(B):\n def f(self):\n  self.x = super()._scales(self._y)\n  return t._replace(a=1)"
    assert list(source_form._forbidden(ast.parse(code), "verify")) == []


@pytest.mark.parametrize(
    ("side", "code"),
    [
        ("theory", "from sympy import Sum, sqrt\nfrom collections.abc import Iterator\nimport math"),
        ("theory", "import sympy as sp\nX = sp.sqrt(2)\nfrom boundcheck import Claim"),
        ("theory", "from own.paper import PAPER\nfrom .helpers import prove\nimport own.helpers"),
        ("theory", "from theory.facts.young import young\nfrom theory import facts"),
        ("theory", "from __future__ import annotations"),
        ("theory", "from theory.worst_cases import cases\ndef f(K):\n cases = []\n cases.append(1)"),
        ("theory", "match x:\n case Point(left=a): pass"),
        ("verify", "import importlib\nimportlib.import_module('scipy.stats')"),
        ("verify", "import sys\nX = sys.float_info.max\nY = open('data').read()"),
        ("verify", "import numpy as np, torch, helpers_of_mine\nX = np.zeros(3)\nX[0] = getattr(np, Y)"),
    ],
)
def test_honest_files(side, code):
    assert list(source_form._forbidden(ast.parse(code), side, "own")) == []


@pytest.mark.parametrize("side", ["theory", "verify"])
def test_no_file_of_a_paper_reaches_into_the_judge(side):
    """Fixtures, too, which a verdict does not look at."""
    for paper in PAPERS:
        for path in sorted((ROOT / side / paper).rglob("*.py")):
            assert list(source_form._forbidden(ast.parse(path.read_text()), side)) == [], path
    for path in sorted((ROOT / "theory/facts").rglob("*.py")) if side == "theory" else ():
        assert list(source_form._forbidden(ast.parse(path.read_text()), side)) == [], path


def test_claims_are_looked_at(monkeypatch):
    claim = theory.claim("squant/sup")
    assert form_problems(claim) == []
    assert len(text_sha256(claim)) == 32
    monkeypatch.setitem(source_form._NAMES, "verify", frozenset(("checks_of",)))
    line, *_ = form_problems(claim)
    assert line.startswith("verify/squant/variance/sup.py, line ")


def test_the_text_of_checks_has_what_they_share(monkeypatch):
    claim = theory.claim("cq_marina/ab-independent")
    shared = {path.relative_to(ROOT).as_posix() for path in claim_files.shared_files(claim)}
    assert "verify/conformance/fast_and_literal.py" in shared
    assert any(path.startswith("verify/cq_marina/fixtures/") for path in shared)
    assert all(path.startswith(("verify/conformance/", "verify/cq_marina/")) for path in shared)
    before = text_sha256(claim)
    monkeypatch.setattr(claim_files, "shared_files", lambda _: iter(()))
    assert text_sha256(claim) != before


def test_helpers_of_a_paper_of_ones_own_are_looked_at(tmp_path, monkeypatch):
    """What a derivation may not do, a file that it imports may not do either."""
    package = tmp_path / "helped"
    (package / "theory").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "theory/__init__.py").write_text("")
    (package / "theory/one.py").write_text("from helped import helpers\n")
    (package / "helpers.py").write_text("def prove(K):\n    return K._register\n")
    own = ((("helped", package),), frozenset({"helped"}))
    monkeypatch.setattr("verify.records.sources._packages", lambda: own)
    found = list(claim_files.helpers_of("helped.theory.one", "theory"))
    assert ("helped/helpers.py", package / "helpers.py", "theory") in found
    # Beside checks the same file is an implementation, until it imports of us.
    assert "helped/helpers.py" not in [
        where for where, *_ in claim_files.helpers_of("helped.theory.one", "verify")
    ]
    (package / "helpers.py").write_text("from boundcheck import eq\ndef prove(law):\n    return law._trace\n")
    source_form_files = {where for where, *_ in claim_files.helpers_of("helped.theory.one", "verify")}
    assert "helped/helpers.py" in source_form_files


def test_the_text_of_checks_has_the_fixtures_of_a_paper_of_ones_own(tmp_path, monkeypatch):
    """Also those that import nothing of us."""
    package = tmp_path / "helped"
    (package / "verify").mkdir(parents=True)
    for folder in (package, package / "verify"):
        (folder / "__init__.py").write_text("")
    checks, fixtures = package / "verify/one.py", package / "fixtures.py"
    checks.write_text("from helped import fixtures\n")
    fixtures.write_text("INPUTS = (1, 2)\n")
    own = ((("helped", package),), frozenset({"helped"}))
    monkeypatch.setattr("verify.records.sources._packages", lambda: own)
    entry = SimpleNamespace(verify_module="helped.verify.one")
    monkeypatch.setattr(
        "theory.reading.index.read_index", lambda: SimpleNamespace(entries={"own/one": entry})
    )
    claim = SimpleNamespace(id="own/one")
    assert fixtures in claim_files.shared_files(claim)
    monkeypatch.setattr(claim_files, "files_of", lambda _: iter([("helped/verify/one.py", checks, "verify")]))
    before = text_sha256(claim)
    fixtures.write_text("INPUTS = (1, 2, 3)\n")
    assert text_sha256(claim) != before
