"""Runs of the paper on correlated quantization."""
