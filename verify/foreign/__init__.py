"""Compressors of other people: how they are called, where they are looked at, and what is tested of them."""
