"""Modules of this folder that tests share: claims, and false derivations by topic in their own folder."""

import sys
from pathlib import Path

for folder in (Path(__file__).parent, Path(__file__).parent / "false_derivations"):
    sys.path.insert(0, str(folder))
