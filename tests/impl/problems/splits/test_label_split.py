import numpy as np

from impl.problems import label_sorted_split


def test_many_rows_of_one_label_keep_their_order():
    # Of a few rows every sort of numpy keeps the order; of 300 only a stable one does.
    labels = np.resize([1, -1, -1, 1, -1], 300)
    parts, signs = label_sorted_split(np.arange(300.0)[:, None], labels, 3)
    expected = sorted(range(300), key=lambda k: labels[k])
    assert parts[..., 0].ravel().tolist() == expected
    assert signs.ravel().tolist() == [labels[k] for k in expected]
