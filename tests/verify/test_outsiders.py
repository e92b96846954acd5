"""A paper in a package of its own: found, judged by every worker, stale after an edit, broken in one line."""

import json
import os
import subprocess
import sys

import pytest

BROKEN = {
    "syntax": ("quarter", "def derive(K):", "def derive(K:", "quarter.py: line "),
    "kind": ("quarter", 'kind="upper"', 'kind="uper"', "theory/quarter.py: kind='uper' must be one of"),
    "provenance": ("quarter", 'provenance="derived"', 'provenance="made up"', "provenance='made up'"),
    "position": ("quarter", "position=1,", "position=first,", "position= of CLAIM must be a literal"),
    "no position": ("quarter", "    position=1,\n", "", "position= must be a literal"),
    "id": ("quarter", 'id="mine/quarter"', 'id="mine/third"', "id='mine/third' must end with"),
    "name": (
        "quarter",
        "CLAIM = Claim(",
        "CLAIMS = Claim(",
        "line 12: CLAIMS = Claim( must be CLAIM = Claim(",
    ),
    "paper of the id": ("quarter", 'id="mine/quarter"', 'id="yours/quarter"', "must start with 'mine/'"),
    "head": ("quarter", 'kind="upper"', 'kind="upper', "the head of CLAIM does not parse"),
    "relation": ("quarter", "(a: quarter)", "(a: third)", "unknown relation 'third'"),
    "evidence": ("quarter", " [proof; ", " (proof; ", "part '(a: quarter)"),
    "import": ("quarter", "from sympy import", "from sumpy import", "No module named 'sumpy'"),
}


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """Return a folder with a paper of two claims, as `boundcheck new` writes them."""
    folder = tmp_path_factory.mktemp("outside")
    for arguments in (("new", "paper", "mine"), ("new", "claim", "mine/another")):
        assert run(folder, *arguments).returncode == 0
    return folder


@pytest.fixture
def project(written, tmp_path):
    """Return a copy of it that a test may change."""
    for path in written.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            target = tmp_path / path.relative_to(written)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    return tmp_path


def environment_with(variables):
    return {name: value for name, value in os.environ.items() if name != "BOUNDCHECK_CLAIMS"} | variables


