"""The register of a kernel knows the order in which its theorems were made."""

from verify.kernel.node import Node, name, num
from verify.kernel.theorem import Register


def test_sets_of_theorems_are_read_in_the_order_in_which_they_were_made():
    register = Register()
    made = [register.make("assume", (), Node("le", name("x"), num(k))) for k in range(200)]
    # A set of objects has the order of their addresses, which another process changes.
    assert register.ordered(frozenset(reversed(made))) == made
    assert register.ordered(made[::-3]) == made[::-3][::-1]
