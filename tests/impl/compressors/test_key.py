"""Keys of a round: what is accepted, and one error for everything else."""

import pytest

from impl.compressors import Key
from impl.errors import ArgumentError


@pytest.mark.parametrize("seed", [3, None, (1,), (1, 2, 3), {1, 2}])
def test_a_seed_is_two_integers(seed):
    with pytest.raises(ArgumentError, match=r"Key: seed=.* must be two integers in \[0, 2\*\*64\)"):
        Key(seed, 0, 0)


def test_all_problems_are_named_at_once():
    with pytest.raises(ArgumentError) as error:
        Key((1, "a"), -1, 2**64, tensor=0.5)
    for part in ("seed='a'", "worker=-1", "iteration=18446744073709551616", "tensor=0.5"):
        assert f"{part} must be an integer in [0, 2**64)" in str(error.value)
    with pytest.raises(ArgumentError, match=r"seed=3(?s:.)*worker=-1"):
        Key(3, -1, 0)


def test_every_field_changes_digest_and_stream():
    keys = [Key((1, 2), 3, 4), Key((2, 1), 3, 4), Key((1, 2), 4, 4), Key((1, 2), 3, 5), Key((1, 2), 3, 4, 1)]
    assert len({key.digest() for key in keys}) == len(keys)
    assert len({key.generator().random() for key in keys}) == len(keys)
