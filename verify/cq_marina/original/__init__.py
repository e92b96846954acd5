"""Checks of the findings about the constants of public code."""
