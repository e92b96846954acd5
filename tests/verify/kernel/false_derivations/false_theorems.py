"""False derivations: theorems that the kernel has not made, circles, floats, internal names."""

from __future__ import annotations

import math
from types import SimpleNamespace

from claims import claim, concludes, proved, refused, said, symbols
from sympy import Symbol

from theory.formula import Compare, eq, le
from verify.kernel.kernel import Kernel
from verify.kernel.node import KernelError, Node, name
from verify.kernel.theorem import Theorem

x, y, z = symbols("x y z")


@refused("is no theorem of this kernel")
def hand_made_theorem():
    made = object.__new__(Theorem)
    for key, value in (("hypotheses", ()), ("conclusion", Node("le", name("x"), name("y"))), ("cited", ())):
        object.__setattr__(made, key, value)
    for key, value in (("rule", "sign"), ("parents", ()), ("numerical", False), ("binder", None)):
        object.__setattr__(made, key, value)
    concludes(le(x, y), lambda K: made)


@refused("theorems are made by the rules of the kernel only")
def theorem_by_its_constructor():
    Theorem((), Node("le", name("x"), name("y")))


@refused("was changed after it was made")
def mutated_theorem():
    def derive(K):
        theorem = K.assume(le(x, y))
        object.__setattr__(theorem, "hypotheses", ())
        return theorem

    concludes(le(x, y), derive)


@refused("was changed after it was made")
def mutated_theorem_in_a_certificate():
    def derive(K):
        theorem = K.assume(le(x, y))
        object.__setattr__(theorem, "conclusion", Node("le", name("y"), name("x")))
        return K.cert(le(y, x), (1, theorem))

    concludes(le(y, x), derive)


@refused("is no theorem of this kernel")
def duck_typed_theorem():
    fake = SimpleNamespace(
        hypotheses=(),
        conclusion=Node("le", name("x"), name("y")),
        cited=(),
        rule="",
        parents=(),
        numerical=False,
        binder=None,
    )
    concludes(le(x, y), lambda K: fake)


@refused("is neither a theorem nor an expression")
def duck_typed_slack():
    fake = SimpleNamespace(hypotheses=(), conclusion=Node("le", name("x"), name("y")))
    concludes(le(x, y), lambda K: K.cert(le(x, y), (1, fake)))


@refused("is no theorem of this kernel")
def theorem_of_another_kernel():
    def derive(K):
        other = Kernel(claim(said(x, "<=", y), wish=le(x, y)))
        return other.given("wish")

    concludes(le(x, y), derive, wish=le(x, y))


@refused("is no theorem of this kernel")
def theorem_of_a_subclass():
    class Mine(Theorem):
        __slots__ = ()

    made = object.__new__(Mine)
    for key, value in (("hypotheses", ()), ("conclusion", Node("le", name("x"), name("y"))), ("cited", ())):
        object.__setattr__(made, key, value)
    concludes(le(x, y), lambda K: made)


@refused("cannot discharge its own hypothesis")
def self_discharge():
    def derive(K):
        theorem = K.assume(le(x, y))
        return K.discharge(theorem, theorem)

    concludes(le(x, y), derive)


@refused("has the hypothesis that it is to discharge")
def discharge_by_itself_in_other_words():
    def derive(K):
        return K.discharge(K.assume(le(x, y)), K.cert(le(2 * x, 2 * y), (2, K.assume(le(x, y)))))

    concludes(le(x, y), derive)


@refused("rests on what is not stated")
def discharge_in_a_circle():
    def derive(K):
        one = K.cert(le(x, y), (1, K.assume(le(x, z))), (1, K.assume(le(z, y))))
        two = K.cert(le(x, z), (1, K.assume(le(x, y))), (1, K.assume(le(y, z))))
        return K.discharge(one, two, K.cert(le(z, y), (1, K.assume(le(x, y))), (1, K.assume(le(z, x)))))

    concludes(le(x, y), derive)


@refused("is no hypothesis here")
def discharge_of_what_is_no_hypothesis():
    concludes(le(x, y), lambda K: K.discharge(K.assume(le(x, y)), K.sign(le(0, x**2))))


@refused("the kernel takes exact numbers")
def float_in_a_formula():
    concludes(le(0, x**2), lambda K: K.cert(Compare(0.0, "<=", x**2), (1, x**2)))


@refused("is nothing that the kernel knows")
def sympy_float_in_a_formula():
    concludes(le(0, x**2), lambda K: K.sign(le(0, 0.5 * x**2)))


@refused("the kernel takes exact numbers")
def float_as_multiplier():
    concludes(le(0, x**2), lambda K: K.cert(le(0, x**2), (math.sqrt(1.0), x**2)))


@refused("give an integer or a Rational")
def float_in_an_example():
    proved(said(0, "<=", x**2), lambda K: K.example({x: 0.5}))


def _square_of(written):
    square = Symbol(written, real=True) ** 2
    concludes(le(0, square), lambda K: K.sign(le(0, square)))


@refused("is not allowed; use letters")
def internal_name_of_a_bound_index():
    _square_of("#1.0")


@refused("is not allowed; use letters")
def internal_name_after_renaming():
    _square_of("i~1")


@refused("is not allowed; use letters")
def name_that_reads_as_an_expression():
    _square_of("x*y")


class _Changing(str):
    """A name that is another one from some call on."""

    def __new__(cls, first, then, calls):
        made = super().__new__(cls, first)
        made.told, made.then, made.calls = first, then, calls
        return made

    def __hash__(self):
        self.calls -= 1
        return hash(self.told if self.calls >= 0 else self.then)

    def __eq__(self, other):
        return (self.told if self.calls >= 0 else self.then) == str(other)


class _Once(str):
    """A name that is the one of x, and equal to it a few times only."""

    def __new__(cls, calls):
        made = super().__new__(cls, "x")
        made.calls = calls
        return made

    __hash__ = str.__hash__

    def __eq__(self, other):
        self.calls -= 1
        return self.calls >= 0


def _some(derivation):
    """Run a derivation that depends on a number of calls until one of them is accepted."""
    for calls in range(12):
        try:
            return derivation(calls)
        except (KernelError, KeyError) as error:
            refusal = error
    raise KernelError(str(refusal))


@refused("is unknown; the claim has easy, hard")
def relation_that_is_another_one_when_it_is_kept():
    def once(calls):
        def derive(K):
            square = K.sign(le(0, x**2))
            K.conclude(_Changing("easy", "hard", calls), square)
            K.conclude("easy", square)

        return proved({"easy": said(0, "<=", x**2), "hard": said(1, "<=", x**2)}, derive)

    _some(once)


@refused("is not allowed; use letters")
def name_that_is_put_in_for_the_conclusion_alone():
    def once(calls):
        def derive(K):
            made = Symbol.__xnew__(Symbol, _Once(calls), real=True)  # sympy keeps none that is made so
            return K.instantiate(K.given("x"), {made: y})

        return concludes(le(0, y), derive, x=le(0, x))

    _some(once)


class _Nothing(int):
    def __bool__(self):
        return False


class _One(int):
    numerator = _Nothing(1)


@refused("is a number of a class of its own")
def number_that_is_nothing():
    concludes(eq(1, 0), lambda K: K.identity(_One(1), 0))
