"""Checks of the claims on nonzeros and bits."""