def run(folder, *arguments, **variables):
    """Run a command in a process of its own; `quick` runs it in a fork of one that is warm."""
    return subprocess.run(
        [sys.executable, "-m", "boundcheck", *arguments],
        cwd=folder,
        env=environment_with(variables),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def quick(warm_boundcheck):
    def run(folder, *arguments, **variables):
        return warm_boundcheck(folder, *arguments, environment=environment_with(variables))

    return run


def listed(run, folder, pattern="mine/*", **variables):
    found = run(folder, "list", pattern, "--json", **variables)
    return json.loads(found.stdout)


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_it_is_judged_like_ours(project, quick, jobs):
    done = (quick if jobs == "1" else run)(
        project, "verify", "mine/*", "--claims", "mine", "--jobs", jobs, "--json"
    )
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert [item["id"] for item in document["claims"]] == ["mine/quarter", "mine/another"]
    assert {(item["verdict"], item["grade"]) for item in document["claims"]} == {("holds", "proof")}
    assert {item["mutants_rejected"] for item in document["claims"]} == {1}


def test_every_verb_finds_it(project, quick):
    assert quick(project, "verify", "mine/quarter", "--claims", "mine").returncode == 0
    named = {"BOUNDCHECK_CLAIMS": "mine"}
    (mine, other) = listed(quick, project, **named)["claims"]
    assert (mine["verdict"], mine["stale"], other["verdict"]) == ("holds", False, "not_run")
    assert mine["parts"] == {"a": "holds"}
    shown = quick(project, "show", "mine/quarter", "--claims", "mine", "--proof")
    assert shown.returncode == 0, shown.stderr
    assert "p*(1 - p) <= 1/4" in shown.stdout
    assert quick(project, "prove", "mine/quarter", "--claims", "mine").returncode == 0
    cited = quick(project, "cite", "mine/quarter", "--claims", "mine")
    assert cited.returncode == 0, cited.stderr
    assert "mine/quarter@" in cited.stdout
    identifier = cited.stdout.strip().rpartition("record: ")[2]
    again = run(project, "replay", identifier, "--claims", "mine")
    assert again.returncode == 0, again.stdout + again.stderr


@pytest.mark.parametrize("name", ["theory/quarter.py", "verify/quarter.py", "paper.py", "__init__.py"])
def test_records_are_stale_after_an_edit_of_its_own_files(project, quick, name):
    quick(project, "verify", "mine/quarter", "--claims", "mine")
    path = project / "mine" / name
    path.write_text(path.read_text() + "\n# another byte\n")
    (mine, _) = listed(quick, project, BOUNDCHECK_CLAIMS="mine")["claims"]
    assert mine["stale"]


def test_it_may_pin_what_its_checks_compare(project, quick):
    pinned = quick(project, "pin", "--comparisons", "full", "mine/quarter", "--claims", "mine")
    assert (pinned.returncode, pinned.stdout) == (0, "mine/quarter: pinned\n"), pinned.stderr
    alone = quick(project, "verify", "mine/another", "--claims", "mine", "--json")
    told = "is not pinned; read it, then `boundcheck pin --comparisons quick mine/another --claims mine`"
    assert told in alone.stdout
    quick(project, "pin", "--comparisons", "full", "mine/another", "--claims", "mine")
    checks = project / "mine" / "verify" / "quarter.py"
    edit(checks, "F(7, 8), F(1)]", "F(7, 8)]")
    done = quick(project, "verify", "mine/*", "--claims", "mine")
    assert "'exact/mean' at exact/enumerated has count 4, pinned is 5" in done.stdout
    assert "1 holds, 1 untested" in done.stdout
    edit(checks, 'law.exactly("bound")', 'law.exactly("exact", p=p) / 2')
    refused = quick(project, "pin", "--comparisons", "quick", "mine/quarter", "--claims", "mine")
    assert (refused.returncode, refused.stdout) == (3, "mine/quarter: not pinned\n")


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_a_broken_claim_is_one_line_and_the_others_run(project, quick, name):
    stem, old, new, words = BROKEN[name]
    edit(project / "mine" / "theory" / f"{stem}.py", old, new)
    done = quick(project, "verify", "mine/*", "--claims", "mine", "--jobs", "1", "--json")
    document = json.loads(done.stdout)
    assert done.returncode == 3, done.stderr
    assert [(item["id"], item["verdict"]) for item in document["claims"]] == [("mine/another", "holds")]
    (line,) = document["problems"]
    assert words in line
    assert "\n" not in line
    assert "quarter.py" in line
    alone = quick(project, "verify", "mine/quarter", "--claims", "mine")
    assert alone.returncode == 2
    assert words in alone.stderr
    assert "Traceback" not in alone.stderr


def test_a_paper_in_the_working_folder_is_named_to_who_forgets_it(project, quick):
    done = quick(project, "verify", "mine/*")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "a paper in the folder mine, which is here, is found by `--claims mine`" in done.stderr


def test_what_does_not_parse_is_told_of_the_file_where_it_stands(project, quick):
    with (project / "mine" / "paper.py").open("a") as file:
        file.write("x = (\n")
    done = quick(project, "verify", "mine/quarter", "--claims", "mine")
    assert done.returncode == 2
    assert f"mine/theory/quarter.py: {project / 'mine' / 'paper.py'}, line " in done.stderr
    assert "'(' was never closed" in done.stderr


@pytest.mark.parametrize("pinned", [True, False])
@pytest.mark.parametrize("pattern", ["mine/quarter", "mine/q*", "other/quarter"])
def test_a_paper_of_another_name_than_its_claims_say_is_told(project, quick, pattern, pinned):
    edit(project / "mine" / "paper.py", 'name="mine"', 'name="other"')
    if not pinned:
        (project / "mine" / "theory" / "pins.json").unlink()
    done = quick(project, "verify", pattern, "--claims", "mine")
    assert done.returncode == 2
    assert done.stderr == (
        "Error: mine/theory/quarter.py: id='mine/quarter' must start with 'other/', as name= in paper.py; "
        "correct one of them\n"
    )


def test_broken_checks_are_one_line_and_the_others_run(project, quick):
    edit(project / "mine" / "verify" / "quarter.py", "from fractions", "from fraction")
    done = quick(project, "verify", "mine/*", "--claims", "mine", "--jobs", "1", "--json")
    document = json.loads(done.stdout)
    assert done.returncode == 3, done.stderr
    assert [item["verdict"] for item in document["claims"]] == ["not_run", "holds"]
    assert "No module named 'fraction'" in document["claims"][0]["reasons"][0]
    for verb in (["show", "--full"], ["pin", "--comparisons", "quick"]):
        done = quick(project, verb[0], "mine/quarter", "--claims", "mine", *verb[1:])
        assert done.returncode == 2
        assert done.stderr.startswith("Error: checks in mine.verify.quarter cannot be used: ModuleNotFound")


def test_two_claims_of_one_id(project, quick):
    topic = project / "mine" / "theory" / "topic"
    topic.mkdir()
    (topic / "__init__.py").write_text("")
    (topic / "quarter.py").write_text((project / "mine" / "theory" / "quarter.py").read_text())
    document = listed(quick, project, BOUNDCHECK_CLAIMS="mine")
    assert [item["id"] for item in document["claims"]] == ["mine/another"]
    assert "'mine/quarter' is used twice" in document["problems"][0]


def test_a_topic_has_checks_of_its_own(project, quick):
    for kind in ("theory", "verify"):
        topic = project / "mine" / kind / "topic"
        topic.mkdir()
        (topic / "__init__.py").write_text("")
        (project / "mine" / kind / "quarter.py").rename(topic / "quarter.py")
    assert quick(project, "verify", "mine/quarter", "--claims", "mine").returncode == 0


@pytest.mark.parametrize(
    ("package", "words"),
    [
        ("nowhere", "package 'nowhere': there is no such package"),
        ("json", "json/paper.py: is missing"),
        ("os", "package 'os': 'os' is a module, not a package"),
        ("alone", "package 'alone': 'alone' is a module, not a package"),
        ("mine.paper", "'mine.paper' is a module, not a package"),
        ("not a name", "must be the name of a package"),
    ],
)
def test_a_package_that_is_no_paper_is_one_line(project, package, words):
    (project / "alone.py").write_text("raise RuntimeError('imported')\n")
    done = run(project, "list", "squant/var", BOUNDCHECK_CLAIMS=package)
    assert done.returncode == 3
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert "squant/var" in done.stdout
    done = run(project, "list", "squant/var", "--claims", package)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: --claims: ")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "verb", ["verify", "cite", "prove", "show", "pin", "report", "export", "badge", "replay"]
)
def test_a_wrong_package_ends_a_verb_before_it_runs(project, quick, verb):
    done = quick(project, verb, "squant/var", "--claims", "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "Error: --claims: package 'nowhere': there is no such package; install it, or go to its folder\n"
    )
    assert not (project / ".boundcheck").exists()


