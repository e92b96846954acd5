"""Labels of parts that follow each other, told as ranges."""

from collections.abc import Sequence


def neighbours(labels: Sequence[str]) -> list[list[str]]:
    """Return labels in groups of those whose letters follow each other: a b c e -> abc, e."""
    runs: list[list[str]] = []
    for label in labels:
        if runs and len(label) == len(runs[-1][-1]) == 1 and ord(label) == ord(runs[-1][-1]) + 1:
            runs[-1].append(label)
        else:
            runs.append([label])
    return runs


def in_short(labels: Sequence[str]) -> str:
    """Return labels with three or more neighbours as a range: `a-d, g`."""
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(run) for run in neighbours(labels))
