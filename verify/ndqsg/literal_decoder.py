"""Adaptive arithmetic decoding after Witten, Neal and Cleary (1987), literal: lists of counts, bit by bit."""

from collections.abc import Iterator

_BITS = 32


def decoded(data: bytes, count: int, alphabet: int, *, late: bool = False) -> list[int]:
    """Return `count` digits of a code with add-one counts that are updated behind each digit.

    Args:
        data: The code, followed by zeros.
        count: Number of digits.
        alphabet: Size of the alphabet.
        late: Whether each count is updated one digit too late, as a faulty receiver might.
    """
    counts = [1] * alphabet
    bits = _bits(data)
    low, high, value = 0, 2**_BITS - 1, 0
    for _ in range(_BITS):
        value = 2 * value + next(bits)
    digits: list[int] = []
    waiting: list[int] = []
    for _ in range(count):
        width, total = high - low + 1, sum(counts)
        target = ((value - low + 1) * total - 1) // width
        digit, below = 0, 0
        while digit < alphabet - 1 and below + counts[digit] <= target:
            below += counts[digit]
            digit += 1
        digits.append(digit)
        high = low + width * (below + counts[digit]) // total - 1
        low = low + width * below // total
        waiting.append(digit)
        if len(waiting) > late:
            counts[waiting.pop(0)] += 1
        while low < high and (high < 2**31 or low >= 2**31 or (low >= 2**30 and high < 3 * 2**30)):
            offset = 0 if high < 2**31 else 2**31 if low >= 2**31 else 2**30
            low, high = 2 * (low - offset), 2 * (high - offset) + 1
            value = 2 * (value - offset) + next(bits)
    return digits


def _bits(data: bytes) -> Iterator[int]:
    for byte in data:
        for place in range(7, -1, -1):
            yield byte >> place & 1
    while True:
        yield 0
