"""Rounds, cost, claims and note of every prediction, as they were computed here: a change has to be meant.

`test_predicted_costs.py` holds them by hand.
"""

import math

import pytest

from verify.planning.methods import random_entries, with_memory
from verify.planning.ranked import ranked

ROWS = {
    "lora51": {
        "GD": (8, 4096),
        "DIANA, QSGD s=8": (9, 5443.745485807513),
        "DIANA+, varying steps, beta=19.6": (9, 5443.745485807513),
        "DCGD, QSGD s=16": (9, 5579.27489757222),
        "DCGD+, varying steps, beta=39.2": (9, 5579.27489757222),
        "DIANA, natural compression": (13, 6656),
        "random entries, T=6": (17, 8704),
        "DQSG, M=7": (17, 8704),
        "MARINA, PermK, p=0.5": (17, 9216),
        "MARINA, natural compression, p=0.5": (17, 9216),
        "MARINA, TernGrad, p=0.5": (17, 9216),
        "MARINA, rand-4, p=0.5": (17, 9216),
        "MARINA, correlated quantizers, p=0.5": (26, 13824),
        "DIANA, rand-4": (28, 14336),
        "MARINA, independent quantizers, p=0.5": (30, 15872),
        "DIANA, TernGrad": (36, 18432),
        "natural compression": (77, 39424),
        "rand-4": (313, 160256),
        "TernGrad": (454, 232448),
        "greedy entries, T=4": (786, 573071.0588235294),
        "CAT-ST, T>=2": (1258, 644096),
        "GD with memory, top-4": (5415, 2772480),
        "GD with memory, one bit": (71780, 36751360),
        "NDQSG, M=7, ratio 3 on half of the nodes": (None, math.inf),
    },
    "affine": {
        "DIANA, QSGD s=8": (9, 6290.984684002862),
        "DIANA+, varying steps, beta=19.6": (9, 6290.984684002862),
        "DCGD, QSGD s=16": (9, 6398.984684002862),
        "DCGD+, varying steps, beta=39.2": (9, 6398.984684002862),
        "GD": (8, 6528),
        "DIANA, natural compression": (13, 8814),
        "DQSG, M=7": (17, 12240),
        "MARINA, natural compression, p=0.5": (17, 13515),
        "MARINA, PermK, p=0.5": (17, 13600),
        "MARINA, TernGrad, p=0.5": (17, 13872),
        "MARINA, rand-4, p=0.5": (17, 14144),
        "random entries, T=6": (17, 14178),
        "MARINA, correlated quantizers, p=0.5": (26, 20030),
        "DIANA, rand-4": (28, 21056),
        "MARINA, independent quantizers, p=0.5": (30, 22986),
        "DIANA, TernGrad": (36, 25920),
        "natural compression": (77, 52206),
        "rand-4": (313, 235376),
        "TernGrad": (454, 326880),
        "greedy entries, T=4": (786, 627228),
        "CAT-ST, T>=2": (1258, 1049172),
        "GD with memory, top-4": (5415, 4120815),
        "GD with memory, one bit": (71780, 53978560),
        "NDQSG, M=7, ratio 3 on half of the nodes": (None, math.inf),
    },
}
KINDS = {
    "GD": (("cat/s-rates",), ""),
    "GD with memory": (with_memory.CLAIMS, ""),
    "DIANA": (("squant/diana", "squant/sup", "squant/bits-bound"), "mean"),
    "DIANA+": (("squant/diana", "squant/steps-diana", "squant/sup", "squant/bits-bound"), "mean"),
    "DCGD": (("squant/dcgd", "squant/sup", "squant/bits-bound"), "mean"),
    "DCGD+": (("squant/dcgd", "squant/steps", "squant/sup", "squant/bits-bound"), "mean"),
    "random entries": (random_entries.CLAIMS, "mean"),
    "natural compression": (("cat/mn-strong", "cat/contractions"), "mean"),
    "rand-": (("cat/mn-strong", "cq_marina/est-exact"), "mean"),
    "greedy entries": (("cat/mn-strong", "cat/atoms"), "mean"),
    "DIANA, natural": (("squant/diana", "cat/contractions"), "mean"),
    "DIANA, TernGrad": (("squant/diana", "squant/finding-original-levels"), "mean"),
    "DIANA, rand-": (("squant/diana", "cq_marina/est-exact"), "mean"),
    "TernGrad": (("cat/mn-strong", "squant/finding-original-levels"), "mean"),
    "CAT-ST": (random_entries.CLAIMS, "mean; as if every message had all entries"),
    "DQSG": (("ndqsg/conv-strong", "ndqsg/dqsg-variance"), "mean"),
    "NDQSG": (
        ("ndqsg/nested-conditional-mse", "ndqsg/finding-headline-on-training"),
        "no bound; step of DQSG",
    ),
    "MARINA, PermK": (("cq_marina/marina-pl", "cq_marina/ab-permk"), "mean over the coin"),
    "MARINA, correlated": (("cq_marina/marina-pl", "cq_marina/ab-cq"), "mean over the coin"),
    "MARINA, independent": (("cq_marina/marina-pl", "cq_marina/ab-independent"), "mean over the coin"),
    **{
        f"MARINA, {name}": (("cq_marina/marina-pl", "cq_marina/ab-independent", claim), "mean over the coin")
        for name, claim in (
            ("natural", "cat/contractions"),
            ("TernGrad", "squant/finding-original-levels"),
            ("rand-", "cq_marina/est-exact"),
        )
    },
}
"""Claims and notes by the first words of a method."""


@pytest.mark.parametrize("cost", ROWS)
def test_the_whole_rank_is_what_it_was(setting, cost):
    predictions = [row.prediction for row in ranked(setting(cost))]
    found = {prediction.method: (prediction.rounds, prediction.cost) for prediction in predictions}
    assert list(found) == list(ROWS[cost])
    for name, (rounds, price) in ROWS[cost].items():
        assert found[name] == (rounds, pytest.approx(price, rel=1e-9)), name
    for prediction in predictions:
        words = max((key for key in KINDS if prediction.method.startswith(key)), key=len)
        assert (prediction.claims, prediction.note) == KINDS[words]
