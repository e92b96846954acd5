"""Compressors with memory: sequences of messages."""
