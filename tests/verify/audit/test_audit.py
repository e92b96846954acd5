"""`boundcheck audit` on stand-ins: suites, how they call, verdicts, table, page, exit codes."""

import json
import sys

import pytest

from verify.audit.calling import MissingCodeError, compressor_of, load
from verify.audit.judging import Finding, judge_entry, judge_suites
from verify.audit.results import (
    claim_in_words,
    exit_code,
    input_in_short,
    short_reason,
    summary,
    table,
    verdict_in_words,
)
from verify.audit.suite import Entry, Project, read_suite
from verify.errors import UsageError

STAND_INS = '''
import os
import numpy as np


class Message:
    def __init__(self, data):
        self.data = data


class Half:
    """Keeps each entry with probability p and states its constant, times a factor."""

    def __init__(self, p, seed=0, factor=1.0):
        self.p, self.factor, self.generator = p, factor, np.random.default_rng(seed)

    def omega(self):
        return self.factor * (1 / self.p - 1)

    def compress(self, x):
        return Message(np.where(self.generator.random(len(x)) < self.p, x / self.p, 0.0))


class Part:
    """Node `rank` sends its part of the entries, times n."""

    def __init__(self, n, rank, seed):
        self.n, self.rank, self.seed = n, rank, seed

    def constants(self):
        return 1, 1

    def compress(self, x):
        owner = np.random.default_rng(self.seed).permutation(np.arange(len(x)) % self.n)
        return np.where(owner == self.rank, self.n * x, 0.0)


class Marina:
    def make(self, k, d):
        self.k, self.d = k, d

    def vector(self, x):
        kept = np.zeros_like(x)
        at = np.random.permutation(self.d)[: self.k]
        kept[at] = self.d / self.k * x[at]
        return "bits", kept


class TopK:
    def __init__(self, k):
        self.k = k

    def compress(self, tensor, name):
        at = np.argsort(-np.abs(tensor))[: self.k]
        return [tensor[at]], (at, tensor.shape)

    def decompress(self, tensors, ctx):
        found = np.zeros(ctx[1])
        found[ctx[0]] = tensors[0]
        return found


class Residual:
    def __init__(self, beta=1.0):
        self.residuals, self.beta = {}, beta

    def compensate(self, tensor, name):
        return tensor + self.beta * self.residuals.get(name, np.zeros_like(tensor))

    def update(self, tensor, name, compressor, tensors, ctx):
        self.residuals[name] = tensor - compressor.decompress(tensors, ctx)


def dies(x):
    os._exit(7)


def raises(x):
    raise KeyError("scale")


def identity(x):
    return x.copy()


def adapted(target, by):
    return lambda x, rng: by * target(x)


def quantized(x):
    return np.rint(x * 4).astype(int), 0.25


def restored(levels, step):
    return levels * step
'''


@pytest.fixture
def peers(tmp_path, monkeypatch):
    """A folder with the code of somebody else, under a module name of its own for each test."""
    (tmp_path / "theirs").mkdir()
    module = f"stand_in_{tmp_path.name}"
    (tmp_path / "theirs" / f"{module}.py").write_text(STAND_INS)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path, module
    sys.modules.pop(module, None)


THEIRS = Project("theirs", folder="theirs")
QUICK = {"resolution": 0.2, "samples": 2**11}


def found(peers, **entry):
    folder, module = peers
    entry = {"name": "one", "d": 16} | entry
    for key in ("object", "memory", "adapter", "restore"):
        if ":" in entry.get(key, ""):
            entry[key] = entry[key].replace("M:", f"{module}:")
    return judge_entry(THEIRS, Entry(**entry), folder, QUICK)


def test_claims_that_an_object_states_are_judged_with_fresh_seeds(peers):
    how = {"object": "M:Half", "call": "compress", "result": "data", "seed": "seed"}
    claims = {"unbiased": True, "omega": "omega"}
    right = found(peers, arguments={"p": 0.5}, claims=claims, **how)
    assert right.verdict == "consistent", right
    assert right.claims == {"unbiased": True, "omega": 1.0}
    wrong = found(peers, arguments={"p": 0.5, "factor": 0.8}, claims=claims, **how)
    assert wrong.verdict == "violated"
    assert len(wrong.witness["x"]) == 16
    again = found(peers, arguments={"p": 0.5}, claims=claims, object="M:Half", call="compress", result="data")
    assert again.verdict == "refused"  # one generator for all calls
    assert "two calls with equal inputs and equal seeds differ" in again.reason


def test_nodes_share_a_seed_and_know_their_rank(peers):
    how = {"object": "M:Part", "call": "compress", "seed": "seed", "rank": "rank", "n": 4}
    how |= {"arguments": {"n": 4}}
    assert found(peers, claims={"unbiased": True, "ab": "constants"}, **how).verdict == "consistent"
    assert found(peers, claims={"unbiased": True, "ab": [0.5, 0.5]}, **how).verdict == "violated"


