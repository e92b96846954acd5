"""Lemmas of several claims, proved once: functions that receive the kernel and return theorems."""
