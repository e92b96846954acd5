"""Checks of the claims on the correlated quantizer."""
