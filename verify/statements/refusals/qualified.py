"""Words beside an assumption that make it weaker than the hypothesis: of all but one, on average, up to sign.

The ways to weaken are without end, so these words are a list of what may stand there: nothing, or what is
known to leave the assumption as it is. All else is refused where an adverb, a preposition or a condition
leads to the assumption or follows it.
"""

import re
from collections.abc import Collection, Iterable, Iterator

from verify.statements.refusals.words import text_without_formulas

_ASSUMED = ("hypothesis", "assumed")
_SENTENCE = re.compile(r"[.;:](?=[\s$]|\Z)")
_IF = re.compile(
    r"\b(?:if|let|where|when(?:ever)?|once|suppos\w+|assum\w+|provided|given|in case|as long as)\b"
    r"(?: that\b)?",
    re.IGNORECASE,
)
_WIDE = re.compile(
    r"\b(?:whether|not (?:only|just|merely)|even(?= (?:at|for|if|when|where|with)\b))\b", re.IGNORECASE
)
"""Words with which more is said than what holds under the assumption."""
_BEHIND_IF = frozenset(
    {
        *("", "all", "also", "at", "now", "only", "one of"),
        "as (f) gives for symmetric mean hessians (not derived here)",
        "a seed has come again",
        "all levels are halfway",
        "all levels are in the middle of a cell",
        "in a direction the data have the curvature",
        "longest messages are equally long, a method with",
        "no block has two nonzero coordinates",
        "no message of cat-s is less efficient than whole gradients",
        "no share is below",
        "one coordinate of one node counts and",
        "the noise is large",
        "the sample is unbiased with",
        "the second moment no longer changes and",
        "they cost the same",
    }
)
"""What stands between "if" and an assumption in claims; none of it is said of the assumption."""
_WEAK = re.compile(
    r"(?:about|above|across|after|against|along|amid|among|around|as|at|before|behind|below|beneath|besides?|"
    r"between|beyond|but|by|despite|down|during|except(?:ing)?|for|from|in|inside|into|like|near|of|off|on|onto|"
    r"out|outside|over|past|per|save|since|through|throughout|till|to|towards?|under|underneath|unless|until|"
    r"unto|up|upon|via|while|with|within|without|if|once|twice|only|alone|always|never|ever|often|seldom|"
    r"sometimes|almost|perhaps|maybe|\w+where|now|somehow|else|even|just|still|yet|soon|or|nor|most|mostly|"
    r"\w+ly|\w+wise|when\w*|there|say|namely|and (?:so|that|this))\b",
    re.IGNORECASE,
)
"""What begins words that belong to the assumption before them."""
_NOUN = r"(?:block|client|coordinate|entry|index|node|worker)s?"
_HARMLESS = re.compile(
    rf"for (?:all|any|different|each|every)(?: {_NOUN})?,?(?: (?:and|then)\b.*| with| has)?|"
    r"with(?: an integer| integers)?|where|if|at|for|with|after|of|against|by more than|always|else|otherwise"
)
_BEHIND = frozenset(
    {
        "(polyak-łojasiewicz) and",
        "and this",
        "are the entries of",
        "as for uniform",
        "as if there were no hessian variance, it is",
        "as many positive as negative ones, so that",
        "as where no share is below",
        "at an input with",
        "at least",
        "at the best probability",
        "at the largest step size",
        "between the integers",
        "but at the first one",
        "but for the first,",
        "by a symbol seen",
        "by costs of the mean",
        "by the factor",
        "for a uniform",
        "for all blocks but",
        "for all clients, whose levels are halfway,",
        "for all others, has",
        "for all others, with",
        "for an iteration, makes a gain for the payload larger by",
        "for different clients, so one nonzero client at most,",
        "for every order of the symbols,",
        "for one",
        "for some",
        "for the differences of gradients at points of the squared distance",
        "for the distance in cells",
        "for the first",
        "for the others are of unit norm,",
        "for the others,",
        "for the root mean square",
        "from any",
        "hold",
        "in (c) to (g), too",
        "in (e) and (f), too",
        "in (g), the length of the range coder is at most",
        "in all rounds and",
        "in each round, as where",
        "in each takes over a free downlink, in this model, at least the time of the one with",
        "in every coordinate",
        "in place of",
        "in two dimensions,",
        "is as in (c),",
        "is known, (a) holds with",
        "makes its norm a unit,",
        "numbers,",
        "of 4 and",
        "of 8 has",
        "of all rows and",
        "of any dependence, with finitely many outcomes",
        "of nonzeros,",
        "of the coset and near to",
        "of the factors before, where",
        "of the squared norm in the messages the guarantee",
        "of this budget gain nothing over it",
        "of this budget has",
        "rounds that computes",
        "the guarantee of sgd costs more at every step",
        "the rule takes a size of the share",
        "there are",
        "there is no level,",
        "there is no noise",
        "there is one,",
        "unless it starts at the solution",
        "until the first",
        "with an exact first estimate, is",
        "with equality, and",
        "with sums over all clients,",
        "with the probabilities",
    }
)
"""What follows an assumption in claims and begins like words that belong to it; it leaves it as it is."""
_PART = re.compile(
    r"\b(?:one(?!-)|some|(?<!at )most|many|few|several|half(?!-)|averages?|mean|sum|limit|"
    r"expectation|typical\w*|random|drawn|an? (?:index|entry|coordinate|node|client|worker|place|block))\b"
)
"""Words that take a part of what is assumed, or something else made of it."""
_LEADING = frozenset({"for several blocks with expected numbers", "in the limit at the origin"})
_LEAD = re.compile(r"\b(?:for|with|at|because|since|as|under|in|any)\b(?: [\w-]+){0,5}\Z")
_GOES_ON = re.compile(r"[,.;:]|(?:and(?! (?:so|that|this)\b)|then)\b")
_BEHIND_INDEX = re.compile(r"(?:[,.;:)]|and\b|then\b|with\b|where\Z|of unit norm,|by\b|coefficients and|\Z)")
_OF_INDEX = re.compile(r"for(?: (?:all|any|each|every))?")
_SAY = "say exactly what is assumed, in formulas, or make the sentence a pin with its evidence"


