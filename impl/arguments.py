"""What kind of number an argument is."""

import numpy as np


def is_real(value: object) -> bool:
    """Tell whether an argument is a real number; a truth value is none."""
    return isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)


def is_count(value: object) -> bool:
    """Tell whether an argument is a whole number of at least one."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and bool(value >= 1)
