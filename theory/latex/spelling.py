r"""What a variable or notation may be written as: signs that a reader sees as one name, and nothing else."""

from __future__ import annotations

import re

from theory.latex.tokens import CLOSING, OPENING, Token, group_end, spelled, tokenize

_GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa varkappa lambda mu nu xi "
    "pi varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
_FONTS = "mathrm mathbf mathbb mathcal mathfrak mathscr mathsf mathtt boldsymbol bm rm bf cal operatorname"
_ACCENTS = "hat bar tilde dot ddot vec check breve widehat widetilde overline underline"
_BRACKETS = "{ } | langle rangle lfloor rfloor lceil rceil"
_SIGNS = (
    "nabla partial infty ell hbar Re Im star dagger prime circ bullet cdot times odot oplus otimes top bot "
    "perp intercal flat sharp natural cap cup setminus emptyset dots ldots cdots pm mp mid bmod colon"
)
_FUNCTIONS = (
    "frac dfrac tfrac binom sqrt sum prod int max min sup inf lim limsup liminf arg argmax argmin log ln exp "
    "sin cos tan sinh cosh tanh arctan Pr det dim ker deg gcd sgn tr"
)
_SIGNS_OF_RELATIONS = (
    r"< > = := \le \ge \ne \in \ni \subset \subseteq \supset \supseteq \to \mapsto \sim \approx \equiv "
    r"\propto \asymp \ll \gg \lesssim \gtrsim \succ \succeq \prec \preceq"
)
_RELATIONS = frozenset(_SIGNS_OF_RELATIONS.split())
_ASSERTING = frozenset([r"\mid", r"\perp"])
"""What says something of two names beside it, and nothing in brackets or an index: `2\\mid x`, `V^\\perp`."""
_COMMANDS = frozenset(
    f"\\{name}"
    for names in (_GREEK, _FONTS, _ACCENTS, _BRACKETS, _SIGNS, _FUNCTIONS)
    for name in names.split()
) | {name for name in _RELATIONS if name.startswith("\\")}
_NEED_MORE = frozenset(
    [f"\\{name}" for names in (_FONTS, _ACCENTS) for name in names.split()]
    + [r"\frac", r"\binom", r"\sqrt", "^", "_", "+", "-", "/", r"\cdot", r"\times", r"\pm", r"\mp"]
)
"""What a name cannot end with: it would take or change what stands after it."""
_UNSEEN = frozenset([r"\mathit", r"\mathnormal", r"\it", r"\textit"])
"""Fonts in which letters of mathematics stand anyway."""
_WITH_ARGUMENTS = frozenset(
    ["^", "_", r"\frac", r"\binom", r"\sqrt"]
    + [f"\\{name}" for names in (_FONTS, _ACCENTS) for name in names.split()]
)
_WORDS = re.compile(r"\\(?:text|textrm|mbox)\{[A-Za-z-]+\}")


def spelling_problem(tex: str) -> str:
    r"""Return why text cannot write a name like this, '' where it can.

    A relation may stand in an index and in the brackets of a probability: `\sum_{k<K}C_k`, `\Pr(j\ne0)`.
    """
    foreign = [sign for sign in tex if not sign.isascii() or sign in '%$&~`"@']
    if foreign:
        return f"has the sign {foreign[0]!r}, which is not seen as what it is: write LaTeX in ASCII letters"
    tokens = tokenize(tex)
    texts = [token.text for token in tokens]
    font = next((text for text in texts if text in _UNSEEN), "")
    if font:
        return f"has {font}, which looks as without it: leave it out"
    unknown = [
        text
        for text in texts
        if text.startswith("\\") and text not in _COMMANDS and not _WORDS.fullmatch(text)
    ]
    if unknown:
        return f"has {unknown[0]}, which is no part of a name: write letters, accents, indices and brackets"
    if re.search(r"\{\s*\}", tex):
        return "has empty braces, which nobody sees: leave them out"
    if not _is_balanced(texts):
        return "has a bracket without its partner: write both"
    if texts and texts[-1] in _NEED_MORE and texts[-2:-1] not in (["_"], ["^"]):
        return f"ends with {texts[-1]}, which reaches to what stands after it: write the whole name"
    return ""


def relation_in(tex: str) -> str:
    r"""Return what a name says as a relation does, '' if nothing.

    A relation sign may stand in an index and in a probability, `\mid` in any brackets; words as in
    `x\text{-positive}` in an index.
    """
    tokens = tokenize(tex)
    place = depth = 0
    while place < len(tokens):
        text = tokens[place].text
        depth += (text in OPENING) - (text in CLOSING)
        before = [token.text for token in tokens[max(place - 2, 0) : place]]
        if before[-1:] in (["_"], ["^"]):
            is_group = text == "{"
            depth -= is_group
            place = group_end(tokens, place) if is_group else place + 1
        elif text == "(" and (before[-1:] == [r"\Pr"] or before == [r"\mathbb", "P"]):
            depth -= 1
            place = _bracket_end(tokens, place)
        elif text in _RELATIONS or (depth == 0 and (text in _ASSERTING or tokens[place].is_words)):
            return text
        else:
            place += 1
    return ""


def shown(tex: str) -> str:
    r"""Return a name as it is seen: without braces that group nothing, with indices below before those above.

    Two names for which this is the same cannot be told apart: `h_j^2` and `h^2_j`, `p` and `{p}{}`.
    """
    return spelled(_seen(tokenize(tex)))


def _seen(tokens: list[Token]) -> list[Token]:
    found: list[Token] = []
    place, is_argument = 0, False
    while place < len(tokens):
        token = tokens[place]
        if token.text in _UNSEEN:
            place += 1
            continue
        if token.text == "^" and place + 1 < len(tokens):
            end, after = _argument_end(tokens, place + 1), place
            if end < len(tokens) and tokens[end].text == "_":
                after = _argument_end(tokens, end + 1)
                below, above = tokens[end:after], tokens[place:end]
                tokens = [*tokens[:place], *below, *above, *tokens[after:]]
                continue
        if token.text == "{":
            end = group_end(tokens, place)
            inside = _seen(tokens[place + 1 : end - 1])
            bare = not is_argument or len(inside) == 1
            found += inside if bare else [token, *inside, tokens[end - 1]]
            place, is_argument = end, bool(found) and found[-1].text in _WITH_ARGUMENTS
            continue
        found.append(Token(r"\prime", token.start, token.end) if token.text == "'" else token)
        is_argument = token.text in _WITH_ARGUMENTS
        place += 1
    return found


def _argument_end(tokens: list[Token], place: int) -> int:
    if place < len(tokens) and tokens[place].text == "{":
        return group_end(tokens, place)
    return place + 1


def _bracket_end(tokens: list[Token], place: int) -> int:
    depth = 0
    for end in range(place, len(tokens)):
        depth += (tokens[end].text in OPENING) - (tokens[end].text in CLOSING)
        if depth == 0:
            return end + 1
    return len(tokens)


def _is_balanced(texts: list[str]) -> bool:
    depth = 0
    for text in texts:
        depth += (text in OPENING) - (text in CLOSING)
        if depth < 0:
            return False
    braces = texts.count("{") == texts.count("}")
    return depth == 0 and braces and not texts.count("|") % 2 and not texts.count(r"\|") % 2
