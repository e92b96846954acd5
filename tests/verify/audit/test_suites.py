"""Suites are read, ours too; what they say and is not known is one error, as are the options."""

import pytest

from verify.audit.calling import load
from verify.audit.suite import SUITES, read_suite
from verify.errors import UsageError


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "[project]\nname = 'a'\ncolour = 1\n[[compressor]]\nname = 'b'\nobject = 'c:d'",
            "project.colour is unknown",
        ),
        (
            "[project]\nname = 'a'\n[[compressor]]\nname = 'b'\nobjct = 'c:d'",
            "objct is unknown, did you mean 'object'?",
        ),
        ("[project]\nname = 'a'\n[[compressor]]\nname = 'b'", "compressor b: object= is missing"),
        (
            "[project]\nname = 'a'\n[[compressor]]\nname = 'b'\nobject = 'c'",
            "object='c' must be MODULE:OBJECT",
        ),
        ("[project]\nname = 'a'", "no [[compressor]] is there"),
        ("[[compressor]]\nname = 'b'\nobject = 'c:d'", "[project] with name= is missing"),
        (
            "[project]\nname = 'a'\n[[compressor]]\nname = 'b'\nobject = 'c:d'\nclaims = { omga = 1 }",
            "claims.omga is unknown, did you mean 'omega'?",
        ),
        (
            "[project]\nname = 'a'\n[[compressor]]\nname = 'b'\nobject = 'c:d'\nclaims = { omega = 1 }",
            "source= of the claim is missing",
        ),
        (
            "[project]\nname = 'a'\n[[compressor]]\nname = 'b'\nobject = 'c:d'\nexpect = 'good'",
            "expect='good' must be",
        ),
        (
            "[project]\nname = 'a'\n[[compressor]]\nname = 'b'\nobject = 'c:d'\narguments = 3",
            "compressor b: arguments=3 must be a table",
        ),
        ("[project]\nname = 'a'\nrequires = 'torch'", "project.requires='torch' must be a list"),
        ("defaults = 3\n[project]\nname = 'a'", "[defaults] must be a table"),
        ("compressor = [3]\n[project]\nname = 'a'", "no [[compressor]] is there"),
        ("[project", "Expected"),
    ],
)
def test_a_suite_that_says_something_unknown_is_one_error_with_exit_code_2(boundcheck, tmp_path, text, words):
    path = tmp_path / "suite.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        read_suite(path)
    assert words in str(caught.value)
    assert boundcheck("audit", str(path)).code == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--peers", "nowhere"), "peers='nowhere' is no folder"),
        (("--time-limit", "0"), "time-limit"),
        (("--resolution", "1"), "resolution"),
        (("--jobs", "0"), "jobs"),
    ],
)
def test_an_option_that_does_not_fit_is_one_error(boundcheck, options, words):
    run = boundcheck("audit", "squant", *options)
    assert run.code == 2
    assert words in run.err


def test_an_unknown_suite_names_ours(boundcheck):
    run = boundcheck("audit", "nothing")
    assert run.code == 2
    assert "is no file, and none of ours: " in run.err


@pytest.mark.parametrize("path", sorted(SUITES.glob("*.toml")), ids=lambda path: path.stem)
def test_our_suites_are_read_and_name_their_upstream(path):
    suite = read_suite(path.stem)
    assert suite.project.url.startswith("https://")
    assert suite.project.commit
    for entry in suite.entries:
        assert entry.expect in ("consistent", "violated", "refused", "not_run", "inconclusive")
        if entry.adapter:
            assert callable(load(entry.adapter))
