"""The campaign against encoded messages, a small one; docs/power.md has the large one."""

import numpy as np

from impl.compressors import wire
from tools.damage import campaign, damaged


def test_no_wrong_message_is_decoded_silently():
    found = campaign(7000, 5)  # so many that the rarest kind, of joint messages only, comes a hundred times
    assert found.silent == []
    assert sum(found.refused.values()) == sum(found.trials.values()) == 7000
    assert len(found.trials) == 14
    assert min(found.trials.values()) > 100
    assert set(found.refused) == {"MessageError", "ArgumentError", "CorruptMessage", "DesyncError"}


def test_without_checksum_some_are(monkeypatch):
    monkeypatch.setattr(wire, "_checksum", lambda data: bytes(4))
    assert campaign(1500, 5, strict=False).silent


def test_without_a_seal_of_the_shared_draws_some_are(monkeypatch):
    seal = wire._seal
    monkeypatch.setattr(wire, "_seal", lambda agreed: seal({**agreed, "shared": bytes(16)}))
    assert {kind for kind, _ in campaign(6000, 5).silent} == {"other shared draws"}


def test_of_a_joint_message_the_word_of_its_round_is_needed(monkeypatch):
    monkeypatch.setattr("impl.compressors.joint.joint_message.key_word", lambda key: bytes(4))
    monkeypatch.setattr("impl.compressors.joint.joint_protocol.key_word", lambda key: bytes(4))
    kinds = {kind for kind, _ in campaign(6000, 5).silent}
    assert kinds == {"another round"}


def test_damage_is_damage():
    rng, data = np.random.default_rng(0), bytes(range(12))
    kinds = set()
    for _ in range(500):
        kind, changed = damaged(rng, data, data)
        kinds.add(kind)
        assert changed != data
    assert len(kinds) == 9
