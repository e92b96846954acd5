"""`boundcheck plan`: the table, one JSON document, and one line for each error."""

import pytest

import theory

TINY = ("--problem", "quadratic:4", "--accuracy", "0.1")


def test_the_table_names_methods_claims_and_what_was_asked(boundcheck, monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")
    found = boundcheck("plan", *TINY, "--link", "lora51")
    assert (found.code, found.err) == (0, "")
    for text in ("predicted bits", "CAT-S", "cat/cost-bound", "DIANA", "1 node, d = 4"):
        assert text in found.out
    assert "measured" not in found.out


def test_json_is_one_document_with_claims_that_exist(boundcheck):
    found = boundcheck("plan", *TINY, "-n", "3", "--json")
    assert found.code == 0
    document = found.document
    assert document["problem"]["n"] == 3
    assert document["problem"]["d"] == 4
    assert document["unit"] == "bits"
    known = {entry.id for entry in theory.entries()}
    for method in document["methods"]:
        assert set(method["claims"]) <= known
        nested = method["method"].startswith("NDQSG")  # for which no bound holds on every problem
        assert method["predicted_cost"] is None if nested else method["predicted_cost"] > 0
        assert method["status"] == "not measured"
        assert method["measured_cost"] is None


def test_run_tells_its_progress_and_measures_no_more_than_was_predicted(boundcheck):
    found = boundcheck("plan", *TINY, "--run", "--rounds", "300", "--json")
    methods = found.document["methods"]
    assert f"{len(methods)} of {len(methods)}: " in found.err
    reached = [item for item in methods if item["status"] == "reached"]
    assert len(reached) >= 5
    for item in reached:
        assert item["measured_cost"] <= item["predicted_cost"] * (1 + 1e-9), item


@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_narrow_terminal_has_every_word_of_the_ranking(boundcheck, monkeypatch, width):
    found = {}
    for columns in (width, 250):
        monkeypatch.setenv("COLUMNS", str(columns))
        out = boundcheck("plan", *TINY, "-n", "3").out
        found[columns] = out.partition("\n\n")[0]
    assert max(map(len, found[width].splitlines())) <= width
    assert set(found[250].split()) - {"claims", "note"} <= set(found[width].replace(":", "").split())


def test_other_formats_print_the_table_alone(boundcheck):
    lines = boundcheck("plan", *TINY, "--format", "markdown").out.splitlines()
    assert lines[0].startswith("| method | predicted bits | rounds |")
    assert all(line.startswith("| ") for line in lines)


def test_run_shows_what_it_measured_and_what_did_not_arrive(boundcheck, monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")
    found = boundcheck("plan", "--problem", "quadratic:4", "--accuracy", "1e-6", "--run", "--rounds", "3")
    assert found.code == 0
    assert "measured rounds" in found.out
    assert "not reached in 3" in found.out


def test_least_squares_is_another_problem(boundcheck):
    first, second = (
        boundcheck("plan", "--accuracy", "0.1", "--loss", loss, "--json").document["problem"]
        for loss in ("logistic", "least-squares")
    )
    assert first["L"] != second["L"]


def test_airtime_is_in_milliseconds(boundcheck):
    assert boundcheck("plan", *TINY, "--link", "lora-airtime", "--json").document["unit"] == "ms"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--link", "smoke-signals"), "choose one of payload"),
        (("--link", "loopback"), "link='loopback' costs nothing"),
        (("--link", "packet:0,5"), "payload_bits=0"),
        (("--loss", "hinge"), "logistic"),
        (("--problem", "a9a"), "BOUNDCHECK_DATA"),
        (("--accuracy", "2"), "between 0 and 1"),
        (("--ridge", "0"), "strongly convex"),
        (("--nodes", "0"), "x>=1"),
        (("--nodes", "1000"), "at most 569"),
        (("--rounds", "0"), "1<=x"),
        (("--seed", "-1"), "x>=0"),
    ],
)
def test_an_error_is_one_line_and_exit_code_2(boundcheck, monkeypatch, arguments, message):
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    found = boundcheck("plan", *arguments)
    assert found.code == 2
    assert message in found.err
    assert found.err.startswith("Error: ")
    assert found.err.count("\n") == 1
    assert not found.out
    assert message in boundcheck("plan", *arguments, "--json").document["error"]


