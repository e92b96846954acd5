r"""A statement as people read it: setting and parts in one text, with what each part says and what shows it.

    In this setting $x\in\mathbb R^d$.
    (a: budget, bound) The steps have the budget $\sum_j\frac1{h_j^2}=\beta^2$, and
      <<there is no better bound -> exact/worst case>> than $\omega\le d$. [proof; exact/budget]

The label is followed by the names of relations; the brackets at the end hold the evidence; `<<words ->
evidence>>` is
a pin. Later lines of a part are indented. Lines are joined by spaces, and by nothing after a backslash.
"""

import re
from collections.abc import Mapping, Sequence
from textwrap import dedent
from typing import Any

from theory.claim import Part

_HEAD = re.compile(r"\((\w+)(?:: ([^)]*))?\) (.*)")
_EVIDENCE = re.compile(r"(.*?) \[((?:proof|\w+/).*)\]")
_PIN = re.compile(r"<<(.*?) -> (.*?)>>")


def statement(text: str) -> Mapping[str, Any]:
    """Return `setting` and `parts` of a claim.

    Raises:
        ValueError: A part does not begin with `(LABEL: RELATIONS)`, or does not end with its evidence.
    """
    setting: list[str] = []
    parts: list[list[str]] = []
    for line in dedent(text).strip().splitlines():
        if line.startswith("(a)") or line.startswith("(a:") or (parts and not line.startswith(" ")):
            parts.append([])
        (parts[-1] if parts else setting).append(line.strip())
    return {"setting": _joined(setting), "parts": tuple(_part(_joined(lines)) for lines in parts)}


def _joined(lines: Sequence[str]) -> str:
    whole = ""
    for line in lines:
        whole = whole[:-1] + line if whole.endswith("\\") else f"{whole} {line}"
    return whole.strip()


def _part(text: str) -> Part:
    head = _HEAD.fullmatch(text)
    found = head and _EVIDENCE.fullmatch(head[3])
    if head is None or found is None:
        raise ValueError(f"part {text[:40]!r} must read: (LABEL: RELATIONS) words [EVIDENCE; EVIDENCE]")
    says = tuple(head[2].split(", ")) if head[2] else ()
    pins = dict(_PIN.findall(found[1]))
    return Part(head[1], _PIN.sub(r"\1", found[1]), says, tuple(found[2].split("; ")), pins)
