r"""Words beside a formula that deny it: ‘$x\le1$ fails’, ‘it is false that $x\le1$’, ‘$x\le1$ million’.

What a proof shows is the formula. A sentence that denies it has to be a pin, which names its own evidence.
"""

import re
from collections.abc import Iterable, Iterator

from theory.latex.tokens import fragments
from verify.statements.refusals.wording.words import WORDS_IN_MATH

DENIAL = (
    r"(?<!\bor )not(?! (?:only|needed|used|shown|counted|charged)\b)|never(?! fails?\b)|neither|cannot|"
    r"can['’]t|\w+n['’]t|nowhere|hardly|rarely|seldom|(?<!never )fail(?:s|ed)?|breaks|broken|false|untrue|"
    r"wrong|incorrect|invalid|violat(?:es?|ed|ing)|refuted|disproved|contradicted|impossible|absurd|nonsense|unproved|"
    r"unproven|unknown|unclear|doubtful|disputed|open(?=\s*(?:[.,;:)]|\Z)|\s+(?:question|problem))|"
    r"conjectur(?:e|ed|al)|hoped|nobody|(?:for|at|in|on|under|by|with) no"
)
# Words that stand between a formula and what is said of it.
_LINKS = (
    r"a|all|already|always|also|an|and|any|anything|are|as|at|be|been|being|both|bound|but|by|can|case|cases|claim|"
    r"could|did|do|does|each|either|equality|equation|even|ever|everywhere|far|fact|from|general|had|has|have|here|"
    r"hence|hold|holds|however|identity|in|inequality|is|it|itself|just|latter|may|means|might|must|need|needs|no|"
    r"of|often|only|or|place|quite|relation|remains|result|said|say|seems|should|simply|so|statement|still|such|"
    r"than|that|the|then|there|these|they|this|though|to|true|usually|valid|very|was|were|what|where|which|whole|"
    r"will|would|yet"
)
_VERBS = (
    r"is|are|was|were|do|does|did|can|could|may|might|must|need|will|would|has|have|been|be|that|which|it"
)
# For which names the formula is said, as long as nothing more is said of these.
_FOR = r"(?:for|at|in|on|with|where)\s+(?:(?:each|all|every|any)\s+)?\0+(?!\s+(?:that|which|where)\b)"
# What an assumption is without, before it and behind it.
_DROPPED = (
    r"unless|except|without|whether or not|regardless|irrespective|independent(?:ly)?|no matter|outside|"
    r"apart|contrary|instead|drop(?:s|ping)?|ignor(?:es?|ing)"
)
_NEEDLESS = (
    r"superfluous|unnecessary|redundant|immaterial|irrelevant|dropped|ignored|not needed|or not|"
    r"and (?:otherwise|elsewhere|beyond)"
)
_TURNED = (
    r"(?:opposite|reverse|negation|converse) of|contrary to|mistake|lie|counterexamples? (?:to|of|against)"
)
_AFTER = {
    "relation": re.compile(
        rf"[\s(),.;!\"“”—–-]*(?:{_FOR}[\s,)]*)?(?:(?:{_LINKS})\b[\s,(—–]*){{0,8}}(?:{DENIAL})\b",
        re.IGNORECASE,
    ),
    # What comes after a comma is said of what is assumed, not of the assumption.
    "hypothesis": re.compile(rf"\s+(?:(?:{_VERBS})\s+){{0,4}}(?:{DENIAL}|{_NEEDLESS})\b", re.IGNORECASE),
}
_BEFORE = {
    kind: re.compile(
        rf"\b(?:{DENIAL}{more})\b\s+(?:(?:{_LINKS}|whether|if|believe|think|expect|assume|require|suppose)\b[\s,:]*){{0,8}}\Z",
        re.IGNORECASE,
    )
    for kind, more in (("relation", f"|{_TURNED}"), ("hypothesis", f"|{_DROPPED}"))
}
_NOBODY = re.compile(rf"\b(?:{DENIAL}|no|none)\b(?:\s+(?:{_LINKS}|\0+))*\s*\Z", re.IGNORECASE)
_SENTENCE = re.compile(r"[.;:]\s")
_TIMES = (
    r"hundred|thousand|million|billion|trillion|dozen|per\s?cent|percent|per mille|minus|plus|divided|"
    r"multiplied|squared|cubed|up to (?:an? |some )?(?:constant|factor|error|term)s?|"
    r"with (?:few |some )?exceptions"
)
_MULTIPLES = re.compile(rf"\s+(?:{_TIMES}|times(?! (?:as|that)\b))\b", re.IGNORECASE)
_OPERATES = (
    r"minus|plus|twice|thrice|(?:double|triple|half|negative|opposite|inverse|reciprocal|square|cube|root|"
    r"logarithm|exponential|absolute value|modulus|integer part|sum|difference|product|multiple|average|mean|"
    r"median|expectation|expected value|rounded value|derivative|gradient|integral|maximum|minimum) of"
)
"""What would be done to the first side of the relation behind it."""
_OPERATED = re.compile(rf"\b(?:{_OPERATES})(?: (?:the|all|each|every))?\s*\Z", re.IGNORECASE)
_KINDS = {"assumed": "hypothesis", "equation": "relation", "range": "relation"}
_MULTIPLIED = "what these words do to the formula before them is not read with it: write it in the formula"
_IN_MATH = re.compile(rf"\b(?:{DENIAL}|or|only|no|{_TIMES}|{_OPERATES})\b", re.IGNORECASE)
_DENIED = (
    "these words deny the formula beside them: leave them out, or make the sentence a pin with its evidence"
)


