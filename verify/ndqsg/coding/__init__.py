"""Checks of the claims on the bits of indices."""
