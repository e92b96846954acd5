"""What makes a figure stale: what it imports, libraries, the style, and its own files; nothing else."""

import inspect
import json
import sys
from pathlib import Path

import pytest

from verify.figures import names
from verify.figures.catalogue import module_of
from verify.figures.drawing import SUFFIXES
from verify.records.sources import PACKAGES, source_files
from verify.redrawing import ledger
from verify.redrawing.ledger import LEDGER, Change, Ledger, basis_of

ROOT = Path(__file__).resolve().parents[3]
FIGURE = "squant/floor"
LIBSVM = {f"cat/libsvm_{name}" for name in ("chosen_size", "costs", "neighbourhood", "nodes")}
TRAINING = {f"ndqsg/{name}" for name in ("accuracy_vs_bits", "accuracy_vs_iterations", "bits_to_accuracy")}
MARINA = {
    f"cq_marina/{name}"
    for name in (
        "against_sgd",
        "bits_to_accuracy",
        "convergence_logreg",
        "hessian_variance",
        "network_bits",
        "rate_vs_bound",
    )
}


def bases():
    return {name: basis_of(name) for name in names()}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("verify/figures/squant/floor.py", {"squant/floor"}),
        ("verify/figures/convergence_curves.py", {"squant/convergence_label", "squant/convergence_scaled"}),
        ("verify/figures/cat/parts/gap_costs.py", {"cat/libsvm_costs", "cat/libsvm_nodes"}),
        ("verify/experiments/cat/libsvm_tasks.py", {*LIBSVM, "cat/error_feedback"}),
        ("verify/figures/ndqsg_training_styles.py", {*TRAINING, "ndqsg/mnist_accuracy", "ndqsg/mnist_costs"}),
        # A claim whose formulas are evaluated, by a figure and by what a figure imports.
        ("theory/ndqsg/dither/protocol_desync.py", {"ndqsg/error_law"}),
        ("theory/squant/variance/bounds.py", {"squant/floor", "squant/variance_vs_bound"}),
        # Packages show these to all who import from them; a figure rests on the names that it takes.
        ("impl/problems/least_squares.py", {*LIBSVM, "cat/error_feedback"}),
        ("impl/optimizers/marina.py", MARINA),
        ("impl/compressors/__init__.py", set()),
        ("impl/wires/frame.py", set()),
        # Every figure is drawn by it.
        ("verify/figures/drawing.py", set(names())),
        # None imports these, though packages name them for type checkers.
        ("verify/running/runner.py", set()),
        ("verify/foreign/state/memory.py", set()),
        ("verify/cli/runs/figures.py", set()),
        ("verify/notebook.py", set()),
    ],
)
def test_a_changed_source_makes_exactly_the_figures_stale_that_import_it(tree, source, expected):
    before = bases()
    path = tree / source
    path.write_bytes(path.read_bytes() + b"\n# another byte\n")
    after = bases()
    assert {name for name in names() if after[name] != before[name]} == expected


def test_a_figure_rests_on_every_file_whose_functions_run_when_it_is_made():
    """What runs while modules are imported does not count: packages import more than is taken from them."""
    pyplot = pytest.importorskip("matplotlib.pyplot")
    name, folders = "cat/efficiency_curves", tuple(f"{ROOT / package}/" for package in PACKAGES)
    module, ran = module_of(name), set()

    def note(frame, event, _argument):
        file, function = frame.f_code.co_filename, frame.f_code.co_flags & inspect.CO_OPTIMIZED
        if event == "call" and function and file.startswith(folders) and file not in ran:
            while frame is not None and frame.f_code.co_name not in ("<module>", "table", "draw"):
                frame = frame.f_back
            if frame is not None and frame.f_code.co_filename == module.__file__:
                ran.add(file)

    sys.setprofile(note)
    try:
        picture = module.draw(module.table())
    finally:
        sys.setprofile(None)
    pyplot.close(picture)
    files = source_files((module.__name__,), windows=False)
    assert str(files["impl.adaptive.cat_sq"]) in ran
    assert ran <= set(map(str, files.values()))


@pytest.fixture
def made(tmp_path):
    """Return a ledger of one figure, whose files were just written."""
    for suffix in SUFFIXES:
        path = tmp_path / f"{FIGURE}{suffix}"
        path.parent.mkdir(exist_ok=True)
        path.write_text(suffix)
    found = Ledger(tmp_path)
    found.enter(FIGURE, basis_of(FIGURE))
    found.write()
    return Ledger.read(tmp_path)


def test_what_was_just_made_is_kept(made):
    assert made.change(FIGURE, basis_of(FIGURE)) == Change()


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("harm", ["edited", "deleted"])
def test_a_file_that_was_edited_or_deleted_is_made_again(made, suffix, harm):
    path = made.folder / f"{FIGURE}{suffix}"
    if harm == "edited":
        path.write_text("another one")
    else:
        path.unlink()
    said = (f"floor{suffix} {'was edited' if harm == 'edited' else 'is not there'}",)
    change = made.change(FIGURE, basis_of(FIGURE))
    assert change == (Change(table=said) if suffix == ".csv" else Change(picture=said))


@pytest.mark.parametrize(
    ("library", "table"), [("numpy", True), ("scipy", True), ("scikit-learn", True), ("matplotlib", False)]
)
def test_another_version_of_a_library_is_named(made, library, table):
    basis = basis_of(FIGURE)
    said = (f"{library} was {basis[library]}, is 0.0",)
    change = made.change(FIGURE, {**basis, library: "0.0"})
    assert change == (Change(table=said) if table else Change(picture=said))


def test_another_style_draws_again_without_computing(made, monkeypatch, tmp_path):
    style = tmp_path / "other.mplstyle"
    style.write_text("axes.grid: False\n")
    monkeypatch.setattr(ledger, "STYLE_SHEET", style)
    assert made.change(FIGURE, basis_of(FIGURE)) == Change(picture=("style sheet changed",))


def test_changed_sources_are_said(made):
    change = made.change(FIGURE, {**basis_of(FIGURE), "sources": "0" * 64})
    assert change == Change(table=("sources changed",))


def test_of_a_figure_that_is_not_entered_nothing_is_known(made):
    assert made.change("squant/steps", {}).table == ("nothing tells how it was made",)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"figures": {"a/b": {}}, "notebooks": {}}', '{"figures": 1}']
)
def test_a_damaged_ledger_keeps_nothing_and_says_so(tmp_path, text):
    (tmp_path / LEDGER).write_text(text)
    found = Ledger.read(tmp_path)
    assert found.figures == {}
    assert LEDGER in found.problem


def test_the_committed_ledger_is_that_of_the_committed_files():
    found = Ledger.read(ROOT / "paper_figures")
    assert found.problem == ""
    assert sorted(found.figures) == sorted(names())
    for name, entry in found.figures.items():
        # Sources move on between two runs of `make figures`; files do not move alone.
        assert made_of(found, name, entry) == Change(), f"run `boundcheck figures {name}`"


def made_of(found, name, entry):
    return found.change(name, {item: value for item, value in entry.items() if item != ledger.FILES})


def test_the_ledger_has_no_address(made):
    text = (made.folder / LEDGER).read_text()
    assert str(made.folder) not in text
    assert json.loads(text)["figures"][FIGURE]["files"].keys() == {f"{FIGURE}{item}" for item in SUFFIXES}
