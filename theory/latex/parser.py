r"""Read the LaTeX of one side of a relation.

Juxtaposition is a product; `\frac12` takes one digit each; `\{t\}` is the fractional part unless after an
extremum; a sum without bounds goes over the range of the arrays that its index counts. Only names of the
vocabulary are read. Braces, which nobody sees, group nothing that would be read otherwise without them, and
a value slot is read as what it prints.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction

from theory.latex.expectations import SIGN, expected
from theory.latex.folds import fold
from theory.latex.nodes import (
    INFINITY,
    ONE,
    ZERO,
    Node,
    Unreadable,
    entries_of,
    minus,
    names_of,
    number,
    over,
    shifted,
)
from theory.latex.tokens import Token, closing, group_end, printed_slots, spelled, tokenize
from theory.latex.vocabulary import Vocabulary

FOLDS = {r"\sum": "sum", r"\prod": "prod", r"\max": "max", r"\min": "min"}
_PRODUCTS = frozenset({r"\cdot", r"\times", "*"})
_CALLS = {r"\log": "log", r"\ln": "log", r"\exp": "exp"}
_ENDS = frozenset({")", "]", "}", r"\}", r"\rfloor", r"\rceil", "+", "-", ",", ";"})
_SUMMANDS = frozenset({"+", "-"})
_WITH_ARGUMENTS = frozenset(
    {r"\frac", r"\binom", r"\sqrt", r"\mathrm", r"\mathbf", r"\mathcal", r"\bar", r"\hat"}
)


class Parser:
    """Read tokens from left to right."""

    def __init__(
        self,
        tokens: list[Token],
        vocabulary: Vocabulary,
        bound: frozenset[str],
        laws: Collection[str] | None = None,
    ) -> None:
        self.tokens = tokens
        self.at = 0
        self.vocabulary = vocabulary
        self.bound = bound
        self.laws = laws
        """Arrays of random numbers; None where no expectation is read."""
        self.bars = 0
        self.indexing = False
        self.last: Node | None = None
        """The last factor of the product that was read last, None where it is the only one."""
        self.folded: frozenset[str] = frozenset()
        """Indices of sums, products and extrema of the terms before, which no bracket ends."""

    @property
    def here(self) -> str:
        """Return the text of the next token, empty at the end."""
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def whole(self) -> Node:
        """Return the node of all tokens.

        Raises:
            Unreadable: They are no expression, or contain a name that the vocabulary lacks.
        """
        if not self.tokens:
            raise Unreadable("a side is empty")
        node = self.sum()
        if self.at < len(self.tokens):
            raise self.stopped()
        return node

    def stopped(self) -> Unreadable:
        """Return an error that says where reading stopped."""
        rest = " ".join(token.text for token in self.tokens[self.at : self.at + 6])
        if not rest:
            return Unreadable("the expression ends too early")
        return Unreadable(
            f"cannot read on at ‘{rest}’: no name of the vocabulary (variables, notation) begins there"
        )

    def take(self, text: str) -> None:
        """Go past a token that must be there."""
        if self.here != text:
            raise Unreadable(f"‘{text}’ is missing before ‘{self.here or 'the end'}’")
        self.at += 1

    def sum(self) -> Node:
        """Return a sum of terms."""
        terms = []
        sign = "+"
        if self.here in _SUMMANDS:
            sign = self.here
            self.at += 1
        outer, self.folded = self.folded, frozenset()
        while True:
            before = self.folded
            term = self.term()
            if again := sorted(names_of(term) & before - self.bound):
                raise Unreadable(
                    f"write brackets, or another letter: how far does the fold over {again[0]} reach?"
                )
            terms.append(minus(term) if sign == "-" else term)
            if self.here not in _SUMMANDS:
                self.folded = outer
                return terms[0] if len(terms) == 1 else ("add", *terms)
            sign = self.here
            self.at += 1

    def term(self) -> Node:
        """Return a product, written with dots, slashes or nothing between the factors."""
        node = factor = self.factor()
        factors, divided, barred = 1, False, False
        while self.at < len(self.tokens) and self.here not in _ENDS and not (self.here == "|" and self.bars):
            if self.here == "/":
                self.at += 1
                factor = self.factor()
                node, factors, divided = over(node, factor), factors + 1, True
                continue
            is_beside = self.here not in _PRODUCTS
            if is_beside and self.joins():
                raise Unreadable(f"write \\cdot before the {self.here}, or braces around all digits")
            if not is_beside:
                self.at += 1
                divided = False
            if divided:
                raise Unreadable(f"write brackets: what is divided by in ‘{spelled(tuple(self.tokens))}’?")
            if is_beside and self.here == "|" and barred and not _is_barred(factor):
                raise Unreadable("write brackets or \\cdot: which of the | are a pair?")
            is_fraction, barred = self.here == r"\frac", barred or (is_beside and _is_barred(factor))
            before, factor = factor, self.factor()
            if is_beside and is_fraction and before[0] == "number" and not _names_anything(factor):
                raise Unreadable(r"a number beside a fraction of numbers looks like a sum: write \cdot or +")
            node, factors = ("mul", node, factor), factors + 1
        self.last = factor if factors > 1 else None
        return node

    def joins(self) -> bool:
        """Return whether a digit stands at one sign that is no number with it: `10^12`, `a_12`, `x2`."""
        before, token = self.tokens[self.at - 1 : self.at + 1]
        return token.text.isdigit() and before.text.isalnum() and before.end == token.start

    def factor(self) -> Node:
        """Return a primary with its powers and factorials."""
        node = self.primary()
        last = ""
        while self.here in ("^", "!"):
            if last == "^" or self.here + last == "!!":
                raise Unreadable(f"write brackets: of what is ‘{self.here}’ after ‘{last}’?")
            last = self.here
            self.at += 1
            if last == "^" and self.here == "{":
                _check_plain(self.tokens[self.at + 1 : group_end(self.tokens, self.at) - 1])
            node = ("call", "factorial", node) if last == "!" else ("pow", node, self.argument())
        return node

    def argument(self) -> Node:
        """Return what stands in braces, or one token."""
        if self.here == "{":
            end = group_end(self.tokens, self.at)
            inside = self.tokens[self.at + 1 : end - 1]
            self.at = end
            return self.inner(inside)
        if self.here.isdigit():
            self.at += 1
            return number(int(self.tokens[self.at - 1].text))
        start, command = self.at, self.here
        node = self.primary()
        if self.at > start + 1 and command not in _WITH_ARGUMENTS:
            written = spelled(tuple(self.tokens[start : self.at]))
            raise Unreadable(f"write braces around ‘{written}’: without them the first sign alone is meant")
        return node

    def inner(self, tokens: list[Token], bound: frozenset[str] = frozenset()) -> Node:
        """Return the node of tokens that stand for themselves."""
        return Parser(tokens, self.vocabulary, self.bound | bound, self.laws).whole()

    def index(self, tokens: list[Token]) -> Node:
        """Return an index, in which a letter that is no name is an index."""
        _check_plain(tokens)
        parser = self.within(tokens)
        parser.indexing = True
        return parser.whole()

    def within(self, tokens: list[Token]) -> Parser:
        """Return a parser of tokens at this place."""
        parser = Parser(tokens, self.vocabulary, self.bound, self.laws)
        parser.indexing = self.indexing
        return parser

    def primary(self) -> Node:
        """Return a number, a name, a call or something in brackets."""
        text = self.here
        if not text:
            raise self.stopped()
        if text in FOLDS:
            is_word = self.vocabulary.longest(self.tokens, self.at, self.bound) is not None
            return self.word() if is_word else fold(self, FOLDS[text])
        found = self.vocabulary.longest(self.tokens, self.at, self.bound)
        if text == SIGN[0] and (node := expected(self)) is not None:
            return node
        # An array alone has no value: where indices stand, its letter is one.
        if found and not (self.indexing and found.word.kind == "array" and _is_letter(text)):
            return self.word()
        if text.isdigit():
            return self.digits()
        if text == "{":
            return self.group()
        if text in ("(", "["):
            self.at += 1
            node = self.sum()
            self.take({"(": ")", "[": "]"}[text])
            return node
        return self.symbol(text)

    def group(self) -> Node:
        """Return what stands in braces that are no argument: one factor, which they cannot change."""
        end = group_end(self.tokens, self.at)
        parser = self.within(self.tokens[self.at + 1 : end - 1])
        written = spelled(tuple(self.tokens[self.at : end]))
        self.at = end
        # Digits would join those beside them; a sum or logarithm could reach beyond the braces.
        begins = parser.here
        reaches = not begins or begins.isdigit() or begins in {*_CALLS, *FOLDS, *_SUMMANDS}
        node = None if reaches or self.here in ("^", "_", "!") else parser.factor()
        if node is None or parser.at < len(parser.tokens):
            raise Unreadable(f"write brackets instead of the braces of ‘{written}’, which nobody sees")
        return node

    def symbol(self, text: str) -> Node:
        """Return what a command or a single letter stands for."""
        brackets = {
            r"\{": (r"\}", "frac"),
            r"\lfloor": (r"\rfloor", "floor"),
            r"\lceil": (r"\rceil", "ceiling"),
        }
        self.at += 1
        if text in brackets:
            closing, name = brackets[text]
            node = self.sum()
            self.take(closing)
            return ("call", name, node)
        if text == "|":
            self.bars += 1
            node = self.sum()
            self.bars -= 1
            self.take("|")
            return ("call", "Abs", node)
        if text == r"\frac":
            return over(self.argument(), self.argument())
        if text == r"\binom":
            return ("call", "binomial", self.argument(), self.argument())
        if text == r"\sqrt":
            return self.root()
        if text in _CALLS:
            return self.call(text)
        if text == r"\lg":
            raise Unreadable(
                r"\lg is the logarithm to 10 for some and to 2 for others: write \log_{10} or \log_2"
            )
        if text == r"\infty":
            return INFINITY
        if text in ("e", r"\mathrm{e}", r"\pi"):
            return ("constant", "pi" if text == r"\pi" else "e")
        if text in self.bound or text in self.vocabulary.indices or (self.indexing and _is_letter(text)):
            return ("name", text)
        self.at -= 1
        raise self.stopped()

    def digits(self) -> Node:
        """Return a number; its digits stand side by side."""
        first = self.at
        while self.at < len(self.tokens) and (
            self.here.isdigit() or (self.here == "." and self.at + 1 < len(self.tokens))
        ):
            if self.at > first and self.tokens[self.at].start != self.tokens[self.at - 1].end:
                break
            self.at += 1
        if self.here.isdigit():
            raise Unreadable("digits with a gap between them: write one number without spaces")
        return number(Fraction("".join(token.text for token in self.tokens[first : self.at])))

    def root(self) -> Node:
        """Return a root after its command."""
        degree: Node = number(2)
        if self.here == "[":
            end = next(place for place in range(self.at, len(self.tokens)) if self.tokens[place].text == "]")
            degree = self.inner(self.tokens[self.at + 1 : end])
            self.at = end + 1
        return ("pow", self.argument(), over(number(1), degree))

    def call(self, text: str) -> Node:
        """Return a logarithm or exponential after its command; without brackets it takes one factor."""
        name = _CALLS[text]
        base: Node | None = None
        if self.here == "_":
            self.at += 1
            base = self.argument()
        bracketed = self.here in ("(", "[")
        argument = self.primary() if bracketed else self.factor()
        ends = _ENDS | ({r"\log", r"\ln", "|"} if self.bars else {r"\log", r"\ln"})
        reaches = self.here in ("(", "[") if bracketed else self.here and self.here not in ends
        if reaches:
            raise Unreadable(f"write brackets: how far does {text} reach before ‘{self.here}’?")
        if name == "exp":
            return ("pow", ("constant", "e"), argument)
        node: Node = ("call", "log", argument)
        return node if base is None else over(node, ("call", "log", base))

    def word(self) -> Node:
        """Return the variable at this place."""
        found = self.vocabulary.longest(self.tokens, self.at, self.bound)
        if found is None:
            raise self.stopped()
        word, start = found.word, self.at
        self.at = found.end
        if word.kind == "name":
            return ("name", word.name)
        if word.kind == "entry":
            indices = zip(found.indices, word.firsts, strict=True)
            places = tuple(shifted(self.index(list(item)), -first) for item, first in indices)
            return ("entry", word.name, places)
        if word.kind == "function":
            found_arguments = self.arguments()
            if word.name == "KroneckerDelta" and len(found_arguments) != 2:
                raise Unreadable("an indicator compares two numbers")
            return ("call", word.name, *found_arguments)
        if word.kind == "array" and word.name in (self.laws or ()) and word.sizes == (ONE,):
            return ("entry", word.name, (ZERO,))
        written = spelled(tuple(self.tokens[start : found.end]))
        reason = "is notation and has no value"
        if word.kind == "array":
            reason = "is an array and needs an index here"
            if self.here == "_":
                reason = "is an array whose indices cannot be told apart: write commas between them"
        raise Unreadable(f"‘{written}’ {reason}")

    def arguments(self) -> list[Node]:
        """Return the arguments of a declared function."""
        self.take("(")
        found = [self.sum()]
        while self.here in (",", ";"):
            self.at += 1
            found.append(self.sum())
        self.take(")")
        return found


def _is_letter(text: str) -> bool:
    return len(text) == 1 and text.isalpha() and text.islower()


def _check_plain(tokens: list[Token]) -> None:
    """Refuse an exponent or index in brackets, which is another one to readers: a step, a place in order."""
    if tokens and tokens[0].text in ("(", "[") and closing(tokens, 0) == len(tokens) - 1:
        raise Unreadable(f"‘{spelled(tokens)}’ is no power or index to all readers: leave the brackets out")


def _is_barred(node: Node) -> bool:
    return node[:2] == ("call", "Abs")


def _names_anything(node: Node) -> bool:
    return bool(names_of(node) or entries_of(node))


def _no_value(text: str) -> str:
    raise Unreadable(f"{text} has no value here")


def read(
    tex: str | Sequence[Token],
    vocabulary: Vocabulary,
    values: Callable[[str], str] = _no_value,
    indices: Iterable[str] = (),
    laws: Collection[str] | None = None,
) -> Node:
    """Return the node of one side.

    Args:
        tex: The side.
        vocabulary: The names in it.
        values: What a value slot prints.
        indices: Letters that are indices outside of subscripts, too.
        laws: Arrays of random numbers; None: no expectation is read.

    Raises:
        Unreadable: As for `Parser.whole`.
    """
    tokens = tokenize(tex) if isinstance(tex, str) else list(tex)
    try:
        tokens = printed_slots(tokens, values)
        return Parser(tokens, vocabulary, frozenset(indices), laws).whole()
    except (StopIteration, IndexError) as error:
        raise Unreadable(f"‘{spelled(tuple(tokens))}’ is not complete") from error
