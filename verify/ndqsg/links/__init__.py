"""Checks on real processes and links."""
