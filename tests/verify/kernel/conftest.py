"""Modules that tests here share: claims, and by topic false derivations, random terms, sabotages."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (HERE, *(HERE / name for name in ("false_derivations", "fuzzing", "instances", "sabotage"))):
    sys.path.insert(0, str(folder))
