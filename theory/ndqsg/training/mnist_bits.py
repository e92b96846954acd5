r"""`ndqsg/mnist-bits`: bits of dithered and nested messages on MNIST (arXiv 1904.01197, abstract)."""

from typing import Any

from sympy import Integer, Rational, log, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import lt
from theory.hypotheses import domain, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

a, b, first, second = symbols("a b first second", real=True)

_GAIN = (a + b) * log(a + b) - a * log(a) - b * log(b)
_FIRST, _SECOND = Integer(776128), Integer(427072)
_HALF = (first + second) / 2

# Of the numbers below those of the digits are medians, or hold in each run; those of MNIST hold in each run.
_VALUES = {
    "seeds": Integer(5),
    "median_accuracy": Rational(80, 100),
    "median_raw": Rational(49, 50),
    "median_coded": Rational(6, 5),
    "median_packed": Rational(4, 5),
    "accuracy_digits": Rational(70, 100),
    "accuracy_mnist": Rational(93, 100),
    "raw_digits": Rational(6, 5),
    "raw_mnist": Rational(19, 20),
    "coded_digits": Rational(5, 4),
    "coded_mnist": Rational(11, 10),
    "packed_digits": Rational(13, 20),
    "packed_mnist": Rational(3, 10),
    "early_digits": Rational(1, 10),
    "early_mnist": Rational(3, 20),
    "late_digits": Rational(1, 2),
    "late_mnist": Rational(1, 8),
    "outside_digits": Rational(1, 50),
    "outside_mnist": Rational(1, 5000),
    "error_digits": Integer(4),
    "real_digits": Rational(21, 20),
    "real_mnist": Rational(501, 500),
    "error_mnist": Rational(7, 5),
}

