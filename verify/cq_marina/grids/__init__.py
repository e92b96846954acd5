"""Checks of the claims on quantization on grids."""
