"""Checks of the claims on descent along the largest entries."""