CLAIM = Claim(
    id="ndqsg/mnist-bits",
    kind="ordering",
    provenance="abstract",
    title="On MNIST nesting saves raw bits; once coded, messages without it cost at most a tenth more",
    position=40,
    paper=PAPER,
    **statement(
        r"""
        DQSG with $M=3$ against the same with the second half of the workers nested, $k=3$, sequential side
        information, 8 workers, one scale of 64 bits for each tensor of a worker, equal starts and rows. On
        the digits of scikit-learn softmax regression, and a network 64-18-10 with a batch of 128 for 40
        iterations; on MNIST, the first 19 000 rows, the network 784-300-100-10 of the public code with its
        start and a batch of 192 for 196 iterations, two epochs; the step is 0.5, a tenth less in each epoch.
        Bits are those of all payloads and scales, without headers: raw ones in words of 64 bits, coded ones
        of the ideal adaptive code of each message. A correlation is the mean over pairs of workers of scalar
        products of gradients, relative to their mean square. A verdict covers the data of its records: the
        quick profile has runs on the digits only, of MNIST the bits of (b); the full one has both.
        (a: shorter) Where one symbol stands for two indices of counts $a$ and $b$, the ideal length of a
          message <<is shorter by -> exact/saved by symbols>> the difference in
          $$a\log a+b\log b\le(a+b)\log(a+b)$$ (in nats), so that <<symbols never take more than indices ->
          exact/length of symbols>>. [proof; exact/saved by symbols; exact/length of symbols]
        (b: half) A worker of the network on MNIST sends $\ell_1=776128$ raw bits in an iteration, a nested
          one $\ell_2=427072$, so half and half $$\frac{\ell_1+\ell_2}2\le\frac{39}{50}\ell_1.$$ [proof;
          exact/bits of an iteration]
        (c) On the digits, <<medians of the ratio -> run/medians>> over runs of softmax regression to an
          accuracy of {value:median_accuracy}: nested takes at most {value:median_raw} of the raw bits;
          coded, each takes at most {value:median_coded} times the bits of the other; coded DQSG takes at
          most {value:median_packed} of the raw bits of nested. [run/medians]
        (d) To an accuracy of {value:accuracy_digits} on the digits, of {value:accuracy_mnist} on MNIST,
          nested takes <<in each of -> exact/raw bits in each run>> {value:seeds} runs at most
          {value:raw_digits} and {value:raw_mnist} times the raw bits of DQSG: <<on the digits single runs
          save none -> exact/raw bits of the run that saves least>>. [exact/raw bits in each run; exact/raw
          bits of the run that saves least]
        (e) Coded, DQSG takes to it, <<in each run -> exact/coded bits in each run>>, at most
          {value:coded_digits} and {value:coded_mnist} times the bits of nested. [exact/coded bits in each
          run]
        (f) Coded DQSG takes at most {value:packed_digits} and {value:packed_mnist} of the raw bits of nested
          <<in each run -> exact/coded beside raw bits>>. [exact/coded beside raw bits]
        (g) Coded by the range coder, <<messages of both -> exact/range coder>> that were tried are at most
          {value:real_digits} and {value:real_mnist} times as long as ideal ones. [exact/range coder]
        (h) The gradients of two workers have at first, <<in the weights of each layer -> exact/correlation
          at first>>, a mean correlation of at least {value:early_digits} and {value:early_mnist}.
          [exact/correlation at first]
        (i) <<In the second half of the iterations -> exact/correlation later>> its mean is at most
          {value:late_digits} and {value:late_mnist}. [exact/correlation later]
        (j) The condition of `ndqsg/nested-same-variance-fewer-bits` fails <<in every tensor, run and
          iteration that was looked at -> exact/outside of the margin>>: a share of at least
          {value:outside_digits} and {value:outside_mnist} of the coordinates has $|z|>1$. [exact/outside of
          the margin]
        (k) The mean of mse over $D$ along a run is <<in each tensor at least -> exact/error over D>>
          {value:error_digits} and {value:error_mnist}. [exact/error over D]
        """
    ),
    variables=(
        Variable(a, "a", r"\mathbb R_{>0}", "how often an index occurs in a message"),
        Variable(b, "b", r"\mathbb R_{>0}", "how often another one does"),
        Variable(first, r"\ell_1", r"\mathbb N", "raw bits of a worker with DQSG in an iteration"),
        Variable(second, r"\ell_2", r"\mathbb N", "raw bits of a nested worker"),
    ),
    notation={
        "M": "number of levels",
        "k": "ratio of the coarse step to the fine one",
        "D": "variance of the fine error",
        "z": "innovation in fine steps",
        "|z|>1": "more than half a coarse step less half a fine one",
    },
    hypotheses={
        "counts": domain("$a,b>0$"),
        "network": parameter(r"$\ell_1=776128$, $\ell_2=427072$"),
    },
    relations={
        "shorter": Relation((a * log(a) + b * log(b), (a + b) * log(a + b)), ("<=",)),
        "half": Relation((_HALF, Rational(39, 50) * first), ("<=",), under=("network",)),
    },
    formulas={"gain": _GAIN, "first": _FIRST, "second": _SECOND, "saves_none": Integer(1), **_VALUES},
    internal={
        "gain": "the difference of both sides in (a)",
        "first": "said by the hypothesis on the network",
        "second": "said by the hypothesis on the network",
        "saves_none": "as many raw bits as DQSG, part (d)",
        **dict.fromkeys(_VALUES, "measured, said as a value"),
    },
    values=_VALUES,
    worst_cases=cases(r"""
        two indices that occur alike | a = 1, b = 1 | 2*log(2)
    """),
)


def derive(K: Any) -> None:
    """Take logarithms of counts that grow."""
    K.example({a: 1, b: 1, first: _FIRST, second: _SECOND})
    K.know(K.given("counts"), K.given("counts", 1))
    larger = [K.log(K.sign(lt(part, a + b))) for part in (a, b)]
    K.show("shorter", (a, larger[0]), (b, larger[1]))
    K.show("half", using=[K.given("network"), K.given("network", 1)])
