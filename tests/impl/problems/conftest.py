import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def libsvm_folder():
    """The folder with the real LIBSVM files."""
    candidates = [Path(__file__).resolve().parents[4] / "shared" / "data"]
    if os.environ.get("BOUNDCHECK_DATA"):
        candidates.insert(0, Path(os.environ["BOUNDCHECK_DATA"]))
    folder = next((folder for folder in candidates if folder.is_dir()), None)
    if folder is None:
        pytest.skip("neither BOUNDCHECK_DATA nor ../shared/data is there")
    return folder
