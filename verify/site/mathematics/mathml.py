"""LaTeX mathematics as MathML, as far as statements use it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from verify.site.mathematics import symbols

_TOKEN = re.compile(
    r"\\(?:text|textrm|mbox|operatorname\*?)\s*\{[^{}]*\}|\\[A-Za-z]+|\\.|:=|\s+|.",
    re.DOTALL,
)
_WORDS = re.compile(r"\\(text|textrm|mbox|operatorname\*?)\s*\{([^{}]*)\}", re.DOTALL)
_SIZES = frozenset(
    rf"\{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")
)
_STYLES = frozenset([r"\displaystyle", r"\textstyle", r"\limits", r"\nolimits", "&"])
_UPRIGHT = frozenset([r"\mathrm", r"\mathit", r"\textnormal", r"\mathop"])
_TALL = ("<mfrac", "<munder", "<mover>", "<msqrt", "<mroot", "∑", "∏")
_SIGNS = {"-": "−", "+": "+", "*": "∗", "/": "/", ":": ":", "=": "=", "<": "<", ">": ">", ":=": "≔", "!": "!"}
_RELATION = frozenset("=<>≔") | frozenset(symbols.RELATIONS.values())


@dataclass(frozen=True)
class _Atom:
    """A piece of a row: its MathML, and whether it is an operand that a sign or a bar may follow."""

    mathml: str
    operand: bool = True
    relation: bool = False
    limits: str = ""
    function: bool = False
    fence: bool = False


@dataclass
class _Reader:
    """What is still to be read, and which commands were not known."""

    tokens: list[str]
    place: int = 0
    unknown: list[str] = field(default_factory=list)

    # ---------------------------------------------------------------- rows

    def row(self, end: int, *, upright: bool = False) -> list[_Atom]:
        """Return the atoms up to a place."""
        atoms: list[_Atom] = []
        while self.place < end:
            token = self.tokens[self.place]
            if token == r"\rm":
                self.place += 1
                upright = True
            elif token in ("^", "_", "'"):
                base = atoms.pop() if atoms else _Atom("<mrow></mrow>")
                atoms.append(self._scripts(base, end))
            else:
                atom = self._atom(atoms, end, upright)
                if atom is not None:
                    atoms.append(atom)
        return atoms

    def _scripts(self, base: _Atom, end: int) -> _Atom:
        below = above = ""
        while self.place < end and self.tokens[self.place] in ("^", "_", "'"):
            sign = self.tokens[self.place]
            self.place += 1
            if sign == "'":
                above += "<mo>′</mo>"
            elif sign == "^":
                above += self._argument(end)
            else:
                below += self._argument(end)
        above = _one(above)
        below = _one(below)
        kind = "mun" if base.limits else "ms"
        if below and above:
            tag = "munderover" if base.limits else "msubsup"
            mathml = f"<{tag}>{base.mathml}{below}{above}</{tag}>"
        elif below:
            tag = "munder" if kind == "mun" else "msub"
            mathml = f"<{tag}>{base.mathml}{below}</{tag}>"
        else:
            tag = "mover" if kind == "mun" else "msup"
            mathml = f"<{tag}>{base.mathml}{above}</{tag}>"
        return _Atom(mathml, base.operand, function=base.function)

    def _argument(self, end: int) -> str:
        """Return one argument, in braces or a single token, as one element."""
        if self.place >= end:
            return "<mrow></mrow>"
        if self.tokens[self.place] == "{":
            close = self._group_end(self.place, end)
            self.place += 1
            inside = self.row(close)
            self.place = close + 1
            return _one(join(inside))
        token = self.tokens[self.place]
        if token.isdigit():
            self.place += 1
            return f"<mn>{token}</mn>"
        atom = self._atom([], end, False)
        return _one(atom.mathml) if atom is not None else "<mrow></mrow>"

    def _group_end(self, start: int, end: int) -> int:
        depth = 0
        for place in range(start, end):
            depth += (self.tokens[place] == "{") - (self.tokens[place] == "}")
            if depth == 0:
                return place
        return end

    # ---------------------------------------------------------------- atoms

    def _atom(self, before: Sequence[_Atom], end: int, upright: bool) -> _Atom | None:
        token = self.tokens[self.place]
        if token == "{":
            close = self._group_end(self.place, end)
            self.place += 1
            inside = self.row(close, upright=upright)
            self.place = close + 1
            return _Atom(_one(join(inside))) if inside else None
        if token in symbols.OPENING or token in symbols.BARS:
            fenced = self._fenced(before, end, upright)
            if fenced is not None:
                return fenced
        self.place += 1
        if token.isdigit():
            return _Atom(f"<mn>{token + self._more_digits(end)}</mn>")
        if token.isalpha():
            return self._letters(token, end, upright)
        if token.startswith("\\"):
            return self._command(token, before, end)
        return _sign(token, before)

    def _more_digits(self, end: int) -> str:
        found = ""
        while self.place < end:
            token = self.tokens[self.place]
            follows = self.tokens[self.place + 1] if self.place + 1 < end else ""
            if not (token.isdigit() or (token == "." and follows.isdigit())):
                break
            found += token
            self.place += 1
        return found

    def _letters(self, token: str, end: int, upright: bool) -> _Atom:
        if not upright:
            return _Atom(f"<mi>{token}</mi>")
        while self.place < end and self.tokens[self.place].isalpha():
            token += self.tokens[self.place]
            self.place += 1
        return _Atom(_upright(token))

    def _fenced(self, before: Sequence[_Atom], end: int, upright: bool) -> _Atom | None:
        """Return what stands between a delimiter and its partner; None where it has none."""
        token, start = self.tokens[self.place], self.place
        close = self._partner(start, end, before)
        if close is None:
            return None
        left = symbols.OPENING.get(token) or symbols.BARS[token]
        last = self.tokens[close]
        right = symbols.CLOSING.get(last) or symbols.BARS[last]
        self.place += 1
        inside = join(self.row(close, upright=upright))
        self.place = close + 1
        stretch = "true" if any(mark in inside for mark in _TALL) else "false"
        opening = f'<mo form="prefix" stretchy="{stretch}">{left}</mo>'
        closing = f'<mo form="postfix" stretchy="{stretch}">{right}</mo>'
        return _Atom(f"<mrow>{opening}{inside}{closing}</mrow>", fence=True)

    def _partner(self, start: int, end: int, before: Sequence[_Atom]) -> int | None:
        token = self.tokens[start]
        braces = depth = 0
        for place in range(start + 1, end):
            item = self.tokens[place]
            braces += (item == "{") - (item == "}")
            if braces < 0:
                return None
            if braces:
                continue
            if token in symbols.BARS:
                if depth == 0 and symbols.BARS.get(item) == symbols.BARS[token]:
                    return place
                depth += (item in symbols.OPENING) - (item in symbols.CLOSING)
                if depth < 0:
                    return None
            else:
                if depth == 0 and item in symbols.CLOSING:
                    return place
                depth += (item in symbols.OPENING) - (item in symbols.CLOSING)
        return None

    def _command(self, token: str, before: Sequence[_Atom], end: int) -> _Atom | None:
        words = _WORDS.fullmatch(token)
        if words:
            text = escape(words[2])
            if words[1].startswith("operatorname"):
                return _Atom(_upright(text), function=True)
            return _Atom(f"<mtext>{text.replace(' ', '&#160;')}</mtext>", operand=False)
        name = token[1:]
        if name in symbols.SPACES:
            return _Atom(f'<mspace width="{symbols.SPACES[name]}em"></mspace>', operand=False)
        for table, tag in ((symbols.GREEK, "mi"), (symbols.NAMES, "mi")):
            if name in table:
                return _Atom(f"<{tag}>{table[name]}</{tag}>")
        if name in symbols.UPRIGHT_GREEK:
            return _Atom(f'<mi mathvariant="normal">{symbols.UPRIGHT_GREEK[name]}</mi>')
        if name in symbols.RELATIONS:
            return _Atom(_operator(symbols.RELATIONS[name], "infix"), operand=False, relation=True)
        if name in symbols.OPERATORS:
            return _Atom(_operator(symbols.OPERATORS[name], _form(before)), operand=False)
        if name in symbols.LARGE:
            return _Atom(f'<mo movablelimits="true">{symbols.LARGE[name]}</mo>', operand=False, limits=name)
        if name in symbols.LIMITS:
            return _Atom(f'<mo movablelimits="true" form="prefix">{name}</mo>', False, limits=name)
        if name in symbols.FUNCTIONS:
            return _Atom(f"<mi>{name}</mi>", function=True)
        return self._construction(token, name, end)

    def _construction(self, token: str, name: str, end: int) -> _Atom | None:
        if name in ("frac", "dfrac", "tfrac"):
            fraction = f"<mfrac>{self._argument(end)}{self._argument(end)}</mfrac>"
            small = '<mstyle displaystyle="false" scriptlevel="0">'
            return _Atom(f"{small}{fraction}</mstyle>" if name == "tfrac" else fraction)
        if name == "binom":
            above, below = self._argument(end), self._argument(end)
            inside = f'<mfrac linethickness="0">{above}{below}</mfrac>'
            return _Atom(f'<mrow><mo fence="true">(</mo>{inside}<mo fence="true">)</mo></mrow>')
        if name == "sqrt":
            return self._root(end)
        if name in symbols.ACCENTS:
            mark = f'<mo stretchy="false">{symbols.ACCENTS[name]}</mo>'
            return _Atom(f'<mover accent="true">{self._argument(end)}{mark}</mover>')
        if name in symbols.ALPHABETS or token in _UPRIGHT:
            return self._alphabet(name, end)
        if name == "int":
            return _Atom("<mo>∫</mo>", operand=False)
        if name in ("bmod", "mod"):
            return _Atom('<mo lspace="0.22em" rspace="0.22em">mod</mo>', operand=False)
        if token in symbols.CLOSING or token in symbols.OPENING or token in symbols.BARS:
            sign = symbols.CLOSING.get(token) or symbols.OPENING.get(token) or symbols.BARS[token]
            return _Atom(f'<mo fence="true" stretchy="false">{sign}</mo>', token in symbols.CLOSING)
        if token in (r"\%", r"\#", r"\&", r"\_", r"\$"):
            return _Atom(f"<mo>{escape(name)}</mo>")
        self.unknown.append(token)
        return _Atom(f"<mtext>{escape(name)}</mtext>")

    def _root(self, end: int) -> _Atom:
        if self.place < end and self.tokens[self.place] == "[":
            close = next((p for p in range(self.place, end) if self.tokens[p] == "]"), None)
            if close is not None:
                self.place += 1
                degree = _one(join(self.row(close)))
                self.place = close + 1
                return _Atom(f"<mroot>{self._argument(end)}{degree}</mroot>")
        return _Atom(f"<msqrt>{self._argument(end)}</msqrt>")

    def _alphabet(self, name: str, end: int) -> _Atom:
        if self.place < end and self.tokens[self.place] == "{":
            close = self._group_end(self.place, end)
            inside = self.tokens[self.place + 1 : close]
        else:
            close, inside = self.place, self.tokens[self.place : self.place + 1]
        if all(len(item) == 1 and item.isalnum() for item in inside):
            self.place = close + 1
            if name in symbols.ALPHABETS:
                return _Atom(f"<mi>{''.join(symbols.letter(name, item) for item in inside)}</mi>")
            return _Atom(_upright("".join(inside)), function=len(inside) > 1)
        self.place += self.tokens[self.place] == "{" if self.place < end else 0
        atoms = self.row(close, upright=True)
        self.place = close + 1
        return _Atom(_one(join(atoms)))


def _upright(text: str) -> str:
    return f'<mi mathvariant="normal">{text}</mi>' if len(text) == 1 else f"<mi>{text}</mi>"


def _operator(sign: str, form: str) -> str:
    return f'<mo form="{form}">{escape(sign)}</mo>'


def _form(before: Sequence[_Atom]) -> str:
    return "infix" if before and before[-1].operand else "prefix"


def _sign(token: str, before: Sequence[_Atom]) -> _Atom:
    if token in symbols.CLOSING or token in symbols.OPENING or token in symbols.BARS:
        sign = symbols.CLOSING.get(token) or symbols.OPENING.get(token) or symbols.BARS[token]
        return _Atom(f'<mo fence="true" stretchy="false">{sign}</mo>', token in symbols.CLOSING)
    if token == ",":
        return _Atom('<mo separator="true" lspace="0" rspace="0.22em">,</mo>', operand=False)
    if token == ";":
        return _Atom('<mo separator="true" lspace="0" rspace="0.28em">;</mo>', operand=False)
    if token == "/":
        return _Atom('<mo lspace="0" rspace="0">/</mo>', operand=False)
    if token == "!":
        return _Atom('<mo form="postfix" lspace="0" rspace="0">!</mo>')
    if token == ".":
        return _Atom("<mtext>.</mtext>", operand=False)
    if token in _SIGNS:
        sign = _SIGNS[token]
        if sign in _RELATION or sign == ":":
            return _Atom(_operator(sign, "infix"), operand=False, relation=True)
        return _Atom(_operator(sign, _form(before)), operand=False)
    if token == "~":
        return _Atom('<mspace width="0.333em"></mspace>', operand=False)
    return _Atom(f"<mi>{escape(token)}</mi>")


def _one(mathml: str) -> str:
    """Return MathML as exactly one element, since scripts and fractions count their children."""
    return mathml if _is_single(mathml) else f"<mrow>{mathml}</mrow>"


_TAG = re.compile(r"<(/?)([a-z]+)[^>]*>")


def _is_single(mathml: str) -> bool:
    depth = 0
    for match in _TAG.finditer(mathml):
        depth += -1 if match[1] else 1
        if depth == 0:
            return match.end() == len(mathml)
    return False


def join(atoms: Sequence[_Atom]) -> str:
    """Return a row; a function is set apart from an argument without brackets."""
    found = []
    for place, atom in enumerate(atoms):
        found.append(atom.mathml)
        after = atoms[place + 1] if place + 1 < len(atoms) else None
        if atom.function and after is not None and after.operand and not after.fence:
            found.append('<mspace width="0.167em"></mspace>')
    return "".join(found)


def _tokens(tex: str) -> list[str]:
    found = []
    for match in _TOKEN.finditer(tex):
        token = match.group()
        if token.isspace() or token in _SIZES or token in _STYLES or token in (r"\left", r"\right"):
            continue
        found.append(token)
    return found


@dataclass(frozen=True)
class Rendered:
    """Mathematics for a page, and the commands that were not known."""

    html: str
    unknown: tuple[str, ...] = ()


LONG = 40
"""Tokens from which on a formula in a line may be broken at its relations."""


def render(tex: str, *, display: bool = False) -> Rendered:
    """Return LaTeX mathematics as MathML; what is not known is shown by its name.

    A long formula within a line becomes several, so that a narrow page can break it after a relation.
    """
    reader = _Reader(_tokens(tex))
    atoms = reader.row(len(reader.tokens))
    while reader.place < len(reader.tokens):  # a brace too many
        reader.place += 1
        atoms += reader.row(len(reader.tokens))
    unknown = tuple(reader.unknown)
    if display:
        return Rendered(f'<math display="block">{join(atoms)}</math>', unknown)
    pieces = _pieces(atoms) if len(reader.tokens) > LONG else [atoms]
    return Rendered("<wbr>".join(f"<math>{join(piece)}</math>" for piece in pieces), unknown)


def _pieces(atoms: Sequence[_Atom]) -> list[list[_Atom]]:
    """Cut a row before its relations and after its commas."""
    pieces: list[list[_Atom]] = [[]]
    for atom in atoms:
        if atom.relation and pieces[-1]:
            pieces.append([atom])
            continue
        pieces[-1].append(atom)
        if "separator" in atom.mathml[:24]:
            pieces.append([])
    return [piece for piece in pieces if piece]
