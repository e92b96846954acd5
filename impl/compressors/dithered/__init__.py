"""Quantizers with a dither that both ends know."""
