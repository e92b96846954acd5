"""A tiny paper with claims and checks that cost nothing, ways to run the judge, a copy of the sources."""

import functools
import itertools
import json
import os
import shutil
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest

import theory
from theory.claim import Claim, Part
from theory.paper import Paper
from theory.reading.index import Entry, Index
from verify import binding
from verify.binding import Check, Mutant
from verify.comparison import Comparison
from verify.judging import judgement, parts, verdicts
from verify.records import sources
from verify.records.folder import sealed
from verify.rungs.exact import ExactCase
from verify.running import runner

FAKE = Paper("fake", "A Paper with {Braces}", ("Ada Lovelace", "Alan Turing"), 2021, "2101.00001", "Venue")
SOURCES = Path(sources.__file__).resolve().parents[2]


def exact_case(value, bound=Fraction(1, 2), relation="le"):
    return ExactCase(lambda: [Comparison("half", relation, value, bound, witness={"x": [1, 2]})])


def entry_of(claim, position):
    slug = claim.id.partition("/")[2]
    header = (claim.id, claim.paper.name, claim.kind, claim.provenance, claim.title, position)
    return Entry(*header, f"theory.fake.{slug}", Path(f"{slug}.py"), f"verify.fake.{slug}")


@pytest.fixture
def make_claim(monkeypatch):
    """Return a claim of the fake paper with one part; by default with one mutant, `wrong`."""
    declared = {}
    mutants_of = binding.mutants_of
    for module in (binding, judgement, verdicts):
        monkeypatch.setattr(module, "mutants_of", lambda claim: declared.get(claim.id) or mutants_of(claim))
    # Nobody has pinned its words.
    tie_problems = parts.tie_problems
    monkeypatch.setattr(
        parts, "tie_problems", lambda claim: [] if claim.id in declared else tie_problems(claim)
    )

    def make(slug="one", mutants=None, kind="upper", evidence=("exact/half",)):
        claim = Claim(
            id=f"fake/{slug}",
            kind=kind,
            provenance="derived",
            title=f"Claim {slug}",
            position=1,
            paper=FAKE,
            setting="",
            parts=(Part("a", "It is at most one half.", (), evidence),),
        )
        declared[claim.id] = (Mutant("wrong", "twice the value"),) if mutants is None else tuple(mutants)
        return claim

    return make


@pytest.fixture
def make_check():
    """Return a check on the exact rung: value against 1/2, with one mutant that exceeds it."""

    def make(instance="half", value=Fraction(1, 4), wrong=Fraction(1), **changes):
        mutants = {} if wrong is None else {"wrong": exact_case(wrong)}
        return Check("exact", instance, exact_case(value), {"x": [1, 2]}, mutants, **changes)

    return make


@pytest.fixture
def registry(monkeypatch):
    """Return a function that replaces all claims by the given ones, each with its checks."""

    def install(*pairs):
        claims = {claim.id: claim for claim, _ in pairs}
        checks = {claim.id: tuple(found) for claim, found in pairs}
        entries = {claim.id: entry_of(claim, place) for place, (claim, _) in enumerate(pairs)}
        monkeypatch.setattr(theory, "read_index", lambda: Index(entries, {}, ()))
        monkeypatch.setattr(theory, "_loaded", lambda entry: claims[entry.id])
        for module in (binding, runner):
            monkeypatch.setattr(module, "checks_of", lambda claim: checks[claim.id])
        runner._units_of.cache_clear()

    yield install
    runner._units_of.cache_clear()


LABEL = {
    "verdict": "holds",
    "grade": "instance",
    "relation": "le",
    "count": 1,
    "bound": 0.5,
    "value": 0.25,
    "tightness": 2.0,
    "tolerance": 0.0,
    "rejected_by": ["wrong"],
    "cited": [],
    "hypotheses": [],
    "reason": "",
}


@pytest.fixture
def make_record():
    """Return a valid record; keyword arguments replace fields."""

    def make(**changes):
        record = {
            "schema": "boundcheck-record-2",
            "claim": "fake/one",
            "paper": "fake",
            "rung": "exact",
            "instance": "half",
            "profile": "quick",
            "parameters": {"x": [1, 2]},
            "verdict": "holds",
            "grade": "instance",
            "bound": 0.5,
            "value": 0.25,
            "tightness": 2.0,
            "exact": {},
            "alpha": 0.0,
            "samples": 1,
            "seed": 7,
            "mutants": [mutant_entry("wrong")],
            "witness": None,
            "steps": [],
            "labels": {"half": LABEL | {k: changes[k] for k in ("verdict", "grade") if k in changes}},
            "unwatched": [],
            "unnoticed": [],
            "noticed": [],
            "reason": "1 comparisons, exactly",
            "refuted": False,
            "libraries": {},
            "seconds": 0.25,
            "source_sha256": "0" * 64,
        }
        return sealed(record | changes)

    return make


