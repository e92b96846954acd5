from fractions import Fraction as F

from boundcheck import AdversarialCase, check_eq, check_le, checks_of
from natural.compressor import NaturalCompression

judge = checks_of("natural/omega", compressor=NaturalCompression)
judge.mutant("A tenth.", name="a-tenth")(lambda law: law.replace(bound=lambda f: f * F(8, 10)))


@judge.exact(x=[F(4, 3), F(3, 2), F(16, 3)])
def exact(law, x):
    value = law.compressor().variance([x])
    yield check_le("bound", value, law.exactly("bound", x=x), headline=True)
    if x != F(3, 2):
        yield check_eq("attained", value, law.exactly("bound", x=x))


@judge.adversarial(d=4)
def searched(law, d):
    bound, variance = law("bound", x=1), law.compressor().variance
    return AdversarialCase(variance, lambda x: bound * (x**2).sum(axis=-1), d, scale_invariant=False)
