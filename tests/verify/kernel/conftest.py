"""Modules of this folder that tests share: claims, and false derivations by topic."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