def mutant_entry(name, *, rejected=True, neutral=False):
    return {
        "name": name,
        "neutral": neutral,
        "rejected": rejected,
        "labels": ["half"] if rejected else [],
        "bound": 0.5,
        "value": 1.0,
        "reason": "half",
    }


@pytest.fixture
def make_mutant_entry():
    """Return what a record says about one mutant."""
    return mutant_entry


@pytest.fixture
def boundcheck(monkeypatch, capsys):
    """Run the command line in this process, as the console script does; return its exit code and output."""

    def run(*arguments):
        from verify.cli import main

        monkeypatch.setattr(sys, "argv", ["boundcheck", *arguments])
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as leave:
            code = leave.code or 0
        out, err = capsys.readouterr()
        document = None
        if "--json" in arguments:
            # json.loads refuses anything before or after the one document.
            document = json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} in the document"))
        return SimpleNamespace(code=code, out=out, err=err, document=document)

    return run


@pytest.fixture(scope="session")
def variance_run(tmp_path_factory):
    """Return the folder of one uninterrupted run of `squant/var`, shared by all: nobody writes into it."""
    folder = tmp_path_factory.mktemp("variance")
    runner.verify("squant/var", out=folder)
    return folder


@pytest.fixture
def libsvm(monkeypatch):
    """Read LIBSVM sets from BOUNDCHECK_DATA or from beside the checkout; skip where there is neither."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    folder = os.environ.get("BOUNDCHECK_DATA") or (str(beside) if beside.is_dir() else "")
    if not folder:
        pytest.skip("neither BOUNDCHECK_DATA nor ../shared/data is there")
    monkeypatch.setenv("BOUNDCHECK_DATA", folder)


# What one process computes depends on the arguments only.
_kept = functools.cache(functools.cache)


@pytest.fixture
def links_as_modelled(monkeypatch):
    """Return a function by which runs on links are made up from runs in one process.

    They take `factor` times what the model says, and `spoil` lets them leave their course; `slow` is what
    probes of the machine find, over and over.
    """
    from impl.wires import model
    from verify.wires import link_runs

    own, setting_of = _kept(link_runs.course), _kept(link_runs.setting_of)

    def computed(course):
        return 0.001 if min(item.longest for item in course.rounds) > 100 else 0.004  # whole gradients

    def set_up(factor=1.0, slow=(1.0,), spoil=False):
        probes = itertools.cycle(slow)

        def over_tcp(setting, method, seed, link, rounds, levels):
            found = own(setting, method, seed, rounds, levels)
            n, seconds, made = setting.n, 0.0, []
            for item in found.rounds:
                seconds += factor * (computed(found) + link.round_trip(item.down // n, item.longest))
                made.append(replace(item, seconds=seconds, up=item.up + spoil))
            return replace(found, rounds=made)

        monkeypatch.setattr(link_runs, "over_tcp", over_tcp)
        monkeypatch.setattr(link_runs, "course", own)
        monkeypatch.setattr(link_runs, "setting_of", setting_of)
        monkeypatch.setattr(link_runs, "_known", {})
        monkeypatch.setattr(model, "slowdown", lambda: next(probes))
        monkeypatch.setattr(model.Load, "stolen_since", lambda self, before: 0.0)
        monkeypatch.setattr(model, "empty_round", lambda n, d: model.Computing(0.0, 0.0))
        monkeypatch.setattr(
            model.Computing, "of", classmethod(lambda cls, course: cls(0.0, computed(course)))
        )

    return set_up


@pytest.fixture(scope="session")
def timeless():
    """Return the records of a folder by key, without times."""

    def read(folder):
        found = {}
        for path in sorted((folder / "records").rglob("*.json")):
            record = json.loads(path.read_text(encoding="utf-8"))
            record.pop("seconds")
            found[path.relative_to(folder).as_posix()] = record
        return found

    return read


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """Return a copy of the packages."""
    folder = tmp_path_factory.mktemp("tree")
    for package in sources.PACKAGES:
        shutil.copytree(SOURCES / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def tree(copied, monkeypatch):
    """Return the copy, of which the hash is now taken; what a test changes in it is changed back."""
    before = {path: path.read_bytes() for path in copied.rglob("*.py")}
    monkeypatch.setattr(sources, "__file__", str(copied / "verify" / "records" / "sources.py"))
    sources.clear_caches()
    yield copied
    for path, content in before.items():
        if path.read_bytes() != content:
            path.write_bytes(content)
    sources.clear_caches()
