"""Checks of `cat/expected-packets`: all sets of survivors in rationals against the law of their number."""

from collections.abc import Iterable, Sequence
from fractions import Fraction as F
from typing import Any

import numpy as np

from impl.adaptive import expected_cost, keep_probabilities, survivor_law
from impl.communication import PRESETS, Affine, CostModel, LoRaAirtime, Packet, Payload, Wire
from verify.authoring import Comparisons, checks_of, eq
from verify.authoring.law import Law
from verify.cat.fixtures.golden_vectors import GI, gh, rational
from verify.cat.fixtures.rule_arguments import links_inside, links_outside
from verify.cat.fixtures.written_out import LINKS, STATED_LINKS, LinkRules, compare_links
from verify.cat.random.survivors import enumerated_cost
from verify.comparison import ROUND_OFF, Comparison
from verify.conformance.arguments import REFUSALS, arguments, taken
from verify.conformance.told_apart import ALL_ALIKE, apart, different, told_apart

judge = checks_of(
    "cat/expected-packets",
    rule=expected_cost,
    survivors=survivor_law,
    empty=lambda cost: F(cost.empty),
    links=STATED_LINKS,
    taken=taken,
    apart=apart,
)


def _instance(p: Sequence[F], cost: Any, bits: int) -> dict[str, Any]:
    return {"p": tuple(p), "cost": cost, "bits": bits}


def _filled(g: Sequence[int], T: F) -> Any:
    return keep_probabilities(rational(g), T)


INSTANCES = {
    "flat-two-to-a-packet": _instance(_filled((1,) * 4, F(2)), Packet(2), 1),
    "flat-three-to-a-packet": _instance(_filled((1,) * 4, F(2)), Packet(3), 1),
    "gi": _instance(_filled(GI, F(2)), Packet(64), 35),
    "gi-fixed-price": _instance(_filled(GI, F(5)), Packet(3, 2, F(1, 2)), 2),
    "sure-and-never": _instance((F(1), F(0), F(1, 3), F(2, 5), F(1)), Packet(5, 1, 1), 3),
    "wire": _instance(_filled(GI, F(3)), Wire(64, 20, 5), 35),
    "airtime": _instance(_filled(GI, F(7, 2)), LoRaAirtime(), 37),
    "affine": _instance(_filled(GI, F(5, 2)), Affine(F(3, 2), 7), 35),
}
# For equal probabilities of 1/2 the binomial law and the swapped one are right, and for three to a packet or
# affine costs the mean decides.
_FLAT = ("flat-two-to-a-packet", "flat-three-to-a-packet")


def _all_but(*names: str) -> tuple[str, ...]:
    return tuple(f"exact/{name}" for name in INSTANCES if name not in names)


# ---------------------------------------------------------------- sabotages


judge.sabotage(
    "cost-of-the-mean: Take the cost of the expected number: for 2 of 4 equal entries, two to a packet, 1 "
    "instead of 5/4.",
    rule=lambda p, cost, bits: F(cost(sum(p) * bits)),
    at=_all_but("flat-three-to-a-packet", "affine"),
)
judge.sabotage(
    "equal-probabilities: Take the binomial law with the mean probability: 1.65086 instead of 1.67006 for "
    "`gi` with T = 2.",
    rule=lambda p, cost, bits: expected_cost([sum(p) / len(p)] * len(p), cost, bits),
    at=_all_but(*_FLAT, "affine"),
)
judge.sabotage(
    "swapped-coin: Swap the probability of an entry and its complement. "
    "| grown_law = grown_law(chance = 1 - chance)",
    at=_all_but(*_FLAT),
)
judge.sabotage(
    "lost-survivor: Lose the largest number of survivors.",
    {"survivors": lambda p: [q for q in survivor_law(p) if q][:-1]},
    "dearer-empty-message: An empty message costs one more.",
    {"empty": lambda cost: F(cost.empty) + 1},
    at=_all_but(),
)
judge.sabotage(
    "short-floats at exact/floats: A millionth is missing in floats.",
    {"rule": lambda p, cost, bits: expected_cost(p, cost, bits) * (1 - 1e-6)},
    "half-full-packets-free at exact/links: The last packet is not paid unless it is full.",
    lambda law: law.replace(links=LinkRules(last=0)),
    "short-preamble at exact/links: Four symbols less in the preamble of each LoRa frame.",
    lambda law: law.replace(links=LinkRules(preamble=F(33, 4))),
    "dearer-messages at exact/links: Every message costs one more.",
    lambda law: law.replace(links=LinkRules(more=1)),
    *REFUSALS,
    *ALL_ALIKE,
)
judge.sabotage_data(
    "permuted-coins, neutral: Reverse the order of the entries: nothing may change.",
    lambda p, cost, bits: _instance(p[::-1], cost, bits),
    at=_all_but(),
)


