"""Distance over rounds, bits and modelled seconds on the LIBSVM sets, rows sorted by label."""

from typing import Any

from verify.figures.convergence_curves import SETS, convergence_caption, convergence_table, draw_convergence

NEEDS = SETS

CAPTION = convergence_caption(
    "rows sorted by label",
    "On splice unaware DCGD moves away from the solution, to more than three times the first distance.",
)


def table() -> dict[str, Any]:
    """Return medians and ranges over the seeds."""
    return convergence_table("label")


def draw(columns: dict[str, Any]) -> Any:
    """Draw a row of four panels for each data set."""
    return draw_convergence(columns)