def test_methods_set_an_instance_up_and_a_place_of_the_result_is_the_vector(peers):
    how = {"object": "M:Marina", "then": {"make": [4, 16]}, "call": "vector", "result": 1}
    assert found(peers, claims={"unbiased": True, "omega": 3.0}, **how).verdict == "consistent"
    assert found(peers, claims={"omega": 2.5}, **how).verdict == "violated"


def test_what_a_function_returns_is_restored(peers):
    how = {"object": "M:quantized", "restore": "M:restored"}
    assert found(peers, claims={"scale_equivariant": "all"}, **how).verdict == "violated"


def test_a_compressor_with_its_memory_is_judged_as_a_sequence(peers):
    how = {"object": "M:TopK", "arguments": {"k": 4}, "memory": "M:Residual"}
    right = found(peers, claims={"contraction": 0.25}, **how)
    assert right.verdict == "consistent", right
    wrong = found(peers, memory_arguments={"beta": 0.9}, **how)
    assert wrong.verdict == "violated"
    assert wrong.reason.startswith("nothing is lost: at step 2")


def test_an_adapter_makes_the_compressor(peers):
    how = {"object": "M:identity", "adapter": "M:adapted"}
    assert found(peers, arguments={"by": 1.0}, claims={"lossless": True}, **how).verdict == "consistent"
    assert found(peers, arguments={"by": 0.5}, claims={"lossless": True}, **how).verdict == "violated"


def test_faults_and_what_is_not_there_are_verdicts_of_their_own(peers):
    raised = found(peers, object="M:raises", claims={"omega": 1.0})
    assert raised.verdict == "refused"
    assert "raised KeyError" in short_reason(raised)
    assert short_reason(raised) == "compressor: a call raised KeyError: 'scale'"  # no input of 16 numbers
    assert found(peers, object="M:nothing", claims={"omega": 1.0}).verdict == "not_run"
    without = found(peers, object="M:Half", claims={"omega": 1.0})
    assert (without.verdict, exit_code([without])) == ("mistake", 2)
    assert "cannot be made" in without.reason
    for entry, words in [
        ({"claims": {"omega": -1.0}}, "omega=-1.0 must be"),
        ({"claims": {"omega": "size"}}, "claims.omega='size' is what it states itself, and cannot be had"),
        ({"then": {"make": [4]}, "claims": {"omega": 1.0}}, "then= cannot be done"),
        ({"call": "vectr", "claims": {"omega": 1.0}}, "call='vectr' is no method of Marina"),
    ]:
        wrong = found(peers, object="M:Marina", **entry)
        assert wrong.verdict == "mistake"
        assert words in wrong.reason
    folder, module = peers
    entry = Entry("one", f"{module}:identity", claims={"lossless": True})
    for project, where, words in [
        (Project("theirs", folder="elsewhere", url="somewhere"), folder, "elsewhere is not below"),
        (THEIRS, None, "BOUNDCHECK_PEERS names no folder with the code of theirs"),
        (
            Project("theirs", folder="theirs", requires=("no_such_module",)),
            folder,
            "no_such_module is not installed",
        ),
    ]:
        missing = judge_entry(project, entry, where, {})
        assert missing.verdict == "not_run"
        assert words in missing.reason
        assert not missing.as_expected  # nothing was confirmed
        assert exit_code([missing]) == 3
        assert verdict_in_words(missing) == "not run"


def test_what_needs_something_may_not_run(peers):
    missing = found(peers, object="M:nothing", note="needs nothing", claims={"omega": 1.0})
    assert (missing.verdict, missing.as_expected) == ("not_run", True)


def test_a_part_of_ours_that_is_missing_is_a_mistake(peers):
    for adapter in ("verify.audit.adapters.seeded:Nothing", "verify.audit.adapters.nothing:SameSeed"):
        wrong = found(peers, object="M:identity", adapter=adapter, claims={"lossless": True})
        assert (wrong.verdict, exit_code([wrong])) == ("mistake", 2)
        assert "it would be a part of boundcheck" in wrong.reason
    gone = found(peers, object="M:quantized", restore="M:nothing", claims={"lossless": True})
    assert gone.verdict == "not_run"  # and not a call that raises


def test_another_reason_than_the_expected_one_is_not_as_expected(peers):
    how = {"object": "M:raises", "claims": {"omega": 1.0}, "expect": "refused"}
    assert found(peers, expect_reason="raised KeyError", **how).as_expected
    other = found(peers, expect_reason="is not finite", **how)
    assert (other.as_expected, exit_code([other])) == (False, 1)
    assert verdict_in_words(other) == "refused (refused for 'is not finite' was expected)"


