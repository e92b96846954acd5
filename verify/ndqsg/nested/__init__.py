"""Checks of the claims on nested quantization."""