def test_help_names_the_links(boundcheck):
    found = boundcheck("plan", "--help")
    assert found.code == 0
    for name in ("6lowpan", "lora-airtime", "affine:C1,C0", "--run"):
        assert name in found.out


def test_run_over_processes_is_measured_by_the_clock(boundcheck, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    link = ("--link", "10Mbit,5ms", "-n", "2")
    document = boundcheck("plan", *TINY, *link, "--run", "--engine", "tcp", "--json").document
    by_status = {}
    for item in document["methods"]:
        by_status.setdefault(item["status"], []).append(item)
    assert set(by_status) == {"reached", "later than a faster one", "has no processes"}
    for item in by_status["reached"]:
        assert item["measured_rounds"] == item["trial_rounds"]
        # A round cannot take less than twice the delay.
        assert item["measured_cost"] >= 0.01 * item["measured_rounds"]
    assert list(tmp_path.glob(".boundcheck/runs/*.jsonl"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--link", "1Mbit,10ms", "--engine", "tcp"), "engine='tcp' runs processes; give --run too"),
        (
            ("--link", "lora51", "--run", "--engine", "tun"),
            "engine='tun' needs a real link; give --link RATE",
        ),
    ],
)
def test_processes_need_a_run_over_a_real_link(boundcheck, options, words):
    found = boundcheck("plan", *TINY, *options)
    assert found.code == 2
    assert words in found.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--seed", "5"], "--seed changes nothing where nothing runs, without --run; leave it out"),
        (["--rounds", "5"], "--rounds changes nothing where nothing runs"),
        (["--tier", "fused"], "--tier changes nothing where nothing runs"),
        (["--run", "--link", "1Mbit", "--tier", "fused"], "--tier changes nothing on a real link"),
        (["--split", "label"], "--split changes nothing for a quadratic, which has no rows"),
        (["--loss", "least-squares"], "--loss changes nothing for a quadratic"),
    ],
)
def test_options_without_effect_are_refused(boundcheck, arguments, words):
    found = boundcheck("plan", *TINY, *arguments)
    assert found.code == 2
    assert words in found.err


def test_rows_are_split_as_asked(boundcheck):
    assert boundcheck("plan", "--problem", "breast-cancer", "--split", "label").code == 0


def test_an_interrupted_run_keeps_its_table_and_its_exit_code(boundcheck, monkeypatch):
    from verify.planning import ranked

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(ranked, "_measured", interrupt)
    found = boundcheck("plan", *TINY, "--run", "--format", "csv")
    assert found.code == 130
    assert "interrupted" in found.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--accuracy", "5e-324"], "accuracy=5e-324 must be between 0 and 1, at least 1e-100, such as 1e-3"),
        (["--ridge", "1e50", "--problem", "breast-cancer"], "has to be sent: give a smaller ridge"),
        (["--link", "wire:1,1e308,1e308"], "overhead=1e+308 must be at most 1000000000000000 bits"),
        (["--run", "--rounds", str(10**20)], "is not in the range 1<=x<=10000000"),
    ],
    ids=lambda item: " ".join(item)[:30] if isinstance(item, list) else "",
)
def test_sizes_out_of_all_bounds_are_one_line(boundcheck, arguments, words):
    found = boundcheck("plan", *TINY, *arguments)
    assert found.code == 2
    assert words in found.err
    assert found.err.count("\n") == 1


@pytest.mark.parametrize("ridge", ["1e-50", "1e50"])
@pytest.mark.parametrize("link", ["affine:1e50,1e-50", "affine:1e-50,1e50", f"wire:{10**15},{10**15},1e50"])
def test_the_bounds_of_sizes_are_inside(boundcheck, ridge, link):
    found = boundcheck("plan", *TINY, "--accuracy", "1e-100", "--ridge", ridge, "--link", link, "-n", "2")
    assert found.code == 0, found.err
