"""pytest's own fixture for testing plugins."""

pytest_plugins = ["pytester"]
