"""Checks of `squant/real-links`: the model by hand, and runs on real processes."""

from __future__ import annotations

from typing import Any

from verify.authoring import Comparisons, Law, checks_of, eq
from verify.comparison import ROUND_OFF
from verify.conformance.arguments import REFUSALS, arguments, taken
from verify.conformance.wire_channels import channels, connections
from verify.conformance.wire_courses import OTHER_COURSE, courses, told
from verify.conformance.wire_times import arrivals, computing, forwarding, links_inside, links_outside
from verify.wires import link_orders
from verify.wires.link_runs import Measurement, Plan, measured

BOTH_WAYS = ("1Mbit,10ms", "0.1Mbit,1ms")
SLOW, FAST = "12kbit,1ms,uplink", "5Mbit,1ms,uplink"
DESCENT, AWARE, UNAWARE = "gd", "diana_plus:varying", "diana"
METHODS = (DESCENT, AWARE, "diana_plus:block", UNAWARE, "marina:perm_k")
MOST = 40
"""Rounds of a run: hardly more than gradient descent and DIANA+ need; the others are not run to the end."""
TIMES = 3
"""Runs of each method where computing takes most of the time, interleaved."""
RUNS = (
    *((link, method, MOST) for link in BOTH_WAYS for method in METHODS),
    *((link, method, MOST) for link in (SLOW, *[FAST] * TIMES) for method in (DESCENT, AWARE)),
)
COURSES = ("gd", "diana", "diana_plus:varying", "marina:perm_k", "dqsg")
FEW_ROUNDS, PACED = 6, "2Mbit,20ms"
"""A delay that rounds without it do not reach on a busy machine either."""

judge = checks_of(
    "squant/real-links",
    other_seed=0,
    paced=PACED,
    turned=False,
    forged="",
    told=told,
    taken=taken,
)

judge.sabotage(*OTHER_COURSE, *REFUSALS)

judge.sabotage(
    "bits-over-rate at run/breast-cancer, run/tunnels: Charge the bits of a message over the rate alone. "
    "| both = 8 * u / R",
    "no-headers at run/breast-cancer, run/tunnels: Leave out the headers. "
    "| both = 2 * delta + 8 * (b + u) / R + c",
    "no-downlink at run/breast-cancer, run/tunnels: Take the downlink as free. | both = free",
    "turned at run/breast-cancer, run/tunnels: Claim the other order of each two methods. | turned = True",
    "far at run/breast-cancer, run/tunnels: Put the crossover at 500 times the rate. | rate = 500 * rate",
    "forged at run/breast-cancer, run/tunnels: Say that a run has another point. | forged = 'another point'",
    "other-seed at run/few-rounds: Run the processes with another seed. | other_seed = 1",
    "unpaced at run/few-rounds: Hold no message back. | paced = 'loopback'",
    "one-delay at exact/by-hand: Count the delay once. "
    "| both = delta + 8 * (b + 66) / R + 8 * (u + 66) / R + c",
    "no-computing at exact/by-hand: Leave out what the machine computes. | free = delta + 8 * (u + 66) / R",
    "later at exact/by-hand: Put the crossover at twice the rate. | rate = 2 * rate",
)


@judge.exact(link=["1Mbit,10ms", "56kbit,3ms"], sizes=[(126, 14), (1000, 278), (0, 0)], c=[0.0, 0.004])
def by_hand(law: Law, link: str, sizes: tuple[int, int], c: float) -> Comparisons:
    """The model of `plan` and of runs, against the formulas; the rate at which two methods are as fast."""
    from impl.communication import RoundSeconds
    from impl.wires import Outcome, Round
    from impl.wires.model import modelled_seconds
    from verify.wires.links import real_link

    point, message = sizes
    given = real_link(link)
    values = {"delta": given.delay, "R": given.rate, "b": point + 8, "u": message + 8, "c": c}
    free = real_link(f"{link},uplink")
    of = {name: values[name] for name in ("delta", "R", "u", "c")}
    for words, own, stated in (
        ("", given, law("both", **values)),
        (" with a free downlink", free, law("free", **of)),
    ):
        yield eq(f"a round{words}", RoundSeconds(own, 8 * point)(8 * message) + c, stated, ROUND_OFF)
        rounds = [Round(0.0, 2 * message + 16, 2 * point + 16, message + 8, 0.0)] * 3
        run = Outcome(rounds=rounds, reports=[{}, {}])
        yield eq(f"a run{words}", modelled_seconds(run, own, c), 3 * stated, ROUND_OFF)
    # Twice as many rounds with messages of a third.
    one, other = {**of, "u": 3 * of["u"] + 132, "c": 0.001 + c}, {**of, "c": 0.002 + c}
    rate = law("rate", k=9, K=18, u=one["u"], v=other["u"], c=one["c"], s=other["c"], delta=of["delta"])
    first = 9 * _free_round(rate, one)
    yield eq("crossover", first, 18 * _free_round(rate, other), ROUND_OFF)


def _free_round(rate: float, of: dict[str, float]) -> float:
    from impl.wires.link import HEADER

    return of["delta"] + 8 * (of["u"] + HEADER) / rate + of["c"]


