"""Checks of the claims on the smoothness constants."""
