"""How the methods of training runs look in all figures: a colour for each kind, a line for its parameters."""

COLORS = {
    "sgd": "black",
    "dqsg-1": "C0",
    "dqsg-3": "C0",
    "nested-1-2": "C2",
    "nested-3-3": "C2",
    "nested-3-5": "C2",
    "nested-adaptive": "C2",
    "rounding-1": "C1",
    "rounding-3": "C1",
    "qsgd": "C3",
    "terngrad": "C4",
    "one-bit": "C5",
}
LINES = {
    "sgd": "-",
    "dqsg-1": "--",
    "dqsg-3": "-",
    "nested-1-2": "--",
    "nested-3-3": "-",
    "nested-3-5": "-.",
    "nested-adaptive": ":",
    "rounding-1": "--",
    "rounding-3": "-",
    "qsgd": "-",
    "terngrad": "-",
    "one-bit": "-",
}
"""Dashed for M = 1."""

LABELS = {
    "sgd": "SGD, 32 bits",
    "dqsg-1": "DQSG, $M=1$",
    "dqsg-3": "DQSG, $M=3$",
    "nested-1-2": "NDQSG, $M=1$, $k=2$",
    "nested-3-3": "NDQSG, $M=3$, $k=3$",
    "nested-3-5": "NDQSG, $M=3$, $k=5$",
    "nested-adaptive": "NDQSG, $k$ by rule",
    "rounding-1": "SR, $M=1$",
    "rounding-3": "SR, $M=3$",
    "qsgd": r"QSGD, $s=\sqrt{d}$",
    "terngrad": "TernGrad, clipped",
    "one-bit": "one bit, feedback",
}
"""Half of the workers are nested where any are."""

FAMILIES = {
    "DQSG": ("dqsg-1", "dqsg-3"),
    "NDQSG": ("nested-1-2", "nested-3-3", "nested-3-5", "nested-adaptive"),
    "SR": ("rounding-1", "rounding-3"),
    "other": ("qsgd", "terngrad", "one-bit"),
}
"""Rows of small panels: all methods but SGD, of which no more than four share a panel."""

FAMILY_LINES = {**LINES, "qsgd": "--", "one-bit": "-.", "nested-3-5": (0, (5, 1, 1, 1, 1, 1))}
"""As `LINES`, and told apart in print without colours within each family."""
