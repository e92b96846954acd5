"""Runs of the paper on smoothness-aware quantization."""
