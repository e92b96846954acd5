"""Runs of the paper on communication-aware adaptive tuning."""
