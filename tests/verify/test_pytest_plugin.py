"""The pytest plugin in a foreign project."""

import importlib
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from verify import compressor_check
from verify.binding import Check
from verify.context import MASTER_SEED
from verify.rungs import montecarlo
from verify.rungs.exact import ExactCase

COMPRESSORS = """
import numpy as np
import pytest

def dithering(x, rng):
    s = np.abs(x).max(axis=-1, keepdims=True) / 4
    low = np.floor(x / s)
    return s * (low + (rng.random(x.shape) < x / s - low))
"""


@pytest.fixture(scope="module", autouse=True)
def loaded():
    """Load everything now: pytester unloads what an inner run imports first, and numpy loads only once."""
    for name in (
        "verify.judging.judgement",
        "verify.records.sources",
        "verify.rungs.exact",
        "impl.problems.data.libsvm",
        "threadpoolctl",
    ):
        importlib.import_module(name)
    compressor_check.check_compressor(lambda x, rng: x, d=2, omega=0.0, unbiased=True)


@pytest.fixture
def project(pytester, registry, make_claim, make_check, monkeypatch):
    """Return a foreign project whose pytest runs in this process, so that the claims can be made up."""
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    # Fewer samples than a user takes: a function in Python costs microseconds for each.
    monkeypatch.setattr(compressor_check, "SAMPLES", 4096)
    monkeypatch.setattr(montecarlo, "MAX_BATCHES", 30)
    registry((make_claim(), [make_check()]))
    return pytester


def run(project, *options):
    # Without the plugins of others, which pytester would load anew each time.
    without = [f"-pno:{name}" for name in ("cacheprovider", "hypothesispytest", "benchmark", "anyio")]
    return project.runpytest_inprocess(*without, *options)


def marked(project, pattern="fake/*", argument="", body="pass"):
    project.makepyfile(f"""
        import pytest

        @pytest.mark.boundcheck("{pattern}")
        def test_claims({argument}):
            {body}
    """)


@pytest.mark.parametrize(
    ("argument", "body"),
    [
        ("", "pass"),
        ("boundcheck_claim", "assert boundcheck_claim.verdict == 'holds' and boundcheck_claim.records"),
    ],
    ids=["without", "with"],
)
def test_one_item_per_claim_with_or_without_the_fixture(
    project, registry, make_claim, make_check, argument, body
):
    registry((make_claim("one"), [make_check()]), (make_claim("two"), [make_check()]))
    marked(project, argument=argument, body=body)
    result = run(project, "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_claims?fake/one? PASSED*", "*test_claims?fake/two? PASSED*"])
    result.stdout.fnmatch_lines(["*= boundcheck =*", "fake/one: holds, bound 0.5, bound / value 2, *"])


def test_seed_and_level_are_printed_before_anything_runs(project):
    marked(project)
    run(project).stdout.fnmatch_lines(
        [f"boundcheck: 1 claims, seed {MASTER_SEED}, profile quick, level 1e-09 per test"]
    )


def test_a_project_that_does_not_use_it_sees_nothing_of_it(project):
    project.makepyfile("def test_nothing(): pass")
    result = run(project)
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*boundcheck:*")
    result.stdout.no_fnmatch_line("*= boundcheck =*")


def test_a_violated_claim_fails_with_its_witness(project, registry, make_claim, make_check):
    registry((make_claim(), [make_check(value=Fraction(3, 4))]))
    marked(project)
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "fake/one is violated: (a) exact/half: 'half' fails at half: half: value 3/4 exceeds 1/2*",
            "*witness of exact/half: *'x': ?1, 2?*",
        ]
    )


def test_an_untested_claim_fails(project, registry, make_claim, make_check):
    registry((make_claim(), [make_check(wrong=Fraction(1, 4))]))
    marked(project)
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["fake/one is untested: *mutant 'wrong' survives*"])


