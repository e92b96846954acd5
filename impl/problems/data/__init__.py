"""Data sets, and their rows."""
