"""Checks of the findings about the constants of the original experiments."""
