"""The page of rules for authors, `theory.proof`, has all that the kernel offers to derivations."""

import inspect

from theory import proof
from verify.kernel.kernel import Kernel

OF_THE_JUDGE = {"allowed", "concluded", "follows", "undefined"}
"""What the judge asks a kernel after a derivation."""


def public(kind):
    return {name for name in dir(kind) if not name.startswith("_")}


def test_every_rule_is_documented_and_there():
    assert public(Kernel) - OF_THE_JUDGE == public(proof.Kernel)
    for name in public(proof.Kernel):
        assert inspect.getdoc(getattr(proof.Kernel, name)), name
