"""Mistakes of users of the pytest plugin are short, and none is passed over."""

import pytest


def test_a_package_that_is_not_there_is_a_usage_error_before_collection(pytester):
    pytester.makepyfile("raise AssertionError('collected')")
    done = pytester.runpytest_subprocess("--boundcheck-claims", "nope")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["ERROR: --boundcheck-claims: package 'nope': there is no such package*"])
    done.stdout.no_fnmatch_line("*collected*")


def test_a_seed_or_a_folder_that_cannot_be_used_is_a_usage_error(pytester):
    pytester.makepyfile("raise AssertionError('collected')")
    pytester.path.joinpath("file").write_text("")
    for option, told in {
        "--boundcheck-seed=-1": "ERROR: --boundcheck-seed=-1 must be an integer from 0 to 2[*][*]63 - 1",
        "--boundcheck-records=file/x": "ERROR: --boundcheck-records=file/x must be a folder that*",
    }.items():
        done = pytester.runpytest_subprocess(option)
        assert done.ret == pytest.ExitCode.USAGE_ERROR
        done.stderr.fnmatch_lines([told])


def test_mistakes_in_a_call_show_the_line_of_the_test_and_none_of_ours(pytester):
    pytester.makepyfile("""
        def test_nan(check_compressor):
            check_compressor(lambda x, rng: x * float("nan"), d=4, omega=1.0)

        def test_mistyped(check_compressor):
            check_compressor(lambda x, rng: x, d=4, omga=1.0)

        def test_missing(check_compressor):
            check_compressor(lambda x, rng: x)

        def test_nothing_claimed(check_compressor):
            check_compressor(lambda x, rng: x, d=4)

        def test_raises(check_compressor):
            check_compressor(lambda x, rng: 1 / 0, d=4, omega=1.0)
    """)
    done = pytester.runpytest_subprocess("-pno:cacheprovider")
    done.assert_outcomes(failed=5)
    done.stdout.fnmatch_lines(
        [
            "E *C(x)?0? = nan is not finite at x=*",
            "E *there is no argument omga=; did you mean omega=?",
            "E *missing a required *argument: 'd'",
            "E *check_compressor: nothing to check*",
            "*lambda x, rng: 1 / 0*",  # the line of the compressor that raised
            "E *ZeroDivisionError: division by zero",
            "E *a call raised ZeroDivisionError: division by zero*",
        ]
    )
    done.stdout.no_fnmatch_line("*adapter.py*")
    done.stdout.no_fnmatch_line("*pytest_plugin.py*")
