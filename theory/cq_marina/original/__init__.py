"""Findings about the constants of public code."""
