"""Instructions that numba has no name for: products of 128 bits, leading zeros, sixteen numbers at a time.

Each is one expression of LLVM, which has it on every machine, by the vectors that are there.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

LANES = 16

_INT32, _INT64, _DOUBLE = ir.IntType(32), ir.IntType(64), ir.DoubleType()
_WHOLE, _REAL = ir.VectorType(_INT32, LANES), ir.VectorType(_DOUBLE, LANES)
_RAMP = ir.Constant(_WHOLE, list(range(LANES)))


@intrinsic  # type: ignore[untyped-decorator]
def leading_zeros(context: Any, word: Any) -> Any:
    """Return how many zeros are before the highest bit of an int64 that is not negative, 64 for zero."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.ctlz(given[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def upper_product(context: Any, a: Any, b: Any) -> Any:
    """Return the upper 64 bits of the product of two uint64."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(given[0], wide), builder.zext(given[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), _INT64)

    return types.uint64(types.uint64, types.uint64), code


@intrinsic  # type: ignore[untyped-decorator]
def both_halves(context: Any, a: Any, b: Any) -> Any:
    """Return the upper and the lower 64 bits of the product of two uint64."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(given[0], wide), builder.zext(given[1], wide))
        upper = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), _INT64)
        return context.make_tuple(builder, signature.return_type, [upper, builder.trunc(product, _INT64)])

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), code


@intrinsic  # type: ignore[untyped-decorator]
def add_one_behind(context: Any, numbers: Any, start: Any, edge: Any) -> Any:
    """Add one to those of the sixteen int32 from `start` on whose place is behind `edge`."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        place = _sixteen_from(context, builder, signature.args[0], given[0], given[1])
        edges = _each(builder, builder.trunc(builder.sub(given[2], given[1]), _INT32), _WHOLE)
        behind = builder.zext(builder.icmp_signed(">", _RAMP, edges), _WHOLE)
        builder.store(builder.add(builder.load(place, align=4), behind), place, align=4)
        return context.get_dummy_value()

    return types.void(numbers, types.int64, types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def how_many_begin_before(
    context: Any, numbers: Any, start: Any, base: Any, share: Any, width: Any, limit: Any
) -> Any:
    """Return for how many of the sixteen int32 from `start` on (base + number) share width < limit."""

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        part = _with_base(context, builder, signature.args[0], *given[:3])
        shares = builder.fmul(builder.sitofp(part, _REAL), _each(builder, given[3], _REAL))
        begins = builder.fmul(shares, _each(builder, given[4], _REAL))
        return _how_many(builder, builder.fcmp_ordered("<", begins, _each(builder, given[5], _REAL)))

    kinds = (types.int64, types.int64, types.float64, types.float64, types.float64)
    return types.int64(numbers, *kinds), code


@intrinsic  # type: ignore[untyped-decorator]
def how_many_scaled_reach(
    context: Any, numbers: Any, start: Any, base: Any, scale: Any, place: Any, step: Any, limit: Any
) -> Any:
    """Return for how many of the sixteen int32 from `start` on floor((base + number) scale) + place <= limit.

    The place is that of the first one, and grows by a step from each to the next.
    """

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        part = _with_base(context, builder, signature.args[0], *given[:3])
        scaled = builder.fmul(builder.sitofp(part, _REAL), _each(builder, given[3], _REAL))
        floor = _floor(builder.module)
        steps = builder.mul(_RAMP, _each(builder, builder.trunc(given[5], _INT32), _WHOLE))
        places = builder.add(steps, _each(builder, builder.trunc(given[4], _INT32), _WHOLE))
        reached = builder.fadd(builder.call(floor, [scaled]), builder.sitofp(places, _REAL))
        return _how_many(builder, builder.fcmp_ordered("<=", reached, _each(builder, given[6], _REAL)))

    kinds = (types.int64, types.int64, types.float64, types.int64, types.int64, types.float64)
    return types.int64(numbers, *kinds), code


def _floor(module: Any) -> Any:
    name = f"llvm.floor.v{LANES}f64"
    return module.globals.get(name) or ir.Function(module, ir.FunctionType(_REAL, [_REAL]), name)


def _with_base(context: Any, builder: Any, kind: Any, array: Any, start: Any, base: Any) -> Any:
    part = builder.load(_sixteen_from(context, builder, kind, array, start), align=4)
    return builder.add(part, _each(builder, builder.trunc(base, _INT32), _WHOLE))


def _sixteen_from(context: Any, builder: Any, kind: Any, array: Any, start: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [start]), _WHOLE.as_pointer())


def _each(builder: Any, value: Any, kind: Any) -> Any:
    """Return a vector of one value."""
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(_INT32, 0))
    zeros = ir.Constant(ir.VectorType(_INT32, LANES), [0] * LANES)
    return builder.shuffle_vector(first, ir.Constant(kind, ir.Undefined), zeros)


def _how_many(builder: Any, flags: Any) -> Any:
    return builder.zext(builder.ctpop(builder.bitcast(flags, ir.IntType(LANES))), _INT64)
