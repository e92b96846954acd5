"""Checks of `ndqsg/real-links`: the model by hand, and runs on real processes."""

from __future__ import annotations

from typing import Any

from verify.authoring import Comparisons, Law, checks_of, eq, le
from verify.comparison import ROUND_OFF
from verify.wires import link_orders
from verify.wires.link_runs import Measurement, Plan, measured

BOTH_WAYS = ("1Mbit,10ms", "0.1Mbit,1ms")
SLOW, FAST, MIDDLE = "12kbit,1ms,uplink", "5Mbit,1ms,uplink", "0.1Mbit,1ms,uplink"
DESCENT, PLAIN, NESTED = "gd", "dqsg", "ndqsg"
LEVELS, MOST = 8.0, 40
TIMES = 3
"""Runs of each method where computing takes most of the time, interleaved."""
FEW_ROUNDS, PACED = 6, "2Mbit,20ms"
"""A delay that rounds without it do not reach on a busy machine either."""

judge = checks_of(
    "ndqsg/real-links", other_seed=0, paced=PACED, turned=False, forged="", levels=LEVELS, spared=0
)

judge.sabotage(
    "bits-over-rate at run/breast-cancer, run/tunnels: Charge the bits of a message over the rate alone. "
    "| both = 8 * u / R",
    "no-headers at run/breast-cancer, run/tunnels: Leave out the headers. "
    "| both = 2 * delta + 8 * (b + u) / R + c",
    "turned at run/breast-cancer, run/tunnels: Claim the other order of each two methods. | turned = True",
    "ten-times at run/breast-cancer, run/tunnels: Claim ten times the margin. | margin = 12",
    "forged at run/breast-cancer, run/tunnels: Say that a run has another point. | forged = 'another point'",
    "other-seed at run/few-rounds: Run the processes with another seed. | other_seed = 1",
    "unpaced at run/few-rounds: Hold no message back. | paced = 'loopback'",
    "one-delay at exact/by-hand: Count the delay once. "
    "| both = delta + 8 * (b + 66) / R + 8 * (u + 66) / R + c",
    "plain-headers at exact/by-hand: Leave out headers of the one. | plain = T * (delta + 8 * u / R + c)",
    "nested-delay at exact/by-hand: Leave out delays of the other. | nested = K * (8 * (u + 66) / R + s)",
    "fewer-rounds at exact/by-hand: Take half of the rounds of the other. | nested = nested / 2",
)


@judge.exact(link=["1Mbit,10ms", "56kbit,3ms"], sizes=[(126, 26), (498, 82), (0, 0)], c=[0.0, 0.004])
def by_hand(law: Law, link: str, sizes: tuple[int, int], c: float) -> Comparisons:
    """The model of `plan` and of runs, against the formulas; more rounds, longer ones."""
    from impl.communication import RoundSeconds
    from impl.wires.model import modelled_seconds
    from verify.wires.links import real_link

    point, message = sizes
    given = real_link(link)
    values = {"delta": given.delay, "R": given.rate, "b": point + 8, "u": message + 8, "c": c}
    round_seconds = RoundSeconds(given, 8 * point)(8 * message) + c
    yield eq("a round", round_seconds, law("both", **values), ROUND_OFF, headline=True)
    free = real_link(f"{link},uplink")
    of = {name: values[name] for name in ("delta", "R", "u")}
    for name, rounds, computing in (("plain", 31, c), ("nested", 46, 1.1 * c)):
        run = _made_up(rounds, point, message)
        counts = {"T": rounds, "c": computing} if name == "plain" else {"K": rounds, "s": computing}
        yield eq(
            "seconds of a run", modelled_seconds(run, free, computing), law(name, **of, **counts), ROUND_OFF
        )
    few, more = law("plain", T=31, c=c, **of), law("nested", K=46, s=1.1 * c, **of)
    yield le("time of more rounds", few, more, ROUND_OFF)


def _made_up(rounds: int, point: int, message: int) -> Any:
    """Return a run of two workers with messages of these sizes."""
    from impl.wires import Outcome, Round

    one = Round(0.0, 2 * message + 16, 2 * point + 16, message + 8, 0.0)
    return Outcome(rounds=[one] * rounds, reports=[{}, {}])


@judge.drift(problem=("quadratic:6", 2, 0.1, "contiguous", 1e-2), methods=(PLAIN, NESTED), seeds=2)
def few_rounds(
    law: Law, _rng: Any, problem: tuple[Any, ...], methods: tuple[str, ...], seeds: int
) -> Comparisons:
    """Rounds, bytes and points on processes, against those of one process with the same seed."""
    yield from link_orders.few_rounds(
        problem, methods, seeds, FEW_ROUNDS, (law.paced, PACED), other_seed=law.other_seed, levels=law.levels
    )


def _before(law: Law, found: Measurement, link: str, first: str, second: str) -> tuple[bool, Any]:
    """Return whether the first method is before the second by the margin."""
    if law.turned:
        first, second = second, first
    return link_orders.before(found, link, first, second, law("margin"))


def _runs(
    links: tuple[str, ...], law: Law, problem: tuple[Any, ...], repeats: int, tunnels: bool = False
) -> Measurement:
    each = tuple(link for link in links for _ in range(TIMES if link == FAST else 1))
    runs = tuple((link, method, MOST) for link in each for method in (DESCENT, PLAIN, NESTED))
    return measured(Plan(problem, runs, repeats, law.levels, tunnels))