def test_an_undecided_claim_is_skipped_and_fails_when_strict(
    project, registry, make_claim, make_check, monkeypatch
):
    registry((make_claim(), [make_check(), make_check("real-data", needs="phishing")]))
    monkeypatch.setenv("BOUNDCHECK_DATA", str(project.path))
    marked(project, body="raise AssertionError('the body of an undecided test must not run')")
    result = run(project, "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*real-data not run: data set 'phishing'*"])
    run(project, "--boundcheck-strict").assert_outcomes(failed=1)


def test_the_verdict_does_not_replace_the_body(project):
    marked(project, argument="boundcheck_claim", body="assert boundcheck_claim.tightness < 2")
    run(project).assert_outcomes(failed=1)


def test_seed_and_profile_reach_the_judge(project, registry, make_claim, make_check):
    registry((make_claim(), [make_check(), make_check("long", profile="full")]))
    body = "print([(r['seed'], r['profile'], r['instance']) for r in boundcheck_claim.records])"
    marked(project, argument="boundcheck_claim", body=body)
    result = run(project, "-s", "--boundcheck-seed", "5", "--boundcheck-profile", "full")
    result.stdout.fnmatch_lines(["*(5, 'full', 'half'), (5, 'full', 'long')*"])
    run(project, "-s").stdout.fnmatch_lines([f"*({MASTER_SEED}, 'quick', 'half')*"])


@pytest.mark.parametrize(
    ("marker", "words"),
    [
        ('boundcheck("fake/onee")', "unknown claim 'fake/onee'; did you mean fake/one*"),
        ("boundcheck", "marker boundcheck needs a claim id or pattern*"),
        ("boundcheck()", "marker boundcheck needs a claim id or pattern*"),
        (
            'boundcheck(profile="full")',
            "marker boundcheck has no argument profile=; give --boundcheck-profile*",
        ),
    ],
)
def test_a_marker_that_names_no_claim_fails_that_one_test(project, marker, words):
    project.makepyfile(f"""
        import pytest

        @pytest.mark.{marker}
        def test_claims():
            raise AssertionError("not reached")

        @pytest.mark.boundcheck("fake/one")
        def test_others():
            pass
    """)
    result = run(project)
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines([words])
    result.stdout.no_fnmatch_line("*not reached*")


def test_what_a_marker_names_beside_it_is_judged(project):
    project.makepyfile("""
        import pytest

        @pytest.mark.boundcheck("fake/one", "fake/onee", 7)
        def test_claims():
            pass
    """)
    result = run(project, "-v")
    result.assert_outcomes(failed=2, passed=1)
    result.stdout.fnmatch_lines(
        ["*test_claims?fake/one? PASSED*", "*test_claims?fake/onee? FAILED*", "*test_claims?7? FAILED*"]
    )
    result.stdout.fnmatch_lines(["claim=7 must be a claim id or pattern, a string"])


def test_the_fixture_without_the_marker_is_an_error(project):
    project.makepyfile("def test_claims(boundcheck_claim): pass")
    result = run(project)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*boundcheck_claim needs the marker*"])


def test_other_parameters_multiply(project):
    project.makepyfile("""
        import pytest

        @pytest.mark.parametrize("size", [1, 2])
        @pytest.mark.boundcheck("fake/*")
        def test_claims(size, boundcheck_claim):
            assert boundcheck_claim.verdict == "holds"
    """)
    run(project).assert_outcomes(passed=2)


def test_a_claim_that_several_tests_name_is_judged_once(project, registry, make_claim, make_check):
    made = make_check()
    ran = []

    def compare():
        ran.append("again")
        return made.base.compare()

    registry((make_claim(), [Check("exact", "half", ExactCase(compare), made.parameters, made.mutants)]))
    project.makepyfile("""
        import pytest

        @pytest.mark.boundcheck("fake/one")
        def test_first(boundcheck_claim):
            assert boundcheck_claim.verdict == "holds"

        @pytest.mark.boundcheck("fake/*")
        def test_second(boundcheck_claim):
            assert boundcheck_claim.verdict == "holds"
    """)
    run(project).assert_outcomes(passed=2)
    assert ran == ["again"]


