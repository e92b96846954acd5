"""Methods by words, and the steps that the theory gives them."""

import numpy as np
import pytest

from impl.communication import PRESETS
from impl.matrix_roots import MatrixRoots
from impl.wires import Session
from impl.wires.transports.inprocess import run_in_process
from verify.errors import UsageError
from verify.planning.problems import problem
from verify.planning.setting import Setting
from verify.wires.link_runs import left_course
from verify.wires.methods import FORMS, choice, halves

ALL = [name + (f":{form}" if form else "") for name, forms in FORMS.items() for form in forms or ("",)]

COMPARED = 100
"""Rounds that are made again: what is drawn differs in the first ones."""


def levels_of(text):
    """Enough of them for rates that are not slow: four entries of seven."""
    return 20 if "dqsg" in text else 4 if text.endswith("rand_k") else 1


def setting(n=3, accuracy=0.05):
    return Setting(problem("quadratic:7", n, 0.2), PRESETS["payload"], accuracy)


@pytest.mark.parametrize("text", ALL)
def test_every_method_reaches_the_accuracy(text):
    # The steps of several nodes with memory are small: what they differ by stays in the memories.
    made = setting(1 if text.startswith("memory_gd") else 3)
    levels = levels_of(text)
    found = halves(made, choice(text, levels=levels), (1, 2))
    least = made.problem.objective(made.problem.solution)
    run = run_in_process(
        found.server,
        found.workers,
        Session({}),
        rounds=300 if text == "ndqsg" else 3000,
        until=lambda x: made.problem.objective(x) - least <= made.target,
    )
    assert run.status == "done"
    if text != "ndqsg":  # the nodes differ too much for nested messages: no bound is known for them
        assert 0 < len(run.rounds) < 3000
    first = min(len(run.rounds), COMPARED)
    for seeds in ((1, 2), (1, 3)):
        other = halves(made, choice(text, levels=levels), seeds)
        again = run_in_process(other.server, other.workers, Session({}), rounds=first)
        if seeds == (1, 2):
            assert left_course(again, run) == ""
        elif text != "gd" and not text.startswith("memory_gd"):  # nothing is drawn there
            assert left_course(again, run) != ""


@pytest.mark.parametrize("text", ALL)
def test_workers_hold_their_own_part_only(text):
    made = setting()
    found = halves(made, choice(text, levels=levels_of(text)), (1, 2))
    x = np.linspace(0, 1, 7)
    for i, worker in enumerate(found.workers):
        assert worker.part.n == 1
        np.testing.assert_allclose(worker.part.gradients(x)[0], made.problem.gradients(x)[i], rtol=1e-13)
    assert not hasattr(found.server, "part")


def test_steps_are_those_of_the_claims():
    made = setting()
    assert halves(made, choice("gd"), (1, 2)).step_size == pytest.approx(1 / made.L)
    from verify.experiments.squant.methods import method_of

    for name in ("dcgd", "diana", "dcgd_plus", "diana_plus"):
        form = "varying" if name.endswith("plus") else "standard"
        own = method_of(made.problem, name, form, 2 * 7**0.5, constant="paper")
        found = halves(made, choice(name, levels=2.0), (1, 2))
        if name.startswith("diana"):
            assert found.step_size == pytest.approx(own.step_size, rel=1e-14)
        else:  # without shifts noise stays at the solution: half of the accuracy is left to it
            roots = MatrixRoots.of_nodes(made.problem.smoothness)
            at = made.problem.gradients(made.problem.solution)
            scaled = (
                roots.apply_pseudo_inverse_root(at)
                if own.roots
                else at / made.problem.L_nodes[:, None] ** 0.5
            )
            noise = own.compression.variance_constants @ (scaled**2).sum(axis=-1)
            most = made.squared_target * made.mu * made.n**2 / (4 * noise)
            assert most < own.step_size
            assert found.step_size == pytest.approx(most, rel=1e-9)
        assert (own.learning_rate or None) == getattr(found.workers[0], "learning_rate", None)


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("sgd", {}, "METHOD='sgd' is unknown; choose one of gd, dcgd, dcgd_plus:varying|block"),
        ("gd:fast", {}, "METHOD='gd:fast' has an unknown form; choose gd alone"),
        ("marina:", {}, "METHOD='marina:' has an unknown form; choose marina:perm_k, marina:correlated"),
        ("gd", {"levels": 0.0}, "levels=0.0 must be positive"),
        ("diana", {"levels": float("nan")}, "levels=nan must be positive"),
        ("memory_gd", {"levels": 1.5}, "levels=1.5, the number of largest entries, must be a whole number"),
        (
            "diana:",
            {},
            "METHOD='diana:' has an unknown form; choose diana:natural, diana:tern_grad, diana:rand_k",
        ),
        (
            "marina:rand_k",
            {"levels": 1.5},
            "levels=1.5, the number of random entries, must be a whole number",
        ),
        ("dqsg", {"levels": 1.5}, "levels=1.5 of a dithered quantizer must be a whole number"),
        ("marina", {"probability": 0.0}, "probability=0.0 must be in"),
        ("marina", {"probability": 1.5}, "probability=1.5 must be in"),
    ],
)
def test_what_is_no_method_is_named(text, options, words):
    with pytest.raises(UsageError) as caught:
        choice(text, **options)
    assert words in str(caught.value)


def test_no_more_entries_than_there_are():
    with pytest.raises(UsageError, match="sends levels=8 entries of d=7; give at most 7"):
        halves(setting(), choice("memory_gd:top_k", levels=8.0), (1, 2))
    assert halves(setting(), choice("memory_gd:top_k", levels=7.0), (1, 2)).workers
    for name in ("averaged_gd", "diana", "marina"):
        with pytest.raises(UsageError, match=f"METHOD='{name}:rand_k' sends levels=8 entries of d=7"):
            halves(setting(), choice(f"{name}:rand_k", levels=8.0), (1, 2))


def test_random_entries_have_as_many_bytes_as_numbers():
    for name in ("averaged_gd", "diana", "marina"):
        found = halves(setting(), choice(f"{name}:rand_k", levels=3.0, probability=0.1), (1, 2))
        run = run_in_process(found.server, found.workers, Session({}), rounds=9)
        sent = {item.longest for item in run.rounds}
        # Numbers, 12 bytes or 28 of whole gradients, a checksum of four and a length of one or two.
        assert sent == ({17, 34} if name == "marina" else {17})


def test_steps_of_unbiased_messages_are_those_of_the_claims():
    made = setting()
    q = 7 / 4 - 1
    found = halves(made, choice("diana:rand_k", levels=4.0), (1, 2))
    assert found.step_size == pytest.approx(1 / (made.L + 6 * q * made.L_max / 3), rel=1e-12)
    assert found.workers[0].learning_rate == pytest.approx(1 / (1 + q), rel=1e-12)
    constants, p = made.constants, 0.2
    found = halves(made, choice("marina:rand_k", levels=4.0, probability=p), (1, 2))
    smallest = constants.L_minus + (2 * (1 - p) / p * q / 3) ** 0.5 * constants.L_plus
    assert found.step_size == pytest.approx(min(1 / smallest, p / (2 * made.mu)), rel=1e-12)


@pytest.mark.parametrize("text", ["ndqsg", "marina:perm_k", "marina:correlated"])
def test_methods_that_need_two_workers(text):
    with pytest.raises(UsageError, match="needs at least two workers; give -n 2"):
        halves(setting(1), choice(text), (1, 2))
    assert halves(setting(1), choice("marina:independent"), (1, 2)).workers
