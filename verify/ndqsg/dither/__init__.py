"""Checks of the claims on the dithered quantizer."""
