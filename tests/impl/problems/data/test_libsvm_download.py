"""Download of LIBSVM sets from a server on this machine; the real one is never asked."""

import builtins
import bz2
import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from scipy.sparse import csr_matrix

from impl.errors import ArgumentError
from impl.problems import load_libsvm
from impl.problems.data import libsvm, libsvm_download
from impl.problems.data.libsvm_download import fetch

TOY = b"2 1:0.5 3:1\n1 2:-4\n2 1:1e-3 2:2\n"
TORN = (b"-1 1:1\n+1 2:2", b"+1 1:3\n")  # the first part ends without a new line


def entry(name, rows, labels, counts):
    features = csr_matrix(rows)
    digest = libsvm.content_sha256(features, labels)
    return libsvm.LibsvmSet(name, *features.shape, features.nnz, counts, digest)


MANIFEST = {
    "toy": entry("toy", [[0.5, 0, 1], [0, -4, 0], [1e-3, 2, 0]], [1, -1, 1], ((1.0, 1), (2.0, 2))),
    "torn": entry("torn", [[1.0, 0], [0, 2], [3, 0]], [-1, 1, 1], ((-1.0, 1), (1.0, 2))),
}


@pytest.fixture
def manifest(monkeypatch):
    """Two small sets, one of them in two parts."""
    for module in (libsvm, libsvm_download):
        monkeypatch.setattr(module, "MANIFEST", MANIFEST)
    monkeypatch.setattr(libsvm_download, "PARTS", {"torn": ("torn", "torn.t")})
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    return MANIFEST


