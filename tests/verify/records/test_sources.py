import shutil
from pathlib import Path

import pytest

from verify.records import sources

ROOT = Path(sources.__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """Return a copy of the packages."""
    folder = tmp_path_factory.mktemp("tree")
    for package in sources.PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
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
        "verify/judgement.py",
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
        "verify/cli/show.py",
        "verify/reporting/report.py",
        "impl/optimizers/gd.py",
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
