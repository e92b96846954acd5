"""Golden numbers of the specification for the joint choice of several nodes."""

import pytest

import theory
from verify.cat.finding_local_rule import LINKS as LOCAL_LINKS
from verify.cat.finding_local_rule import RULES as LOCAL_RULES
from verify.cat.finding_local_rule import compare as compare_local
from verify.cat.finding_local_rule import local_size
from verify.cat.mn_joint_rule import LINKS, RULES, Link, best_size, compare_choice, efficiency, stated_size
from verify.evaluation import evaluate

CLAIM = theory.claim("cat/mn-joint-rule")
MANY = Link(1024, 16, 10)


def test_optimum():
    # Twelve digits are printed.
    assert evaluate(CLAIM.formulas["optimum"], MANY.values) == pytest.approx(26.1278905897, rel=1e-11)
    assert stated_size(MANY) == best_size(MANY) == 26


def test_gain():
    gain = evaluate(CLAIM.formulas["gain"], {**MANY.values, "T": 26})
    assert gain == pytest.approx(8.45010215307, rel=1e-11)
    assert float(efficiency(MANY, 26) / efficiency(MANY, 1024)) == pytest.approx(8.45010215307, rel=1e-11)


def test_one_node_sends_everything():
    assert best_size(Link(1024, 1, 10)) == stated_size(Link(1024, 1, 10)) == 1024


@pytest.mark.parametrize(("n", "right", "wrong"), [(2, 101, 72), (16, 26, 25)])
def test_n_for_n_minus_one(n, right, wrong):
    link = Link(1024, n, 10)
    assert stated_size(link) == right
    assert stated_size(link, RULES["n-for-n-minus-one"]) == wrong


@pytest.mark.parametrize("name", ["n-for-n-minus-one", "local-as-joint"])
def test_mutants_are_rejected(name):
    assert any(item.excess for item in compare_choice(RULES[name]))


def test_every_node_alone_picks_all_entries():
    assert all(local_size(link)[0] == link.d for link in LOCAL_LINKS)


def test_loss_of_the_local_rule():
    loss = theory.claim("cat/finding-local-rule").exact
    # At the continuous optimum it is a little more than with 26 entries.
    found = evaluate(loss, MANY.values)
    assert 8.45010215307 < found < 8.4503
    assert all(evaluate(loss, link.values) <= link.n for link in LINKS if link.n > 1)


@pytest.mark.parametrize("name", ["one-node", "local-agrees"])
def test_mutants_of_the_finding_are_rejected(name):
    assert any(item.excess for item in compare_local(LOCAL_RULES[name]))
