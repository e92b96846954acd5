"""What became of a figure or notebook."""

from dataclasses import dataclass


@dataclass(frozen=True)
class FigureResult:
    """What became of a figure `PAPER/NAME` or a notebook `PAPER.ipynb`.

    Args:
        name: Its name.
        status: `written` (computed and drawn), `drawn` (from the table that was kept), `executed`, `kept`,
            `needs data`; by comparison `same`, `differs`, `missing`.
        detail: The reason or the place.
    """

    name: str
    status: str
    detail: str = ""

    @property
    def line(self) -> str:
        """Return it in one line."""
        return f"{self.name}: {self.status} {self.detail}".rstrip()
