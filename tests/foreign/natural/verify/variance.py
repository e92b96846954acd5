from fractions import Fraction as F

from boundcheck import check_eq, checks_of
from natural.compressor import NaturalCompression

judge = checks_of("natural/variance", compressor=NaturalCompression)


class Exchanged(NaturalCompression):
    unbiased = False

    def chance(self, x, low, high):
        return 1 - (x - low) / (high - low)


judge.mutant("Probabilities exchanged.", name="exchanged")(lambda law: law.replace(compressor=Exchanged))


@judge.exact(x=[F(5, 4), F(3, 2), F(7, 4), F(11, 8)])
def enumerated(law, x):
    outcomes = [(p, law.compressor().reference([x], draws)[0]) for p, draws in law.compressor().outcomes([x])]
    yield check_eq("mean", sum(p * c for p, c in outcomes), law.exactly("mean", x=x))
    yield check_eq("variance", sum(p * (c - x) ** 2 for p, c in outcomes), law.exactly("exact", x=x, a=1), headline=True)
