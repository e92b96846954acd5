r"""What signs of a text mean that no claim declares: how `theory.latex` reads them, for those who see them.

Only signs that readers take in several ways are told, where a text has them.
"""

from collections.abc import Iterable, Iterator, Sequence

from theory.latex.tokens import Token, closing, fragments, tokenize

FRACTIONAL_PART = r"$\{t\}$ is the fractional part $t-\lfloor t\rfloor$"
NATURAL = r"$\log$ is the natural logarithm"

_EXTREMA = (r"\max", r"\min", r"\sup", r"\inf")
_OF_SETS = frozenset(
    {",", ";", ":", r"\mid", r"\dots", r"\ldots", "=", "<", ">", r"\le", r"\ge", r"\ne", r"\in"}
)


def conventions(texts: Iterable[str]) -> tuple[str, ...]:
    """Return what signs in texts of a claim mean, a sentence without its full stop for each."""
    found: dict[str, None] = {}
    for text in texts:
        for piece in fragments(text):
            found |= dict.fromkeys(_told(tokenize(piece.inside)))
    return tuple(item for item in (FRACTIONAL_PART, NATURAL) if item in found)


def _told(tokens: Sequence[Token]) -> Iterator[str]:
    of_extremum: set[int] = set()
    for place, token in enumerate(tokens):
        if token.text in _EXTREMA:
            of_extremum.add(_behind_scripts(tokens, place + 1))
        elif token.text == r"\log" and [item.text for item in tokens[place + 1 : place + 2]] != ["_"]:
            yield NATURAL
        elif token.text == r"\{" and place not in of_extremum:
            inside = {item.text for item in tokens[place + 1 : closing(tokens, place)]}
            is_set = place > 0 and tokens[place - 1].text in (r"\in", r"\subset", r"\subseteq", r"\setminus")
            if not is_set and not inside & _OF_SETS:
                yield FRACTIONAL_PART


def _behind_scripts(tokens: Sequence[Token], place: int) -> int:
    """Return the place behind the indices and exponents that begin at a place."""
    while place < len(tokens) and tokens[place].text in ("_", "^"):
        place += 1
        if place < len(tokens) and tokens[place].text == "{":
            place = closing(tokens, place)
        place += 1
    return place
