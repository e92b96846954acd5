"""`boundcheck report`: where it writes, what it refuses, what it says."""

import builtins
import errno
import os
from pathlib import Path

import pytest

from verify.site import templating


@pytest.fixture
def report(boundcheck, records, tmp_path):
    """Run `boundcheck report` on one claim."""

    (tmp_path / "none").mkdir()

    def run(*arguments):
        folders = ("--records", str(records), "--figures", str(tmp_path / "none"))
        return boundcheck("report", "cat/sq-range", "--jobs", "1", *folders, *arguments)

    return run


def test_it_says_what_it_made(report, tmp_path):
    done = report("--out", str(tmp_path / "site"), "--json")
    assert done.code == 0
    assert done.document["index"] == str(tmp_path / "site" / "index.html")
    assert done.document["claims"]["holds"] == 1
    pages = len(list((tmp_path / "site").rglob("*.html")))
    assert done.document["pages"] == pages
    assert f"{pages} pages" in report("--out", str(tmp_path / "site")).out


def test_a_report_is_replaced_and_nothing_of_it_stays(report, tmp_path):
    out = tmp_path / "site"
    assert report("--out", str(out)).code == 0
    (out / "old.html").write_text("old")
    assert report("--out", str(out)).code == 0
    assert not (out / "old.html").exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".site")] == []


def test_a_folder_that_is_no_report_is_refused_without_force(report, tmp_path):
    out = tmp_path / "thesis"
    out.mkdir()
    (out / "chapter.tex").write_text("years of work")
    refused = report("--out", str(out))
    assert refused.code == 2
    assert "--force" in refused.err
    assert str(out) in refused.err
    assert (out / "chapter.tex").read_text() == "years of work"
    assert [path.name for path in out.iterdir()] == ["chapter.tex"]
    assert report("--out", str(out), "--force").code == 0
    assert not (out / "chapter.tex").exists()


@pytest.mark.parametrize("kind", ["file", "link", "below a file"])
def test_what_is_no_folder_is_refused(report, tmp_path, kind):
    file = tmp_path / "file"
    file.write_text("kept")
    out = file
    if kind == "link":
        out = tmp_path / "link"
        out.symlink_to(file)
    elif kind == "below a file":
        out = file / "site"
    refused = report("--out", str(out), "--force")
    assert refused.code == 2
    assert "Traceback" not in refused.err
    assert file.read_text() == "kept"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_folder_is_refused(report, tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    refused = report("--out", str(locked / "site"))
    assert refused.code == 2
    assert "--out" in refused.err


def test_without_jinja2_the_extra_is_named(report, tmp_path, monkeypatch):
    found = builtins.__import__

    def without(name, *arguments, **keywords):
        if name == "jinja2":
            raise ImportError(name)
        return found(name, *arguments, **keywords)

    templating._environment.cache_clear()
    monkeypatch.setattr(builtins, "__import__", without)
    refused = report("--out", str(tmp_path / "site"))
    assert refused.code == 2
    assert "pip install 'boundcheck[report]'" in refused.err
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("jobs", ["0", "-2"])
def test_a_wrong_number_of_processes_is_refused(boundcheck, tmp_path, jobs):
    refused = boundcheck("report", "--out", str(tmp_path / "site"), "--jobs", jobs)
    assert refused.code == 2
    assert f"jobs={jobs}" in refused.err


def test_an_unknown_claim_is_refused(boundcheck, tmp_path):
    refused = boundcheck("report", "squant/nothing", "--out", str(tmp_path / "site"))
    assert refused.code == 2
    assert not (tmp_path / "site").exists()


def test_a_full_disk_is_one_error_and_the_report_before_stays(report, tmp_path, monkeypatch):
    out = tmp_path / "site"
    assert report("--out", str(out)).code == 0
    before = (out / "index.html").read_bytes()
    usual = Path.write_text

    def write(self, text, **further):
        if self.name == "index.html":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return usual(self, text, **further)

    monkeypatch.setattr(Path, "write_text", write)
    found = report("--out", str(out), "--json")
    assert found.code == 2
    assert f"out={str(out)!r} cannot be written (No space left on device); the one" in found.document["error"]
    assert found.err.count("\n") == 1
    assert (out / "index.html").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".site")] == []
