"""Checks of the claims on the AB inequality."""