@pytest.fixture
def server(monkeypatch):
    """A server of `files`, which remembers what was `asked`; `short` ones break off halfway."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.removeprefix("/mirror/")
            self.server.asked.append(name)
            if name not in self.server.files:
                self.send_error(404)
                return
            content = self.server.files[name]
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if name in self.server.short else content)

        def log_message(self, *_):
            pass

    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.files = {"toy": TOY, "torn": TORN[0], "torn.t": TORN[1]}
        running.asked, running.short = [], set()
        running.base = f"http://127.0.0.1:{running.server_port}/mirror/"
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_all_sets_are_fetched_once(manifest, server, tmp_path):
    folder, seen = tmp_path / "new" / "folder", []
    results = fetch(folder=folder, base=server.base, progress=seen.append)
    assert [(result.name, result.status, result.problem) for result in results] == [
        ("toy", "fetched", ""),
        ("torn", "fetched", ""),
    ]
    assert tuple(seen) == results
    assert results[0].path == folder / "toy"
    assert names(folder) == ["torn", "toy"]
    assert (folder / "torn").read_bytes() == TORN[0] + b"\n" + TORN[1]
    assert load_libsvm("torn", folder)[0].toarray().tolist() == [[1, 0], [0, 2], [3, 0]]
    assert server.asked == ["toy", "torn", "torn.t"]
    assert [result.status for result in fetch(folder=folder, base=server.base)] == ["kept", "kept"]
    assert len(server.asked) == 3


def test_folder_of_the_environment_and_packed_files(manifest, server, tmp_path, monkeypatch):
    monkeypatch.setenv("BOUNDCHECK_DATA", str(tmp_path))
    (tmp_path / "toy.bz2").write_bytes(bz2.compress(TOY))
    kept, again = fetch(["toy", "toy", "torn"], base=server.base)
    assert (kept.status, kept.path) == ("kept", tmp_path / "toy.bz2")
    assert again.status == "fetched"


def test_a_wrong_file_is_replaced(manifest, server, tmp_path):
    (tmp_path / "toy").write_bytes(TOY.replace(b"-4", b"4"))
    assert fetch(["toy"], tmp_path, base=server.base)[0].status == "fetched"
    assert (tmp_path / "toy").read_bytes() == TOY


WRONG = libsvm.content_sha256(csr_matrix([[0.5, 0, 1], [0, 4, 0], [1e-3, 2, 0]]), [1, -1, 1])


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (TOY.replace(b"-4", b"4"), f"content SHA-256 is {WRONG} instead of"),
        (TOY + b"1 1:1\n", "(4, 3, 6) instead of (3, 3, 5)"),
        (b"<html>come back later</html>", "cannot be read"),
        (b"", "(0, 3, 0) instead of (3, 3, 5)"),
    ],
)
def test_a_wrong_download_leaves_nothing_behind(manifest, server, tmp_path, content, word):
    server.files["toy"] = content
    failed, other = fetch(folder=tmp_path, base=server.base)
    assert (failed.status, failed.path) == ("failed", None)
    assert failed.problem.startswith(f"{server.base}toy is not the recorded 'toy': ")
    assert word in failed.problem
    assert manifest["toy"].content_sha256 in failed.problem
    assert str(tmp_path) not in failed.problem
    assert other.status == "fetched"
    assert names(tmp_path) == ["torn"]


def test_a_wrong_download_keeps_what_was_there(manifest, server, tmp_path):
    (tmp_path / "toy").write_bytes(b"mine")
    server.files["toy"] = b"worse"
    assert fetch(["toy"], tmp_path, base=server.base)[0].status == "failed"
    assert (tmp_path / "toy").read_bytes() == b"mine"
    assert names(tmp_path) == ["toy"]


@pytest.mark.parametrize("trouble", ["absent", "short", "refused"])
def test_errors_of_the_network_are_one_line_with_a_remedy(manifest, server, tmp_path, trouble):
    base = server.base
    if trouble == "absent":
        del server.files["torn.t"]
    elif trouble == "short":
        server.short.add("torn.t")
    else:
        with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as closed:
            base = f"http://127.0.0.1:{closed.server_port}"
    first, second = fetch(folder=tmp_path, base=base)
    assert first.status == ("failed" if trouble == "refused" else "fetched")
    assert second.status == "failed"
    expected = {
        "absent": "torn.t cannot be downloaded (HTTP 404",
        "short": "IncompleteRead",
        "refused": "refused",
    }
    assert expected[trouble] in second.problem
    assert "download it by hand into a folder and set BOUNDCHECK_DATA" in second.problem
    assert "\n" not in second.problem
    assert "torn" not in names(tmp_path)
    assert len(names(tmp_path)) == (first.status == "fetched")


def test_mistakes_are_named_at_once(manifest, tmp_path):
    with pytest.raises(ArgumentError) as error:
        fetch(["covtype"], base="ftp://host")
    for word in (
        "covtype",
        "known are mnist, torn, toy",
        "BOUNDCHECK_DATA is not set",
        "'ftp://host'",
        "https://",
    ):
        assert word in str(error.value)
    (tmp_path / "file").write_text("")
    with pytest.raises(ArgumentError, match="cannot be made a folder"):
        fetch(folder=tmp_path / "file")


def test_without_pooch(manifest, tmp_path, monkeypatch):
    plain = builtins.__import__

    def without(name, *rest):
        if name == "pooch":
            raise ImportError(name)
        return plain(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    (tmp_path / "toy").write_bytes(TOY)
    assert fetch(["toy"], tmp_path)[0].status == "kept"  # nothing to download
    with pytest.raises(ArgumentError, match=r"pip install 'boundcheck\[data\]'"):
        fetch(["torn"], tmp_path)
    assert names(tmp_path) == ["toy"]


def test_the_real_sets_are_known():
    assert set(libsvm_download.PARTS) <= set(libsvm.MANIFEST)
    assert libsvm_download.LIBSVM_PAGE.startswith("https://")


def test_the_real_files(libsvm_folder, server, tmp_path):
    """Serve the real content under the names of the LIBSVM page."""
    plain = {}
    for name in libsvm.MANIFEST:
        path = libsvm.find_file(libsvm_folder, name)
        if path is None or path.suffix != ".bz2":
            pytest.skip(f"no {name}.bz2 in the folder with the LIBSVM files")
        with bz2.open(path) as packed:
            plain[name] = packed.read()
    lines = plain["splice"].splitlines(keepends=True)
    plain["splice"], plain["splice.t"] = b"".join(lines[:1000]), b"".join(lines[1000:])
    server.files = plain
    shutil.copy(libsvm_folder / "phishing.bz2", tmp_path)
    results = fetch(folder=tmp_path, base=server.base)
    assert {result.name: result.status for result in results} == {
        "a9a": "fetched",
        "mushrooms": "fetched",
        "phishing": "kept",
        "splice": "fetched",
        "w8a": "fetched",
        "german.numer": "fetched",
        "svmguide3": "fetched",
    }
    assert names(tmp_path) == [
        "a9a",
        "german.numer",
        "mushrooms",
        "phishing.bz2",
        "splice",
        "svmguide3",
        "w8a",
    ]
