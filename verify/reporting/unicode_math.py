r"""LaTeX mathematics as Unicode text for a terminal: `\frac{n-2}{2(n-1)}` is `(n − 2)/(2(n − 1))`.

A printer of our own: those on the package index drop norm bars and brackets. What it does not know loses its
backslash and keeps its name, so that nothing is swallowed. Whole texts go through `unicode_text`.
"""

import re
from dataclasses import dataclass
from unicodedata import normalize

from verify.reporting.unicode_signs import (
    ACCENTS,
    ALPHABETS,
    BINARIES,
    CLOSERS,
    DROPPED,
    OPENERS,
    RELATIONS,
    SIGNS,
    SPACES,
    SUBSCRIPTS,
    SUPERSCRIPTS,
    VULGAR,
    WORDS,
)

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\d+(?:\.\d+)?|\s+|.", re.DOTALL)
_MATH = re.compile(r"(`[^`]*`)|\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)
_TEXT_COMMAND = re.compile(r"\\(?:emph|textbf|textit|texttt|textrm|text|mbox)\s*\{([^{}]*)\}")
_FACTORS = frozenset({"atom", "number", "open", "word", "fraction", "slash", "tail", "root", "text"})
_ENDS = frozenset({"atom", "number", "close", "fraction", "tail", "root"})


@dataclass(frozen=True)
class _Piece:
    """A printed piece and what it is: atom, number, word, relation, binary, open, close, comma, stop, space,
    slash, text, fraction, root (a root without brackets) or tail (a script that has no end of its own).
    """

    text: str
    kind: str


def unicode_text(text: str) -> str:
    """Return a text in which the mathematics between dollars is printed in Unicode; code stays as it is."""
    found, last = [], 0
    for match in _MATH.finditer(text):
        found.append(_words(text[last : match.start()]))
        found.append(match.group(1) or unicode_math(match.group(2) or match.group(3)))
        last = match.end()
    found.append(_words(text[last:]))
    return re.sub(r"[ \n]+", " ", "".join(found)).strip()


def _words(text: str) -> str:
    """Return the words between formulas without commands, escapes and unbreakable spaces."""
    text = _TEXT_COMMAND.sub(r"\1", text).replace("~", " ").replace("``", "“").replace("''", "”")
    text = re.sub(r"(?<!-)--(?!-)", "–", text.replace("---", "—"))
    return re.sub(r"\\([A-Za-z]+) ?|\\(.)", lambda match: match.group(1) or match.group(2), text)


def unicode_math(latex: str) -> str:
    """Return LaTeX mathematics as one line of Unicode text."""
    return _joined(_Printer(latex).sequence())


class _Printer:
    """Read tokens from left to right into pieces."""

    def __init__(self, latex: str) -> None:
        self.tokens = _TOKEN.findall(latex)
        self.at = 0
        self.bars: list[str] = []

    def here(self) -> str:
        while self.at < len(self.tokens) and self.tokens[self.at].isspace():
            self.at += 1
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def sequence(self, end: str = "") -> list[_Piece]:
        """Return the pieces up to a closing token, which is consumed, or up to the end."""
        pieces: list[_Piece] = []
        while (token := self.here()) and token != end:
            if token in ("^", "_", "'"):
                base = pieces.pop() if pieces else _Piece("", "atom")
                pieces.append(self.scripted(base))
            else:
                pieces += self.item()
        self.at += 1
        return pieces

    def item(self) -> list[_Piece]:
        """Return the pieces of the next token, or of the command with its arguments."""
        token = self.here()
        self.at += 1
        if token == "{":
            return _group(self.sequence("}"))
        if token in DROPPED:
            if token in (r"\left", r"\right") and self.here() == ".":
                self.at += 1
            return []
        if token in ("|", r"\|", r"\vert", r"\Vert", r"\lvert", r"\rvert", r"\lVert", r"\rVert"):
            return [self.bar("‖" if "V" in token or token == r"\|" else "|")]
        if token in (r"\frac", r"\dfrac", r"\tfrac"):
            return [_fraction(self.argument(), self.argument())]
        if token in (r"\binom", r"\tbinom", r"\dbinom"):
            return [_Piece(f"binom({_joined(self.argument())}, {_joined(self.argument())})", "atom")]
        if token == r"\sqrt":
            return [self.root()]
        if token in ACCENTS:
            return [_accented(_joined(self.argument(), tight=True), *ACCENTS[token])]
        if token in ALPHABETS:
            return [_lettered(_joined(self.argument(), tight=True), ALPHABETS[token])]
        if token in (r"\text", r"\textrm", r"\mbox", r"\operatorname", r"\operatorname*", r"\mathrm"):
            return [self.words(token)]
        if token in (r"\pmod", r"\tag"):
            inside = _joined(self.argument())
            return [_Piece(f" (mod {inside})" if token == r"\pmod" else f"  ({inside})", "text")]
        if token == r"\begin":
            return [self.environment()]
        return [_simple(token)]

    def argument(self) -> list[_Piece]:
        r"""Return the next argument: a group, one digit of `\frac12`, or one token with its own arguments."""
        token = self.here()
        if token[:1].isdigit() and len(token) > 1:
            self.tokens[self.at] = token[1:]
            return [_Piece(token[0], "number")]
        return self.item() if token else []

    def raw(self) -> str:
        """Return the text of the next group as it stands."""
        if self.here() != "{":
            self.at += 1
            return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""
        depth, start = 0, self.at
        while self.at < len(self.tokens):
            depth += {"{": 1, "}": -1}.get(self.tokens[self.at], 0)
            self.at += 1
            if depth == 0:
                break
        return "".join(self.tokens[start + 1 : self.at - 1])

    def bar(self, sign: str) -> _Piece:
        """Return a bar, which opens where none of its kind is open."""
        if sign in self.bars:
            self.bars.remove(sign)
            return _Piece(sign, "close")
        self.bars.append(sign)
        return _Piece(sign, "open")

    def root(self) -> _Piece:
        degree = ""
        if self.here() == "[":
            self.at += 1
            degree = _joined(self.sequence("]"), tight=True)
        inside = self.argument()
        sign = {"": "√", "3": "∛", "4": "∜"}.get(degree) or (
            _script(degree, SUPERSCRIPTS) or f"{degree}-"
        ) + "√"
        if len(inside) == 1 and inside[0].kind in ("atom", "number"):
            return _Piece(sign + inside[0].text, "root")
        return _Piece(f"{sign}({_joined(inside)})", "atom")

    def words(self, token: str) -> _Piece:
        text = self.raw()
        if token in (r"\operatorname", r"\operatorname*", r"\mathrm"):
            name = unicode_math(text)
            return _Piece(name, "word" if len(name) > 1 else "atom")
        return _Piece(unicode_text(text) if text.strip() == text else f" {unicode_text(text)} ", "text")

    def environment(self) -> _Piece:
        r"""Return `\begin{cases} ... \end{cases}` or a matrix on one line."""
        name = self.raw()
        start = self.at
        while self.at < len(self.tokens) and self.tokens[self.at] != r"\end":
            self.at += 1
        body = "".join(self.tokens[start : self.at])
        self.at += 1
        self.raw()
        rows = [
            [unicode_math(cell) for cell in row.split("&")] for row in re.split(r"\\\\", body) if row.strip()
        ]
        inside = "; ".join(", ".join(filter(None, row)) for row in rows)
        return _Piece(f"{{{inside}}}" if name == "cases" else f"[{inside}]", "atom")

    def scripted(self, base: _Piece) -> _Piece:
        """Return a piece with the scripts and primes that follow it, the lower one first."""
        found: dict[str, str] = {}
        primes = ""
        while (token := self.here()) in ("^", "_", "'"):
            self.at += 1
            if token == "'":
                primes += "′"
            else:
                found[token] = found.get(token, "") + _joined(self.argument(), tight=True)
        text, kind = base.text, base.kind
        if kind in ("fraction", "root"):
            text, kind = f"({text})", "atom"
        text += primes
        for sign, table in (("_", SUBSCRIPTS), ("^", SUPERSCRIPTS)):
            if sign not in found:
                continue
            small = _script(found[sign], table)
            if small is None:
                kind = "tail" if kind == "atom" else kind
                text += f"{sign}{found[sign]}" if found[sign].isalnum() else f"{sign}({found[sign]})"
            else:
                text += small
        return _Piece(text, kind)


def _simple(token: str) -> _Piece:
    """Return the piece of a token without arguments."""
    for table, kind in (
        (RELATIONS, "relation"),
        (BINARIES, "binary"),
        (OPENERS, "open"),
        (CLOSERS, "close"),
        (WORDS, "word"),
        (SPACES, "space"),
        (SIGNS, "atom"),
    ):
        if token in table:
            return _Piece(table[token], kind)
    if token[0].isdigit():
        return _Piece(token, "number")
    if token in (",", ";", ":"):
        return _Piece(token, "comma")
    if token in ("/", "."):
        return _Piece(token, "slash" if token == "/" else "stop")
    if token.startswith("\\"):
        name = token[1:]
        return _Piece(name, "word" if len(name) > 1 else "atom")
    return _Piece(token, "atom")


def _group(pieces: list[_Piece]) -> list[_Piece]:
    """Return a braced group; a single comma in it, as in `1{,}000`, is no separator."""
    if len(pieces) == 1 and pieces[0].kind in ("comma", "binary", "relation"):
        return [_Piece(pieces[0].text, "number" if pieces[0].kind == "comma" else "atom")]
    return pieces


def _fraction(above: list[_Piece], below: list[_Piece]) -> _Piece:
    over, under = _joined(above), _joined(below)
    if (over, under) in VULGAR:
        return _Piece(VULGAR[over, under], "number")
    loose = {"binary", "relation", "comma", "fraction", "slash", "text"}
    if any(piece.kind in loose or piece.text[:1] in {*"∑∏∫"} for piece in above):
        over = f"({over})"
    if (len(below) > 1 and not _bracketed(below)) or any(piece.kind in loose for piece in below):
        under = f"({under})"
    return _Piece(f"{over}/{under}", "fraction")


def _bracketed(pieces: list[_Piece]) -> bool:
    """Return whether one pair of brackets or bars holds everything: `‖x‖²`."""
    inner = [piece.kind for piece in pieces[1:-1]]
    return (
        pieces[0].kind == "open"
        and pieces[-1].kind == "close"
        and "open" not in inner
        and "close" not in inner
    )


def _accented(text: str, sign: str, name: str) -> _Piece:
    """Return a letter with its accent, or a name with the accent as a function: `bar(xy)`."""
    letters = [place for place, letter in enumerate(text) if letter.isalnum()]
    if letters and (
        len(text) == 1 or all(letter not in "+−-/=" and ord(letter) > 127 for letter in text[1:])
    ):
        return _Piece(normalize("NFC", text[:1] + sign) + text[1:], "atom")
    return _Piece(f"{name}({text})", "atom")


def _lettered(text: str, alphabet: dict[str, str]) -> _Piece:
    return _Piece("".join(alphabet.get(letter, letter) for letter in text), "atom")


def _script(text: str, table: dict[str, str]) -> str | None:
    """Return a text in small letters, None where Unicode lacks one of them."""
    return "".join(table[letter] for letter in text) if all(letter in table for letter in text) else None


def _joined(pieces: list[_Piece], *, tight: bool = False) -> str:
    """Return the pieces with the spaces of mathematics between them; tight in scripts."""
    text, before = "", ""
    for place, piece in enumerate(pieces):
        after = pieces[place + 1].kind if place + 1 < len(pieces) else ""
        kind, shown = piece.kind, piece.text
        if kind == "binary" and before not in _ENDS:
            kind = "sign"
        if kind == "fraction" and (before in _ENDS or after in _FACTORS):
            shown, kind = f"({shown})", "atom"
        text += _space(text, before, kind, shown, tight) + shown
        before = kind
        if kind in ("relation", "binary") and not tight:
            text += " "
        if kind == "comma" and not tight:
            text += " "
    return re.sub(r"  +", " ", text).strip()


def _space(text: str, before: str, kind: str, shown: str, tight: bool) -> str:
    """Return what separates a piece from the text before it."""
    if not text or text.endswith(" "):
        return ""
    if kind in ("relation", "binary"):
        return "" if tight else " "
    if before == "number" and kind == "number" and text[-1] not in "," and shown != ",":
        return "·"
    factor = kind in ("atom", "number", "word", "root", "tail", "fraction")
    if before in ("word", "tail", "root") and (factor or (kind == "open" and shown in "‖|")):
        return " "
    if before == "word" and text[-1] in "∑∏∫ᵢⱼₖ₁ⁿᵈ" and kind == "open":
        return " "
    if before in _ENDS and (kind == "word" or (kind == "root" and before == "tail")):
        return " "
    return ""
