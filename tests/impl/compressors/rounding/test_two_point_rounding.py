"""What follows for authors of two-point roundings; the battery runs on the same fixtures."""

import math
from fractions import Fraction

import numpy as np
import pytest

from impl.coding.bit_stream import BitReader, BitWriter
from impl.coding.elias import GAMMA
from impl.coding.fixed_width import FixedWidth
from impl.compressors import Draws, StochasticQuantizer, TwoPointRounding
from impl.compressors.rounding.powers_of_two import power_above, power_below
from impl.errors import ArgumentError, MessageError


class Whole(TwoPointRounding):
    """Round to whole numbers; gamma codes of 1, 2, 3, ... for 0, -1, 1, -2, ..."""

    code = GAMMA

    def low(self, x):
        return np.floor(x)

    def high(self, x):
        return np.floor(x) + 1

    def symbols(self, points):
        return np.where(points >= 0, 2 * points + 1, -2 * points)

    def points(self, symbols):
        return np.where(symbols % 2, symbols // 2, -(symbols // 2))


class Biased(Whole):
    """Go up with probability one third, wherever x is."""

    unbiased = False

    def chance(self, x, low, high):
        return Fraction(1, 3) if isinstance(x, Fraction) else x * 0 + 1 / 3


class Signs(TwoPointRounding):
    """Send the largest entry with a random sign."""

    norm = "max"
    scale_equivariance = "all"
    code = FixedWidth(2)

    def low(self, x):
        return x * 0 - 1

    def high(self, x):
        return x * 0 + 1

    def symbols(self, points):
        return points > 0

    def points(self, symbols):
        return 2 * symbols - 1


def enumerated(compressor, x):
    """Return the mean and E||C(x) - x||^2 over all outcomes, and the mean of the bits."""
    mean, square, bits = [Fraction(0)] * len(x), Fraction(0), Fraction(0)
    for q, draws in compressor.outcomes(x):
        out = compressor.reference(x, draws)
        assert all(isinstance(item, Fraction) for item in out)
        mean = [m + q * c for m, c in zip(mean, out, strict=True)]
        square += q * sum((c - xj) ** 2 for c, xj in zip(out, x, strict=True))
        private = np.array([float(u) for u in draws.private])
        bits += q * compressor.message([float(item) for item in x], Draws(private=private)).bits
    return mean, square, bits


def fractions(*items):
    return [Fraction(item) for item in items]


# ---------------------------------------------------------------- natural compression


@pytest.mark.parametrize("k", [-1074, -3, 0, 5, 1022])
def test_variance_is_the_product_of_the_distances(natural, k):
    compressor, unit = natural.NaturalCompression(), Fraction(2) ** k
    for part in fractions("1", "4/3", "11/8", "2"):
        x = [part * unit]
        stated = (x[0] - unit) * (2 * unit - x[0])
        assert compressor.variance(x) == stated
        assert compressor.variance([-x[0]]) == stated
        assert stated <= x[0] ** 2 / 8
        assert (stated == x[0] ** 2 / 8) == (part == Fraction(4, 3))


def test_message_has_nine_bits_for_the_exponents_of_float32(natural):
    compressor = natural.NaturalCompression(-126, 127)
    rng = np.random.default_rng(0)
    for d in (1, 7, 100):
        x = rng.standard_normal(d).astype(np.float32)
        draws = compressor.draw(rng, x.shape, x.dtype)
        assert compressor.message(x, draws).bits == 9 * d == compressor.expected_bits(x)
        data = compressor.encode(x, draws)
        assert len(data) == len(compressor.encode(x[:1], Draws(private=draws.private[:1]))) - 2 + -(
            -9 * d // 8
        )
        out = compressor.decode(data)
        assert out.dtype == np.float32
        assert out.tobytes() == compressor.compress(x, draws).tobytes()
        assert set(np.abs(np.frexp(out)[0])) == {0.5}


def test_below_the_least_exponent_the_points_are_zero_and_the_least_power(natural):
    compressor = natural.NaturalCompression(-3, 3)
    x = fractions("1/16", "-1/32", "1/8")
    seen = {tuple(compressor.reference(x, draws)) for _, draws in compressor.outcomes(x)}
    eighth = Fraction(1, 8)
    assert seen == {(a, b, eighth) for a in (0, eighth) for b in (0, -eighth)}
    assert compressor.variance(x) == Fraction(1, 16) ** 2 + Fraction(1, 32) * Fraction(3, 32)


def test_beyond_the_largest_exponent_x_is_refused_whatever_the_draws(natural):
    for compressor, x in [
        (natural.NaturalCompression(-3, 3), 8.5),
        (natural.NaturalCompression(-126, 127), 1e200),
        (natural.NaturalCompression(), 1.5e308),
        (natural.NaturalCompression(), np.float32(3e38)),
    ]:
        x = np.array([0.25, -x], dtype=np.asarray(x).dtype)
        for u in (0.0, 0.999):
            with pytest.raises(
                ArgumentError, match=r"x\[1\] = .*(cannot be sent|beyond the range of float32)"
            ):
                compressor.compress(x, Draws(private=np.full(2, u)))
    with pytest.raises(ArgumentError, match=r"x\[0\] = 1.5e\+308 .* cannot be sent"):
        natural.NaturalCompression().reference([1.5e308], Draws(private=[0.5]))
    # The last power itself is a point: nothing above it is needed.
    top = np.array([-(2.0**1023), np.ldexp(1.0, 3)])
    assert np.array_equal(natural.NaturalCompression().sample(top, np.random.default_rng(0)), top)
    assert natural.NaturalCompression().variance(top) == 0
    assert natural.NaturalCompression().moments(top).upper == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [1, 3])
