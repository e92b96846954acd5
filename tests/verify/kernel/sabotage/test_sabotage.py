"""Each side condition of the kernel is needed: without it a false derivation is accepted."""

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
from claims import outcome
from sabotages import SABOTAGES
from source_changes import apply

from verify.kernel.memory import forget


@pytest.fixture
def sabotaged(monkeypatch):
    """Apply a sabotage for one test."""
    forget()
    yield lambda sabotage: apply(sabotage, monkeypatch)
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize("name", SABOTAGES)
def test_sabotage_is_noticed(name, sabotaged, monkeypatch):
    sabotage = SABOTAGES[name]
    # The last nets, which catch what another rule, or another net, lets through.
    if sabotage.place != "kernel:_refute":
        monkeypatch.setattr("verify.kernel.kernel._refute", lambda suspects, at, cleared: None)
    if sabotage.place != "kernel:_false_at":
        monkeypatch.setattr("verify.kernel.kernel._false_at", lambda links, at: "")
    if sabotage.place != "kernel:_fails_at" and not sabotage.place.startswith("instances.specialised:"):
        monkeypatch.setattr("verify.kernel.kernel._fails_at", lambda places, at: "")
    if sabotage.place != "kernel:_fails_far_out" and not sabotage.place.startswith("instances.far_integers:"):
        monkeypatch.setattr("verify.kernel.kernel._fails_far_out", lambda formulas, at: "")
    sabotaged(sabotage)
    messages = {item: outcome(item) for item in sabotage.noticed_by}
    assert "" in messages.values(), messages
