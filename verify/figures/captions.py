"""What is said below a figure: `CAPTION` of its module, and a text file beside its picture."""

import textwrap
from dataclasses import dataclass

WIDTH = 100
"""Of a line of the text file."""


@dataclass(frozen=True)
class Caption:
    """A caption that stands on its own, in plain text: no LaTeX, so that it reads the same everywhere.

    Args:
        title: What the figure is of, without a full stop.
        seen: What is seen: axes with units, lines, marks and bands, and what to notice.
        bound: What is stated, and how it is drawn; where nothing is bounded, that.
        measured: What is exact, measured or modelled, and over how many runs.
        claims: Ids of the claims and findings that the figure is about.
    """

    title: str
    seen: str
    bound: str
    measured: str
    claims: tuple[str, ...]

    def paragraphs(self) -> tuple[str, ...]:
        """Return the caption in paragraphs, each one line."""
        return (
            f"{self.title}. {self.seen}",
            f"Bound: {self.bound}",
            f"Measured: {self.measured}",
            f"Claims: {', '.join(self.claims)}",
        )

    def text(self) -> str:
        """Return the content of the text file: the paragraphs in lines of at most `WIDTH`."""
        wrapped = (
            textwrap.fill(item, WIDTH, break_long_words=False, break_on_hyphens=False)
            for item in self.paragraphs()
        )
        return "\n\n".join(wrapped) + "\n"
