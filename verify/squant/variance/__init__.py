"""Checks of the claims on variance."""