def denied(text: str, read: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, str, str]]:
    """Yield place, words and message of what denies or multiplies a formula that was read.

    Args:
        text: A part, a hypothesis or a setting.
        read: Of the clauses that are read as registered formulas: begin, end, and of what kind they are.
    """
    places = [(*item[:2], _KINDS.get(item[2], item[2])) for item in read]
    places = [item for item in places if item[2] in _AFTER]
    words = _words(text)
    for piece in fragments(text):
        for inside in WORDS_IN_MATH.finditer(text, piece.start, piece.end):
            if match := _IN_MATH.search(text, *inside.span(1)):
                yield match.start(), match.group(), _DENIED
        kinds = {kind for start, end, kind in places if piece.start <= start and end <= piece.end}
        if not kinds:
            continue
        kind = "relation" if "relation" in kinds else "hypothesis"
        is_display = text[: piece.start].endswith("$$")
        begin, end = piece.start - 1 - is_display, piece.end + 1 + is_display
        if match := _MULTIPLES.match(words, end):
            yield end + 1, match.group().strip(), _MULTIPLIED
        elif match := _AFTER[kind].match(words, end):
            found = text[end : match.end()].lstrip(' \n(),.;:!"“”—–-')
            yield match.end() - len(found), found, _DENIED
        if kind == "relation" and (match := _OPERATED.search(words, 0, begin)):
            yield match.start(), match.group().strip(), _MULTIPLIED
        if match := _BEFORE[kind].search(words, words.rfind("\0", 0, begin) + 1, begin):
            yield match.start(), match.group().strip(), _DENIED
        elif kind == "relation":
            first = max((item.end() for item in _SENTENCE.finditer(words, 0, begin)), default=0)
            if match := _NOBODY.search(words, first, begin):
                yield match.start(), text[match.start() : begin].strip(), _DENIED


def _words(text: str) -> str:
    """Return a text of the same length without its formulas."""
    for piece in fragments(text):
        wide = text[: piece.start].endswith("$$")
        begin, end = piece.start - 1 - wide, piece.end + 1 + wide
        text = text[:begin] + "\0" * (end - begin) + text[end:]
    return text
