"""Coders of digits by compiled kernels."""
