"""Compressors that send some of the coordinates."""
