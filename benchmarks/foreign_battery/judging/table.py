"""The table of the battery, as text and as the page docs/battery.md."""

from collections.abc import Sequence

from benchmarks.foreign_battery.judging.judged import LEAST, SECONDS, Judged

_HEAD = """# Power of `check`, measured

`check_compressor` judges each compressor at its default settings, on one core. This page was written by

```sh
python -m benchmarks.foreign_battery --write docs/battery.md
```

from results of {basis}, and from the
runs that are named under *False alarms*. Results are kept in `.boundcheck/`, each with a digest of the
sources that it rests on: a run that was cut off goes on, and a result whose sources have
changed is made again.

The size of a fault is what it changes over what the claim
allows: the length of a bias over the square root of the bound on the mean squared error (over the norm where
none is claimed), the excess of a mean squared error over its bound. It is measured at an input where the
fault is largest, or nearly so, on samples of their own; below 0.5 % it is noise. *Refused* means that a call
was an error, which `check` names. Seconds are CPU time: where they are few, something was refuted early.

A compressor of which one call takes milliseconds gets a thousand times fewer samples in the same time than
one of microseconds: its report then names a coarser resolution.
"""

_NOISE = 0.005


def summary(found: Sequence[Judged], left: Sequence[str] = ()) -> str:
    """Return the counts in words, with what was left out."""
    faults = [item for item in found if item.fault]
    large = [item for item in faults if item.size >= LEAST]
    small = [item for item in faults if item.size < LEAST]
    rights = [item for item in found if not item.fault]
    missed = [f"{item.family}/{item.name} at d={item.d}" for item in found if item.missed]
    text = (
        f"{len({(item.family, item.name) for item in faults})} faulty compressors, {len(large)} judgements "
        f"of faults of at least {LEAST:.0%}: {sum(not item.missed for item in large)} refuted within "
        f"{SECONDS:g} s, the slowest in {max((item.seconds for item in large), default=0):.1f} s. "
        f"{len(small)} judgements of smaller ones: "
        f"{sum(item.verdict in ('violated', 'refused') for item in small)} refuted. "
        f"{len({item.name for item in rights})} right compressors, {len(rights)} judgements: "
        f"{sum(item.verdict == 'consistent' for item in rights)} consistent, "
        f"{sum(item.verdict == 'inconclusive' for item in rights)} undecided, "
        f"{sum(item.missed for item in rights)} refuted."
    )
    text += f" Missed: {', '.join(missed)}." if missed else ""
    return text + (f" Not judged with these sources: {', '.join(left)}." if left else "")


def page(found: Sequence[Judged], left: Sequence[str], alarms: str, basis: str) -> str:
    """Return the page.

    Args:
        found: The results.
        left: Names of the cases without one.
        alarms: What the runs of right compressors have to show.
        basis: When and of which sources the results are.
    """
    parts = [
        _HEAD.format(basis=basis),
        "## Result",
        "",
        summary(found, left),
        "",
        "## False alarms",
        "",
        alarms,
        "",
    ]
    parts += ["## Faulty compressors", "", *_rows([item for item in found if item.fault]), ""]
    parts += ["## Right compressors", "", *_rows([item for item in found if not item.fault])]
    return "\n".join(parts) + "\n"


def _rows(found: Sequence[Judged]) -> list[str]:
    faulty = bool(found and found[0].fault)
    head = (
        "| compressor | fault | d | size | verdict | seconds | by |"
        if faulty
        else "| compressor | d | verdict | seconds |"
    )
    rows = [head, "|" + "---|" * (head.count("|") - 1)]
    for item in found:
        name = f"{item.family}: {item.name}"
        if faulty:
            size = f"{item.size:.1%}" if item.size >= _NOISE else f"< {_NOISE:.1%}"
            cells = [name, item.fault, str(item.d), size, _verdict(item), f"{item.seconds:.1f}", item.why]
        else:
            cells = [item.name, str(item.d), _verdict(item), f"{item.seconds:.1f}"]
        rows.append("| " + " | ".join(cell.replace("|", "\\|")[:140] for cell in cells) + " |")
    return rows


def _verdict(item: Judged) -> str:
    return f"**{item.verdict} (missed)**" if item.missed else item.verdict