def test_zeros_subnormal_and_huge(natural, dtype, d):
    compressor, info = natural.NaturalCompression(), np.finfo(dtype)
    rng = np.random.default_rng(5)
    for size in (0.0, -0.0, info.smallest_subnormal, 3 * info.smallest_subnormal, info.tiny, info.max / 4):
        x = np.full(d, -size, dtype=dtype)
        draws = compressor.draw(rng, x.shape, dtype)
        out = compressor.compress(x, draws)
        assert out.dtype == dtype
        assert not np.signbit(out[out == 0]).any()
        assert compressor.decode(compressor.encode(x, draws)).tobytes() == out.tobytes()
        literal = compressor.reference([float(item) for item in x], draws)
        assert out.tolist() == literal
        assert not any(math.copysign(1, item) < 0 for item in literal if item == 0)
        assert (np.abs(x) <= 2 * np.abs(out)).all()
        assert (np.abs(out) <= 2 * np.abs(x)).all()
        assert (out * np.sign(x) >= 0).all()


def test_law_of_scales_is_what_the_attribute_says(natural):
    compressor = natural.NaturalCompression()
    x = fractions("4/3", "1/5")
    assert all(compressor.variance([c * item for item in x]) == c**2 * compressor.variance(x) for c in (2, 4))
    assert compressor.variance([3 * item for item in x]) != 9 * compressor.variance(x)
    small = natural.NaturalCompression(-3, 3)
    assert small.variance([item / 16 for item in x]) != small.variance(x) / 256
    assert (compressor.scale_equivariance, natural.NaturalDithering().scale_equivariance) == (
        "powers of two",
        "all",
    )


# ---------------------------------------------------------------- norms


def test_dithering_divides_by_the_norm_and_sends_it(natural):
    compressor = natural.NaturalDithering(2)
    x = fractions(3, 0, -4)  # 3/5 in [1/2, 1], 4/5 too
    mean, square, bits = enumerated(compressor, x)
    assert mean == x
    fifth = Fraction(1, 5)
    assert square == compressor.variance(x) == 25 * (fifth / 2 * 2 * fifth + 3 * fifth / 2 * fifth)
    assert bits == compressor.expected_bits(x) == 64 + 3 * compressor.code.width
    assert compressor.code.width == 3
    with pytest.raises(ArgumentError, match="is irrational"):
        compressor.variance(fractions(1, 1))


def test_no_quotient_exceeds_one_where_the_norm_is_rounded(natural):
    compressor = natural.NaturalDithering(3, norm_bits=32)
    rng = np.random.default_rng(2)
    for x in 1 + rng.random((200, 1)):
        draws = compressor.draw(rng, x.shape)
        # A quotient above 1 would have no symbol; the literal form rounds up to the same float32.
        assert compressor.reference(x.tolist(), draws) == compressor.compress(x, draws).tolist()


def test_one_level_of_the_largest_entry_is_the_quantizer_of_the_same_law(natural):
    ours, theirs = natural.NaturalDithering(0, "max"), StochasticQuantizer(1, norm="max")
    x = np.random.default_rng(3).standard_normal((5, 4))
    assert ours.variance(x) == pytest.approx(theirs.variance(x), rel=1e-13)
    uniforms = ours.draw(np.random.default_rng(4), x.shape)
    assert np.array_equal(ours.compress(x, uniforms), theirs.compress(x, uniforms))


def test_two_points_on_both_sides_of_zero():
    x = fractions(2, -1, 0)
    mean, square, bits = enumerated(Signs(), x)
    assert mean == x
    assert square == Signs().variance(x) == 0 + 3 + 4
    assert bits == Signs().expected_bits(x) == 67
    zero = np.zeros(3)
    assert not Signs().sample(zero, np.random.default_rng(0)).any()


# ---------------------------------------------------------------- other chances, codes and mistakes


