"""Logarithms, roots and entropies."""
