"""Which claims patterns mean."""

import pytest

from theory import UnknownClaimError
from verify.errors import UsageError
from verify.running.runner import verify
from verify.running.selection import select_claims


def test_selection_by_pattern_and_kind(registry, make_claim):
    registry((make_claim("one"), []), (make_claim("two", kind="rate"), []), (make_claim("three"), []))

    def ids(*arguments):
        return [claim.id for claim in select_claims(*arguments)]

    assert ids() == ids("*") == ["fake/one", "fake/two", "fake/three"]
    assert ids(["fake/t*", "fake/two", "fake/one"]) == ["fake/one", "fake/two", "fake/three"]
    assert ids("*", "rate") == ["fake/two"]
    with pytest.raises(
        UsageError, match="kind='lower' matches none of the selected claims; kinds in use: rate, upper"
    ):
        select_claims("*", "lower")
    with pytest.raises(UnknownClaimError, match="unknown claim 'fake/twoo'; did you mean fake/two"):
        select_claims(["fake/one", "fake/twoo"])


@pytest.mark.parametrize("patterns", [[], (), 3, [3], None])
def test_no_pattern_is_not_every_claim(registry, make_claim, tmp_path, patterns):
    registry((make_claim(), []))
    with pytest.raises(UsageError, match=r"patterns=.* must be claim ids or shell patterns, at least one"):
        verify(patterns, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_verb_without_a_pattern_means_all(registry, make_claim, make_check, boundcheck, tmp_path):
    registry((make_claim("one"), [make_check()]), (make_claim("two"), [make_check()]))
    found = boundcheck("verify", "--jobs", "1", "--json", "--out", str(tmp_path))
    assert [item["id"] for item in found.document["claims"]] == ["fake/one", "fake/two"]
