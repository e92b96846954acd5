"""MNIST: the rows that are taken, what is refused, and the download from a server on this machine."""

import functools
import hashlib

import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.problems import load_mnist
from impl.problems.data import libsvm_download, mnist


def small(rows):
    """Return arrays of the layout of the file, with few images."""
    generator = np.random.default_rng(3)
    images = generator.integers(0, 256, (rows + 4, 28, 28), dtype=np.uint8)
    classes = generator.integers(0, 10, rows + 4, dtype=np.uint8)
    return {
        "x_train": images[:rows],
        "y_train": classes[:rows],
        "x_test": images[rows:],
        "y_test": classes[rows:],
    }


def digest_of(arrays, kept):
    parts = [arrays["x_train"][:kept], arrays["y_train"][:kept], arrays["x_test"], arrays["y_test"]]
    return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()


@pytest.fixture
def known(monkeypatch):
    """The first five of small images are the recorded ones."""
    monkeypatch.setattr(mnist, "ROWS", 5)
    monkeypatch.setattr(mnist, "CONTENT_SHA256", digest_of(small(9), 5))


def test_the_first_rows_of_a_longer_file_are_taken(known, tmp_path):
    arrays = small(9)
    np.savez(tmp_path / "mnist.npz", **arrays)
    found = load_mnist(tmp_path)
    assert found.features.tolist() == (arrays["x_train"][:5].reshape(5, 784) / 255).tolist()
    assert found.labels.tolist() == arrays["y_train"][:5].tolist()
    assert found.test_features.shape == (4, 784)
    with pytest.raises(ValueError, match="read-only"):
        found.features[0, 0] = 1
    assert mnist.check(tmp_path) == ""


def test_missing_data_name_the_command(monkeypatch, tmp_path):
    with pytest.raises(ArgumentError, match="boundcheck data fetch mnist"):
        load_mnist(tmp_path)
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    with pytest.raises(ArgumentError, match="BOUNDCHECK_DATA is not set"):
        load_mnist()
    assert mnist.check(tmp_path) == "no file"


@pytest.mark.parametrize("damage", ["pixel", "torn", "layout"])
def test_other_content_is_refused(known, tmp_path, damage):
    arrays, path = small(9), tmp_path / "mnist.npz"
    if damage == "pixel":
        arrays["x_train"] = arrays["x_train"].copy()
        arrays["x_train"][4, 0, 0] ^= 1
    if damage == "layout":
        del arrays["y_test"]
    np.savez(path, **arrays)
    if damage == "torn":
        path.write_bytes(path.read_bytes()[:-200])
    words = {"pixel": "is not the recorded MNIST", "torn": "cannot be read", "layout": "has no y_test"}
    with pytest.raises(ArgumentError, match=words[damage]):
        load_mnist(tmp_path)


def test_download_is_compared_before_it_gets_its_name(known, monkeypatch, tmp_path):
    asked = []

    def download(arrays, address, path, _):
        asked.append(address)
        with open(path, "wb") as file:
            np.savez(file, **arrays)

    wrong = {**small(9), "y_test": small(9)["y_test"][::-1]}
    for arrays, status in ((wrong, "failed"), (small(9), "fetched"), (small(9), "kept")):
        monkeypatch.setattr(libsvm_download, "_downloader", lambda a=arrays: functools.partial(download, a))
        (result,) = libsvm_download.fetch(["mnist"], tmp_path)
        assert result.status == status
        assert (tmp_path / "mnist.npz").is_file() == (status != "failed")
    assert asked == [mnist.ADDRESS, mnist.ADDRESS]
    libsvm_download.fetch(["mnist"], tmp_path / "other", base="http://127.0.0.1:9/mirror/")
    assert asked[-1] == "http://127.0.0.1:9/mirror/mnist.npz"


def test_recorded_data(libsvm_folder):
    if not (libsvm_folder / "mnist.npz").is_file():
        pytest.skip("no mnist.npz beside the LIBSVM sets")
    found = load_mnist(libsvm_folder)
    assert found.features.shape == (mnist.ROWS, mnist.PIXELS)
    assert np.count_nonzero(found.features) == mnist.NONZEROS
    # A nearest-centroid classifier has 81.54 % on the test images (data README).
    centroids = np.stack([found.features[found.labels == k].mean(axis=0) for k in range(10)])
    distances = (centroids**2).sum(axis=1) - 2 * found.test_features @ centroids.T
    assert (distances.argmin(axis=1) == found.test_labels).mean() == pytest.approx(0.8154, abs=5e-5)