def qualified(
    text: str, read: Iterable[tuple[int, int, str]], scalars: Collection[str]
) -> Iterator[tuple[int, str, str]]:
    """Yield place, words and message of assumptions that words beside them could make weaker.

    Args:
        text: A part that names a proof.
        read: Of the clauses that are read: begin, end, and of what kind they are.
        scalars: Letters that are no indices.
    """
    said = list(read)
    words = text_without_formulas(text)
    for place, (start, end, kind) in enumerate(said):
        if kind not in _ASSUMED:
            continue
        before = _SENTENCE.split(words[words.rfind("\0", 0, start) + 1 : start])[-1]
        if told := _leading(before, is_alone="_" not in text[start:end]):
            yield start, text[start:end], f"‘{told}’ leads to what is assumed: {_SAY}"
        behind = _until_formula(words, end)
        own = behind.removeprefix(",").lstrip()
        known = own in _BEHIND or _HARMLESS.fullmatch(own)
        is_condition = _IF.search(before) and own and not _GOES_ON.match(behind)
        if not known and (is_condition or _WEAK.match(own)):
            yield start, text[start:end], f"‘{own}’ follows what is assumed: {_SAY}"
        after, until, _ = said[place + 1] if place + 1 < len(said) else (end, end, "")
        letter = text[after:until].strip("$ ")
        if own.startswith("for") and len(letter) == 1 and letter.islower() and letter not in scalars:
            rest = _plain(words[until : words.find("\0", until) % (len(words) + 1)])
            told = rest if _OF_INDEX.fullmatch(own) else own
            if told is own or not _BEHIND_INDEX.match(rest):
                yield start, text[start:end], f"‘{told}’ stands at the index of what is assumed: {_SAY}"


def _leading(before: str, is_alone: bool) -> str:
    """Return the words that lead to an assumption otherwise than those of claims, empty where none do.

    Args:
        before: The words before it.
        is_alone: Whether it is of names alone, so that "for one" means one of their values.
    """
    if wide := _WIDE.search(before):
        return wide.group()
    if lead := _IF.search(before):
        between = _plain(before[lead.end() :]).strip(", ")
        return "" if between in _BEHIND_IF else between
    lead = _LEAD.search(_plain(before).rpartition(",")[2])
    if lead is None or not _PART.search(lead.group()) or lead.group() in _LEADING:
        return ""
    return "" if is_alone and lead.group() == "for one" else lead.group()


def _until_formula(words: str, start: int) -> str:
    """Return the words of a sentence from a place to the next formula."""
    found = words.find("\0", start)
    return _plain(_SENTENCE.split(words[start : found if found >= 0 else len(words)])[0])


def _plain(words: str) -> str:
    return " ".join(re.sub(r"\$|\\q?quad\b|\\[,;:! ]|~", " ", words).split()).lower()
