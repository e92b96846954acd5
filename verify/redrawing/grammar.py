"""Leave out what reading a notebook imports and never uses."""

import sys


def leave_out_grammar() -> None:
    """Let jsonschema do without the grammar of web addresses, which takes seconds to compile at its import.

    It is the optional library `rfc3987_syntax`, which Jupyter installs; notebooks are read without it.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # as where it is not installed
