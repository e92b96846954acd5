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
    "top-32": ":",
    "top-d": ":",
    "random-8": ":",
    "random-32": ":",
}
LINK_LABELS = {
    "payload": "payload",
    "affine": "affine, 624 bits fixed",
    "6lowpan": "6LoWPAN",
    "lora51": "LoRa, 51 bytes",
    "eth": "Ethernet",
}
"""The five links of the figures, by the names of the presets."""
