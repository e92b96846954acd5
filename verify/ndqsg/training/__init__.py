"""Checks of the claims on training runs."""
