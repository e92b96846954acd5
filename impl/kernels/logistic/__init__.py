"""Kernels of logistic regression."""
