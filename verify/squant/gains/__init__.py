"""Checks of the claims on gains."""
