"""A sampling check must reject a mutant at each of its seeds, in the quick profile at the first that does."""

from types import SimpleNamespace

import pytest

from verify.authoring.watching import Watch
from verify.judging import judgement
from verify.outcome import Evidence


@pytest.fixture
def judged(monkeypatch):
    """Return whether a mutant that is refused at some seeds is rejected, and which seeds were asked."""

    def judge(profile, refused, neutral=False):
        asked = []

        def found(rung, case, context):
            asked.append(context.seed)
            return Evidence("violated" if context.seed in refused else "holds", "guaranteed")

        monkeypatch.setattr(
            judgement, "mutants_of", lambda claim: [SimpleNamespace(name="m", neutral=neutral)]
        )
        monkeypatch.setattr(judgement, "_judge_safely", found)
        unit = SimpleNamespace(
            key=("fake/new", "montecarlo", "here"),
            claim=None,
            check=SimpleNamespace(authored=None, label="", instance="here"),
            repetitions=lambda case, mutant: 3,
        )
        made = judgement._judge_mutant(unit, "m", None, profile, 7, Watch(("here",)))
        return made["rejected"], asked

    return judge


@pytest.mark.parametrize("refused", [{7}, {7, 8}, {7, 9}, {8, 9}, set()])
def test_one_escape_is_enough_in_the_full_profile(judged, refused):
    assert judged("full", refused) == (False, [7, 8, 9])
    assert judged("full", {7, 8, 9}) == (True, [7, 8, 9])


def test_the_quick_profile_ends_at_the_first_rejection(judged):
    assert judged("quick", {7}) == (True, [7])
    assert judged("quick", {8}) == (False, [7, 8])


@pytest.mark.parametrize("profile", ["quick", "full"])
def test_a_neutral_mutant_is_accepted_at_each_seed(judged, profile):
    assert judged(profile, set(), neutral=True) == (False, [7, 8, 9])
    assert judged(profile, {9}, neutral=True) == (True, [7, 8, 9])
