"""Dithered quantizers: their dither, also that of a key, their indices and estimates."""