@judge.exact(instance="courses", rounds=5, seed=(7, 8))
def in_one_process(law: Law, rounds: int, seed: tuple[int, int]) -> Comparisons:
    """Points and bytes of all methods against their literal ones; ends, frames, and when they arrive."""
    yield from courses(law.told, rounds, seed)
    yield from arrivals(law.told)
    yield from computing(law.told)
    yield from forwarding(law.told)
    yield from channels(law.told)
    yield from connections(law.told)


@judge.exact(parameter=("rate", "delay"))
def domain(law: Law, parameter: tuple[str, str]) -> Comparisons:
    """Rates and delays that links take."""
    del parameter
    yield from arguments(law.taken, links_inside(), links_outside())


@judge.drift(problem=("quadratic:6", 2, 0.1, "contiguous", 1e-2), methods=COURSES, seeds=2)
def few_rounds(
    law: Law, _rng: Any, problem: tuple[Any, ...], methods: tuple[str, ...], seeds: int
) -> Comparisons:
    """Rounds, bytes and points on processes, against those of one process with the same seed."""
    yield from link_orders.few_rounds(
        problem, methods, seeds, FEW_ROUNDS, (law.paced, PACED), other_seed=law.other_seed
    )


def _before(law: Law, found: Measurement, link: str, first: str, second: str) -> tuple[bool, Any]:
    """Return whether the first method is before the second by the margin; the second may be cut off."""
    if law.turned:
        first, second = second, first
    return link_orders.before(found, link, first, second, law("margin"))


def _on_links(law: Law, problem: tuple[Any, ...], repeats: int, tunnels: bool = False) -> Comparisons:
    runs = RUNS if repeats == 1 else tuple(dict.fromkeys(RUNS))  # each three times already
    found = measured(Plan(problem, runs, repeats, tunnels=tunnels))
    left = {**found.left, "forged": law.forged} if law.forged else found.left
    yield eq("runs that leave the course of one process", len(left), 0, witness=left)
    if found.left:
        return  # their seconds are of something else
    ratios = link_orders.over_model(found, BOTH_WAYS, lambda **values: law("both", **values))
    share = law("share")
    near = sum(abs(ratio - 1) <= share for ratio in ratios.values())
    witness = {"measured over modelled": ratios, "slowdown": found.slowdown, "undisturbed": found.undisturbed}
    witness["paced by"] = found.paced
    wanted = law("pairs") * len(ratios)
    yield eq("pairs near the model", int(near >= wanted), 1, witness=witness, headline=True)
    for link in BOTH_WAYS:
        right, seconds = _before(law, found, link, AWARE, UNAWARE)
        yield eq("DIANA+ before DIANA", int(right), 1, witness=seconds)
    right, seconds = _before(law, found, BOTH_WAYS[0], DESCENT, AWARE)
    yield eq("gradient descent before DIANA+", int(right), 1, witness=seconds)
    slow, ends = _before(law, found, SLOW, AWARE, DESCENT)
    fast, more = _before(law, found, FAST, DESCENT, AWARE)
    yield eq("order at both ends", int(slow) + int(fast), 2, witness={**ends, **more})
    yield from _crossover(law, found)


def _crossover(law: Law, found: Measurement) -> Comparisons:
    from statistics import median

    from verify.wires.links import real_link

    one, other = found.runs[SLOW, DESCENT], found.runs[SLOW, AWARE]
    if law.turned:
        one, other = other, one
    u, v = (median(size for _, size in run.sizes) for run in (one, other))
    values = {"k": one.needed, "K": other.needed, "u": u, "v": v, "c": one.computing, "s": other.computing}
    rate = law("rate", delta=real_link(SLOW).delay, **values)
    few, more = one.needed < other.needed, one.needed * u > other.needed * v
    witness = {"rounds": [one.needed, other.needed], "bytes of the longest message": [u, v]}
    yield eq("fewer rounds but more bytes", int(few and more), 1, witness=witness)
    between = law("slow_rate") < rate < law("fast_rate")
    yield eq("crossover between the ends", int(between), 1, witness={"bits a second": rate})


@judge.drift(problem=("breast-cancer", 6, 0.05, "label", 0.02), repeats=1)
def breast_cancer(law: Law, _rng: Any, problem: tuple[Any, ...], repeats: int) -> Comparisons:
    """Runs on links, one of each method."""
    yield from _on_links(law, problem, repeats)


@judge.drift(problem=("breast-cancer", 6, 0.05, "label", 0.02), repeats=1, profile="full")
def tunnels(law: Law, _rng: Any, problem: tuple[Any, ...], repeats: int) -> Comparisons:
    """The same between network namespaces, whose packets are held back; paced where they cannot be had."""
    yield from _on_links(law, problem, repeats, tunnels=True)


@judge.drift(problem=("phishing", 6, 0.005, "label", 0.02), repeats=3, profile="full", needs="phishing")
def phishing(law: Law, _rng: Any, problem: tuple[Any, ...], repeats: int) -> Comparisons:
    """The same on a larger set, three of each, interleaved."""
    yield from _on_links(law, problem, repeats)
