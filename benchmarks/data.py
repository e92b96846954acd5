"""Where data sets are."""

import os
from pathlib import Path


def libsvm_folder() -> Path | None:
    """Return the folder with the LIBSVM files, None where there is none."""
    folders = [os.environ.get("BOUNDCHECK_DATA"), Path(__file__).resolve().parents[2] / "shared" / "data"]
    found = next((folder for folder in folders if folder and Path(folder).is_dir()), None)
    return None if found is None else Path(found)
