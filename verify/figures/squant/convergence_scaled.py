"""Distance over rounds, bits and modelled seconds on the LIBSVM sets, parts with dominant nodes."""

from typing import Any

from verify.figures.convergence_curves import SETS, convergence_caption, convergence_table, draw_convergence

NEEDS = SETS

CAPTION = convergence_caption(
    "parts with dominant nodes",
    "Parts are sorted by the norm of their rows and scaled by powers of 1/2; on w8a no node is dominant, "
    "since the rows of smallest norm come first and are nearly empty.",
)


def table() -> dict[str, Any]:
    """Return medians and ranges over the seeds."""
    return convergence_table("scaled")


def draw(columns: dict[str, Any]) -> Any:
    """Draw a row of four panels for each data set."""
    return draw_convergence(columns)
