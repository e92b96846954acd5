"""How the methods look in all figures of this paper."""

COLORS = {"independent": "C1", "correlated": "C0", "perm_k": "C2", "rand_k": "C4"}
MARKERS = {"independent": "s", "correlated": "o", "perm_k": "^", "rand_k": "D"}
LABELS = {
    "independent": "IQ (independent)",
    "correlated": "CQ (correlated)",
    "perm_k": "PermK",
    "rand_k": "RandK",
}
LINES = {"independent": "-", "correlated": "--", "perm_k": "-.", "rand_k": (0, (1, 1))}
"""Where there are no markers; a dashed line is seen on a solid one."""
