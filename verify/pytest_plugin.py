"""pytest plugin: judge claims by id and check compressors, in this project or any other.

    @pytest.mark.boundcheck("squant/*")
    def test_claims():
        '''One test item per claim; it fails when a claim is violated or untested.'''

    def test_mine(check_compressor):
        check_compressor(MyQuantizer(), d=64, unbiased=True, omega=3.0)

Nothing of boundcheck is imported before a test asks for it.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from verify.judging.verdicts import ClaimResult
    from verify.reporting.compressor_report import CompressorReport

_FIXTURE = "boundcheck_claim"
_RESULT: "pytest.StashKey[ClaimResult]" = pytest.StashKey()
_PROBLEM: "pytest.StashKey[str]" = pytest.StashKey()
_PROPERTIES = ("claim", "verdict", "bound", "ratio", "alpha")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, all beginning with `--boundcheck-`."""
    group = parser.getgroup("boundcheck", "bounds of communication-compressed optimization")
    group.addoption(
        "--boundcheck-profile",
        choices=["quick", "full"],
        default="quick",
        help="Profile of claims judged by marker.",
    )
    group.addoption(
        "--boundcheck-claims",
        action="append",
        default=[],
        metavar="PACKAGE",
        help="Package with a paper of your own; may be repeated.",
    )
    group.addoption(
        "--boundcheck-records",
        default=None,
        metavar="DIR",
        help="Folder of records that are kept: what has not changed is not judged again.",
    )
    group.addoption(
        "--boundcheck-seed", type=int, default=None, metavar="N", help="Master seed [default: fixed]."
    )
    group.addoption(
        "--boundcheck-skip-undecided",
        action="store_true",
        help="Skip a test whose `check_compressor` decides nothing; it fails otherwise.",
    )
    group.addoption(
        "--boundcheck-strict", action="store_true", help="Fail on inconclusive verdicts instead of skipping."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, so that strict markers accept it, and name the packages of papers.

    Raises:
        pytest.UsageError: A package that is named cannot be used: tests of `*` would pass without its claims.
            Or a folder of records outside is written so that pytest does not find its configuration, or
            cannot be written. Or the seed is negative.
    """
    _check_folder(config)
    _check_seed(config)
    config.addinivalue_line(
        "markers", "boundcheck(claim_or_pattern, ...): judge these claims, one test item for each"
    )
    packages = config.getoption("boundcheck_claims")
    if packages:
        from theory.reading.roots import unusable, use

        problems = unusable(packages)
        if problems:
            raise pytest.UsageError(f"--boundcheck-claims: {'; '.join(problems)}")
        use(packages)


def _check_folder(config: pytest.Config) -> None:
    """Raise where pytest takes the folder of records, which it does not know yet, for a place of tests.

    Its root and configuration are then those of the folders above both, usually none.
    """
    given, folder = config.invocation_params, config.getoption("boundcheck_records")
    option = "--boundcheck-records"
    if not folder or hasattr(config, "workerinput"):
        return
    if option in given.args and not (given.dir / folder).resolve().is_relative_to(given.dir.resolve()):
        raise pytest.UsageError(
            f"{option} {folder} is outside of {given.dir}: pytest would take it for a place of tests and "
            f"pass over your configuration; write {option}={folder}"
        )
    try:
        (given.dir / folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise pytest.UsageError(
            f"{option}={folder} must be a folder that can be written ({error.strerror or error}); "
            "name another one"
        ) from error


def _check_seed(config: pytest.Config) -> None:
    seed = config.getoption("boundcheck_seed")
    if seed is not None and not 0 <= seed < 2**63:
        raise pytest.UsageError(f"--boundcheck-seed={seed} must be an integer from 0 to 2**63 - 1")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test item per claim of a marked function, whether or not it asks for the result."""
    marker = metafunc.definition.get_closest_marker("boundcheck")
    if marker is None:
        return
    chosen = list(_chosen(marker.args) if not marker.kwargs else _unknown(marker.kwargs))
    if _FIXTURE not in metafunc.fixturenames:
        metafunc.fixturenames.append(_FIXTURE)
    metafunc.parametrize(
        _FIXTURE, chosen, ids=[getattr(item, "named", item) for item in chosen], indirect=True
    )


@dataclass(frozen=True)
class _Problem:
    """What is wrong with what a marker names: it fails that one test, not the collection."""

    named: str
    text: str


def _unknown(keywords: Mapping[str, Any]) -> Iterator[_Problem]:
    """Yield that a marker has no keywords: one that is passed over would be believed."""
    for name in keywords:
        remedy = f"give --boundcheck-{name} to pytest" if name in ("profile", "seed") else "leave it out"
        yield _Problem(name, f"marker boundcheck has no argument {name}=; {remedy}")


def _chosen(patterns: tuple[Any, ...]) -> "Iterator[str | _Problem]":
    """Yield the claims that a marker names, and what is wrong with the rest of its arguments."""
    from theory.errors import ClaimFileError, UnknownClaimError
    from verify.running.selection import select_entries

    usable, problems = [], []
    for pattern in patterns:
        try:
            if not isinstance(pattern, str):
                raise UnknownClaimError(f"claim={pattern!r} must be a claim id or pattern, a string")
            select_entries(pattern)
        except (UnknownClaimError, ClaimFileError) as error:
            problems.append(_Problem(str(pattern), str(error)))
        else:
            usable.append(pattern)
    if usable:
        yield from (entry.id for entry in select_entries(usable))
    yield from problems
    if not patterns:
        remedy = 'for example @pytest.mark.boundcheck("squant/var")'
        yield _Problem("no-claim", f"marker boundcheck needs a claim id or pattern, {remedy}")


def pytest_report_collectionfinish(config: pytest.Config, items: list[pytest.Item]) -> list[str]:
    """Print seed and level before anything runs, where a test uses them."""
    used = [item for item in items if item.get_closest_marker("boundcheck") is not None]
    if not used:
        return []
    from verify.outcome import ALPHA

    profile = config.getoption("boundcheck_profile")
    return [
        f"boundcheck: {len(used)} claims, seed {_seed(config)}, profile {profile}, level {ALPHA:g} per test"
    ]


@pytest.fixture
def boundcheck_claim(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> "ClaimResult | None":
    """Return the result of the claim that the marker names; None where it names none, and the test fails."""
    if not hasattr(request, "param"):
        raise pytest.UsageError(f"fixture {_FIXTURE} needs the marker @pytest.mark.boundcheck(CLAIM)")
    if isinstance(request.param, _Problem):
        request.node.stash[_PROBLEM] = request.param.text
        return None
    from verify.outcome import ALPHA
    from verify.running.runner import verify

    folder = _records_folder(request.config, tmp_path_factory)
    with _one_at_a_time(folder, request.param):
        report = verify(
            request.param,
            profile=request.config.getoption("boundcheck_profile"),
            seed=_seed(request.config),
            out=folder,
            resume=True,
        )
    (result,) = report.claims
    values = (result.claim.id, result.verdict, result.bound, result.tightness, report.tests * ALPHA)
    _record(request.node, dict(zip(_PROPERTIES, values, strict=True)))
    request.node.stash[_RESULT] = result
    return result


def _records_folder(config: pytest.Config, factory: pytest.TempPathFactory) -> Path:
    """Return the folder that is named, else one that all workers of this run of pytest share."""
    named = config.getoption("boundcheck_records")
    base = factory.getbasetemp()
    shared = base.parent if hasattr(config, "workerinput") else base
    folder = config.invocation_params.dir / named if named else shared / "boundcheck"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def _one_at_a_time(folder: Path, claim_id: str) -> Iterator[None]:
    """Let one process judge a claim while others that need it wait, and then take its records."""
    try:
        import fcntl
    except ImportError:  # not on Windows: there each judges for itself
        yield
        return
    with (folder / f"{claim_id.replace('/', '.')}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(autouse=True)
def _judge_marked_claim(request: pytest.FixtureRequest) -> None:
    """Judge the claim of a marked test that does not ask for the result itself."""
    if request.node.get_closest_marker("boundcheck") is not None:
        request.getfixturevalue(_FIXTURE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail or skip by the verdict before the body of the test runs, so that it counts as the test's own."""
    __tracebackhide__ = True
    if _PROBLEM in item.stash:
        pytest.fail(item.stash[_PROBLEM], pytrace=False)
    result = item.stash.get(_RESULT, None)
    if result is not None:
        text = f"{result.claim.id} is {result.verdict}: " + "; ".join(result.reasons)
        if result.verdict in ("violated", "untested"):
            pytest.fail(f"{text}{_counterexamples(result)}", pytrace=False)
        if result.verdict not in ("holds", "consistent") or result.undecided:
            _undecided(item.config, text)
    return (yield)


@pytest.fixture
def check_compressor(request: pytest.FixtureRequest) -> "Callable[..., CompressorReport]":
    """Return a function like `verify.check_compressor` that fails the test with the counterexample.

    It fails, too, where nothing is decided, unless `--boundcheck-skip-undecided` asks to skip then.
    """

    def check(compressor: Any, **arguments: Any) -> "CompressorReport":
        __tracebackhide__ = True
        from verify.compressor_check import check_compressor as judge
        from verify.errors import UsageError

        _require_arguments(judge, compressor, arguments)
        try:
            report = judge(compressor, **arguments)
        except UsageError as error:  # the line of the test and one of ours; what the compressor raised stays
            raise error.with_traceback(None) from error.__cause__
        values = (report.compressor, report.verdict, report.bound, report.tightness, report.alpha)
        _record(request.node, dict(zip(_PROPERTIES, values, strict=True)))
        if report.verdict == "violated":
            pytest.fail(str(report), pytrace=False)
        if report.verdict not in ("holds", "consistent"):
            if request.config.getoption("boundcheck_skip_undecided"):
                pytest.skip(str(report))
            pytest.fail(
                f"{report}\nnothing was decided: raise time_limit= or samples=, or a coarser resolution; "
                "--boundcheck-skip-undecided skips such tests",
                pytrace=False,
            )
        return report

    return check


def _require_arguments(judge: Callable[..., Any], compressor: Any, arguments: dict[str, Any]) -> None:
    """Refuse arguments that the function does not take, with the one that is near."""
    __tracebackhide__ = True
    import inspect
    from difflib import get_close_matches

    signature = inspect.signature(judge)
    for name in arguments:
        if name not in signature.parameters:
            near = get_close_matches(name, signature.parameters, n=1)
            hint = f"did you mean {near[0]}=?" if near else f"it has {', '.join(signature.parameters)}"
            raise TypeError(f"check_compressor: there is no argument {name}=; {hint}")
    try:
        signature.bind(compressor, **arguments)
    except TypeError as error:
        raise TypeError(f"check_compressor: {error}") from None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print one line per judged claim or compressor; the properties travel with pytest-xdist."""
    rows = []
    for outcome in ("passed", "failed", "skipped"):
        for report in terminalreporter.getreports(outcome):
            if report.when == "call":
                rows += _judged(getattr(report, "user_properties", ()))
    if not rows:
        return
    terminalreporter.section("boundcheck")
    for claim, verdict, bound, ratio, alpha in rows:
        close = f", bound {bound:.6g}, bound / value {ratio:.6g}" if ratio else ""
        terminalreporter.write_line(f"{claim}: {verdict}{close}, false-alarm probability at most {alpha:.3g}")


def _judged(properties: Iterable[tuple[str, Any]]) -> list[list[Any]]:
    """Return the properties of each claim or compressor that one test has judged."""
    rows: list[list[Any]] = []
    for name, value in properties:
        if name == f"boundcheck_{_PROPERTIES[0]}":
            rows.append([])
        if name.startswith("boundcheck_"):
            rows[-1].append(value)
    return rows


def _seed(config: pytest.Config) -> int:
    from verify.context import MASTER_SEED

    seed = config.getoption("boundcheck_seed")
    return MASTER_SEED if seed is None else int(seed)


def _record(node: pytest.Item, values: dict[str, Any]) -> None:
    """Put the values into the properties of the test, hence into junit XML."""
    node.user_properties.extend((f"boundcheck_{name}", value) for name, value in values.items())


def _undecided(config: pytest.Config, text: str) -> None:
    if config.getoption("boundcheck_strict"):
        pytest.fail(text, pytrace=False)
    pytest.skip(text)


def _counterexamples(result: "ClaimResult") -> str:
    found = [record for record in result.records if record["verdict"] == "violated"]
    return "".join(f"\n  witness of {item['rung']}/{item['instance']}: {item['witness']}" for item in found)
