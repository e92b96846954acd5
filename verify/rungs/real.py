"""What checks hand to a rung must be real: numpy drops imaginary parts with a warning."""

from typing import Any

from verify.errors import CheckError


def require_real(what: str, *values: Any) -> None:
    """Refuse complex numbers, such as eigenvalues of a matrix that is not symmetric.

    Args:
        what: Which values they are, for the message.
        values: Numbers, arrays or lists of them.

    Raises:
        CheckError: One of them is complex, whatever its imaginary part.
    """
    import numpy as np

    if any(np.iscomplexobj(item) for item in values):
        raise CheckError(f"{what} are complex; hand over real numbers, such as real parts or moduli")
