"""Comparisons that no mutant of their claim needs: each rejects a fault all the same."""

from verify.cat import greedy_competitive, packet_candidates


def failed(comparisons):
    """Return the labels of the comparisons that fail, without numbers."""
    return {item.label.lstrip("0123456789: ").rstrip("0123456789 ") for item in comparisons if item.excess}


def test_with_parts_of_entries_in_packets_there_is_more_than_one_peak(monkeypatch):
    assert failed(packet_candidates.compare_whole_ratios()) == set()
    monkeypatch.setattr(packet_candidates, "WHOLE_RATIOS", packet_candidates.PACKETS[2:3])
    assert failed(packet_candidates.compare_whole_ratios()) == {"one peak"}


def test_the_smallest_entries_first_take_too_little_off_the_excess():
    instances = greedy_competitive.random_instances(40)
    assert failed(greedy_competitive.compare_messages(instances, greedy_competitive.STATED)) == set()
    rule = greedy_competitive.RULES["smallest-first"]
    assert "excess after message" in failed(greedy_competitive.compare_messages(instances, rule))
