from fractions import Fraction as F

from boundcheck import ROUND_OFF, check_eq, check_le, checks_of
from natural.compressor import NaturalCompression

judge = checks_of("natural/dithering", dithering=NaturalCompression)
judge.mutant("A tenth.", name="a-tenth")(lambda law: law.replace(small=lambda f: f / 10, bound=lambda f: f / 9))


@judge.exact(x=[(F(3, 5), F(4, 5)), (F(5, 13), F(12, 13))])
def exact(law, x):
    dithering, t = law.dithering(-1, 0), F(1, 2)
    if x[0] < t:
        yield check_eq("entry", small := dithering.variance(x[:1]), law.exactly("entry", y=x[0], t=t))
        yield check_le("small", small, law.exactly("small", y=x[0], t=t))
    yield check_le("total", float(dithering.variance(x)), law("bound", t=t, d=2, N=1), ROUND_OFF, headline=True)
