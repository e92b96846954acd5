"""Whether streams of bits hold the words of their codes, letter by letter, and are read back as they were."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise, product
from typing import Any

import numpy as np

from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.dense_code import DenseCode
from impl.coding.elias import EliasCode
from impl.coding.fixed_width import FixedWidth
from impl.coding.sparse_code import SparseCode
from impl.coding.symbol_words import from_words, to_words
from verify.authoring import Comparisons, eq
from verify.comparison import ROUND_OFF

Coded = Callable[[Any], Any]
_LARGE = 2**15
"""Numbers below have their words in tables."""
NUMBERS = (
    *range(1, 200),
    *(2**e + off for e in (8, 10, 14, 15, 16, 31, 52, 53, 60, 61) for off in (-1, 0, 1)),
    2**62,
)
OTHER_BITS: tuple[Any, ...] = (
    "other-bits at exact/words: The last bit of each stream is another, each number is larger by one.",
    {"text": lambda found: f"{found[:-1]}{1 - int(found[-1])}" if isinstance(found, str) else found + 1},
)
"""A mutant of a check `words` whose law has `text`."""


def coded(found: Any) -> Any:
    """Return a stream, as text of 0 and 1, or what was read of it."""
    return found


@cache
def literal_word(name: str, k: int) -> str:
    """Return the Elias code word of k: its length in unary or recursively, and its digits."""
    digits = f"{k:b}"
    if name == "gamma":
        return (len(digits) - 1) * "0" + digits
    word, group = "0", digits
    while len(group) > 1:
        word, group = group + word, f"{len(group) - 1:b}"
    return word


def code_words(judged: Coded, names: Sequence[str], seed: int) -> Comparisons:
    """Compare streams of words, levels and fields with their text.

    Args:
        judged: `coded` or a mutant.
        names: Codes of numbers.
        seed: Of fields of many widths.
    """
    rng = np.random.Generator(np.random.Philox(seed))
    for name in names:
        code: Any = EliasCode(name)  # type: ignore[arg-type]  # one of two names
        yield from _numbers(judged, code)
        for label, levels in _vectors().items():
            for kind in (DenseCode(code), SparseCode(code)):
                yield from _levels(judged, kind, levels, {"code": repr(kind), "levels": label})
        yield from _expected(judged, code)
    yield from _fields(judged, rng)
    yield from _packed_symbols(judged, rng)
    yield from _zeros(judged)
    for count in (1, 2, 3, 7, 2**15, 2**62):
        fixed, at = FixedWidth(count), {"count": count}
        symbols = sorted({0, count // 2, count - 1})
        text = "".join(f"{item:0{fixed.width}b}" if count > 1 else "" for item in symbols)
        writer = BitWriter()
        writer.append(*fixed.fields(symbols))
        read = partial(_read_many, fixed, len(symbols))
        yield from _stream(judged, writer, text, read, symbols, at)
        if count < 1 << fixed.width:
            beyond, given = BitWriter(), np.array([0, count])
            beyond.append(given, fixed.width)
            found = int(_taken(partial(_read_many, fixed, 2), beyond.to_bytes(), beyond.bits))
            yield eq("numbers beyond the last one", judged(found), 0, witness=at)
        one = [fixed.read(reader) for reader in [BitReader(writer.to_bytes(), writer.bits)] for _ in symbols]
        yield eq("numbers read one by one", int((judged(np.array(one)) != symbols).sum()), 0, witness=at)


def short_levels(judged: Coded, names: Sequence[str], seed: int) -> Comparisons:
    """Compare words of short vectors of levels, and of symbols, with their text.

    Args:
        judged: `coded` or a mutant.
        names: Codes of numbers.
        seed: Of symbols.
    """
    for name in names:
        code: Any = EliasCode(name)  # type: ignore[arg-type]  # one of two names
        for label, levels in _vectors().items():
            for kind in (DenseCode(code), SparseCode(code)) if len(levels) < 100 else ():
                yield from _levels(judged, kind, levels, {"code": repr(kind), "levels": label})
    yield from _packed_symbols(judged, np.random.Generator(np.random.Philox(seed)))


def _numbers(judged: Coded, code: Any) -> Comparisons:
    at = {"code": code.name}
    words = [literal_word(code.name, k) for k in NUMBERS]
    lengths = [len(word) for word in words]
    for found in (code.lengths(NUMBERS), [code.length(k) for k in NUMBERS]):
        yield eq("lengths that differ", int((judged(np.array(found)) != lengths).sum()), 0, witness=at)
    short = [k for k in NUMBERS if k < _LARGE]
    few = code.lengths(short)
    yield eq("lengths that differ", int((judged(few) != lengths[: len(short)]).sum()), 0, witness=at)
    largest = [2**62 + 1, 2**63 - 1]  # their floats are powers of two
    found = code.lengths(np.array(largest))
    stated = [len(literal_word(code.name, k)) for k in largest]
    yield eq(
        "lengths that differ", int((judged(found) != stated).sum()), 0, witness={**at, "numbers": "largest"}
    )
    wrong = sum(judged(code.word(k)) != word for k, word in zip(NUMBERS, words, strict=True))
    yield eq("words that differ", wrong, 0, witness=at)
    for numbers, fields in (
        (list(NUMBERS), code.fields(NUMBERS)),
        (short, code.short_words(np.array(short))),
    ):
        writer, text = BitWriter(), "".join(literal_word(code.name, k) for k in numbers)
        writer.append(*fields)
        yield from _stream(judged, writer, text, partial(_read_many, code, len(numbers)), numbers, at)
        reader = BitReader(writer.to_bytes(), writer.bits)
        one = np.array([code.read(reader) for _ in numbers])
        yield eq("numbers read one by one", int((judged(one) != numbers).sum()), 0, witness=at)


def _read_many(code: Any, count: int, reader: BitReader) -> Any:
    return code.read_many(reader, count)


def _vectors() -> Mapping[str, Any]:
    long = np.arange(30_000) * 37 % 121 - 60  # more bits than are decoded at a time
    return {
        "none": np.array([], dtype=np.int64),
        "one": np.array([1]),
        "zero": np.array([0, 0, 0]),
        "small": np.array([0, 3, -1, 0, 0, 0, 7, -12, 0, 1]),
        "large": np.array([0, _LARGE, 1 - _LARGE, 0, -(2**40), 1]),
        "far": np.concatenate([np.zeros(_LARGE + 3, dtype=np.int64), [-1, 0, 2]]),
        "long": long,
    }


def _text(kind: Any, levels: Any) -> str:
    """Return the code of levels, coordinate by coordinate."""
    name, given = kind.elias.name, levels.tolist()
    if isinstance(kind, DenseCode):
        return "".join(literal_word(name, abs(k) + 1) + ("" if not k else str(int(k < 0))) for k in given)
    places = [j for j, k in enumerate(given, 1) if k]
    ends = [0, *places, len(given) + 1]
    gaps = [literal_word(name, b - a) for a, b in pairwise(ends)]
    content = [str(int(given[j - 1] < 0)) + literal_word(name, abs(given[j - 1])) for j in places]
    return "".join(gap + own for gap, own in zip(gaps, [*content, ""], strict=True))


def _levels(judged: Coded, kind: Any, levels: Any, at: Any) -> Comparisons:
    text, writer = _text(kind, levels), BitWriter()
    kind.write(writer, levels)
    yield from _stream(judged, writer, text, lambda reader: kind.read(reader, len(levels)), levels, at)
    batch = np.stack([levels, 0 * levels, levels[::-1]])[: 3 if len(levels) < 100 else 1, None]
    stated = [[len(_text(kind, row)) for row in rows] for rows in batch]
    yield eq("lengths that differ", int((judged(kind.bits(batch)) != stated).sum()), 0, witness=at)
    if isinstance(kind, SparseCode) and len(levels) < 100:
        for width in (0, 7, 32, 64):
            present, full = levels != 0, BitWriter()
            words = (np.arange(present.sum(), dtype=np.uint64) * np.uint64(11)) % np.uint64(
                1 << min(width, 6)
            )
            kind.write_entries(full, present, words, width)
            reader = BitReader(full.to_bytes(), full.bits)
            places, found = kind.read_entries(reader, len(levels), width)
            wrong = int((judged(np.array(places)) != np.flatnonzero(present)).sum()) + int(
                (np.array(found, dtype=np.uint64) != words).sum()
            )
            yield eq("entries that differ", wrong, 0, witness={**at, "width": width})
            lengths = int(kind.gap_bits(present)) + width * len(words)
            yield eq("bits of entries", judged(full.bits), lengths, witness={**at, "width": width})


def _expected(judged: Coded, code: Any) -> Comparisons:
    """Compare expected lengths with the sum over all levels that rounding can give."""
    F = Fraction
    floor, p = (0, 2, 1, 0, 6), (F(1, 3), F(0), F(3, 4), F(1, 2), F(2, 5))
    for kind in (DenseCode(code), SparseCode(code)):
        at = {"code": repr(kind)}
        mean = F(0)
        for up in product((0, 1), repeat=len(p)):
            chance = F(1)
            for bit, share in zip(up, p, strict=True):
                chance *= share if bit else 1 - share
            mean += chance * len(_text(kind, np.array(floor) + up))
        yield eq("expected length", judged(kind.exact_bits(floor, p)), mean, witness=at)
        found = kind.expected_bits(np.array([floor]), np.array([p], dtype=float))
        yield eq("expected length in floats", judged(float(found[0])), float(mean), ROUND_OFF, witness=at)


def _fields(judged: Coded, rng: Any) -> Comparisons:
    """Compare fields of all widths with their digits, also behind a bit that shifts them."""
    widths = rng.integers(0, 65, size=500)
    values = [
        int(v) >> (64 - w) if w else 0
        for v, w in zip(rng.integers(0, 2**64, 500, np.uint64), widths.tolist(), strict=True)
    ]
    writer = BitWriter()
    writer.append(np.array(values, dtype=np.uint64), widths)
    text = "".join(f"{v:0{w}b}" if w else "" for v, w in zip(values, widths.tolist(), strict=True))

    def one_by_one(reader: BitReader) -> Any:
        return np.array([reader.read(w) for w in widths.tolist()], dtype=np.uint64)

    yield from _stream(judged, writer, text, one_by_one, values, {"widths": "0 to 64"})
    for width in (1, 2, 7, 8, 16, 33, 64):
        for count in (1, 65, 2**16 + 3 if width == 7 else 130):
            for lead in ("", "10101"):
                given = rng.integers(0, 2**width, count, np.uint64, endpoint=False) if width < 64 else None
                given = rng.integers(0, 2**64, count, np.uint64) if given is None else given
                writer = BitWriter()
                writer.append([int(bit) for bit in lead], 1)
                writer.append(given, width)
                text = lead + "".join(f"{v:0{width}b}" for v in given.tolist())

                def many(reader: BitReader, lead: str = lead, count: int = count, width: int = width) -> Any:
                    reader.read(len(lead))
                    return reader.read_many(count, width)

                at = {"width": width, "count": count, "before": lead}
                yield from _stream(judged, writer, text, many, given, at)


def _zeros(judged: Coded) -> Comparisons:
    """Compare the zeros before a one bit, and where they end, with the text; refuse zeros without an end."""
    for lead in range(9):
        for zeros in (0, 1, 7, 8, 9, 63, 64, 65, 71, 72, 73, 200):
            text, at = "1" * lead + "0" * zeros + "1000", {"before": lead, "zeros": zeros}
            data = int(f"{text:0<{-(-len(text) // 8) * 8}}", 2).to_bytes(-(-len(text) // 8), "big")
            reader = BitReader(data, len(text))
            reader.read(lead)
            yield eq("numbers of zeros before a one", judged(reader.count_zeros()), zeros, witness=at)
            yield eq("bits of what stands before a one", judged(reader.at), lead + zeros, witness=at)
            for bits in {lead + zeros, min(lead + zeros, 8 * ((lead + zeros) // 8))} - set(range(lead)):

                def endless(reader: BitReader, lead: int = lead) -> int:
                    reader.read(lead)
                    return reader.count_zeros()

                taken = int(_taken(endless, data, bits))
                yield eq("streams that end early and are taken", judged(taken), 0, witness=at)


def _packed_symbols(judged: Coded, rng: Any) -> Comparisons:
    """Compare words of 64 bits with the numbers whose digits the symbols are, least place first."""
    for alphabet in (2, 3, 5, 255, 256, 257, 2**32):
        held = next(n for n in range(64, 0, -1) if alphabet**n <= 2**64)
        for d in (1, held - 1, held, held + 1, 3 * held + 2):
            at, offset = {"alphabet": alphabet, "d": d}, alphabet // 2
            digits = rng.integers(0, alphabet, d).tolist()
            parts = [digits[first : first + held] for first in range(0, d, held)]
            numbers = [sum(digit * alphabet**j for j, digit in enumerate(part)) for part in parts]
            words = to_words(np.array(digits, dtype=np.int64) - offset, alphabet, offset)
            back = judged(from_words(words, d, alphabet, offset)) + offset
            wrong = sum(a != b for a, b in zip(words.tolist(), numbers, strict=True))
            yield eq("numbers that are read differently", wrong + int((back != digits).sum()), 0, witness=at)
        for beyond in (-1, alphabet):
            try:
                taken = len(to_words(np.array([0, beyond]) - alphabet // 2, alphabet, alphabet // 2))
            except ValueError:
                taken = 0
            at = {"alphabet": alphabet, "symbol": beyond}
            yield eq("streams that end early and are taken", judged(taken), 0, witness=at)


def _stream(
    judged: Coded,
    writer: BitWriter,
    text: str,
    read: Callable[[BitReader], Any],
    given: Iterable[Any],
    at: Any,
) -> Comparisons:
    """Compare a stream with its text, what is read with what was written, and refuse what is cut off."""
    data, bits = writer.to_bytes(), writer.bits
    found = "".join(f"{byte:08b}" for byte in data)
    filled = text + "0" * (-len(text) % 8)
    yield eq("streams that differ", int(judged(found or "0") != (filled or "0")), 0, witness=at)
    yield eq("bits of the stream", judged(bits), len(text), witness=at)
    reader = BitReader(data, bits)
    back = np.asarray(read(reader))
    wrong = int((judged(back) != np.asarray(given, dtype=back.dtype)).sum())
    yield eq("numbers that are read differently", wrong, 0, witness=at)
    yield eq("bits that are left", judged(bits - reader.at), 0, witness=at)
    if bits:
        yield eq(
            "streams that end early and are taken", judged(int(_taken(read, data, bits - 1))), 0, witness=at
        )


def _taken(read: Callable[[BitReader], Any], data: bytes, bits: int) -> bool:
    try:
        read(BitReader(data, bits))
    except (IndexError, ValueError):
        return False
    return True
