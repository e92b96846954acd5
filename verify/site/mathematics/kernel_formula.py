"""Formulas as the kernel prints them (`verify.kernel.text`), as LaTeX in the symbols of a claim."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from verify.site.mathematics import symbols

_TOKEN = re.compile(r"\s*(\d+|[^\W\d][\w~]*|\.\.|<=|!=|[-+*/^()\[\],;:=<.])")
_RELATIONS = {"<=": r"\le ", "<": "<", "=": "=", "!=": r"\ne "}
_SUM, _BIG, _PRODUCT, _POWER, _ATOM = range(5)
"""How strongly LaTeX binds: a sum of terms, a sum over an index, a product, a power, anything closed."""

Written = tuple[str, int]
"""LaTeX, and how strongly it binds."""


class UnreadableFormula(ValueError):
    """The text is not what the kernel prints."""


def names_of(claim: Any) -> Mapping[str, str]:
    """Return how a claim writes its symbols, `#1`, `#2` standing for indices."""
    found = {}
    for variable in claim.variables:
        symbol = variable.symbol
        name = str(getattr(symbol, "label", getattr(symbol, "name", symbol)))
        found[name] = variable.tex
    return found


def kernel_tex(text: str, names: Mapping[str, str]) -> str:
    """Return one formula as LaTeX.

    Args:
        text: What `verify.kernel.text.text` printed.
        names: LaTeX by name; others are written as their names suggest (`p_star`, `Lcal_max`).

    Raises:
        UnreadableFormula: It cannot be read.
    """
    return _Formula(text, names).whole()


class _Formula:
    def __init__(self, text: str, names: Mapping[str, str]) -> None:
        self._names = names
        self._tokens: list[str] = []
        place = 0
        text = text.strip()
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                raise UnreadableFormula(f"{text[place : place + 20]!r} in {text!r}")
            self._tokens.append(match[1])
            place = match.end()
        self._place = 0

    # ---------------------------------------------------------------- tokens

    def _peek(self, ahead: int = 0) -> str:
        place = self._place + ahead
        return self._tokens[place] if place < len(self._tokens) else ""

    def _take(self, wanted: str = "") -> str:
        token = self._peek()
        if not token or (wanted and token != wanted):
            raise UnreadableFormula(f"{wanted or 'more'} was expected, not {token!r}")
        self._place += 1
        return token

    def _follows(self, *words: str) -> bool:
        return all(self._peek(ahead) == word for ahead, word in enumerate(words))

    # ---------------------------------------------------------------- formulas

    def whole(self) -> str:
        written = self._formula()
        if self._peek():
            raise UnreadableFormula(f"{self._peek()!r} is left over")
        return written

    def _formula(self) -> str:
        if self._follows("for", "every", "family"):
            return self._family()
        if self._follows("for"):
            return self._every()
        found = self._sum()[0]
        if self._follows("is", "an", "integer"):
            self._place += 3
            return rf"{found}\in\mathbb Z"
        if self._peek() in _RELATIONS:
            found += _RELATIONS[self._take()] + self._sum()[0]
        if self._follows("or"):
            self._take()
            exponent = self._sum()[0]
            for word in ("is", "a", "natural", "number"):
                self._take(word)
            found += rf"\text{{ or }}{exponent}\in\mathbb N"
        return found

    def _family(self) -> str:
        self._place += 3
        name = self._take()
        self._colon()
        return rf"\text{{for every family }}{self._name(name, ())}\text{{: }}{self._formula()}"

    def _every(self) -> str:
        self._take("for")
        index = self._take()
        self._take("=")
        low = self._sum()[0]
        self._take("..")
        if self._follows("infinity"):
            self._take()
            over = rf"{self._name(index, ())}\ge {low}"
        else:
            over = rf"{self._name(index, ())}={low},\dots,{self._sum()[0]}"
        self._colon()
        return rf"{self._formula()}\quad\text{{for }}{over}"

    def _colon(self) -> None:
        self._take(":")

    # ---------------------------------------------------------------- terms

    def _sum(self) -> Written:
        sign = self._take() if self._peek() == "-" else "+"
        terms = [(sign, *self._product())]
        while self._peek() in ("+", "-"):
            terms.append((self._take(), *self._product()))
        if len(terms) == 1 and sign == "+":
            return terms[0][1:]
        # People write d - 1, not -1 + d.
        first = next((place for place, term in enumerate(terms) if term[0] == "+"), 0)
        terms.insert(0, terms.pop(first))
        text = "".join(
            sign + (rf"\left({inside}\right)" if sign == "-" and level == _SUM else inside)
            for sign, inside, level in terms
        )
        return text.removeprefix("+"), _SUM

    def _product(self) -> Written:
        above: list[Written] = [self._power()]
        below: list[Written] = []
        while self._peek() in ("*", "/"):
            operator = self._take()
            if operator == "*":
                above.append(self._power())
            elif self._peek() == "(":
                below += self._bracketed_factors()
            else:
                below.append(self._power())
        if len(above) > 1 and above[0][0] == "1":
            above = above[1:]
        if below:
            return rf"\frac{{{_times(above, alone=True)}}}{{{_times(below, alone=True)}}}", _PRODUCT
        if len(above) == 1:
            return above[0]
        return _times(above), _PRODUCT

    def _bracketed_factors(self) -> list[Written]:
        """Return the factors of a denominator in brackets, or the bracket where it is a sum."""
        start = self._place
        self._take("(")
        factors = [self._power()]
        while self._peek() == "*":
            self._take()
            factors.append(self._power())
        if self._peek() == ")" and self._peek(1) != "^":
            self._take()
            return factors
        self._place = start
        return [self._power()]

    def _power(self) -> Written:
        base = self._atom()
        if self._peek() != "^":
            return base
        self._take()
        exponent = self._atom()[0] if self._peek() != "-" else self._take() + self._atom()[0]
        text = base[0] if base[1] == _ATOM else rf"\left({base[0]}\right)"
        return f"{text}^{{{exponent}}}", _POWER

    def _atom(self) -> Written:
        token = self._take()
        if token == "(":
            inside = self._sum()
            self._take(")")
            return inside
        if token == "-":
            return f"-{self._power()[0]}", _SUM
        if token.isdigit():
            return token, _ATOM
        if token == "Sum" and self._peek() == "[":
            return self._total()
        if token == "E" and self._peek() == "(":
            return self._mean()
        if self._peek() == "(":
            return self._call(token)
        if self._peek() == "[":
            self._take()
            indices = [self._sum()[0]]
            while self._peek() == ",":
                self._take()
                indices.append(self._sum()[0])
            self._take("]")
            return self._named(token, indices)
        return self._named(token, ())

    def _total(self) -> Written:
        self._take("[")
        index = self._take()
        self._take("=")
        low = self._sum()[0]
        self._take("..")
        high = self._sum()[0]
        self._take("]")
        body, level = self._product()
        body = rf"\left({body}\right)" if level == _SUM else body
        return rf"\sum_{{{self._name(index, ())}={low}}}^{{{high}}}{body}", _BIG

    def _mean(self) -> Written:
        """Return an expectation; family, ranges, mean and variance are what the words say."""
        self._take("(")
        body, _ = self._sum()
        self._take(";")
        depth = 1
        while depth:
            depth += {"(": 1, ")": -1}.get(self._take(), 0)
        return rf"\mathbb E\left[{body}\right]", _PRODUCT

    def _call(self, name: str) -> Written:
        self._take("(")
        arguments = [self._sum()[0]]
        while self._peek() == ",":
            self._take()
            arguments.append(self._sum()[0])
        self._take(")")
        first, listed = arguments[0], ",".join(arguments)
        forms: Mapping[str, Written] = {
            "sqrt": (rf"\sqrt{{{first}}}", _ATOM),
            "max": (rf"\max\left\{{{listed}\right\}}", _ATOM),
            "min": (rf"\min\left\{{{listed}\right\}}", _ATOM),
            "abs": (rf"\left|{first}\right|", _ATOM),
            "floor": (rf"\left\lfloor {first}\right\rfloor", _ATOM),
            "ceiling": (rf"\left\lceil {first}\right\rceil", _ATOM),
            "log": (rf"\ln\left({first}\right)", _POWER),
            "exp": (rf"e^{{{first}}}", _POWER),
            "delta": (rf"\delta_{{{listed}}}", _ATOM),
            "factorial": (rf"\left({first}\right)!", _POWER),
        }
        return forms.get(name) or (rf"\mathrm{{{_word(name)}}}\left({listed}\right)", _ATOM)

    def _named(self, name: str, indices: Sequence[str]) -> Written:
        tex = self._name(name, indices)
        if re.search(r"\\mathbb E|\\Pr\b|[-+/]", re.sub(r"\{[^{}]*\}", "", tex)):
            return tex, _PRODUCT
        return tex, _POWER if "^" in tex else _ATOM

    def _name(self, name: str, indices: Sequence[str]) -> str:
        tex = self._names.get(name) or _suggested(name)
        for place, index in enumerate(indices, start=1):
            if f"#{place}" in tex:
                tex = tex.replace(f"#{place}", f"{{{index}}}")
            else:
                rest = ",".join(indices[place - 1 :])
                return f"{{{tex}}}_{{{rest}}}"
        return re.sub(r"#\d", r"\\cdot ", tex) + (" " if re.search(r"\\[A-Za-z]+$", tex) else "")


def _times(factors: Sequence[Written], *, alone: bool = False) -> str:
    found = ""
    for place, (text, level) in enumerate(factors):
        loose = level == _SUM or (level == _BIG and place + 1 < len(factors))
        text = rf"\left({text}\right)" if loose and not (alone and len(factors) == 1) else text
        found += (r"\cdot " if found and text[0].isdigit() else "") + text
    return found


def _suggested(name: str) -> str:
    """Return LaTeX for a name of sympy: Greek by its word, what follows an underscore below it."""
    base, _, rest = name.partition("_")
    word = base.removesuffix("cal")
    if base in symbols.GREEK or base in symbols.UPRIGHT_GREEK:
        tex = rf"\{base} "
    elif len(word) == 1 and base != word:
        tex = rf"\mathcal {word}"
    else:
        tex = base if len(base) == 1 else rf"\mathrm{{{_word(base)}}}"
    if not rest:
        return tex
    if rest == "star":
        return rf"{{{tex}}}^\star "
    inside = rest if rest.isdigit() or len(rest) == 1 else rf"\rm {_word(rest)}"
    return f"{{{tex}}}_{{{inside}}}"


def _word(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "", name)
