"""Implementations with a fault, for the mutants of several papers."""
