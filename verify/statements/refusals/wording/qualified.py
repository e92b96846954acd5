"""Words beside an assumption that make it weaker than the hypothesis: of all but one, on average, up to sign.

The ways to weaken are without end, so where an adverb, a preposition, a condition or a clause about it leads
to an assumption or follows it, only a short list may stand there, and what was read in a claim
(`words_beside.py`).
"""

import re
from collections.abc import Collection, Iterable, Iterator

from verify.statements.refusals.wording.words import text_without_formulas
from verify.statements.refusals.wording.words_beside import KNOWN

_ASSUMED = ("hypothesis", "assumed")
_SENTENCE = re.compile(r"[.;:](?=[\s$]|\Z)")
_END = re.compile(r"\.(?=[\s$]|\Z)")
_JOINED = re.compile(r"[:;] ?(?:and )?|and ")
"""What joins words to an assumption that could be a statement of their own."""
_IF = re.compile(
    r"\b(?:if|let|where|when(?:ever)?|once|suppos\w+|assum\w+|provided|given|in case|as long as)\b"
    r"(?: that\b)?",
    re.IGNORECASE,
)
_WIDE = re.compile(
    r"\b(?:whether|not (?:only|just|merely)|"
    r"(?:even|already|also|at least|like)(?= (?:at|for|if|when|where|with)\b)|"
    r"as if|beyond|such as|including|most \w+ (?:at|for|if|when|where|with)|"
    r"(?:for (?:example|instance)|in particular|particularly|especially|notably)"
    r"(?!,? (?:at|for|if|when|where|with)\b))\b",
    re.IGNORECASE,
)
"""Words with which more is said than what holds under the assumption."""
_PLAIN_IF = frozenset({"", "all", "also", "now"})
"""What may stand between "if" and an assumption in any claim."""
_WEAK = re.compile(
    r"(?:about|above|across|after|against|along|amid|among|around|as|at|before|behind|below|beneath|besides?|"
    r"between|beyond|but|by|despite|down|during|except(?:ing)?|for|from|in|inside|into|like|near|of|off|on|onto|"
    r"out|outside|over|past|per|save|since|through|throughout|till|to|towards?|under|underneath|unless|until|"
    r"unto|up|upon|via|while|with|within|without|if|once|twice|only|alone|always|never|ever|often|seldom|"
    r"sometimes|almost|perhaps|maybe|\w+where|now|somehow|else|even|just|still|yet|soon|or|nor|most|mostly|"
    r"\w+ly|\w+wise|when\w*|there|say|namely|and (?:so|that|this)|which|who|whose|that|provided|given|"
    r"one|some|any|few|several|many|not|(?!nothing|everything|string)\w+ing)\b",
    re.IGNORECASE,
)
"""What begins words that belong to the assumption before them."""
_EXCEPTS = re.compile(r"\b(?:except\w*|exclud\w*|barring|ignor\w+|neglect\w*|outliers?)\b", re.IGNORECASE)
"""What takes something from an assumption wherever it stands behind it."""
_NOUN = r"(?:block|client|coordinate|entry|index|node|worker)s?"
_HARMLESS = re.compile(
    rf"for (?:all|any|different|each|every)(?: {_NOUN})?,?(?: and| then| with| has)?|"
    r"with(?: an integer| integers)?|where|if|at|for|with|after|of|against|by more than|always|else|otherwise"
)
_PART = re.compile(
    r"\b(?:one(?!-)|some|(?<!at )most|many|few|several|half(?!-)|averages?|mean|sum|limit|"
    r"expectation|typical\w*|random|drawn|an? (?:index|entry|coordinate|node|client|worker|place|block))\b"
)
"""Words that take a part of what is assumed, or something else made of it."""
_LEAD = re.compile(
    r"\b(?:for|with|at|because|since|as|under|in|any|consider\w*|take|have|having|given)\b(?: [\w-]+){0,5}\Z"
)
_GOES_ON = re.compile(r"[,.;:]|(?:and(?! (?:so|that|this)\b)|then)\b")
_BEHIND_INDEX = re.compile(r"(?:[,.;:)]|and\b|then\b|with\b|where\Z|of unit norm,|by\b|coefficients and|\Z)")
_OF_INDEX = re.compile(r"for(?: (?:all|any|each|every))?")
_SAY = "say exactly what is assumed, in formulas, or make the sentence a pin with its evidence"