def test_empty_batch_and_one_coordinate(natural):
    for compressor in (natural.NaturalCompression(), natural.NaturalDithering(), Whole()):
        for dtype in (np.float32, np.float64):
            x = np.zeros((0, 3), dtype)
            draws = compressor.draw(np.random.default_rng(0), x.shape, dtype)
            out = compressor.decode(compressor.encode(x, draws))
            assert (out.shape, out.dtype) == ((0, 3), dtype)
        assert compressor.variance([1.0]) == 0
        assert compressor.sample([1.0], np.random.default_rng(0)).tolist() == [1.0]


def test_defaults():
    assert list(Whole.examples()) == [Whole()]
    assert repr(Whole()) == "Whole()"
    assert Whole() != Biased()
    assert Whole.scale_equivariance == "none"


class Mistaken(Whole):
    def __init__(self, **given):
        self.given = tuple(given)
        for name, function in given.items():
            object.__setattr__(self, f"_{name}", function)

    def low(self, x):
        return self._low(x) if "low" in self.given else super().low(x)

    def chance(self, x, low, high):
        return self._chance(x) if "chance" in self.given else super().chance(x, low, high)

    def points(self, symbols):
        return self._points(symbols) if "points" in self.given else super().points(symbols)


def test_mistakes_of_authors_have_one_clear_error():
    x, draws = [0.5, 1.25], Draws(private=[0.5, 0.5])
    above = Mistaken(chance=lambda x: x * 0 + 1.5)
    for call in (above.compress, above.reference):
        with pytest.raises(ArgumentError, match=r"the chance of x\[0\] = 0.5 is 1.5; keep it in \[0, 1\]"):
            call(x, draws)
    with pytest.raises(ArgumentError, match=r"the chance of x\[0\] = 0.5 is nan"):
        Mistaken(chance=lambda x: x * np.nan).variance(x)
    # Not between its points.
    with pytest.raises(ArgumentError, match=r"the chance of x\[0\] = 0.5 is"):
        Mistaken(low=lambda x: np.floor(x) + 0.75).variance(x)
    with pytest.raises(
        ArgumentError, match=r"the point 1.0 of x\[1\] = 1.25 cannot be sent: no symbol from 1"
    ):
        Mistaken(points=lambda symbols: np.where(symbols == 3, 7, Whole().points(symbols))).compress(x, draws)
    with pytest.raises(ArgumentError, match=r"low of the Fraction 5/4 is 1\.0; write it without floats"):
        Mistaken(low=lambda x: float(math.floor(x))).variance(fractions("5/4"))
    with pytest.raises(TypeError, match="abstract"):
        TwoPointRounding()


def test_a_symbol_beyond_the_alphabet_is_no_message(natural):
    writer = BitWriter()
    writer.append([6, 7], 3)
    reader = BitReader(writer.to_bytes(), 6)
    assert FixedWidth(7).read(reader) == 6
    with pytest.raises(ValueError, match="symbol 7 is none of 0 to 6"):
        FixedWidth(7).read(reader)
    for count in (0, 2**62 + 1):
        with pytest.raises(ValueError, match="must be between 1"):
            FixedWidth(count)
    assert (FixedWidth(1).width, FixedWidth(2).width, FixedWidth(510).width) == (0, 1, 9)
    sent = natural.NaturalCompression(0, 1).encode([1.0], Draws(private=[0.5]))
    with pytest.raises(MessageError, match="made by another compressor"):
        natural.NaturalCompression(0, 2).decode(sent)


# ---------------------------------------------------------------- powers of two


@pytest.mark.parametrize("lowest", [None, -1060, -2, 3])
def test_powers_of_arrays_floats_and_fractions_agree(lowest):
    sizes = [0.0, 5e-324, 1.5e-323, 2.0**-1022, 0.25, 0.3, 1.0, np.nextafter(1.0, 0), np.nextafter(1.0, 2)]
    sizes += [4 / 3, 7.0, 8.0, 9.0, 2.0**1023, 1.7e308]
    for x in [*sizes, *(-size for size in sizes)]:
        below, above = power_below(x, lowest), power_above(x, lowest)
        assert power_below(np.array([x]), lowest)[0] == below
        assert power_above(np.array([x]), lowest)[0] == above
        assert power_below(Fraction(x), lowest) == Fraction(below)
        if math.isfinite(above):
            assert power_above(Fraction(x), lowest) == Fraction(above)
        assert abs(below) <= abs(x) <= abs(above)
        if x == 0:
            assert below == above == 0
            continue
        sign, floor = math.copysign(1, x), math.frexp(x)[1] - 1
        assert below == (0 if lowest is not None and floor < lowest else sign * 2.0**floor)
        if below:
            assert above in (below, 2 * below)
            assert (above == below) == (x == below)
        else:
            assert above == sign * 2.0**lowest


def test_powers_keep_float32():
    x = np.array([3.0, -1e-45, 0.0], dtype=np.float32)
    for power in (power_below, power_above):
        assert power(x).dtype == np.float32
        assert power(x).tolist() == power(x.astype(np.float64)).tolist()