SUITE = """
[project]
name = "theirs"
url = "somewhere"
commit = "1234"
folder = "theirs"

[defaults]
d = 16
resolution = 0.2

[[compressor]]
name = "right"
object = "MODULE:identity"
claims = { lossless = true }
source = "line 1"

[[compressor]]
name = "wrong"
object = "MODULE:identity"
claims = { contraction = 0.5 }
source = "line 2"
expect = "EXPECT"

[[compressor]]
name = "dies"
object = "MODULE:dies"
claims = { omega = 1.0 }
source = "line 3"
expect = "inconclusive"
expect_reason = "its process died"
"""


def written(peers, expect="consistent"):
    folder, module = peers
    path = folder / "suite.toml"
    path.write_text(SUITE.replace("MODULE", module).replace("EXPECT", expect))
    return path


def test_a_suite_is_judged_in_processes_and_one_that_dies_takes_only_itself(peers):
    told = []
    suite = read_suite(written(peers))
    found = judge_suites([suite], peers=peers[0], jobs=2, progress=told.append)
    assert [item.verdict for item in found] == ["consistent", "consistent", "inconclusive"]
    assert "its process died" in found[2].reason
    assert {item.entry.name for item in told} == {"right", "wrong", "dies"}
    assert summary(found) == "3 entries of 1 projects: 2 consistent, 1 inconclusive"
    assert exit_code(found) == 0


@pytest.mark.parametrize(("expect", "code"), [("consistent", 0), ("violated", 1)])
def test_the_verb_prints_a_table_writes_a_page_and_tells_by_its_exit_code(
    boundcheck, peers, tmp_path, expect, code
):
    path = written(peers, expect)
    out = tmp_path / "page"
    plain = boundcheck(
        "audit", str(path), "--peers", str(peers[0]), "--format", "markdown", "--html", str(out)
    )
    assert plain.code == code
    assert "| theirs | right | lossless=True | consistent |" in plain.out
    assert ("(violated was expected)" in plain.out) == (code == 1)
    page = (out / "index.html").read_text()
    assert "theirs: dies" in page
    assert "line 3" in page
    assert "1234" in page
    assert (out / "static" / "site.css").is_file()


def test_a_folder_that_is_no_report_is_refused_before_anything_is_judged(boundcheck, peers, tmp_path):
    out = tmp_path / "mine"
    out.mkdir()
    (out / "thesis.tex").write_text("all of it")
    run = boundcheck("audit", str(written(peers)), "--peers", str(peers[0]), "--html", str(out))
    assert run.code == 2
    assert f"html={str(out)!r} is a folder with files that are no report" in run.err
    assert "choose another one with --html DIR" in run.err
    assert "theirs: right" not in run.err


def test_json_holds_everything(boundcheck, peers):
    run = boundcheck("audit", str(written(peers)), "--peers", str(peers[0]), "--json")
    document = json.loads(run.out)
    assert [item["verdict"] for item in document["findings"]] == ["consistent", "consistent", "inconclusive"]
    assert document["findings"][0]["entry"]["source"] == "line 1"


def test_without_the_code_of_others_nothing_runs_and_the_exit_code_says_so(boundcheck, monkeypatch):
    monkeypatch.delenv("BOUNDCHECK_PEERS", raising=False)
    run = boundcheck("audit", "squant")
    assert run.code == 3
    assert "BOUNDCHECK_PEERS names no folder" in " ".join(run.out.split())


def test_a_missing_object_is_told_from_one_that_raises():
    with pytest.raises(MissingCodeError, match="nothing is not there"):
        load("json:nothing")
    with pytest.raises(UsageError, match="nothing is not there"):
        load("verify.audit.suite:nothing")
    with pytest.raises(UsageError, match="cannot be made"):
        compressor_of(Entry("one", "verify.audit.suite:Entry", arguments={"nothing": 1}))


def test_the_table_has_a_row_for_each():
    finding = Finding(
        "theirs", Entry("one", "a:b", expect="violated"), "consistent", "all well", None, {}, 1.0
    )
    assert table([finding]).rows == (
        ("theirs", "one", "nothing is lost", "consistent (violated was expected)", "", ""),
    )
    ours = Entry("one", "a:b", claims={"contraction": 0.5}, source="our constant: 1 / d")
    assert claim_in_words(Finding("theirs", ours, "consistent", "", None, {}, 1.0)) == (
        "contraction=0.5 (our constant)"
    )
    assert input_in_short([0.0] * 3 + [1 / 3]) == "3 times 0, 0.3333"
    assert input_in_short([[1.0, 1.0]] * 4) == "4 nodes: 2 times 1"
    assert input_in_short([float(i) for i in range(9)]) == "0, 1, 2, 3, …"
    assert exit_code([finding]) == 1
