"""Checks of the claims on correlated quantization with MARINA: one module for each claim."""