# ---------------------------------------------------------------- check_compressor


def test_a_correct_compressor_passes(project):
    project.makepyfile(
        COMPRESSORS
        + """
def test_mine(check_compressor):
    report = check_compressor(dithering, d=8, unbiased=True, omega=8 / 64)
    assert report.verdict == "consistent"
"""
    )
    run(project).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    "call",
    ["dithering, d=8, omega=0.02", "lambda x, rng: 0.8 * dithering(x, rng), d=8, unbiased=True, omega=0.5"],
    ids=["omega-too-small", "biased"],
)
def test_a_wrong_compressor_fails_with_its_counterexample(project, call):
    project.makepyfile(
        COMPRESSORS
        + f"""
def test_mine(check_compressor):
    check_compressor({call})
    raise AssertionError("not reached")
"""
    )
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*: violated*", "*counterexample: {'x': ?*"])
    result.stdout.no_fnmatch_line("*not reached*")


def test_an_undecided_compressor_fails_with_the_remedy_unless_it_is_to_be_skipped(project):
    project.makepyfile(
        COMPRESSORS
        + """
def test_mine(check_compressor):
    check_compressor(dithering, d=8, unbiased=True, samples=64)
"""
    )
    failed = run(project)
    failed.assert_outcomes(failed=1)
    failed.stdout.fnmatch_lines(["*raise time_limit= or samples=*"])
    run(project, "--boundcheck-skip-undecided").assert_outcomes(skipped=1)


# ---------------------------------------------------------------- what is reported


def test_properties_go_into_junit_xml(project, registry, make_claim, make_check):
    registry((make_claim("one"), [make_check()]), (make_claim("two"), [make_check(value=Fraction(3, 4))]))
    project.makepyfile(
        COMPRESSORS
        + """
@pytest.mark.boundcheck("fake/*")
def test_claims():
    pass

def test_mine(check_compressor):
    check_compressor(dithering, d=4, omega=1 / 16)
"""
    )
    run(project, "--junitxml=report.xml").assert_outcomes(passed=2, failed=1)
    cases = {}
    for case in ElementTree.parse(project.path / "report.xml").iter("testcase"):
        cases[case.get("name")] = {item.get("name"): item.get("value") for item in case.iter("property")}
    one, two, mine = cases["test_claims[fake/one]"], cases["test_claims[fake/two]"], cases["test_mine"]
    assert one["boundcheck_claim"] == "fake/one"
    assert (one["boundcheck_verdict"], two["boundcheck_verdict"]) == ("holds", "violated")
    assert float(one["boundcheck_bound"]) == 0.5
    assert float(one["boundcheck_ratio"]) == 2.0
    assert float(one["boundcheck_alpha"]) == 0.0
    assert mine["boundcheck_verdict"] == "consistent"
    # Four tests of the mean squared error.
    assert 0 < float(mine["boundcheck_alpha"]) <= 1e-6


def test_every_compressor_of_one_test_is_reported(project):
    project.makepyfile(
        COMPRESSORS
        + """
def test_mine(check_compressor):
    check_compressor(dithering, d=4, omega=1 / 16)
    check_compressor(lambda x, rng: x, d=4, omega=0.0)
"""
    )
    result = run(project)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["<function dithering>: consistent*", "<function *<lambda>>: consistent*"])


def test_the_marker_and_options_are_documented(pytester):
    pytester.runpytest_inprocess("--markers").stdout.fnmatch_lines(["@pytest.mark.boundcheck(*"])
    pytester.runpytest_inprocess("--help").stdout.fnmatch_lines(
        ["*--boundcheck-profile=*", "*--boundcheck-seed=*", "*--boundcheck-strict*"]
    )
