"""Findings about the constants of the original experiments."""
