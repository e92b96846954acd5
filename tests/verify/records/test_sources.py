import pytest

import theory
from verify.records import sources


def hash_after(path=None):
    """Return the hash as another process would find it, after a change of this file."""
    if path is not None:
        path.write_bytes(path.read_bytes() + b"\n# another byte\n")
    sources.source_sha256.cache_clear()
    return sources.source_sha256("squant/var")


def test_the_hash_does_not_depend_on_the_place(tree, monkeypatch):
    moved = hash_after()
    monkeypatch.undo()
    sources.clear_caches()
    assert hash_after() == moved


@pytest.mark.parametrize(
    "name",
    [
        "theory/squant/variance/var.py",
        "verify/squant/variance/var.py",
        "verify/sabotage/stochastic_quantizer.py",
        "verify/expectation/enumeration.py",
        "verify/judging/judgement.py",
        "verify/comparison.py",
        "verify/rungs/exact.py",
        "verify/rungs/run.py",
        # Imported inside functions only.
        "verify/evidence/mean_test.py",
        "verify/evidence/streams.py",
        "verify/evidence/betting.py",
        # Imported by what is imported.
        "impl/compressors/rounding/stochastic_quantizer.py",
        "impl/compressors/__init__.py",
        "impl/compressors/contract.py",
        "impl/errors.py",
        "theory/facts/rounding/rounding.py",
    ],
)
def test_a_changed_byte_in_an_imported_module_changes_the_hash(tree, name):
    before = hash_after()
    assert hash_after(tree / name) != before


@pytest.mark.parametrize(
    "name",
    [
        "verify/squant/bits/bits.py",
        "verify/cli/claims/show.py",
        "verify/reporting/report.py",
        "impl/optimizers/gd.py",
        # Only named for type checkers, by packages that load it when it is asked for.
        "verify/running/runner.py",
        "verify/foreign/state/memory.py",
    ],
)
def test_what_a_claim_does_not_use_leaves_its_hash_alone(tree, name):
    before = hash_after()
    assert hash_after(tree / name) == before


def test_claims_have_hashes_of_their_own(tree):
    assert sources.source_sha256("squant/var") != sources.source_sha256("squant/bits")
    assert len(sources.source_sha256("squant/var")) == 64


def test_a_new_import_is_followed(tree):
    extra = tree / "verify" / "brand_new.py"
    extra.write_text("VALUE = 1\n")
    user = tree / "verify" / "squant" / "variance" / "var.py"
    user.write_text(
        user.read_text() + "\n\ndef late():\n    from verify import brand_new\n    return brand_new\n"
    )
    sources.clear_caches()
    before = hash_after()
    assert hash_after(extra) != before
    extra.unlink()


@pytest.fixture
def module(tree):
    """Return a function that writes a module and returns the modules on which it rests."""

    def write(text, **options):
        path = tree / "verify" / "brand_new.py"
        path.write_text(text)
        sources.clear_caches()
        try:
            return set(sources.source_files(("verify.brand_new",), **options))
        finally:
            path.unlink()

    return write


def test_what_only_a_type_checker_sees_is_not_followed(module):
    text = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from verify.running import runner\n\n"
    assert module(f"{text}\n\nVALUE = 1\n") == {"verify", "verify.brand_new"}
    assert "impl.errors" in module(f"{text}import impl.errors\n")  # what follows the block is


def test_a_name_that_a_package_loads_when_it_is_asked_for_is_followed(module):
    found = module("from verify.evidence import MeanTest\n")
    assert "verify.evidence.mean_test" in found
    assert "verify.evidence.trajectory" not in found


GRADIENT_DESCENT, MARINA = "impl.optimizers.gd", "impl.optimizers.marina"


@pytest.mark.parametrize(
    "text",
    [
        "import impl.optimizers\n",
        "from impl import optimizers\n",
        "from impl.optimizers import *\n",
        "from impl.optimizers import nothing_of_this_name\n",
        "from impl.optimizers import gd\nimport impl.optimizers\n",
    ],
)
def test_a_window_that_is_imported_whole_counts_with_all_that_it_shows(module, text):
    assert {"impl.optimizers", GRADIENT_DESCENT, MARINA} <= module(text, windows=False)


def test_names_that_are_taken_from_a_window_count_alone(module):
    text = "from impl.optimizers import gd\n"
    assert {"impl.optimizers", GRADIENT_DESCENT, MARINA} <= module(text)
    found = module(text, windows=False)
    assert GRADIENT_DESCENT in found
    assert not {"impl.optimizers", MARINA} & found
    assert "impl.compressors.contract" in module("from impl.compressors import Draws\n", windows=False)


def test_a_package_with_code_of_its_own_is_no_window(tree, module):
    window = tree / "impl" / "optimizers" / "__init__.py"
    window.write_text(window.read_text() + "\nSTEPS = [1]\n")
    assert MARINA in module("from impl.optimizers import gd\n", windows=False)


@pytest.mark.parametrize("call", ["theory.claim", "formulas_of", "formula", "law.of"])
def test_a_claim_whose_formulas_are_asked_for_counts_where_it_is_named(module, call):
    found = module(f'CLAIM = "squant/dcgd"\nVALUE = {call}(CLAIM)\n')
    assert "theory.squant.convergence.dcgd" in found
    assert "theory.squant.convergence.dcgd" not in module('CLAIM = "squant/dcgd"\n')


def test_imports_of_a_text_count_and_the_text_itself_does_not(tree):
    once, again = (
        sources.modules_sha256((), text) for text in (b"import impl.errors", b"import impl.errors  # x")
    )
    assert once == again
    assert once != sources.modules_sha256((), b"import impl.hadamard")


def test_hashes_of_many_claims_at_one_moment_are_those_of_each():
    moment = sources.Moment()
    for entry in theory.entries("*/finding-*"):
        assert moment.source_sha256(entry.id) == sources.source_sha256(entry.id)


@pytest.mark.parametrize("line", [b"if True: from impl.helper import SCALE", b"x = 1; import impl.helper"])
def test_imports_behind_a_colon_or_semicolon_count(line):
    assert any(name.startswith("impl.helper") for _, name in sources._parsed(line).imports)


@pytest.mark.parametrize(
    "line",
    [
        b"from impl.helper \\\n    import SCALE",
        b"import \\\r\n    impl.helper",
        b"from \\\n impl import helper",
    ],
)
def test_imports_on_continued_lines_count(line):
    assert any(name.startswith("impl.helper") for _, name in sources._parsed(line).imports)
