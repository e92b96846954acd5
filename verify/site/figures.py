"""The figures of papers with their captions, and the claims that they name."""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from verify.site.templating import slug

SUFFIXES = (".pdf", ".png", ".csv")
_ID = re.compile(r"\b[a-z][a-z0-9_]*/[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True)
class FigureFile:
    """One figure.

    Args:
        name: `PAPER/NAME`.
        caption: The text of its caption file, a line for each paragraph, empty where there is none.
        summary: The first line of the module that draws it.
        claims: Ids of the claims that caption or module name.
        found: Its files.
        width: Width of the image in pixels, as it is shown.
        height: Height.
    """

    name: str
    caption: str
    summary: str
    claims: tuple[str, ...]
    found: tuple[Path, ...]
    width: int
    height: int

    @property
    def paper(self) -> str:
        """Return the paper."""
        return self.name.partition("/")[0]

    @property
    def slug(self) -> str:
        """Return its name as a place in a page."""
        return slug(self.name)

    @property
    def image(self) -> str:
        """Return its image within the site."""
        return f"figures/{self.name}.png"

    @property
    def files(self) -> list[tuple[str, str]]:
        """Return kind and place within the site of its files."""
        kinds = {".pdf": "PDF", ".png": "PNG", ".csv": "CSV"}
        return [(kinds[path.suffix], f"figures/{self.name}{path.suffix}") for path in self.found]

    @property
    def paragraphs(self) -> list[str]:
        """Return the paragraphs of its caption."""
        return self.caption.splitlines()

    @property
    def alt(self) -> str:
        """Return what the image shows, in one sentence without mathematics."""
        text = re.sub(r"\$[^$]*\$|`", "", self.caption.partition("\n")[0] or self.summary)
        return " ".join(re.split(r"(?<=[.;])\s", text)[0].split()) or self.name


def find_figures(folder: Path, claims: Collection[str]) -> list[FigureFile]:
    """Return the figures in a folder, `PAPER/NAME.png` with the files beside it, by name."""
    found = []
    for image in sorted(folder.glob("*/*.png")):
        name = f"{image.parent.name}/{image.stem}"
        caption = _text(image.with_suffix(".txt"))
        module = Path(__file__).parent.parent / "figures" / image.parent.name / f"{image.stem}.py"
        source = _text(module)
        named = [id for id in dict.fromkeys(_ID.findall(f"{caption}\n{source}")) if id in claims]
        files = tuple(image.with_suffix(suffix) for suffix in SUFFIXES if image.with_suffix(suffix).is_file())
        width, height = _size(image)
        found.append(FigureFile(name, _linked(caption), _summary(source), tuple(named), files, width, height))
    return found


def resting_on(figures: Sequence[FigureFile], claim_id: str) -> list[FigureFile]:
    """Return the figures that name a claim."""
    return [figure for figure in figures if claim_id in figure.claims]


def _linked(caption: str) -> str:
    """Return a caption with one line for each paragraph, and ids as code, which becomes a link."""
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", caption))
    return "\n".join(re.sub(rf"`?({_ID.pattern})`?(?![\w.])", r"`\1`", part) for part in paragraphs if part)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _summary(source: str) -> str:
    try:
        text = ast.get_docstring(ast.parse(source)) or ""
    except SyntaxError:
        text = ""
    return " ".join(text.partition("\n\n")[0].split())


WIDEST = 900


def _size(image: Path) -> tuple[int, int]:
    """Return the size at which a PNG is shown, from its head; (0, 0) where it has none."""
    with image.open("rb") as file:
        head = file.read(24)
    if len(head) < 24 or head[:8] != b"\x89PNG\r\n\x1a\n":
        return 0, 0
    width, height = struct.unpack(">II", head[16:24])
    scale = min(1.0, WIDEST / max(width, 1))
    return round(width * scale), round(height * scale)
