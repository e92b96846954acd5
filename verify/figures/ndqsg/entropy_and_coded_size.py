"""Bits per coordinate against the error variance: entropies, real messages, rate-distortion function."""

from typing import Any

import theory
from verify.context import MASTER_SEED
from verify.evidence.streams import stream
from verify.figures.bound_line import draw_bound
from verify.figures.captions import Caption
from verify.figures.ndqsg_styles import COLORS
from verify.formulas.evaluation import evaluate

CLAIM = "ndqsg/bits-at-equal-variance"
LEAST, LARGEST, POINTS = 1e-3, 0.7, 40
COORDINATES = 2**14
LEVELS = (2, 3, 4, 6, 9, 14, 22, 34)
RATIOS = {2: 2, 3: 3, 6: 5, 14: 7}
"""k of the nested messages with M levels."""

CURVES = {
    "index": (r"DQSG: $H(q)$", "dithered", "-"),
    "conditional": (r"DQSG: $H(q\mid u)$", "dithered", ":"),
    "rounding": (r"SR: $H(q)$", "rounding", "-"),
}
MARKS = {
    "raw": ("DQSG, raw message", "dithered", "s", "full"),
    "coded": ("DQSG, adaptive coder", "dithered", "o", "none"),
    "nested_raw": ("NDQSG, raw, with side information", "nested", "^", "full"),
    "nested_coded": ("NDQSG, adaptive coder, with it", "nested", "o", "none"),
}

CAPTION = Caption(
    title=(
        "Bits of a coordinate against the error variance: entropies, real messages and the "
        "rate-distortion function"
    ),
    seen=(
        "Left: bits of a standard normal coordinate against its error variance. Lines are entropies of "
        "the indices with dither (DQSG), given the dither (dotted), and with stochastic rounding (SR); "
        "marks are real messages, raw and coded. Right: the same above the rate-distortion function. "
        "Dither saves half a bit against rounding and is 0.2546 bits above the rate-distortion function "
        "at fine steps. The coder does not use the dither and has to learn the law, which costs more for "
        "larger alphabets. Nested messages (NDQSG, with their ratio k) may lie below the curve: their "
        "receiver has side information within the margin."
    ),
    bound=(
        "dashed black: left the rate-distortion function of a Gaussian, right the limits of both "
        "entropies at fine steps."
    ),
    measured=("entropies by quadrature; messages of 2^14 normal numbers in one block, scale included."),
    claims=(
        "ndqsg/entropy-index",
        "ndqsg/adaptive-code-length",
        "ndqsg/bits-at-equal-variance",
    ),
)


def table() -> dict[str, Any]:
    """Return bits at an error variance V of N(0, 1), and V of messages of one block of normal numbers.

    `stated` is the raw bits of the claim, for the conditional entropy the least bits at fine steps; `rate` is
    the rate-distortion function.
    """
    import numpy as np

    names = ("series", "V", "bits", "stated", "rate", "M", "k")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    rows = [row for V in np.geomspace(LEAST, LARGEST, POINTS) for row in _entropies(float(V))]
    for place, levels in enumerate(LEVELS):
        rows += _messages(levels, stream(MASTER_SEED, CLAIM, "figure", place))
    for row in rows:
        for key, item in zip(columns, row, strict=True):
            columns[key].append(item)
    return columns


def _formula(name: str, **values: float) -> float:
    return evaluate(theory.claim(CLAIM).formulas[name], values)


def _entropies(V: float) -> list[tuple[Any, ...]]:
    """Return the rows of the curves at an error variance."""
    from verify.ndqsg.fixtures.index_entropy import conditional_entropy, index_entropy, normal

    step, nan = _formula("dither_step", V=V), float("nan")
    law, rounded = normal(1 / step), normal(1 / _formula("rounding_step", V=V))
    found = {
        "index": (index_entropy(law), nan),
        "conditional": (conditional_entropy(law), _formula("fine", delta=step, sigma=1.0)),
        "rounding": (index_entropy(rounded), nan),
    }
    rate = _formula("gauss_rate", V=V)
    return [(name, V, bits, stated, rate, nan, nan) for name, (bits, stated) in found.items()]


