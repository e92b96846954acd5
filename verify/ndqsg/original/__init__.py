"""Checks of the findings about the protocol of public code."""
