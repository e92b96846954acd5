"""Entropy coders by kernels: the bytes, lengths, digits and errors of the coders themselves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impl
from impl.coding import fused_coders
from impl.coding.adaptive_coder import AdaptiveCoder
from impl.errors import ArgumentError
from impl.protocol import Receiver, Sender

# Around every size of the forms of the sums: one vector, three, sixteen of sixteen, the tree.
ALPHABETS = [1, 2, 3, 7, 14, 15, 16, 17, 31, 47, 48, 49, 63, 120, 254, 255, 256, 257, 1000]


def coders(alphabet, digits):
    """Yield coders of an alphabet; those of the library where it is there."""
    yield AdaptiveCoder(alphabet)
    if alphabet > 1:
        constriction = pytest.importorskip("constriction")
        assert constriction
        from impl.coding.range_coder import RangeCoder

        yield RangeCoder(alphabet)
        yield RangeCoder(alphabet, np.bincount(digits, minlength=alphabet) + 1)
        yield RangeCoder(alphabet, np.random.default_rng(alphabet).dirichlet(np.ones(alphabet)) + 1e-12)


def messages(alphabet):
    """Yield digits of the alphabet: even, uneven, of one kind, in runs."""
    rng = np.random.default_rng(alphabet)
    for count, spread in [(1, 1), (2, 1), (100, 10), (1000, 0.05), (3000, 1)]:
        yield rng.choice(alphabet, size=count, p=rng.dirichlet(np.full(alphabet, spread)))
    yield np.zeros(500, dtype=np.int64)
    yield np.full(500, alphabet - 1)
    yield np.repeat(np.arange(min(alphabet, 40)), 30)


def same(coder, digits):
    data, bits = coder.encode(digits), coder.bits(digits)
    with impl.tier("fused"):
        assert coder.encode(digits) == data
        assert coder.bits(digits) == bits
        assert np.array_equal(coder.decode(data, len(digits)), digits)
        assert coder.decode(data, len(digits)).dtype == np.int64
    return data


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_kernels_write_and_read_what_the_coders_do(alphabet):
    for digits in messages(alphabet):
        for coder in coders(alphabet, digits):
            same(coder, digits)


def test_a_large_alphabet():
    digits = np.random.default_rng(0).integers(0, 2**16, 60)
    for coder in coders(2**16, digits):
        same(coder, digits)
    same(AdaptiveCoder(2**20), np.array([2**20 - 1, 0, 2**19, 2**20 - 1]))


@settings(deadline=None, max_examples=150)
@given(
    st.integers(2, 300).flatmap(
        lambda A: st.tuples(st.just(A), st.lists(st.integers(0, A - 1), min_size=1, max_size=80))
    )
)
def test_every_sequence_is_the_same(case):
    alphabet, digits = case
    for coder in coders(alphabet, np.array(digits)):
        same(coder, digits)


def test_carries_run_through_words_of_ones():
    pytest.importorskip("constriction")
    from impl.coding.range_coder import RangeCoder
    from verify.ndqsg.fixtures.coded_messages import frequent_and_rare, unfavourable_message

    digits, encoder = unfavourable_message(20_000)
    assert same(RangeCoder(2, frequent_and_rare()), digits) == encoder.data()
    for coder in (RangeCoder(7), AdaptiveCoder(7)):
        same(coder, np.full(3000, 6))
    # Symbols about the middle of the interval: bits that are pending for long.
    same(AdaptiveCoder(3), np.array([1, *[0, 2] * 40, *[1] * 60]))


def outcome(call):
    try:
        return call().tolist()
    except ValueError as error:
        return type(error), str(error)


@pytest.mark.parametrize("alphabet", [2, 3, 9, 30, 100, 300])
def test_what_no_coder_writes_is_refused_with_the_same_words(alphabet):
    rng = np.random.default_rng(alphabet)
    digits = rng.choice(alphabet, size=300, p=rng.dirichlet(np.ones(alphabet)))
    told = set()
    for coder in coders(alphabet, digits):
        data, unit = coder.encode(digits), 1 if isinstance(coder, AdaptiveCoder) else 4
        for trial in range(200):
            wrong = bytearray(data if trial % 3 else rng.bytes(len(data)))
            wrong[trial % len(wrong)] ^= int(rng.integers(1, 256))
            if trial % 5 == 0:
                wrong = bytearray(data[: trial % len(data) // unit * unit])
            if trial % 7 == 0:
                wrong += bytes(unit * (trial % 3))
            count = (300, 299, 301, 20, 500)[trial % 5]
            plain = outcome(lambda coder=coder, wrong=wrong, count=count: coder.decode(bytes(wrong), count))
            with impl.tier("fused"):
                assert outcome(lambda c=coder, w=wrong, n=count: c.decode(bytes(w), n)) == plain
            told.add(plain[1] if isinstance(plain, tuple) else "read")
    assert {"the code ends inside of a symbol", "the code does not end as the encoder's does"} <= told
    assert sum("none that the encoder writes" in str(item) for item in told) == 2


@settings(deadline=None, max_examples=300)
@given(st.integers(2, 60), st.binary(max_size=12), st.integers(1, 40))
def test_what_is_read_has_no_other_code(alphabet, data, count):
    for coder in coders(alphabet, np.zeros(1, dtype=np.int64)):
        code = data if isinstance(coder, AdaptiveCoder) else data[: len(data) // 4 * 4]
        plain = outcome(lambda coder=coder, code=code: coder.decode(code, count))
        with impl.tier("fused"):
            assert outcome(lambda c=coder, d=code: c.decode(d, count)) == plain
            if isinstance(plain, list):
                assert coder.encode(plain) == code


def test_the_users_errors_are_the_same():
    for coder in coders(3, np.zeros(1, dtype=np.int64)):
        for call in (
            lambda c=coder: c.encode([0, 3]),
            lambda c=coder: c.bits([1.5]),
            lambda c=coder: c.decode("a", 1),
            lambda c=coder: c.decode(b"", -1),
        ):
            texts = []
            for tier in impl.tiers.TIERS:
                with impl.tier(tier), pytest.raises(ArgumentError) as found:
                    call()
                texts.append(str(found.value))
            assert texts[0] == texts[1]


def test_quotients_by_the_total_are_exact():
    from impl.kernels.coders.adaptive_coder import _fraction, _inverse, _part
    from impl.kernels.compiled import kernel

    @kernel
    def parts(widths, totals, amounts, out):
        for j in range(len(out)):
            up, inverse = _inverse(totals[j])
            out[j] = _part(widths[j], _fraction(amounts[j], up, inverse))

    rng, most = np.random.default_rng(0), fused_coders.LARGEST_TOTAL
    count = 300_000
    totals = (2.0 ** rng.uniform(0, 28, count)).astype(np.int64)
    for place, power in enumerate(2 ** np.arange(29)):
        totals[3 * place : 3 * place + 3] = np.clip([power - 1, power, power + 1], 1, most)
    totals[-100:] = most
    widths = (2.0 ** rng.uniform(30, 32, count)).astype(np.int64) + 1
    widths[::7] = 2**32
    amounts = (rng.random(count) * (totals + 1)).astype(np.int64)
    # Products next to a multiple of the total are where a quotient errs first.
    for j in range(1000, 100_000):
        amount, total = int(amounts[j]), int(totals[j])
        if np.gcd(amount, total) == 1:
            near = (pow(amount, -1, total) if total > 1 else 1) * (1 if j % 2 else -1) % total
            widths[j] = near + total * ((2**32 - near) // total)
    expected = [int(w) * int(a) // int(t) for w, a, t in zip(widths, amounts, totals, strict=True)]
    out = np.empty(count, np.int64)
    parts(widths, totals, amounts, out)
    assert out.tolist() == expected


@pytest.mark.parametrize("code", ["adaptive", "range"])
def test_messages_of_a_sender_are_the_same_on_both_tiers(code):
    if code == "range":
        pytest.importorskip("constriction")
    from impl.compressors import DitheredQuantizer

    g = np.random.default_rng(0).standard_normal(2000)
    data = [Sender(DitheredQuantizer(3), seed=(1, 2), worker=0, code=code).send(g)]
    plain = Receiver(seed=(1, 2), worker=0).receive(data[0])
    with impl.tier("fused"):
        data.append(Sender(DitheredQuantizer(3), seed=(1, 2), worker=0, code=code).send(g))
        fused = Receiver(seed=(1, 2), worker=0).receive(data[1])
    assert data[0] == data[1]
    assert plain.estimate.tobytes() == fused.estimate.tobytes()


def test_where_the_sums_do_not_fit_the_coder_itself_codes(monkeypatch):
    monkeypatch.setattr(fused_coders, "LARGEST_TOTAL", 20)
    monkeypatch.setattr(fused_coders, "encoded_adaptively", None)
    with impl.tier("fused"):
        assert AdaptiveCoder(3).encode([1] * 18) == AdaptiveCoder(3).encode(np.ones(18, dtype=int))