def _on_course(law: Law, found: Measurement) -> Comparisons:
    left = {**found.left, "forged": law.forged} if law.forged else found.left
    yield eq("runs that leave the course of one process", len(left), 0, witness=left)


def _unlike(law: Law, problem: tuple[Any, ...], repeats: int, tunnels: bool = False) -> Comparisons:
    """Runs where nested messages leave their margin."""
    found = _runs((*BOTH_WAYS, SLOW, FAST), law, problem, repeats, tunnels)
    yield from _on_course(law, found)
    if found.left:
        return  # their seconds are of something else
    ratios = link_orders.over_model(found, BOTH_WAYS, lambda **values: law("both", **values))
    share = law("share")
    near = sum(abs(ratio - 1) <= share for ratio in ratios.values())
    witness = {"measured over modelled": ratios, "slowdown": found.slowdown, "undisturbed": found.undisturbed}
    witness["paced by"] = found.paced
    enough = int(near >= law("pairs") * len(ratios))
    yield eq("pairs near the model", enough, 1, witness=witness, headline=True)
    one, other, nested = (found.runs[SLOW, method] for method in (DESCENT, PLAIN, NESTED))
    if law.turned:
        one, other, nested = other, one, other
    sent = {
        "rounds": [run.needed for run in (one, other, nested)],
        "bytes": [one.sent, other.sent, nested.sent],
    }
    fewer = one.needed < other.needed and one.sent > other.sent
    yield eq("more rounds but fewer bytes", int(fewer), 1, witness=sent)
    slow, ends = _before(law, found, SLOW, PLAIN, DESCENT)
    fast, more = _before(law, found, FAST, DESCENT, PLAIN)
    yield eq("order at both ends", int(slow) + int(fast), 2, witness={**ends, **more})
    loses = nested.needed > other.needed and nested.sent > other.sent
    yield eq("nested saves no bytes", int(loses), 1, witness=sent)
    for link in (*BOTH_WAYS, SLOW, FAST):
        right, seconds = _before(law, found, link, PLAIN, NESTED)
        yield eq("DQSG before nested", int(right), 1, witness=seconds)


@judge.drift(problem=("breast-cancer", 6, 0.01, "contiguous", 0.2), repeats=1)
def breast_cancer(law: Law, _rng: Any, problem: tuple[Any, ...], repeats: int) -> Comparisons:
    """Runs on links, one of each method."""
    yield from _unlike(law, problem, repeats)


@judge.drift(problem=("breast-cancer", 6, 0.01, "contiguous", 0.2), repeats=1, profile="full")
def tunnels(law: Law, _rng: Any, problem: tuple[Any, ...], repeats: int) -> Comparisons:
    """The same between network namespaces, whose packets are held back; paced where they cannot be had."""
    yield from _unlike(law, problem, repeats, tunnels=True)


judge.sabotage(
    "turned-alike at run/digits, run/a9a: Claim the other order of each two methods. | turned = True",
    "half-alike at run/digits, run/a9a: Claim half of the bytes. | fewer = 1 / 2",
    "byte-alike at run/digits, run/a9a: Claim that longest messages are a byte shorter. | spared = 1",
    "equal-alike at run/digits, run/a9a: Claim equal seconds. | share = 1 / 10000",
    "forged-alike at run/digits, run/a9a: Say that a run has another point. | forged = 'another point'",
)


def _alike(law: Law, problem: tuple[Any, ...], repeats: int) -> Comparisons:
    """Runs where gradients of the workers are alike."""
    found = _runs((MIDDLE, BOTH_WAYS[1]), law, problem, repeats)
    yield from _on_course(law, found)
    if found.left:
        return  # their seconds are of something else
    one, other = found.runs[MIDDLE, PLAIN], found.runs[MIDDLE, NESTED]
    if law.turned:
        one, other = other, one
    sent = {"rounds": [one.needed, other.needed], "bytes": [one.sent, other.sent]}
    saved = other.sent <= law("fewer") * one.sent
    yield eq("nested saves bytes", int(saved), 1, witness=sent, headline=True)
    longest = [max(size for _, size in run.sizes) for run in (one, other)]
    same = other.needed >= one.needed and longest[0] == longest[1] + law.spared
    yield eq("nested shortens no round", int(same), 1, witness={**sent, "longest": longest})
    for link in (MIDDLE, BOTH_WAYS[1]):
        plain, nested = (found.runs[link, method].total for method in (PLAIN, NESTED))
        apart = abs(nested / plain - 1)
        yield eq("nested saves no seconds", int(apart <= law("share")), 1, witness={link: [plain, nested]})
    right, seconds = _before(law, found, MIDDLE, PLAIN, DESCENT)
    yield eq("DQSG before gradient descent", int(right), 1, witness=seconds)


@judge.drift(problem=("digits", 6, 0.05, "contiguous", 0.1), repeats=1)
def digits(law: Law, _rng: Any, problem: tuple[Any, ...], repeats: int) -> Comparisons:
    """Runs on the digits, one of each method."""
    yield from _alike(law, problem, repeats)


@judge.drift(problem=("a9a", 6, 0.005, "contiguous", 0.02), repeats=3, profile="full", needs="a9a")
def a9a(law: Law, _rng: Any, problem: tuple[Any, ...], repeats: int) -> Comparisons:
    """The same on a larger set, three of each, interleaved."""
    yield from _alike(law, problem, repeats)