# ---------------------------------------------------------------- checks


def _stated(law: Law, p: Sequence[F], costs: Sequence[F]) -> Any:
    """Return the stated expected cost, the law grown entry by entry by the stated recursion."""
    grown: list[Any] = [F(1)]
    for chance in p:
        pairs = zip([*grown, F(0)], [F(0), *grown], strict=True)
        grown = [law.exactly("grown_law", chance=chance, stayed=s, grown=t) for s, t in pairs]
    return law.exactly("exact", P=grown, C=costs, d=len(p))


def _check(law: Law, p: Sequence[F], cost: Any, bits: int) -> Iterable[Comparison]:
    """The expectation over all sets of survivors against the stated one and that of `impl`."""
    found = enumerated_cost(p, cost, bits)
    costs = [F(cost(bits * count)) for count in range(len(p) + 1)]
    yield eq("rule", law.rule(list(p), cost, bits), found, headline=True)
    yield eq("stated", found, _stated(law, p, costs))
    yield eq("total", sum(law.survivors(list(p))), 1)
    yield eq("no survivors", law.empty(cost), costs[0])
    if isinstance(cost, Affine):
        affine = law.exactly("affine", c_0=cost.fixed, c_1=cost.per_bit * bits, p=p, d=len(p))
        yield eq("affine", found, affine)


for _name, _given in INSTANCES.items():
    judge.exact(
        instance=_name,
        parameters={"p": _given["p"], "cost": repr(_given["cost"]), "entry_bits": _given["bits"]},
        **_given,
    )(_check)


@judge.exact(d=64, sizes=(1, 14, 40), parameters={"d": 64})
def floats(law: Law, d: int, sizes: Sequence[int]) -> Iterable[Comparison]:
    """The law in floats leaves out what is negligible; rationals leave out nothing."""
    for T in sizes:
        p = keep_probabilities(gh(), T)
        exact = [float(item) for item in survivor_law([F(item) for item in p])]
        for name in ("6lowpan", "lora51", "eth-wire", "lora-airtime"):
            cost = PRESETS[name]
            costs = np.array([float(cost(38 * count)) for count in range(d + 1)])
            mean = law("exact", P=exact, C=costs, d=d)
            yield eq("floats", law.rule(p, cost, 38), mean, ROUND_OFF, witness={"T": T, "cost": name})


@judge.exact(links=sorted(LINKS))
def links(law: Law, links: Sequence[str]) -> Iterable[Comparison]:
    """Costs of numbers and arrays on all links against their definitions, around the ends of packets."""
    yield from compare_links(law.links)


@judge.exact(link="lora-airtime")
def domain(law: Law, link: str) -> Comparisons:
    """Prices, frames and payloads that the links take, and spreading factors from 7 to 12."""
    del link
    yield from arguments(law.taken, links_inside(), links_outside())


STANDARDS: dict[str, CostModel] = {
    "payload": Payload(),
    "affine": Affine(1, 624),
    "eth": Packet(11680, 12304),
    "eth-wire": Wire(11680, 624),
    "6lowpan": Packet(648, 1064),
    "lora51": Packet(408, 512),
    "lora-airtime": LoRaAirtime(),
}


@judge.exact(instance="told-apart", links=tuple(LINKS))
def told(law: Law, links: Sequence[str]) -> Comparisons:
    """Links are equal where kind and sizes are; those of standards have the sizes that are documented."""
    made = different({**{name: LINKS[name] for name in links}, **STANDARDS})
    yield from told_apart(law.apart, made, [(PRESETS[name], link) for name, link in STANDARDS.items()])
