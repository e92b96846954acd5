"""Rounding, dithers and integers."""
