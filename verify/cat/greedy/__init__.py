"""Checks of the claims on the greedy choice of a size."""
