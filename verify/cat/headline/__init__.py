"""Checks of the claims on what tuning saves, and on schemes that are special cases."""
