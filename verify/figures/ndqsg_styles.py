"""How the methods look in all figures of this paper."""

COLORS = {"dithered": "C0", "rounding": "C1", "nested": "C2", "half-width": "C3", "desynchronised": "C4"}
LABELS = {
    "dithered": "DQSG (dither subtracted)",
    "rounding": "SR (not subtracted)",
    "nested": "NDQSG",
    "half-width": "dither of half width",
    "desynchronised": "desynchronised receiver",
}
RATIO_COLORS = {2: "C1", 3: "C0", 5: "C2", 7: "C3"}
RATIO_MARKERS = {2: "s", 3: "o", 5: "^", 7: "D"}