def qualified(
    text: str, read: Iterable[tuple[int, int, str]], scalars: Collection[str], claim: str
) -> Iterator[tuple[int, str, str]]:
    """Yield place, words and message of assumptions that words beside them could make weaker.

    Args:
        text: A part that names a proof.
        read: Of the clauses that are read: begin, end, and of what kind they are.
        scalars: Letters that are no indices.
        claim: Id of the claim, of which words may have been read.
    """
    said, known = list(read), KNOWN.get(claim, ())
    words = text_without_formulas(text)
    for place, (start, end, kind) in enumerate(said):
        if kind not in _ASSUMED:
            continue
        before = _SENTENCE.split(words[words.rfind("\0", 0, start) + 1 : start])[-1]
        if told := _leading(before, is_alone="_" not in text[start:end], known=known):
            yield start, text[start:end], f"‘{told}’ leads to what is assumed: {_SAY}"
        behind = _until_formula(words, end)
        own = behind.removeprefix(",").lstrip()
        is_condition = _IF.search(before) and own and not _GOES_ON.match(behind)
        if own not in known and (_weakens(own) or (is_condition and not _HARMLESS.fullmatch(own))):
            yield start, text[start:end], f"‘{own}’ follows what is assumed: {_SAY}"
        joined = _JOINED.match(further := _until_formula(words, end, _END).removeprefix(",").lstrip())
        if joined and further not in known and _weakens(further[joined.end() :]):
            yield start, text[start:end], f"‘{further}’ goes on about what is assumed: {_SAY}"
        after, until, _ = said[place + 1] if place + 1 < len(said) else (end, end, "")
        letter = text[after:until].strip("$ ")
        if own.startswith("for") and len(letter) == 1 and letter.islower() and letter not in scalars:
            rest = _plain(words[until : words.find("\0", until) % (len(words) + 1)])
            told = rest if _OF_INDEX.fullmatch(own) else own
            if told is own or not _BEHIND_INDEX.match(rest):
                yield start, text[start:end], f"‘{told}’ stands at the index of what is assumed: {_SAY}"


def _leading(before: str, is_alone: bool, known: Collection[str]) -> str:
    """Return the words that lead to an assumption otherwise than those of claims, empty where none do.

    Args:
        before: The words before it.
        is_alone: Whether it is of names alone, so that "for one" means one of their values.
        known: Words that were read in the claim.
    """
    if wide := _WIDE.search(before):
        return wide.group()
    if lead := _IF.search(before):
        between = _plain(before[lead.end() :]).strip(", ")
        return "" if between in _PLAIN_IF or between in known else between
    lead = _LEAD.search(_plain(before).rpartition(",")[2])
    if lead is None or not _PART.search(lead.group()) or lead.group() in known:
        return ""
    return "" if is_alone and lead.group() == "for one" else lead.group()


def _weakens(words: str) -> bool:
    """Tell whether words behind an assumption could make it weaker."""
    return not _HARMLESS.fullmatch(words) and bool(_WEAK.match(words) or _EXCEPTS.search(words))


def _until_formula(words: str, start: int, ends: re.Pattern[str] = _SENTENCE) -> str:
    """Return the words of a sentence from a place to the next formula."""
    found = words.find("\0", start)
    return _plain(ends.split(words[start : found if found >= 0 else len(words)])[0])


def _plain(words: str) -> str:
    return " ".join(re.sub(r"\$|\\q?quad\b|\\[,;:! ]|~", " ", words).split()).lower()
