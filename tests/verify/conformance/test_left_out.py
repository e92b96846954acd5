"""The table of what may be left out has all public calls."""

import inspect

from impl import adaptive, communication, compressors, networks, optimizers, problems, protocol, wires
from verify.conformance.left_out import LEFT_OUT

PACKAGES = (adaptive, communication, compressors, networks, optimizers, problems, protocol, wires)


def _defaults(made):
    values = (item.default for item in inspect.signature(made).parameters.values())
    return [value for value in values if value not in (None, inspect.Parameter.empty)]


def test_all_public_calls_with_defaults_are_in_the_table():
    public = [getattr(package, name) for package in PACKAGES for name in package.__all__]
    calls = [item for item in public if inspect.isfunction(item) or inspect.isclass(item)]
    lacking = {
        item.__name__
        for item in calls
        if item not in LEFT_OUT
        and not (inspect.isclass(item) and issubclass(item, BaseException | dict | tuple))
        and _defaults(item)
    }
    # An outcome is what a run returns.
    assert lacking == {"Outcome"}
