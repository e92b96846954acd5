"""pytest's own fixture for testing plugins, and how often the garbage collector runs."""

import gc

pytest_plugins = ["pytester"]


def pytest_configure():
    """Look for cycles rarely, as `verify` does: formulas are trees of many small objects that live long."""
    gc.set_threshold(200_000, 20, 20)
