"""Which data sets a figure needs."""

from verify.figures.catalogue import module_of


def missing_data(name: str) -> tuple[str, ...]:
    """Return the LIBSVM sets that a figure needs (`NEEDS` of its module) and that are not at hand."""
    from impl.problems.data.libsvm import available

    needed = getattr(module_of(name), "NEEDS", ())
    if not needed:
        return ()
    found = {entry.dataset.name for entry in available() if entry.path is not None}
    return tuple(item for item in needed if item not in found)
