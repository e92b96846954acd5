"""Pin the words of all statements that match, after they were read: `boundcheck pin` for all by default.

tools/pin_statements.py [PATTERN ...]
"""

from __future__ import annotations

import sys

from verify.cli import main

if __name__ == "__main__":
    main(["pin", *(sys.argv[1:] or ["*"])])
