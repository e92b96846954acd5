"""How methods and links look in all figures of this paper."""

COLORS = {
    "gd": "black",
    "top-1": "C5",
    "top-8": "C4",
    "top-32": "C3",
    "random-8": "C4",
    "random-32": "C3",
    "top-d": "gray",
    "cat_s": "C0",
    "cat_sq": "C1",
    "cat_st": "C2",
}
LABELS = {
    "gd": "GD, dense",
    "top-1": "$T=1$",
    "top-8": "$T=8$",
    "top-32": "$T=32$",
    "top-d": "$T=d$, with indices",
    "cat_s": "CAT-S",
    "cat_sq": "CAT-SQ",
    "cat_st": "CAT-ST",
}
NODE_LABELS = {
    "gd": "GD, dense",
    "random-8": "$T=8$ expected",
    "random-32": "$T=32$ expected",
    "cat_st": "CAT-ST",
}
"""Of the methods that several nodes have."""

LINES = {
    "gd": "-.",
    "top-1": ":",
    "top-8": ":",
    "top-32": (0, (1, 2, 3, 2)),
    "top-d": ":",
    "random-8": ":",
    "random-32": (0, (1, 2, 3, 2)),
    "cat_s": "-",
    "cat_sq": "-",
    "cat_st": "--",
}
MARKERS = {
    "gd": "D",
    "top-1": "1",
    "top-8": "2",
    "top-32": "+",
    "top-d": "x",
    "random-8": "2",
    "random-32": "+",
    "cat_s": "o",
    "cat_sq": "s",
    "cat_st": "^",
}
WIDTHS = {"gd": 1.6, "cat_s": 2.0}
"""Of the lines that another one often lies on: that one is thinner, and drawn above them."""

LINK_LABELS = {
    "payload": "payload",
    "affine": "affine, 624 bits fixed",
    "6lowpan": "6LoWPAN",
    "lora51": "LoRa, 51 bytes",
    "eth": "Ethernet",
}
"""The five links of the figures, by the names of the presets."""
