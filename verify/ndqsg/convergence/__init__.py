"""Checks of the claims on convergence of SGD with dithered gradients."""
