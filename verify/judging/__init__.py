"""From a unit to its evidence, from evidence to the verdict."""
