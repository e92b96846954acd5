"""Checks of the claims on convergence."""
