"""Checks of the claims on several nodes."""
