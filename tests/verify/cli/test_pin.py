"""`pin` says which checks it has not run."""

import json

import pytest
from click.testing import CliRunner

from verify.cli.claims import pin

CLAIM = (
    "ndqsg/protocol-desync"  # with a check of the full profile that holds a contract of the quick one again
)


@pytest.fixture
def pinned(monkeypatch):
    def run(*options, changed=True):
        monkeypatch.setattr(pin, "_comparisons", lambda claim, profile: ([], changed))
        result = CliRunner().invoke(pin.command, [CLAIM, *options])
        assert result.exit_code == 0
        return result

    return run


def test_quick_pins_name_the_checks_of_the_full_profile_that_were_not_run(pinned):
    result = pinned("--comparisons", "quick")
    assert result.stdout == f"{CLAIM}: pinned\n"
    assert "exact/messages-by-kernels" in result.stderr
    assert f"boundcheck pin --comparisons full {CLAIM}" in result.stderr
    (row,) = json.loads(pinned("--comparisons", "quick", "--json").stdout)["claims"]
    assert "exact/messages-by-kernels" in row["not_run"]


@pytest.mark.parametrize(("profile", "changed"), [("full", True), ("quick", False)])
def test_nothing_is_said_where_all_were_run_or_nothing_changed(pinned, profile, changed):
    assert pinned("--comparisons", profile, changed=changed).stderr == ""
