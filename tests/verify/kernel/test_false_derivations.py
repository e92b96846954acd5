"""Every false derivation of the list is refused, with a message that says why."""

import false_claims  # noqa: F401
import false_domains  # noqa: F401
import false_forms  # noqa: F401
import false_inductions  # noqa: F401
import false_means  # noqa: F401
import false_places  # noqa: F401
import false_steps  # noqa: F401
import false_sums  # noqa: F401
import false_theorems  # noqa: F401
import pytest
from claims import REFUSED, outcome


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_false_derivation_is_refused(name):
    message = outcome(name)
    assert message, "accepted"
    assert REFUSED[name][0] in message
