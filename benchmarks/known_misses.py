"""Targets that are missed, what limits them, and what was measured: see benchmarks/README.md."""

from collections.abc import Mapping

from targets import Known

KNOWN: Mapping[tuple[str, str], Mapping[str, Known]] = {
    ("QSGD, s = 16", "1e3 f4"): {
        "naive": Known("calls", wide=1.42, narrow=1.24),
        "numpy ms": Known("numpy calls", wide=43.8, narrow=50.7),
        "peer GRACE": Known("calls", wide=6.2, narrow=5.28),
    },
    ("QSGD, s = 16", "1e5 f4"): {
        "naive": Known("allocator, narrow vectors", wide=3.8, narrow=2.57),
        "peer GRACE": Known("narrow vectors", narrow=4.52),
    },
    ("QSGD, s = 16", "1e6 f4"): {
        "copy": Known("random words, pages, narrow vectors", wide=9.48, narrow=6.99),
        "naive": Known("narrow vectors", narrow=3.53),
        "peer GRACE": Known("narrow vectors", narrow=5.5),
    },
    ("QSGD, s = 16", "1e7 f4"): {
        "peer GRACE": Known("narrow vectors", narrow=9.85),
    },
    ("TernGrad", "1e5 f4"): {
        "naive": Known("random words, narrow vectors", wide=3.42, narrow=2.08),
    },
    ("dithered, M = 3", "1e5 f4"): {
        "naive": Known("random words, quotients, narrow vectors", wide=1.57, narrow=0.966),
    },
    ("TernGrad", "1e6 f4"): {
        "naive": Known("allocator, narrow vectors", wide=4.66, narrow=2.62),
    },
    ("dithered, M = 3", "1e6 f4"): {
        "naive": Known("random words, quotients, narrow vectors", wide=2.03, narrow=1.67),
    },
    ("correlated, n = 16", "1e3 f8"): {
        "peer torch": Known("calls, narrow vectors", wide=5.39, narrow=2.96),
        "peer torch argsort": Known("calls, narrow vectors", wide=2.73, narrow=1.42),
    },
    ("correlated, n = 16", "1e5 f8"): {
        "peer torch": Known("random words, narrow vectors", wide=10.5, narrow=8.05),
        "peer torch argsort": Known("random words, narrow vectors", wide=4.92, narrow=3.12),
    },
    ("correlated, n = 16", "1e6 f8"): {
        "copy": Known("random words, pages, narrow vectors", wide=7.86, narrow=13.7),
        "peer torch": Known("narrow vectors", narrow=9.75),
        "peer torch argsort": Known("random words, narrow vectors", wide=5.52, narrow=3.59),
    },
    ("Top-k, k = d / 100", "1e3 f4"): {
        "peer torch": Known("calls", wide=1.34, narrow=1.05),
    },
    ("Rand-k, k = d / 100", "1e3 f4"): {
        "naive": Known("calls", wide=1.07, narrow=1.44),
        "numpy ms": Known("numpy calls", wide=196, narrow=37.5),
    },
    ("Rand-k, k = d / 100", "1e5 f4"): {
        "naive": Known("calls", wide=23.7, narrow=16.1),
    },
    ("Rand-k, k = d / 100", "1e6 f4"): {
        "naive": Known("pages, narrow vectors", wide=50, narrow=28.1),
    },
    ("write sparse Elias code, s = 4, max norm", "1e6, 2.50 bits"): {
        "ms": Known("slow machine", narrow=4.88),
    },
    ("write sparse Elias code, s = 16, max norm", "1e6, 4.84 bits"): {
        "ms": Known("slow machine", narrow=6.06),
    },
    ("read sparse Elias code, s = 16, max norm", "1e6, 4.84 bits"): {
        "ms": Known("slow machine", narrow=8.91),
    },
    ("read dense Elias code, s = 4, max norm", "1e6, 2.74 bits"): {
        "ms": Known("slow machine", narrow=9.39),
    },
    ("read dense Elias code, s = 16, max norm", "1e6, 4.68 bits"): {
        "ms": Known("slow machine", narrow=10.3),
    },
    ("read dense Elias code, s = 4, L2 norm", "1e6, 1.01 bits"): {
        "ms": Known("slow machine", narrow=7.42),
    },
    ("read dense Elias code, s = 16, L2 norm", "1e6, 1.04 bits"): {
        "ms": Known("slow machine", narrow=8.12),
    },
    ("squared errors, StochasticQuantizer", "1000 x 1000"): {
        "ms": Known("random words", wide=3250, narrow=4430),
    },
    ("write adaptive coder, s = 1, max norm", "1e6, 0.8222 bits"): {
        "ms": Known("slow machine", narrow=13.3),
    },
    ("read adaptive coder, s = 1, max norm", "1e6, 0.8222 bits"): {
        "ms": Known("slow machine", narrow=23),
    },
    ("write range coder, adaptive, s = 1, max norm", "1e6, 0.8224 bits"): {
        "ms": Known("slow machine", narrow=17.4),
    },
    ("read range coder, adaptive, s = 1, max norm", "1e6, 0.8224 bits"): {
        "ms": Known("slow machine", narrow=26.2),
    },
    ("write range coder, fixed, s = 1, max norm", "1e6, 0.8224 bits"): {
        "ms": Known("slow machine, narrow vectors", narrow=15.7),
    },
    ("write adaptive coder, s = 4, max norm", "1e6, 1.957 bits"): {
        "ms": Known("slow machine", narrow=14.5),
    },
    ("read adaptive coder, s = 4, max norm", "1e6, 1.957 bits"): {
        "ms": Known("slow machine", narrow=22.2),
    },
    ("write range coder, adaptive, s = 4, max norm", "1e6, 1.957 bits"): {
        "ms": Known("slow machine", narrow=16.8),
    },
    ("read range coder, adaptive, s = 4, max norm", "1e6, 1.957 bits"): {
        "ms": Known("slow machine", narrow=28.6),
    },
    ("write range coder, fixed, s = 4, max norm", "1e6, 1.957 bits"): {
        "ms": Known("slow machine, narrow vectors", narrow=14.4),
    },
    ("write adaptive coder, s = 7, max norm", "1e6, 2.666 bits"): {
        "ms": Known("slow machine", narrow=14),
    },
    ("read adaptive coder, s = 7, max norm", "1e6, 2.666 bits"): {
        "ms": Known("slow machine", narrow=22.8),
    },
    ("write range coder, adaptive, s = 7, max norm", "1e6, 2.667 bits"): {
        "ms": Known("slow machine", narrow=17.7),
    },
    ("read range coder, adaptive, s = 7, max norm", "1e6, 2.667 bits"): {
        "ms": Known("slow machine", narrow=27.4),
    },
    ("write range coder, fixed, s = 7, max norm", "1e6, 2.666 bits"): {
        "ms": Known("slow machine, narrow vectors", narrow=16.1),
    },
    ("write adaptive coder, s = 16, max norm", "1e6, 3.816 bits"): {
        "ms": Known("digits in turn", wide=42.3, narrow=18.1),
    },
    ("read adaptive coder, s = 16, max norm", "1e6, 3.816 bits"): {
        "ms": Known("digits in turn", wide=83.6, narrow=46.2),
    },
    ("write range coder, adaptive, s = 16, max norm", "1e6, 3.817 bits"): {
        "ms": Known("slow machine", narrow=18.5),
    },
    ("read range coder, adaptive, s = 16, max norm", "1e6, 3.817 bits"): {
        "ms": Known("digits in turn", wide=100, narrow=52.1),
    },
    ("write range coder, fixed, s = 16, max norm", "1e6, 3.816 bits"): {
        "ms": Known("slow machine, narrow vectors", narrow=16.4),
    },
    ("write adaptive coder, s = 127, max norm", "1e6, 6.796 bits"): {
        "ms": Known("digits in turn", wide=47.1, narrow=17.6),
    },
    ("read adaptive coder, s = 127, max norm", "1e6, 6.796 bits"): {
        "ms": Known("digits in turn", wide=114, narrow=39.9),
    },
    ("write range coder, adaptive, s = 127, max norm", "1e6, 6.796 bits"): {
        "ms": Known("slow machine", narrow=18.3),
    },
    ("read range coder, adaptive, s = 127, max norm", "1e6, 6.796 bits"): {
        "ms": Known("digits in turn", wide=134, narrow=50),
    },
    ("write range coder, fixed, s = 127, max norm", "1e6, 6.794 bits"): {
        "ms": Known("slow machine, narrow vectors", narrow=15),
    },
    ("write adaptive coder, s = 4, L2 norm", "1e6, 0.03482 bits"): {
        "ms": Known("slow machine", narrow=12.5),
    },
    ("read adaptive coder, s = 4, L2 norm", "1e6, 0.03482 bits"): {
        "ms": Known("slow machine", narrow=23.9),
    },
    ("write range coder, adaptive, s = 4, L2 norm", "1e6, 0.03494 bits"): {
        "ms": Known("slow machine", narrow=17),
    },
    ("read range coder, adaptive, s = 4, L2 norm", "1e6, 0.03494 bits"): {
        "ms": Known("slow machine", narrow=27.5),
    },
    ("write range coder, fixed, s = 4, L2 norm", "1e6, 0.03482 bits"): {
        "ms": Known("slow machine, narrow vectors", narrow=14.5),
    },
    ("write adaptive coder, s = 16, L2 norm", "1e6, 0.1133 bits"): {
        "ms": Known("slow machine", narrow=15.4),
    },
    ("read adaptive coder, s = 16, L2 norm", "1e6, 0.1133 bits"): {
        "ms": Known("digits in turn", wide=83.2, narrow=44),
    },
    ("write range coder, adaptive, s = 16, L2 norm", "1e6, 0.1134 bits"): {
        "ms": Known("slow machine", narrow=15.2),
    },
    ("read range coder, adaptive, s = 16, L2 norm", "1e6, 0.1134 bits"): {
        "ms": Known("digits in turn", wide=95.5, narrow=50.6),
    },
    ("write range coder, fixed, s = 16, L2 norm", "1e6, 0.113 bits"): {
        "ms": Known("slow machine, narrow vectors", narrow=14.8),
    },
    ("Sender and Aggregator, 4 workers, plain", "1e6 f8, raw"): {
        "ms": Known("slow machine", narrow=89.9),
    },
    ("dithered, M = 3", "1e3 f4"): {
        "numpy ms": Known("numpy calls", wide=49.8, narrow=53.3),
    },
    ("TernGrad", "1e3 f4"): {
        "numpy ms": Known("numpy calls", wide=94.5, narrow=47.4),
    },
    ("OneBit", "1e3 f4"): {
        "numpy ms": Known("numpy calls", wide=162, narrow=45.4),
    },
    ("natural compression", "1e3 f4"): {
        "numpy ms": Known("numpy calls", wide=746, narrow=47.5),
    },
    ("MARINA, correlated", "phishing, a round"): {
        "ms": Known("memory", narrow=1.73),
    },
    ("MARINA, Rand-15", "w8a, a round"): {
        "ms": Known("sparse products", narrow=3.19),
    },
    ("nested dithered, M = k = 3", "1e3 f4"): {
        "numpy ms": Known("numpy calls", narrow=87.7),
    },
}
"""By mechanism, size and target. Without AVX-512 it is the worst of up to three runs on 2026-11-29; with it,
those of 1000 coordinates are from before calls of one short vector became shorter; so is what names torch."""
