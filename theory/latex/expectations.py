r"""Expectations in words: `$V=\mathbb E\bigl((\sum_ie_i)^2\bigr)$, over uncorrelated $e_i$, ...`.

The end of a sentence says the law of each random name: `over uncorrelated $e_{ij}$, $1\le i\le n$,
$1\le j\le d$, with mean $0$ and variance $v_{ij}$`, `over independent $b_j\sim\mathrm{Bernoulli}(p_j)$,
$1\le j\le d$`; of an array of one number `over $z$ with mean $\mu$ and variance $s^2$`, `over
$c\sim\mathrm{Bernoulli}(p)$`. Several are joined by `and`.

An expectation is of what stands in its brackets, over all random names there that are in no brackets of
another expectation in it; these are uncorrelated with each other, and stand in none of these brackets. In
mean and variance the indices of the random name are its own; other letters are indices around the
expectation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from theory.latex.nodes import ONE, ZERO, Node, Unreadable, entries_of, minus, names_of, shifted, to_sympy
from theory.latex.restricted import ends
from theory.latex.tokens import Token, closing, spelled, tokenize

if TYPE_CHECKING:
    from theory.latex.parser import Parser
    from theory.latex.vocabulary import Vocabulary

SIGN = (r"\mathbb", "E")
_MAY_FOLLOW = frozenset({"", "+", "-", "/", r"\cdot", r"\times", ",", ";", ")", "]", "}", r"\}", "|"})
"""What stands behind the brackets of an expectation and cannot look like a part of what is expected."""
_BERNOULLI = tuple(token.text for token in tokenize(r"\mathrm{Bernoulli}("))
_NO_POLYNOMIAL = 99
REMEDY = (
    r"write ‘over uncorrelated $e_i$, $1\le i\le n$, with mean $0$ and variance $v_i$’ or ‘over independent "
    r"$b_j\sim\mathrm{Bernoulli}(p_j)$, $1\le j\le d$’, of one number ‘over $z$ with mean $0$ and variance "
    "$s$’"
)


@dataclass(frozen=True)
class Law:
    """The law of one random name: its indices with their ranges as text counts, none of an array of one."""

    name: str
    written: str
    ranges: tuple[tuple[str, Node, Node], ...]
    mean: Node
    variance: Node


def law_of(
    words: str,
    math: Sequence[tuple[Token, ...]],
    side: Callable[[Sequence[Token], Iterable[str]], Node],
    vocabulary: Vocabulary,
) -> Law:
    r"""Return the law that words say.

    Args:
        words: From "over" on.
        math: The mathematics in them.
        side: Reads an expression in which letters are indices.
        vocabulary: The names of the claim.

    Raises:
        Unreadable: It is of no array, or of another range than the array has.
    """
    is_coin, is_family = not words.endswith("variance \x00"), not words.startswith("over \x00")
    tokens, probability = _coin(math[0]) if is_coin else (math[0], ())
    array, letters, sizes = _random(tokens, vocabulary)
    written = spelled(tokens)
    if is_family != bool(letters):
        told = "is one number" if is_family else "has indices"
        raise Unreadable(f"the random ‘{written}’ {told}: {REMEDY}")
    said = math[1:] if is_coin else math[1:-2]
    ranges = _ranges(written, letters, sizes, vocabulary.variables[array].firsts, said, side)
    if is_coin:
        mean = side(probability, letters)
        variance: Node = ("mul", mean, ("add", ONE, minus(mean)))
    else:
        mean, variance = (side(item, letters) for item in math[-2:])
    return Law(array, written, ranges, mean, variance)


def _coin(tokens: tuple[Token, ...]) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """Return the random name and the probability of a Bernoulli variable."""
    texts = [token.text for token in tokens]
    place = texts.index(r"\sim") if r"\sim" in texts else len(texts)
    begin = place + 1 + len(_BERNOULLI)
    if tuple(texts[place + 1 : begin]) != _BERNOULLI or closing(tokens, begin - 1) != len(tokens) - 1:
        raise Unreadable(f"‘{spelled(tokens)}’ is no law: {REMEDY}")
    return tokens[:place], tokens[begin:-1]


def _random(
    tokens: tuple[Token, ...], vocabulary: Vocabulary
) -> tuple[str, tuple[str, ...], tuple[Node, ...]]:
    """Return array, index letters and lengths of a random name; no letters of an array of one number."""
    found = vocabulary.longest(list(tokens), 0)
    if found is None or found.end < len(tokens) or found.word.kind not in ("entry", "array"):
        raise Unreadable(f"the random ‘{spelled(tokens)}’ is no array of the variables, with its indices")
    word = found.word
    if word.kind == "array":
        if word.sizes != (ONE,):
            raise Unreadable(f"the random ‘{spelled(tokens)}’ is an array and needs its indices: {REMEDY}")
        return word.name, (), ()
    letters = tuple(spelled(item) for item in found.indices)
    scalars = {item.tex for item in vocabulary.variables.values() if not item.shape}
    is_index = all(len(item) == 1 and item.isalpha() and item.islower() for item in letters)
    if not is_index or len({*letters}) < len(letters) or {*letters} & scalars:
        raise Unreadable(f"the indices of the random ‘{spelled(tokens)}’ must be letters of their own")
    return word.name, letters, word.sizes


def _ranges(
    written: str,
    letters: tuple[str, ...],
    sizes: tuple[Node, ...],
    firsts: tuple[int, ...],
    said: Sequence[tuple[Token, ...]],
    side: Callable[[Sequence[Token], Iterable[str]], Node],
) -> tuple[tuple[str, Node, Node], ...]:
    found = []
    for tokens, letter, size, first in zip(said, letters, sizes, firsts, strict=False):
        told = ends(tokens, lambda item: side(item, ()))
        if told is None or told[0] != letter:
            raise Unreadable(
                f"‘{spelled(tokens)}’ is no range of the index {letter} of the random ‘{written}’: {REMEDY}"
            )
        low, high = (to_sympy(end) for end in told[1])
        if low != first or high != to_sympy(shifted(size, first - 1)):
            raise Unreadable(
                f"‘{spelled(tokens)}’ is not the range of the random ‘{written}’: write that of its array, "
                f"from {first} to {to_sympy(shifted(size, first - 1))}"
            )
        found.append((letter, *told[1]))
    if len(said) != len(letters):
        raise Unreadable(f"the random ‘{written}’ needs a range of each of its indices: {REMEDY}")
    return tuple(found)


def is_expectation(tokens: Sequence[Token], place: int) -> bool:
    r"""Return whether a token is one of the two of `\mathbb E`."""
    texts = [token.text for token in tokens[max(place - 1, 0) : place + 2]]
    return tuple(texts[-2:]) == SIGN or tuple(texts[:2]) == SIGN


def expected(parser: Parser) -> Node | None:
    """Return the expectation at this place, over what its brackets tell; None where there is none."""
    texts = [token.text for token in parser.tokens[parser.at : parser.at + 3]]
    word = parser.vocabulary.longest(parser.tokens, parser.at, parser.bound)
    if parser.laws is None or tuple(texts[:2]) != SIGN or (word and word.end > parser.at + 2):
        return None
    if texts[2:] not in (["("], ["["]):
        raise Unreadable(r"write brackets around all that is expected: \mathbb E\bigl(...\bigr)")
    parser.at += 3
    body = parser.sum()
    parser.take({"(": ")", "[": "]"}[texts[2]])
    if parser.here not in _MAY_FOLLOW:
        raise Unreadable(
            f"is ‘{parser.here}’ behind the brackets of \\mathbb E expected, too? Write it before it, "
            "or brackets around all that is expected"
        )
    return ("expectation", body, "", (), ZERO, ZERO)


def with_laws(
    sides: Sequence[Node], laws: Mapping[str, Law], scalars: frozenset[str], used: set[str]
) -> list[Node]:
    """Return sides of a relation whose expectations have the laws of their random names.

    Args:
        sides: Of one relation.
        laws: By the name of the array, in the order of the words.
        scalars: Names that are no indices.
        used: To which the names are added that have an expectation.

    Raises:
        Unreadable: A random name stands outside of expectations, it cannot be told what is random, or what is
            expected is no polynomial of degree 2.
    """
    around = scalars.union(*map(names_of, sides))
    return [_with_laws(side, laws, around, frozenset(), used) for side in sides]


def _with_laws(
    node: Any, laws: Mapping[str, Law], around: frozenset[str], taken: frozenset[str], used: set[str]
) -> Any:
    if not isinstance(node, tuple) or not node:
        return node
    if node[0] == "entry" and node[1] in laws and node[1] not in taken:
        raise Unreadable(
            f"the random ‘{laws[node[1]].written}’ stands outside of the brackets of its expectation, where "
            r"it has no value: write \mathbb E\bigl(...\bigr) around it, or another name"
        )
    if node[0] == "fold":
        around |= {name for name, _, _ in node[3]}
    if node[0] != "expectation":
        return tuple(_with_laws(item, laws, around, taken, used) for item in node)
    inside = {*_direct(node[1])}
    own = [law for name, law in laws.items() if name in inside]
    for item in (node[1], *(moment for law in own for moment in (law.mean, law.variance))):
        if outer := sorted({*_direct(item)} & taken):
            raise Unreadable(
                f"the random ‘{laws[outer[0]].written}’ stands in another expectation inside of its own, or "
                "in a law there: is it expected there, too?"
            )
    if not own:
        raise Unreadable(
            r"\mathbb E has no random name in its brackets; the end of the sentence says the law of each "
            f"random name: {REMEDY}"
        )
    found = []
    for law in own:  # the first one is outermost: the laws of the others may have its entries
        letters = frozenset(letter for letter, _, _ in law.ranges)
        if loose := (names_of(law.mean) | names_of(law.variance)) - letters - around:
            raise Unreadable(f"the law of the random ‘{law.written}’: what is {', '.join(sorted(loose))}?")
        moments = [_with_laws(item, laws, around | letters, taken, used) for item in (law.mean, law.variance)]
        found.append((law.name, law.ranges, *moments))
        taken |= {law.name}
        used.add(law.name)
    body = _with_laws(node[1], laws, around, taken, used)
    _check_degree(body, own)
    for law, item in reversed([*zip(own, found, strict=True)]):
        _check_degree(body, [law])
        body = ("expectation", body, *item)
    return body


def _check_degree(body: Node, own: Sequence[Law]) -> None:
    """Refuse what means, variances and no correlation leave open."""
    if _degree(body, {law.name for law in own}) > 2:
        raise Unreadable(
            r"what \mathbb E expects must be a polynomial of degree 2 at most in the random "
            f"{', '.join(law.written for law in own)}"
        )


def _direct(node: Any) -> Iterator[str]:
    """Yield the arrays in a node that stand in no expectation in it."""
    if isinstance(node, tuple) and node and node[0] != "expectation":
        if node[0] == "entry":
            yield node[1]
        for item in node:
            yield from _direct(item)


def _degree(node: Node, names: Iterable[str]) -> int:
    """Return the degree of a polynomial in entries of arrays, a high one of what is none."""
    kind = node[0]
    if not {entry[1] for entry in entries_of(node)} & {*names}:
        return 0
    if kind == "entry":
        return 1
    if kind in ("add", "mul"):
        degrees = [_degree(item, names) for item in node[1:]]
        return max(degrees) if kind == "add" else sum(degrees)
    if kind == "pow" and node[2][0] == "number" and node[2][1] >= 0 and node[2][1].denominator == 1:
        return _degree(node[1], names) * int(node[2][1])
    if kind == "fold" and node[1] == "sum":
        return _degree(node[2], names)
    if kind == "expectation":
        _, inner, _, _, mean, variance = node
        return max(_degree(inner, names), 2 * _degree(mean, names), _degree(variance, names))
    return _NO_POLYNOMIAL


def check_random(names: Collection[str], formulas: Iterable[Any]) -> None:
    """Refuse random names of one sentence outside of expectations in another one, or in a range."""
    for formula in formulas if names else ():
        inner, sides = formula, []
        while hasattr(inner, "formula"):
            sides += [inner.low, inner.high] if hasattr(inner, "low") else []
            inner = inner.formula
        sides += [inner.term] if hasattr(inner, "term") else [inner.left, inner.right]
        loose = {str(base.label) for side in sides for base in not_random(side)} & {*names}
        if loose:
            raise Unreadable(f"the random {', '.join(sorted(loose))} stands outside of its expectation, too")


def not_random(expression: Any) -> Iterator[Any]:
    """Yield the arrays of an expression that are not random in it."""
    import sympy

    from theory.expectation import Expectation

    if isinstance(expression, sympy.Indexed):
        yield expression.base
    for item in expression.args:
        family = expression.args[1] if isinstance(expression, Expectation) else None
        yield from (base for base in not_random(item) if base != family or item is not expression.args[0])
