"""What every split of a data set over nodes has in common."""

import numpy as np
import pytest

from impl.errors import ArgumentError
from impl.problems import contiguous_split, label_sorted_split, scaled_split

pytestmark = pytest.mark.parametrize("split", [contiguous_split, label_sorted_split, scaled_split])


def test_all_mistakes_at_once(split):
    with pytest.raises(ArgumentError) as error:
        split(np.ones((5, 2)), [0, 1, 2], 9, storage="csc")
    message = str(error.value)
    assert message.startswith(split.__name__)
    for word in ("labels of shape (3,)", "-1 or +1", "n=9", "storage='csc'", "auto"):
        assert word in message


@pytest.mark.parametrize("n", [0, 6, 2.0, True])
def test_wrong_number_of_nodes(split, n):
    with pytest.raises(ArgumentError, match=r"between 1 and the number of rows, 5"):
        split(np.ones((5, 2)), [1, 1, -1, 1, 1], n)
