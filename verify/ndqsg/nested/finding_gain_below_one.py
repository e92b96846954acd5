"""Checks of `ndqsg/finding-gain-below-one`: each message gains, the average loses."""

from collections.abc import Iterable
from fractions import Fraction as F
from typing import Any

from verify.authoring import checks_of, eq, le
from verify.authoring.law import Law
from verify.comparison import Comparison
from verify.ndqsg.fixtures.nested_average import Group
from verify.rungs.montecarlo import MonteCarloCase

MESSAGE, AVERAGE = "ndqsg/nested-alpha", "ndqsg/nested-alpha-aggregate"
COPIES = 16
INSTANCES = {
    "four-workers": (F(1, 4), F(1, 12), 2),
    "eight-workers": (F(1, 4), F(1, 12), 4),
    "no-noise": (F(0), F(1), 1),
    "much-noise": (F(10), F(1, 12), 3),
}

# What the average is claimed to lose, from the law, the values and the saving of one message.
judge = checks_of("ndqsg/finding-gain-below-one", group=Group, loss=lambda lost, saved, m: lost)


judge.sabotage_data(
    "gain-beyond-one at exact/enumerated: Claim it beyond the largest gain that helps a message.",
    lambda alpha, **rest: {"alpha": 1.25, **rest},
)
judge.sabotage(
    "average-like-message at exact/*, montecarlo/best-gain: Claim that the average saves what its messages "
    "save, 1/(2P) of it.",
    {"loss": lambda lost, saved, m: -saved / (4 * m)},
    "own-side-information at exact/enumerated, montecarlo/best-gain: Give each nested worker side "
    "information of its own, from m further workers: then the errors share nothing, and the average does "
    "save.",
    {"group": lambda m, alpha, noise: Group(m, alpha, noise, own_side=True)},
    "half-saving at exact/best-gains: Claim that a message saves at most half of it. | saved = saved / 2",
    "other-order, neutral at exact/enumerated: Number the workers of a group differently: nothing may "
    "change.",
    {"group": lambda m, alpha, noise: Group(m, alpha, noise, reverse=True)},
)


def _innovation(law: Law, noise: F, fine: F, m: int) -> F:
    return F(law.exactly("innovation", sigma_n_sq=noise, D=fine, m=m))


@judge.exact(instances={"best-gains": {"names": tuple(INSTANCES)}})
def best_gains(law: Law, names: Any) -> Iterable[Comparison]:
    """The stated saving and loss against the two claims they rest on, at the best gain."""
    for name in names:
        noise, fine, m = INSTANCES[name]
        innovation = _innovation(law, noise, fine, m)
        gain = law.exactly("gain", D=fine, sigma_z_sq=innovation)
        witness = {"instance": name, "a": gain}
        error = law.of(MESSAGE).exactly("exact", a=gain, D=fine, sigma_z_sq=innovation)
        saved = law.exactly("saved", D=fine, sigma_z_sq=innovation)
        yield eq("saving of a message", fine - error, saved, witness=witness)
        values = {"sigma_n_sq": noise, "D": fine, "m": m}
        at_gain = law.of(AVERAGE).exactly("exact", a=gain, **values)
        at_one = law.of(AVERAGE).exactly("at_one", **values)
        lost = law.loss(law.exactly("exact", sigma_z_sq=innovation, **values), saved, m)
        yield eq("loss of the average", at_gain - at_one, lost, witness=witness, headline=True)


@judge.exact(instance="enumerated", m=1, alpha=0.875, noise=0.25, N=32)
def all_dithers(law: Law, m: int, alpha: float, noise: float, N: int) -> Iterable[Comparison]:
    """Two workers with the gain 7/8, inside the range in which a message gains: all noises and dithers."""
    group, fine = law.group(m, alpha, noise), F(1, 12) * (1 - F(1, N**2))
    a, values = F(alpha) ** 2, {"sigma_n_sq": F(noise) ** 2, "D": fine, "m": m}
    innovation = _innovation(law, F(noise) ** 2, fine, m)
    error = law.of(MESSAGE).exactly("exact", a=a, D=fine, sigma_z_sq=innovation)
    yield le("error of a message", error, fine)
    at_one = law.of(AVERAGE).exactly("at_one", **values)
    excess = law.loss(law.of(AVERAGE).exactly("excess", a=a, **values), fine - error, m)
    found = group.enumerated(N)
    yield eq("variance of the average", found, at_one + excess, headline=True)
    yield le("the average is worse", at_one, found)


@judge.montecarlo(label="variance of the average", m=2, sigma_n_sq=F(1, 16), D=F(1, 12))
def best_gain(law: Law, m: int, sigma_n_sq: F, D: F) -> MonteCarloCase:
    """Four workers at the best gain of a message, where the average loses 16 %."""
    innovation = _innovation(law, sigma_n_sq, D, m)
    gain = law.exactly("gain", D=D, sigma_z_sq=innovation)
    group = law.group(m, float(gain) ** 0.5, 0.25)
    values = {"sigma_n_sq": float(sigma_n_sq), "D": float(D), "m": m}
    lost = law.exactly("exact", sigma_n_sq=sigma_n_sq, D=D, m=m, sigma_z_sq=innovation)
    saved = law.exactly("saved", D=D, sigma_z_sq=innovation)
    claimed = law.of(AVERAGE)("at_one", **values) + float(law.loss(lost, saved, m))
    return MonteCarloCase(
        "eq", lambda rng, size: group.sampled(rng, size, COPIES), claimed, upper=group.upper
    )
