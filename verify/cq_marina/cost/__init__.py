"""Checks of the claims on the cost of communication."""