def _messages(levels: int, rng: Any) -> list[tuple[Any, ...]]:
    """Return the rows of real messages, nested ones beside side information that is near enough."""
    from impl.coding.adaptive_coder import AdaptiveCoder
    from impl.compressors import DitheredQuantizer, NestedDitheredQuantizer

    d, x = COORDINATES, rng.standard_normal(COORDINATES)
    plain, nan = DitheredQuantizer(levels), float("nan")
    variance = float(plain.variance(x)) / d
    rate = _formula("gauss_rate", V=variance)

    def pair(codec: Any, name: str, stated: float, k: float) -> list[tuple[Any, ...]]:
        message = codec.message(x, codec.draw(rng, (d,)))
        coded = AdaptiveCoder(codec.alphabet).bits(message.symbols + codec.offset) + codec.norm_bits
        sizes = {f"{name}raw": float(message.bits) / d, f"{name}coded": coded / d}
        return [(key, variance, bits, stated, rate, levels, k) for key, bits in sizes.items()]

    rows = pair(plain, "", _formula("raw", M=levels, scale_bits=plain.norm_bits, block=d), nan)
    if levels in RATIOS:
        k = RATIOS[levels]
        nested = NestedDitheredQuantizer(levels, k)
        away = rng.uniform(-1, 1, d) * (k - 1) / 2 * 0.99 * abs(x).max() / levels
        variance = float(nested.variance(x, side=x - away)) / d
        rows += pair(nested, "nested_", _formula("raw_nested", k=k, scale_bits=nested.norm_bits, block=d), k)
    return rows


def draw(columns: dict[str, Any]) -> Any:
    """Draw bits on the left, bits above the rate-distortion function on the right."""
    import numpy as np
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2)
    series = np.array(columns["series"])

    def of(name: str) -> Any:
        keys = ("V", "bits", "stated", "rate", "k")
        return (np.array(columns[key], dtype=float)[series == name] for key in keys)

    for name, (label, method, line) in CURVES.items():
        V, bits, stated, rate, _ = of(name)
        left.plot(V, bits, line, color=COLORS[method], label=label)
        right.plot(V, bits - rate, line, color=COLORS[method])
        if name == "conditional":
            draw_bound(left, V, rate, "rate-distortion function; right: limits at fine steps")
            draw_bound(right, V, stated - rate, "least $H(q|u)$ at fine steps")
            saving = _formula("saving")
            draw_bound(right, V, stated - rate + saving, "half a bit more")
            gap = _formula("gap")
            right.text(V[0], gap - 0.05, f"{gap:.4f}", fontsize=7)
            right.text(V[0], gap + saving - 0.05, f"{gap + saving:.4f}", fontsize=7)
    for name, (label, method, marker, fill) in MARKS.items():
        V, bits, _, rate, k = of(name)
        style: dict[str, Any] = {"color": COLORS[method], "fillstyle": fill, "linestyle": "none"}
        left.plot(V, bits, marker=marker, label=label, **style)
        if name == "coded":
            right.plot(V, bits - rate, marker=marker, **style)
        if name == "nested_raw":
            for v, b, ratio in zip(V, bits, k, strict=True):
                box = {"facecolor": "white", "edgecolor": "none", "pad": 0.3, "alpha": 0.8}
                left.text(
                    v, b - 0.5, f"$k={ratio:.0f}$", ha="center", fontsize=7, color=COLORS[method], bbox=box
                )
    for axis in (left, right):
        axis.set(xscale="log", xlabel="error variance $V$ of a coordinate, $x\\sim N(0,1)$")
    left.set(ylabel="bits of a coordinate", ylim=(0, 7.3))
    right.set(ylabel=r"bits above $\frac{1}{2}\log_2\frac{1}{V}$", ylim=(0, 1.15))
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.set_size_inches(6.8, 3.7)
    return figure