def test_a_paper_of_a_taken_name_is_one_line(project, quick):
    edit(project / "mine" / "paper.py", 'name="mine"', 'name="squant"')
    done = quick(project, "list", "squant/var", "--claims", "mine")
    assert done.returncode == 2
    assert "name='squant' is the name of the paper in theory.squant.paper" in done.stderr


def test_a_package_is_not_imported_to_list_its_claims(project):
    (project / "mine" / "__init__.py").write_text("raise RuntimeError('imported')\n")
    assert len(listed(run, project, BOUNDCHECK_CLAIMS="mine")["claims"]) == 2
    done = run(project, "verify", "mine/*", "squant/paper*", "--claims", "mine")
    assert done.returncode == 2
    done = run(project, "verify", "mine/quarter", "--claims", "mine")
    assert done.returncode == 2
    assert "RuntimeError: imported" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("value", "works"), [("mine", True), ("mine:PAPER", False), ("gone", False)])
def test_an_entry_point_names_it(project, value, works):
    info = project / "site" / "mine-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[boundcheck.papers]\nmine = {value}\n")
    done = run(project, "list", "--json", PYTHONPATH=str(info.parent))
    document = json.loads(done.stdout)
    assert done.returncode == (0 if works else 3)
    assert any(item["id"] == "mine/quarter" for item in document["claims"]) == works
    assert any("entry point 'mine'" in line for line in document["problems"]) != works
