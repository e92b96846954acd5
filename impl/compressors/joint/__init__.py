"""Compressors of all clients at once."""
