"""Streams of bits, most significant bit first."""

import reprlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from impl.coding.checked_digits import require_code, require_whole, whole_array
from impl.errors import ArgumentError

Array = npt.NDArray[Any]

_CHUNK = 2**16  # fields that are packed at a time: their temporaries stay small
_SHORT = 2**10  # fields of a part up to which it is packed together with its neighbours
_FEW = 2**7  # fields up to which one long integer is faster than arrays
_WORD = np.uint64(64)
_PER_BIT, _AT_LEAST = 64, 2**16  # numbers for each bit of a payload, and for any payload


class BitWriter:
    """Collect fields of 0 to 64 bits and pack them."""

    def __init__(self) -> None:
        self._parts: list[tuple[Array, int | Array]] = []  # values uint64, and one width or one each (uint8)
        self.bits = 0

    def append(self, values: Any, widths: Any) -> None:
        """Append values[i] as an unsigned field of widths[i] bits, in C order; widths are broadcast.

        Args:
            values: Nonnegative integers below 2**widths.
            widths: Numbers of bits, 0 to 64; a field of width 0 leaves no trace.

        Raises:
            ArgumentError: A value that is no whole number or does not fit its width, or a width out of range.
        """
        given = _whole_numbers(values, "values")
        if np.ndim(widths) == 0:
            width = widths.item() if isinstance(widths, np.ndarray) else widths
            require_whole(width, "widths", 0, 64, "BitWriter.append", "give the bits of a field")
            width = int(width)
            if not _fit(given, width):
                raise _misfit(given, width)
            self.bits += width * given.size
            if width == 1 and given.size > 64:
                self._append_flags(given.ravel())
            elif width:
                self._parts.append((given.astype(np.uint64).ravel(), width))
            return
        each = _each_width(widths, given.shape)
        fields = given.astype(np.uint64).ravel()  # negative ones are large now
        beyond = fields >> each
        if given.dtype.kind == "i" and not _fit(given, 64):
            raise _misfit(given, each)
        if beyond.any():
            if beyond[each > 0].any():
                raise _misfit(given, each)
            fields[each == 0] = 0
        self._parts.append((fields, each))
        self.bits += int(each.sum(dtype=np.int64))

    def _append_flags(self, flags: Array) -> None:
        """Append many fields of one bit as words of 64 bits and a rest."""
        whole = len(flags) // 64 * 64
        words = np.packbits(flags[:whole].astype(bool)).view(">u8").astype(np.uint64)
        self._parts.append((words, 64))
        if whole < len(flags):
            self._parts.append((flags[whole:].astype(np.uint64), 1))

    def to_bytes(self) -> bytes:
        """Return all bits, filled up with zeros to whole bytes."""
        if sum(len(values) for values, _ in self._parts) <= _FEW:
            return _few_to_bytes(self._parts, self.bits)
        words = np.zeros(self.bits // 64 + 2, dtype=np.uint64)
        at = 0
        for values, widths in _joined(self._parts):
            for start in range(0, len(values), _CHUNK):
                chunk = values[start : start + _CHUNK]
                each = widths if isinstance(widths, int) else widths[start : start + _CHUNK]
                at = _pack(words, at, chunk, each)
        return words.astype(">u8").tobytes()[: (self.bits + 7) // 8]


def _few_to_bytes(parts: Sequence[tuple[Array, int | Array]], bits: int) -> bytes:
    """Return the bytes of few fields."""
    packed = 0
    for values, widths in parts:
        each = [widths] * len(values) if isinstance(widths, int) else widths.tolist()
        for value, width in zip(values.tolist(), each, strict=True):
            packed = packed << width | value
    return (packed << -bits % 8).to_bytes((bits + 7) // 8, "big")


def _joined(parts: Sequence[tuple[Array, int | Array]]) -> Iterator[tuple[Array, int | Array]]:
    """Give the parts, short neighbours as one: to pack a part takes as long as to pack many fields."""
    short: list[tuple[Array, int | Array]] = []
    count = 0
    for part in parts:
        fields = len(part[0])
        if short and (fields > _SHORT or count + fields > _CHUNK):
            yield _as_one(short)
            short, count = [], 0
        if fields > _SHORT:
            yield part
        else:
            short.append(part)
            count += fields
    if short:
        yield _as_one(short)


def _as_one(parts: Sequence[tuple[Array, int | Array]]) -> tuple[Array, int | Array]:
    if len(parts) == 1:
        return parts[0]
    each = [
        np.full(len(values), widths, np.uint8) if isinstance(widths, int) else widths
        for values, widths in parts
    ]
    return np.concatenate([values for values, _ in parts]), np.concatenate(each)


def _whole_numbers(given: Any, name: str) -> Array:
    """Return whole numbers or truth values as an array."""
    array = whole_array(given, "iub")
    if array is None:
        raise ArgumentError(
            f"BitWriter.append: {name}={reprlib.repr(given)} must be whole numbers of at least 0 and at most "
            "64 bits; round or split them before"
        )
    return array


def _each_width(given: Any, shape: tuple[int, ...]) -> Array:
    """Return one width for each value, uint8, flat."""
    widths = _whole_numbers(given, "widths")
    if widths.size and not (widths.min() >= 0 and widths.max() <= 64):
        bad = widths[(widths < 0) | (widths > 64)][0]
        raise ArgumentError(f"BitWriter.append: widths hold {bad}, must be from 0 to 64; split longer")
    if widths.shape == shape:  # usual, and twice as fast
        return widths.astype(np.uint8).ravel()
    try:
        return np.broadcast_to(widths, shape).astype(np.uint8).ravel()
    except ValueError:
        raise ArgumentError(
            f"BitWriter.append: widths has shape {widths.shape}, values has shape {shape}; give one, or one "
            "for each value"
        ) from None


def _fit(values: Array, width: int) -> bool:
    """Tell whether all values are fields of one width; of width 0 each that is not negative is."""
    kind, own = values.dtype.kind, 8 * values.dtype.itemsize
    if not values.size or kind == "b" or (kind == "u" and own <= width):
        return True
    return not (kind == "i" and values.min() < 0) and (
        not width or own <= width or int(values.max()) >> width == 0
    )


def _misfit(values: Array, widths: Any) -> ArgumentError:
    """Return the error that names the first value that is no field of its width."""
    each = np.broadcast_to(widths, values.size).tolist()
    pairs = enumerate(zip(values.ravel().tolist(), each, strict=True))
    i, value, width = next((i, v, w) for i, (v, w) in pairs if v < 0 or (w and v >> w))
    index = [int(place) for place in np.unravel_index(i, values.shape)]
    return ArgumentError(
        f"BitWriter.append: values{index or ''} = {value} must be from 0 to {(1 << width) - 1}, the largest "
        f"of {width} bits; give a larger width"
    )


def _pack(words: Array, at: int, values: Array, widths: int | Array) -> int:
    """Put fields into words of 64 bits from bit `at` on; return the bit behind them."""
    if isinstance(widths, int):
        if widths == 64 and at % 64 == 0:
            words[at // 64 : at // 64 + len(values)] = values
            return at + 64 * len(values)
        width: Any = np.uint64(widths)
        ends = at + widths * np.arange(1, len(values) + 1, dtype=np.int64)
        begins = ends - widths
    else:
        ends = at + np.cumsum(widths, dtype=np.int64)
        begins, width = ends - widths, widths.astype(np.uint64)
    place = begins >> 6
    used = (begins & 63).astype(np.uint64) + width  # of the word in which a field begins, and of the next
    over = used > _WORD
    fits = np.where(over, values >> (used - _WORD), values << (_WORD - used))
    if used.min() == 0:  # a shift by the whole word is undefined; there is nothing to shift
        fits[used == 0] = 0
    new = np.flatnonzero(np.diff(place, prepend=place[0] - 1))
    words[place[new]] |= np.bitwise_or.reduceat(fits, new)
    spilt = np.flatnonzero(over)
    words[place[spilt] + 1] |= values[spilt] << (2 * _WORD - used[spilt])
    return int(ends[-1])


class BitReader:
    """Read fields back, `bits` in all; running past the end raises an IndexError.

    Args:
        data: Bytes, as of a BitWriter.
        bits: Number of bits among them that count, the first ones.

    Raises:
        ArgumentError: No bytes, or more bits than they hold; by the methods: a negative width or count.
    """

    def __init__(self, data: bytes, bits: int) -> None:
        require_code(data, "BitReader")
        remedy = "give the bits of the BitWriter, and all of its bytes"
        require_whole(bits, "bits", 0, 8 * memoryview(data).nbytes, "BitReader", remedy)
        self.bits = bits
        self.at = 0
        self.data = bytes(data)

    def read(self, width: int) -> int:
        """Return the next field of this width as an unsigned integer."""
        if type(width) is not int or width < 0:
            require_whole(width, "width", 0, None, "BitReader.read", "give the bits of a field")
            width = int(width)
        end = self._end(width)
        last = (end + 7) // 8
        value = int.from_bytes(self.data[self.at // 8 : last], "big") >> (8 * last - end)
        self.at = end
        return value & ((1 << width) - 1)

    def read_many(self, count: int, width: int) -> Array:
        """Return the next fields of one width, uint64 (count,)."""
        require_whole(count, "count", 0, None, "BitReader.read_many", "give the number of fields")
        require_whole(width, "width", 0, 64, "BitReader.read_many", "read longer fields one by one")
        begin = self.at
        end = self._end(count * width)
        self.at = end
        if not count or not width:
            return np.zeros(count, dtype=np.uint64)
        if count <= _FEW:
            return _few_fields(self.data, begin, count, width)
        held = np.frombuffer(self.data, dtype=np.uint8)[begin // 8 : (end + 7) // 8]
        shift = begin % 8
        if width % 8 == 0:
            whole = held if not shift else _shifted(held, shift)
            fields = np.zeros((count, 8), dtype=np.uint8)
            fields[:, 8 - width // 8 :] = whole[: count * width // 8].reshape(count, width // 8)
            return fields.view(">u8")[:, 0].astype(np.uint64)
        bits = np.unpackbits(held)[shift : shift + count * width]
        if width == 1:
            return bits.astype(np.uint64)
        wide = np.zeros((count, 64), dtype=np.uint8)
        wide[:, 64 - width :] = bits.reshape(count, width)
        return np.packbits(wide, axis=1).view(">u8")[:, 0].astype(np.uint64)

    def require_words(self, count: int) -> None:
        """Raise an IndexError where fewer bits are left than so many code words have: one each at least."""
        if count > self.bits - self.at:
            raise IndexError("the payload ends inside a code word")

    def is_in_proportion(self, numbers: int) -> bool:
        """Tell whether memory for so many numbers may be taken before the payload has told all of them."""
        return numbers <= _PER_BIT * (self.bits - self.at) + _AT_LEAST

    def count_zeros(self) -> int:
        """Return the number of zeros before the next one bit and move to that bit."""
        at = self.at
        while at < self.bits:
            first = at // 8
            held = int.from_bytes(self.data[first : first + 9], "big")
            size = 8 * len(self.data[first : first + 9]) - at % 8
            held &= (1 << size) - 1
            if held:
                one = at + size - held.bit_length()
                if one >= self.bits:
                    break
                zeros, self.at = one - self.at, one
                return zeros
            at += size
        raise IndexError("the payload ends inside a code word")

    def finish(self) -> None:
        """Raise a ValueError unless everything was read and the filling is zero."""
        rest = int.from_bytes(self.data[self.bits // 8 :], "big")
        size = 8 * len(self.data[self.bits // 8 :]) - self.bits % 8
        if self.at != self.bits or rest & ((1 << max(size, 0)) - 1):
            raise ValueError(f"{self.bits - self.at} bits are left over")

    def _end(self, bits: int) -> int:
        end = self.at + bits
        if end > self.bits:
            raise IndexError("the payload ends inside a field")
        return end


def _few_fields(data: bytes, begin: int, count: int, width: int) -> Array:
    """Return fields from bit `begin` on, uint64 (count,)."""
    end = begin + count * width
    last = (end + 7) // 8
    packed = int.from_bytes(data[begin // 8 : last], "big") >> (8 * last - end)
    most = (1 << width) - 1
    fields = [packed >> place & most for place in range((count - 1) * width, -1, -width)]
    return np.array(fields, dtype=np.uint64)


def _shifted(held: Array, shift: int) -> Array:
    """Return bytes without their first bits, fewer than eight."""
    following = np.append(held[1:], np.uint8(0))
    return np.asarray((held << np.uint8(shift)) | (following >> np.uint8(8 - shift)))
