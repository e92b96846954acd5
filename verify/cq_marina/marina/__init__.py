"""Checks of the claims on rates and exact moments of MARINA."""
