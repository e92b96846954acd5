"""Distance over rounds, bits and modelled seconds on the LIBSVM sets, parts with dominant nodes."""

from typing import Any

from verify.figures.convergence_curves import SETS, convergence_table, draw_convergence

NEEDS = SETS


def table() -> dict[str, Any]:
    """Return medians and ranges over the seeds."""
    return convergence_table("scaled")


def draw(columns: dict[str, Any]) -> Any:
    """Draw a row of three panels for each data set."""
    return draw_convergence(columns)
