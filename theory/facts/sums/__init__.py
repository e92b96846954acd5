"""Sums, their inequalities, and recursions."""
