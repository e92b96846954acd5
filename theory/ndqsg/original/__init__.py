"""Findings about the protocol of public code."""
