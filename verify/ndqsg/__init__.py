"""Checks of the claims on dithered and nested dithered quantization: one module for each claim."""
