"""Checks of the claims on entries that are kept at random."""
